// Programs on exact doubles with signed limbs, for the TypeScript backend.
//
// Limbs are integers held in doubles, balanced around 0. A carry is a rounding by a large constant, so nothing depends
// on the sign. No double ever exceeds 2^53 (bounds.ts proves it), so every sum and product is exact.

import type { Derived } from './derive.ts';
import type { Program, ProgramBuilder, Register } from './ir.ts';
import { A, B, FieldPrograms, listed, OUT, type Source } from './programs.ts';

/** Sum of products per column, created at its first term. */
class Columns {
  readonly #p: ProgramBuilder;
  readonly #columns: (Register | undefined)[] = [];

  constructor(p: ProgramBuilder, initial: readonly Register[] = []) {
    this.#p = p;
    this.#columns = [...initial];
  }

  addProduct(k: number, a: Register, b: Register): void {
    const column = this.#columns[k];
    if (column === undefined) this.#columns[k] = this.#p.binary('mul', a, b);
    else this.#p.emit({ op: 'mac', dst: column, a, b });
  }

  addMultiple(k: number, a: Register, factor: bigint): void {
    const column = this.#columns[k];
    if (column === undefined) this.#columns[k] = this.#p.unary({ op: 'mulConst', factor }, a);
    else if (factor === 1n) this.#p.accumulate('add', column, a);
    else if (factor === -1n) this.#p.accumulate('sub', column, a);
    else this.#p.emit({ op: 'macConst', dst: column, a, factor });
  }

  addCarry(k: number, a: Register, shift: number): void {
    const column = this.#columns[k];
    if (column === undefined) this.#columns[k] = this.#p.unary({ op: 'divide', shift }, a);
    else this.#p.emit({ op: 'carryInto', dst: column, a, shift });
  }

  get(k: number): Register {
    const column = this.#columns[k] ?? this.#p.constant(0n, 'f64');
    this.#columns[k] = column;
    return column;
  }
}

/** What fields on doubles share, whatever their representation. */
export abstract class DoublePrograms extends FieldPrograms {
  constructor(derived: Derived) {
    super(derived, { limb: 'f64', work: 'f64', int: 'i32' });
  }

  override mulSmall(): Program {
    const combine = (p: ProgramBuilder): Register[] => {
      const factor = p.param('factor', 'f64');
      return p.loadAll('a').map((limb) => p.binary('mul', limb, factor));
    };
    return this.linear('mulSmall', [OUT, A], combine, [{ name: 'factor', max: 0xffffn }]);
  }

  override select(): Program {
    const p = this.start('select');
    const bit = p.param('bit', 'f64');
    const a = p.loadAll('a');
    const b = p.loadAll('b');
    const limbs = a.map((limb, i) => {
      const chosen = p.unary({ op: 'move' }, limb);
      p.emit({ op: 'mac', dst: chosen, a: p.binary('sub', b[i]!, limb), b: bit });
      this.#assertTight(p, chosen, i);
      return chosen;
    });
    p.storeAll('out', limbs);
    return p.finish([OUT, A, B], { scalars: [{ name: 'bit', max: 1n }] });
  }

  override swap(): Program {
    const p = this.start('swap');
    const bit = p.param('bit', 'f64');
    const a = p.loadAll('a');
    const b = p.loadAll('b');
    const newA: Register[] = [];
    const newB: Register[] = [];
    a.forEach((limb, i) => {
      const difference = p.binary('mul', p.binary('sub', b[i]!, limb), bit);
      newA.push(p.binary('add', limb, difference));
      newB.push(p.binary('sub', b[i]!, difference));
      this.#assertTight(p, newA[i]!, i);
      this.#assertTight(p, newB[i]!, i);
    });
    p.storeAll('a', newA);
    p.storeAll('b', newB);
    const inout = (name: string) => ({ name, role: 'inout' }) as const;
    return p.finish([inout('a'), inout('b')], { scalars: [{ name: 'bit', max: 1n }] });
  }

  /** One of two elements of the contract: the interval of a + bit·(b − a) does not show it. */
  #assertTight(p: ProgramBuilder, a: Register, limb: number): void {
    const { low, high } = this.d.tight.limbs[limb]!;
    p.emit({ op: 'assert', a, low, high, because: 'one of two elements of the contract' });
  }
}

