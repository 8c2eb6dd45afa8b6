// The fast portable multipliers of any short Weierstrass curve: Jacobian coordinates, signed odd digits at radix 32.
//
// This module is the one source of all of them. With the modulus in memory (RuntimeField) it serves every curve as it
// stands. For the curves with a generated field, engines/kernels/generate.ts writes a copy that imports the functions of
// that field, engines/generated/…-kernel.generated.ts: closures of one factory share their type feedback, and products
// of several fields in one place would make every call there megamorphic. What the copies need: the field is only
// mentioned as `field.member`, the codec does what need not be fast, and the lines marked "copies:" stay as they are.
//
// Formulas: Bernstein and Lange, Explicit-Formulas Database, dbl-2001-b (a = −3), the same with 3X² + aZ⁴ for other a,
// madd (Cohen, Miyaji, Ono 1998). Terms of lazy sums are given in parentheses where they are not 1; a coordinate has X 1,
// Y 2 (3 after a doubling), Z 1, and Y 1 on a field that has no room for more.
//
// Why the incomplete additions are safe is said in jacobian-tables.ts.

import type { Element } from '../../fields/field.ts';
import { bytesFromHex } from '../curves.ts';
import type { CurveRow } from '../ec-operations.ts';
import { recodeNafVartime, recodeSignedOdd } from './digits.ts';
import {
  affineOf,
  combOf,
  combStride,
  type JacobianMultipliers,
  type JacobianPoint,
  type PrecomputedComb,
  scanEntry,
} from './jacobian-tables.ts';
import type { LimbCodec } from './limb-codec.ts';
import type { RuntimeField } from './runtime-field.ts'; // copies: imports of the field

type E = Element<string>; // copies: the field's own elements

const ODD = 16;
const NAF_WIDTH = 5;
const NAF_ODD = 8;

