import { createECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECP256R1 } from '../../engines/curves.ts';
import { COMPOSITIONS, fromHex, hex, N, P, toBigInt, toBytes } from './helpers.ts';

interface MultiplyCase {
  readonly name: string;
  readonly scalar: string;
  readonly point?: string;
}
interface ReportedCase {
  readonly id: string;
  readonly input: { readonly items: readonly MultiplyCase[] };
  readonly expect: { readonly items: readonly { readonly name: string; readonly value: unknown }[] };
}

const G = fromHex(SECP256R1.gx + SECP256R1.gy);
const ZERO = '00'.repeat(64);
const EDGES = [
  0n,
  1n,
  2n,
  3n,
  15n,
  16n,
  31n,
  32n,
  33n,
  N - 1n,
  N - 2n,
  N,
  N + 1n,
  2n ** 256n - 1n,
  2n ** 255n,
  2n ** 256n - N,
  2n * N - 2n ** 256n,
  N >> 1n,
  (N >> 1n) + 1n,
];

/** k·G by OpenSSL. */
function reference(k: bigint): string {
  if (k % N === 0n) return ZERO;
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(toBytes(k % N));
  return ecdh.getPublicKey('hex').slice(2);
}

const scalar = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(...EDGES),
  fc.bigInt({ min: 0n, max: 2n ** 40n }).map((low) => N - low),
);
const reported = JSON.parse(
  readFileSync(new URL('../cases/reported.json', import.meta.url), 'utf8'),
) as readonly ReportedCase[];

describe.each(Object.entries(COMPOSITIONS))('%s', (_, operations) => {
  const out = new Uint8Array(64);
  const base = (k: bigint): string => {
    const finite = operations.multiplyBase(out, toBytes(k));
    expect(finite).toBe(k % N === 0n ? 0 : 1);
    return hex(out);
  };
  const Q = fromHex(reference(0x123456789abcdefn));

  it.each(EDGES)('multiplies the generator and a point by the edge scalar %i', (k) => {
    expect(base(k)).toBe(reference(k));
    const finite = operations.multiply(out, Q, toBytes(k));
    expect(finite).toBe(k % N === 0n ? 0 : 1);
    expect(hex(out)).toBe(reference((k % N) * 0x123456789abcdefn));
  });

  it('agrees with OpenSSL at random and edge scalars', () => {
    fc.assert(
      fc.property(scalar, scalar, (k, m) => {
        expect(base(k)).toBe(reference(k));
        if (m % N === 0n) return;
        operations.multiply(out, fromHex(reference(m)), toBytes(k));
        expect(hex(out)).toBe(reference((k % N) * (m % N)));
      }),
      { numRuns: 25 },
    );
  });

  it('adds u1·G + u2·Q, coinciding, opposite and infinite terms included, with and without preparation', () => {
    const special = fc.tuple(scalar, fc.constantFrom('same', 'opposite', 'free'), scalar);
    fc.assert(
      fc.property(special, fc.bigInt({ min: 1n, max: N - 1n }), ([u2, relation, other], q) => {
        const product = ((u2 % N) * q) % N;
        const u1 = relation === 'same' ? product : relation === 'opposite' ? (N - product) % N : other;
        const sum = (u1 + product) % N;
        const point = fromHex(reference(q));
        const finite = operations.multiplyDoubleVartime(out, toBytes(u1), toBytes(u2), point);
        expect(hex(out)).toBe(reference(sum));
        expect(finite).toBe(sum === 0n ? 0 : 1);
        const prepared = operations.precompute(point);
        expect(prepared.size).toBeGreaterThanOrEqual(64);
        operations.multiplyDoubleVartime(out, toBytes(u1), toBytes(u2), prepared);
        expect(hex(out)).toBe(reference(sum));
        const r = sum === 0n ? 1n : toBigInt(fromHex(reference(sum)).subarray(0, 32)) % N;
        const match = sum === 0n ? 0 : 1;
        expect(operations.matchesVartime(toBytes(u1), toBytes(u2), point, toBytes(r))).toBe(match);
        expect(operations.matchesVartime(toBytes(u1), toBytes(u2), prepared, toBytes(r))).toBe(match);
        expect(operations.matchesVartime(toBytes(u1), toBytes(u2), point, toBytes((r + 1n) % N))).toBe(0);
      }),
      { numRuns: 15 },
    );
  });

  it('matches a point whose x lies between n and p', () => {
    // Some x in [n, p) is on the curve; Q = that point, u1 = 0, u2 = 1, r = x − n.
    const point = new Uint8Array(64);
    let x = N;
    while (operations.decompressVartime(point, toBytes(x), 0) === 0) x++;
    expect(x).toBeLessThan(P);
    expect(operations.matchesVartime(toBytes(0n), toBytes(1n), point, toBytes(x - N))).toBe(1);
    expect(operations.matchesVartime(toBytes(0n), toBytes(1n), point, toBytes(x - N + 1n))).toBe(0);
  });

  it('adds affine points: equal, opposite and different', () => {
    const two = fromHex(reference(2n));
    expect(operations.add(out, G, G)).toBe(1);
    expect(hex(out)).toBe(hex(two));
    operations.add(out, G, two);
    expect(hex(out)).toBe(reference(3n));
    expect(operations.add(out, G, fromHex(reference(N - 1n)))).toBe(0);
    expect(hex(out)).toBe(ZERO);
  });

  it('tells points on the curve from others and refuses coordinates of p or more', () => {
    expect(operations.isOnCurve(Q)).toBe(1);
    const off = Q.slice();
    off[63]! ^= 1;
    expect(operations.isOnCurve(off)).toBe(0);
    expect(operations.isOnCurve(new Uint8Array(64))).toBe(0);
    expect(operations.isOnCurve(Q.subarray(1))).toBe(0);
    // (5, y) and (5 + p, y): the same residues, of which only the first is a coordinate.
    const small = new Uint8Array(64);
    expect(operations.decompressVartime(small, toBytes(5n), 1)).toBe(1);
    expect(operations.isOnCurve(small)).toBe(1);
    small.set(toBytes(5n + P));
    expect(operations.isOnCurve(small)).toBe(0);
  });

  it('decompresses both parities and refuses an x off the curve or not below p', () => {
    const x = Q.subarray(0, 32);
    for (const parity of [0, 1]) {
      expect(operations.decompressVartime(out, x, parity)).toBe(1);
      expect(out[63]! & 1).toBe(parity);
      expect(operations.isOnCurve(out)).toBe(1);
    }
    expect(operations.decompressVartime(out, x, Q[63]! & 1)).toBe(1);
    expect(hex(out)).toBe(hex(Q));
    expect(operations.decompressVartime(out, toBytes(1n), 0)).toBe(0);
    expect(operations.decompressVartime(out, toBytes(P + 5n), 0)).toBe(0);
  });

  const R31 = reported.find((entry) => entry.id === 'R31')!;
  it.each(R31.input.items)('gives the result of case R31 $name', ({ name, scalar: text, point }) => {
    const { value } = R31.expect.items.find((item) => item.name === name)!;
    const k = fromHex(text.padStart(text.length + (text.length % 2), '0'));
    const finite =
      point === undefined ? operations.multiplyBase(out, k) : operations.multiply(out, fromHex(point.slice(2)), k);
    if (value === 'infinity') expect([finite, hex(out)]).toEqual([0, ZERO]);
    else {
      const { x, y } = value as { x: string; y: string };
      expect([finite, hex(out)]).toEqual([1, x + y]);
    }
  });
});
