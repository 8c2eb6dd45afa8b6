// Intervals of machine numbers: words modulo 2^32 or 2^64, and doubles with the rounding they underwent.
//
// A word is known modulo 2^bits: sums and products wrap as the machine does, and an interval must lie within one signed
// (or unsigned) range only where an operation depends on it. A double carries the power of two that divides it. An
// operation on doubles must be exact, or round within one binade against a constant: then the result is the constant
// plus a rounding, and what it rounded is kept, so that a later remainder is known to be at most half a step.

import { Refusal } from './wasm-decode.ts';

/** An overflow, an inexact or abnormal double, a result outside the contract. */
export class BoundRefusal extends Refusal {
  override readonly name = 'BoundRefusal';
}

export interface Word {
  readonly kind: 'word';
  readonly bits: 32 | 64;
  readonly low: bigint;
  readonly high: bigint;
  /** The 32-bit lanes of a 64-bit word, where it was put together from them. */
  readonly parts?: readonly [Word, Word];
  readonly xorOf?: readonly [Word, Word];
}

/** c + sign·round(Π of, 2^grid), all scaled. */
interface Rounding {
  readonly constant: bigint;
  readonly sign: 1n | -1n;
  readonly of: readonly Double[];
  readonly grid: number;
  /** Whether ties go to odd multiples, as the constant is one. */
  readonly odd: boolean;
}

const isOdd = (constant: bigint, grid: number): boolean =>
  grid + SCALE >= 0 && grid < 1000 && ((constant >> BigInt(grid + SCALE)) & 1n) === 1n;

/** low and high in units of 2^−SCALE; every value is a multiple of 2^zeros. */
export interface Double {
  readonly kind: 'double';
  readonly low: bigint;
  readonly high: bigint;
  readonly zeros: number;
  readonly rounding?: Rounding;
  /** The value is the first less the second, exactly. */
  readonly difference?: readonly [Double, Double];
  /** v ≡ factor·atom modulo 2^bits, both integers. */
  readonly residue?: { readonly atom: Double; readonly factor: bigint; readonly bits: number };
}

export type Numeric = Word | Double;

export const SCALE = 160;
const UNIT = BigInt(SCALE);
const ALL_ZEROS = 2000;

export const least = (values: readonly bigint[]): bigint =>
  values.reduce((a, b) => {
    if (b < a) return b;
    return a;
  });
export const most = (values: readonly bigint[]): bigint =>
  values.reduce((a, b) => {
    if (b > a) return b;
    return a;
  });
const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);
export const pow2 = (exponent: number): bigint => {
  if (exponent + SCALE < 0) throw new BoundRefusal(`2^${exponent} is finer than any value expected`);
  return 1n << BigInt(exponent + SCALE);
};

function trailingZeros(value: bigint): number {
  if (value === 0n) return ALL_ZEROS;
  return bitLength(value & -value) - 1;
}

export function word(low: bigint, high: bigint, bits: 32 | 64): Word {
  if (low === high) {
    const value = BigInt.asIntN(bits, low);
    return { kind: 'word', bits, low: value, high: value };
  }
  return { kind: 'word', bits, low, high };
}

export function double(low: bigint, high: bigint, zeros: number): Double {
  return { kind: 'double', low, high, zeros: low === high ? trailingZeros(low) - SCALE : zeros };
}

export const doubleOfInteger = (low: bigint, high: bigint): Double => double(low << UNIT, high << UNIT, 0);

/** A finite double that is zero or normal. */
export function doubleOf(value: number): Double {
  if (!Number.isFinite(value) || (value !== 0 && Math.abs(value) < 2 ** -1022)) {
    throw new BoundRefusal(`the double ${value} is not zero or normal`);
  }
  if (value !== 0 && Math.abs(value) < 2 ** -90) throw new BoundRefusal(`the double ${value} is finer than expected`);
  let scaled = value;
  let shift = SCALE;
  while (shift > 0 && !Number.isInteger(scaled)) {
    scaled *= 2;
    shift--;
  }
  const exact = BigInt(scaled) << BigInt(shift);
  return double(exact, exact, 0);
}

/** The interval as signed (or unsigned) numbers; undefined where it may wrap. */
export function normalised(x: Word, signed = true): Word | undefined {
  const size = 1n << BigInt(x.bits);
  const start = signed ? -size / 2n : 0n;
  const move = ((x.low - start) >> BigInt(x.bits)) * size;
  const [low, high] = [x.low - move, x.high - move];
  return high < start + size ? { kind: 'word', bits: x.bits, low, high } : undefined;
}

export function signedWord(x: Word, what: string): Word {
  const result = normalised(x);
  if (result === undefined) throw new BoundRefusal(`${what}: [${x.low}, ${x.high}] overflows ${x.bits} bits`);
  return result;
}

