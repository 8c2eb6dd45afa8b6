// Modular inversion by division steps, constant time: Bernstein and Yang, "Fast constant-time gcd computation and
// modular inversion", 2019 (https://eprint.iacr.org/2019/266), sections 8 to 11.
//
// Numbers are signed limbs of `width` bits in doubles, as in the generated fields. A batch is `width` division steps
// on the low words alone (section 10); its 2×2 matrix, with entries at most 2^width, is then applied to the whole
// numbers, where every sum stays below 2^(2·width + 1). The number of steps is that of theorem 11.2.
//
// `invert` is branch-free and touches the same addresses for every input. `invertVartime` stops early.

/** Division steps after which any pair of numbers of `bits` bits has reached its gcd (theorem 11.2). */
export function divisionSteps(bits: number): number {
  return bits < 46 ? Math.floor((49 * bits + 80) / 17) : Math.floor((49 * bits + 57) / 17);
}

export interface SafegcdParameters {
  /** Bits per limb, at most 24. */
  readonly width: number;
  /** Balanced limbs of the odd modulus. */
  readonly modulus: readonly number[];
  /** Bits of the modulus. */
  readonly bits: number;
  /** −modulus^−1 mod 2^width, balanced. */
  readonly negativeInverse: number;
  /** Balanced limbs of what the inverse is multiplied by: 1, or R² where elements are in Montgomery form. */
  readonly entry: readonly number[];
}

export class Safegcd {
  readonly #width: number;
  readonly #count: number;
  readonly #modulus: Float64Array;
  readonly #entry: Float64Array;
  readonly #negativeInverse: number;
  readonly #batches: number;
  /** Adding and taking it away rounds to a multiple of 2^width. */
  readonly #rounding: number;
  readonly #scale: number;
  readonly #f: Float64Array;
  readonly #g: Float64Array;
  readonly #d: Float64Array;
  readonly #e: Float64Array;
  /** The matrix of the last batch: u, v, q, r. */
  readonly #matrix = new Float64Array(4);

  constructor(parameters: SafegcdParameters) {
    const { width, modulus, entry, bits, negativeInverse } = parameters;
    if (width < 8 || width > 24) throw new RangeError(`safegcd: limbs of ${width} bits`);
    this.#width = width;
    this.#count = modulus.length;
    this.#modulus = Float64Array.from(modulus);
    this.#entry = Float64Array.from(entry);
    this.#negativeInverse = negativeInverse;
    this.#batches = Math.ceil(divisionSteps(bits) / width);
    this.#rounding = 1.5 * 2 ** (52 + width);
    this.#scale = 2 ** -width;
    this.#f = new Float64Array(this.#count);
    this.#g = new Float64Array(this.#count);
    this.#d = new Float64Array(this.#count);
    this.#e = new Float64Array(this.#count);
  }

  /** The most multiples of the modulus, in magnitude, that a result may be away from 0: half of one per batch. */
  get spread(): number {
    return Math.ceil(this.#batches / 2) + 1;
  }

  /**
   * out = entry·a^−1 modulo p, within `spread` multiples of p of 0, limbs balanced but for the top one; 0 for 0.
   * a: balanced limbs, below the modulus in magnitude. Aliasing allowed. Branch-free, no allocation, scratch is wiped.
   */
  invert(out: Float64Array, a: Float64Array): void {
    this.#start(a);
    let delta = 1;
    for (let i = 0; i < this.#batches; i++) {
      delta = this.#divide(delta, this.#f[0]! | 0, this.#g[0]! | 0);
      this.#applyToPair();
      this.#applyModulo();
    }
    this.#finish(out);
  }

  /** As `invert`, in a time that depends on a. */
  invertVartime(out: Float64Array, a: Float64Array): void {
    this.#start(a);
    let delta = 1;
    for (let i = 0; i < this.#batches && this.#g.some((limb) => limb !== 0); i++) {
      delta = this.#divideVartime(delta, this.#f[0]! | 0, this.#g[0]! | 0);
      this.#applyToPair();
      this.#applyModulo();
    }
    this.#finish(out);
  }

  #start(a: Float64Array): void {
    this.#f.set(this.#modulus);
    this.#g.set(a);
    this.#d.fill(0);
    this.#e.set(this.#entry);
  }

  /** f is now 1 or −1 (or the modulus, where a is 0 and so is d). */
  #finish(out: Float64Array): void {
    const sign = this.#f[0]!;
    for (let i = 0; i < this.#count; i++) out[i] = this.#d[i]! * sign;
    this.#f.fill(0);
    this.#g.fill(0);
    this.#d.fill(0);
    this.#e.fill(0);
    this.#matrix.fill(0);
  }

