// EdDSA of the engines against RFC 8032, node:crypto, Wycheproof and the edge cases of "Taming the many EdDSAs".

import { createPrivateKey, createPublicKey, sign as nodeSign, verify as nodeVerify, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEdDSAOperations, type EdDSACriteria, type EdDSAOptions } from '../../engines/eddsa-operations.ts';
import type { EdwardsCurveName } from '../../engines/edwards-curves.ts';
import { EngineError } from '../../engines/errors.ts';
import { bytes, collected, hex, rfc8032 } from './edwards-support.ts';
import { HASHES } from './hashes.ts';

const operations = {
  Ed25519: createEdDSAOperations('Ed25519', HASHES),
  Ed448: createEdDSAOperations('Ed448', HASHES),
};
const CURVES: readonly EdwardsCurveName[] = ['Ed25519', 'Ed448'];
const PREFIX = { Ed25519: '302e020100300506032b657004220420', Ed448: '3047020100300506032b6571043b0439' };
const random = (target: Uint8Array): void => void target.set(randomBytes(target.length));

describe('the values of RFC 8032', () => {
  for (const [scheme, vectors] of Object.entries(rfc8032())) {
    const curve = scheme.startsWith('Ed25519') ? 'Ed25519' : 'Ed448';
    const { derivePublicKey, sign, verifyVartime } = operations[curve];
    for (const vector of vectors) {
      it(`come out for ${scheme} ${vector.name}`, () => {
        const context = bytes(vector.context);
        const options: EdDSAOptions = {
          prehash: scheme.endsWith('ph'),
          context: context.length === 0 ? undefined : context,
        };
        const [seed, publicKey, message] = [bytes(vector.secretKey), bytes(vector.publicKey), bytes(vector.message)];
        expect(hex(derivePublicKey(seed))).toBe(vector.publicKey);
        const signature = sign(seed, publicKey, message, options);
        expect(hex(signature)).toBe(vector.signature);
        expect(hex(sign(seed, publicKey, [message.subarray(0, 1), message.subarray(1)], options))).toBe(
          vector.signature,
        );
        for (const criteria of ['rfc8032', 'strict', 'cofactored'] as const) {
          expect(verifyVartime(publicKey, message, signature, { ...options, criteria })).toBe(1);
        }
        const otherContext = { ...options, context: Uint8Array.of(1, 2, 3) };
        expect(verifyVartime(publicKey, message, signature, otherContext)).toBe(0);
        expect(verifyVartime(publicKey, message, signature, { ...options, prehash: !options.prehash })).toBe(0);
      });
    }
  }

  it('come out of a prehash that is given', () => {
    const [vector] = rfc8032()['Ed448ph']!;
    const given = HASHES.extendable!('SHAKE256', bytes(vector!.message), 64);
    const { sign } = operations.Ed448;
    const signature = sign(bytes(vector!.secretKey), bytes(vector!.publicKey), given, { prehash: 'given' });
    expect(hex(signature)).toBe(vector!.signature);
    expect(() => sign(bytes(vector!.secretKey), bytes(vector!.publicKey), bytes('00'), { prehash: 'given' })).toThrow(
      EngineError,
    );
  });
});

