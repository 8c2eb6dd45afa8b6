// Interval analysis: proves that no value of a program leaves its machine type, whatever the inputs in their bounds.
//
// Every value carries an interval, the power of two that divides it, and the bias of its machine word. The analysis
// refuses a double beyond 2^53, an integer beyond its word, a product outside the window in which a fused
// multiply-add splits exactly, a division that is not exact, and a bit operation on a word that is still biased.

import { highBias, LOW_BIAS, type MachineType, type Program } from './ir.ts';
import { type Domain, ProgramError, walk } from './walk.ts';

/** A proof failed: with these inputs a value could leave its machine type or its contract. */
export class BoundsError extends ProgramError {}

/** All integers from low to high that are multiples of 2^zeros; the machine word holds them plus `bias`. */
export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
  readonly zeros: number;
  readonly bias: bigint;
  /** The value that this one is the rounding of. */
  readonly roundedFrom?: Interval;
}

/** `zeros` of an interval that holds 0 only. */
const ALL_ZEROS = 1024;

export function interval(low: bigint, high: bigint, zeros = 0, bias = 0n): Interval {
  if (low > high) throw new BoundsError(`empty interval [${low}, ${high}]`);
  return { low, high, zeros: low === 0n && high === 0n ? ALL_ZEROS : zeros, bias: BigInt.asUintN(64, bias) };
}

export const symmetric = (magnitude: bigint): Interval => interval(-magnitude, magnitude);

function min(...values: readonly bigint[]): bigint {
  return values.reduce((least, value) => {
    if (value < least) return value;
    return least;
  });
}

