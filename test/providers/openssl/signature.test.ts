import * as crypto from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIGESTS } from '../../../providers/openssl/digests.ts';
import { OpenSslKeyFactory } from '../../../providers/openssl/key-factory.ts';
import { EcKeyPairGenerator, OkpKeyPairGenerator } from '../../../providers/openssl/key-pair-generator.ts';
import type { EcPrivateKey } from '../../../providers/openssl/keys.ts';
import { honoursContext, ownCriteria } from '../../../providers/openssl/node.ts';
import {
  EcdsaSignature,
  EddsaSignature,
  ecdsaSupportsOptions,
  eddsaSupportsOptions,
  type SigningContext,
} from '../../../providers/openssl/signature.ts';
import { InvalidAlgorithmParameterError, InvalidKeyError, KeyDestroyedError } from '../../../spi/errors.ts';
import { ECGenParameterSpec, EdDSAParameterSpec, NamedParameterSpec, RawKeySpec } from '../../../spi/key-specs.ts';

function ecPair(curve: string) {
  const generator = new EcKeyPairGenerator();
  generator.initialize(new ECGenParameterSpec(curve), {});
  const { publicKey, privateKey } = generator.generateKeyPair();
  return { publicKey, privateKey: privateKey as EcPrivateKey };
}

function ecdsa(format: 'der' | 'p1363' = 'der', hash = 'sha256', context: Partial<SigningContext> = {}) {
  return new EcdsaSignature('SHA256withECDSA', hash, format, { nonce: 'hedged', customRandom: false, ...context });
}

const data = new TextEncoder().encode('the message');
const CURVES = [
  'secp256r1',
  'secp384r1',
  'secp521r1',
  'secp256k1',
  'secp224r1',
  'brainpoolP512r1',
  'secp160r1',
  'sect571r1',
];

