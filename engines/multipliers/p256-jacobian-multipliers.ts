// The fast portable multipliers of P-256: Jacobian coordinates over the Montgomery field, signed odd digits at radix 32.
//
// Why the incomplete additions are safe for scalars k odd in [1, n − 1] (recodeSignedOdd), all numbers as integers:
// - comb: first the digits of odd index, S = Σ d₂ⱼ₊₁·1024ʲ from j = 0 upwards. Before each addition the partial sum is odd
//   and smaller than the term, and their sum or difference is below 32·2^250 < n. Five doublings give V = 32·S, and as
//   d₅₁ = 1, V lies within 4 % of 2^255. Then the digits of even index, U = V + Σ d₂ⱼ·1024ʲ: for j < 25 the term is below
//   2^245, far from U, and U ± term lies between 0 and n. Only j = 25 is left, and is done by a complete addition.
// - window, high digits first: the accumulator T is odd and at least 1, 32·T > |dᵢ|, and 32·T + 31 < n for i ≥ 1. Only
//   i = 0 is left, and is done by a complete addition.
// - tables hold multiples up to 32 of a finite point of order n.

import {
  copy,
  create,
  equals,
  fromBytes,
  mul,
  one,
  P256_MONTGOMERY,
  square,
} from '../../fields/portable/p256-montgomery.ts';
import { bytesFromHex, SECP256R1 } from '../curves.ts';
import type { PrecomputedPoint } from '../ec-operations.ts';
import { completeFormulas } from '../points/complete.ts';
import {
  addAffine,
  addAffineVartime,
  createJacobian,
  double,
  setAffine,
  settle,
  toHomogeneous,
  wipe as wipeJacobian,
} from '../points/p256-jacobian.ts';
import { ENTRY, loadVartime, selectSigned, storeOddMultiples } from './affine-table.ts';
import { recodeNafVartime, recodeSignedOdd } from './digits.ts';
import type { CombMultiplier, WindowMultiplier } from './multiplier.ts';
import { COMB_BLOCKS, COMB_BYTES, type CombTable, combTable, generatorComb } from './p256-comb-table.ts';

const DIGITS = 52;
const ODD = 16;
const NAF_WIDTH = 5;
const NAF_ODD = 8;
const ORDER = bytesFromHex(SECP256R1.n);
const BLOCKS = COMB_BLOCKS;

const complete = completeFormulas(P256_MONTGOMERY, SECP256R1);
const accumulator = createJacobian();
const homogeneous = createJacobian();
const last = createJacobian();
const x = create();
const y = create();
const px = create();
const py = create();
const t = create();
const digits = new Uint8Array(DIGITS);
const pointDigits = new Uint8Array(DIGITS);
const naf = new Int8Array(257);
const windowTable = new Int32Array(ODD * ENTRY);
const nafTable = new Int32Array(NAF_ODD * ENTRY);

/** accumulator = 32·accumulator, ready for an addition. */
function doubleFive(): void {
  for (let i = 0; i < 5; i++) double(accumulator);
  settle(accumulator);
}

/** The last addition, complete; then the sign, the affine form, and zero bytes for a scalar of 0. */
function finish(out: Uint8Array, flags: number): number {
  toHomogeneous(homogeneous, accumulator);
  copy(last.x, x);
  copy(last.y, y);
  one(last.z);
  complete.add(homogeneous, homogeneous, last);
  complete.negateIf(homogeneous, homogeneous, flags & 1);
  complete.asAffine(out, homogeneous);
  const finite = (flags >> 1) ^ 1;
  for (let i = 0; i < out.length; i++) out[i] = out[i]! & -finite;
  wipe();
  return finite;
}

function wipe(): void {
  digits.fill(0);
  for (const p of [accumulator, homogeneous, last]) {
    p.x.fill(0);
    p.y.fill(0);
    p.z.fill(0);
  }
  x.fill(0);
  y.fill(0);
  complete.wipe();
  wipeJacobian();
}

/** out = k·P from the comb of P, 0 ≤ k < n. Constant time. */
function multiplyComb(out: Uint8Array, table: CombTable, k: Uint8Array): number {
  const flags = recodeSignedOdd(digits, k, ORDER);
  selectSigned(x, y, table, 0, digits[1]!);
  setAffine(accumulator, x, y);
  for (let j = 1; j < BLOCKS; j++) {
    selectSigned(x, y, table, j * ODD * ENTRY, digits[2 * j + 1]!);
    addAffine(accumulator, x, y);
  }
  doubleFive();
  for (let j = 0; j < BLOCKS; j++) {
    selectSigned(x, y, table, j * ODD * ENTRY, digits[2 * j]!);
    if (j < BLOCKS - 1) addAffine(accumulator, x, y);
  }
  return finish(out, flags);
}

/** out = k·P for an affine point, 0 ≤ k < n. Constant time. */
function multiplyWindow(out: Uint8Array, point: Uint8Array, k: Uint8Array): number {
  const flags = recodeSignedOdd(digits, k, ORDER);
  fromBytes(px, point, 0);
  fromBytes(py, point, 32);
  storeOddMultiples(windowTable, 0, ODD, px, py);
  selectSigned(x, y, windowTable, 0, digits[DIGITS - 1]!);
  setAffine(accumulator, x, y);
  for (let i = DIGITS - 2; i >= 0; i--) {
    doubleFive();
    selectSigned(x, y, windowTable, 0, digits[i]!);
    if (i > 0) addAffine(accumulator, x, y);
  }
  const finite = finish(out, flags);
  windowTable.fill(0);
  return finite;
}

