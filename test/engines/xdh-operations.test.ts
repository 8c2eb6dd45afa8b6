// X25519 and X448 of the engines against RFC 7748, node:crypto and Wycheproof.

import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MONTGOMERY_CURVES, type MontgomeryCurveName } from '../../engines/edwards-curves.ts';
import { EngineError } from '../../engines/errors.ts';
import { createXDHOperations } from '../../engines/xdh-operations.ts';
import { bytes, collected, hex, rfc7748 } from './edwards-support.ts';

const operations = { X25519: createXDHOperations('X25519'), X448: createXDHOperations('X448') };
const CURVES: readonly MontgomeryCurveName[] = ['X25519', 'X448'];
const PRIVATE = { X25519: '302e020100300506032b656e04220420', X448: '3046020100300506032b656f043a0438' };
const PUBLIC = { X25519: '302a300506032b656e032100', X448: '3042300506032b656f033900' };
const random = (target: Uint8Array): void => void target.set(randomBytes(target.length));

function agreed(curve: MontgomeryCurveName, privateKey: Uint8Array, peer: Uint8Array): Uint8Array {
  const out = new Uint8Array(privateKey.length);
  operations[curve].agree(out, privateKey, peer);
  return out;
}

function publicKeyOf(curve: MontgomeryCurveName, privateKey: Uint8Array): Uint8Array {
  const out = new Uint8Array(privateKey.length);
  operations[curve].derivePublicKey(out, privateKey);
  return out;
}

describe.each(CURVES)('%s', (curve) => {
  const engine = operations[curve];
  const vectors = rfc7748()[curve];
  const length = engine.keyLength;
  const base = new Uint8Array(length);
  base[0] = MONTGOMERY_CURVES[curve].baseU;
  const keys = fc.uint8Array({ minLength: length, maxLength: length });

  it('gives the function values of RFC 7748', () => {
    for (const { scalar, u, output } of vectors.functionVectors) {
      expect(hex(agreed(curve, bytes(scalar), bytes(u)))).toBe(output);
    }
  });

  it('gives the values after 1 and 1,000 iterations of RFC 7748', () => {
    let k = bytes(vectors.iterated.start);
    let u = k;
    for (let round = 1; round <= 1000; round++) {
      [k, u] = [agreed(curve, k, u), k];
      const stated = vectors.iterated.results.find(({ iterations }) => iterations === round);
      if (stated !== undefined) expect(hex(k)).toBe(stated.k);
    }
    expect(vectors.iterated.results.slice(0, 2).map(({ iterations }) => iterations)).toEqual([1, 1000]);
  });

  it('gives the keys and the secret of the example in RFC 7748', () => {
    const { alicePrivate, alicePublic, bobPrivate, bobPublic, shared } = vectors.diffieHellman;
    expect(hex(publicKeyOf(curve, bytes(alicePrivate)))).toBe(alicePublic);
    expect(hex(publicKeyOf(curve, bytes(bobPrivate)))).toBe(bobPublic);
    expect(hex(agreed(curve, bytes(alicePrivate), bytes(bobPublic)))).toBe(shared);
    expect(hex(agreed(curve, bytes(bobPrivate), bytes(alicePublic)))).toBe(shared);
  });

  it('derives by the Edwards table what the ladder gives for the base point', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(hex(publicKeyOf(curve, key))).toBe(hex(agreed(curve, key, base)));
      }),
      { numRuns: 100 },
    );
    for (const byte of [0, 0xff]) {
      const key = new Uint8Array(length).fill(byte);
      expect(hex(publicKeyOf(curve, key))).toBe(hex(agreed(curve, key, base)));
    }
  });

  it('commutes: a·(b·P) = b·(a·P) for any u', () => {
    fc.assert(
      fc.property(keys, keys, keys, (a, b, u) => {
        expect(hex(agreed(curve, a, agreed(curve, b, u)))).toBe(hex(agreed(curve, b, agreed(curve, a, u))));
      }),
      { numRuns: 40 },
    );
  });

  it('agrees with node:crypto on 200 random pairs', () => {
    for (let round = 0; round < 200; round++) {
      const own = new Uint8Array(length);
      const ownPublic = new Uint8Array(length);
      engine.generateKeyPair(own, ownPublic, random);
      // Any string is a public key, so the peers of half of the rounds are no points of the curve, but of its twist.
      const peer = round % 2 === 0 ? new Uint8Array(randomBytes(length)) : publicKeyOf(curve, randomBytes(length));
      const privateKey = createPrivateKey({
        key: Buffer.concat([Buffer.from(PRIVATE[curve], 'hex'), own]),
        format: 'der',
        type: 'pkcs8',
      });
      const publicKey: KeyObject = createPublicKey({
        key: Buffer.concat([Buffer.from(PUBLIC[curve], 'hex'), peer]),
        format: 'der',
        type: 'spki',
      });
      expect(hex(agreed(curve, own, peer))).toBe(diffieHellman({ privateKey, publicKey }).toString('hex'));
      const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
      expect(hex(ownPublic)).toBe(Buffer.from(jwk.x!, 'base64url').toString('hex'));
    }
  });

  it('reports an all-zero result', () => {
    const out = new Uint8Array(length).fill(1);
    const key = new Uint8Array(length).fill(5);
    for (const u of [0, 1]) {
      const peer = new Uint8Array(length);
      peer[0] = u;
      expect(engine.agree(out, key, peer)).toBe(0);
      expect(out.every((byte) => byte === 0)).toBe(true);
    }
    expect(engine.agree(out, key, base)).toBe(1);
  });

  it('leaves its inputs as they were and refuses other lengths', () => {
    const key = new Uint8Array(length).fill(0xff);
    const peer = new Uint8Array(length).fill(0xff);
    agreed(curve, key, peer);
    publicKeyOf(curve, key);
    expect([...key, ...peer].every((byte) => byte === 0xff)).toBe(true);
    const out = new Uint8Array(length);
    expect(() => engine.agree(out, key.subarray(1), peer)).toThrow(EngineError);
    expect(() => engine.agree(out, key, peer.subarray(1))).toThrow(EngineError);
    expect(() => engine.agree(out.subarray(1), key, peer)).toThrow(EngineError);
    expect(() => engine.generateKeyPair(out, out.slice(), () => {})).toThrow(EngineError);
  });

  it('gives the results of Wycheproof, where the collection is at hand', () => {
    interface Wycheproof {
      readonly testGroups: readonly {
        readonly tests: readonly { public: string; private: string; shared: string; result: string }[];
      }[];
    }
    const file = collected(`wycheproof/${curve.toLowerCase()}_test.json`) as Wycheproof | undefined;
    let wrong = 0;
    for (const { tests } of file?.testGroups ?? []) {
      for (const { public: peer, private: key, shared, result } of tests) {
        if (bytes(peer).length !== length) {
          if (result !== 'invalid') wrong++;
        } else if (hex(agreed(curve, bytes(key), bytes(peer))) !== shared) wrong++;
      }
    }
    expect(wrong).toBe(0);
  });
});
