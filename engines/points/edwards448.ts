// The Edwards curve x² + y² = 1 + d·x²·y² over GF(2^448 − 2^224 − 1) with d = −39081: edwards448 of RFC 7748.
// Addition in the extended coordinates of Hisil, Wong, Carter and Dawson, "Twisted Edwards curves revisited" (2008);
// doubling as in RFC 8032, section 5.2.4, which gives T as one more product.
//
// d is not a square, so the addition is complete: no operands are exceptional. Step comments give the terms of a lazy
// sum where there is more than one; a product takes sums whose terms multiply to 7, a square a sum of 2.

import { bytesAreZero, bytesLess } from '../../fields/ct.ts';
import * as field from '../../fields/generated/curve448.generated.ts';
import {
  addLazy,
  carry,
  copy as copyElement,
  create,
  fromBytes,
  invert,
  mul,
  one,
  square,
  subLazy,
  toBytes,
  zero,
} from '../../fields/generated/curve448.generated.ts';
import { bytesFromHex } from '../curves.ts';
import { type CachedPoint, type EdwardsArithmetic, type ExtendedPoint, reverse, scanEleven } from './edwards.ts';

type E = ReturnType<typeof create>;
interface Point extends ExtendedPoint {
  readonly x: E;
  readonly y: E;
  readonly z: E;
  readonly t: E;
}
/** a = x, b = y, z = z, t = d·t. */
interface Cached extends CachedPoint {
  readonly a: E;
  readonly b: E;
  readonly z: E;
  readonly t: E;
}

const BYTES = 57;
const FIELD_BYTES = 56;
const LIMBS = 19;
/** 57 integers, and room so that they are scanned by elevens. */
const ENTRY = 66;
const SCANS = 6;
const P = bytesFromHex(field.modulus);
const MINUS_D = 39081;
/** Filled when the curve is first used. */
const ONE = create();

const A = create();
const B = create();
const C = create();
const F = create();
const G = create();
const H = create();
const S = create();
const selected = new Int32Array(ENTRY);
const bigEndian = new Uint8Array(FIELD_BYTES);
const yBytes = new Uint8Array(FIELD_BYTES);

/** 1 if a = 0, by its encoding: the field's own test would be as much code again. */
function isZero(a: E): number {
  toBytes(bigEndian, 0, a);
  const zero = bytesAreZero(bigEndian);
  bigEndian.fill(0);
  return zero;
}

/** 1 if a = b; the difference is left in S. */
function equals(a: E, b: E): number {
  field.sub(S, a, b);
  return isZero(S);
}

function createPoint(): Point {
  return { x: create(), y: create(), z: create(), t: create() };
}

/** p = 2p; 4M + 4S, 3M + 4S without T. RFC 8032, 5.2.4, whose E is S here. */
function double(point: ExtendedPoint, withT: boolean): void {
  const { x, y, z, t } = point as Point;
  addLazy(B, x, y); // (2)
  square(B, B); // B = (X₁ + Y₁)²
  square(C, x); // C = X₁²
  square(F, y); // D = Y₁²
  square(H, z); // H = Z₁²
  addLazy(S, C, F); // E = C + D (2)
  addLazy(H, H, H); // (2)
  subLazy(G, S, H); // J = E − 2H (4)
  carry(G, G);
  subLazy(B, B, S); // B − E (3)
  subLazy(C, C, F); // C − D (2)
  mul(x, B, G); // X₃ = (B − E)·J (3·1)
  mul(y, S, C); // Y₃ = E·(C − D) (2·2)
  mul(z, S, G); // Z₃ = E·J (2·1)
  if (withT) mul(t, B, C); // T₃ = X₃·Y₃/Z₃ = (B − E)·(C − D) (3·2)
}

