// Every service that WebCrypto specifies, as definitions; all asynchronous. What the platform lacks shows at the init, or in
// `supportsKey` once it is known, so that selection goes on with that reason.

import type { Key } from '../../spi/keys.ts';
import type { AnyService, RequestedOptions, ServiceAttributes } from '../../spi/service.ts';
import {
  keyAgreementService,
  keyFactoryService,
  keyPairGeneratorService,
  signatureService,
} from '../../spi/service-helpers.ts';
import { curvesOf, type Purpose } from './curves.ts';
import { supports } from './handles.ts';
import { agreementSupportsOptions, WebCryptoKeyAgreement } from './key-agreement.ts';
import { WebCryptoKeyFactory } from './key-factory.ts';
import { generatorSupportsOptions, WebCryptoKeyPairGenerator } from './key-pair-generator.ts';
import { ecdsaSupportsOptions, eddsaSupportsOptions, type Scheme, WebCryptoSignature } from './signature.ts';

const HASHES = { SHA1: 'SHA-1', SHA256: 'SHA-256', SHA384: 'SHA-384', SHA512: 'SHA-512' } as const;
const EDDSA = ['EdDSA', 'Ed25519', 'Ed448'] as const;
const XDH = ['XDH', 'X25519', 'X448'] as const;

function always(): true {
  return true;
}

function attributesOf(algorithm: string): ServiceAttributes {
  const curves = curvesOf(algorithm);
  return {
    ImplementedIn: 'Software',
    KeySize: Math.max(...curves.map((curve) => curve.size)),
    SupportedKeyClasses: curves.slice(0, 1).map((curve) => curve.family),
    SupportedKeyFormats: ['X.509', 'PKCS#8'],
    SupportedCurves: curves.map((curve) => curve.name),
  };
}

function common(algorithm: string, keys: string, purpose?: Purpose) {
  return {
    mode: 'async',
    algorithm,
    attributes: attributesOf(keys),
    importsPrivateKeys: true,
    supportsKey: (key: Key): true | string => supports(key, keys, purpose),
  } as const;
}

function signature(scheme: Scheme, supportsOptions: (options: RequestedOptions) => true | string): AnyService {
  const keys = scheme.purpose === 'ECDSA' ? 'EC' : scheme.algorithm;
  return signatureService({
    ...common(scheme.algorithm, keys, scheme.purpose),
    supportsOptions,
    newInstance: (context) => new WebCryptoSignature(scheme, context),
  });
}

function agreement(algorithm: string): AnyService {
  const ec = algorithm === 'ECDH';
  return keyAgreementService({
    ...common(algorithm, ec ? 'EC' : algorithm, ec ? 'ECDH' : 'XDH'),
    supportsOptions: agreementSupportsOptions(algorithm),
    newInstance: () => new WebCryptoKeyAgreement(algorithm),
  });
}

function keys(algorithm: string): AnyService[] {
  return [
    keyPairGeneratorService({
      ...common(algorithm, algorithm),
      supportsOptions: generatorSupportsOptions(algorithm),
      newInstance: ({ customRandom }) => new WebCryptoKeyPairGenerator(algorithm, customRandom),
    }),
    keyFactoryService({
      ...common(algorithm, algorithm),
      supportsOptions: always,
      newInstance: () => new WebCryptoKeyFactory(algorithm),
    }),
  ];
}

function ecdsa(prefix: string, hash: string): AnyService[] {
  const purpose = 'ECDSA';
  const algorithm = `${prefix}withECDSA`;
  return [
    signature({ algorithm, purpose, hash, format: 'der' }, ecdsaSupportsOptions),
    signature({ algorithm: `${algorithm}inP1363Format`, purpose, hash, format: 'p1363' }, ecdsaSupportsOptions),
  ];
}

export function webCryptoServices(): AnyService[] {
  return [
    ...Object.entries(HASHES).flatMap(([prefix, hash]) => ecdsa(prefix, hash)),
    ...EDDSA.map((algorithm) => signature({ algorithm, purpose: 'EdDSA' }, eddsaSupportsOptions)),
    ...['ECDH', ...XDH].map(agreement),
    ...['EC', ...EDDSA, ...XDH].flatMap(keys),
  ];
}