const magnitude = (x: Double): bigint => most([abs(x.low), abs(x.high)]);

function roundTo(value: bigint, grid: number): bigint {
  const step = pow2(grid);
  const floor = value >= 0n ? value / step : -((-value + step - 1n) / step);
  const rest = value - floor * step;
  const up = 2n * rest > step || (2n * rest === step && (floor & 1n) === 1n);
  return (up ? floor + 1n : floor) * step;
}

/** The exact interval of an operation as the double that comes out; undefined provenance unless it rounded. */
function settle(exact: Double, what: string): { value: Double; grid: number | undefined } {
  const size = magnitude(exact);
  if (size === 0n) return { value: exact, grid: undefined };
  if (exact.zeros < -120) throw new BoundRefusal(`${what}: a multiple of 2^${exact.zeros} only`);
  if (exact.zeros + SCALE >= 0 && size <= pow2(Math.min(exact.zeros + 53, 1000))) {
    return { value: exact, grid: undefined };
  }
  const binade = (end: bigint): number => bitLength(abs(end)) - 1 - SCALE;
  const sameSign = exact.low > 0n || exact.high < 0n;
  const [near, far] = exact.low > 0n ? [exact.low, exact.high] : [exact.high, exact.low];
  const top = abs(far) === pow2(Math.min(binade(far), 1000)) ? binade(far) - 1 : binade(far);
  if (!sameSign || binade(near) !== top) {
    throw new BoundRefusal(`${what}: inexact, up to 2^${bitLength(size) - SCALE} in steps of 2^${exact.zeros}`);
  }
  const grid = top - 52;
  return { value: double(roundTo(exact.low, grid), roundTo(exact.high, grid), grid), grid };
}

const isConstant = (x: Double): boolean => x.low === x.high;

const residueOf = (x: Double): NonNullable<Double['residue']> => x.residue ?? { atom: x, factor: 1n, bits: 4096 };

/** Residues of a sum; a multiple of 2^bits where they cancel. */
function addResidues(a: Double, b: Double, sign: bigint, sum: Double): Double {
  if (a.zeros < 0 || b.zeros < 0) return sum;
  const [x, y] = [residueOf(a), residueOf(b)];
  if (b.zeros >= 8 && a.zeros < b.zeros) return { ...sum, residue: { ...x, bits: Math.min(x.bits, b.zeros) } };
  if (x.atom !== y.atom) return sum;
  const bits = Math.min(x.bits, y.bits);
  if (bits > 2048) return sum;
  const factor = BigInt.asUintN(bits, x.factor + sign * y.factor);
  return factor === 0n
    ? { ...sum, zeros: Math.max(sum.zeros, bits) }
    : { ...sum, residue: { atom: x.atom, factor, bits } };
}

const sameFactors = (a: readonly Double[], b: readonly Double[]): boolean =>
  a.length === b.length && (a.every((x, i) => x === b[i]) || a.every((x, i) => x === b[b.length - 1 - i]));

export function addDoubles(a: Double, b: Double, sign: 1n | -1n, what: string): Double {
  if (b.low === 0n && b.high === 0n) return a;
  // y + (x − y) = x and x − (x − y) = y, as the difference was exact.
  if (sign === 1n && b.difference?.[1] === a) return b.difference[0];
  if (sign === -1n && b.difference?.[0] === a) return b.difference[1];
  const sum = addIntervals(a, b, sign, what);
  return sign === -1n && sum.exact ? { ...sum.value, difference: [a, b] } : sum.value;
}