/** p = p + c with D = Z₁·Z₂ in H; 7M + 1M for T. Section 3.1 for a = 1. */
function addWith({ x, y, z, t }: Point, c: Cached, withT: boolean): void {
  mul(A, x, c.a); // A = X₁·X₂
  mul(B, y, c.b); // B = Y₁·Y₂
  mul(C, t, c.t); // C = T₁·d·T₂
  addLazy(S, x, y); // (2)
  addLazy(F, c.a, c.b); // (2)
  mul(S, S, F); // (X₁ + Y₁)(X₂ + Y₂) (2·2)
  subLazy(S, S, A); // (2)
  subLazy(S, S, B); // E = (X₁ + Y₁)(X₂ + Y₂) − A − B (3)
  subLazy(F, H, C); // F = D − C (2)
  addLazy(G, H, C); // G = D + C (2)
  subLazy(H, B, A); // H = B − A (2)
  mul(x, S, F); // X₃ = E·F (3·2)
  mul(y, G, H); // Y₃ = G·H (2·2)
  mul(z, F, G); // Z₃ = F·G (2·2)
  if (withT) mul(t, S, H); // T₃ = E·H (3·2)
}

function add(point: ExtendedPoint, cached: CachedPoint, withT: boolean): void {
  const p = point as Point;
  mul(H, p.z, cached.z as E);
  addWith(p, cached as Cached, withT);
}

function addAffine(point: ExtendedPoint, cached: CachedPoint, withT: boolean): void {
  const p = point as Point;
  copyElement(H, p.z);
  addWith(p, cached as Cached, withT);
}

/** out = d·a. */
function timesD(out: E, a: E): void {
  field.mulSmall(out, a, MINUS_D);
  field.neg(out, out);
}

/** out = a^(2^count − 1), with S as scratch. */
function powerOnes(out: E, a: E, count: number): void {
  copyElement(out, a);
  let ones = 1;
  for (let bit = 30 - Math.clz32(count); bit >= 0; bit--) {
    copyElement(S, out);
    for (let i = 0; i < ones; i++) square(out, out);
    mul(out, out, S);
    ones *= 2;
    if (((count >> bit) & 1) === 1) {
      square(out, out);
      mul(out, out, a);
      ones++;
    }
  }
}

/** Affine coordinates in A and B. */
function toAffine(p: Point): void {
  invert(C, p.z);
  mul(A, p.x, C);
  mul(B, p.y, C);
}

/** p.x = √(u/v) for u = y² − 1, v = d·y² − 1; 0 if there is none (RFC 8032, 5.2.3). */
function recoverX(p: Point): number {
  square(A, p.y);
  timesD(B, A);
  field.sub(B, B, ONE); // v
  field.sub(A, A, ONE); // u
  mul(C, A, B); // u·v
  square(F, A); // u²
  mul(G, F, C); // u³·v
  square(C, C); // u²·v²
  mul(H, G, C); // u⁵·v³
  // (p − 3)/4 = 2^446 − 2^222 − 1 = (2^223 − 1)·2^223 + 2^222 − 1
  powerOnes(F, H, 222);
  square(C, F);
  mul(C, C, H); // ^(2^223 − 1)
  for (let i = 0; i < 223; i++) square(C, C);
  mul(C, C, F);
  mul(p.x, G, C);
  square(C, p.x);
  mul(C, C, B); // v·x²
  return equals(C, A);
}

