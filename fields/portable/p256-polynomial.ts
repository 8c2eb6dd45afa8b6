// The P-256 prime p = 2^256 − 2^224 + 2^192 + 2^96 − 1 (FIPS 186-5, SP 800-186), values as they are.
//
// Eleven limbs of 24 bits as exact doubles; bounds as in p256-montgomery.ts. The product is reduced from the top:
// 2^264 ≡ 2^232 − 2^200 − 2^104 + 2^8 (Solinas, "Generalized Mersenne numbers", 1999).
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

export type P256Polynomial = 'p256/polynomial';
export type P256PolynomialElement = Element<P256Polynomial>;

export const MODULUS = modulusFromHex('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff');
const ROUND16 = 1.5 * 2 ** 68;
const CARRY16 = 2 ** -16;
const ONE = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) as P256PolynomialElement;
const SMALL = new Float64Array(LIMBS) as P256PolynomialElement;
const scratch = new Float64Array(LIMBS) as P256PolynomialElement;

/**
 * out ≡ a·b mod p.
 *
 * Input: limb bounds wa·wb ≤ 12, |limb 10| ≤ 2^22 each. Output: bound 1. Columns stay below 2^53 as in the Montgomery product. After the
 * first carry all digits are balanced. Folding digit k (below 2^23 + 2^17) adds at most 2^40 to digits k−2, k−3, k−7
 * and k−11; carrying k−3 and k−2 upwards at once leaves the next digits to be folded within the same bound. The last
 * two folds are at 2^256: the first takes a multiple below 2^26, the second at most 1. Aliasing allowed. Branch-free.
 */
