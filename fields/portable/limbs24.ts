// Eleven limbs of 24 bits held as exact doubles: what the portable fields of 256-bit moduli share.
//
// A value is Σ limb[i]·2^(24i). Limbs are integers of either sign; arithmetic is exact because every sum stays below
// 2^53. "Balanced" means |limb| ≤ 2^23 for limbs 0…9 (limb 10 takes the rest). Nothing here branches on or is indexed
// by values; everything works on any modulus between 2^255 and 2^256.

export const LIMBS = 11;
export const RADIX = 2 ** 24;
/** Adding and subtracting it rounds a double below 2^51·2^24 to a multiple of 2^24. */
export const ROUND = 1.5 * 2 ** 76;
export const CARRY = 2 ** -24;
const ROUND_UNIT = 1.5 * 2 ** 52;

/** A modulus with all constants that conversions, reduction and inversion need. */
export interface Modulus24 {
  /** Limbs in [0, 2^24). */
  readonly limbs: Float64Array;
  /** −m⁻¹ mod 2^24, balanced. */
  readonly negatedInverse: number;
  /** 2^216 / m. */
  readonly reciprocal: number;
}

/** Limbs in [0, 2^24) of hexadecimal digits; for constants at definition time. */
function limbsFromHex(hex: string): Float64Array {
  const out = new Float64Array(LIMBS);
  const digits = hex.padStart(6 * LIMBS, '0');
  for (let i = 0; i < LIMBS; i++) out[i] = Number.parseInt(digits.slice(6 * (10 - i), 6 * (11 - i)), 16);
  return out;
}

export function modulusFromHex(hex: string): Modulus24 {
  const limbs = limbsFromHex(hex);
  const low = limbs[0]!;
  let inverse = 1;
  // Newton: each round doubles the number of right low bits.
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(low, inverse));
  const negated = -inverse & 0xffffff;
  const top = limbs[10]! * 2 ** 48 + limbs[9]! * 2 ** 24 + limbs[8]! + limbs[7]! * 2 ** -24;
  return { limbs, negatedInverse: negated >= 2 ** 23 ? negated - RADIX : negated, reciprocal: 2 ** 24 / top };
}

/** out = a with limbs 0…9 balanced. Needs |limb| < 2^52; keeps the value. Aliasing allowed. */
export function carry(out: Float64Array, a: Float64Array): void {
  let t = 0;
  let c = 0;
  for (let i = 0; i < 10; i++) {
    t = a[i]! + c * CARRY;
    c = t + ROUND - ROUND;
    out[i] = t - c;
  }
  out[10] = a[10]! + c * CARRY;
}

/** Limbs in [0, 2^24) of 32 big-endian bytes at `offset`. */
export function limbsFromBytes(out: Float64Array, bytes: Uint8Array, offset: number): void {
  for (let i = 0; i < 10; i++) {
    const o = offset + 29 - 3 * i;
    out[i] = (bytes[o]! << 16) | (bytes[o + 1]! << 8) | bytes[o + 2]!;
  }
  out[10] = (bytes[offset]! << 8) | bytes[offset + 1]!;
}

/** 32 big-endian bytes of limbs in [0, 2^24), value below 2^256. */
export function limbsToBytes(bytes: Uint8Array, offset: number, a: Float64Array): void {
  for (let i = 0; i < 10; i++) {
    const limb = a[i]! | 0;
    const o = offset + 29 - 3 * i;
    bytes[o] = limb >> 16;
    bytes[o + 1] = limb >> 8;
    bytes[o + 2] = limb;
  }
  const top = a[10]! | 0;
  bytes[offset] = top >> 8;
  bytes[offset + 1] = top;
}

/** out = a or a + m, whichever lies in [0, m), limbs in [0, 2^24). Needs −m ≤ a < m. Aliasing allowed. */
export function canonical(out: Float64Array, a: Float64Array, modulus: Modulus24): void {
  const m = modulus.limbs;
  let c = 0;
  for (let i = 0; i < 10; i++) {
    const t = a[i]! + c;
    c = Math.floor(t * CARRY);
    out[i] = t - c * RADIX;
  }
  const top = a[10]! + c;
  // 1 if the top limb, and with it the value, is negative.
  const negative = -((top | 0) >> 31);
  c = 0;
  for (let i = 0; i < 10; i++) {
    const t = out[i]! + negative * m[i]! + c;
    c = Math.floor(t * CARRY);
    out[i] = t - c * RADIX;
  }
  out[10] = top + negative * m[10]! + c;
}

/** 1 if every limb is zero. */
export function limbsAreZero(a: Float64Array): number {
  let bits = 0;
  for (let i = 0; i < LIMBS; i++) bits |= a[i]!;
  return ((bits | -bits) >>> 31) ^ 1;
}

const wide = new Float64Array(12);

/**
 * out = integer mod m in [0, m) as limbs in [0, 2^24), for big-endian bytes of any length. The quotient digit comes
 * from the top three limbs times the reciprocal, right to within 1/2 + 2^−20, so |rest| ≤ 0.51·m after every step.
 */
export function reduceBytes(out: Float64Array, bytes: Uint8Array, modulus: Modulus24): void {
  const m = modulus.limbs;
  const r = wide;
  r.fill(0);
  const count = Math.ceil(bytes.length / 3);
  for (let step = count - 1; step >= 0; step--) {
    const o = bytes.length - 3 - 3 * step;
    const digit = ((o >= 0 ? bytes[o]! : 0) << 16) | ((o >= -1 ? bytes[o + 1]! : 0) << 8) | bytes[o + 2]!;
    for (let i = 11; i > 0; i--) r[i] = r[i - 1]!;
    r[0] = digit;
    const top = r[11]! * 2 ** 48 + r[10]! * 2 ** 24 + r[9]!;
    const q = top * modulus.reciprocal + ROUND_UNIT - ROUND_UNIT;
    let c = 0;
    for (let i = 0; i < 11; i++) {
      const t = r[i]! - q * m[i]! + c * CARRY;
      c = t + ROUND - ROUND;
      r[i] = t - c;
    }
    // The rest is below 2^256, so what limb 11 would hold belongs to limb 10.
    r[10] = r[10]! + c + r[11]! * RADIX;
    r[11] = 0;
  }
  canonical(out, r, modulus);
  r.fill(0);
}
