// Provium and OpenSSL through the same façades: what one makes the other takes, and both refuse the same.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ECGenParameterSpec,
  KeyAgreement,
  KeyFactory,
  KeyPairGenerator,
  MessageDigest,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Security,
  Signature,
  X509EncodedKeySpec,
} from '../../index.ts';

const PROVIDERS = ['Provium', 'OpenSSL'] as const;

function algorithmsOf(type: 'Signature' | 'MessageDigest'): string[] {
  const has = (name: string) => Security.getProvider(name)?.services ?? [];
  const theirs = new Set(has('OpenSSL').flatMap((service) => (service.type === type ? [service.algorithm] : [])));
  return has('Provium').flatMap((service) =>
    service.type === type && theirs.has(service.algorithm) ? [service.algorithm] : [],
  );
}

/** The curves that Provium says it has. */
const CURVES = (Security.getProvider('Provium')?.services ?? []).flatMap(({ type, attributes }) =>
  type === 'KeyPairGenerator' ? (attributes.SupportedCurves ?? []) : [],
);

function ecPair(curve: string, provider: string) {
  return KeyPairGenerator.getInstance('EC', provider).initialize(new ECGenParameterSpec(curve)).generateKeyPair();
}

const EC_CURVES = CURVES.filter((name) => !/25519|448/.test(name));
const PAIRS = EC_CURVES.flatMap((curve) => PROVIDERS.map((maker) => [curve, maker] as const));

describe('a signature of one provider is valid for the other', () => {
  const ecdsa = algorithmsOf('Signature').filter((name) => name.includes('ECDSA'));

  it('has algorithms to compare', () => {
    expect(ecdsa.length).toBeGreaterThanOrEqual(20);
    expect(EC_CURVES).toContain('secp256r1');
  });

  it.each(PAIRS)('on %s with keys of %s, for any message and every hash', (curve, maker) => {
    const { publicKey, privateKey } = ecPair(curve, maker);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...ecdsa), (message, algorithm) => {
        for (const signer of PROVIDERS) {
          const signature = Signature.sign(algorithm, privateKey, message, { provider: signer });
          const damaged = signature.map((byte, i) => (i === signature.length - 1 ? byte ^ 1 : byte));
          for (const provider of PROVIDERS) {
            expect(Signature.verify(algorithm, publicKey, message, signature, { provider })).toBe(true);
            expect(Signature.verify(algorithm, publicKey, message, damaged, { provider })).toBe(false);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('or for neither, whatever the bytes are', () => {
    const { publicKey, privateKey } = ecPair('secp256r1', 'Provium');
    const message = Uint8Array.of(1, 2, 3);
    const good = Signature.sign('SHA256withECDSA', privateKey, message);
    const mutated = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, change]) => {
        const copy = Uint8Array.from(good);
        copy[at] = (copy[at] ?? 0) ^ change;
        return copy;
      }),
    );
    fc.assert(
      fc.property(mutated, fc.constantFrom('SHA256withECDSA', 'SHA256withECDSAinP1363Format'), (bytes, algorithm) => {
        const [ours, theirs] = PROVIDERS.map((provider) =>
          Signature.verify(algorithm, publicKey, message, bytes, { provider }),
        );
        expect(ours).toBe(theirs);
      }),
      { numRuns: 200 },
    );
  });
});

describe('keys and secrets', () => {
  it.each(PAIRS)('have the same encodings on %s when %s made them', (curve, maker) => {
    const { publicKey, privateKey } = ecPair(curve, maker);
    for (const provider of PROVIDERS) {
      const factory = KeyFactory.getInstance('EC', provider);
      const translatedPublic = factory.translateKey(publicKey);
      const translatedPrivate = factory.translateKey(privateKey);
      expect(translatedPublic.encoded).toEqual(publicKey.encoded);
      expect(translatedPrivate.encoded).toEqual(privateKey.encoded);
      expect(translatedPublic.equals(publicKey)).toBe(true);
      expect(translatedPrivate.equals(privateKey)).toBe(true);
      expect(privateKey.equals(translatedPrivate)).toBe(true);
    }
  });

  it.each(PAIRS)('are the same from both sides on %s with keys of %s', (curve, maker) => {
    const a = ecPair(curve, maker);
    const b = ecPair(curve, maker === 'Provium' ? 'OpenSSL' : 'Provium');
    const secrets = PROVIDERS.flatMap((provider) => [
      KeyAgreement.getInstance('ECDH', provider).init(a.privateKey).doPhase(b.publicKey, true).generateSecret(),
      KeyAgreement.getInstance('ECDH', provider).init(b.privateKey).doPhase(a.publicKey, true).generateSecret(),
    ]);
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
  });

  it('are refused by both or by neither when their encoding is damaged', () => {
    const { publicKey, privateKey } = ecPair('secp256r1', 'OpenSSL');
    const verdicts = (make: (factory: KeyFactory) => unknown): boolean[] =>
      PROVIDERS.map((provider) => {
        try {
          make(KeyFactory.getInstance('EC', provider));
          return true;
        } catch {
          return false;
        }
      });
    const spki = publicKey.encoded ?? new Uint8Array();
    const pkcs8 = privateKey.encoded ?? new Uint8Array();
    const change = fc.record({ at: fc.nat(pkcs8.length - 1), bits: fc.integer({ min: 1, max: 255 }), cut: fc.nat(3) });
    fc.assert(
      fc.property(change, fc.boolean(), ({ at, bits, cut }, open) => {
        const bytes = Uint8Array.from(open ? spki : pkcs8);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ bits;
        const given = bytes.subarray(0, bytes.length - (cut === 3 ? 1 : 0));
        const [ours, theirs] = verdicts((factory) =>
          open
            ? factory.generatePublic(new X509EncodedKeySpec(given))
            : factory.generatePrivate(new PKCS8EncodedKeySpec(given)),
        );
        // A damaged OID can name a curve that only OpenSSL has.
        if (ours !== theirs) expect([ours, theirs]).toEqual([false, true]);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused by both when the scalar is out of range', () => {
    const n = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
    for (const bytes of [new Uint8Array(32), Uint8Array.from(n), new Uint8Array(32).fill(0xff)]) {
      for (const provider of PROVIDERS) {
        const factory = KeyFactory.getInstance('EC', provider);
        expect(() => factory.generatePrivate(new RawKeySpec(bytes, { curve: 'P-256' }))).toThrow();
      }
    }
  });
});

describe('digests', () => {
  it.each(algorithmsOf('MessageDigest'))('are the same: %s', (algorithm) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (message) => {
        const [ours, theirs] = PROVIDERS.map((provider) =>
          MessageDigest.getInstance(algorithm, provider).update(message).digest(),
        );
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 50 },
    );
  });
});
