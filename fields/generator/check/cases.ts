// Terms with intervals, case by case: where a sign decides, both signs are looked at, each with what it says of the
// value. Two functions that give the same terms in every case compute the same for every input of their contract.

import { IntervalAlgebra } from './js-bounds.ts';
import type { JsAlgebra } from './js-evaluate.ts';
import { type Double, double, doubleOf, type Numeric, normalised, patternOf, pow2, SCALE, word } from './numbers.ts';
import type { Term, Terms } from './symbols.ts';
import { BoundsDomain } from './wasm-bounds.ts';
import type { Refusal } from './wasm-decode.ts';
import type { WasmDomain } from './wasm-machine.ts';

export interface Known {
  readonly term: Term;
  readonly numeric: Numeric;
  /** How it was computed. */
  readonly from?: { readonly operation: string; readonly operands: readonly Known[] };
}

/** What this case assumes of terms, by their numbers. */
export type Case = ReadonlyMap<number, 'negative' | 'not negative' | 'zero'>;

/** The case implies that more terms are zero. */
class MoreZeros extends Error {
  readonly terms: readonly number[];

  constructor(terms: readonly number[]) {
    super('terms that are zero');
    this.terms = terms;
  }
}

class Undecided extends Error {
  readonly term: number;

  constructor(term: number) {
    super('a sign that is not decided');
    this.term = term;
  }
}

const MAX_CASES = 64;

/** Whether `compare` holds in every case that it asks for. */
export function inEveryCase(compare: (assumed: Case) => boolean): boolean {
  const open: Case[] = [new Map()];
  for (let i = 0; open.length > 0; i++) {
    if (i > MAX_CASES) return false;
    const assumed = open.pop()!;
    try {
      if (!compare(assumed)) return false;
    } catch (cause) {
      if (cause instanceof MoreZeros) {
        open.push(new Map([...assumed, ...cause.terms.map((term) => [term, 'zero'] as const)]));
      } else if (cause instanceof Undecided) {
        for (const sign of ['negative', 'not negative'] as const) open.push(new Map([...assumed, [cause.term, sign]]));
      } else throw cause;
    }
  }
  return true;
}

const NEUTRAL = /(^|\.)(add|sub|or|xor|shl|shr_s|shr_u|\+|-|\||\^|<<|>>)$/;
const SIGNED_SHIFT = /(^|\.)(shr_s|>>)$/;
const AND = /(^|\.)(and|&)$/;

/** What both languages share: simplification by intervals, and signs by cases. */
class KnownTerms {
  readonly terms: Terms;
  readonly #assumed: Case;
  readonly #termOf = new WeakMap<Double, Term>();
  readonly #refined = new Map<number, Numeric>();

  constructor(terms: Terms, assumed: Case) {
    this.terms = terms;
    this.#assumed = assumed;
  }

  /** The interval of a value, narrowed by the sign that the case assumes. */
  numericOf(value: Known): Numeric {
    const { term, numeric } = value;
    const assumed = this.#assumed.get(term.id);
    if (assumed === undefined) return numeric;
    const known = this.#refined.get(term.id) ?? narrowed(numeric, assumed);
    this.#refined.set(term.id, known);
    if (assumed === 'negative') this.#impliedZeros(value, known);
    return known;
  }

  /** A value that can only be −1, and is x − 1: x is zero, and so is what x is made of. */
  #impliedZeros({ from }: Known, numeric: Numeric): void {
    const [x, one] = from?.operands ?? [];
    const unit = numeric.kind === 'double' ? pow2(0) : 1n;
    if (x === undefined || one === undefined || numeric.low !== -unit || numeric.high !== -unit) return;
    const added = /(add|\+)$/.test(from!.operation)
      ? one.numeric.low
      : /(sub|-)$/.test(from!.operation)
        ? -one.numeric.low
        : 0n;
    if (one.numeric.low !== one.numeric.high || added !== -unit) return;
    const zeros = zerosOf(x).filter((term) => this.#assumed.get(term) !== 'zero');
    if (zeros.length > 0) throw new MoreZeros(zeros);
  }

  /** A value rounded to a multiple is that, whichever constant was added and taken away. */
  #rounded(numeric: Numeric): Term | undefined {
    if (numeric.kind !== 'double' || numeric.rounding?.constant !== 0n || numeric.rounding.sign !== 1n)
      return undefined;
    const { of, grid, odd } = numeric.rounding;
    const terms = of.map((factor) => this.#termOf.get(factor)?.id);
    if (terms.includes(undefined)) return undefined;
    return this.terms.term(`round ${terms.sort().join(' ')} to ${grid} ${odd}`);
  }

  settle(operation: string, operands: readonly Known[], numeric: Numeric, constant: (x: Numeric) => Term): Known {
    const [a, b] = operands;
    if (numeric.low === numeric.high) return { term: constant(numeric), numeric };
    if (SIGNED_SHIFT.test(operation) && a !== undefined && b !== undefined) {
      // Carries may be −1 or 0 as well, but only shifts by (almost) all bits are taken for signs.
      const [unit, bits] = numeric.kind === 'double' ? [pow2(0), 30n] : [1n, 61n];
      if (b.numeric.low >= bits * unit && numeric.low >= -unit && numeric.high <= 0n) throw new Undecided(a.term.id);
    }
    if (a !== undefined && b !== undefined) {
      const isZero = ({ numeric: x }: Known): boolean => x.low === 0n && x.high === 0n;
      if (NEUTRAL.test(operation) && isZero(b)) return { term: a.term, numeric };
      if (/(add|or|xor|\+|\||\^)$/.test(operation) && isZero(a)) return { term: b.term, numeric };
      if (AND.test(operation) && covers(this.numericOf(b), this.numericOf(a))) return { term: a.term, numeric };
      if (AND.test(operation) && covers(this.numericOf(a), this.numericOf(b))) return { term: b.term, numeric };
    }
    const term =
      this.#rounded(numeric) ??
      this.terms.apply(
        operation,
        operands.map((operand) => operand.term),
      );
    if (numeric.kind === 'double') this.#termOf.set(numeric, term);
    return { term, numeric, from: { operation, operands } };
  }
}

