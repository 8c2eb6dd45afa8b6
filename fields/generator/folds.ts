// Polynomial programs: 2^(width·count) is replaced by what it is modulo p, and nothing leaves the plain domain.

import { type IntegerColumns, POSITIVE } from './integer-columns.ts';
import { WasmPrograms } from './integers.ts';
import type { ProgramBuilder, Register } from './ir.ts';
import type { Source } from './programs.ts';

abstract class PolynomialPrograms extends WasmPrograms {
  override settle(p: ProgramBuilder, limbs: readonly Register[]): Register[] {
    return this.reducePass(p, limbs);
  }

  override leave(p: ProgramBuilder): Register[] {
    return this.settle(p, p.loadAll('a'));
  }
}

/**
 * Relaxed FMA, for primes whose fold is one small factor: the second operand is multiplied by it beforehand, so that
 * a product beyond the top limb lands folded.
 */
export class ScaledFoldPrograms extends PolynomialPrograms {
  get #factor(): bigint {
    const [term, ...more] = this.d.wrapTerms;
    if (term === undefined || more.length > 0) throw new Error(`${this.d.row.name}: the fold is not one factor`);
    return term.coefficient << BigInt(term.exponent);
  }

  protected override multiply(columns: IntegerColumns, p: ProgramBuilder, a: Source, b: Source): Register[] {
    const { count } = this.d;
    const plain = Array.from({ length: count }, (_, j) => b(j));
    const scaled = plain.map((limb) => p.unary({ op: 'mulConst', factor: this.#factor }, limb));
    for (let i = 0; i < count; i++) {
      p.loop(1, () => {
        const limb = a(i);
        for (let j = 0; j < count; j++) this.#addProduct(columns, i, j, limb, plain, scaled);
      });
    }
    return this.#finish(columns, p);
  }

  protected override squareUp(columns: IntegerColumns, p: ProgramBuilder, a: Source): Register[] {
    const { count } = this.d;
    const plain = Array.from({ length: count }, (_, j) => a(j));
    const scaled = plain.map((limb) => p.unary({ op: 'mulConst', factor: this.#factor }, limb));
    for (let i = 0; i < count; i++) {
      p.loop(1, () => {
        this.#addProduct(columns, i, i, plain[i]!, plain, scaled);
        if (i === count - 1) return;
        const twice = p.binary('add', plain[i]!, plain[i]!);
        for (let j = i + 1; j < count; j++) this.#addProduct(columns, i, j, twice, plain, scaled);
      });
    }
    return this.#finish(columns, p);
  }

  #addProduct(
    columns: IntegerColumns,
    i: number,
    j: number,
    limb: Register,
    plain: readonly Register[],
    scaled: readonly Register[],
  ): void {
    const { count } = this.d;
    if (i + j < count) columns.addProduct(i + j, limb, plain[j]!);
    else columns.addProduct(i + j - count, limb, scaled[j]!);
  }

  /** Folds the high parts of the top column, carries once around, and folds the last carry into limb 0. */
  #finish(columns: IntegerColumns, p: ProgramBuilder): Register[] {
    const { count, width } = this.d;
    const half = 1n << BigInt(width - 1);
    columns.addMultiple(0, columns.get(count), this.#factor);
    let carry: Register | undefined;
    for (let k = 0; k < count; k++) {
      columns.note(k, half);
      if (k < count - 1) columns.notePositive(k);
      else columns.note(k, POSITIVE);
      if (carry !== undefined) columns.add(k, carry);
      carry = p.unary({ op: 'shiftRight', shift: width }, columns.get(k));
    }
    if (carry === undefined) throw new Error('no limbs');
    // The offset of the last shift has no column of its own: it is taken away with limb 0, where it is folded to.
    const offset = columns.positiveOffset * this.#factor + half;
    const digits = Array.from({ length: count }, (_, k) => p.unary({ op: 'mask', bits: width }, columns.get(k)));
    p.emit({ op: 'macConst', dst: digits[0]!, a: carry, factor: this.#factor });
    return digits.map((digit, k) => this.fromBalanced(p, digit, k === 0 ? offset : half));
  }
}

/** i64: schoolbook columns, folded from the top in parts that fit a limb, then carried: the JDK's polynomial fields. */
export class IntegerFoldPrograms extends PolynomialPrograms {
  protected override multiply(columns: IntegerColumns, _p: ProgramBuilder, a: Source, b: Source): Register[] {
    const { count } = this.d;
    for (let i = 0; i < count; i++) {
      const limb = a(i);
      for (let j = 0; j < count; j++) columns.addProduct(i + j, limb, b(j));
    }
    return this.#fold(columns, 2 * count - 2);
  }

  protected override squareUp(columns: IntegerColumns, p: ProgramBuilder, a: Source): Register[] {
    const { count } = this.d;
    const limbs = Array.from({ length: count }, (_, i) => a(i));
    limbs.forEach((limb, i) => {
      columns.addProduct(2 * i, limb, limb);
      if (i === count - 1) return;
      const twice = p.binary('add', limb, limb);
      for (let j = i + 1; j < count; j++) columns.addProduct(i + j, twice, limbs[j]!);
    });
    return this.#fold(columns, 2 * count - 2);
  }

  #fold(columns: IntegerColumns, top: number): Register[] {
    const { count } = this.d;
    for (let k = top; k >= count; k--) this.#foldColumn(columns, k, columns.get(k));
    const carry = this.#carry(columns, count);
    this.#foldColumn(columns, count, carry);
    this.#carry(columns, count - 1);
    return Array.from({ length: count }, (_, k) => columns.get(k));
  }

  /** Adds what column k is modulo p to the columns below it. */
  #foldColumn(columns: IntegerColumns, k: number, value: Register): void {
    const { p, width } = columns;
    for (const { coefficient, exponent } of this.d.wrapTerms) {
      const limb = k - this.d.count + Math.floor(exponent / width);
      const shift = exponent % width;
      if (shift === 0) {
        columns.addMultiple(limb, value, coefficient);
        continue;
      }
      const unit = coefficient === 1n || coefficient === -1n;
      const part = unit ? value : p.unary({ op: 'mulConst', factor: coefficient }, value);
      const sign = unit ? coefficient : 1n;
      columns.addMultiple(limb, p.unary({ op: 'mask', bits: width - shift }, part), sign << BigInt(shift));
      columns.addMultiple(limb + 1, p.unary({ op: 'shiftRightSigned', shift: width - shift }, part), sign);
    }
  }

  /** Carries columns 0 … last − 1 into balanced limbs; gives the carry out of the last one where there is no limb. */
  #carry(columns: IntegerColumns, last: number): Register {
    const { p, width } = columns;
    const { count } = this.d;
    let out = p.constant(0n, 'i64');
    for (let k = 0; k < last; k++) {
      const split = this.split(p, columns.get(k), width);
      columns.replace(k, split.rest);
      if (k + 1 < count) split.addTo(columns.get(k + 1), 1n);
      else {
        out = p.constant(0n, 'i64');
        split.addTo(out, 1n);
      }
    }
    return out;
  }
}
