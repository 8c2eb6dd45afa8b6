// The P-256 prime p = 2^256 − 2^224 + 2^192 + 2^96 − 1 (FIPS 186-5, SP 800-186) in Montgomery form, R = 2^264.
//
// Eleven limbs of 24 bits as exact doubles. "Bound w" of an element means |limb| ≤ w·(2^23 + 1) for limbs 0…9 and
// |value| ≤ w·p. Products have bound 1; sums and differences add bounds and do not carry. As p ≡ −1 mod 2^24, the
// quotient digit of a Montgomery step is the lowest limb itself (Gueron and Krasnov, "Fast prime field elliptic-curve
// cryptography with 256-bit primes", 2013).
//
// Branch-free in the values: everything here. No allocation but in `create`. Module-level scratch: not re-entrant.

import type { Element, Field } from '../field.ts';
import { invert24 } from './inversion24.ts';
import {
  carry as balance,
  CARRY,
  canonical,
  LIMBS,
  limbsAreZero,
  limbsFromBytes,
  limbsToBytes,
  modulusFromHex,
  ROUND,
} from './limbs24.ts';
import { P256_POLYNOMIAL, type P256Polynomial } from './p256-polynomial.ts';

export type P256Montgomery = 'p256/montgomery';
export type P256MontgomeryElement = Element<P256Montgomery>;

export const MODULUS = modulusFromHex('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff');
/** R mod p. */
const ONE = Float64Array.of(256, 0, 0, 0, -256, 0, 0, 0, -256, 65536, 0);
/** R² mod p: into the domain. */
const R2 = Float64Array.of(196608, 0, 0, -256, -262144, 0, -1, 0, -131072, 0, 5) as P256MontgomeryElement;
/** R³ mod p: (aR)⁻¹ to a⁻¹R. */
const R3 = Float64Array.of(0, 10, -768, -524288, 0, -18, -768, 393216, 0, 1, 6144) as P256MontgomeryElement;
/** The integer 1: out of the domain. */
const PLAIN_ONE = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) as P256MontgomeryElement;
const SMALL = new Float64Array(LIMBS) as P256MontgomeryElement;
const scratch = new Float64Array(LIMBS) as P256MontgomeryElement;

/**
 * out ≡ a·b·R⁻¹ mod p.
 *
 * Input: bounds wa, wb of the limbs with wa·wb ≤ 12; values up to 64·p. Output: bound 1, in fact |out| < 0.52·p +
 * |a·b|/R. A column sums at most ten full products, 10·12·2^46·(1 + 2^−22), plus 2^41 of quotient terms and carries:
 * below 2^53, so every operation is exact, and fused multiply-add would give the same. Aliasing allowed. Branch-free.
 */
