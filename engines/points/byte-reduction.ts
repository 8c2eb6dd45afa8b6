// Remainders of long big-endian integers, constant time, for any modulus of 49 bits or more, odd or even.
//
// Signed limbs of 24 bits in exact doubles. Each step shifts the rest by a limb, takes in a digit and subtracts the
// nearest multiple of the modulus. The quotient comes from the top three limbs times the reciprocal; what it neglects is
// below 2^−24 of the modulus, so it is right to within 1/2 + 2^−20 and |rest| ≤ 0.51·m after every step. No division:
// its time may depend on the operands.

const RADIX = 2 ** 24;
const CARRY = 2 ** -24;
/** Adding and subtracting it rounds a double below 2^75 to a multiple of 2^24. */
const ROUND = 1.5 * 2 ** 76;
const ROUND_UNIT = 1.5 * 2 ** 52;

export class ByteReducer {
  readonly #width: number;
  /** Limbs in [0, 2^24). */
  readonly #modulus: Float64Array;
  /** 2^(24(count − 2)) / m. */
  readonly #reciprocal: number;
  readonly #rest: Float64Array;

  /** `modulus`: big-endian, public; its first byte may be 0. */
  constructor(modulus: Uint8Array) {
    const first = modulus.findIndex((byte) => byte !== 0);
    const count = Math.ceil((modulus.length - first) / 3);
    if (first < 0 || count < 3) throw new RangeError('reduction: the modulus has less than 49 bits');
    const m = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      for (let j = 2; j >= 0; j--) m[i] = m[i]! * 256 + (modulus[modulus.length - 1 - 3 * i - j] ?? 0);
    }
    this.#width = modulus.length;
    this.#modulus = m;
    const lower = m[count - 3]! * CARRY + (m[count - 4] ?? 0) * CARRY * CARRY;
    this.#reciprocal = 1 / (m[count - 1]! * RADIX + m[count - 2]! + lower);
    this.#rest = new Float64Array(count + 1);
  }

  /** out = (bytes mod m) + `addend` at the width of the modulus; `bytes` has any length, addend is 0 or 1. */
  reduce(out: Uint8Array, bytes: Uint8Array, addend: 0 | 1): void {
    const m = this.#modulus;
    const r = this.#rest;
    const count = m.length;
    r.fill(0);
    for (let step = Math.ceil(bytes.length / 3) - 1; step >= 0; step--) {
      const o = bytes.length - 3 - 3 * step;
      const digit = ((o >= 0 ? bytes[o]! : 0) << 16) | ((o >= -1 ? bytes[o + 1]! : 0) << 8) | bytes[o + 2]!;
      for (let i = count; i > 0; i--) r[i] = r[i - 1]!;
      r[0] = digit;
      const top = r[count]! * 2 ** 48 + r[count - 1]! * RADIX + r[count - 2]!;
      const q = top * this.#reciprocal + ROUND_UNIT - ROUND_UNIT;
      let c = 0;
      for (let i = 0; i < count - 1; i++) {
        const t = r[i]! - q * m[i]! + c * CARRY;
        c = t + ROUND - ROUND;
        r[i] = t - c;
      }
      // What is left fits below the top limb's end, so limb `count` goes into limb count − 1.
      r[count - 1] = r[count - 1]! + r[count]! * RADIX - q * m[count - 1]! + c * CARRY;
      r[count] = 0;
    }
    this.#deliver(out, addend);
    r.fill(0);
  }

  /** Bytes of the rest in [0, m), plus the addend. */
  #deliver(out: Uint8Array, addend: number): void {
    const r = this.#rest;
    const m = this.#modulus;
    const count = m.length;
    let c = 0;
    for (let i = 0; i < count - 1; i++) {
      const t = r[i]! + c;
      c = Math.floor(t * CARRY);
      r[i] = t - c * RADIX;
    }
    r[count - 1] = r[count - 1]! + c;
    // 1 if the top limb, and with it the value, is negative.
    const negative = -((r[count - 1]! | 0) >> 31);
    c = addend;
    for (let i = 0; i < count; i++) {
      const t = r[i]! + negative * m[i]! + c;
      c = Math.floor(t * CARRY);
      r[i] = t - c * RADIX;
    }
    for (let k = 0; k < this.#width; k++) {
      const limb = Math.floor(k / 3);
      out[this.#width - 1 - k] = limb < count ? r[limb]! >> (8 * (k % 3)) : 0;
    }
  }
}
