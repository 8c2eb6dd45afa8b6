// The order n of P-256 (SP 800-186) in Montgomery form, R = 2^264; layout and bounds as in p256-montgomery.ts.
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

export type P256Order = 'p256-order/montgomery';
export type P256OrderElement = Element<P256Order>;

export const MODULUS = modulusFromHex('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
/** −n⁻¹ mod 2^24. */
const NEGATED_INVERSE = 48207;
// Balanced limbs of n; where they are 0 or ±1 the term is left out or has no factor.
const N0 = 6497617;
const N1 = -3489028;
const N2 = -8064070;
const N3 = -5826657;
const N4 = -1639762;
const N5 = -67;
const N9 = -256;
const N10 = 65536;
/** R mod n. */
const ONE = Float64Array.of(-2445568, 3998621, 804405, -1547909, 348761, 17177, 0, 0, -256, 65536, 0);
/** R² mod n: into the domain. */
const R2 = Float64Array.of(
  -6296113,
  -2585957,
  3018625,
  2800439,
  -4667766,
  6393963,
  7072857,
  -5097173,
  2081125,
  5945942,
  11669,
) as P256OrderElement;
/** R³ mod n: (aR)⁻¹ to a⁻¹R. */
const R3 = Float64Array.of(
  -5019796,
  -3047116,
  -2663626,
  1209922,
  3290398,
  2507783,
  -1491162,
  2386854,
  -2815643,
  4330085,
  59316,
) as P256OrderElement;
/** The integer 1: out of the domain. */
const PLAIN_ONE = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) as P256OrderElement;
const SMALL = new Float64Array(LIMBS) as P256OrderElement;
const scratch = new Float64Array(LIMBS) as P256OrderElement;

/**
 * out ≡ a·b·R⁻¹ mod n.
 *
 * Input: bounds wa, wb of the limbs with wa·wb ≤ 11; values up to 64·n. Output: bound 1. A column sums at most ten
 * full products of the inputs and ten of quotient digits, 10·(11 + 1)·2^46·(1 + 2^−22), plus carries: below 2^53, so
 * every operation is exact. The quotient digit is a product below 2^46, exact as well. Aliasing allowed. Branch-free.
 */