export function mul(out: P256MontgomeryElement, a: P256MontgomeryElement, b: P256MontgomeryElement): void {
  const a0 = a[0]!;
  const a1 = a[1]!;
  const a2 = a[2]!;
  const a3 = a[3]!;
  const a4 = a[4]!;
  const a5 = a[5]!;
  const a6 = a[6]!;
  const a7 = a[7]!;
  const a8 = a[8]!;
  const a9 = a[9]!;
  const a10 = a[10]!;
  const b0 = b[0]!;
  const b1 = b[1]!;
  const b2 = b[2]!;
  const b3 = b[3]!;
  const b4 = b[4]!;
  const b5 = b[5]!;
  const b6 = b[6]!;
  const b7 = b[7]!;
  const b8 = b[8]!;
  const b9 = b[9]!;
  const b10 = b[10]!;
  let c = 0;
  let q = 0;
  const t0 = a0 * b0;
  let t1 = a0 * b1;
  let t2 = a0 * b2;
  let t3 = a0 * b3;
  let t4 = a0 * b4;
  let t5 = a0 * b5;
  let t6 = a0 * b6;
  let t7 = a0 * b7;
  let t8 = a0 * b8;
  let t9 = a0 * b9;
  let t10 = a0 * b10;
  c = t0 + ROUND - ROUND;
  q = t0 - c;
  t1 += c * CARRY;
  t4 += q;
  t8 += q;
  t9 -= q * 256;
  t10 += q * 65536;
  t1 += a1 * b0;
  t2 += a1 * b1;
  t3 += a1 * b2;
  t4 += a1 * b3;
  t5 += a1 * b4;
  t6 += a1 * b5;
  t7 += a1 * b6;
  t8 += a1 * b7;
  t9 += a1 * b8;
  t10 += a1 * b9;
  let t11 = a1 * b10;
  c = t1 + ROUND - ROUND;
  q = t1 - c;
  t2 += c * CARRY;
  t5 += q;
  t9 += q;
  t10 -= q * 256;
  t11 += q * 65536;
  t2 += a2 * b0;
  t3 += a2 * b1;
  t4 += a2 * b2;
  t5 += a2 * b3;
  t6 += a2 * b4;
  t7 += a2 * b5;
  t8 += a2 * b6;
  t9 += a2 * b7;
  t10 += a2 * b8;
  t11 += a2 * b9;
  let t12 = a2 * b10;
  c = t2 + ROUND - ROUND;
  q = t2 - c;
  t3 += c * CARRY;
  t6 += q;
  t10 += q;
  t11 -= q * 256;
  t12 += q * 65536;
  t3 += a3 * b0;
  t4 += a3 * b1;
  t5 += a3 * b2;
  t6 += a3 * b3;
  t7 += a3 * b4;
  t8 += a3 * b5;
  t9 += a3 * b6;
  t10 += a3 * b7;
  t11 += a3 * b8;
  t12 += a3 * b9;
  let t13 = a3 * b10;
  c = t3 + ROUND - ROUND;
  q = t3 - c;
  t4 += c * CARRY;
  t7 += q;
  t11 += q;
  t12 -= q * 256;
  t13 += q * 65536;
  t4 += a4 * b0;
  t5 += a4 * b1;
  t6 += a4 * b2;
  t7 += a4 * b3;
  t8 += a4 * b4;
  t9 += a4 * b5;
  t10 += a4 * b6;
  t11 += a4 * b7;
  t12 += a4 * b8;
  t13 += a4 * b9;
  let t14 = a4 * b10;
  c = t4 + ROUND - ROUND;
  q = t4 - c;
  t5 += c * CARRY;
  t8 += q;
  t12 += q;
  t13 -= q * 256;
  t14 += q * 65536;
  t5 += a5 * b0;
  t6 += a5 * b1;
  t7 += a5 * b2;
  t8 += a5 * b3;
  t9 += a5 * b4;
  t10 += a5 * b5;
  t11 += a5 * b6;
  t12 += a5 * b7;
  t13 += a5 * b8;
  t14 += a5 * b9;
  let t15 = a5 * b10;
  c = t5 + ROUND - ROUND;
  q = t5 - c;
  t6 += c * CARRY;
  t9 += q;
  t13 += q;
  t14 -= q * 256;
  t15 += q * 65536;
  t6 += a6 * b0;
  t7 += a6 * b1;
  t8 += a6 * b2;
  t9 += a6 * b3;
  t10 += a6 * b4;
  t11 += a6 * b5;
  t12 += a6 * b6;
  t13 += a6 * b7;
  t14 += a6 * b8;
  t15 += a6 * b9;
  let t16 = a6 * b10;
  c = t6 + ROUND - ROUND;
  q = t6 - c;
  t7 += c * CARRY;
  t10 += q;
  t14 += q;
  t15 -= q * 256;
  t16 += q * 65536;
  t7 += a7 * b0;
  t8 += a7 * b1;
  t9 += a7 * b2;
  t10 += a7 * b3;
  t11 += a7 * b4;
  t12 += a7 * b5;
  t13 += a7 * b6;
  t14 += a7 * b7;
  t15 += a7 * b8;
  t16 += a7 * b9;
  let t17 = a7 * b10;
  c = t7 + ROUND - ROUND;
  q = t7 - c;
  t8 += c * CARRY;
  t11 += q;
  t15 += q;
  t16 -= q * 256;
  t17 += q * 65536;
  t8 += a8 * b0;
  t9 += a8 * b1;
  t10 += a8 * b2;
  t11 += a8 * b3;
  t12 += a8 * b4;
  t13 += a8 * b5;
  t14 += a8 * b6;
  t15 += a8 * b7;
  t16 += a8 * b8;
  t17 += a8 * b9;
  let t18 = a8 * b10;
  c = t8 + ROUND - ROUND;
  q = t8 - c;
  t9 += c * CARRY;
  t12 += q;
  t16 += q;
  t17 -= q * 256;
  t18 += q * 65536;
  t9 += a9 * b0;
  t10 += a9 * b1;
  t11 += a9 * b2;
  t12 += a9 * b3;
  t13 += a9 * b4;
  t14 += a9 * b5;
  t15 += a9 * b6;
  t16 += a9 * b7;
  t17 += a9 * b8;
  t18 += a9 * b9;
  let t19 = a9 * b10;
  c = t9 + ROUND - ROUND;
  q = t9 - c;
  t10 += c * CARRY;
  t13 += q;
  t17 += q;
  t18 -= q * 256;
  t19 += q * 65536;
  t10 += a10 * b0;
  t11 += a10 * b1;
  t12 += a10 * b2;
  t13 += a10 * b3;
  t14 += a10 * b4;
  t15 += a10 * b5;
  t16 += a10 * b6;
  t17 += a10 * b7;
  t18 += a10 * b8;
  t19 += a10 * b9;
  let t20 = a10 * b10;
  c = t10 + ROUND - ROUND;
  q = t10 - c;
  t11 += c * CARRY;
  t14 += q;
  t18 += q;
  t19 -= q * 256;
  t20 += q * 65536;
  let t21 = 0;
  c = t11 + ROUND - ROUND;
  out[0] = t11 - c;
  t12 += c * CARRY;
  c = t12 + ROUND - ROUND;
  out[1] = t12 - c;
  t13 += c * CARRY;
  c = t13 + ROUND - ROUND;
  out[2] = t13 - c;
  t14 += c * CARRY;
  c = t14 + ROUND - ROUND;
  out[3] = t14 - c;
  t15 += c * CARRY;
  c = t15 + ROUND - ROUND;
  out[4] = t15 - c;
  t16 += c * CARRY;
  c = t16 + ROUND - ROUND;
  out[5] = t16 - c;
  t17 += c * CARRY;
  c = t17 + ROUND - ROUND;
  out[6] = t17 - c;
  t18 += c * CARRY;
  c = t18 + ROUND - ROUND;
  out[7] = t18 - c;
  t19 += c * CARRY;
  c = t19 + ROUND - ROUND;
  out[8] = t19 - c;
  t20 += c * CARRY;
  c = t20 + ROUND - ROUND;
  out[9] = t20 - c;
  t21 += c * CARRY;
  out[10] = t21;
}

