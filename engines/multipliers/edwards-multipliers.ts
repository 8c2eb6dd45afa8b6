// Multipliers of Edwards curves, over the arithmetic of either: a comb of signed digits for the base point, and the joint
// multiplication of verification. Scalars are little-endian and below the order of the base point.
//
// The formulas are complete, so no order of additions needs an argument why it meets no exceptional case.

import type { CachedPoint, EdwardsArithmetic, ExtendedPoint } from '../points/edwards.ts';
import { unpackTable } from './packed-table.ts';

/** Multiples 1 … 8 per block: digits at radix 16 lie in [−8, 7]. */
const MULTIPLES = 8;
const POINT_WIDTH = 5;
const BASE_WIDTH = 8;

/** A public point with its odd multiples, for repeated verification. */
export interface PreparedPoint {
  readonly point: ExtendedPoint;
  /** 1, 3, … 15 times the point. */
  readonly odd: readonly CachedPoint[];
}

export interface EdwardsMultipliers {
  /** p = k·B. Constant time; T is left undefined. */
  multiplyBase(p: ExtendedPoint, k: Uint8Array): void;
  prepareVartime(point: ExtendedPoint): PreparedPoint;
  /** p = u1·B + u2·Q. Variable time: public inputs only. T is left undefined. */
  multiplyDoubleVartime(p: ExtendedPoint, u1: Uint8Array, u2: Uint8Array, q: PreparedPoint): void;
  /** The comb of a public point: pays for itself within a few verifications. */
  combVartime(point: ExtendedPoint): Int32Array;
  /** As multiplyDoubleVartime, with the comb of Q. T is left undefined. */
  multiplyDoubleCombVartime(p: ExtendedPoint, u1: Uint8Array, u2: Uint8Array, q: Int32Array): void;
}

/**
 * Signed digits of k at radix 16, each in [−8, 7], least significant first; the last one takes the carry. Constant time.
 */
export function recodeSigned16(digits: Int8Array, k: Uint8Array): void {
  let carry = 0;
  for (let i = 0; i < digits.length; i++) {
    const nibble = ((k[i >> 1]! >> (4 * (i & 1))) & 15) + carry;
    carry = (nibble + 8) >> 4;
    digits[i] = nibble - (carry << 4);
  }
}

/**
 * Width-w NAF of a little-endian integer: digits odd or 0, below 2^(w − 1) in magnitude. The result is the number of
 * entries in use. Variable time.
 */
export function recodeNafLittleEndianVartime(naf: Int16Array, k: Uint8Array, width: number): number {
  const half = 1 << (width - 1);
  const bitAt = (i: number): number => ((k[i >> 3] ?? 0) >> (i & 7)) & 1;
  naf.fill(0);
  let length = 0;
  let carry = 0;
  for (let i = 0; i < naf.length; ) {
    if (bitAt(i) === carry) {
      i++;
      continue;
    }
    let window = carry;
    for (let j = 0; j < width; j++) window += bitAt(i + j) << j;
    carry = window >= half ? 1 : 0;
    naf[i] = window - (carry << width);
    length = i + 1;
    i += width;
  }
  return length;
}

/**
 * `spacing` blocks share a comb block: block j holds the multiples of 16^(spacing·j)·B, so that the table shrinks by
 * that factor for 4·(spacing − 1) doublings. `packedComb` is the comb of the base point where it need not be computed.
 */
