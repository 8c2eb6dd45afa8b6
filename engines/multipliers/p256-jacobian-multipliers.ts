// The fast portable multipliers of P-256: Jacobian coordinates over the Montgomery field, signed odd digits at radix 32.
//
// Why the incomplete additions are safe for scalars k odd in [1, n − 1] (recodeSignedOdd), all numbers as integers:
// - comb, low digits first: before adding dᵢ·32ⁱ·G the sum Sᵢ is odd with |Sᵢ| < 32ⁱ ≤ |dᵢ|·32ⁱ, so Sᵢ ± dᵢ·32ⁱ ≠ 0, and
//   |Sᵢ ± dᵢ·32ⁱ| < 32^(i+1) < n for i ≤ 50. Only i = 51 is left, and is done by a complete addition.
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

const DIGITS = 52;
const ODD = 16;
const NAF_WIDTH = 5;
const NAF_ODD = 8;
const ORDER = bytesFromHex(SECP256R1.n);
const COMB_INTS = DIGITS * ODD * ENTRY;

const complete = completeFormulas(P256_MONTGOMERY, bytesFromHex(SECP256R1.b));
const accumulator = createJacobian();
const homogeneous = createJacobian();
const last = createJacobian();
const x = create();
const y = create();
const px = create();
const py = create();
const t = create();
const digits = new Uint8Array(DIGITS);
const naf = new Int8Array(257);
const windowTable = new Int32Array(ODD * ENTRY);
const nafTable = new Int32Array(NAF_ODD * ENTRY);

/** Bytes of a comb table. */
const COMB_BYTES = COMB_INTS * 4;

/** A comb: entry j of window i is (2j + 1)·32ⁱ·P. */
type CombTable = Int32Array;

/** The comb table of the affine point in `bytes`. About 2 ms when compiled. */
function combTable(bytes: Uint8Array): CombTable {
  const table = new Int32Array(COMB_INTS);
  fromBytes(px, bytes, 0);
  fromBytes(py, bytes, 32);
  const next = { x: px, y: py };
  for (let i = 0; i < DIGITS; i++) storeOddMultiples(table, i * ODD * ENTRY, ODD, px, py, next);
  return table;
}

let generatorTable: CombTable | undefined;

/** The comb of the generator; public, so one for the process. Built at first use. */
function generatorComb(): CombTable {
  generatorTable ??= combTable(bytesFromHex(SECP256R1.gx + SECP256R1.gy));
  return generatorTable;
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
  selectSigned(x, y, table, 0, digits[0]!);
  setAffine(accumulator, x, y);
  for (let i = 1; i < DIGITS; i++) {
    selectSigned(x, y, table, i * ODD * ENTRY, digits[i]!);
    if (i < DIGITS - 1) addAffine(accumulator, x, y);
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
    for (let j = 0; j < 5; j++) double(accumulator);
    settle(accumulator);
    selectSigned(x, y, windowTable, 0, digits[i]!);
    if (i > 0) addAffine(accumulator, x, y);
  }
  const finite = finish(out, flags);
  windowTable.fill(0);
  return finite;
}

/** accumulator += k·P from a comb; returns whether the accumulator is infinite. */
function accumulateCombVartime(table: CombTable, k: Uint8Array, start: boolean): boolean {
  let infinity = start;
  const flags = recodeSignedOdd(digits, k, ORDER);
  if ((flags & 2) !== 0) return infinity;
  const negated = (flags & 1) !== 0;
  for (let i = 0; i < DIGITS; i++) {
    const digit = digits[i]!;
    const negative = digit < 16;
    loadVartime(x, y, table, i * ODD * ENTRY, negative ? 15 - digit : digit - 16, negative !== negated);
    infinity = addAffineVartime(accumulator, infinity, x, y);
  }
  return infinity;
}

/** accumulator = k·P by a width-5 NAF; returns whether the accumulator is infinite. */
function accumulateNafVartime(point: Uint8Array, k: Uint8Array): boolean {
  fromBytes(px, point, 0);
  fromBytes(py, point, 32);
  storeOddMultiples(nafTable, 0, NAF_ODD, px, py);
  const length = recodeNafVartime(naf, k, NAF_WIDTH);
  let infinity = true;
  let doubled = false;
  for (let i = length - 1; i >= 0; i--) {
    if (!infinity) {
      double(accumulator);
      doubled = true;
    }
    const digit = naf[i]!;
    if (digit === 0) continue;
    if (doubled) settle(accumulator);
    doubled = false;
    loadVartime(x, y, nafTable, 0, (Math.abs(digit) - 1) >> 1, digit < 0);
    infinity = addAffineVartime(accumulator, infinity, x, y);
  }
  if (doubled) settle(accumulator);
  return infinity;
}

/** accumulator = u1·G + u2·Q, 0 ≤ u1, u2 < n; `comb` is Q's own table if there is one. */
function accumulateDoubleVartime(u1: Uint8Array, u2: Uint8Array, q: Uint8Array, comb?: CombTable): boolean {
  const infinity = comb === undefined ? accumulateNafVartime(q, u2) : accumulateCombVartime(comb, u2, true);
  return accumulateCombVartime(generatorComb(), u1, infinity);
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