describe('ECDSA of OpenSSL', () => {
  for (const { signaturePrefix, nodeName } of DIGESTS) {
    if (signaturePrefix === undefined) continue;
    it(`signs and verifies with ${signaturePrefix} as node:crypto does, in both forms`, () => {
      for (const curve of CURVES) {
        const { publicKey, privateKey } = ecPair(curve);
        const handle = crypto.createPublicKey({
          key: Buffer.from(publicKey.encoded ?? []),
          format: 'der',
          type: 'spki',
        });
        for (const [format, dsaEncoding] of [
          ['der', 'der'],
          ['p1363', 'ieee-p1363'],
        ] as const) {
          const signature = ecdsa(format, nodeName).signOnce(privateKey, data, {});
          expect(crypto.verify(nodeName, data, { key: handle, dsaEncoding }, signature)).toBe(true);
          const theirs = crypto.sign(nodeName, data, { key: privateKey.handle, dsaEncoding });
          expect(ecdsa(format, nodeName).verifyOnce(publicKey, data, theirs, {})).toBe(true);
          if (format === 'p1363') expect(signature.length).toBe(2 * privateKey.row.order.length);
        }
      }
    });
  }

  it('gives the same answer however the data are cut, and is as freshly initialised afterwards', () => {
    const { publicKey, privateKey } = ecPair('secp256r1');
    const signer = ecdsa();
    const verifier = ecdsa('p1363');
    signer.initSign(privateKey, {});
    verifier.initVerify(publicKey, {});
    const once = ecdsa('p1363');
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 4 }), (chunks) => {
        const whole = Buffer.concat(chunks);
        for (const chunk of chunks) signer.update(chunk);
        expect(ecdsa().verifyOnce(publicKey, whole, signer.sign(), {})).toBe(true);
        const signature = once.signOnce(privateKey, whole, {});
        for (const chunk of chunks) verifier.update(chunk);
        expect(verifier.verify(signature)).toBe(true);
        verifier.update(whole);
        verifier.update(Uint8Array.of(1));
        expect(verifier.verify(signature)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps nothing of what it is fed', () => {
    const { publicKey, privateKey } = ecPair('secp256r1');
    const signer = ecdsa();
    signer.initSign(privateKey, {});
    const buffer = Uint8Array.from(data);
    signer.update(buffer);
    buffer.fill(0);
    expect(ecdsa().verifyOnce(publicKey, data, signer.sign(), {})).toBe(true);
    signer.update(data);
    signer.reset();
    expect(ecdsa().verifyOnce(publicKey, new Uint8Array(0), signer.sign(), {})).toBe(true);
  });

  it('answers false to every malformed signature', () => {
    const { publicKey, privateKey } = ecPair('secp256r1');
    const der = ecdsa().signOnce(privateKey, data, {});
    const raw = ecdsa('p1363').signOnce(privateKey, data, {});
    const long = Uint8Array.of(0x30, 0x81, der[1] ?? 0, ...der.subarray(2));
    const bad = [new Uint8Array(0), der.subarray(0, -1), Uint8Array.of(...der, 0), long, raw, Uint8Array.of(0x30, 0)];
    for (const lowS of [undefined, false]) {
      for (const signature of bad) expect(ecdsa().verifyOnce(publicKey, data, signature, { lowS })).toBe(false);
      for (const signature of [
        raw.subarray(1),
        Uint8Array.of(0, ...raw, 0),
        der,
        new Uint8Array(64),
        new Uint8Array(0),
      ]) {
        expect(ecdsa('p1363').verifyOnce(publicKey, data, signature, { lowS })).toBe(false);
      }
    }
  });

  it('makes and demands a low s where that is asked for', () => {
    for (const curve of ['secp256k1', 'secp521r1', 'secp160r1']) {
      const { publicKey, privateKey } = ecPair(curve);
      const { order } = privateKey.row;
      const n = BigInt(`0x${Buffer.from(order).toString('hex')}`);
      for (const format of ['der', 'p1363'] as const) {
        const service = ecdsa(format);
        for (let i = 0; i < 12; i++) {
          const low = service.signOnce(privateKey, data, { lowS: true });
          expect(service.verifyOnce(publicKey, data, low, { lowS: true })).toBe(true);
        }
      }
      const low = ecdsa('p1363').signOnce(privateKey, data, { lowS: true });
      const s = BigInt(`0x${Buffer.from(low.subarray(order.length)).toString('hex')}`);
      expect(2n * s <= n).toBe(true);
      const high = Uint8Array.from(low);
      high.set(Buffer.from((n - s).toString(16).padStart(2 * order.length, '0'), 'hex'), order.length);
      expect(ecdsa('p1363').verifyOnce(publicKey, data, high, {})).toBe(true);
      expect(ecdsa('p1363').verifyOnce(publicKey, data, high, { lowS: true })).toBe(false);
    }
  });

  it('names the option that it cannot honour, and refuses it at the init as well', () => {
    const random = (): void => undefined;
    const { privateKey, publicKey } = ecPair('secp256r1');
    for (const [options, reason] of [
      [{ nonce: 'deterministic' }, /deterministic/],
      [{ nonce: 'random' }, /nonce/],
      [{ nonceHash: 'SHA-256' }, /nonceHash/],
      [{ random }, /random source/],
      [{ parameters: new EdDSAParameterSpec() }, /ECGenParameterSpec/],
    ] as const) {
      expect(ecdsaSupportsOptions({ use: 'sign', ...options })).toMatch(reason);
      expect(() => ecdsa().initSign(privateKey, options)).toThrow(InvalidAlgorithmParameterError);
    }
    expect(ecdsaSupportsOptions({ use: 'verify', criteria: 'rfc8032' })).toMatch(/criteria/);
    expect(ecdsaSupportsOptions({ use: 'sign', nonce: 'hedged', lowS: true })).toBe(true);
    expect(() => ecdsa('der', 'sha256', { nonce: 'deterministic' }).initSign(privateKey, {})).toThrow(/RFC 6979/);
    expect(() => ecdsa('der', 'sha256', { customRandom: true }).initSign(privateKey, {})).toThrow(/random source/);
    ecdsa('der', 'sha256', { customRandom: true, nonce: 'random' }).initVerify(publicKey, {});
    const parameters = new ECGenParameterSpec('secp384r1');
    expect(() => ecdsa().initVerify(publicKey, { parameters })).toThrow(/secp384r1/);
    ecdsa().initVerify(publicKey, { parameters: new ECGenParameterSpec('P-256') });
  });

  it('has no old key after an init that failed, and takes no destroyed one', () => {
    const { privateKey } = ecPair('secp256r1');
    const signer = ecdsa();
    signer.initSign(privateKey, {});
    expect(() => signer.initSign(privateKey, { nonce: 'random' })).toThrow();
    expect(() => signer.sign()).toThrow(/not initialised/);
    signer.initSign(privateKey, {});
    privateKey.destroy();
    expect(() => signer.sign()).toThrow(KeyDestroyedError);
    expect(() => signer.initSign(privateKey, {})).toThrow(KeyDestroyedError);
    expect(() => signer.initSign(new OkpKeyPairGenerator('Ed25519').generateKeyPair().privateKey, {})).toThrow(
      InvalidKeyError,
    );
  });
});

