// EdDSA and XDH as the container of the engines hands them out.

import { describe, expect, it } from 'vitest';
import { createEngines } from '../../engines/container.ts';
import { createEdDSAOperations } from '../../engines/eddsa-operations.ts';
import { EngineError } from '../../engines/errors.ts';
import {
  selfTestEdDSA,
  selfTestXDH,
  testAgreement,
  testedEdDSA,
  testedXDH,
  testSigning,
  testVerification,
} from '../../engines/intrinsics/edwards-self-test.ts';
import { createXDHOperations } from '../../engines/xdh-operations.ts';
import { HASHES } from './hashes.ts';

describe('the container', () => {
  const engines = createEngines({ hashes: HASHES });

  it('builds the operations of a curve once', () => {
    for (const name of ['Ed25519', 'Ed448']) {
      expect(engines.eddsa(name).curve.name).toBe(name);
      expect(engines.eddsa(name)).toBe(engines.eddsa(name));
    }
    for (const name of ['X25519', 'X448']) {
      expect(engines.xdh(name).curve.name).toBe(name);
      expect(engines.xdh(name)).toBe(engines.xdh(name));
    }
  });

  it('refuses a curve of another kind, and EdDSA without hash functions', () => {
    expect(() => engines.eddsa('X25519')).toThrow(EngineError);
    expect(() => engines.xdh('secp256r1')).toThrow(EngineError);
    expect(() => createEngines().eddsa('Ed25519')).toThrow(/hashes/);
    expect(createEngines().xdh('X25519').keyLength).toBe(32);
  });

  it('explains what serves each part', () => {
    expect(engines.explain('Ed448').double.map(({ id, taken }) => [id, taken])).toEqual([
      ['Ed448/double/window', true],
    ]);
    expect(engines.explain('X25519').point.map(({ id }) => id)).toEqual(['X25519/ladder']);
    const reason = expect.stringMatching(/known answers/);
    expect(engines.explain('X448').base).toMatchObject([{ id: 'Ed448/comb', taken: true, reason }]);
    expect(createEngines().explain('Ed25519').base).toMatchObject([{ id: 'Ed25519/comb', taken: true }]);
    const lying = createEngines({ hashes: { ...HASHES, digest: () => new Uint8Array(64) } });
    const [base] = lying.explain('Ed25519').base;
    expect([base?.taken, base?.reason]).toEqual([false, expect.stringMatching(/failed its self-test/)]);
  });

  it('tests all of it on request, EdDSA where there are hash functions', () => {
    const curves = (results: ReturnType<typeof engines.selfTest>): string[] =>
      results.flatMap(({ curve, outcome }) => (/^(Ed|X)/.test(curve) && outcome === 'passed' ? [curve] : []));
    // Only the curves of this file: the others take seconds.
    const some = [
      ...selfTestEdDSA('Ed25519', () => engines.eddsa('Ed25519')),
      ...selfTestXDH('X448', () => engines.xdh('X448')),
    ];
    expect(curves(some)).toEqual(['Ed25519', 'Ed25519', 'X448', 'X448']);
    const broken = selfTestXDH('X25519', () => ({ ...engines.xdh('X25519'), agree: () => 0 }));
    expect(broken.map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
  });

  it('signs and agrees after its known answers', () => {
    const eddsa = engines.eddsa('Ed25519');
    const seed = new Uint8Array(32).fill(3);
    const publicKey = eddsa.derivePublicKey(seed);
    expect(eddsa.verifyVartime(publicKey, seed, eddsa.sign(seed, publicKey, seed))).toBe(1);
    const xdh = engines.xdh('X448');
    const [a, b] = [3, 4].map((byte) => new Uint8Array(56).fill(byte)) as [Uint8Array, Uint8Array];
    const [publicA, publicB, first, second] = Array.from({ length: 4 }, () => new Uint8Array(56)) as Uint8Array[];
    xdh.derivePublicKey(publicA!, a);
    xdh.derivePublicKey(publicB!, b);
    expect(xdh.agree(first!, a, publicB!)).toBe(1);
    expect(xdh.agree(second!, b, publicA!)).toBe(1);
    expect(first).toEqual(second);
  });
});

describe('the known answers', () => {
  it('find a hash function that lies, before anything is signed or verified', () => {
    const lying = { ...HASHES, digest: () => new Uint8Array(64).fill(1) };
    const operations = createEdDSAOperations('Ed25519', lying);
    expect(() => testSigning(operations)).toThrow(EngineError);
    expect(() => testVerification(operations)).toThrow(EngineError);
    const tested = testedEdDSA(operations);
    const key = new Uint8Array(32);
    expect(() => tested.derivePublicKey(key)).toThrow(EngineError);
    expect(() => tested.generateKeyPair(key, (target) => target.fill(1))).toThrow(EngineError);
    expect(() => tested.sign(key, key, key)).toThrow(EngineError);
    expect(() => tested.verifyVartime(key, key, new Uint8Array(64))).toThrow(EngineError);
    expect(() => tested.verifyVartime(key, key, new Uint8Array(64))).toThrow(EngineError);
  });

  it('find a wrong ladder and a wrong comb', () => {
    const right = createXDHOperations('X25519');
    const wrong = testedXDH({ ...right, agree: () => 1, derivePublicKey: () => {} });
    const key = new Uint8Array(32);
    expect(() => wrong.agree(key, key, key)).toThrow(/ladder/);
    expect(() => wrong.derivePublicKey(key, key)).toThrow(/comb/);
    expect(() => wrong.generateKeyPair(key, key, (target) => target.fill(1))).toThrow(/comb/);
    testAgreement(right);
  });
});
