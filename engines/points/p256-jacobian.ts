// P-256 points in Jacobian coordinates, x = X/Z², y = Y/Z³, over the Montgomery field, for the inside of multipliers.
// Formulas: Bernstein and Lange, Explicit-Formulas Database, dbl-2001-b and madd (Cohen, Miyaji, Ono 1998).
//
// Incomplete: a caller of `addAffine` must know that the operands are neither equal, opposite nor infinite; `double`
// needs a finite point (there are no points of order two). `…Vartime` takes everything. The bound of a coordinate is
// that of p256-montgomery.ts: X 1, Y 2 (3 after doubling), Z 1; step comments give the bounds that are not 1.

import { CARRY, ROUND } from '../../fields/portable/limbs24.ts';
import {
  add,
  carry,
  copy,
  create,
  invert,
  isZero,
  mul,
  one,
  type P256MontgomeryElement,
  square,
  sub,
} from '../../fields/portable/p256-montgomery.ts';

export interface JacobianPoint {
  readonly x: P256MontgomeryElement;
  readonly y: P256MontgomeryElement;
  readonly z: P256MontgomeryElement;
}

export function createJacobian(): JacobianPoint {
  return { x: create(), y: create(), z: create() };
}

const t0 = create();
const t1 = create();
const t2 = create();
const t3 = create();
const t4 = create();
const t5 = create();

/** out = a − 2b, limbs carried. */
function subTwiceCarried(out: P256MontgomeryElement, a: P256MontgomeryElement, b: P256MontgomeryElement): void {
  let c = 0;
  for (let i = 0; i < 10; i++) {
    const t = a[i]! - 2 * b[i]! + c * CARRY;
    c = t + ROUND - ROUND;
    out[i] = t - c;
  }
  out[10] = a[10]! - 2 * b[10]! + c * CARRY;
}

/** out = a − 2b; bound wa + 2wb. */
function subTwice(out: P256MontgomeryElement, a: P256MontgomeryElement, b: P256MontgomeryElement): void {
  for (let i = 0; i < 11; i++) out[i] = a[i]! - 2 * b[i]!;
}

/** out = factor·a for a small factor; the bound grows by it. */
function scale(out: P256MontgomeryElement, a: P256MontgomeryElement, factor: number): void {
  for (let i = 0; i < 11; i++) out[i] = factor * a[i]!;
}

/** p = 2p; 4M + 4S. Bound of p.y at most 3. */
export function double(p: JacobianPoint): void {
  const { x, y, z } = p;
  square(t0, z); // δ = Z²
  square(t1, y); // γ = Y² (3·3)
  sub(t2, x, t0); // X − δ (2)
  add(t3, x, t0); // X + δ (2)
  mul(t2, t2, t3);
  scale(t2, t2, 3); // α = 3(X − δ)(X + δ) (3)
  scale(t3, t1, 4); // 4γ (4)
  mul(t3, x, t3); // 4β = 4Xγ
  add(t4, y, y); // 2Y (6)
  mul(z, t4, z); // Z₃ = 2YZ (6·1)
  square(t4, t2); // α² (3·3)
  subTwiceCarried(x, t4, t3); // X₃ = α² − 8β
  sub(t3, t3, x); // 4β − X₃ (2)
  mul(t3, t2, t3); // (3·2)
  add(t1, t1, t1); // 2γ (2)
  square(t1, t1); // 4γ² (2·2)
  subTwice(y, t3, t1); // Y₃ = α(4β − X₃) − 8γ² (3)
}

/** Carries p.y, which `addAffine` needs after a doubling. */
export function settle(p: JacobianPoint): void {
  carry(p.y, p.y);
}