export function max(...values: readonly bigint[]): bigint {
  return values.reduce((most, value) => {
    if (value > most) return value;
    return most;
  });
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
export const magnitude = (x: Interval): bigint => max(abs(x.low), abs(x.high));
const contains = (outer: Interval, inner: Interval): boolean => outer.low <= inner.low && inner.high <= outer.high;

function trailingZeros(value: bigint): number {
  if (value === 0n) return ALL_ZEROS;
  let zeros = 0;
  for (let v = abs(value); (v & 1n) === 0n; v >>= 1n) zeros++;
  return zeros;
}

/** value·2^−width rounded to the nearest integer, ties to even. */
export function roundedQuotient(value: bigint, width: number): bigint {
  const w = BigInt(width);
  const half = w === 0n ? 0n : 1n << (w - 1n);
  const floor = value >> w;
  const rest = value - (floor << w);
  if (rest > half || (w > 0n && rest === half && (floor & 1n) === 1n)) return floor + 1n;
  return floor;
}

const bitLength = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

function unbiased(x: Interval, what: string): void {
  if (x.bias !== 0n) throw new BoundsError(`${what} of a word that is biased by 0x${x.bias.toString(16)}`);
}

const LIMITS: Readonly<Record<MachineType, { low: bigint; high: bigint; name: string }>> = {
  f64: { low: -(1n << 53n), high: 1n << 53n, name: '2^53 of an exact double' },
  i32: { low: -(1n << 31n), high: (1n << 31n) - 1n, name: '2^31 of a 32-bit integer' },
  p32: { low: -(1n << 31n), high: (1n << 31n) - 1n, name: '2^31 of a packed limb' },
  i64: { low: -(1n << 63n), high: (1n << 63n) - 1n, name: '2^63 of a 64-bit integer' },
};

/** The largest magnitude that a type reached, for reports on how sharp a proof is. */
export type Peaks = Partial<Record<MachineType, bigint>>;

export class IntervalDomain implements Domain<Interval> {
  readonly peaks: Peaks = {};

  constant(value: bigint, bias: bigint): Interval {
    return interval(value, value, trailingZeros(value), bias);
  }

  add(a: Interval, b: Interval): Interval {
    return interval(a.low + b.low, a.high + b.high, Math.min(a.zeros, b.zeros), a.bias + b.bias);
  }

  sub(a: Interval, b: Interval): Interval {
    return interval(a.low - b.high, a.high - b.low, Math.min(a.zeros, b.zeros), a.bias - b.bias);
  }

  mul(a: Interval, b: Interval): Interval {
    unbiased(b, 'product');
    if (b.low !== b.high) unbiased(a, 'product');
    const ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    // A constant factor scales the bias with the value.
    return interval(min(...ends), max(...ends), Math.min(ALL_ZEROS, a.zeros + b.zeros), a.bias * b.low);
  }

  bitwise(op: 'and' | 'or' | 'xor', a: Interval, b: Interval): Interval {
    unbiased(a, op);
    unbiased(b, op);
    const isMask = (x: Interval): boolean => x.low >= -1n && x.high <= 0n;
    if (op === 'and' && isMask(b)) return interval(min(0n, a.low), max(0n, a.high), a.zeros);
    if (op === 'and' && isMask(a)) return this.bitwise(op, b, a);
    if (a.low < 0n || b.low < 0n) {
      const bits = BigInt(Math.max(bitLength(magnitude(a)), bitLength(magnitude(b))));
      return interval(-(1n << bits), (1n << bits) - 1n);
    }
    if (op === 'and') return interval(0n, min(a.high, b.high));
    return interval(0n, (1n << BigInt(Math.max(bitLength(a.high), bitLength(b.high)))) - 1n);
  }

  divide(a: Interval, shift: number): Interval {
    unbiased(a, 'division');
    if (a.zeros < shift) throw new BoundsError(`division by 2^${shift} of a multiple of 2^${a.zeros}`);
    return interval(a.low >> BigInt(shift), a.high >> BigInt(shift), a.zeros - shift);
  }

  round(a: Interval, width: number): Interval {
    unbiased(a, 'rounding');
    if (magnitude(a) >= 1n << BigInt(51 + width)) throw new BoundsError(`rounding beyond 2^${51 + width}`);
    const w = BigInt(width);
    const rounded = interval(roundedQuotient(a.low, width) << w, roundedQuotient(a.high, width) << w, width);
    return { ...rounded, roundedFrom: a };
  }

  remainder(a: Interval, rounded: Interval, width: number): Interval {
    if (rounded.roundedFrom !== a) throw new BoundsError('remainder against the rounding of another value');
    const half = width === 0 ? 0n : 1n << BigInt(width - 1);
    const rest = this.sub(a, rounded);
    return interval(max(rest.low, -half), min(rest.high, half), Math.min(a.zeros, ALL_ZEROS));
  }

  assertMultiple(a: Interval, shift: number): Interval {
    return { ...a, zeros: Math.max(a.zeros, shift) };
  }

  choose(a: Interval, b: Interval, mask: Interval): Interval {
    if (mask.low < -1n || mask.high > 0n) throw new BoundsError(`a mask in [${mask.low}, ${mask.high}]`);
    return interval(min(a.low, b.low), max(a.high, b.high), Math.min(a.zeros, b.zeros));
  }

  mask(a: Interval, bits: number): Interval {
    unbiased(a, 'mask');
    const top = (1n << BigInt(bits)) - 1n;
    return a.low >= 0n && a.high <= top ? a : interval(0n, top);
  }

  shiftRight(a: Interval, shift: number, signed: boolean): Interval {
    unbiased(a, 'shift');
    if (!signed && a.low < 0n) throw new BoundsError(`logical shift of a value down to ${a.low}`);
    return interval(a.low >> BigInt(shift), a.high >> BigInt(shift));
  }

  mulHigh(a: Interval, b: Interval, width: number): Interval {
    const product = this.mul(a, b);
    const high = interval(roundedQuotient(product.low, width), roundedQuotient(product.high, width));
    if (magnitude(high) >= 1n << 51n) {
      throw new BoundsError(`product of ${bitLength(magnitude(product))} bits leaves the window of 2^${51 + width}`);
    }
    return interval(high.low, high.high, 0, highBias(width));
  }

  mulLow(a: Interval, b: Interval, high: Interval, width: number): Interval {
    const product = this.mul(a, b);
    const half = 1n << BigInt(width - 1);
    if (high.low === 0n && high.high === 0n) return interval(product.low, product.high, 0, LOW_BIAS);
    return interval(-half, half, 0, LOW_BIAS);
  }

  floatOf(a: Interval): Interval {
    unbiased(a, 'conversion');
    if (a.low < 0n || a.high >= 1n << 52n) throw new BoundsError(`conversion of [${a.low}, ${a.high}] to a double`);
    return a;
  }

  toInt(a: Interval): Interval {
    if (magnitude(a) >= 1n << 51n) throw new BoundsError(`conversion of [${a.low}, ${a.high}] to an integer`);
    return a;
  }

  fits(value: Interval, type: MachineType): Interval {
    const limit = LIMITS[type];
    if (value.low < limit.low || value.high > limit.high) {
      throw new BoundsError(`[${value.low}, ${value.high}] exceeds ${limit.name}`);
    }
    if (type !== 'i64') unbiased(value, 'store');
    const size = magnitude(value);
    if (size > (this.peaks[type] ?? 0n)) this.peaks[type] = size;
    return value;
  }

  assert(a: Interval, low: bigint, high: bigint): Interval {
    return interval(max(a.low, low), min(a.high, high), a.zeros, a.bias);
  }
}

/** The bounds of one element: an interval per limb of `width` bits. Sums and differences are bounded limb by limb. */
export class ElementBound {
  readonly width: number;
  readonly limbs: readonly Interval[];

  constructor(width: number, limbs: readonly Interval[]) {
    this.width = width;
    this.limbs = limbs;
  }

  /** The interval of the whole value, Σ limbᵢ·2^(width·i). */
  get value(): Interval {
    const sum = (end: 'low' | 'high'): bigint =>
      this.limbs.reduce((total, limb, i) => total + (limb[end] << BigInt(this.width * i)), 0n);
    return interval(sum('low'), sum('high'));
  }

  plus(other: ElementBound): ElementBound {
    return this.#zip(other, (a, b) => interval(a.low + b.low, a.high + b.high));
  }

  minus(other: ElementBound): ElementBound {
    return this.#zip(other, (a, b) => interval(a.low - b.high, a.high - b.low));
  }

  negated(): ElementBound {
    return this.map((a) => interval(-a.high, -a.low));
  }

  /** The sum of `count` elements of this bound. */
  times(count: number): ElementBound {
    const k = BigInt(count);
    return this.map((a) => interval(a.low * k, a.high * k));
  }

  /** Holds elements of either bound (a select, a table). */
  union(other: ElementBound): ElementBound {
    return this.#zip(other, (a, b) => interval(min(a.low, b.low), max(a.high, b.high)));
  }

  contains(inner: ElementBound): boolean {
    return this.limbs.every((limb, i) => contains(limb, inner.limbs[i] ?? limb));
  }

  map(change: (limb: Interval, index: number) => Interval): ElementBound {
    return new ElementBound(this.width, this.limbs.map(change));
  }

  #zip(other: ElementBound, combine: (a: Interval, b: Interval) => Interval): ElementBound {
    return this.map((a, i) => combine(a, other.limbs[i] ?? interval(0n, 0n)));
  }
}

