// What the copies of the Jacobian kernel share: nothing here touches field elements.
//
// Why the incomplete additions are safe for k odd in [1, n − 1] (recodeSignedOdd), all numbers as integers. The digits
// dᵢ are odd, |dᵢ| ≤ 31, the top one at T = ⌊(bits of n − 1)/5⌋ is in [1, 31], 32^T ≤ n.
// - comb, ascending: a sum of terms dᵢ·32^i below T is less than 32^T in magnitude, and odd if it contains d₀, or 32 times
//   an odd number if it is the sum of the terms of odd index: never 0 modulo n. So a partial sum is never ± the next
//   term, as long as that is below T. If T is even, d_T comes last of all and is added completely. If T is odd it ends the
//   first half, which divided by 32 is an odd number below 32^T; then come the terms of even index, the sum staying
//   within 4 % of d_T·32^T until the last, which is added completely: safe if d_T = 1 and n > 1.04·32^T. Where that does
//   not hold there is one table per digit instead of one for two, and d_T comes last.
// - window, high digits first: the accumulator A is at least 1, 32·A > |dᵢ|, and 32·A + 31 ≤ k/32^i + 63 < n for i ≥ 1.
//   Only i = 0 is left, and is added completely.
// - tables hold multiples up to 32 of a finite point of order n.
// - variable time: an addition of equal or opposite points leaves Z = 0 and nothing changes that any more, so it is found
//   at the end, and everything is done again with complete formulas.

import type { CurveRow, PrecomputedPoint } from '../ec-operations.ts';
import type { CombMultiplier, WindowMultiplier } from './multiplier.ts';

export interface JacobianPoint<E> {
  readonly x: E;
  readonly y: E;
  readonly z: E;
}

export interface JacobianMultipliers {
  readonly comb: CombMultiplier;
  readonly window: WindowMultiplier;
}

export interface PrecomputedComb extends PrecomputedPoint {
  readonly table: Int32Array;
}

export function affineOf(q: Uint8Array | PrecomputedPoint): Uint8Array {
  return q instanceof Uint8Array ? q : q.point;
}

/** The table of a prepared point, if it has one. */
export function combOf(q: Uint8Array | PrecomputedPoint): Int32Array | undefined {
  return 'table' in q && q.table instanceof Int32Array ? q.table : undefined;
}

/**
 * Digits per block of a comb: 2, or 1 where two would not be safe. With T = ⌊(bits of n − 1)/5⌋, two are safe if T is
 * even, or if 5T = bits − 1 and n > 1057/1024·32^T (see above).
 */
export function combStride(curve: CurveRow): 1 | 2 {
  const top = Math.floor((curve.orderBits - 1) / 5);
  if (top % 2 === 0) return 2;
  // The leading 32 bits, of which the first one is set.
  const digits = curve.n.replace(/^0+/, '');
  const leading =
    Number.parseInt(digits.slice(0, 8), 16) / 2 ** Math.floor(Math.log2(Number.parseInt(digits.slice(0, 8), 16)));
  return 5 * top === curve.orderBits - 1 && leading > 1057 / 1024 ? 2 : 1;
}

/**
 * rows[l] = table[offset + 16·l + index] for every l, reading all sixteen; branch-free. Limb by limb, so that the masks
 * stay where they are and the sixteen reads of a row follow each other.
 */
export function scanEntry(rows: Int32Array, table: Int32Array, offset: number, index: number): void {
  const m0 = (index - 1) >> 31;
  const m1 = ((index ^ 1) - 1) >> 31;
  const m2 = ((index ^ 2) - 1) >> 31;
  const m3 = ((index ^ 3) - 1) >> 31;
  const m4 = ((index ^ 4) - 1) >> 31;
  const m5 = ((index ^ 5) - 1) >> 31;
  const m6 = ((index ^ 6) - 1) >> 31;
  const m7 = ((index ^ 7) - 1) >> 31;
  const m8 = ((index ^ 8) - 1) >> 31;
  const m9 = ((index ^ 9) - 1) >> 31;
  const m10 = ((index ^ 10) - 1) >> 31;
  const m11 = ((index ^ 11) - 1) >> 31;
  const m12 = ((index ^ 12) - 1) >> 31;
  const m13 = ((index ^ 13) - 1) >> 31;
  const m14 = ((index ^ 14) - 1) >> 31;
  const m15 = ((index ^ 15) - 1) >> 31;
  let at = offset;
  for (let l = 0; l < rows.length; l++) {
    rows[l] =
      (table[at]! & m0) |
      (table[at + 1]! & m1) |
      (table[at + 2]! & m2) |
      (table[at + 3]! & m3) |
      (table[at + 4]! & m4) |
      (table[at + 5]! & m5) |
      (table[at + 6]! & m6) |
      (table[at + 7]! & m7) |
      (table[at + 8]! & m8) |
      (table[at + 9]! & m9) |
      (table[at + 10]! & m10) |
      (table[at + 11]! & m11) |
      (table[at + 12]! & m12) |
      (table[at + 13]! & m13) |
      (table[at + 14]! & m14) |
      (table[at + 15]! & m15);
    at += 16;
  }
}