/** The terms that are zero where this value is: the value itself, the parts of an or, what a sum doubles. */
function zerosOf(value: Known): number[] {
  const [a, b] = value.from?.operands ?? [];
  const parts: number[] = [];
  if (a !== undefined && b !== undefined) {
    const { operation } = value.from!;
    if (/(^|\.)(or|\|)$/.test(operation)) parts.push(...zerosOf(a), ...zerosOf(b));
    const small = value.numeric.high - value.numeric.low < (value.numeric.kind === 'double' ? pow2(63) : 1n << 63n);
    if (/(^|\.)(add|\+)$/.test(operation) && a.term === b.term && small) parts.push(...zerosOf(a));
  }
  const known = value.numeric.low === value.numeric.high;
  return known ? parts : [value.term.id, ...parts];
}

/** Whether a mask of low bits (or of all) leaves every value as it is. */
function covers(mask: Numeric, value: Numeric): boolean {
  if (mask.low !== mask.high) return false;
  const [bits, low, high] = [mask, value].flatMap((x) => {
    const scale = x.kind === 'double' ? BigInt(SCALE) : 0n;
    return x === mask ? [x.low >> scale] : [x.low >> scale, x.high >> scale];
  }) as [bigint, bigint, bigint];
  return bits === -1n || (bits > 0n && (bits & (bits + 1n)) === 0n && low >= 0n && high <= bits);
}

function narrowed(x: Numeric, assumed: 'negative' | 'not negative' | 'zero'): Numeric {
  const { low, high } = x.kind === 'word' ? (normalised(x) ?? x) : x;
  const unit = x.kind === 'double' ? pow2(0) : 1n;
  const ends: readonly [bigint, bigint] = {
    zero: [0n, 0n] as const,
    negative: [low, high < 0n ? high : -unit] as const,
    'not negative': [low > 0n ? low : 0n, high] as const,
  }[assumed];
  return x.kind === 'double' ? double(...ends, x.zeros) : word(...ends, x.bits);
}

export class KnownWasm implements WasmDomain<Known> {
  readonly #known: KnownTerms;
  readonly #bounds = new BoundsDomain();

  constructor(terms: Terms, assumed: Case) {
    this.#known = new KnownTerms(terms, assumed);
  }

  constant(value: bigint, bits: 32 | 64): Known {
    return { term: this.#known.terms.constant(value, bits), numeric: this.#bounds.constant(value, bits) };
  }

  constantOf(value: Known): bigint | undefined {
    return this.#bounds.constantOf(value.numeric);
  }

  refuseControl(value: Known, what: string): Refusal {
    return this.#bounds.refuseControl(value.numeric, what);
  }

  low32(value: Known): Known {
    // The low half of a sum, product or bit operation is that of the low halves.
    const { from } = value;
    if (from !== undefined && /^i64\.(add|sub|mul|and|or|xor)$/.test(from.operation)) {
      return this.apply(
        from.operation.replace('i64', 'i32'),
        from.operands.map((operand) => this.low32(operand)),
      );
    }
    return this.#apply('low', [value], this.#bounds.low32(this.#known.numericOf(value)));
  }

  byteOf(value: Known): Known {
    const [kept, mask] = value.from?.operation === 'i64.and' ? value.from.operands : [];
    const bits = mask === undefined ? undefined : this.constantOf(mask);
    if (kept !== undefined && bits !== undefined && (bits & 255n) === 255n) return this.byteOf(kept);
    return this.#apply('byte', [value], this.#bounds.byteOf(this.#known.numericOf(value)));
  }

  apply(operation: string, operands: readonly Known[]): Known {
    return this.#apply(
      operation,
      operands,
      this.#bounds.apply(
        operation,
        operands.map((value) => this.#known.numericOf(value)),
      ),
    );
  }

  #apply(operation: string, operands: readonly Known[], numeric: Numeric): Known {
    return this.#known.settle(operation, operands, numeric, (x) => {
      const pattern = x.kind === 'word' ? x : patternOf(x, operation);
      return this.#known.terms.constant(pattern.low, pattern.bits);
    });
  }
}

export class KnownJs implements JsAlgebra<Known> {
  readonly #known: KnownTerms;
  readonly #intervals = new IntervalAlgebra();

  constructor(terms: Terms, assumed: Case) {
    this.#known = new KnownTerms(terms, assumed);
  }

  literal(value: number): Known {
    const numeric = doubleOf(value);
    return { term: this.#known.terms.term(`double ${numeric.low}`), numeric };
  }

  binary(operator: string, a: Known, b: Known): Known {
    const [x, y] = [a, b].map((value) => this.#known.numericOf(value)) as [Double, Double];
    return this.#known.settle(operator, [a, b], this.#intervals.binary(operator, x, y), ({ low }) =>
      this.#known.terms.term(`double ${low}`),
    );
  }
}