/** The second half of an addition: t2 = H (2), t3 = r (3 at most) are there. */
function finishAddition(p: JacobianPoint): void {
  const { x, y, z } = p;
  square(t0, t2); // H² (2·2)
  mul(t1, t2, t0); // H³ (2·1)
  mul(z, z, t2); // Z₃ = Z₁H
  mul(t4, x, t0); // V = X₁H²
  square(t5, t3); // r² (3·3)
  sub(t5, t5, t1); // (2)
  subTwiceCarried(x, t5, t4); // X₃ = r² − H³ − 2V
  sub(t4, t4, x); // V − X₃ (2)
  mul(t4, t3, t4); // (3·2)
  mul(t1, y, t1); // Y₁H³
  sub(y, t4, t1); // Y₃ = r(V − X₃) − Y₁H³ (2)
}

function startAddition(p: JacobianPoint, x2: P256MontgomeryElement, y2: P256MontgomeryElement): void {
  square(t0, p.z); // Z₁²
  mul(t1, p.z, t0); // Z₁³
  mul(t2, x2, t0); // U₂
  mul(t3, y2, t1); // S₂
  sub(t2, t2, p.x); // H = U₂ − X₁ (2)
  sub(t3, t3, p.y); // r = S₂ − Y₁ (1 + bound of Y₁)
}

/** p = p + (x2, y2); 8M + 3S. Needs p ≠ ±(x2, y2), p finite, bound of p.y at most 2. */
export function addAffine(p: JacobianPoint, x2: P256MontgomeryElement, y2: P256MontgomeryElement): void {
  startAddition(p, x2, y2);
  finishAddition(p);
}

/**
 * p = p + (x2, y2) for any operands. Infinity is not stored in p but passed in and returned. Variable time.
 * The low limb of H rules out ≡ 0 nearly always: a multiple of p below 4p has a low limb of at most 4 in magnitude.
 */
export function addAffineVartime(
  p: JacobianPoint,
  infinity: boolean,
  x2: P256MontgomeryElement,
  y2: P256MontgomeryElement,
): boolean {
  if (infinity) {
    setAffine(p, x2, y2);
    return false;
  }
  startAddition(p, x2, y2);
  const low = t2[0]!;
  if (Math.abs(low - Math.round(low / 0x1000000) * 0x1000000) <= 4 && isZero(t2) === 1) {
    if (isZero(t3) === 0) return true;
    setAffine(p, x2, y2);
    double(p);
    settle(p);
    return false;
  }
  finishAddition(p);
  return false;
}

export function setAffine(p: JacobianPoint, x: P256MontgomeryElement, y: P256MontgomeryElement): void {
  copy(p.x, x);
  copy(p.y, y);
  one(p.z);
}

export function copyJacobian(out: JacobianPoint, p: JacobianPoint): void {
  copy(out.x, p.x);
  copy(out.y, p.y);
  copy(out.z, p.z);
}

/** Affine coordinates in the field, for tables; p must be finite. */
export function toAffineElements(x: P256MontgomeryElement, y: P256MontgomeryElement, p: JacobianPoint): void {
  invert(t0, p.z);
  applyInverseZ(x, y, p, t0);
}

/** (x, y) = (X·i², Y·i³) for i = 1/Z. */
export function applyInverseZ(
  x: P256MontgomeryElement,
  y: P256MontgomeryElement,
  p: JacobianPoint,
  inverse: P256MontgomeryElement,
): void {
  square(t1, inverse);
  mul(t2, t1, inverse);
  mul(x, p.x, t1);
  mul(y, p.y, t2);
}

/** Jacobian to homogeneous: (XZ : Y : Z³), all with bound 1. */
export function toHomogeneous(out: JacobianPoint, p: JacobianPoint): void {
  square(t0, p.z);
  mul(out.x, p.x, p.z);
  mul(out.z, p.z, t0);
  carry(out.y, p.y);
}

/** Clears the intermediate values; a multiplier that handled a secret calls it last. */
export function wipe(): void {
  for (const scratch of [t0, t1, t2, t3, t4, t5]) scratch.fill(0);
}