/** out = a²·R⁻¹ mod p: `mul(out, a, a)` with each cross product taken once. Same bounds. */
export function square(out: P256MontgomeryElement, a: P256MontgomeryElement): void {
  const a0 = a[0]!;
  const a1 = a[1]!;
  const a2 = a[2]!;
  const a3 = a[3]!;
  const a4 = a[4]!;
  const a5 = a[5]!;
  const a6 = a[6]!;
  const a7 = a[7]!;
  const a8 = a[8]!;
  const a9 = a[9]!;
  const a10 = a[10]!;
  let c = 0;
  let q = 0;
  let d = 0;
  d = a0 + a0;
  const t0 = a0 * a0;
  let t1 = d * a1;
  let t2 = d * a2;
  let t3 = d * a3;
  let t4 = d * a4;
  let t5 = d * a5;
  let t6 = d * a6;
  let t7 = d * a7;
  let t8 = d * a8;
  let t9 = d * a9;
  let t10 = d * a10;
  c = t0 + ROUND - ROUND;
  q = t0 - c;
  t1 += c * CARRY;
  t4 += q;
  t8 += q;
  t9 -= q * 256;
  t10 += q * 65536;
  d = a1 + a1;
  t2 += a1 * a1;
  t3 += d * a2;
  t4 += d * a3;
  t5 += d * a4;
  t6 += d * a5;
  t7 += d * a6;
  t8 += d * a7;
  t9 += d * a8;
  t10 += d * a9;
  let t11 = d * a10;
  c = t1 + ROUND - ROUND;
  q = t1 - c;
  t2 += c * CARRY;
  t5 += q;
  t9 += q;
  t10 -= q * 256;
  t11 += q * 65536;
  d = a2 + a2;
  t4 += a2 * a2;
  t5 += d * a3;
  t6 += d * a4;
  t7 += d * a5;
  t8 += d * a6;
  t9 += d * a7;
  t10 += d * a8;
  t11 += d * a9;
  let t12 = d * a10;
  c = t2 + ROUND - ROUND;
  q = t2 - c;
  t3 += c * CARRY;
  t6 += q;
  t10 += q;
  t11 -= q * 256;
  t12 += q * 65536;
  d = a3 + a3;
  t6 += a3 * a3;
  t7 += d * a4;
  t8 += d * a5;
  t9 += d * a6;
  t10 += d * a7;
  t11 += d * a8;
  t12 += d * a9;
  let t13 = d * a10;
  c = t3 + ROUND - ROUND;
  q = t3 - c;
  t4 += c * CARRY;
  t7 += q;
  t11 += q;
  t12 -= q * 256;
  t13 += q * 65536;
  d = a4 + a4;
  t8 += a4 * a4;
  t9 += d * a5;
  t10 += d * a6;
  t11 += d * a7;
  t12 += d * a8;
  t13 += d * a9;
  let t14 = d * a10;
  c = t4 + ROUND - ROUND;
  q = t4 - c;
  t5 += c * CARRY;
  t8 += q;
  t12 += q;
  t13 -= q * 256;
  t14 += q * 65536;
  d = a5 + a5;
  t10 += a5 * a5;
  t11 += d * a6;
  t12 += d * a7;
  t13 += d * a8;
  t14 += d * a9;
  let t15 = d * a10;
  c = t5 + ROUND - ROUND;
  q = t5 - c;
  t6 += c * CARRY;
  t9 += q;
  t13 += q;
  t14 -= q * 256;
  t15 += q * 65536;
  d = a6 + a6;
  t12 += a6 * a6;
  t13 += d * a7;
  t14 += d * a8;
  t15 += d * a9;
  let t16 = d * a10;
  c = t6 + ROUND - ROUND;
  q = t6 - c;
  t7 += c * CARRY;
  t10 += q;
  t14 += q;
  t15 -= q * 256;
  t16 += q * 65536;
  d = a7 + a7;
  t14 += a7 * a7;
  t15 += d * a8;
  t16 += d * a9;
  let t17 = d * a10;
  c = t7 + ROUND - ROUND;
  q = t7 - c;
  t8 += c * CARRY;
  t11 += q;
  t15 += q;
  t16 -= q * 256;
  t17 += q * 65536;
  d = a8 + a8;
  t16 += a8 * a8;
  t17 += d * a9;
  let t18 = d * a10;
  c = t8 + ROUND - ROUND;
  q = t8 - c;
  t9 += c * CARRY;
  t12 += q;
  t16 += q;
  t17 -= q * 256;
  t18 += q * 65536;
  d = a9 + a9;
  t18 += a9 * a9;
  let t19 = d * a10;
  c = t9 + ROUND - ROUND;
  q = t9 - c;
  t10 += c * CARRY;
  t13 += q;
  t17 += q;
  t18 -= q * 256;
  t19 += q * 65536;
  let t20 = a10 * a10;
  c = t10 + ROUND - ROUND;
  q = t10 - c;
  t11 += c * CARRY;
  t14 += q;
  t18 += q;
  t19 -= q * 256;
  t20 += q * 65536;
  let t21 = 0;
  c = t11 + ROUND - ROUND;
  out[0] = t11 - c;
  t12 += c * CARRY;
  c = t12 + ROUND - ROUND;
  out[1] = t12 - c;
  t13 += c * CARRY;
  c = t13 + ROUND - ROUND;
  out[2] = t13 - c;
  t14 += c * CARRY;
  c = t14 + ROUND - ROUND;
  out[3] = t14 - c;
  t15 += c * CARRY;
  c = t15 + ROUND - ROUND;
  out[4] = t15 - c;
  t16 += c * CARRY;
  c = t16 + ROUND - ROUND;
  out[5] = t16 - c;
  t17 += c * CARRY;
  c = t17 + ROUND - ROUND;
  out[6] = t17 - c;
  t18 += c * CARRY;
  c = t18 + ROUND - ROUND;
  out[7] = t18 - c;
  t19 += c * CARRY;
  c = t19 + ROUND - ROUND;
  out[8] = t19 - c;
  t20 += c * CARRY;
  c = t20 + ROUND - ROUND;
  out[9] = t20 - c;
  t21 += c * CARRY;
  out[10] = t21;
}