export function mul(out: P256PolynomialElement, a: P256PolynomialElement, b: P256PolynomialElement): void {
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
  let t0 = a0 * b0;
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
  let t21 = 0;
  c = t0 + ROUND - ROUND;
  t0 -= c;
  t1 += c * CARRY;
  c = t1 + ROUND - ROUND;
  t1 -= c;
  t2 += c * CARRY;
  c = t2 + ROUND - ROUND;
  t2 -= c;
  t3 += c * CARRY;
  c = t3 + ROUND - ROUND;
  t3 -= c;
  t4 += c * CARRY;
  c = t4 + ROUND - ROUND;
  t4 -= c;
  t5 += c * CARRY;
  c = t5 + ROUND - ROUND;
  t5 -= c;
  t6 += c * CARRY;
  c = t6 + ROUND - ROUND;
  t6 -= c;
  t7 += c * CARRY;
  c = t7 + ROUND - ROUND;
  t7 -= c;
  t8 += c * CARRY;
  c = t8 + ROUND - ROUND;
  t8 -= c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND - ROUND;
  t10 -= c;
  t11 += c * CARRY;
  c = t11 + ROUND - ROUND;
  t11 -= c;
  t12 += c * CARRY;
  c = t12 + ROUND - ROUND;
  t12 -= c;
  t13 += c * CARRY;
  c = t13 + ROUND - ROUND;
  t13 -= c;
  t14 += c * CARRY;
  c = t14 + ROUND - ROUND;
  t14 -= c;
  t15 += c * CARRY;
  c = t15 + ROUND - ROUND;
  t15 -= c;
  t16 += c * CARRY;
  c = t16 + ROUND - ROUND;
  t16 -= c;
  t17 += c * CARRY;
  c = t17 + ROUND - ROUND;
  t17 -= c;
  t18 += c * CARRY;
  c = t18 + ROUND - ROUND;
  t18 -= c;
  t19 += c * CARRY;
  c = t19 + ROUND - ROUND;
  t19 -= c;
  t20 += c * CARRY;
  c = t20 + ROUND - ROUND;
  t20 -= c;
  t21 += c * CARRY;
  t19 += t21 * 65536;
  t18 -= t21 * 256;
  t14 -= t21 * 256;
  t10 += t21 * 256;
  c = t18 + ROUND - ROUND;
  t18 -= c;
  t19 += c * CARRY;
  c = t19 + ROUND - ROUND;
  t19 -= c;
  t20 += c * CARRY;
  t18 += t20 * 65536;
  t17 -= t20 * 256;
  t13 -= t20 * 256;
  t9 += t20 * 256;
  c = t17 + ROUND - ROUND;
  t17 -= c;
  t18 += c * CARRY;
  c = t18 + ROUND - ROUND;
  t18 -= c;
  t19 += c * CARRY;
  t17 += t19 * 65536;
  t16 -= t19 * 256;
  t12 -= t19 * 256;
  t8 += t19 * 256;
  c = t16 + ROUND - ROUND;
  t16 -= c;
  t17 += c * CARRY;
  c = t17 + ROUND - ROUND;
  t17 -= c;
  t18 += c * CARRY;
  t16 += t18 * 65536;
  t15 -= t18 * 256;
  t11 -= t18 * 256;
  t7 += t18 * 256;
  c = t15 + ROUND - ROUND;
  t15 -= c;
  t16 += c * CARRY;
  c = t16 + ROUND - ROUND;
  t16 -= c;
  t17 += c * CARRY;
  t15 += t17 * 65536;
  t14 -= t17 * 256;
  t10 -= t17 * 256;
  t6 += t17 * 256;
  c = t14 + ROUND - ROUND;
  t14 -= c;
  t15 += c * CARRY;
  c = t15 + ROUND - ROUND;
  t15 -= c;
  t16 += c * CARRY;
  t14 += t16 * 65536;
  t13 -= t16 * 256;
  t9 -= t16 * 256;
  t5 += t16 * 256;
  c = t13 + ROUND - ROUND;
  t13 -= c;
  t14 += c * CARRY;
  c = t14 + ROUND - ROUND;
  t14 -= c;
  t15 += c * CARRY;
  t13 += t15 * 65536;
  t12 -= t15 * 256;
  t8 -= t15 * 256;
  t4 += t15 * 256;
  c = t12 + ROUND - ROUND;
  t12 -= c;
  t13 += c * CARRY;
  c = t13 + ROUND - ROUND;
  t13 -= c;
  t14 += c * CARRY;
  t12 += t14 * 65536;
  t11 -= t14 * 256;
  t7 -= t14 * 256;
  t3 += t14 * 256;
  c = t11 + ROUND - ROUND;
  t11 -= c;
  t12 += c * CARRY;
  c = t12 + ROUND - ROUND;
  t12 -= c;
  t13 += c * CARRY;
  t11 += t13 * 65536;
  t10 -= t13 * 256;
  t6 -= t13 * 256;
  t2 += t13 * 256;
  c = t10 + ROUND - ROUND;
  t10 -= c;
  t11 += c * CARRY;
  c = t11 + ROUND - ROUND;
  t11 -= c;
  t12 += c * CARRY;
  t10 += t12 * 65536;
  t9 -= t12 * 256;
  t5 -= t12 * 256;
  t1 += t12 * 256;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND - ROUND;
  t10 -= c;
  t11 += c * CARRY;
  t9 += t11 * 65536;
  t8 -= t11 * 256;
  t4 -= t11 * 256;
  t0 += t11 * 256;
  c = t0 + ROUND - ROUND;
  t0 -= c;
  t1 += c * CARRY;
  c = t1 + ROUND - ROUND;
  t1 -= c;
  t2 += c * CARRY;
  c = t2 + ROUND - ROUND;
  t2 -= c;
  t3 += c * CARRY;
  c = t3 + ROUND - ROUND;
  t3 -= c;
  t4 += c * CARRY;
  c = t4 + ROUND - ROUND;
  t4 -= c;
  t5 += c * CARRY;
  c = t5 + ROUND - ROUND;
  t5 -= c;
  t6 += c * CARRY;
  c = t6 + ROUND - ROUND;
  t6 -= c;
  t7 += c * CARRY;
  c = t7 + ROUND - ROUND;
  t7 -= c;
  t8 += c * CARRY;
  c = t8 + ROUND - ROUND;
  t8 -= c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND16 - ROUND16;
  t10 -= c;
  c *= CARRY16;
  t9 += c * 256;
  t8 -= c;
  t4 -= c;
  t0 += c;
  c = t8 + ROUND - ROUND;
  t8 -= c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND16 - ROUND16;
  t10 -= c;
  c *= CARRY16;
  t9 += c * 256;
  t8 -= c;
  t4 -= c;
  t0 += c;
  c = t0 + ROUND - ROUND;
  out[0] = t0 - c;
  t1 += c * CARRY;
  c = t1 + ROUND - ROUND;
  out[1] = t1 - c;
  t2 += c * CARRY;
  c = t2 + ROUND - ROUND;
  out[2] = t2 - c;
  t3 += c * CARRY;
  c = t3 + ROUND - ROUND;
  out[3] = t3 - c;
  t4 += c * CARRY;
  c = t4 + ROUND - ROUND;
  out[4] = t4 - c;
  t5 += c * CARRY;
  c = t5 + ROUND - ROUND;
  out[5] = t5 - c;
  t6 += c * CARRY;
  c = t6 + ROUND - ROUND;
  out[6] = t6 - c;
  t7 += c * CARRY;
  c = t7 + ROUND - ROUND;
  out[7] = t7 - c;
  t8 += c * CARRY;
  c = t8 + ROUND - ROUND;
  out[8] = t8 - c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  out[9] = t9 - c;
  t10 += c * CARRY;
  out[10] = t10;
}

