import { describe, expect, it, vi } from 'vitest';
import { SECP256R1 } from '../../engines/curves.ts';
import type { ECOperations } from '../../engines/ec-operations.ts';
import {
  createEngines,
  detectCapabilities,
  EngineError,
  type EngineEvent,
  type EngineExplanation,
  type ForeignCandidate,
  type ForeignImplementation,
} from '../../engines/index.ts';
import { CAPABILITIES, type Capability } from '../../engines/intrinsics/capabilities.ts';
import { oracleFor } from '../../engines/intrinsics/selection.ts';
import {
  type PointMultiplier,
  resolveBase,
  resolveDouble,
  resolvePoint,
} from '../../engines/multipliers/multiplier.ts';
import { P256_COMB, P256_WINDOW } from '../../engines/multipliers/p256-jacobian-multipliers.ts';
import { HASHES } from './hashes.ts';
import { fromHex, hex, N, toBytes } from './helpers.ts';

const oracle = oracleFor(SECP256R1);
const G = fromHex(SECP256R1.gx + SECP256R1.gy);

const taken = (explanation: EngineExplanation, part: 'field' | 'base' | 'point' | 'double'): string | undefined =>
  explanation[part].find((decision) => decision.taken)?.id;
const reasonOf = (explanation: EngineExplanation, part: 'base' | 'point' | 'double', id: string): string | undefined =>
  explanation[part].find((decision) => decision.id === id)?.reason;

/** A third party's multiplier that borrows the oracle's arithmetic. */
const working: ForeignImplementation = {
  multiplyBase(k) {
    const out = new Uint8Array(64);
    return oracle.multiplyBase(out, k) === 1 ? out : undefined;
  },
  multiply(point, k) {
    const out = new Uint8Array(64);
    return oracle.multiply(out, point, k) === 1 ? out : undefined;
  },
  multiplyDouble(u1, u2, q) {
    const out = new Uint8Array(64);
    return oracle.multiplyDoubleVartime(out, u1, u2, q) === 1 ? out : undefined;
  },
};
const foreign = (
  role: 'base' | 'point' | 'double',
  implementation: ForeignImplementation,
  more: Partial<ForeignCandidate> = {},
): ForeignCandidate =>
  ({
    id: `acme/${role}`,
    kind: 'multiplier',
    role,
    for: ['secp256r1'],
    requires: [],
    rank: 1000,
    load: () => implementation,
    ...more,
  }) as ForeignCandidate;

