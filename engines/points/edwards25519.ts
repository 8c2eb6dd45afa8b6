// The twisted Edwards curve −x² + y² = 1 + d·x²·y² over GF(2^255 − 19) with d = −121665/121666: edwards25519 of RFC 7748.
// Extended coordinates of Hisil, Wong, Carter and Dawson, "Twisted Edwards curves revisited" (2008).
//
// −1 is a square and d is not, so the addition is complete: no operands are exceptional. Step comments give the terms of
// a lazy sum where there is more than one; a product takes sums whose terms multiply to 12, a square a sum of 3.

import { bytesAreZero, bytesLess } from '../../fields/ct.ts';
import * as field from '../../fields/generated/curve25519.generated.ts';
import {
  addLazy,
  copy as copyElement,
  create,
  fromBytes,
  invert,
  mul,
  one,
  square,
  sub,
  subLazy,
  toBytes,
  zero,
} from '../../fields/generated/curve25519.generated.ts';
import { bytesFromHex } from '../curves.ts';
import { type CachedPoint, type EdwardsArithmetic, type ExtendedPoint, reverse, scanEleven } from './edwards.ts';

type E = ReturnType<typeof create>;
interface Point extends ExtendedPoint {
  readonly x: E;
  readonly y: E;
  readonly z: E;
  readonly t: E;
}
/** a = y − x, b = y + x, z = 2z, t = 2dt. */
interface Cached extends CachedPoint {
  readonly a: E;
  readonly b: E;
  readonly z: E;
  readonly t: E;
}

const BYTES = 32;
const LIMBS = 11;
const ENTRY = 3 * LIMBS;
const P = bytesFromHex(field.modulus);

// Filled when the curve is first used.
const D = create();
const TWICE_D = create();
const ROOT_OF_MINUS_ONE = create();
const ONE = create();

const A = create();
const B = create();
const C = create();
const F = create();
const G = create();
const H = create();
const S = create();
const selected = new Int32Array(ENTRY);
const bigEndian = new Uint8Array(BYTES);
const yBytes = new Uint8Array(BYTES);

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

/** p = 2p; 4M + 4S, 3M + 4S without T. Section 3.3, all coordinates negated. */
function double(point: ExtendedPoint, withT: boolean): void {
  const { x, y, z, t } = point as Point;
  square(A, x); // A = X₁²
  square(B, y); // B = Y₁²
  square(C, z);
  addLazy(S, x, y); // (2)
  square(S, S); // (X₁ + Y₁)²
  addLazy(H, A, B); // −H = A + B (2)
  subLazy(S, S, H); // E = (X₁ + Y₁)² − A − B (3)
  subLazy(G, B, A); // G = B − A (2)
  addLazy(C, C, C); // C = 2Z₁² (2)
  subLazy(F, C, G); // −F = C − G (4)
  mul(x, S, F); // X₃ = E·F (3·4)
  mul(y, G, H); // Y₃ = G·H (2·2)
  mul(z, F, G); // Z₃ = F·G (4·2)
  if (withT) mul(t, S, H); // T₃ = E·H (3·2)
}

/** The end of both additions: A, B, C are there, F has D of at most 2 terms. */
function finishAddition({ x, y, z, t }: Point, withT: boolean): void {
  subLazy(S, B, A); // E = B − A (2)
  addLazy(H, B, A); // H = B + A (2)
  addLazy(G, F, C); // G = D + C (3)
  subLazy(F, F, C); // F = D − C (3)
  mul(x, S, F); // X₃ = E·F (2·3)
  mul(y, G, H); // Y₃ = G·H (3·2)
  mul(z, F, G); // Z₃ = F·G (3·3)
  if (withT) mul(t, S, H); // T₃ = E·H (2·2)
}

function startAddition({ x, y, t }: Point, c: Cached): void {
  subLazy(A, y, x); // (2)
  mul(A, A, c.a); // A = (Y₁ − X₁)(Y₂ − X₂)
  addLazy(B, y, x); // (2)
  mul(B, B, c.b); // B = (Y₁ + X₁)(Y₂ + X₂)
  mul(C, t, c.t); // C = T₁·2d·T₂
}

/** p = p + c; 8M. Section 3.1, for a = −1. */
function add(point: ExtendedPoint, cached: CachedPoint, withT: boolean): void {
  const p = point as Point;
  startAddition(p, cached as Cached);
  mul(F, p.z, cached.z as E); // D = Z₁·2Z₂
  finishAddition(p, withT);
}

