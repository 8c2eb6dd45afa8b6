// Columns of a product as 64-bit integers, and what the three WebAssembly backends do with them.
//
// FMA: a product of doubles is split exactly, high part = a·b rounded to a multiple of 2^width by adding
// C = 1.5·2^(52+width), low part = a·b − high, both taken as bit patterns whose exponent is a known bias. SIMD128 and
// i64: the product of limbs is the column's. Every constant a column needs (biases, offsets that keep shifts logical
// and digits balanced) is one constant, added when the column is created; a first run in `count` mode adds them up.

import { highBias, LOW_BIAS, type ProgramBuilder, type Register } from './ir.ts';
import { type SignedDigit, signedDigits } from './wasm/shifts.ts';

/** A multiple of every 2^width, added to a column so that it is positive when it is shifted. */
export const POSITIVE = 1n << 62n;

export interface ColumnConstant {
  value: bigint;
  bias: bigint;
}

export class IntegerColumns {
  readonly p: ProgramBuilder;
  readonly width: number;
  /** What was asked for so far, per column. */
  readonly noted: ColumnConstant[] = [];
  readonly #totals: readonly ColumnConstant[] | undefined;
  readonly #columns: (Register | undefined)[] = [];

  constructor(p: ProgramBuilder, width: number, totals?: readonly ColumnConstant[]) {
    this.p = p;
    this.width = width;
    this.#totals = totals;
  }

  /** Asks for a constant in column k. */
  note(k: number, value: bigint, bias = 0n): void {
    for (let i = this.noted.length; i <= k; i++) this.noted.push({ value: 0n, bias: 0n });
    const noted = this.noted[k]!;
    noted.value += value;
    noted.bias = BigInt.asUintN(64, noted.bias + bias);
  }

  /** Asks for a constant that may be wider than a column. */
  noteWide(k: number, value: bigint): void {
    if (value > -(1n << 60n) && value < 1n << 60n) this.note(k, value);
    else {
      this.note(k, BigInt.asUintN(this.width, value));
      this.note(k + 1, value >> BigInt(this.width));
    }
  }

  /** Makes column k positive for its shift to the right, which takes the offset along to column k + 1. */
  notePositive(k: number): void {
    this.note(k, POSITIVE);
    this.note(k + 1, -this.positiveOffset);
  }

  /** What the positive offset of a column is after its shift. */
  get positiveOffset(): bigint {
    return POSITIVE >> BigInt(this.width);
  }

  /** Makes another register column k. */
  replace(k: number, column: Register): void {
    this.#columns[k] = column;
  }

  get(k: number): Register {
    const known = this.#columns[k];
    if (known !== undefined) return known;
    const { value, bias } = this.#totals?.[k] ?? { value: 0n, bias: 0n };
    const column = this.p.constant(value, 'i64', bias);
    this.#columns[k] = column;
    return column;
  }

  #isFresh(k: number): boolean {
    const total = this.#totals?.[k];
    return this.#columns[k] === undefined && (total === undefined || (total.value === 0n && total.bias === 0n));
  }

  add(k: number, a: Register): void {
    this.p.accumulate('add', this.get(k), a);
  }

  addMultiple(k: number, a: Register, factor: bigint): void {
    const column = this.get(k);
    if (factor === 1n) this.p.accumulate('add', column, a);
    else if (factor === -1n) this.p.accumulate('sub', column, a);
    else this.p.emit({ op: 'macConst', dst: column, a, factor });
  }

  /** Adds a·b at column k. */
  addProduct(k: number, a: Register, b: Register): void {
    const { p, width } = this;
    if (p.typeOf(a) === 'f64') {
      const high = p.register('i64');
      p.emit({ op: 'mulHigh', dst: high, a, b, width });
      const low = p.register('i64');
      p.emit({ op: 'mulLow', dst: low, a, b, high, width });
      this.note(k, 0n, -LOW_BIAS);
      this.note(k + 1, 0n, -highBias(width));
      this.add(k, low);
      this.add(k + 1, high);
    } else if (this.#isFresh(k)) this.#columns[k] = p.binary('mul', a, b, 'i64');
    else p.emit({ op: 'mac', dst: this.get(k), a, b });
  }

  /**
   * Adds (digit − 2^(width−1))·factor at column k, for a digit below 2^width. A power of two that would push the digit
   * out of its word is split at the next limb.
   */
  addDigit(k: number, digit: Register, factor: bigint): void {
    const { p, width } = this;
    this.noteWide(k, -(factor << BigInt(width - 1)));
    const fits = ({ shift }: SignedDigit): boolean => width + shift <= 58;
    const digits = signedDigits(factor);
    const near = digits.filter(fits).reduce((sum, { sign, shift }) => sum + (BigInt(sign) << BigInt(shift)), 0n);
    if (near !== 0n) this.addMultiple(k, digit, near);
    for (const { sign, shift } of digits.filter((part) => !fits(part))) {
      const low = p.unary({ op: 'mulMask', factor: 1n << BigInt(shift), bits: width }, digit);
      this.addMultiple(k, low, BigInt(sign));
      this.addMultiple(k + 1, p.unary({ op: 'shiftRight', shift: width - shift }, digit), BigInt(sign));
    }
  }
}

/** Runs `schedule` once to learn the constants, then for good. */
export function withColumns<T>(
  p: ProgramBuilder,
  width: number,
  scratch: () => ProgramBuilder,
  schedule: (columns: IntegerColumns, p: ProgramBuilder) => T,
): T {
  const trial = scratch();
  const counting = new IntegerColumns(trial, width);
  schedule(counting, trial);
  return schedule(new IntegerColumns(p, width, counting.noted), p);
}