export function edwardsMultipliers(
  arithmetic: EdwardsArithmetic,
  spacing: number,
  packedComb?: string,
): EdwardsMultipliers {
  const { entryInts, orderBits } = arithmetic;
  // One bit more than the order, so that the last digit takes the carry.
  const digitCount = spacing * Math.ceil((orderBits + 1) / (4 * spacing));
  const blocks = digitCount / spacing;
  const blockInts = MULTIPLES * entryInts;
  const digits = new Int8Array(digitCount);
  const pointDigits = new Int8Array(digitCount);
  const basePoint = arithmetic.createPoint();
  const entry = arithmetic.createCached();
  const step = arithmetic.createCached();
  const baseNaf = new Int16Array(8 * arithmetic.byteLength + 1);
  const pointNaf = new Int16Array(8 * arithmetic.byteLength + 1);
  let combTable: Int32Array | undefined;
  let oddTable: Int32Array | undefined;

  const clone = (p: ExtendedPoint): ExtendedPoint => {
    const copy = arithmetic.createPoint();
    arithmetic.copy(copy, p);
    return copy;
  };
  /** p, p + step, p + 2·step, … */
  const progression = (p: ExtendedPoint, count: number): ExtendedPoint[] => {
    const points = [clone(p)];
    while (points.length < count) {
      const next = clone(points.at(-1)!);
      arithmetic.add(next, step, true);
      points.push(next);
    }
    return points;
  };
  const base = (): ExtendedPoint => {
    arithmetic.decodeVartime(basePoint, arithmetic.base, false);
    return basePoint;
  };
  const combOf = (point: ExtendedPoint): Int32Array => {
    const table = new Int32Array(blocks * blockInts);
    const points: ExtendedPoint[] = [];
    const power = clone(point);
    for (let j = 0; j < blocks; j++) {
      arithmetic.toCached(step, power);
      points.push(...progression(power, MULTIPLES));
      for (let i = 1; i < 4 * spacing; i++) arithmetic.double(power, false);
      arithmetic.double(power, true);
    }
    arithmetic.storeEntries(table, points);
    return table;
  };
  const comb = (): Int32Array => {
    combTable ??= packedComb === undefined ? combOf(base()) : unpackTable(packedComb);
    return combTable;
  };
  /** p += digit·(block j of the comb). */
  const addVartime = (p: ExtendedPoint, table: Int32Array, j: number, digit: number): void => {
    if (digit === 0) return;
    arithmetic.loadEntryVartime(entry, table, j * blockInts + (Math.abs(digit) - 1) * entryInts, digit < 0);
    arithmetic.addAffine(p, entry, true);
  };
  const oddMultiples = (p: ExtendedPoint, count: number): ExtendedPoint[] => {
    const twice = clone(p);
    arithmetic.double(twice, true);
    arithmetic.toCached(step, twice);
    return progression(p, count);
  };
  const baseOdd = (): Int32Array => {
    if (oddTable !== undefined) return oddTable;
    const count = 1 << (BASE_WIDTH - 2);
    const table = new Int32Array(count * entryInts);
    arithmetic.storeEntries(table, oddMultiples(base(), count));
    oddTable = table;
    return table;
  };

  return {
    multiplyBase(p, k) {
      const table = comb();
      recodeSigned16(digits, k);
      arithmetic.setIdentity(p);
      for (let part = spacing - 1; part >= 0; part--) {
        for (let j = 0; j < blocks; j++) {
          arithmetic.selectEntry(entry, table, j * blockInts, MULTIPLES, digits[spacing * j + part]!);
          arithmetic.addAffine(p, entry, j < blocks - 1);
        }
        if (part > 0) for (let i = 3; i >= 0; i--) arithmetic.double(p, i === 0);
      }
      digits.fill(0);
      for (const element of [entry.a, entry.b, entry.t]) element.fill(0);
    },
    prepareVartime(point) {
      const odd = oddMultiples(point, 1 << (POINT_WIDTH - 2)).map((multiple) => {
        const cached = arithmetic.createCached();
        arithmetic.toCached(cached, multiple);
        return cached;
      });
      return { point: clone(point), odd };
    },
    combVartime: combOf,
    multiplyDoubleCombVartime(p, u1, u2, q) {
      const table = comb();
      recodeSigned16(digits, u1);
      recodeSigned16(pointDigits, u2);
      arithmetic.setIdentity(p);
      for (let part = spacing - 1; part >= 0; part--) {
        for (let j = 0; j < blocks; j++) {
          addVartime(p, table, j, digits[spacing * j + part]!);
          addVartime(p, q, j, pointDigits[spacing * j + part]!);
        }
        if (part > 0) for (let i = 3; i >= 0; i--) arithmetic.double(p, i === 0);
      }
    },
    multiplyDoubleVartime(p, u1, u2, q) {
      const table = baseOdd();
      const baseLength = recodeNafLittleEndianVartime(baseNaf, u1, BASE_WIDTH);
      const pointLength = recodeNafLittleEndianVartime(pointNaf, u2, POINT_WIDTH);
      arithmetic.setIdentity(p);
      for (let i = Math.max(baseLength, pointLength) - 1; i >= 0; i--) {
        const ofBase = baseNaf[i]!;
        const ofPoint = pointNaf[i]!;
        arithmetic.double(p, ofBase !== 0 || ofPoint !== 0);
        if (ofPoint !== 0) {
          const multiple = q.odd[(Math.abs(ofPoint) - 1) >> 1]!;
          if (ofPoint < 0) arithmetic.negateCached(multiple);
          arithmetic.add(p, multiple, ofBase !== 0);
          if (ofPoint < 0) arithmetic.negateCached(multiple);
        }
        if (ofBase !== 0) {
          arithmetic.loadEntryVartime(entry, table, ((Math.abs(ofBase) - 1) >> 1) * entryInts, ofBase < 0);
          arithmetic.addAffine(p, entry, false);
        }
      }
    },
  };
}