/** out = a² mod p: `mul(out, a, a)` with each cross product taken once. Same bounds. */
export function square(out: P256PolynomialElement, a: P256PolynomialElement): void {
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
  let d = 0;
  d = a0 + a0;
  let t0 = a0 * a0;
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
  d = a3 + a3;
  t6 += a3 * a3;
  t7 += d * a4;
  t8 += d * a5;
  t9 += d * a6;
  t10 += d * a7;
  t11 += d * a8;
  t12 += d * a9;
  let t13 = d * a10;
  d = a4 + a4;
  t8 += a4 * a4;
  t9 += d * a5;
  t10 += d * a6;
  t11 += d * a7;
  t12 += d * a8;
  t13 += d * a9;
  let t14 = d * a10;
  d = a5 + a5;
  t10 += a5 * a5;
  t11 += d * a6;
  t12 += d * a7;
  t13 += d * a8;
  t14 += d * a9;
  let t15 = d * a10;
  d = a6 + a6;
  t12 += a6 * a6;
  t13 += d * a7;
  t14 += d * a8;
  t15 += d * a9;
  let t16 = d * a10;
  d = a7 + a7;
  t14 += a7 * a7;
  t15 += d * a8;
  t16 += d * a9;
  let t17 = d * a10;
  d = a8 + a8;
  t16 += a8 * a8;
  t17 += d * a9;
  let t18 = d * a10;
  d = a9 + a9;
  t18 += a9 * a9;
  let t19 = d * a10;
  let t20 = a10 * a10;
  let t21 = 0;
  c = t0 + ROUND - ROUND;
  t0 -= c;
  t1 += c * CARRY;
  c = t1 + ROUND - ROUND;
  t1 -= c;
  t2 += c * CARRY;
  c = t2 + ROUND - ROUND;
  t2 -= c;
  t3 += c * CARRY;
  c = t3 + ROUND - ROUND;
  t3 -= c;
  t4 += c * CARRY;
  c = t4 + ROUND - ROUND;
  t4 -= c;
  t5 += c * CARRY;
  c = t5 + ROUND - ROUND;
  t5 -= c;
  t6 += c * CARRY;
  c = t6 + ROUND - ROUND;
  t6 -= c;
  t7 += c * CARRY;
  c = t7 + ROUND - ROUND;
  t7 -= c;
  t8 += c * CARRY;
  c = t8 + ROUND - ROUND;
  t8 -= c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND - ROUND;
  t10 -= c;
  t11 += c * CARRY;
  c = t11 + ROUND - ROUND;
  t11 -= c;
  t12 += c * CARRY;
  c = t12 + ROUND - ROUND;
  t12 -= c;
  t13 += c * CARRY;
  c = t13 + ROUND - ROUND;
  t13 -= c;
  t14 += c * CARRY;
  c = t14 + ROUND - ROUND;
  t14 -= c;
  t15 += c * CARRY;
  c = t15 + ROUND - ROUND;
  t15 -= c;
  t16 += c * CARRY;
  c = t16 + ROUND - ROUND;
  t16 -= c;
  t17 += c * CARRY;
  c = t17 + ROUND - ROUND;
  t17 -= c;
  t18 += c * CARRY;
  c = t18 + ROUND - ROUND;
  t18 -= c;
  t19 += c * CARRY;
  c = t19 + ROUND - ROUND;
  t19 -= c;
  t20 += c * CARRY;
  c = t20 + ROUND - ROUND;
  t20 -= c;
  t21 += c * CARRY;
  t19 += t21 * 65536;
  t18 -= t21 * 256;
  t14 -= t21 * 256;
  t10 += t21 * 256;
  c = t18 + ROUND - ROUND;
  t18 -= c;
  t19 += c * CARRY;
  c = t19 + ROUND - ROUND;
  t19 -= c;
  t20 += c * CARRY;
  t18 += t20 * 65536;
  t17 -= t20 * 256;
  t13 -= t20 * 256;
  t9 += t20 * 256;
  c = t17 + ROUND - ROUND;
  t17 -= c;
  t18 += c * CARRY;
  c = t18 + ROUND - ROUND;
  t18 -= c;
  t19 += c * CARRY;
  t17 += t19 * 65536;
  t16 -= t19 * 256;
  t12 -= t19 * 256;
  t8 += t19 * 256;
  c = t16 + ROUND - ROUND;
  t16 -= c;
  t17 += c * CARRY;
  c = t17 + ROUND - ROUND;
  t17 -= c;
  t18 += c * CARRY;
  t16 += t18 * 65536;
  t15 -= t18 * 256;
  t11 -= t18 * 256;
  t7 += t18 * 256;
  c = t15 + ROUND - ROUND;
  t15 -= c;
  t16 += c * CARRY;
  c = t16 + ROUND - ROUND;
  t16 -= c;
  t17 += c * CARRY;
  t15 += t17 * 65536;
  t14 -= t17 * 256;
  t10 -= t17 * 256;
  t6 += t17 * 256;
  c = t14 + ROUND - ROUND;
  t14 -= c;
  t15 += c * CARRY;
  c = t15 + ROUND - ROUND;
  t15 -= c;
  t16 += c * CARRY;
  t14 += t16 * 65536;
  t13 -= t16 * 256;
  t9 -= t16 * 256;
  t5 += t16 * 256;
  c = t13 + ROUND - ROUND;
  t13 -= c;
  t14 += c * CARRY;
  c = t14 + ROUND - ROUND;
  t14 -= c;
  t15 += c * CARRY;
  t13 += t15 * 65536;
  t12 -= t15 * 256;
  t8 -= t15 * 256;
  t4 += t15 * 256;
  c = t12 + ROUND - ROUND;
  t12 -= c;
  t13 += c * CARRY;
  c = t13 + ROUND - ROUND;
  t13 -= c;
  t14 += c * CARRY;
  t12 += t14 * 65536;
  t11 -= t14 * 256;
  t7 -= t14 * 256;
  t3 += t14 * 256;
  c = t11 + ROUND - ROUND;
  t11 -= c;
  t12 += c * CARRY;
  c = t12 + ROUND - ROUND;
  t12 -= c;
  t13 += c * CARRY;
  t11 += t13 * 65536;
  t10 -= t13 * 256;
  t6 -= t13 * 256;
  t2 += t13 * 256;
  c = t10 + ROUND - ROUND;
  t10 -= c;
  t11 += c * CARRY;
  c = t11 + ROUND - ROUND;
  t11 -= c;
  t12 += c * CARRY;
  t10 += t12 * 65536;
  t9 -= t12 * 256;
  t5 -= t12 * 256;
  t1 += t12 * 256;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND - ROUND;
  t10 -= c;
  t11 += c * CARRY;
  t9 += t11 * 65536;
  t8 -= t11 * 256;
  t4 -= t11 * 256;
  t0 += t11 * 256;
  c = t0 + ROUND - ROUND;
  t0 -= c;
  t1 += c * CARRY;
  c = t1 + ROUND - ROUND;
  t1 -= c;
  t2 += c * CARRY;
  c = t2 + ROUND - ROUND;
  t2 -= c;
  t3 += c * CARRY;
  c = t3 + ROUND - ROUND;
  t3 -= c;
  t4 += c * CARRY;
  c = t4 + ROUND - ROUND;
  t4 -= c;
  t5 += c * CARRY;
  c = t5 + ROUND - ROUND;
  t5 -= c;
  t6 += c * CARRY;
  c = t6 + ROUND - ROUND;
  t6 -= c;
  t7 += c * CARRY;
  c = t7 + ROUND - ROUND;
  t7 -= c;
  t8 += c * CARRY;
  c = t8 + ROUND - ROUND;
  t8 -= c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND16 - ROUND16;
  t10 -= c;
  c *= CARRY16;
  t9 += c * 256;
  t8 -= c;
  t4 -= c;
  t0 += c;
  c = t8 + ROUND - ROUND;
  t8 -= c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  t9 -= c;
  t10 += c * CARRY;
  c = t10 + ROUND16 - ROUND16;
  t10 -= c;
  c *= CARRY16;
  t9 += c * 256;
  t8 -= c;
  t4 -= c;
  t0 += c;
  c = t0 + ROUND - ROUND;
  out[0] = t0 - c;
  t1 += c * CARRY;
  c = t1 + ROUND - ROUND;
  out[1] = t1 - c;
  t2 += c * CARRY;
  c = t2 + ROUND - ROUND;
  out[2] = t2 - c;
  t3 += c * CARRY;
  c = t3 + ROUND - ROUND;
  out[3] = t3 - c;
  t4 += c * CARRY;
  c = t4 + ROUND - ROUND;
  out[4] = t4 - c;
  t5 += c * CARRY;
  c = t5 + ROUND - ROUND;
  out[5] = t5 - c;
  t6 += c * CARRY;
  c = t6 + ROUND - ROUND;
  out[6] = t6 - c;
  t7 += c * CARRY;
  c = t7 + ROUND - ROUND;
  out[7] = t7 - c;
  t8 += c * CARRY;
  c = t8 + ROUND - ROUND;
  out[8] = t8 - c;
  t9 += c * CARRY;
  c = t9 + ROUND - ROUND;
  out[9] = t9 - c;
  t10 += c * CARRY;
  out[10] = t10;
}