describe.each(CURVES)('%s', (curve) => {
  const engine = operations[curve];

  it('agrees with node:crypto on 200 random keys, messages and altered signatures', () => {
    for (let round = 0; round < 200; round++) {
      const seed = new Uint8Array(engine.keyLength);
      const publicKey = engine.generateKeyPair(seed, random);
      const message = new Uint8Array(randomBytes(round));
      const privateKey = createPrivateKey({
        key: Buffer.concat([Buffer.from(PREFIX[curve], 'hex'), seed]),
        format: 'der',
        type: 'pkcs8',
      });
      const nodeKey = createPublicKey(privateKey);
      expect(hex(publicKey)).toBe(Buffer.from(nodeKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex'));
      const signature = engine.sign(seed, publicKey, message);
      expect(hex(signature)).toBe(nodeSign(null, message, privateKey).toString('hex'));
      expect(engine.verifyVartime(publicKey, message, signature)).toBe(1);
      const at = round % signature.length;
      signature[at] = signature[at]! ^ (1 << (round & 7));
      expect(engine.verifyVartime(publicKey, message, signature)).toBe(0);
      expect(nodeVerify(null, message, nodeKey, signature)).toBe(false);
    }
  });

  it('accepts what it signs and nothing altered, under every criteria', () => {
    const criteria: readonly EdDSACriteria[] =
      curve === 'Ed25519' ? ['rfc8032', 'strict', 'cofactored', 'zip215'] : ['rfc8032', 'strict', 'cofactored'];
    const input = fc.record({
      seed: fc.uint8Array({ minLength: engine.keyLength, maxLength: engine.keyLength }),
      message: fc.uint8Array({ minLength: 1, maxLength: 200 }),
      prehash: fc.boolean(),
      context: fc.option(fc.uint8Array({ maxLength: 255 }), { nil: undefined }),
      criteria: fc.constantFrom(...criteria),
      flip: fc.nat(),
    });
    fc.assert(
      fc.property(input, ({ seed, message, prehash, context, criteria, flip }) => {
        const options = { prehash, context, criteria };
        const publicKey = engine.derivePublicKey(seed);
        const key = engine.decodePublicKey(publicKey)!;
        const signature = engine.sign(seed, publicKey, message, options);
        expect(engine.verifyVartime(key, message, signature, options)).toBe(1);
        const bit = flip % (8 * (message.length + signature.length));
        const altered = bit < 8 * message.length ? message : signature;
        const at = (bit >> 3) - (altered === message ? 0 : message.length);
        altered[at] = altered[at]! ^ (1 << (bit & 7));
        expect(engine.verifyVartime(key, message, signature, options)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('answers alike for a key that verifies again and again, and within its memory', () => {
    // So many that their combs do not fit.
    const many = Array.from({ length: curve === 'Ed25519' ? 130 : 75 }, (_, i) => {
      const seed = new Uint8Array(engine.keyLength).fill(i);
      const publicKey = engine.derivePublicKey(seed);
      return { key: engine.decodePublicKey(publicKey)!, signature: engine.sign(seed, publicKey, seed), message: seed };
    });
    for (const { key, signature, message } of many) {
      const wrong = signature.slice();
      wrong[engine.keyLength] = wrong[engine.keyLength]! ^ 1;
      for (let use = 0; use < 4; use++) {
        expect(engine.verifyVartime(key, message, signature)).toBe(1);
        expect(engine.verifyVartime(key, message, wrong)).toBe(0);
      }
    }
  });

  it('leaves seed, public key and message as they were', () => {
    const seed = new Uint8Array(engine.keyLength).fill(7);
    const publicKey = engine.derivePublicKey(seed);
    const message = Uint8Array.of(1, 2, 3);
    const before = [seed, publicKey, message].map(hex);
    engine.sign(seed, publicKey, message);
    engine.sign(seed, publicKey, message, { prehash: true });
    expect([seed, publicKey, message].map(hex)).toEqual(before);
  });

  it('refuses wrong lengths, a long context and a random source of zeros', () => {
    const seed = new Uint8Array(engine.keyLength);
    expect(() => engine.derivePublicKey(seed.subarray(1))).toThrow(EngineError);
    expect(() => engine.sign(seed, seed.subarray(1), seed)).toThrow(EngineError);
    expect(() => engine.sign(seed, seed, seed, { context: new Uint8Array(256) })).toThrow(EngineError);
    expect(() => engine.generateKeyPair(seed, () => {})).toThrow(EngineError);
    expect(engine.decodePublicKey(new Uint8Array(engine.keyLength + 1))).toBeUndefined();
  });

  it('tells keys of small order from others', () => {
    const identity = new Uint8Array(engine.keyLength);
    identity[0] = 1;
    expect(engine.decodePublicKey(identity)).toMatchObject({ smallOrder: true, canonical: true });
    const ordinary = engine.derivePublicKey(new Uint8Array(engine.keyLength).fill(1));
    expect(engine.decodePublicKey(ordinary)).toMatchObject({ smallOrder: false, canonical: true });
    // A = R = identity, S = 0: every message verifies without the strict criteria.
    const signature = new Uint8Array(2 * engine.keyLength);
    signature[0] = 1;
    const verify = (criteria: EdDSACriteria): number =>
      engine.verifyVartime(identity, Uint8Array.of(5), signature, { criteria });
    expect([verify('rfc8032'), verify('strict'), verify('cofactored')]).toEqual([1, 0, 1]);
  });

  it('refuses a signature with an R of small order only when strict', () => {
    // S = k·s and R the identity: the equation holds for the nonce 0.
    const seed = new Uint8Array(engine.keyLength).fill(9);
    const publicKey = engine.derivePublicKey(seed);
    const message = Uint8Array.of(4);
    const identity = new Uint8Array(engine.keyLength);
    identity[0] = 1;
    const name = curve === 'Ed25519' ? 'SHA-512' : 'SHAKE256';
    const wide = (data: Uint8Array): Uint8Array =>
      name === 'SHA-512' ? HASHES.digest(name, data) : HASHES.extendable!(name, data, 114);
    const number = (little: Uint8Array): bigint => BigInt(`0x${hex(little.slice().reverse())}`);
    const h = wide(seed).slice(0, engine.keyLength);
    const last = engine.keyLength - 1;
    if (curve === 'Ed25519') {
      h[0] = h[0]! & 248;
      h[last] = (h[last]! & 127) | 64;
    } else {
      h[0] = h[0]! & 252;
      h[last] = 0;
      h[last - 1] = h[last - 1]! | 128;
    }
    const domain = curve === 'Ed25519' ? [] : [...Buffer.from('SigEd448'), 0, 0];
    const k = number(wide(Uint8Array.from([...domain, ...identity, ...publicKey, ...message])));
    const s = (k * number(h)) % BigInt(`0x${engine.curve.order}`);
    const signature = new Uint8Array(2 * engine.keyLength);
    signature.set(identity);
    signature.set(bytes(s.toString(16).padStart(2 * engine.keyLength, '0')).reverse(), engine.keyLength);
    const verify = (criteria: EdDSACriteria): number =>
      engine.verifyVartime(publicKey, message, signature, { criteria });
    expect([verify('rfc8032'), verify('strict'), verify('cofactored')]).toEqual([1, 0, 1]);
  });
});

describe('collected vectors', () => {
  interface Wycheproof {
    readonly testGroups: readonly {
      readonly publicKey: { readonly pk: string };
      readonly tests: readonly { tcId: number; msg: string; sig: string; result: 'valid' | 'invalid' }[];
    }[];
  }

  it.each(CURVES)('of Wycheproof for %s give the stated results', (curve) => {
    const file = collected(`wycheproof/${curve.toLowerCase()}_test.json`) as Wycheproof | undefined;
    let wrong = 0;
    for (const { publicKey, tests } of file?.testGroups ?? []) {
      for (const { msg, sig, result } of tests) {
        for (const criteria of ['rfc8032', 'strict', 'cofactored'] as const) {
          const verdict = operations[curve].verifyVartime(bytes(publicKey.pk), bytes(msg), bytes(sig), { criteria });
          if ((verdict === 1) !== (result === 'valid')) wrong++;
        }
      }
    }
    expect(wrong).toBe(0);
  });

  it('of the edge cases of Ed25519 are taken as each criteria says', () => {
    const file = collected('ed25519-edge/speccheck-cases.json');
    const cases = file as readonly Readonly<Record<'message' | 'pub_key' | 'signature', string>>[] | undefined;
    const accepted = (criteria: EdDSACriteria): number[] =>
      (cases ?? []).flatMap(({ message, pub_key, signature }, index) => {
        const { verifyVartime } = operations.Ed25519;
        return verifyVartime(bytes(pub_key), bytes(message), bytes(signature), { criteria }) === 1 ? [index] : [];
      });
    if (cases === undefined) return;
    expect(accepted('rfc8032')).toEqual([0, 1, 2, 3]);
    expect(accepted('strict')).toEqual([3]);
    expect(accepted('cofactored')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(accepted('zip215')).toEqual([0, 1, 2, 3, 4, 5, 9, 10, 11]);
  });

  it('with non-canonical keys are decoded under zip215 only', () => {
    const engine = operations.Ed25519;
    // y = p + 1 stands for 1; −0 has the sign bit.
    for (const text of [`ee${'ff'.repeat(30)}7f`, `01${'00'.repeat(30)}80`]) {
      expect(engine.decodePublicKey(bytes(text))).toBeUndefined();
      const lax = engine.decodePublicKey(bytes(text), true);
      expect(lax).toMatchObject({ canonical: false, smallOrder: true });
      const signature = new Uint8Array(64);
      signature[0] = 1;
      const verify = (criteria: EdDSACriteria): number =>
        engine.verifyVartime(lax!, Uint8Array.of(1), signature, { criteria });
      expect([verify('rfc8032'), verify('strict'), verify('cofactored'), verify('zip215')]).toEqual([0, 0, 0, 1]);
    }
    expect(engine.decodePublicKey(bytes(`02${'00'.repeat(31)}`), true)).toBeUndefined();
    expect(() => operations.Ed448.decodePublicKey(new Uint8Array(57), true)).toThrow(EngineError);
    const key = operations.Ed448.derivePublicKey(new Uint8Array(57));
    const forged = new Uint8Array(114);
    expect(() => operations.Ed448.verifyVartime(key, key, forged, { criteria: 'zip215' })).toThrow(EngineError);
  });
});
