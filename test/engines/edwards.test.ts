// Group laws and multipliers of the Edwards curves, and their scalars against integers.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EdwardsCurveName } from '../../engines/edwards-curves.ts';
import { edwardsEngine } from '../../engines/edwards-engine.ts';
import { ED25519_COMB_BASE64 } from '../../engines/generated/ed25519-comb.generated.ts';
import { recodeNafLittleEndianVartime, recodeSigned16 } from '../../engines/multipliers/edwards-multipliers.ts';
import { packTable, unpackTable } from '../../engines/multipliers/packed-table.ts';
import type { ExtendedPoint } from '../../engines/points/edwards.ts';
import { bytes, hex } from './edwards-support.ts';

const CURVES: readonly EdwardsCurveName[] = ['Ed25519', 'Ed448'];
const RUNS = { numRuns: 40 };

const integer = (little: Uint8Array): bigint => BigInt(`0x${hex(little.slice().reverse())}`);

describe.each(CURVES)('%s', (name) => {
  const { arithmetic, curve, multipliers, scalars } = edwardsEngine(name);
  const { byteLength } = arithmetic;
  const order = BigInt(`0x${curve.order}`);
  const little = (value: bigint): Uint8Array => bytes(value.toString(16).padStart(2 * byteLength, '0')).reverse();
  const scalar = fc.oneof(
    { arbitrary: fc.bigInt({ min: 0n, max: order - 1n }), weight: 3 },
    { arbitrary: fc.constantFrom(0n, 1n, 2n, 7n, 8n, 9n, 15n, 16n, order - 1n, order - 2n, order >> 1n), weight: 1 },
  );
  const times = (k: bigint): ExtendedPoint => {
    const p = arithmetic.createPoint();
    multipliers.multiplyBase(p, little(k));
    return withT(p);
  };
  const encoded = (p: ExtendedPoint): string => {
    const out = new Uint8Array(byteLength);
    arithmetic.encode(out, p);
    return hex(out);
  };
  const withT = (p: ExtendedPoint): ExtendedPoint => {
    const out = arithmetic.createPoint();
    expect(arithmetic.decodeVartime(out, bytes(encoded(p)), false)).toBe(1);
    return out;
  };
  const plus = (p: ExtendedPoint, q: ExtendedPoint): ExtendedPoint => {
    const out = arithmetic.createPoint();
    const cached = arithmetic.createCached();
    arithmetic.copy(out, p);
    arithmetic.toCached(cached, q);
    arithmetic.add(out, cached, true);
    return out;
  };
  const negated = (p: ExtendedPoint): ExtendedPoint => {
    const out = arithmetic.createPoint();
    arithmetic.copy(out, p);
    arithmetic.negate(out);
    return out;
  };
  const identity = arithmetic.createPoint();
  arithmetic.setIdentity(identity);

  it('multiplies the base point as a homomorphism, from 0 to the order', () => {
    expect(encoded(times(0n))).toBe(encoded(identity));
    expect(encoded(times(1n))).toBe(hex(arithmetic.base));
    expect(encoded(plus(times(order - 1n), times(1n)))).toBe(encoded(identity));
    fc.assert(
      fc.property(scalar, scalar, (a, b) => {
        expect(encoded(plus(times(a), times(b)))).toBe(encoded(times((a + b) % order)));
      }),
      RUNS,
    );
  });

  it('adds associatively and commutatively, with identity and inverses', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, (a, b, c) => {
        const [p, q, r] = [times(a), times(b), times(c)];
        expect(encoded(plus(plus(p, q), r))).toBe(encoded(plus(p, plus(q, r))));
        expect(encoded(plus(p, q))).toBe(encoded(plus(q, p)));
        expect(encoded(plus(p, identity))).toBe(encoded(p));
        expect(encoded(plus(p, negated(p)))).toBe(encoded(identity));
        expect(arithmetic.isIdentity(plus(p, negated(p)))).toBe(1);
      }),
      RUNS,
    );
  });

  it('doubles as it adds, with and without T', () => {
    fc.assert(
      fc.property(scalar, (a) => {
        const p = times(a);
        const sum = plus(p, p);
        for (const keepT of [true, false]) {
          const twice = arithmetic.createPoint();
          arithmetic.copy(twice, p);
          arithmetic.double(twice, keepT);
          expect(encoded(twice)).toBe(encoded(sum));
        }
        const four = arithmetic.createPoint();
        arithmetic.copy(four, p);
        arithmetic.double(four, true);
        expect(encoded(plus(four, four))).toBe(encoded(times((4n * a) % order)));
      }),
      RUNS,
    );
  });

  it('multiplies two points jointly', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, (a, b, c) => {
        const q = multipliers.prepareVartime(times(c));
        const out = arithmetic.createPoint();
        multipliers.multiplyDoubleVartime(out, little(a), little(b), q);
        const wanted = encoded(times((a + b * c) % order));
        expect(encoded(out)).toBe(wanted);
        multipliers.multiplyDoubleCombVartime(out, little(a), little(b), multipliers.combVartime(q.point));
        expect(encoded(out)).toBe(wanted);
      }),
      RUNS,
    );
  });

  it('computes modulo the order as integers do', () => {
    const wide = fc.uint8Array({ minLength: 1, maxLength: 2 * byteLength });
    fc.assert(
      fc.property(wide, scalar, scalar, scalar, (octets, a, b, c) => {
        const out = new Uint8Array(byteLength);
        scalars.reduce(out, octets);
        expect(integer(out)).toBe(integer(octets) % order);
        scalars.multiplyAdd(out, little(a), little(b), little(c));
        expect(integer(out)).toBe((a * b + c) % order);
      }),
      { numRuns: 200 },
    );
    const out = new Uint8Array(byteLength);
    scalars.reduce(out, new Uint8Array(2 * byteLength).fill(0xff));
    expect(integer(out)).toBe((2n ** BigInt(16 * byteLength) - 1n) % order);
  });

  it('tells scalars below the order', () => {
    const below = [0n, 1n, order - 1n].map((k) => scalars.isReducedVartime(little(k)));
    const above = [order, order + 1n, 2n ** BigInt(8 * byteLength) - 1n].map((k) =>
      scalars.isReducedVartime(little(k)),
    );
    expect([below, above]).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  it('decodes what it encodes and refuses about half of all strings', () => {
    let decoded = 0;
    const p = arithmetic.createPoint();
    for (let round = 0; round < 200; round++) {
      const text = little(BigInt(round + 2) ** 30n);
      if (arithmetic.decodeVartime(p, text, false) === 0) continue;
      decoded++;
      expect(encoded(p)).toBe(hex(text));
    }
    expect(decoded).toBeGreaterThan(60);
    expect(decoded).toBeLessThan(140);
  });

  it('recodes scalars into digits of the same value', () => {
    fc.assert(
      fc.property(scalar, fc.integer({ min: 3, max: 8 }), (k, width) => {
        const digits = new Int8Array(2 * byteLength);
        recodeSigned16(digits, little(k));
        expect(digits.every((digit) => digit >= -8 && digit <= 7)).toBe(true);
        expect(digits.reduceRight((sum, digit) => 16n * sum + BigInt(digit), 0n)).toBe(k);
        const naf = new Int16Array(8 * byteLength + 1);
        const length = recodeNafLittleEndianVartime(naf, little(k), width);
        expect(naf.slice(length).every((digit) => digit === 0)).toBe(true);
        expect(naf.every((digit) => digit === 0 || (digit % 2 !== 0 && Math.abs(digit) < 2 ** (width - 1)))).toBe(true);
        expect(naf.reduceRight((sum, digit) => 2n * sum + BigInt(digit), 0n)).toBe(k);
      }),
    );
  });
});

describe('the comb of Ed25519', () => {
  const { arithmetic, multipliers } = edwardsEngine('Ed25519');
  const base = arithmetic.createPoint();
  arithmetic.decodeVartime(base, arithmetic.base, false);

  it('in the source is what its generator computes', () => {
    const computed = multipliers.combVartime(base);
    expect(packTable(computed)).toBe(ED25519_COMB_BASE64);
    expect(unpackTable(ED25519_COMB_BASE64)).toEqual(computed);
  });

  it('is not packed where a limb would not fit', () => {
    expect(unpackTable(packTable(Int32Array.of(-(2 ** 23), 2 ** 23 - 1, 0)))).toEqual(
      Int32Array.of(-(2 ** 23), 2 ** 23 - 1, 0),
    );
    expect(() => packTable(Int32Array.of(2 ** 23))).toThrow(RangeError);
    expect(() => packTable(Int32Array.of(-(2 ** 23) - 1))).toThrow(RangeError);
  });
});