const EDWARDS448: EdwardsArithmetic = {
  byteLength: BYTES,
  orderBits: 446,
  cofactorBits: 2,
  entryInts: ENTRY,
  base: bytesFromHex(
    '14fa30f25b790898adc8d74e2c13bdfdc4397ce61cffd33ad7c2a0051e9c78874098a36c7373ea4b62c7c9563720768824bcb66e71463f6900',
  ),
  createPoint,
  createCached: () => ({ a: create(), b: create(), z: create(), t: create() }),
  setIdentity(point) {
    const p = point as Point;
    zero(p.x);
    one(p.y);
    one(p.z);
    zero(p.t);
  },
  copy(out, p) {
    copyElement(out.x as E, p.x as E);
    copyElement(out.y as E, p.y as E);
    copyElement(out.z as E, p.z as E);
    copyElement(out.t as E, p.t as E);
  },
  double,
  add,
  addAffine,
  toCached(out, point) {
    const { x, y, z, t } = point as Point;
    copyElement(out.a as E, x);
    copyElement(out.b as E, y);
    copyElement(out.z as E, z);
    timesD(out.t as E, t);
  },
  negateCached(c) {
    field.neg(c.a as E, c.a as E);
    field.neg(c.t as E, c.t as E);
  },
  negate(p) {
    field.neg(p.x as E, p.x as E);
    field.neg(p.t as E, p.t as E);
  },
  storeEntries(table, points) {
    // Montgomery's trick: products[i] = Z₀·…·Zᵢ, one inversion for all.
    const products = points.map(create);
    points.forEach(({ z }, i) => {
      if (i === 0) copyElement(products[0]!, z as E);
      else mul(products[i]!, products[i - 1]!, z as E);
    });
    const inverse = create();
    field.invertVartime(inverse, products.at(-1)!);
    for (let i = points.length - 1; i >= 0; i--) {
      const { x, y, z } = points[i]! as Point;
      if (i > 0) mul(C, inverse, products[i - 1]!);
      else copyElement(C, inverse);
      mul(inverse, inverse, z);
      mul(A, x, C);
      mul(B, y, C);
      mul(H, A, B);
      timesD(H, H); // d·x·y
      for (let limb = 0; limb < LIMBS; limb++) {
        table[i * ENTRY + limb] = A[limb]!;
        table[i * ENTRY + LIMBS + limb] = B[limb]!;
        table[i * ENTRY + 2 * LIMBS + limb] = H[limb]!;
      }
    }
  },
  selectEntry(cached, table, offset, count, digit) {
    const c = cached as Cached;
    const negative = digit >> 31;
    const index = (digit ^ negative) - negative;
    const none = (index - 1) >> 31;
    selected.fill(0);
    for (let part = 0; part < SCANS; part++) {
      scanEleven(selected, part * 11, table, offset + part * 11, ENTRY, count, index);
    }
    for (let i = 0; i < LIMBS; i++) {
      c.a[i] = (selected[i]! ^ negative) - negative;
      c.b[i] = selected[LIMBS + i]! | (ONE[i]! & none);
      c.t[i] = (selected[2 * LIMBS + i]! ^ negative) - negative;
    }
  },
  loadEntryVartime(c, table, offset, negative) {
    const sign = negative ? -1 : 1;
    for (let i = 0; i < LIMBS; i++) {
      c.a[i] = sign * table[offset + i]!;
      c.b[i] = table[offset + LIMBS + i]!;
      c.t[i] = sign * table[offset + 2 * LIMBS + i]!;
    }
  },
  encode(out, p) {
    toAffine(p as Point);
    toBytes(bigEndian, 0, A);
    const sign = bigEndian[FIELD_BYTES - 1]! & 1;
    toBytes(bigEndian, 0, B);
    reverse(out, bigEndian, FIELD_BYTES);
    out[FIELD_BYTES] = sign << 7;
    bigEndian.fill(0);
  },
  decodeVartime(point, bytes, lax) {
    const p = point as Point;
    if (bytes.length !== BYTES || (bytes[FIELD_BYTES]! & 0x7f) !== 0) return 0;
    const sign = bytes[FIELD_BYTES]! >> 7;
    reverse(yBytes, bytes, FIELD_BYTES);
    if (!lax && bytesLess(yBytes, P) === 0) return 0;
    fromBytes(p.y, yBytes, 0);
    if (recoverX(p) === 0) return 0;
    if (!lax && sign === 1 && isZero(p.x) === 1) return 0;
    toBytes(bigEndian, 0, p.x);
    if ((bigEndian[FIELD_BYTES - 1]! & 1) !== sign) field.neg(p.x, p.x);
    one(p.z);
    mul(p.t, p.x, p.y);
    return 1;
  },
  isIdentity: (p) => isZero(p.x as E) & equals(p.y as E, p.z as E),
  montgomeryU(out, point) {
    const { x, y } = point as Point;
    // u = y²/x²
    square(A, x);
    invert(A, A);
    square(B, y);
    mul(A, A, B);
    toBytes(bigEndian, 0, A);
    reverse(out, bigEndian, FIELD_BYTES);
    bigEndian.fill(0);
  },
  wipe() {
    for (const scratch of [A, B, C, F, G, H, S, selected]) scratch.fill(0);
  },
};

/** The arithmetic of the curve, ready for use. */
export function edwards448(): EdwardsArithmetic {
  if (ONE[0] === 0) one(ONE);
  return EDWARDS448;
}