export function mul(out: P256OrderElement, a: P256OrderElement, b: P256OrderElement): void {
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
  q = (t0 - (t0 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t1 += (t0 + q * N0) * CARRY;
  t1 += q * N1;
  t2 += q * N2;
  t3 += q * N3;
  t4 += q * N4;
  t5 += q * N5;
  t8 += q;
  t9 += q * N9;
  t10 += q * N10;
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
  q = (t1 - (t1 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t2 += (t1 + q * N0) * CARRY;
  t2 += q * N1;
  t3 += q * N2;
  t4 += q * N3;
  t5 += q * N4;
  t6 += q * N5;
  t9 += q;
  t10 += q * N9;
  t11 += q * N10;
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
  q = (t2 - (t2 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t3 += (t2 + q * N0) * CARRY;
  t3 += q * N1;
  t4 += q * N2;
  t5 += q * N3;
  t6 += q * N4;
  t7 += q * N5;
  t10 += q;
  t11 += q * N9;
  t12 += q * N10;
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
  q = (t3 - (t3 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t4 += (t3 + q * N0) * CARRY;
  t4 += q * N1;
  t5 += q * N2;
  t6 += q * N3;
  t7 += q * N4;
  t8 += q * N5;
  t11 += q;
  t12 += q * N9;
  t13 += q * N10;
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
  q = (t4 - (t4 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t5 += (t4 + q * N0) * CARRY;
  t5 += q * N1;
  t6 += q * N2;
  t7 += q * N3;
  t8 += q * N4;
  t9 += q * N5;
  t12 += q;
  t13 += q * N9;
  t14 += q * N10;
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
  q = (t5 - (t5 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t6 += (t5 + q * N0) * CARRY;
  t6 += q * N1;
  t7 += q * N2;
  t8 += q * N3;
  t9 += q * N4;
  t10 += q * N5;
  t13 += q;
  t14 += q * N9;
  t15 += q * N10;
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
  q = (t6 - (t6 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t7 += (t6 + q * N0) * CARRY;
  t7 += q * N1;
  t8 += q * N2;
  t9 += q * N3;
  t10 += q * N4;
  t11 += q * N5;
  t14 += q;
  t15 += q * N9;
  t16 += q * N10;
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
  q = (t7 - (t7 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t8 += (t7 + q * N0) * CARRY;
  t8 += q * N1;
  t9 += q * N2;
  t10 += q * N3;
  t11 += q * N4;
  t12 += q * N5;
  t15 += q;
  t16 += q * N9;
  t17 += q * N10;
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
  q = (t8 - (t8 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t9 += (t8 + q * N0) * CARRY;
  t9 += q * N1;
  t10 += q * N2;
  t11 += q * N3;
  t12 += q * N4;
  t13 += q * N5;
  t16 += q;
  t17 += q * N9;
  t18 += q * N10;
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
  q = (t9 - (t9 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t10 += (t9 + q * N0) * CARRY;
  t10 += q * N1;
  t11 += q * N2;
  t12 += q * N3;
  t13 += q * N4;
  t14 += q * N5;
  t17 += q;
  t18 += q * N9;
  t19 += q * N10;
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
  q = (t10 - (t10 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t11 += (t10 + q * N0) * CARRY;
  t11 += q * N1;
  t12 += q * N2;
  t13 += q * N3;
  t14 += q * N4;
  t15 += q * N5;
  t18 += q;
  t19 += q * N9;
  t20 += q * N10;
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

/** out = a²·R⁻¹ mod n: `mul(out, a, a)` with each cross product taken once. Same bounds. */
export function square(out: P256OrderElement, a: P256OrderElement): void {
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
  q = (t0 - (t0 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t1 += (t0 + q * N0) * CARRY;
  t1 += q * N1;
  t2 += q * N2;
  t3 += q * N3;
  t4 += q * N4;
  t5 += q * N5;
  t8 += q;
  t9 += q * N9;
  t10 += q * N10;
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
  q = (t1 - (t1 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t2 += (t1 + q * N0) * CARRY;
  t2 += q * N1;
  t3 += q * N2;
  t4 += q * N3;
  t5 += q * N4;
  t6 += q * N5;
  t9 += q;
  t10 += q * N9;
  t11 += q * N10;
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
  q = (t2 - (t2 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t3 += (t2 + q * N0) * CARRY;
  t3 += q * N1;
  t4 += q * N2;
  t5 += q * N3;
  t6 += q * N4;
  t7 += q * N5;
  t10 += q;
  t11 += q * N9;
  t12 += q * N10;
  d = a3 + a3;
  t6 += a3 * a3;
  t7 += d * a4;
  t8 += d * a5;
  t9 += d * a6;
  t10 += d * a7;
  t11 += d * a8;
  t12 += d * a9;
  let t13 = d * a10;
  q = (t3 - (t3 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t4 += (t3 + q * N0) * CARRY;
  t4 += q * N1;
  t5 += q * N2;
  t6 += q * N3;
  t7 += q * N4;
  t8 += q * N5;
  t11 += q;
  t12 += q * N9;
  t13 += q * N10;
  d = a4 + a4;
  t8 += a4 * a4;
  t9 += d * a5;
  t10 += d * a6;
  t11 += d * a7;
  t12 += d * a8;
  t13 += d * a9;
  let t14 = d * a10;
  q = (t4 - (t4 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t5 += (t4 + q * N0) * CARRY;
  t5 += q * N1;
  t6 += q * N2;
  t7 += q * N3;
  t8 += q * N4;
  t9 += q * N5;
  t12 += q;
  t13 += q * N9;
  t14 += q * N10;
  d = a5 + a5;
  t10 += a5 * a5;
  t11 += d * a6;
  t12 += d * a7;
  t13 += d * a8;
  t14 += d * a9;
  let t15 = d * a10;
  q = (t5 - (t5 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t6 += (t5 + q * N0) * CARRY;
  t6 += q * N1;
  t7 += q * N2;
  t8 += q * N3;
  t9 += q * N4;
  t10 += q * N5;
  t13 += q;
  t14 += q * N9;
  t15 += q * N10;
  d = a6 + a6;
  t12 += a6 * a6;
  t13 += d * a7;
  t14 += d * a8;
  t15 += d * a9;
  let t16 = d * a10;
  q = (t6 - (t6 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t7 += (t6 + q * N0) * CARRY;
  t7 += q * N1;
  t8 += q * N2;
  t9 += q * N3;
  t10 += q * N4;
  t11 += q * N5;
  t14 += q;
  t15 += q * N9;
  t16 += q * N10;
  d = a7 + a7;
  t14 += a7 * a7;
  t15 += d * a8;
  t16 += d * a9;
  let t17 = d * a10;
  q = (t7 - (t7 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t8 += (t7 + q * N0) * CARRY;
  t8 += q * N1;
  t9 += q * N2;
  t10 += q * N3;
  t11 += q * N4;
  t12 += q * N5;
  t15 += q;
  t16 += q * N9;
  t17 += q * N10;
  d = a8 + a8;
  t16 += a8 * a8;
  t17 += d * a9;
  let t18 = d * a10;
  q = (t8 - (t8 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t9 += (t8 + q * N0) * CARRY;
  t9 += q * N1;
  t10 += q * N2;
  t11 += q * N3;
  t12 += q * N4;
  t13 += q * N5;
  t16 += q;
  t17 += q * N9;
  t18 += q * N10;
  d = a9 + a9;
  t18 += a9 * a9;
  let t19 = d * a10;
  q = (t9 - (t9 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t10 += (t9 + q * N0) * CARRY;
  t10 += q * N1;
  t11 += q * N2;
  t12 += q * N3;
  t13 += q * N4;
  t14 += q * N5;
  t17 += q;
  t18 += q * N9;
  t19 += q * N10;
  let t20 = a10 * a10;
  q = (t10 - (t10 + ROUND - ROUND)) * NEGATED_INVERSE;
  q = q - (q + ROUND - ROUND);
  t11 += (t10 + q * N0) * CARRY;
  t11 += q * N1;
  t12 += q * N2;
  t13 += q * N3;
  t14 += q * N4;
  t15 += q * N5;
  t18 += q;
  t19 += q * N9;
  t20 += q * N10;
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
export function add(out: P256OrderElement, a: P256OrderElement, b: P256OrderElement): void {
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
export function sub(out: P256OrderElement, a: P256OrderElement, b: P256OrderElement): void {
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
export function neg(out: P256OrderElement, a: P256OrderElement): void {
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
export function copy(out: P256OrderElement, a: P256OrderElement): void {
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
export function select(out: P256OrderElement, a: P256OrderElement, b: P256OrderElement, bit: number): void {
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

export function create(): P256OrderElement {
  return new Float64Array(LIMBS) as P256OrderElement;
}

export function zero(out: P256OrderElement): void {
  out.fill(0);
}

export function one(out: P256OrderElement): void {
  out.set(ONE);
}

/** out = a with balanced limbs (bound 1); the value, and so its bound, stays. Needs |limb| < 2^52. Aliasing allowed. */
export function carry(out: P256OrderElement, a: P256OrderElement): void {
  balance(out, a);
}

/** Swaps a and b if bit is 1. */
export function swap(a: P256OrderElement, b: P256OrderElement, bit: number): void {
  for (let i = 0; i < LIMBS; i++) {
    const difference = bit * (b[i]! - a[i]!);
    a[i] = a[i]! + difference;
    b[i] = b[i]! - difference;
  }
}

/** out = factor·a, a of limb bound up to 11; result bound 1. 0 ≤ factor < 2^16, not secret. */
export function mulSmall(out: P256OrderElement, a: P256OrderElement, factor: number): void {
  SMALL[0] = factor;
  mul(scratch, SMALL, R2);
  mul(out, a, scratch);
}

/** out = a⁻¹ in the domain, 0 for 0. Limb bound of a up to 11; result bound 1. Aliasing allowed. */
export function invert(out: P256OrderElement, a: P256OrderElement): void {
  mul(scratch, a, PLAIN_ONE);
  mul(scratch, scratch, R2);
  canonical(scratch, scratch, MODULUS);
  invert24(scratch, scratch, MODULUS);
  mul(out, scratch, R3);
  scratch.fill(0);
}

/** 1 if a ≡ 0. The Montgomery product with 1 lies strictly between −n and n, so ≡ 0 means = 0. */
export function isZero(a: P256OrderElement): number {
  mul(scratch, a, PLAIN_ONE);
  return limbsAreZero(scratch);
}

/** 1 if a ≡ b; the sum of both limb bounds up to 11. */
export function equals(a: P256OrderElement, b: P256OrderElement): number {
  sub(scratch, a, b);
  mul(scratch, scratch, PLAIN_ONE);
  return limbsAreZero(scratch);
}

/** out = the integer of 32 big-endian bytes, any value below 2^256. Result bound 1. */
export function fromBytes(out: P256OrderElement, bytes: Uint8Array, offset: number): void {
  limbsFromBytes(scratch, bytes, offset);
  balance(scratch, scratch);
  mul(out, scratch, R2);
  scratch.fill(0);
}

/** The canonical value as 32 big-endian bytes. Limb bound of a up to 11. */
export function toBytes(bytes: Uint8Array, offset: number, a: P256OrderElement): void {
  mul(scratch, a, PLAIN_ONE);
  canonical(scratch, scratch, MODULUS);
  limbsToBytes(bytes, offset, scratch);
  scratch.fill(0);
}

export const P256_ORDER: Field<P256Order> = {
  domain: 'p256-order/montgomery',
  representation: 'montgomery',
  byteLength: 32,
  limbCount: LIMBS,
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