  /** One batch of division steps (section 8) on low words; gives the new δ and leaves the matrix. */
  #divide(delta: number, fLow: number, gLow: number): number {
    let d = delta | 0;
    let f = fLow | 0;
    let g = gLow | 0;
    let u = 1;
    let v = 0;
    let q = 0;
    let r = 1;
    for (let i = 0; i < this.#width; i++) {
      // (δ, f, g) becomes (1 − δ, g, (g − f)/2) where δ > 0 and g is odd, else (1 + δ, f, (g + (g mod 2)·f)/2); rows
      // likewise, but that the other row is doubled where g is halved.
      const odd = -(g & 1);
      const swap = (-d >> 31) & odd;
      const x = (f ^ g) & swap;
      g = (g - swap + ((f & odd) ^ swap)) >> 1;
      f ^= x;
      const y = (u ^ q) & swap;
      q = (q - swap + ((u & odd) ^ swap)) | 0;
      u ^= y;
      const z = (v ^ r) & swap;
      r = (r - swap + ((v & odd) ^ swap)) | 0;
      v ^= z;
      d = (((d ^ swap) - swap) | 0) + 1;
      u <<= 1;
      v <<= 1;
    }
    this.#keep(u, v, q, r);
    return d;
  }

  #divideVartime(delta: number, fLow: number, gLow: number): number {
    let d = delta;
    let f = fLow | 0;
    let g = gLow | 0;
    let u = 1;
    let v = 0;
    let q = 0;
    let r = 1;
    for (let left = this.#width; ; ) {
      // All even steps at once.
      const zeros = Math.min(left, 31 - Math.clz32(g & -g || 0x8000_0000));
      g >>= zeros;
      u <<= zeros;
      v <<= zeros;
      d += zeros;
      left -= zeros;
      if (left === 0) break;
      if (d > 0) {
        d = -d;
        const [oldF, oldU, oldV] = [f, u, v];
        f = g;
        g = -oldF | 0;
        u = q;
        q = -oldU | 0;
        v = r;
        r = -oldV | 0;
      }
      g = (g + f) | 0;
      q = (q + u) | 0;
      r = (r + v) | 0;
    }
    this.#keep(u, v, q, r);
    return d;
  }

  #keep(u: number, v: number, q: number, r: number): void {
    this.#matrix[0] = u;
    this.#matrix[1] = v;
    this.#matrix[2] = q;
    this.#matrix[3] = r;
  }

  /** (f, g) = matrix·(f, g) / 2^width, exactly. */
  #applyToPair(): void {
    const f = this.#f;
    const g = this.#g;
    const rounding = this.#rounding;
    const scale = this.#scale;
    const u = this.#matrix[0]!;
    const v = this.#matrix[1]!;
    const q = this.#matrix[2]!;
    const r = this.#matrix[3]!;
    const last = this.#count - 1;
    let carryF = (u * f[0]! + v * g[0]!) * scale;
    let carryG = (q * f[0]! + r * g[0]!) * scale;
    for (let i = 1; i <= last; i++) {
      const sumF = u * f[i]! + v * g[i]! + carryF;
      const sumG = q * f[i]! + r * g[i]! + carryG;
      const highF = sumF + rounding - rounding;
      const highG = sumG + rounding - rounding;
      f[i - 1] = sumF - highF;
      g[i - 1] = sumG - highG;
      carryF = highF * scale;
      carryG = highG * scale;
    }
    f[last] = carryF;
    g[last] = carryG;
  }

  /** (d, e) = matrix·(d, e) / 2^width modulo p, each half a modulus further from 0 at most. */
  #applyModulo(): void {
    const d = this.#d;
    const e = this.#e;
    const p = this.#modulus;
    const rounding = this.#rounding;
    const scale = this.#scale;
    const u = this.#matrix[0]!;
    const v = this.#matrix[1]!;
    const q = this.#matrix[2]!;
    const r = this.#matrix[3]!;
    const last = this.#count - 1;
    let sumD = u * d[0]! + v * e[0]!;
    let sumE = q * d[0]! + r * e[0]!;
    const digitD = this.#digit(sumD);
    const digitE = this.#digit(sumE);
    let carryD = (sumD + digitD * p[0]!) * scale;
    let carryE = (sumE + digitE * p[0]!) * scale;
    for (let i = 1; i <= last; i++) {
      sumD = u * d[i]! + v * e[i]! + digitD * p[i]! + carryD;
      sumE = q * d[i]! + r * e[i]! + digitE * p[i]! + carryE;
      const highD = sumD + rounding - rounding;
      const highE = sumE + rounding - rounding;
      d[i - 1] = sumD - highD;
      e[i - 1] = sumE - highE;
      carryD = highD * scale;
      carryE = highE * scale;
    }
    d[last] = carryD;
    e[last] = carryE;
  }

  /** The balanced multiple of p that makes a sum divisible by 2^width. */
  #digit(sum: number): number {
    const rounding = this.#rounding;
    const low = sum - (sum + rounding - rounding);
    const product = low * this.#negativeInverse;
    return product - (product + rounding - rounding);
  }
}