/** out = a + b; limb and value bounds add up. Aliasing allowed. */
export function add(out: P256MontgomeryElement, a: P256MontgomeryElement, b: P256MontgomeryElement): void {
  out[0] = a[0]! + b[0]!;
  out[1] = a[1]! + b[1]!;
  out[2] = a[2]! + b[2]!;
  out[3] = a[3]! + b[3]!;
  out[4] = a[4]! + b[4]!;
  out[5] = a[5]! + b[5]!;
  out[6] = a[6]! + b[6]!;
  out[7] = a[7]! + b[7]!;
  out[8] = a[8]! + b[8]!;
  out[9] = a[9]! + b[9]!;
  out[10] = a[10]! + b[10]!;
}

/** out = a − b; limb and value bounds add up. Aliasing allowed. */
export function sub(out: P256MontgomeryElement, a: P256MontgomeryElement, b: P256MontgomeryElement): void {
  out[0] = a[0]! - b[0]!;
  out[1] = a[1]! - b[1]!;
  out[2] = a[2]! - b[2]!;
  out[3] = a[3]! - b[3]!;
  out[4] = a[4]! - b[4]!;
  out[5] = a[5]! - b[5]!;
  out[6] = a[6]! - b[6]!;
  out[7] = a[7]! - b[7]!;
  out[8] = a[8]! - b[8]!;
  out[9] = a[9]! - b[9]!;
  out[10] = a[10]! - b[10]!;
}