/** out = a + b; limb and value bounds add up. Aliasing allowed. */
export function add(out: P256PolynomialElement, a: P256PolynomialElement, b: P256PolynomialElement): void {
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
export function sub(out: P256PolynomialElement, a: P256PolynomialElement, b: P256PolynomialElement): void {
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
export function neg(out: P256PolynomialElement, a: P256PolynomialElement): void {
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
export function copy(out: P256PolynomialElement, a: P256PolynomialElement): void {
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
  out: P256PolynomialElement,
  a: P256PolynomialElement,
  b: P256PolynomialElement,
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

export function create(): P256PolynomialElement {
  return new Float64Array(LIMBS) as P256PolynomialElement;
}

export function zero(out: P256PolynomialElement): void {
  out.fill(0);
}

export function one(out: P256PolynomialElement): void {
  out.set(ONE);
}

/** out = a with balanced limbs (bound 1); the value, and so its bound, stays. Needs |limb| < 2^52. Aliasing allowed. */
export function carry(out: P256PolynomialElement, a: P256PolynomialElement): void {
  balance(out, a);
}

/** Swaps a and b if bit is 1. */
export function swap(a: P256PolynomialElement, b: P256PolynomialElement, bit: number): void {
  for (let i = 0; i < LIMBS; i++) {
    const difference = bit * (b[i]! - a[i]!);
    a[i] = a[i]! + difference;
    b[i] = b[i]! - difference;
  }
}

/** out = factor·a, a of limb bound up to 12; result bound 1. 0 ≤ factor < 2^16, not secret. */
export function mulSmall(out: P256PolynomialElement, a: P256PolynomialElement, factor: number): void {
  SMALL[0] = factor;
  balance(scratch, SMALL);
  mul(out, a, scratch);
}

/** out = a⁻¹, 0 for 0. Limb bound of a up to 12; result bound 1. Aliasing allowed. */
export function invert(out: P256PolynomialElement, a: P256PolynomialElement): void {
  mul(scratch, a, ONE);
  canonical(scratch, scratch, MODULUS);
  invert24(scratch, scratch, MODULUS);
  mul(out, scratch, ONE);
  scratch.fill(0);
}

/** 1 if a ≡ 0. */
export function isZero(a: P256PolynomialElement): number {
  mul(scratch, a, ONE);
  return limbsAreZero(scratch);
}

/** 1 if a ≡ b; the sum of both limb bounds up to 12. */
export function equals(a: P256PolynomialElement, b: P256PolynomialElement): number {
  sub(scratch, a, b);
  return isZero(scratch);
}

/** out = the integer of 32 big-endian bytes, any value below 2^256. Result bound 1. */
export function fromBytes(out: P256PolynomialElement, bytes: Uint8Array, offset: number): void {
  limbsFromBytes(scratch, bytes, offset);
  balance(scratch, scratch);
  mul(out, scratch, ONE);
  scratch.fill(0);
}

/** The canonical value as 32 big-endian bytes. Limb bound of a up to 12. */
export function toBytes(bytes: Uint8Array, offset: number, a: P256PolynomialElement): void {
  mul(scratch, a, ONE);
  canonical(scratch, scratch, MODULUS);
  limbsToBytes(bytes, offset, scratch);
  scratch.fill(0);
}

export const P256_POLYNOMIAL: Field<P256Polynomial> = {
  domain: 'p256/polynomial',
  representation: 'polynomial',
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
