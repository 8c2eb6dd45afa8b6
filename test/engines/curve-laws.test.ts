import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURVES } from '../../engines/curves.ts';
import type { ECOperations } from '../../engines/ec-operations.ts';
import { createEngines } from '../../engines/index.ts';
import { hex, toBigInt, toBytes } from './helpers.ts';
import { Reference } from './reference.ts';

const OTHERS = Object.values(CURVES).filter(({ name }) => name !== 'secp256r1');
const COMPLETE = { base: 'complete-comb', double: 'complete-window', field: 'run-time' };

describe.each(OTHERS.map((row) => [row.name, row] as const))('%s', (name, row) => {
  const reference = new Reference(row);
  const { n, p, width, coordinate } = reference;
  const fast = createEngines().ecOperations(name);
  const compositions: readonly (readonly [string, ECOperations])[] = [
    ['comb and windows in Jacobian coordinates', fast],
    [
      'complete comb and windows on the run-time field',
      createEngines({ policy: { curves: { [name]: { ...COMPLETE, point: 'complete-window' } } } }).ecOperations(name),
    ],
    [
      'complete ladder',
      createEngines({ policy: { curves: { [name]: { base: 'complete-comb', point: 'ladder' } } } }).ecOperations(name),
    ],
  ];
  const highest = 2n ** BigInt(8 * width) - 1n;
  const top = 32n ** BigInt(Math.floor((row.orderBits - 1) / 5));
  const EDGES = [
    0n,
    1n,
    2n,
    3n,
    31n,
    32n,
    33n,
    n - 1n,
    n - 2n,
    n,
    n + 1n,
    highest,
    n >> 1n,
    (n >> 1n) + 1n,
    top,
    n - top,
  ];
  const scalar = fc.oneof(
    fc.bigInt({ min: 0n, max: highest }),
    fc.constantFrom(...EDGES),
    fc.bigInt({ min: 0n, max: 2n ** 40n }).map((low) => n - low),
  );
  const out = new Uint8Array(2 * coordinate);
  const base = (k: bigint): Uint8Array => {
    fast.multiplyBase(out, reference.scalar(k));
    return out.slice();
  };
  const times = (k: bigint, point: Uint8Array): Uint8Array => {
    fast.multiply(out, point, reference.scalar(k));
    return out.slice();
  };
  const add = (a: Uint8Array, b: Uint8Array): Uint8Array => {
    fast.add(out, a, b);
    return out.slice();
  };
  const Q = reference.point(0x123456789abcdefn);

  it.each(compositions)('%s multiply the generator and a point by every edge scalar', (_, operations) => {
    for (const k of EDGES) {
      const finite = k % n === 0n ? 0 : 1;
      expect(operations.multiplyBase(out, reference.scalar(k))).toBe(finite);
      expect(hex(out)).toBe(reference.multiple(k));
      expect(operations.multiply(out, Q, reference.scalar(k))).toBe(finite);
      expect(hex(out)).toBe(reference.multiple(k * 0x123456789abcdefn));
    }
  });

  it.each(compositions)('%s agree with OpenSSL at random scalars', (_, operations) => {
    fc.assert(
      fc.property(scalar, (k) => {
        operations.multiplyBase(out, reference.scalar(k));
        expect(hex(out)).toBe(reference.multiple(k));
        operations.multiply(out, Q, reference.scalar(k));
        expect(hex(out)).toBe(reference.multiple(k * 0x123456789abcdefn));
      }),
      { numRuns: 8 },
    );
  });

  it.each(compositions.slice(0, 2))(
    '%s add u1·G + u2·Q, equal, opposite and infinite terms included',
    (_, operations) => {
      const relation = fc.constantFrom('same', 'opposite', 'free');
      fc.assert(
        fc.property(scalar, relation, scalar, fc.bigInt({ min: 1n, max: n - 1n }), (u2, kind, other, q) => {
          const product = ((u2 % n) * q) % n;
          const u1 = kind === 'same' ? product : kind === 'opposite' ? (n - product) % n : other;
          const sum = (u1 + product) % n;
          const point = reference.point(q);
          const wanted = reference.multiple(sum);
          const r = sum === 0n ? 1n : toBigInt(Buffer.from(wanted, 'hex').subarray(0, coordinate)) % n;
          const [a, b] = [reference.scalar(u1), reference.scalar(u2)];
          for (const Q of [point, operations.precompute(point)]) {
            expect(operations.multiplyDoubleVartime(out, a, b, Q)).toBe(sum === 0n ? 0 : 1);
            expect(hex(out)).toBe(wanted);
            expect(operations.matchesVartime(a, b, Q, reference.scalar(r))).toBe(sum === 0n ? 0 : 1);
            expect(operations.matchesVartime(a, b, Q, reference.scalar((r + 1n) % n))).toBe(0);
          }
        }),
        { numRuns: 10 },
      );
    },
  );

  it('adds terms that meet halfway: small multiples of G as Q', () => {
    // Equal and opposite partial sums of the joint multiplication, which incomplete additions turn into Z = 0.
    for (const q of [1n, 2n, 32n, n - 1n, n - 31n]) {
      const point = reference.point(q);
      for (const u of [1n, 2n, 16n, 31n, 32n, 1024n, n - 1n]) {
        for (const v of [u, n - u, (n - ((u * q) % n)) % n]) {
          const finite = fast.multiplyDoubleVartime(out, reference.scalar(v), reference.scalar(u), point);
          const sum = (v + u * q) % n;
          expect([finite, hex(out)]).toEqual([sum === 0n ? 0 : 1, reference.multiple(sum)]);
        }
      }
    }
  });

  it('obeys the laws of a group', () => {
    const finite = fc.bigInt({ min: 1n, max: n - 1n });
    fc.assert(
      fc.property(finite, finite, finite, scalar, (a, b, c, k) => {
        const [A, B, C] = [base(a), base(b), base(c)];
        expect(add(A, B)).toEqual(add(B, A));
        if ((a + b) % n !== 0n && (b + c) % n !== 0n) {
          expect(add(add(A, B), C)).toEqual(add(A, add(B, C)));
          expect(times(k, add(A, B))).toEqual(
            k % n === 0n ? new Uint8Array(2 * coordinate) : base(((k % n) * (a + b)) % n),
          );
        }
        expect(add(A, A)).toEqual(times(2n, A));
        const minus = times(n - 1n, A);
        expect(minus.subarray(0, coordinate)).toEqual(A.subarray(0, coordinate));
        expect(fast.add(out, A, minus)).toBe(0);
        expect(fast.multiply(out, A, reference.scalar(n))).toBe(0);
        expect(fast.isOnCurve(A)).toBe(1);
      }),
      { numRuns: 6 },
    );
  });

  it('tells points on the curve from others and decompresses both parities', () => {
    expect(fast.isOnCurve(Q)).toBe(1);
    const off = Q.slice();
    off[off.length - 1]! ^= 1;
    expect(fast.isOnCurve(off)).toBe(0);
    expect(fast.isOnCurve(new Uint8Array(2 * coordinate))).toBe(0);
    expect(fast.isOnCurve(Q.subarray(1))).toBe(0);
    const x = Q.subarray(0, coordinate);
    for (const parity of [0, 1]) {
      expect(fast.decompressVartime(out, x, parity)).toBe(1);
      expect([out.at(-1)! & 1, fast.isOnCurve(out)]).toEqual([parity, 1]);
    }
    fast.decompressVartime(out, x, Q.at(-1)! & 1);
    expect(out).toEqual(Q);
    // Half of all x have no point.
    let without = 0;
    for (let i = 1n; i <= 24n; i++) {
      const candidate = toBytes(i, coordinate);
      const found = fast.decompressVartime(out, candidate, 0);
      const square = (i ** 3n + BigInt(`0x${row.a}`) * i + BigInt(`0x${row.b}`)) % p;
      expect(found).toBe(euler(square, p));
      without += 1 - found;
    }
    expect(without).toBeGreaterThan(0);
    if (p + 5n < 2n ** BigInt(8 * coordinate)) {
      expect(fast.decompressVartime(out, toBytes(p + 5n, coordinate), 0)).toBe(0);
    }
  });

  it('matches a point whose x lies between n and p', () => {
    const point = new Uint8Array(2 * coordinate);
    let x = n;
    while (fast.decompressVartime(point, toBytes(x, coordinate), 0) === 0) x++;
    expect(x).toBeLessThan(p);
    expect(fast.matchesVartime(reference.scalar(0n), reference.scalar(1n), point, reference.scalar(x - n))).toBe(1);
    expect(fast.matchesVartime(reference.scalar(0n), reference.scalar(1n), point, reference.scalar(x - n + 1n))).toBe(
      0,
    );
  });
});

/** 1 for a square modulo p (Euler's criterion), else 0. */
function euler(value: bigint, p: bigint): number {
  let [result, square] = [1n, value % p];
  for (let rest = (p - 1n) / 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result === p - 1n ? 0 : 1;
}