/** accumulator += the terms of one half of a comb: digits of odd index (1) or even index (0). Tells if infinite. */
function addHalfVartime(table: CombTable, recoded: Uint8Array, flags: number, half: number, start: boolean): boolean {
  if ((flags & 2) !== 0) return start;
  const negated = (flags & 1) !== 0;
  let infinity = start;
  for (let j = 0; j < BLOCKS; j++) {
    const digit = recoded[2 * j + half]!;
    const negative = digit < 16;
    loadVartime(x, y, table, j * ODD * ENTRY, negative ? 15 - digit : digit - 16, negative !== negated);
    infinity = addAffineVartime(accumulator, infinity, x, y);
  }
  return infinity;
}

/**
 * accumulator = u1·G + u2·Q, 0 ≤ u1, u2 < n; tells if infinite. The comb of G shares its five doublings with Q: with
 * the last five of Q's NAF, or with Q's own comb if there is one.
 */
function accumulateDoubleVartime(u1: Uint8Array, u2: Uint8Array, q: Uint8Array, comb?: CombTable): boolean {
  const generator = generatorComb();
  const flags = recodeSignedOdd(digits, u1, ORDER);
  let infinity = true;
  if (comb !== undefined) {
    const pointFlags = recodeSignedOdd(pointDigits, u2, ORDER);
    infinity = addHalfVartime(comb, pointDigits, pointFlags, 1, infinity);
    infinity = addHalfVartime(generator, digits, flags, 1, infinity);
    if (!infinity) doubleFive();
    infinity = addHalfVartime(comb, pointDigits, pointFlags, 0, infinity);
    return addHalfVartime(generator, digits, flags, 0, infinity);
  }
  fromBytes(px, q, 0);
  fromBytes(py, q, 32);
  storeOddMultiples(nafTable, 0, NAF_ODD, px, py);
  const length = recodeNafVartime(naf, u2, NAF_WIDTH);
  for (let i = Math.max(length - 1, 5); i >= 0; i--) {
    if (!infinity) double(accumulator);
    const digit = naf[i]!;
    if (digit === 0 && i !== 5 && i !== 0) continue;
    if (!infinity) settle(accumulator);
    if (digit !== 0) {
      loadVartime(x, y, nafTable, 0, (Math.abs(digit) - 1) >> 1, digit < 0);
      infinity = addAffineVartime(accumulator, infinity, x, y);
    }
    if (i === 5) infinity = addHalfVartime(generator, digits, flags, 1, infinity);
  }
  return addHalfVartime(generator, digits, flags, 0, infinity);
}

/** out = u1·G + u2·Q. Variable time: public inputs only. */
function multiplyDoubleVartime(
  out: Uint8Array,
  u1: Uint8Array,
  u2: Uint8Array,
  q: Uint8Array,
  comb?: CombTable,
): number {
  if (accumulateDoubleVartime(u1, u2, q, comb)) {
    out.fill(0);
    return 0;
  }
  toHomogeneous(homogeneous, accumulator);
  return complete.asAffine(out, homogeneous);
}

/**
 * 1 if x(u1·G + u2·Q) = r, or r + n (given as `rPlusOrder` where it is below p). Compares r·Z² with X, so that no
 * inversion is needed. Variable time: public inputs only.
 */
function matchesDoubleVartime(
  u1: Uint8Array,
  u2: Uint8Array,
  q: Uint8Array,
  r: Uint8Array,
  rPlusOrder: Uint8Array | undefined,
  comb?: CombTable,
): number {
  if (accumulateDoubleVartime(u1, u2, q, comb)) return 0;
  square(t, accumulator.z);
  fromBytes(x, r, 0);
  mul(x, x, t);
  if (equals(x, accumulator.x) === 1) return 1;
  if (rPlusOrder === undefined) return 0;
  fromBytes(x, rPlusOrder, 0);
  mul(x, x, t);
  return equals(x, accumulator.x);
}

interface PrecomputedComb extends PrecomputedPoint {
  readonly table: CombTable;
}

function isComb(q: Uint8Array | PrecomputedPoint): q is PrecomputedComb {
  return 'table' in q && q.table instanceof Int32Array;
}

function affineOf(q: Uint8Array | PrecomputedPoint): Uint8Array {
  return q instanceof Uint8Array ? q : q.point;
}

function combOf(q: Uint8Array | PrecomputedPoint): CombTable | undefined {
  return isComb(q) ? q.table : undefined;
}

export const P256_COMB: CombMultiplier = {
  kind: 'comb',
  id: 'secp256r1/comb',
  width: 5,
  base: { multiplyBase: (out, k) => multiplyComb(out, generatorComb(), k) },
};

export const P256_WINDOW: WindowMultiplier = {
  kind: 'window',
  id: 'secp256r1/window',
  width: 5,
  point: { multiply: multiplyWindow },
  double: {
    multiplyDoubleVartime: (out, u1, u2, q) => multiplyDoubleVartime(out, u1, u2, affineOf(q), combOf(q)),
    matchesVartime: (u1, u2, q, r, rPlusOrder) => matchesDoubleVartime(u1, u2, affineOf(q), r, rPlusOrder, combOf(q)),
    precompute(point): PrecomputedComb {
      return { curve: SECP256R1.name, point: point.slice(), size: COMB_BYTES, table: combTable(point) };
    },
  },
};
