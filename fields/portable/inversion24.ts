// Constant-time modular inversion on limbs of 24 bits: Bernstein and Yang, "Fast constant-time gcd computation and
// modular inversion" (2019), with the variant that starts at δ = 1/2, for which 590 division steps suffice at 256 bits
// (Wuille, "The safegcd implementation in libsecp256k1 explained"). 25 batches of 24 steps on the low words; each batch
// gives a 2×2 matrix of entries below 2^24 which is applied to the full numbers in exact doubles.

import { CARRY, LIMBS, type Modulus24, RADIX, ROUND } from './limbs24.ts';

const BATCHES = 25;
const STEPS = 24;

const f = new Float64Array(LIMBS);
const g = new Float64Array(LIMBS);
const d = new Float64Array(LIMBS);
const e = new Float64Array(LIMBS);
const matrix = new Float64Array(4);

/** `STEPS` division steps on the low words; the matrix goes to `matrix`, the result is the new 2δ. */
function divisionSteps(doubleDelta: number, f0: number, g0: number): number {
  let delta = doubleDelta | 0;
  let a = f0 | 0;
  let b = g0 | 0;
  let u = 1;
  let v = 0;
  let q = 0;
  let r = 1;
  for (let i = 0; i < STEPS; i++) {
    const odd = -(b & 1);
    // 2δ is odd, never 0: its sign bit says whether δ > 0.
    const swap = odd & ~(delta >> 31);
    const na = ((a ^ swap) - swap) & odd;
    const nu = ((u ^ swap) - swap) & odd;
    const nv = ((v ^ swap) - swap) & odd;
    a ^= (a ^ b) & swap;
    u = (u ^ ((u ^ q) & swap)) << 1;
    v = (v ^ ((v ^ r) & swap)) << 1;
    b = ((b + na) | 0) >> 1;
    q = (q + nu) | 0;
    r = (r + nv) | 0;
    delta = ((delta ^ swap) - swap + 2) | 0;
  }
  matrix[0] = u;
  matrix[1] = v;
  matrix[2] = q;
  matrix[3] = r;
  return delta;
}

/** (f, g) ← (uf + vg, qf + rg) / 2^24, exact; limbs 0…9 in [0, 2^24). */
function applyToGcd(): void {
  const u = matrix[0]!;
  const v = matrix[1]!;
  const q = matrix[2]!;
  const r = matrix[3]!;
  let cf = (u * f[0]! + v * g[0]!) * CARRY;
  let cg = (q * f[0]! + r * g[0]!) * CARRY;
  for (let i = 1; i < LIMBS; i++) {
    const fi = f[i]!;
    const gi = g[i]!;
    const tf = u * fi + v * gi + cf;
    const tg = q * fi + r * gi + cg;
    cf = Math.floor(tf * CARRY);
    cg = Math.floor(tg * CARRY);
    f[i - 1] = tf - cf * RADIX;
    g[i - 1] = tg - cg * RADIX;
  }
  f[10] = cf;
  g[10] = cg;
}

/**
 * (d, e) ← (ud + ve, qd + re) / 2^24 mod m. As |u| + |v| ≤ 2^24 and the added multiple of m is at most 2^23·m, a batch
 * raises |d|, |e| by at most m/2: below 13·m after 25 batches, far below 2^263.
 */
function applyToInverse(modulus: Modulus24): void {
  const m = modulus.limbs;
  const u = matrix[0]!;
  const v = matrix[1]!;
  const q = matrix[2]!;
  const r = matrix[3]!;
  const td = u * d[0]! + v * e[0]!;
  const te = q * d[0]! + r * e[0]!;
  const pd = (td - (td + ROUND - ROUND)) * modulus.negatedInverse;
  const pe = (te - (te + ROUND - ROUND)) * modulus.negatedInverse;
  const kd = pd - (pd + ROUND - ROUND);
  const ke = pe - (pe + ROUND - ROUND);
  let cd = (td + kd * m[0]!) * CARRY;
  let ce = (te + ke * m[0]!) * CARRY;
  for (let i = 1; i < LIMBS; i++) {
    const di = d[i]!;
    const ei = e[i]!;
    const mi = m[i]!;
    const sd = u * di + v * ei + kd * mi + cd;
    const se = q * di + r * ei + ke * mi + ce;
    const rd = sd + ROUND - ROUND;
    const re = se + ROUND - ROUND;
    d[i - 1] = sd - rd;
    e[i - 1] = se - re;
    cd = rd * CARRY;
    ce = re * CARRY;
  }
  d[10] = cd;
  e[10] = ce;
}

/**
 * out ≡ a⁻¹ mod m (0 for 0), for canonical a with limbs in [0, 2^24); |out| < 13·m, limbs balanced. Branch-free.
 * Working memory is wiped.
 */
export function invert24(out: Float64Array, a: Float64Array, modulus: Modulus24): void {
  f.set(modulus.limbs);
  g.set(a);
  d.fill(0);
  e.fill(0);
  e[0] = 1;
  let delta = 1;
  for (let batch = 0; batch < BATCHES; batch++) {
    delta = divisionSteps(delta, f[0]! | 0, g[0]! | 0);
    applyToGcd();
    applyToInverse(modulus);
  }
  // f is now ±1 (±m for a = 0, where d is 0).
  const sign = 1 + 2 * ((f[10]! | 0) >> 31);
  for (let i = 0; i < LIMBS; i++) out[i] = sign * d[i]!;
  f.fill(0);
  g.fill(0);
  d.fill(0);
  e.fill(0);
  matrix.fill(0);
}