/** p = p + c for affine c; 7M. */
function addAffine(point: ExtendedPoint, cached: CachedPoint, withT: boolean): void {
  const p = point as Point;
  startAddition(p, cached as Cached);
  addLazy(F, p.z, p.z); // D = 2Z₁ (2)
  finishAddition(p, withT);
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

/** 1 if x·√(u/v) exists: p.x = √(u/v) for u = y² − 1, v = d·y² + 1 (RFC 8032, 5.1.3). */
function recoverX(p: Point): number {
  square(A, p.y);
  mul(B, A, D);
  field.add(B, B, ONE); // v
  field.sub(A, A, ONE); // u
  square(C, B);
  mul(C, C, B); // v³
  mul(G, A, C); // u·v³
  square(H, C);
  mul(H, H, B); // v⁷
  mul(H, H, A); // u·v⁷
  powerOnes(F, H, 250);
  square(F, F);
  square(F, F);
  mul(F, F, H); // (u·v⁷)^((p − 5)/8)
  mul(p.x, G, F);
  square(C, p.x);
  mul(C, C, B); // v·x²
  if (equals(C, A) === 1) return 1;
  field.neg(C, C);
  if (equals(C, A) === 0) return 0;
  mul(p.x, p.x, ROOT_OF_MINUS_ONE);
  return 1;
}

const EDWARDS25519: EdwardsArithmetic = {
  byteLength: BYTES,
  orderBits: 253,
  cofactorBits: 3,
  entryInts: ENTRY,
  base: bytesFromHex('5866666666666666666666666666666666666666666666666666666666666666'),
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
    sub(out.a as E, y, x);
    field.add(out.b as E, y, x);
    field.add(out.z as E, z, z);
    mul(out.t as E, t, TWICE_D);
  },
  negateCached(c) {
    field.swap(c.a as E, c.b as E, 1);
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
      sub(F, B, A); // y − x
      field.add(G, B, A); // y + x
      mul(H, A, B);
      mul(H, H, TWICE_D); // 2dxy
      for (let limb = 0; limb < LIMBS; limb++) {
        table[i * ENTRY + limb] = F[limb]!;
        table[i * ENTRY + LIMBS + limb] = G[limb]!;
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
    for (let part = 0; part < 3; part++) {
      scanEleven(selected, part * LIMBS, table, offset + part * LIMBS, ENTRY, count, index);
    }
    for (let i = 0; i < LIMBS; i++) {
      const unit = ONE[i]! & none;
      const a = selected[i]! | unit;
      const b = selected[LIMBS + i]! | unit;
      const difference = (a ^ b) & negative;
      c.a[i] = a ^ difference;
      c.b[i] = b ^ difference;
      c.t[i] = (selected[2 * LIMBS + i]! ^ negative) - negative;
    }
  },
  loadEntryVartime(c, table, offset, negative) {
    const a = negative ? c.b : c.a;
    const b = negative ? c.a : c.b;
    const sign = negative ? -1 : 1;
    for (let i = 0; i < LIMBS; i++) {
      a[i] = table[offset + i]!;
      b[i] = table[offset + LIMBS + i]!;
      c.t[i] = sign * table[offset + 2 * LIMBS + i]!;
    }
  },
  encode(out, p) {
    toAffine(p as Point);
    toBytes(bigEndian, 0, A);
    const sign = bigEndian[BYTES - 1]! & 1;
    toBytes(bigEndian, 0, B);
    reverse(out, bigEndian, BYTES);
    out[BYTES - 1] = out[BYTES - 1]! | (sign << 7);
    bigEndian.fill(0);
  },
  decodeVartime(point, bytes, lax) {
    const p = point as Point;
    if (bytes.length !== BYTES) return 0;
    const sign = bytes[BYTES - 1]! >> 7;
    reverse(yBytes, bytes, BYTES);
    yBytes[0] = yBytes[0]! & 0x7f;
    if (!lax && bytesLess(yBytes, P) === 0) return 0;
    fromBytes(p.y, yBytes, 0);
    if (recoverX(p) === 0) return 0;
    if (!lax && sign === 1 && isZero(p.x) === 1) return 0;
    toBytes(bigEndian, 0, p.x);
    if ((bigEndian[BYTES - 1]! & 1) !== sign) field.neg(p.x, p.x);
    one(p.z);
    mul(p.t, p.x, p.y);
    return 1;
  },
  isIdentity: (p) => isZero(p.x as E) & equals(p.y as E, p.z as E),
  montgomeryU(out, point) {
    const { y, z } = point as Point;
    // u = (1 + y)/(1 − y)
    sub(A, z, y);
    invert(A, A);
    addLazy(B, z, y); // (2)
    mul(A, A, B);
    toBytes(bigEndian, 0, A);
    reverse(out, bigEndian, BYTES);
    bigEndian.fill(0);
  },
  wipe() {
    for (const scratch of [A, B, C, F, G, H, S, selected]) scratch.fill(0);
  },
};

/** The arithmetic of the curve, ready for use. */
export function edwards25519(): EdwardsArithmetic {
  if (ONE[0] === 0) {
    fromBytes(D, bytesFromHex('52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3'), 0);
    field.add(TWICE_D, D, D);
    const root = '2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0';
    fromBytes(ROOT_OF_MINUS_ONE, bytesFromHex(root), 0);
    one(ONE);
  }
  return EDWARDS25519;
}
