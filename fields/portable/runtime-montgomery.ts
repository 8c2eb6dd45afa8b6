// A Montgomery field for any odd modulus of 64 to 640 bits, with the modulus in memory: secp224r1, the Brainpool
// curves, explicit parameters. The same arithmetic as the generated fields (signed limbs in exact doubles), in loops.
//
// Contract of an element: limbs of at most 2^(w−1)·(1 + 2^−8), value within 3/4 of the modulus. The bounds argument:
// n limbs of w bits, w ≤ 24 and n ≤ 32, so a column holds at most 2n products below 2^46.02 and a carry, less than
// 2^53. A product is at most (9/16·p²)/R + p/2 in magnitude; the layout keeps R ≥ 16p, so it keeps the contract. Sums
// are reduced by the nearest multiple of p, estimated from the top limb, which has at least 5 bits of the modulus:
// what is left is below 0.52·p.
//
// All operations but construction and `…Vartime` are branch-free in the values of elements.

import type { Element, Field } from '../field.ts';
import { Safegcd } from './safegcd.ts';

const MAX_BITS = 640;
const MIN_BITS = 64;

/** Widest limbs that leave the top limb 6 to w − 4 bits of the modulus. */
function layoutFor(bits: number): { width: number; count: number } {
  for (let width = 24; width > 16; width--) {
    const count = Math.floor((bits - 6) / width) + 1;
    if (bits - width * (count - 1) <= width - 4) return { width, count };
  }
  throw new RangeError(`Montgomery field: no limb layout for ${bits} bits`);
}

function integerOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function balanced(value: bigint, width: number, count: number): Float64Array {
  const limbs = new Float64Array(count);
  let rest = value;
  for (let i = 0; i < count; i++) {
    const limb = i === count - 1 ? rest : BigInt.asIntN(width, rest);
    limbs[i] = Number(limb);
    rest = (rest - limb) >> BigInt(width);
  }
  return limbs;
}

/** −value^−1 modulo 2^width, by Newton's iteration; public. */
function negativeInverseOf(value: bigint, width: number): number {
  let inverse = 1n;
  for (let bits = 1; bits < width; bits *= 2) inverse = BigInt.asUintN(width, inverse * (2n - value * inverse));
  return Number(BigInt.asIntN(width, -inverse));
}

export class RuntimeMontgomeryField<D extends string> implements Field<D> {
  readonly domain: D;
  readonly representation = 'montgomery';
  readonly residueField: string;
  readonly byteLength: number;
  readonly limbCount: number;
  readonly limbWidth: number;
  readonly #modulus: Float64Array;
  readonly #unsigned: Int32Array;
  readonly #one: Float64Array;
  readonly #entry: Float64Array;
  readonly #negativeInverse: number;
  readonly #rounding: number;
  readonly #scale: number;
  /** 1/p in units of the top limb. */
  readonly #perModulus: number;
  readonly #safegcd: Safegcd;
  readonly #columns: Float64Array;
  readonly #work: Float64Array;
  readonly #words: Int32Array;

