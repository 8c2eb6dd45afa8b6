// Programs on exact doubles: Montgomery fields with signed limbs, for the TypeScript backend.
//
// Limbs are integers held in doubles, balanced around 0. A carry is a rounding by a large constant, so nothing depends
// on the sign. No double ever exceeds 2^53 (bounds.ts proves it), so every sum and product is exact.

import { analyse, BoundsError, ElementBound, interval } from './bounds.ts';
import { balancedLimbs, type Derived, unsignedLimbs } from './derive.ts';
import { type Program, ProgramBuilder, type Register } from './ir.ts';

const OUT = { name: 'out', role: 'out' } as const;
const A = { name: 'a', role: 'in' } as const;
const B = { name: 'b', role: 'in' } as const;

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

  get length(): number {
    return this.#columns.length;
  }
}

export class DoublePrograms {
  readonly d: Derived;

  constructor(derived: Derived) {
    if (derived.layout.representation !== 'montgomery') throw new Error('doubles: Montgomery layouts only');
    this.d = derived;
  }

  #start(name: string): ProgramBuilder {
    return new ProgramBuilder(name, this.d.count, 'f64');
  }

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
      const t = columns.get(first + i);
      const { rounded, rest } = p.split(t, width);
      limbs.push(rest);
      columns.addCarry(first + i + 1, rounded, width);
    }
    limbs.push(columns.get(first + count - 1));
    return limbs;
  }

  #product(p: ProgramBuilder, a: readonly Register[], b: readonly Register[]): Register[] {
    const columns = new Columns(p);
    for (let i = 0; i < this.d.count; i++) {
      b.forEach((limb, j) => {
        columns.addProduct(i + j, a[i]!, limb);
      });
      this.#reduceDigit(p, columns, i);
    }
    return this.#carrySerially(p, columns, this.d.count);
  }

  mul(): Program {
    const p = this.#start('mul');
    const a = p.loadAll('a');
    const b = p.loadAll('b');
    p.storeAll('out', this.#product(p, a, b));
    return p.finish([OUT, A, B]);
  }

  square(): Program {
    const p = this.#start('square');
    const a = p.loadAll('a');
    const columns = new Columns(p);
    for (let i = 0; i < this.d.count; i++) {
      columns.addProduct(2 * i, a[i]!, a[i]!);
      if (i < this.d.count - 1) {
        const twice = p.binary('add', a[i]!, a[i]!);
        for (let j = i + 1; j < this.d.count; j++) columns.addProduct(i + j, twice, a[j]!);
      }
      this.#reduceDigit(p, columns, i);
    }
    p.storeAll('out', this.#carrySerially(p, columns, this.d.count));
    return p.finish([OUT, A]);
  }

  /** Folds what the top limb holds beyond 2^power, then carries every limb once, all in parallel. */
  #reducePass(p: ProgramBuilder, limbs: Register[]): Register[] {
    const { width, count, topBits, foldTerms } = this.d;
    const t = [...limbs];
    const top = t[count - 1]!;
    const excess = p.split(top, topBits);
    t[count - 1] = excess.rest;
    const multiple = p.unary({ op: 'divide', shift: topBits }, excess.rounded);
    for (const { limb, factor } of foldTerms) {
      const sum = p.unary({ op: 'move' }, t[limb]!);
      new Columns(p, [sum]).addMultiple(0, multiple, factor);
      t[limb] = sum;
    }
    const parts = t.slice(0, count - 1).map((limb) => p.split(limb, width));
    return t.map((limb, i) => {
      const kept = parts[i]?.rest ?? limb;
      if (i > 0) p.emit({ op: 'carryInto', dst: kept, a: parts[i - 1]!.rounded, shift: width });
      return kept;
    });
  }

  /** Builds with as few passes as bring the result back into the contract. */
  #reduced(build: (passes: number) => Program, inputs: Record<string, ElementBound>): Program {
    for (let passes = 0; passes <= 4; passes++) {
      const program = build(passes);
      const out = analyse(program, this.d.width, inputs).operands['out'];
      if (out !== undefined && this.d.tight.contains(out)) return program;
    }
    throw new BoundsError(`${this.d.row.name}: four passes do not reduce`);
  }

  #linear(
    name: string,
    operands: Program['operands'],
    combine: (p: ProgramBuilder) => Register[],
    factor = 0n,
  ): Program {
    const { tight } = this.d;
    const scalars = factor > 0n ? [{ name: 'factor', max: factor }] : [];
    return this.#reduced(
      (passes) => {
        const p = this.#start(name);
        let limbs = combine(p);
        for (let i = 0; i < passes; i++) limbs = this.#reducePass(p, limbs);
        p.storeAll('out', limbs);
        return p.finish(operands, { scalars });
      },
      { a: tight, b: tight },
    );
  }

  copy(): Program {
    const p = this.#start('copy');
    p.storeAll('out', p.loadAll('a'));
    return p.finish([OUT, A]);
  }

  /** The constant 0 or 1. */
  constant(name: 'zero' | 'one'): Program {
    const { width, count, one } = this.d;
    const p = this.#start(name);
    const limbs = balancedLimbs(name === 'one' ? one : 0n, width, count);
    p.storeAll(
      'out',
      limbs.map((limb) => p.constant(limb, 'f64')),
    );
    return p.finish([OUT]);
  }

  add(): Program {
    return this.#linear('add', [OUT, A, B], (p) => this.#zip(p, 'add'));
  }

  sub(): Program {
    return this.#linear('sub', [OUT, A, B], (p) => this.#zip(p, 'sub'));
  }

  neg(): Program {
    return this.#linear('neg', [OUT, A], (p) => {
      const zero = p.constant(0n, 'f64');
      return p.loadAll('a').map((limb) => p.binary('sub', zero, limb));
    });
  }

  mulSmall(): Program {
    return this.#linear(
      'mulSmall',
      [OUT, A],
      (p) => {
        const factor = p.param('factor', 'f64');
        return p.loadAll('a').map((limb) => p.binary('mul', limb, factor));
      },
      0xffffn,
    );
  }

  #zip(p: ProgramBuilder, op: 'add' | 'sub'): Register[] {
    const a = p.loadAll('a');
    const b = p.loadAll('b');
    return a.map((limb, i) => p.binary(op, limb, b[i]!));
  }

  /** Sums and differences without any carry: bounds add up, and the caller's analysis answers for them. */
  addLazy(): Program {
    const p = this.#start('addLazy');
    p.storeAll('out', this.#zip(p, 'add'));
    return p.finish([OUT, A, B]);
  }

  subLazy(): Program {
    const p = this.#start('subLazy');
    p.storeAll('out', this.#zip(p, 'sub'));
    return p.finish([OUT, A, B]);
  }

  /** Brings a lazy sum of up to `terms` elements back into the contract. */
  carry(terms: number): Program {
    const wide = this.d.tight.times(terms);
    return this.#reduced(
      (passes) => {
        const p = this.#start('carry');
        let limbs = p.loadAll('a');
        for (let i = 0; i < passes; i++) limbs = this.#reducePass(p, limbs);
        p.storeAll('out', limbs);
        return p.finish([OUT, A]);
      },
      { a: wide },
    );
  }

  select(): Program {
    const p = this.#start('select');
    const bit = p.param('bit', 'f64');
    const a = p.loadAll('a');
    const b = p.loadAll('b');
    const limbs = a.map((limb, i) => {
      const sum = p.unary({ op: 'move' }, limb);
      p.emit({ op: 'mac', dst: sum, a: p.binary('sub', b[i]!, limb), b: bit });
      return sum;
    });
    // One of two elements of the contract; the interval of a + bit·(b − a) does not show it.
    limbs.forEach((limb, i) => {
      this.#assertTight(p, limb, i, 'one of two elements of the contract');
    });
    p.storeAll('out', limbs);
    return p.finish([OUT, A, B], { scalars: [{ name: 'bit', max: 1n }] });
  }

  swap(): Program {
    const p = this.#start('swap');
    const bit = p.param('bit', 'f64');
    const a = p.loadAll('a');
    const b = p.loadAll('b');
    const newA: Register[] = [];
    const newB: Register[] = [];
    a.forEach((limb, i) => {
      const difference = p.binary('mul', p.binary('sub', b[i]!, limb), bit);
      for (const [list, op, from] of [
        [newA, 'add', limb],
        [newB, 'sub', b[i]!],
      ] as const) {
        const moved = p.binary(op, from, difference);
        this.#assertTight(p, moved, i, 'one of two elements of the contract');
        list.push(moved);
      }
    });
    p.storeAll('a', newA);
    p.storeAll('b', newB);
    return p.finish(
      [
        { name: 'a', role: 'inout' },
        { name: 'b', role: 'inout' },
      ],
      { scalars: [{ name: 'bit', max: 1n }] },
    );
  }

  #assertTight(p: ProgramBuilder, a: Register, limb: number, because: string): void {
    const { low, high } = this.d.tight.limbs[limb]!;
    p.emit({ op: 'assert', a, low, high, because });
  }

  /** Unsigned limbs of the value modulo p, from balanced limbs whose value lies strictly between −p and p. */
  #canonical(p: ProgramBuilder, limbs: readonly Register[]): Register[] {
    const { width, count, modulus } = this.d;
    const carryAll = (u: Register[]): Register[] => {
      const work = [...u];
      for (let i = 0; i < count - 1; i++) {
        const carry = p.unary({ op: 'shiftRightSigned', shift: width }, work[i]!);
        work[i] = p.unary({ op: 'mask', bits: width }, work[i]!);
        work[i + 1] = p.binary('add', work[i + 1]!, carry);
      }
      return work;
    };
    const signed = carryAll(limbs.map((limb) => p.unary({ op: 'toInt' }, limb, 'i32')));
    const negative = p.unary({ op: 'shiftRightSigned', shift: 31 }, signed[count - 1]!);
    const lifted = unsignedLimbs(modulus, width, count).map((limb, i) =>
      limb === 0n ? signed[i]! : p.binary('add', signed[i]!, p.binary('and', p.constant(limb, 'i32'), negative)),
    );
    const out = carryAll(lifted);
    p.emit({
      op: 'assert',
      a: out[count - 1]!,
      low: 0n,
      high: modulus >> BigInt(width * (count - 1)),
      because: 'a value between −p and p, to which p was added if negative',
    });
    return out;
  }

  /** Checks, with the limbs of `program` as they enter #canonical, that their value lies between −p and p. */
  #checkCanonicalInput(limbs: (p: ProgramBuilder) => Register[], inputs: Record<string, ElementBound>): void {
    const p = this.#start('canonical input');
    p.storeAll('out', limbs(p));
    const value = analyse(p.finish([OUT, A, B]), this.d.width, inputs).operands['out']?.value;
    if (value === undefined || value.low <= -this.d.modulus || value.high >= this.d.modulus) {
      throw new BoundsError(`${this.d.row.name}: a value before canonical reduction may exceed the modulus`);
    }
  }

  #zeroTest(name: string, operands: Program['operands'], limbs: (p: ProgramBuilder) => Register[]): Program {
    const { tight } = this.d;
    this.#checkCanonicalInput(limbs, { a: tight, b: tight });
    const p = this.#start(name);
    const canonical = this.#canonical(p, limbs(p));
    const any = canonical.reduce((or, limb) => p.binary('or', or, limb));
    // any − 1 is negative exactly for 0.
    const below = p.unary({ op: 'addConst', value: -1n, bias: 0n }, any);
    const sign = p.unary({ op: 'shiftRightSigned', shift: 31 }, below);
    return p.finish(operands, { result: p.unary({ op: 'mask', bits: 1 }, sign) });
  }

  isZero(): Program {
    return this.#zeroTest('isZero', [A], (p) => p.loadAll('a'));
  }

  equals(): Program {
    return this.#zeroTest('equals', [A, B], (p) => this.#reducePass(p, this.#zip(p, 'sub')));
  }

  /** One Montgomery reduction: a·R^−1, between −p and p. */
  #leave(p: ProgramBuilder): Register[] {
    const columns = new Columns(p, p.loadAll('a'));
    for (let i = 0; i < this.d.count; i++) this.#reduceDigit(p, columns, i);
    return this.#carrySerially(p, columns, this.d.count);
  }

  toBytes(): Program {
    const { byteLength, width, count } = this.d;
    this.#checkCanonicalInput((p) => this.#leave(p), { a: this.d.tight });
    const p = this.#start('toBytes');
    const limbs = this.#canonical(p, this.#leave(p));
    for (let k = 0; k < byteLength; k++) {
      const limb = Math.floor((8 * k) / width);
      const offset = 8 * k - width * limb;
      let byte = offset === 0 ? limbs[limb]! : p.unary({ op: 'shiftRightSigned', shift: offset }, limbs[limb]!);
      const next = width - offset;
      if (next < 8 && limb + 1 < count) {
        const low = p.unary({ op: 'mask', bits: 8 - next }, limbs[limb + 1]!);
        byte = p.binary('add', byte, p.unary({ op: 'shiftLeft', shift: next }, low));
      }
      p.emit({ op: 'storeByte', index: byteLength - 1 - k, a: p.unary({ op: 'mask', bits: 8 }, byte) });
    }
    return p.finish([A], { bytes: { role: 'out', length: byteLength } });
  }

  fromBytes(): Program {
    return this.#reduced((passes) => this.#fromBytes(passes), {});
  }

  #fromBytes(passes: number): Program {
    const { byteLength, width, count, entry } = this.d;
    const p = this.#start('fromBytes');
    const bytes = Array.from({ length: byteLength }, (_, index) => {
      const dst = p.register('i32');
      p.emit({ op: 'loadByte', dst, index });
      return dst;
    }).reverse();
    const plain: Register[] = [];
    for (let i = 0; i < count; i++) {
      const parts: Register[] = [];
      for (let k = Math.floor((width * i) / 8); k < byteLength && 8 * k < width * (i + 1); k++) {
        const shift = 8 * k - width * i;
        if (shift < 0) parts.push(p.unary({ op: 'shiftRightSigned', shift: -shift }, bytes[k]!));
        else {
          const kept = shift + 8 > width ? p.unary({ op: 'mask', bits: width - shift }, bytes[k]!) : bytes[k]!;
          parts.push(shift === 0 ? kept : p.unary({ op: 'shiftLeft', shift }, kept));
        }
      }
      const limb = parts.length === 0 ? p.constant(0n, 'i32') : parts.reduce((sum, part) => p.binary('add', sum, part));
      plain.push(p.unary({ op: 'toFloat' }, limb, 'f64'));
    }
    const constants = balancedLimbs(entry, width, count).map((limb) => p.constant(limb, 'f64'));
    let limbs = this.#product(p, plain, constants);
    for (let i = 0; i < passes; i++) limbs = this.#reducePass(p, limbs);
    p.storeAll('out', limbs);
    return p.finish([OUT], { bytes: { role: 'in', length: byteLength } });
  }
}

/** Bound of an element whose limbs are these. */
export function exactBound(limbs: readonly bigint[], width: number): ElementBound {
  return new ElementBound(
    width,
    limbs.map((limb) => interval(limb, limb)),
  );
}