export interface Analysis {
  readonly operands: Readonly<Record<string, ElementBound>>;
  readonly bytes: readonly Interval[];
  readonly result: Interval | undefined;
  readonly peaks: Peaks;
}

/** Bounds of what `program` gives for inputs in these bounds; throws BoundsError where a value could overflow. */
export function analyse(program: Program, width: number, inputs: Readonly<Record<string, ElementBound>>): Analysis {
  const domain = new IntervalDomain();
  const operands = Object.fromEntries(Object.entries(inputs).map(([name, bound]) => [name, bound.limbs]));
  const scalars = Object.fromEntries(program.scalars.map(({ name, max: high }) => [name, interval(0n, high)]));
  const bytes =
    program.bytes?.role === 'in' ? Array.from({ length: program.bytes.length }, () => interval(0n, 255n)) : [];
  let out: ReturnType<typeof walk<Interval>>;
  try {
    out = walk(program, domain, { operands, scalars, bytes });
  } catch (cause) {
    if (cause instanceof ProgramError) throw new BoundsError(cause.message, { cause });
    throw cause;
  }
  return {
    operands: Object.fromEntries(
      Object.entries(out.operands).map(([name, limbs]) => [name, new ElementBound(width, limbs)]),
    ),
    bytes: out.bytes,
    result: out.result,
    peaks: domain.peaks,
  };
}