/** Elements times R = 2^(width·count); every row of a product ends with one reduction step. */
export class DoubleMontgomeryPrograms extends DoublePrograms {
  /** Adds the multiple of p that makes column i divisible by 2^width, and carries it into column i + 1. */
  #reduceDigit(p: ProgramBuilder, columns: Columns, i: number): void {
    const { width, negativeInverse, modulusTerms } = this.d;
    const t = columns.get(i);
    const { rounded, rest } = p.split(t, width);
    // −p^−1 ≡ 1: the digit is the limb itself, and what is left of the column is the carry already found.
    const friendly = negativeInverse === 1n && modulusTerms[0]?.factor === -1n;
    const digit = friendly ? rest : p.split(p.unary({ op: 'mulConst', factor: negativeInverse }, rest), width).rest;
    for (const { limb, factor } of modulusTerms) {
      if (limb > 0 || !friendly) columns.addMultiple(i + limb, digit, factor);
    }
    if (!friendly) p.emit({ op: 'assertMultiple', a: t, shift: width });
    columns.addCarry(i + 1, friendly ? rounded : t, width);
  }

  /** Carries columns first … first + count − 1 into balanced limbs. */
  #carrySerially(p: ProgramBuilder, columns: Columns, first: number): Register[] {
    const { width, count } = this.d;
    const limbs: Register[] = [];
    for (let i = 0; i < count - 1; i++) {
      const { rounded, rest } = p.split(columns.get(first + i), width);
      limbs.push(rest);
      columns.addCarry(first + i + 1, rounded, width);
    }
    limbs.push(columns.get(first + count - 1));
    return limbs;
  }

  override product(p: ProgramBuilder, a: Source, b: Source): Register[] {
    const columns = new Columns(p);
    for (let i = 0; i < this.d.count; i++) {
      for (let j = 0; j < this.d.count; j++) columns.addProduct(i + j, a(i), b(j));
      this.#reduceDigit(p, columns, i);
    }
    return this.#carrySerially(p, columns, this.d.count);
  }

  override squared(p: ProgramBuilder, a: Source): Register[] {
    const columns = new Columns(p);
    for (let i = 0; i < this.d.count; i++) {
      columns.addProduct(2 * i, a(i), a(i));
      if (i < this.d.count - 1) {
        const twice = p.binary('add', a(i), a(i));
        for (let j = i + 1; j < this.d.count; j++) columns.addProduct(i + j, twice, a(j));
      }
      this.#reduceDigit(p, columns, i);
    }
    return this.#carrySerially(p, columns, this.d.count);
  }

  /** One Montgomery reduction: a·R^−1. */
  override leave(p: ProgramBuilder): Register[] {
    const columns = new Columns(p, p.loadAll('a'));
    for (let i = 0; i < this.d.count; i++) this.#reduceDigit(p, columns, i);
    return this.#carrySerially(p, columns, this.d.count);
  }
}

/**
 * Plain elements: the upper columns of a product are carried once, all in parallel, multiplied by what 2^(width·count)
 * is modulo p, and added to the lower ones. No step waits for the one before, as the digits of a Montgomery product do.
 */
export class DoubleFoldPrograms extends DoublePrograms {
  override product(p: ProgramBuilder, a: Source, b: Source): Register[] {
    const { count } = this.d;
    const columns = new Columns(p);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) columns.addProduct(i + j, a(i), b(j));
    }
    return this.#fold(p, columns);
  }

  override squared(p: ProgramBuilder, a: Source): Register[] {
    const { count } = this.d;
    const columns = new Columns(p);
    for (let i = 0; i < count; i++) {
      columns.addProduct(2 * i, a(i), a(i));
      if (i === count - 1) break;
      const twice = p.binary('add', a(i), a(i));
      for (let j = i + 1; j < count; j++) columns.addProduct(i + j, twice, a(j));
    }
    return this.#fold(p, columns);
  }

  #fold(p: ProgramBuilder, columns: Columns): Register[] {
    const { width, count, wrapTerms } = this.d;
    const upper = Array.from({ length: count - 1 }, (_, i) => p.split(columns.get(count + i), width));
    const high = upper.map(({ rest }) => rest);
    high.push(p.unary({ op: 'divide', shift: width }, upper[count - 2]!.rounded));
    for (let i = 1; i < count - 1; i++) {
      p.emit({ op: 'carryInto', dst: high[i]!, a: upper[i - 1]!.rounded, shift: width });
    }
    const overflow = new Columns(p);
    let overflows = 0;
    const add = (value: Register, from: number): void => {
      for (const { coefficient, exponent } of wrapTerms) {
        const limb = from + Math.floor(exponent / width);
        const factor = coefficient << BigInt(exponent % width);
        if (limb < count) columns.addMultiple(limb, value, factor);
        else {
          overflow.addMultiple(limb - count, value, factor);
          overflows = Math.max(overflows, limb - count + 1);
        }
      }
    };
    high.forEach(add);
    const again = Array.from({ length: overflows }, (_, i) => overflow.get(i));
    again.forEach(add);
    return Array.from({ length: count }, (_, i) => columns.get(i));
  }

  override mul(): Program {
    return this.#carried('mul', [OUT, A, B], (p) => this.product(p, listed(p.loadAll('a')), listed(p.loadAll('b'))));
  }

  override square(): Program {
    return this.#carried('square', [OUT, A], (p) => this.squared(p, listed(p.loadAll('a'))));
  }

  #carried(name: string, operands: Program['operands'], build: (p: ProgramBuilder) => Register[]): Program {
    const { tight } = this.d;
    return this.reduced(
      (passes) => {
        const p = this.start(name);
        let limbs = build(p);
        for (let i = 0; i < passes; i++) limbs = this.reducePass(p, limbs);
        p.storeAll('out', limbs);
        return p.finish(operands);
      },
      { a: tight, b: tight },
    );
  }

  override leave(p: ProgramBuilder): Register[] {
    return p.loadAll('a');
  }
}