/** out = −a; same bounds. Aliasing allowed. */
export function neg(out: P256MontgomeryElement, a: P256MontgomeryElement): void {
  out[0] = -a[0]!;
  out[1] = -a[1]!;
  out[2] = -a[2]!;
  out[3] = -a[3]!;
  out[4] = -a[4]!;
  out[5] = -a[5]!;
  out[6] = -a[6]!;
  out[7] = -a[7]!;
  out[8] = -a[8]!;
  out[9] = -a[9]!;
  out[10] = -a[10]!;
}

/** out = a. */
export function copy(out: P256MontgomeryElement, a: P256MontgomeryElement): void {
  out[0] = a[0]!;
  out[1] = a[1]!;
  out[2] = a[2]!;
  out[3] = a[3]!;
  out[4] = a[4]!;
  out[5] = a[5]!;
  out[6] = a[6]!;
  out[7] = a[7]!;
  out[8] = a[8]!;
  out[9] = a[9]!;
  out[10] = a[10]!;
}

/** out = bit ? b : a, by the exact a + bit·(b − a). Aliasing allowed. */
export function select(
  out: P256MontgomeryElement,
  a: P256MontgomeryElement,
  b: P256MontgomeryElement,
  bit: number,
): void {
  out[0] = a[0]! + bit * (b[0]! - a[0]!);
  out[1] = a[1]! + bit * (b[1]! - a[1]!);
  out[2] = a[2]! + bit * (b[2]! - a[2]!);
  out[3] = a[3]! + bit * (b[3]! - a[3]!);
  out[4] = a[4]! + bit * (b[4]! - a[4]!);
  out[5] = a[5]! + bit * (b[5]! - a[5]!);
  out[6] = a[6]! + bit * (b[6]! - a[6]!);
  out[7] = a[7]! + bit * (b[7]! - a[7]!);
  out[8] = a[8]! + bit * (b[8]! - a[8]!);
  out[9] = a[9]! + bit * (b[9]! - a[9]!);
  out[10] = a[10]! + bit * (b[10]! - a[10]!);
}