function addIntervals(a: Double, b: Double, sign: 1n | -1n, what: string): { value: Double; exact: boolean } {
  const exact = (value: Double): { value: Double; exact: boolean } => ({ value, exact: true });
  const rounded = (value: Double): { value: Double; exact: boolean } => ({ value, exact: false });
  // a − round(a) is at most half a step.
  const r = sign === -1n ? b.rounding : undefined;
  if (r?.constant === 0n && r.sign === 1n && sameFactors(r.of, [a])) {
    const half = pow2(r.grid - 1);
    const rest = double(most([-half, a.low - b.high]), least([half, a.high - b.low]), Math.min(a.zeros, r.grid));
    const { atom, factor, bits } = residueOf(a);
    return exact(a.zeros < 0 ? rest : { ...rest, residue: { atom, factor, bits: Math.min(bits, r.grid) } });
  }
  const [low, high] = sign === 1n ? [b.low, b.high] : [-b.high, -b.low];
  const ideal = double(a.low + low, a.high + high, Math.min(a.zeros, b.zeros));
  const { value, grid } = settle(ideal, what);
  const [constant, other, otherSign] = isConstant(b) ? [low, a, 1n as const] : isConstant(a) ? [a.low, b, sign] : [];
  if (other === undefined || constant === undefined || otherSign === undefined) {
    if (grid !== undefined) throw new BoundRefusal(`${what}: rounds against a value that is no constant`);
    return exact(addResidues(a, b, sign, value));
  }
  if (grid === undefined && other.rounding !== undefined) {
    const { rounding } = other;
    const next = { ...rounding, constant: rounding.constant * otherSign + constant };
    const turned = rounding.sign === 1n ? -1n : 1n;
    return exact({ ...value, rounding: { ...next, sign: otherSign === 1n ? rounding.sign : turned } });
  }
  const steps = grid ?? bitLength(most([abs(ideal.low), abs(ideal.high)])) - 53 - SCALE;
  const onGrid = constant !== 0n && trailingZeros(constant) - SCALE >= steps && otherSign === 1n;
  if (grid !== undefined && !onGrid) throw new BoundRefusal(`${what}: rounds against a constant off its own grid`);
  if (grid !== undefined)
    return rounded({ ...value, rounding: { constant, sign: 1n, of: [other], grid, odd: isOdd(constant, grid) } });
  const sum = addResidues(a, b, sign, value);
  // An exact sum is its own rounding.
  return exact(
    otherSign === 1n ? { ...sum, rounding: { constant, sign: 1n, of: [other], grid: other.zeros, odd: false } } : sum,
  );
}

function product(a: Double, b: Double): Double {
  const ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  const zeros = Math.min(ALL_ZEROS, a.zeros + b.zeros);
  if (zeros < -SCALE) throw new BoundRefusal(`a product in steps of 2^${zeros}`);
  return double(least(ends) >> UNIT, most(ends) >> UNIT, zeros);
}

export function multiplyDoubles(a: Double, b: Double, what: string): Double {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (one.low === pow2(0) && one.high === one.low) return other;
  }
  const { value, grid } = settle(product(a, b), what);
  if (grid !== undefined) throw new BoundRefusal(`${what}: an inexact product`);
  const [constant, other] = isConstant(b) ? [b, a] : isConstant(a) ? [a, b] : [];
  if (constant === undefined || other === undefined || constant.zeros < 0 || other.zeros < 0 || constant.low === 0n) {
    return value;
  }
  const { atom, factor, bits } = residueOf(other);
  return { ...value, residue: { atom, factor: factor * (constant.low >> UNIT), bits } };
}

/** a·b + c, rounded once. */
export function fuse(a: Double, b: Double, c: Double, what: string): Double {
  const exactProduct = product(a, b);
  const r = c.rounding;
  if (r?.sign === -1n && sameFactors(r.of, [a, b])) {
    const half = pow2(r.grid - 1);
    const low = most([r.constant - half, exactProduct.low + c.low]);
    const high = least([r.constant + half, exactProduct.high + c.high]);
    const { value, grid } = settle(double(low, high, Math.min(exactProduct.zeros, r.grid)), what);
    if (grid !== undefined) throw new BoundRefusal(`${what}: the low part of a product is inexact`);
    return value;
  }
  const exact = double(exactProduct.low + c.low, exactProduct.high + c.high, Math.min(exactProduct.zeros, c.zeros));
  const { value, grid } = settle(exact, what);
  if (grid === undefined) {
    if (isConstant(b) || isConstant(a)) return addResidues(c, multiplyDoubles(a, b, what), 1n, value);
    return isConstant(c)
      ? { ...value, rounding: { constant: c.low, sign: 1n, of: [a, b], grid: exact.zeros, odd: false } }
      : value;
  }
  if (!isConstant(c) || c.zeros < grid) throw new BoundRefusal(`${what}: rounds against a value that is no constant`);
  return { ...value, rounding: { constant: c.low, sign: 1n, of: [a, b], grid, odd: isOdd(c.low, grid) } };
}

const EXPONENT_BIAS = 1023;

/** The bit pattern of a double that stays in one binade. */
export function patternOf(x: Double, what: string): Word {
  if (x.low === 0n && x.high === 0n) return word(0n, 0n, 64);
  const negative = x.high < 0n;
  const [near, far] = negative ? [-x.high, -x.low] : [x.low, x.high];
  const exponent = bitLength(near) - 1 - SCALE;
  if (near <= 0n || bitLength(far) - 1 - SCALE !== exponent) {
    throw new BoundRefusal(`${what}: the bits of a double that leaves its binade`);
  }
  const grid = exponent - 52;
  if (x.zeros < grid) throw new BoundRefusal(`${what}: the bits of a double finer than its binade`);
  const base = (BigInt(exponent + EXPONENT_BIAS) << 52n) + (negative ? 1n << 63n : 0n);
  const bits = (value: bigint): bigint => base + (grid + SCALE >= 0 ? (value - pow2(exponent)) / pow2(grid) : 0n);
  return word(bits(near), bits(far), 64);
}