describe('capabilities', () => {
  it.each(CAPABILITIES)('%s can be taken away', (capability) => {
    const found = detectCapabilities([capability]);
    expect(found.has(capability)).toBe(false);
    expect(found.findings[capability].reason).toBe('disabled by PROVIUM_DISABLE');
  });

  it('all but wasm itself go with wasm, and relaxed SIMD goes with SIMD', () => {
    const none = detectCapabilities('wasm');
    for (const capability of CAPABILITIES) expect(none.has(capability)).toBe(false);
    expect(detectCapabilities('wasm-simd').has('wasm-fma')).toBe(false);
  });

  it('the list is text with commas and blanks; other words are ids of candidates', () => {
    const found = detectCapabilities(' wasm-fma , secp256r1/comb,,');
    expect(found.has('wasm-fma')).toBe(false);
    expect(found.disabledIds).toEqual(['secp256r1/comb']);
  });

  it('a runtime without WebAssembly, or one that forbids compiling, has none', () => {
    vi.stubGlobal('WebAssembly', undefined);
    try {
      expect(CAPABILITIES.some((capability) => detectCapabilities().has(capability))).toBe(false);
    } finally {
      vi.unstubAllGlobals();
    }
    const forbidden = {
      validate: () => true,
      Module: class {
        constructor() {
          throw new Error('refused by the content security policy');
        }
      },
    };
    vi.stubGlobal('WebAssembly', forbidden);
    try {
      expect(detectCapabilities().findings.wasm.reason).toBe('compiling WebAssembly is not allowed here');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('selection', () => {
  it('takes the fast portable parts by default and says why the others were not', () => {
    const engines = createEngines();
    const explanation = engines.explain('secp256r1');
    expect(taken(explanation, 'field')).toBe('secp256r1/montgomery');
    expect(taken(explanation, 'base')).toBe('secp256r1/comb');
    expect(taken(explanation, 'point')).toBe('secp256r1/window');
    expect(taken(explanation, 'double')).toBe('secp256r1/double/window');
    for (const part of ['field', 'base', 'point', 'double'] as const) {
      expect(explanation[part].filter((decision) => decision.taken)).toHaveLength(1);
      expect(explanation[part].every(({ reason }) => reason.length > 0)).toBe(true);
    }
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });

  it('hands out the same objects every time', () => {
    const engines = createEngines({ hashes: HASHES });
    expect(engines.ecOperations('secp256r1')).toBe(engines.ecOperations('secp256r1'));
    expect(engines.ecdsa('secp256r1')).toBe(engines.ecdsa('secp256r1'));
    expect(engines.ecdsa('secp256r1').operations).toBe(engines.ecOperations('secp256r1'));
    expect(engines.ecdh('secp256r1').operations).toBe(engines.ecOperations('secp256r1'));
  });

  it('two sets side by side with different parts give equal results and different explanations', () => {
    const fast = createEngines();
    const plain = createEngines({
      policy: {
        curves: {
          secp256r1: { field: 'polynomial', base: 'complete-comb', point: 'ladder', double: 'complete-window' },
        },
      },
    });
    const [a, b] = [fast.ecOperations('secp256r1'), plain.ecOperations('secp256r1')];
    expect(taken(plain.explain('secp256r1'), 'field')).toBe('secp256r1/polynomial');
    expect(taken(plain.explain('secp256r1'), 'point')).toBe('secp256r1/ladder');
    expect(plain.explain('secp256r1')).not.toEqual(fast.explain('secp256r1'));
    const [one, other] = [new Uint8Array(64), new Uint8Array(64)];
    for (const k of [1n, 2n, N - 1n, 0x1234567890abcdefn ** 4n]) {
      a.multiplyBase(one, toBytes(k % N));
      b.multiplyBase(other, toBytes(k % N));
      expect(hex(one)).toBe(hex(other));
      a.multiply(one, G, toBytes(k % N));
      b.multiply(other, G, toBytes(k % N));
      expect(hex(one)).toBe(hex(other));
      a.multiplyDoubleVartime(one, toBytes(k % N), toBytes(5n), G);
      b.multiplyDoubleVartime(other, toBytes(k % N), toBytes(5n), G);
      expect(hex(one)).toBe(hex(other));
    }
  });

  it('skips parts that need another field than the one chosen', () => {
    const explanation = createEngines({ policy: { deny: ['secp256r1/montgomery'] } }).explain('secp256r1');
    expect(taken(explanation, 'base')).toBe('secp256r1/complete-comb');
    expect(reasonOf(explanation, 'base', 'secp256r1/comb')).toContain('works on the field p256/montgomery');
  });

  it('obeys deny and PROVIUM_DISABLE', () => {
    const denied = createEngines({ policy: { deny: ['secp256r1/comb'] } }).explain('secp256r1');
    expect(reasonOf(denied, 'base', 'secp256r1/comb')).toBe('denied by the configuration');
    const disabled = createEngines({ capabilities: detectCapabilities('secp256r1/window') }).explain('secp256r1');
    expect(reasonOf(disabled, 'point', 'secp256r1/window')).toBe('disabled by PROVIUM_DISABLE');
    expect(taken(disabled, 'point')).toBe('secp256r1/complete-window');
  });

  it('says what is missing when nothing is left, as EngineError', () => {
    const engines = createEngines({ policy: { deny: ['secp256r1/comb', 'secp256r1/complete-comb'] } });
    expect(() => engines.ecOperations('secp256r1')).toThrow(EngineError);
    expect(() => engines.ecOperations('secp256r1')).toThrow(/no candidate can serve secp256r1 as base: .*denied/);
  });

  it('tests a role when it is first used, and only once', () => {
    const events: EngineEvent[] = [];
    const operations = createEngines({
      candidates: [foreign('double', { multiplyDouble: () => G })],
      onEvent: (event) => events.push(event),
    }).ecOperations('secp256r1');
    const out = new Uint8Array(64);
    operations.multiplyBase(out, toBytes(1n));
    expect(events).toHaveLength(0);
    operations.multiplyDoubleVartime(out, toBytes(2n), toBytes(0n), G);
    operations.multiplyDoubleVartime(out, toBytes(1n), toBytes(0n), G);
    expect(events).toHaveLength(1);
    expect(hex(out)).toBe(hex(G));
  });

  it('refuses unknown curves, and ECDSA without hash functions', () => {
    const engines = createEngines();
    expect(() => engines.ecOperations('secp999r1')).toThrow('no engine knows the curve secp999r1');
    expect(() => engines.ecOperations('toString')).toThrow(EngineError);
    expect(() => engines.ecdsa('secp256r1')).toThrow('hash functions');
  });

  it('tests every candidate on request', () => {
    const results = createEngines({
      candidates: [foreign('base', working), foreign('double', { multiplyDouble: () => G })],
    }).selfTest();
    const row = (id: string) => results.find((result) => result.id === id);
    expect(row('acme/base')).toMatchObject({ outcome: 'skipped', reason: expect.stringContaining('trusted') });
    expect(row('acme/double')).toMatchObject({ outcome: 'failed', role: 'double' });
    const own = results.filter(({ id }) => !id.startsWith('acme'));
    expect(own.length).toBeGreaterThanOrEqual(9);
    expect(own.every(({ outcome }) => outcome === 'passed')).toBe(true);
  });
});

describe('foreign multipliers', () => {
  it('serve a public role without being trusted, and secret roles only if trusted', () => {
    const candidates = [foreign('base', working), foreign('point', working), foreign('double', working)];
    const plain = createEngines({ candidates }).explain('secp256r1');
    expect(taken(plain, 'double')).toBe('acme/double');
    expect(taken(plain, 'base')).toBe('secp256r1/comb');
    expect(reasonOf(plain, 'point', 'acme/point')).toBe('would see secrets and is not listed as trusted');
    const trusting = createEngines({ candidates, policy: { trusted: ['acme/base', 'acme/point'] }, hashes: HASHES });
    expect(taken(trusting.explain('secp256r1'), 'base')).toBe('acme/base');
    expect(taken(trusting.explain('secp256r1'), 'point')).toBe('acme/point');
    const ecdsa = trusting.ecdsa('secp256r1');
    const key = toBytes(7n);
    const signature = new Uint8Array(64);
    ecdsa.signDigest(signature, toBytes(99n), key, { mode: 'deterministic', hash: 'SHA-256' });
    const point = new Uint8Array(64);
    oracle.multiplyBase(point, key);
    expect(ecdsa.verifyDigestVartime(signature, toBytes(99n), point)).toBe(1);
    expect(ecdsa.verifyDigestVartime(signature, toBytes(98n), point)).toBe(0);
    expect(
      ecdsa.verifyDigestVartime(signature, toBytes(99n), trusting.ecOperations('secp256r1').precompute(point)),
    ).toBe(1);
  });

  it.each<[string, ForeignImplementation]>([
    ['always the generator', { multiplyDouble: () => G }],
    ['always infinity', { multiplyDouble: () => undefined }],
    ['a result of the wrong length', { multiplyDouble: () => new Uint8Array(63) }],
    [
      'an exception',
      {
        multiplyDouble() {
          throw 'odd';
        },
      },
    ],
    [
      'infinity confused with the neutral bytes',
      { multiplyDouble: (u1, u2, q) => working.multiplyDouble!(u1, u2, q) ?? new Uint8Array(64) },
    ],
    [
      'wrong results for a coinciding pair only',
      {
        multiplyDouble: (u1, u2, q) =>
          u1.every((byte, i) => byte === u2[i]) ? undefined : working.multiplyDouble!(u1, u2, q),
      },
    ],
    ['a missing function', {}],
  ])('are disabled with an event for %s, and the next serves', (_, implementation) => {
    const events: EngineEvent[] = [];
    const engines = createEngines({
      candidates: [foreign('double', implementation)],
      onEvent: (event) => events.push(event),
    });
    const explanation = engines.explain('secp256r1');
    expect(taken(explanation, 'double')).toBe('secp256r1/double/window');
    expect(reasonOf(explanation, 'double', 'acme/double')).toContain('failed its self-test');
    expect(events).toEqual([
      expect.objectContaining({ type: 'candidate-disabled', curve: 'secp256r1', id: 'acme/double', role: 'double' }),
    ]);
    const out = new Uint8Array(64);
    engines.ecOperations('secp256r1').multiplyDoubleVartime(out, toBytes(1n), toBytes(0n), G);
    expect(hex(out)).toBe(hex(G));
  });

  it('cannot change the inputs of the caller nor keep a hold on its buffers', () => {
    const seen: Uint8Array[] = [];
    const spoiling: ForeignImplementation = {
      multiplyDouble(u1, u2, q) {
        const result = working.multiplyDouble!(u1, u2, q);
        seen.push(u1, u2, q);
        for (const bytes of [u1, u2, q]) bytes.fill(0xee);
        return result;
      },
    };
    const operations = createEngines({ candidates: [foreign('double', spoiling)] }).ecOperations('secp256r1');
    const [u1, u2, q, out] = [toBytes(3n), toBytes(4n), G.slice(), new Uint8Array(64)];
    operations.multiplyDoubleVartime(out, u1, u2, q);
    expect([hex(u1), hex(u2), hex(q)]).toEqual([hex(toBytes(3n)), hex(toBytes(4n)), hex(G)]);
    expect(seen.some((bytes) => bytes.buffer === q.buffer)).toBe(false);
  });

  it('are skipped where a capability that they need is missing, and can be denied by capability', () => {
    const candidates = [foreign('double', working, { requires: ['wasm', 'wasm-simd'] })];
    const without = createEngines({ candidates, capabilities: detectCapabilities('wasm-simd') }).explain('secp256r1');
    expect(reasonOf(without, 'double', 'acme/double')).toBe('needs wasm-simd: disabled by PROVIUM_DISABLE');
    const denied = createEngines({ candidates, policy: { deny: ['wasm-simd'] } }).explain('secp256r1');
    expect(reasonOf(denied, 'double', 'acme/double')).toBe('denied by the configuration');
  });

  it('lose against a preferred candidate, and win by preference of their tier', () => {
    const candidates = [foreign('double', working, { requires: ['wasm'] as Capability[], rank: 1 })];
    expect(taken(createEngines({ candidates }).explain('secp256r1'), 'double')).toBe('secp256r1/double/window');
    const preferring = createEngines({ candidates, policy: { prefer: ['wasm'] } });
    expect(taken(preferring.explain('secp256r1'), 'double')).toBe('acme/double');
  });

  it.each<[string, unknown]>([
    ['it', null],
    ['id', { ...foreign('base', working), id: 'no blanks please' }],
    ['for', { ...foreign('base', working), for: [] }],
    ['requires', { ...foreign('base', working), requires: ['quantum'] }],
    ['rank', { ...foreign('base', working), rank: Number.NaN }],
    ['load', { ...foreign('base', working), load: 3 }],
    ['kind', { ...foreign('base', working), kind: 'field' }],
    ['role', { ...foreign('base', working), role: 'all' }],
  ])('are refused at once when malformed, naming %s', (field, candidate) => {
    expect(() => createEngines({ candidates: [candidate as ForeignCandidate] })).toThrow(
      `candidate 0: ${field} must be`,
    );
  });

  it('must not take the id of another candidate', () => {
    const candidates = [foreign('double', working, { id: 'secp256r1/comb' })];
    expect(() => createEngines({ candidates })).toThrow('two candidates have the id secp256r1/comb');
  });
});

describe('curve candidates', () => {
  const kernel = (operations: ECOperations): ForeignCandidate => ({
    id: 'acme/kernel',
    kind: 'curve',
    for: ['secp256r1'],
    requires: [],
    rank: 500,
    load: () => operations,
  });

  it('serve every role as kernel multipliers when trusted, then as they are', () => {
    const engines = createEngines({ candidates: [kernel(oracle)], policy: { trusted: ['acme/kernel'] } });
    for (const part of ['base', 'point', 'double'] as const) {
      expect(taken(engines.explain('secp256r1'), part)).toBe('acme/kernel');
    }
    expect(engines.ecOperations('secp256r1')).toBe(oracle);
  });

  it('may be mixed with portable parts by the configuration', () => {
    const engines = createEngines({
      candidates: [kernel(oracle)],
      policy: { trusted: ['acme/kernel'], curves: { secp256r1: { base: 'comb' } } },
    });
    expect(taken(engines.explain('secp256r1'), 'base')).toBe('secp256r1/comb');
    expect(taken(engines.explain('secp256r1'), 'point')).toBe('acme/kernel');
    const out = new Uint8Array(64);
    engines.ecOperations('secp256r1').multiply(out, G, toBytes(1n));
    expect(hex(out)).toBe(hex(G));
  });

  it('are disabled when one operation modulo the order is wrong', () => {
    const broken: ECOperations = { ...oracle, scalars: { ...oracle.scalars, invert: (out) => out.fill(1) } };
    const engines = createEngines({ candidates: [kernel(broken)], policy: { trusted: ['acme/kernel'] } });
    expect(taken(engines.explain('secp256r1'), 'base')).toBe('secp256r1/comb');
    expect(reasonOf(engines.explain('secp256r1'), 'base', 'acme/kernel')).toContain('modulo the order');
  });
});

describe('the sealed family', () => {
  it('refuses roles that a member does not serve', () => {
    const ladder: PointMultiplier = { kind: 'ladder', id: 'l', point: { multiply: () => 1 } };
    const alien: PointMultiplier = { kind: 'foreign', id: 'f', implementation: {} };
    expect(() => resolveBase(P256_WINDOW)).toThrow('does not serve the role base');
    expect(() => resolveBase(ladder)).toThrow(EngineError);
    expect(() => resolvePoint(P256_COMB)).toThrow('does not serve the role point');
    expect(() => resolveDouble(ladder, 'secp256r1')).toThrow('does not serve the role double');
    for (const resolve of [resolveBase, resolvePoint]) expect(() => resolve(alien)).toThrow(EngineError);
    expect(() => resolveDouble(alien, 'secp256r1')).toThrow(EngineError);
  });
});