export function create(): P256MontgomeryElement {
  return new Float64Array(LIMBS) as P256MontgomeryElement;
}

export function zero(out: P256MontgomeryElement): void {
  out.fill(0);
}

export function one(out: P256MontgomeryElement): void {
  out.set(ONE);
}

/** out = a with balanced limbs (bound 1); the value, and so its bound, stays. Needs |limb| < 2^52. Aliasing allowed. */
export function carry(out: P256MontgomeryElement, a: P256MontgomeryElement): void {
  balance(out, a);
}

/** Swaps a and b if bit is 1. */
export function swap(a: P256MontgomeryElement, b: P256MontgomeryElement, bit: number): void {
  for (let i = 0; i < LIMBS; i++) {
    const difference = bit * (b[i]! - a[i]!);
    a[i] = a[i]! + difference;
    b[i] = b[i]! - difference;
  }
}

/** out = factor·a, a of limb bound up to 12; result bound 1. 0 ≤ factor < 2^16, not secret. */
export function mulSmall(out: P256MontgomeryElement, a: P256MontgomeryElement, factor: number): void {
  SMALL[0] = factor;
  mul(scratch, SMALL, R2);
  mul(out, a, scratch);
}

/** out = a⁻¹ in the domain, 0 for 0. Limb bound of a up to 12; result bound 1. Aliasing allowed. */
export function invert(out: P256MontgomeryElement, a: P256MontgomeryElement): void {
  mul(scratch, a, PLAIN_ONE);
  mul(scratch, scratch, R2);
  canonical(scratch, scratch, MODULUS);
  invert24(scratch, scratch, MODULUS);
  mul(out, scratch, R3);
  scratch.fill(0);
}

/** 1 if a ≡ 0. The Montgomery product with 1 lies strictly between −p and p, so ≡ 0 means = 0. */
export function isZero(a: P256MontgomeryElement): number {
  mul(scratch, a, PLAIN_ONE);
  return limbsAreZero(scratch);
}

/** 1 if a ≡ b; the sum of both limb bounds up to 12. */
export function equals(a: P256MontgomeryElement, b: P256MontgomeryElement): number {
  sub(scratch, a, b);
  mul(scratch, scratch, PLAIN_ONE);
  return limbsAreZero(scratch);
}

/** out = the integer of 32 big-endian bytes, any value below 2^256. Result bound 1. */
export function fromBytes(out: P256MontgomeryElement, bytes: Uint8Array, offset: number): void {
  limbsFromBytes(scratch, bytes, offset);
  balance(scratch, scratch);
  mul(out, scratch, R2);
  scratch.fill(0);
}

/** The canonical value as 32 big-endian bytes. Limb bound of a up to 12. */
export function toBytes(bytes: Uint8Array, offset: number, a: P256MontgomeryElement): void {
  mul(scratch, a, PLAIN_ONE);
  canonical(scratch, scratch, MODULUS);
  limbsToBytes(bytes, offset, scratch);
  scratch.fill(0);
}

export const P256_MONTGOMERY: Field<P256Montgomery> & { readonly residueField: Field<P256Polynomial> } = {
  domain: 'p256/montgomery',
  representation: 'montgomery',
  byteLength: 32,
  limbCount: LIMBS,
  residueField: P256_POLYNOMIAL,
  create,
  copy,
  zero,
  one,
  carry,
  add,
  sub,
  neg,
  mul,
  square,
  mulSmall,
  invert,
  select,
  swap,
  isZero,
  equals,
  fromBytes,
  toBytes,
};