/** The double that a pattern stands for. */
export function doubleOfPattern(x: Word, what: string): Double {
  const bits = normalised(x, false);
  if (bits === undefined) throw new BoundRefusal(`${what}: a pattern that wraps`);
  if (bits.low === bits.high) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, bits.low);
    return doubleOf(view.getFloat64(0));
  }
  const top = bits.low >> 52n;
  if (top !== bits.high >> 52n || top >= 2047n || top === 0n) {
    throw new BoundRefusal(`${what}: a pattern that is not one binade of positive doubles`);
  }
  const exponent = Number(top) - EXPONENT_BIAS;
  const value = (pattern: bigint): bigint => pow2(exponent) + (pattern - (top << 52n)) * pow2(exponent - 52);
  return double(value(bits.low), value(bits.high), exponent - 52);
}

const full = (bits: 32 | 64): Word => word(-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n, bits);
const isMask = (x: Word): boolean => x.low >= -1n && x.high <= 0n;
const isLowMask = (x: Word): boolean => x.low === x.high && x.low > 0n && (x.low & (x.low + 1n)) === 0n;

function bitwise(name: string, a: Word, b: Word): Word {
  for (const [fixed, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const neutral = name === 'and' ? -1n : 0n;
    if (fixed.low === neutral && fixed.high === neutral) return other;
    if (name === 'xor' && other.xorOf?.includes(fixed) === true) {
      return other.xorOf[0] === fixed ? other.xorOf[1] : other.xorOf[0];
    }
  }
  const result = bitwiseInterval(name, a, b);
  return name === 'xor' && result.low !== result.high ? { ...result, xorOf: [a, b] } : result;
}

function bitwiseInterval(name: string, a: Word, b: Word): Word {
  const { bits } = a;
  const [x, y] = [normalised(a) ?? full(bits), normalised(b) ?? full(bits)];
  if (x.low === x.high && y.low === y.high) {
    const value = name === 'and' ? x.low & y.low : name === 'or' ? x.low | y.low : x.low ^ y.low;
    return word(value, value, bits);
  }
  if (name === 'and') {
    for (const [mask, other] of [
      [x, y],
      [y, x],
    ] as const) {
      if (isLowMask(mask)) return other.low >= 0n && other.high <= mask.low ? other : word(0n, mask.low, bits);
      if (mask.low === 0n && mask.high === 0n) return mask;
      if (isMask(mask)) return word(least([0n, other.low]), most([0n, other.high]), bits);
    }
    if (x.low >= 0n && y.low >= 0n) return word(0n, least([x.high, y.high]), bits);
    if (x.low >= 0n) return word(0n, x.high, bits);
    if (y.low >= 0n) return word(0n, y.high, bits);
  }
  for (const [fixed, other] of [
    [x, y],
    [y, x],
  ] as const) {
    if (
      name !== 'and' &&
      fixed.low === fixed.high &&
      other.low >= 0n &&
      other.high < 1n << BigInt(trailingZeros(fixed.low) % 2000)
    ) {
      return word(fixed.low + other.low, fixed.low + other.high, bits);
    }
  }
  const length = BigInt(
    most([x.low, x.high, y.low, y.high].map((end) => BigInt(bitLength(end < 0n ? -end - 1n : end)))),
  );
  const negative = x.low < 0n || y.low < 0n;
  if (!negative && name === 'or') return word(most([x.low, y.low]), (1n << length) - 1n, bits);
  return word(negative ? -(1n << length) : 0n, (1n << length) - 1n, bits);
}

/** An operation on words; shifts by constants only. */
export function wordOperation(name: string, a: Word, b: Word): Word {
  const { bits } = a;
  switch (name) {
    case 'add':
      return word(a.low + b.low, a.high + b.high, bits);
    case 'sub':
      return word(a.low - b.high, a.high - b.low, bits);
    case 'mul': {
      const [x, y] = [normalised(a) ?? a, normalised(b) ?? b];
      const ends = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
      return word(least(ends), most(ends), bits);
    }
    case 'and':
    case 'or':
    case 'xor':
      return bitwise(name, a, b);
  }
  if (b.low !== b.high) throw new BoundRefusal(`${name}: a shift by an unknown amount`);
  const shift = b.low & BigInt(bits - 1);
  if (name === 'shl') return word(a.low << shift, a.high << shift, bits);
  if (name === 'shr_s') {
    const x = signedWord(a, 'shr_s');
    return word(x.low >> shift, x.high >> shift, bits);
  }
  if (name === 'shr_u') {
    const x = normalised(a, false) ?? word(0n, (1n << BigInt(bits)) - 1n, bits);
    return word(x.low >> shift, x.high >> shift, bits);
  }
  throw new Refusal(`unknown operation ${name} on words`);
}