  /** `modulus`: big-endian, odd, 64 to 640 bits, public. That it is prime is for the caller to know. */
  constructor(domain: D, modulus: Uint8Array) {
    const p = integerOf(modulus);
    const bits = p.toString(2).length;
    if ((p & 1n) === 0n) throw new RangeError('Montgomery field: the modulus is even');
    if (bits < MIN_BITS || bits > MAX_BITS) {
      throw new RangeError(`Montgomery field: a modulus of ${bits} bits, ${MIN_BITS} to ${MAX_BITS} are possible`);
    }
    const { width, count } = layoutFor(bits);
    const radix = 1n << BigInt(width * count);
    const centred = (value: bigint): Float64Array => {
      const residue = value % p;
      return balanced(2n * residue > p ? residue - p : residue, width, count);
    };
    this.domain = domain;
    this.residueField = `${domain}/residue`;
    this.byteLength = Math.ceil(bits / 8);
    this.limbCount = count;
    this.limbWidth = width;
    this.#modulus = balanced(p, width, count);
    this.#unsigned = Int32Array.from({ length: count }, (_, i) =>
      Number(BigInt.asUintN(width, p >> BigInt(width * i))),
    );
    this.#one = centred(radix);
    this.#entry = centred(radix * radix);
    this.#negativeInverse = negativeInverseOf(p, width);
    this.#rounding = 1.5 * 2 ** (52 + width);
    this.#scale = 2 ** -width;
    this.#perModulus = 2 ** 40 / Number((p << 40n) >> BigInt(width * (count - 1)));
    this.#safegcd = new Safegcd({
      width,
      bits,
      modulus: [...this.#modulus],
      entry: [...this.#entry],
      negativeInverse: this.#negativeInverse,
    });
    this.#columns = new Float64Array(2 * count + 1);
    this.#work = new Float64Array(count);
    this.#words = new Int32Array(count);
  }

  create(): Element<D> {
    return new Float64Array(this.limbCount) as Element<D>;
  }

  copy(out: Element<D>, a: Element<D>): void {
    for (let i = 0; i < this.limbCount; i++) out[i] = a[i]!;
  }

  zero(out: Element<D>): void {
    out.fill(0);
  }

  one(out: Element<D>): void {
    for (let i = 0; i < this.limbCount; i++) out[i] = this.#one[i]!;
  }

  /** Every operation carries by itself here; this one is for callers that are written for any field. */
  carry(out: Element<D>, a: Element<D>): void {
    this.copy(out, a);
    this.#reduce(out);
  }

  add(out: Element<D>, a: Element<D>, b: Element<D>): void {
    for (let i = 0; i < this.limbCount; i++) out[i] = a[i]! + b[i]!;
    this.#reduce(out);
  }

  sub(out: Element<D>, a: Element<D>, b: Element<D>): void {
    for (let i = 0; i < this.limbCount; i++) out[i] = a[i]! - b[i]!;
    this.#reduce(out);
  }

  neg(out: Element<D>, a: Element<D>): void {
    for (let i = 0; i < this.limbCount; i++) out[i] = 0 - a[i]!;
  }

  mul(out: Element<D>, a: Element<D>, b: Element<D>): void {
    this.#product(out, a, b);
  }

  square(out: Element<D>, a: Element<D>): void {
    const t = this.#columns;
    const count = this.limbCount;
    t.fill(0);
    for (let i = 0; i < count; i++) {
      const limb = a[i]!;
      t[2 * i] = t[2 * i]! + limb * limb;
      const twice = limb + limb;
      for (let j = i + 1; j < count; j++) t[i + j] = t[i + j]! + twice * a[j]!;
    }
    for (let i = 0; i < count; i++) this.#reduceDigit(i);
    this.#carryOut(out);
  }

  mulSmall(out: Element<D>, a: Element<D>, factor: number): void {
    for (let i = 0; i < this.limbCount; i++) out[i] = a[i]! * factor;
    // The first pass leaves carries of up to 16 bits in the limbs; the second takes them along.
    this.#reduce(out);
    this.#reduce(out);
  }

  invert(out: Element<D>, a: Element<D>): void {
    this.#safegcd.invert(out, a);
    this.#reduce(out);
  }

  /** As invert, in a time that depends on a: for public values. */
  invertVartime(out: Element<D>, a: Element<D>): void {
    this.#safegcd.invertVartime(out, a);
    this.#reduce(out);
  }

  select(out: Element<D>, a: Element<D>, b: Element<D>, bit: number): void {
    for (let i = 0; i < this.limbCount; i++) out[i] = a[i]! + (b[i]! - a[i]!) * bit;
  }

  swap(a: Element<D>, b: Element<D>, bit: number): void {
    for (let i = 0; i < this.limbCount; i++) {
      const difference = (b[i]! - a[i]!) * bit;
      a[i] = a[i]! + difference;
      b[i] = b[i]! - difference;
    }
  }

  isZero(a: Element<D>): number {
    for (let i = 0; i < this.limbCount; i++) this.#words[i] = a[i]! | 0;
    return this.#wordsAreZero();
  }

  equals(a: Element<D>, b: Element<D>): number {
    const difference = this.#work;
    for (let i = 0; i < this.limbCount; i++) difference[i] = a[i]! - b[i]!;
    this.#reduce(difference);
    for (let i = 0; i < this.limbCount; i++) this.#words[i] = difference[i]! | 0;
    difference.fill(0);
    return this.#wordsAreZero();
  }

  fromBytes(out: Element<D>, bytes: Uint8Array, offset: number): void {
    const width = this.limbWidth;
    const mask = 2 ** width - 1;
    const last = offset + this.byteLength - 1;
    const plain = this.#work;
    plain.fill(0);
    for (let k = 0; k < this.byteLength; k++) {
      const limb = Math.min(Math.floor((8 * k) / width), this.limbCount - 1);
      const shift = 8 * k - width * limb;
      const byte = bytes[last - k]!;
      if (limb === this.limbCount - 1) plain[limb] = plain[limb]! + byte * 2 ** shift;
      else {
        // What reaches beyond the limb goes to the next one.
        plain[limb] = plain[limb]! + ((byte << shift) & mask);
        plain[limb + 1] = plain[limb + 1]! + (byte >> (width - shift));
      }
    }
    this.#product(out, plain, this.#entry);
    this.#reduce(out);
    plain.fill(0);
  }

  toBytes(bytes: Uint8Array, offset: number, a: Element<D>): void {
    const t = this.#columns;
    t.fill(0);
    for (let i = 0; i < this.limbCount; i++) t[i] = a[i]!;
    for (let i = 0; i < this.limbCount; i++) this.#reduceDigit(i);
    this.#carryOut(this.#work);
    const words = this.#words;
    for (let i = 0; i < this.limbCount; i++) words[i] = this.#work[i]! | 0;
    this.#canonical();
    const width = this.limbWidth;
    const last = offset + this.byteLength - 1;
    for (let k = 0; k < this.byteLength; k++) {
      const limb = Math.floor((8 * k) / width);
      const shift = 8 * k - width * limb;
      let byte = words[limb]! >> shift;
      if (width - shift < 8 && limb + 1 < this.limbCount) byte |= words[limb + 1]! << (width - shift);
      bytes[last - k] = byte & 255;
    }
    words.fill(0);
    this.#work.fill(0);
  }

  /** out = a^exponent, for a public big-endian exponent. Allocates one element and wipes it. */
  powPublic(out: Element<D>, a: Element<D>, exponent: Uint8Array): void {
    const base = this.create();
    this.copy(base, a);
    this.one(out);
    for (const byte of exponent) {
      for (let shift = 7; shift >= 0; shift--) {
        this.square(out, out);
        if ((byte >> shift) & 1) this.mul(out, out, base);
      }
    }
    base.fill(0);
  }

  #product(out: Float64Array, a: Float64Array, b: Float64Array): void {
    const t = this.#columns;
    const count = this.limbCount;
    t.fill(0);
    for (let i = 0; i < count; i++) {
      const limb = a[i]!;
      for (let j = 0; j < count; j++) t[i + j] = t[i + j]! + limb * b[j]!;
      this.#reduceDigit(i);
    }
    this.#carryOut(out);
  }

  /** Adds the multiple of p that makes column i divisible by 2^width, and carries it on. */
  #reduceDigit(i: number): void {
    const t = this.#columns;
    const p = this.#modulus;
    const rounding = this.#rounding;
    const column = t[i]!;
    const low = column - (column + rounding - rounding);
    const scaled = low * this.#negativeInverse;
    const digit = scaled - (scaled + rounding - rounding);
    for (let j = 0; j < this.limbCount; j++) t[i + j] = t[i + j]! + digit * p[j]!;
    t[i + 1] = t[i + 1]! + t[i]! * this.#scale;
  }

  /** Balanced limbs of the upper columns. */
  #carryOut(out: Float64Array): void {
    const t = this.#columns;
    const count = this.limbCount;
    const rounding = this.#rounding;
    let carry = 0;
    for (let i = 0; i < count - 1; i++) {
      const sum = t[count + i]! + carry;
      const high = sum + rounding - rounding;
      out[i] = sum - high;
      carry = high * this.#scale;
    }
    out[count - 1] = t[2 * count - 1]! + carry;
    t.fill(0);
  }

  /** Takes away the nearest multiple of p, then carries every limb once. */
  #reduce(out: Float64Array): void {
    const last = this.limbCount - 1;
    const rounding = this.#rounding;
    const p = this.#modulus;
    const unit = 1.5 * 2 ** 52;
    const multiple = out[last]! * this.#perModulus + unit - unit;
    let carry = 0;
    for (let i = 0; i < last; i++) {
      const limb = out[i]! - multiple * p[i]!;
      const high = limb + rounding - rounding;
      out[i] = limb - high + carry;
      carry = high * this.#scale;
    }
    out[last] = out[last]! - multiple * p[last]! + carry;
  }

  /** Words between −p and p become the residue in [0, p), in unsigned limbs. */
  #canonical(): void {
    const words = this.#words;
    const last = this.limbCount - 1;
    this.#carryWords();
    const negative = words[last]! >> 31;
    for (let i = 0; i <= last; i++) words[i] = words[i]! + (this.#unsigned[i]! & negative);
    this.#carryWords();
  }

  #carryWords(): void {
    const words = this.#words;
    const mask = 2 ** this.limbWidth - 1;
    for (let i = 0; i < this.limbCount - 1; i++) {
      words[i + 1] = words[i + 1]! + (words[i]! >> this.limbWidth);
      words[i] = words[i]! & mask;
    }
  }

  #wordsAreZero(): number {
    this.#canonical();
    let any = 0;
    for (let i = 0; i < this.limbCount; i++) any |= this.#words[i]!;
    this.#words.fill(0);
    return ((any - 1) >> 31) & 1;
  }
}