describe('EdDSA of OpenSSL', () => {
  it.each(['Ed25519', 'Ed448'])('signs %s as node:crypto does, byte for byte, in one piece or many', (name) => {
    const { publicKey, privateKey } = new OkpKeyPairGenerator(name).generateKeyPair();
    const theirs = crypto.createPrivateKey({
      key: Buffer.from(privateKey.encoded ?? []),
      format: 'der',
      type: 'pkcs8',
    });
    for (const algorithm of ['EdDSA', name]) {
      const service = new EddsaSignature(algorithm);
      service.initSign(privateKey, {});
      for (const byte of data) service.update(Uint8Array.of(byte));
      const signature = service.sign();
      expect(Buffer.from(signature).equals(crypto.sign(null, data, theirs))).toBe(true);
      expect(Buffer.from(service.sign()).equals(crypto.sign(null, Buffer.alloc(0), theirs))).toBe(true);
      service.initVerify(publicKey, {});
      service.update(data);
      expect(service.verify(signature)).toBe(true);
      expect(service.verify(signature)).toBe(false);
      expect(service.verifyOnce(publicKey, data, signature.subarray(1), {})).toBe(false);
    }
  });

  it('refuses the key of the other curve', () => {
    const { privateKey, publicKey } = new OkpKeyPairGenerator('Ed448').generateKeyPair();
    expect(() => new EddsaSignature('Ed25519').initSign(privateKey, {})).toThrow(InvalidKeyError);
    expect(() => new EddsaSignature('Ed25519').initVerify(publicKey, {})).toThrow(InvalidKeyError);
  });

  it('names the option that it cannot honour', () => {
    const supports = eddsaSupportsOptions('EdDSA');
    expect(supports({ use: 'sign', nonce: 'hedged' })).toMatch(/deterministic/);
    expect(supports({ use: 'sign', random: () => undefined })).toMatch(/random/);
    expect(supports({ use: 'sign', nonceHash: 'SHA-256' })).toMatch(/nonceHash/);
    expect(supports({ use: 'sign', lowS: true })).toMatch(/lowS/);
    for (const criteria of ['cofactored', 'zip215'] as const) {
      expect(supports({ use: 'verify', criteria })).toMatch(criteria);
      expect(eddsaSupportsOptions('Ed448')({ use: 'verify', criteria })).toMatch(/Ed448/);
    }
    expect(supports({ use: 'sign', parameters: new NamedParameterSpec('Ed25519') })).toMatch(/EdDSAParameterSpec/);
    expect(supports({ use: 'sign', parameters: new EdDSAParameterSpec({ prehash: true }) })).toMatch(/Ed25519ph/);
    expect(supports({ use: 'sign', parameters: new EdDSAParameterSpec({ context: new Uint8Array() }) })).toMatch(
      /empty/,
    );
    expect(supports({ use: 'verify', criteria: ownCriteria('Ed25519'), parameters: new EdDSAParameterSpec() })).toBe(
      true,
    );
  });

  it('signs with a context as RFC 8032 says, or says that this Node version cannot', () => {
    // RFC 8032, section 7.2, the context "foo".
    const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
    const seed = hex('0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6');
    const message = hex('f726936d19c800494e3fdaff20b276a8');
    const expected =
      '55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d';
    const key = new OpenSslKeyFactory('Ed25519').generatePrivate(new RawKeySpec(seed, { curve: 'Ed25519' }));
    const parameters = new EdDSAParameterSpec({ context: hex('666f6f') });
    const sign = (): Uint8Array => new EddsaSignature('Ed25519').signOnce(key, message, { parameters });
    if (honoursContext()) expect(Buffer.from(sign()).toString('hex')).toBe(expected);
    else expect(sign).toThrow(/ignores contexts/);
  });

  it('verifies by exactly the criteria it names, on the edge cases of Ed25519', () => {
    // Small-order public key and R in all combinations, built with another library.
    const { Point } = ed25519;
    const n = Point.Fn.ORDER;
    const order8 = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
    const small = Array.from({ length: 8 }, (_, i) => (i === 0 ? Point.ZERO : order8.multiplyUnsafe(BigInt(i))));
    const factory = new OpenSslKeyFactory('Ed25519');
    const strict = ownCriteria('Ed25519') === 'strict';
    for (const [i, T] of small.entries()) {
      for (const U of small) {
        for (const secret of [0n, 12345n]) {
          const A = secret === 0n ? T : Point.BASE.multiply(secret).add(T);
          const R = Point.BASE.multiply(6789n).add(U);
          const hash = crypto.createHash('sha512').update(R.toBytes()).update(A.toBytes()).update(data).digest();
          const h = BigInt(`0x${Buffer.from(hash).reverse().toString('hex')}`) % n;
          const s = (6789n + h * secret) % n;
          const signature = new Uint8Array(64);
          signature.set(R.toBytes());
          signature.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(), 32);
          const cofactorless = Point.BASE.multiply(s).equals(R.add(A.multiplyUnsafe(h)));
          const key = factory.generatePublic(new RawKeySpec(A.toBytes(), { curve: 'Ed25519' }));
          const expected = cofactorless && !(strict && secret === 0n);
          expect(new EddsaSignature('Ed25519').verifyOnce(key, data, signature, {}), `${i}`).toBe(expected);
        }
      }
    }
  });
});