/** Comb, window and joint multiplication for a curve of prime order. */
export function jacobianKernel(curve: CurveRow, codec: LimbCodec, field: RuntimeField): JacobianMultipliers {
  const LIMBS = field.limbCount;
  const BYTES = field.byteLength;
  /** No room for products of sums of three. */
  const TIGHT = field.productTerms < 9 || field.squareTerms < 3;
  const ORDER = bytesFromHex(curve.n);
  const TOP = Math.floor((curve.orderBits - 1) / 5);
  const STRIDE = combStride(curve);
  const BLOCKS = Math.ceil((TOP + 1) / STRIDE);
  /** Integers per table of sixteen points, and of one coordinate in it: limb by limb, sixteen entries each. */
  const ROWS = 2 * LIMBS * ODD;
  const HALF = LIMBS * ODD;
  const minusThree = curve.kindOfA === 'minus-three';
  const zero = curve.kindOfA === 'zero';

  const copy = (out: E, from: E): void => {
    for (let l = 0; l < LIMBS; l++) out[l] = from[l]!;
  };
  const create = (): E => field.create();
  const six = (): [E, E, E, E, E, E] => [create(), create(), create(), create(), create(), create()];
  const [t0, t1, t2, t3, t4, t5] = six();
  const [X3, Y3, Z3, a, b3, inverse] = six();
  const [x, y, px, py, dx, dy] = six();
  const [nx, ny] = six();
  const createPoint = (): JacobianPoint<E> => ({ x: create(), y: create(), z: create() });
  const scratch = [t0, t1, t2, t3, t4, t5, X3, Y3, Z3];
  codec.fromBytes(a, bytesFromHex(curve.a), 0);
  codec.fromBytes(b3, bytesFromHex(curve.b), 0);
  field.addLazy(t0, b3, b3);
  field.addLazy(b3, t0, b3);
  field.carry(b3, b3);
  const accumulator = createPoint();
  const slow = createPoint();
  const multiples = Array.from({ length: ODD + 1 }, createPoint);
  const products = Array.from({ length: ODD + 1 }, create);
  const digits = new Uint8Array(TOP + 1);
  const pointDigits = new Uint8Array(TOP + 1);
  const naf = new Int8Array(8 * ORDER.length + 1);
  const windowTable = new Int32Array(ROWS);
  const nafTable = new Int32Array(ROWS);
  const rows = new Int32Array(2 * LIMBS);
  let generatorTable: Int32Array | undefined;
  /** p = 2p for a finite point; 4M + 4S, 3M + 4S for a = 0, 4M + 6S in general. */
  const double = (p: JacobianPoint<E>): void => {
    field.square(t0, p.z); // δ = Z²
    field.square(t1, p.y); // γ = Y² (3)
    if (minusThree) {
      field.subLazy(t2, p.x, t0); // X − δ (2)
      field.addLazy(t3, p.x, t0); // X + δ (2)
      field.mul(t2, t2, t3);
    } else field.square(t2, p.x);
    field.addLazy(t3, t2, t2);
    field.addLazy(t2, t3, t2); // α = 3(X − δ)(X + δ), or 3X² (3)
    if (!minusThree && !zero) {
      field.square(t3, t0);
      field.mul(t3, a, t3);
      field.addLazy(t2, t2, t3); // α = 3X² + aZ⁴ (4)
      field.carry(t2, t2);
    }
    if (TIGHT) field.carry(t2, t2);
    field.addLazy(t3, t1, t1);
    field.addLazy(t3, t3, t3); // 4γ (4)
    field.mul(t3, p.x, t3); // 4β = 4Xγ
    field.addLazy(t4, p.y, p.y); // 2Y (6)
    field.mul(p.z, t4, p.z); // Z₃ = 2YZ
    field.square(t4, t2); // α² (3)
    field.addLazy(t5, t3, t3);
    field.subLazy(t4, t4, t5); // α² − 8β (3)
    field.carry(p.x, t4); // X₃
    field.subLazy(t3, t3, p.x); // 4β − X₃ (2)
    field.mul(t3, t2, t3); // (3·2)
    field.addLazy(t1, t1, t1); // 2γ (2)
    field.square(t1, t1); // 4γ² (2)
    field.addLazy(t1, t1, t1); // 8γ² (2)
    field.subLazy(p.y, t3, t1); // Y₃ = α(4β − X₃) − 8γ² (3)
    if (TIGHT) field.carry(p.y, p.y);
  };
  /** p = p + (x2, y2); 8M + 3S. p is finite, not ±(x2, y2), and p.y has at most 2 terms. */
  const addAffine = (p: JacobianPoint<E>, x2: E, y2: E): void => {
    field.square(t0, p.z); // Z₁²
    field.mul(t1, p.z, t0); // Z₁³
    field.mul(t2, x2, t0); // U₂
    field.mul(t3, y2, t1); // S₂
    field.subLazy(t2, t2, p.x); // H = U₂ − X₁ (2)
    field.subLazy(t3, t3, p.y); // r = S₂ − Y₁ (3)
    field.square(t0, t2); // H² (2)
    field.mul(t1, t2, t0); // H³ (2·1)
    field.mul(p.z, p.z, t2); // Z₃ = Z₁H (1·2)
    field.mul(t4, p.x, t0); // V = X₁H²
    field.square(t5, t3); // r² (3)
    field.subLazy(t5, t5, t1);
    field.addLazy(t0, t4, t4);
    field.subLazy(t5, t5, t0); // r² − H³ − 2V (4)
    field.carry(p.x, t5); // X₃
    field.subLazy(t4, t4, p.x); // V − X₃ (2)
    field.mul(t4, t3, t4); // (3·2)
    field.mul(t1, p.y, t1); // Y₁H³ (2·1)
    field.subLazy(p.y, t4, t1); // Y₃ = r(V − X₃) − Y₁H³ (2)
    if (TIGHT) field.carry(p.y, p.y);
  };
  const setAffine = (p: JacobianPoint<E>, x2: E, y2: E): void => {
    copy(p.x, x2);
    copy(p.y, y2);
    codec.one(p.z);
  };
  /** (ex, ey) = the affine form of p for i = 1/Z. */
  const applyInverse = (ex: E, ey: E, p: JacobianPoint<E>, i: E): void => {
    field.square(t1, i);
    field.mul(t2, t1, i);
    field.mul(ex, p.x, t1);
    field.mul(ey, p.y, t2);
  };
  const invert = (out: E, i: E, vartime: boolean): void => {
    if (vartime) field.invertVartime(out, i);
    else field.invert(out, i);
  };
  /** accumulator = 32·accumulator, ready for an addition. */
  const doubleFive = (): void => {
    for (let i = 0; i < 5; i++) double(accumulator);
    if (!TIGHT) field.carry(accumulator.y, accumulator.y);
  };
  /** Jacobian to homogeneous: (XZ : Y : Z³). */
  const toHomogeneous = (p: JacobianPoint<E>): void => {
    field.square(t0, p.z);
    field.mul(p.x, p.x, p.z);
    field.mul(p.z, p.z, t0);
    field.carry(p.y, p.y);
  };
  const sum = (out: E, u: E, v: E): void => {
    field.addLazy(out, u, v);
    field.carry(out, out);
  };
  const difference = (out: E, u: E, v: E): void => {
    field.subLazy(out, u, v);
    field.carry(out, out);
  };
  /** p = p + q in homogeneous coordinates, any operands: Renes, Costello, Batina 2016, algorithm 1, for any a. */
  const addComplete = (p: JacobianPoint<E>, X2: E, Y2: E, Z2: E): void => {
    field.mul(t0, p.x, X2); // 1
    field.mul(t1, p.y, Y2); // 2
    field.mul(t2, p.z, Z2); // 3
    sum(t3, p.x, p.y); // 4
    sum(t4, X2, Y2); // 5
    field.mul(t3, t3, t4); // 6
    sum(t4, t0, t1); // 7
    difference(t3, t3, t4); // 8
    sum(t4, p.x, p.z); // 9
    sum(t5, X2, Z2); // 10
    field.mul(t4, t4, t5); // 11
    sum(t5, t0, t2); // 12
    difference(t4, t4, t5); // 13
    sum(t5, p.y, p.z); // 14
    sum(X3, Y2, Z2); // 15
    field.mul(t5, t5, X3); // 16
    sum(X3, t1, t2); // 17
    difference(t5, t5, X3); // 18
    field.mul(Z3, a, t4); // 19
    field.mul(X3, b3, t2); // 20
    sum(Z3, X3, Z3); // 21
    difference(X3, t1, Z3); // 22
    sum(Z3, t1, Z3); // 23
    field.mul(Y3, X3, Z3); // 24
    sum(t1, t0, t0); // 25
    sum(t1, t1, t0); // 26
    field.mul(t2, a, t2); // 27
    field.mul(t4, b3, t4); // 28
    sum(t1, t1, t2); // 29
    difference(t2, t0, t2); // 30
    field.mul(t2, a, t2); // 31
    sum(t4, t4, t2); // 32
    field.mul(t0, t1, t4); // 33
    sum(Y3, Y3, t0); // 34
    field.mul(t0, t5, t4); // 35
    field.mul(X3, t3, X3); // 36
    difference(X3, X3, t0); // 37
    field.mul(t0, t3, t1); // 38
    field.mul(Z3, t5, Z3); // 39
    sum(Z3, Z3, t0); // 40
    copy(p.x, X3);
    copy(p.y, Y3);
    copy(p.z, Z3);
  };
  /**
   * Writes the odd multiples 1, 3, … 2·count − 1 of the affine point (ax, ay) at `offset`; (nx, ny) gets the multiple
   * 2·count if `next` is set. One inversion for the double, one for all the rest.
   */
  const storeOddMultiples = (
    table: Int32Array,
    offset: number,
    count: number,
    ax: E,
    ay: E,
    next: boolean,
    vartime: boolean,
  ): void => {
    const total = next ? count + 1 : count;
    const first = multiples[0]!;
    setAffine(first, ax, ay);
    double(first);
    invert(inverse, first.z, vartime);
    applyInverse(dx, dy, first, inverse);
    setAffine(first, ax, ay);
    for (let i = 1; i < total; i++) {
      const p = multiples[i]!;
      const before = multiples[i - 1]!;
      copy(p.x, before.x);
      field.carry(p.y, before.y);
      copy(p.z, before.z);
      if (i < count) addAffine(p, dx, dy);
      else addAffine(p, ax, ay);
    }
    // Montgomery's trick: products[i] = Z₀…Zᵢ.
    copy(products[0]!, first.z);
    for (let i = 1; i < total; i++) field.mul(products[i]!, products[i - 1]!, multiples[i]!.z);
    invert(inverse, products[total - 1]!, vartime);
    for (let i = total - 1; i >= 0; i--) {
      const p = multiples[i]!;
      if (i > 0) {
        field.mul(products[i]!, inverse, products[i - 1]!);
        field.mul(inverse, inverse, p.z);
      } else copy(products[0]!, inverse);
      if (i < count) {
        applyInverse(x, y, p, products[i]!);
        for (let l = 0; l < LIMBS; l++) {
          table[offset + ODD * l + i] = x[l]!;
          table[offset + HALF + ODD * l + i] = y[l]!;
        }
      } else applyInverse(nx, ny, p, products[i]!);
    }
  };
  /** (x, y) = ± the entry at `offset` that a digit of recodeSignedOdd means. Reads all sixteen; branch-free. */
  const select = (table: Int32Array, offset: number, digit: number): void => {
    const negative = ((digit >> 4) & 1) - 1;
    scanEntry(rows, table, offset, (digit ^ negative) & 15);
    for (let l = 0; l < LIMBS; l++) {
      x[l] = rows[l]!;
      y[l] = (rows[LIMBS + l]! ^ negative) - negative;
    }
  };
  /** The same for the entry j, indexed directly: variable time. */
  const loadVartime = (table: Int32Array, offset: number, j: number, negative: boolean): void => {
    const sign = negative ? -1 : 1;
    for (let l = 0; l < LIMBS; l++) {
      x[l] = table[offset + ODD * l + j]!;
      y[l] = sign * table[offset + HALF + ODD * l + j]!;
    }
  };
  /** Block j holds the odd multiples of 32^(stride·j)·P. */
  const combTable = (point: Uint8Array): Int32Array => {
    const table = new Int32Array(BLOCKS * ROWS);
    codec.fromBytes(px, point, 0);
    codec.fromBytes(py, point, BYTES);
    for (let j = 0; j < BLOCKS; j++) {
      storeOddMultiples(table, j * ROWS, ODD, px, py, true, true);
      // (nx, ny) is 32·P.
      setAffine(accumulator, nx, ny);
      if (STRIDE === 2) doubleFive();
      invert(inverse, accumulator.z, true);
      applyInverse(px, py, accumulator, inverse);
    }
    return table;
  };
  const generator = (): Int32Array => {
    generatorTable ??= combTable(bytesFromHex(curve.gx + curve.gy));
    return generatorTable;
  };
  const wipe = (): void => {
    digits.fill(0);
    rows.fill(0);
    for (const t of scratch) t.fill(0);
    for (const t of [x, y, accumulator.x, accumulator.y, accumulator.z]) t.fill(0);
  };
  /** out = the affine form of homogeneous p; 0 and zero bytes for infinity. */
  const asAffine = (out: Uint8Array, p: JacobianPoint<E>, vartime: boolean): number => {
    const finite = codec.isZero(p.z) ^ 1;
    invert(t0, p.z, vartime);
    field.mul(X3, p.x, t0);
    field.mul(Y3, p.y, t0);
    codec.toBytes(out, 0, X3);
    codec.toBytes(out, BYTES, Y3);
    return finite;
  };
  /** The last addition, complete; then the sign, the affine form, and zero bytes for a scalar of 0. */
  const finish = (out: Uint8Array, flags: number): number => {
    toHomogeneous(accumulator);
    codec.one(nx);
    addComplete(accumulator, x, y, nx);
    const sign = 1 - 2 * (flags & 1);
    for (let l = 0; l < LIMBS; l++) accumulator.y[l] = sign * accumulator.y[l]!;
    asAffine(out, accumulator, false);
    const finite = (flags >> 1) ^ 1;
    for (let i = 0; i < out.length; i++) out[i] = out[i]! & -finite;
    wipe();
    return finite;
  };
  const multiplyBase = (out: Uint8Array, k: Uint8Array): number => {
    const table = generator();
    const flags = recodeSignedOdd(digits, k, ORDER);
    const start = STRIDE - 1;
    select(table, 0, digits[start]!);
    setAffine(accumulator, x, y);
    if (STRIDE === 2) {
      for (let i = 3; i <= TOP; i += 2) {
        select(table, (i >> 1) * ROWS, digits[i]!);
        addAffine(accumulator, x, y);
      }
      doubleFive();
      select(table, 0, digits[0]!);
      addAffine(accumulator, x, y);
    }
    for (let i = STRIDE; i <= TOP; i += STRIDE) {
      select(table, (i / STRIDE) * ROWS, digits[i]!);
      if (i + STRIDE <= TOP) addAffine(accumulator, x, y);
    }
    return finish(out, flags);
  };
  const multiply = (out: Uint8Array, point: Uint8Array, k: Uint8Array): number => {
    const flags = recodeSignedOdd(digits, k, ORDER);
    codec.fromBytes(px, point, 0);
    codec.fromBytes(py, point, BYTES);
    storeOddMultiples(windowTable, 0, ODD, px, py, false, false);
    select(windowTable, 0, digits[TOP]!);
    setAffine(accumulator, x, y);
    for (let i = TOP - 1; i >= 0; i--) {
      doubleFive();
      select(windowTable, 0, digits[i]!);
      if (i > 0) addAffine(accumulator, x, y);
    }
    return finish(out, flags);
  };
  /** accumulator += the terms of a comb whose index is `half` modulo the stride. Tells if nothing was added so far. */
  const addHalfVartime = (
    table: Int32Array,
    recoded: Uint8Array,
    flags: number,
    half: number,
    empty: boolean,
  ): boolean => {
    if ((flags & 2) !== 0) return empty;
    let nothing = empty;
    for (let i = half; i <= TOP; i += STRIDE) {
      const digit = recoded[i]!;
      const negative = digit < 16;
      const block = (i - half) / STRIDE;
      loadVartime(table, block * ROWS, negative ? 15 - digit : digit - 16, negative !== ((flags & 1) !== 0));
      if (nothing) setAffine(accumulator, x, y);
      else addAffine(accumulator, x, y);
      nothing = false;
    }
    return nothing;
  };
  /** accumulator = u1·G + u2·Q, both below n; tells if both are 0. Z = 0 if it came across an exceptional addition. */
  const accumulateVartime = (u1: Uint8Array, u2: Uint8Array, q: Uint8Array, comb: Int32Array | undefined): boolean => {
    const table = generator();
    const flags = recodeSignedOdd(digits, u1, ORDER);
    const shared = STRIDE === 2;
    let empty = true;
    if (comb !== undefined) {
      const pointFlags = recodeSignedOdd(pointDigits, u2, ORDER);
      if (shared) {
        empty = addHalfVartime(comb, pointDigits, pointFlags, 1, empty);
        empty = addHalfVartime(table, digits, flags, 1, empty);
        if (!empty) doubleFive();
      }
      empty = addHalfVartime(comb, pointDigits, pointFlags, 0, empty);
      return addHalfVartime(table, digits, flags, 0, empty);
    }
    codec.fromBytes(px, q, 0);
    codec.fromBytes(py, q, BYTES);
    storeOddMultiples(nafTable, 0, NAF_ODD, px, py, false, true);
    const length = recodeNafVartime(naf, u2, NAF_WIDTH);
    for (let i = Math.max(length - 1, 5); i >= 0; i--) {
      if (!empty) double(accumulator);
      const digit = naf[i]!;
      if (digit === 0 && i !== 5 && i !== 0) continue;
      if (!empty && !TIGHT) field.carry(accumulator.y, accumulator.y);
      if (digit !== 0) {
        loadVartime(nafTable, 0, (Math.abs(digit) - 1) >> 1, digit < 0);
        if (empty) setAffine(accumulator, x, y);
        else addAffine(accumulator, x, y);
        empty = false;
      }
      if (i === 5 && shared) empty = addHalfVartime(table, digits, flags, 1, empty);
    }
    return addHalfVartime(table, digits, flags, 0, empty);
  };
  /** accumulator = u1·G + u2·Q in homogeneous coordinates, bit by bit with complete additions. */
  const accumulateSlowlyVartime = (u1: Uint8Array, u2: Uint8Array, q: Uint8Array): void => {
    const terms = [
      { scalar: u1, point: bytesFromHex(curve.gx + curve.gy) },
      { scalar: u2, point: q },
    ];
    codec.one(nx);
    accumulator.x.fill(0);
    codec.one(accumulator.y);
    accumulator.z.fill(0);
    for (let i = 0; i < 8 * ORDER.length; i++) {
      copy(slow.x, accumulator.x);
      copy(slow.y, accumulator.y);
      copy(slow.z, accumulator.z);
      addComplete(accumulator, slow.x, slow.y, slow.z);
      for (const { scalar, point } of terms) {
        if (((scalar[i >> 3]! >> (~i & 7)) & 1) === 0) continue;
        codec.fromBytes(px, point, 0);
        codec.fromBytes(py, point, BYTES);
        addComplete(accumulator, px, py, nx);
      }
    }
  };
  const multiplyDoubleVartime = (
    out: Uint8Array,
    u1: Uint8Array,
    u2: Uint8Array,
    q: Uint8Array,
    comb: Int32Array | undefined,
  ): number => {
    out.fill(0);
    if (accumulateVartime(u1, u2, q, comb)) return 0;
    if (codec.isZero(accumulator.z) === 1) accumulateSlowlyVartime(u1, u2, q);
    else toHomogeneous(accumulator);
    return asAffine(out, accumulator, true);
  };
  /** Compares r·Z² (or r·Z) with X, so that no inversion is needed. */
  const matchesVartime = (
    u1: Uint8Array,
    u2: Uint8Array,
    q: Uint8Array,
    comb: Int32Array | undefined,
    wanted: readonly Uint8Array[],
  ): number => {
    if (accumulateVartime(u1, u2, q, comb)) return 0;
    if (codec.isZero(accumulator.z) === 1) {
      accumulateSlowlyVartime(u1, u2, q);
      if (codec.isZero(accumulator.z) === 1) return 0;
      copy(t1, accumulator.z);
    } else field.square(t1, accumulator.z);
    for (const r of wanted) {
      codec.fromBytes(x, r, 0);
      field.mul(x, x, t1);
      difference(x, x, accumulator.x);
      if (codec.isZero(x) === 1) return 1;
    }
    return 0;
  };
  return {
    comb: { kind: 'comb', id: `${curve.name}/comb`, width: 5, base: { multiplyBase } },
    window: {
      kind: 'window',
      id: `${curve.name}/window`,
      width: 5,
      point: { multiply },
      double: {
        multiplyDoubleVartime: (out, u1, u2, q) => multiplyDoubleVartime(out, u1, u2, affineOf(q), combOf(q)),
        matchesVartime: (u1, u2, q, r, rPlusOrder) =>
          matchesVartime(u1, u2, affineOf(q), combOf(q), rPlusOrder === undefined ? [r] : [r, rPlusOrder]),
        precompute(point): PrecomputedComb {
          const table = combTable(point);
          return { curve: curve.name, point: point.slice(), size: table.byteLength, table };
        },
      },
    },
  };
}
