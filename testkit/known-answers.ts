// Known answers from the standards, for the test kit and the self-test. All values are hexadecimal.

import { encodeEcdsaDer } from '../spi/encoding/ecdsa-der.ts';
import { hex, toHex } from './bytes.ts';

/** FIPS 180-4 and FIPS 202: the message "abc". */
export const DIGESTS: Readonly<Record<string, string>> = {
  'SHA-1': 'a9993e364706816aba3e25717850c26c9cd0d89d',
  'SHA-224': '23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7',
  'SHA-256': 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  'SHA-384': 'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
  'SHA-512':
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
  'SHA-512/224': '4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa',
  'SHA-512/256': '53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23',
  'SHA3-224': 'e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf',
  'SHA3-256': '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
  'SHA3-384': 'ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25',
  'SHA3-512':
    'b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0',
  SHAKE256:
    '483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4',
};

export interface SignatureAnswer {
  readonly algorithm: string;
  readonly family: 'EC' | 'EdDSA';
  readonly curve: string;
  readonly publicKey: string;
  /** Raw; for ECDSA with the nonce of RFC 6979. */
  readonly privateKey: string;
  readonly message: string;
  readonly signature: string;
  readonly source: string;
}

/** RFC 6979, A.2.5: the message "sample" on P-256; r and s by hash. */
const P256_SAMPLE: readonly (readonly [hash: string, rs: string])[] = [
  [
    'SHA1',
    '61340c88c3aaebeb4f6d667f672ca9759a6ccaa9fa8811313039ee4a35471d326d7f147dac089441bb2e2fe8f7a3fa264b9c475098fdcf6e00d7c996e1b8b7eb',
  ],
  [
    'SHA224',
    '53b2fff5d1752b2c689df257c04c40a587fababb3f6fc2702f1343af7ca9aa3fb9afb64fdc03dc1a131c7d2386d11e349f070aa432a4acc918bea988bf75c74c',
  ],
  [
    'SHA256',
    'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
  ],
  [
    'SHA384',
    '0eafea039b20e9b42309fb1d89e213057cbf973dc0cfc8f129edddc800ef77194861f0491e6998b9455193e34e7b0d284ddd7149a74b95b9261f13abde940954',
  ],
  [
    'SHA512',
    '8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f002362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe',
  ],
];
const P256_KEY =
  '0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299';

function ecdsa(algorithm: string, signature: string): SignatureAnswer {
  const message = '73616d706c65';
  return {
    algorithm,
    family: 'EC',
    curve: 'secp256r1',
    publicKey: P256_KEY,
    privateKey: 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721',
    message,
    signature,
    source: 'RFC 6979, A.2.5',
  };
}

export const SIGNATURES: readonly SignatureAnswer[] = [
  ...P256_SAMPLE.flatMap(([hash, rs]) => [
    ecdsa(`${hash}withECDSAinP1363Format`, rs),
    ecdsa(`${hash}withECDSA`, toHex(encodeEcdsaDer(hex(rs)))),
  ]),
  {
    algorithm: 'Ed25519',
    family: 'EdDSA',
    curve: 'Ed25519',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    privateKey: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    source: 'RFC 8032, 7.1',
  },
  {
    algorithm: 'Ed448',
    family: 'EdDSA',
    curve: 'Ed448',
    publicKey:
      '43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480',
    privateKey:
      'c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e',
    message: '03',
    signature:
      '26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00',
    source: 'RFC 8032, 7.4',
  },
];

export interface AgreementAnswer {
  readonly algorithm: string;
  readonly family: 'EC' | 'XDH';
  readonly curve: string;
  readonly privateKey: string;
  readonly peer: string;
  readonly secret: string;
  readonly source: string;
}

export const AGREEMENTS: readonly AgreementAnswer[] = [
  {
    algorithm: 'X25519',
    family: 'XDH',
    curve: 'X25519',
    privateKey: '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a',
    peer: 'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
    secret: '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742',
    source: 'RFC 7748, 6.1',
  },
  {
    algorithm: 'X448',
    family: 'XDH',
    curve: 'X448',
    privateKey:
      '9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b',
    peer: '3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b43027d8b972fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609',
    secret:
      '07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282bb60c0b56fd2464c335543936521c24403085d59a449a5037514a879d',
    source: 'RFC 7748, 6.2',
  },
  {
    algorithm: 'ECDH',
    family: 'EC',
    curve: 'secp256r1',
    privateKey: 'c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433',
    peer: '04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf6356fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab',
    secret: 'd6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de',
    source: 'RFC 5903, 8.1',
  },
];

export interface EdwardsVariant {
  readonly curve: string;
  readonly prehash: boolean;
  readonly context: string;
  readonly publicKey: string;
  readonly message: string;
  readonly signature: string;
  readonly source: string;
}

/** Ed25519ctx and Ed25519ph. */
export const EDDSA_VARIANTS: readonly EdwardsVariant[] = [
  {
    curve: 'Ed25519',
    prehash: false,
    context: '666f6f',
    publicKey: 'dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292',
    message: 'f726936d19c800494e3fdaff20b276a8',
    signature:
      '55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d',
    source: 'RFC 8032, 7.2',
  },
  {
    curve: 'Ed25519',
    prehash: true,
    context: '',
    publicKey: 'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    message: '616263',
    signature:
      '98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406',
    source: 'RFC 8032, 7.3',
  },
];

/** A canonical encoding of a point of order 8 of edwards25519. */
export const ED25519_ORDER_EIGHT = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a';

/** The orders n (SEC 2). */
export const EC_ORDERS: Readonly<Record<string, string>> = {
  secp256r1: 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
  secp384r1: 'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
  secp521r1:
    '01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409',
  secp256k1: 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
};
