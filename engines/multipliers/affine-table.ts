// Tables of affine P-256 points as 32-bit integers: 22 per entry, balanced limbs of x then of y in the Montgomery domain.

import { maskFromBit } from '../../fields/ct.ts';
import { LIMBS } from '../../fields/portable/limbs24.ts';
import { copy, create, invert, mul, type P256MontgomeryElement } from '../../fields/portable/p256-montgomery.ts';
import {
  addAffine,
  applyInverseZ,
  copyJacobian,
  createJacobian,
  double,
  setAffine,
  toAffineElements,
} from '../points/p256-jacobian.ts';

/** Integers per entry. */
export const ENTRY = 2 * LIMBS;

const MAXIMUM = 17;
const points = Array.from({ length: MAXIMUM }, createJacobian);
const products = Array.from({ length: MAXIMUM }, create);
const sum = createJacobian();
const dx = create();
const dy = create();
const ex = create();
const ey = create();
const inverse = create();

function store(table: Int32Array, offset: number, x: P256MontgomeryElement, y: P256MontgomeryElement): void {
  for (let i = 0; i < LIMBS; i++) {
    table[offset + i] = x[i]!;
    table[offset + LIMBS + i] = y[i]!;
  }
}

/**
 * Writes the odd multiples 1, 3, … 2·count − 1 of the point (x, y) at `offset`. If `next` is given it gets the multiple
 * 2·count. No exceptional addition: the multiples are far below the order. One inversion for the double, one for all.
 */
export function storeOddMultiples(
  table: Int32Array,
  offset: number,
  count: number,
  x: P256MontgomeryElement,
  y: P256MontgomeryElement,
  next?: { readonly x: P256MontgomeryElement; readonly y: P256MontgomeryElement },
): void {
  setAffine(sum, x, y);
  double(sum);
  toAffineElements(dx, dy, sum);
  setAffine(sum, x, y);
  for (let i = 0; i < count; i++) {
    copyJacobian(points[i]!, sum);
    if (i < count - 1) addAffine(sum, dx, dy);
  }
  let total = count;
  if (next !== undefined) {
    addAffine(sum, x, y);
    copyJacobian(points[total++]!, sum);
  }
  // Montgomery's trick: products[i] = Z₀…Zᵢ.
  copy(products[0]!, points[0]!.z);
  for (let i = 1; i < total; i++) mul(products[i]!, products[i - 1]!, points[i]!.z);
  invert(inverse, products[total - 1]!);
  for (let i = total - 1; i >= 0; i--) {
    const p = points[i]!;
    if (i > 0) {
      mul(products[i]!, inverse, products[i - 1]!);
      mul(inverse, inverse, p.z);
    } else copy(products[0]!, inverse);
    applyInverseZ(ex, ey, p, products[i]!);
    if (i < count) store(table, offset + i * ENTRY, ex, ey);
    else if (next !== undefined) {
      copy(next.x, ex);
      copy(next.y, ey);
    }
  }
}

/**
 * (x, y) = ±entry of the sixteen at `offset` for a digit of recodeSignedOdd. Reads all sixteen; branch-free. Of a table
 * that is written by many limbs the compiler keeps no bounds checks worth mentioning: 0.25 µs per scan.
 */
export function selectSigned(
  x: P256MontgomeryElement,
  y: P256MontgomeryElement,
  table: Int32Array,
  offset: number,
  digit: number,
): void {
  const negative = maskFromBit((digit >> 4) ^ 1);
  const index = (digit ^ negative) & 15;
  scan(x, table, offset, index, 0);
  scan(y, table, offset + LIMBS, index, negative);
}

function scan(out: P256MontgomeryElement, table: Int32Array, offset: number, index: number, negative: number): void {
  let r0 = 0;
  let r1 = 0;
  let r2 = 0;
  let r3 = 0;
  let r4 = 0;
  let r5 = 0;
  let r6 = 0;
  let r7 = 0;
  let r8 = 0;
  let r9 = 0;
  let r10 = 0;
  let at = offset;
  for (let j = 0; j < 16; j++) {
    const mask = ((j ^ index) - 1) >> 31;
    r0 |= table[at]! & mask;
    r1 |= table[at + 1]! & mask;
    r2 |= table[at + 2]! & mask;
    r3 |= table[at + 3]! & mask;
    r4 |= table[at + 4]! & mask;
    r5 |= table[at + 5]! & mask;
    r6 |= table[at + 6]! & mask;
    r7 |= table[at + 7]! & mask;
    r8 |= table[at + 8]! & mask;
    r9 |= table[at + 9]! & mask;
    r10 |= table[at + 10]! & mask;
    at += ENTRY;
  }
  out[0] = (r0 ^ negative) - negative;
  out[1] = (r1 ^ negative) - negative;
  out[2] = (r2 ^ negative) - negative;
  out[3] = (r3 ^ negative) - negative;
  out[4] = (r4 ^ negative) - negative;
  out[5] = (r5 ^ negative) - negative;
  out[6] = (r6 ^ negative) - negative;
  out[7] = (r7 ^ negative) - negative;
  out[8] = (r8 ^ negative) - negative;
  out[9] = (r9 ^ negative) - negative;
  out[10] = (r10 ^ negative) - negative;
}

/** (x, y) = entry j at `offset`, negated on request. Indexed directly: variable time. */
export function loadVartime(
  x: P256MontgomeryElement,
  y: P256MontgomeryElement,
  table: Int32Array,
  offset: number,
  index: number,
  negative: boolean,
): void {
  const at = offset + index * ENTRY;
  const sign = negative ? -1 : 1;
  for (let i = 0; i < LIMBS; i++) {
    x[i] = table[at + i]!;
    y[i] = sign * table[at + LIMBS + i]!;
  }
}
