// Montgomery programs on integer columns: relaxed FMA, SIMD128 and i64.

import { balancedLimbs, type Derived } from './derive.ts';
import { type IntegerColumns, withColumns } from './integer-columns.ts';
import type { MachineType, Program, ProgramBuilder, Register } from './ir.ts';
import { A, B, FieldPrograms, listed, OUT, type Source } from './programs.ts';

export type WasmBackend = 'fma' | 'simd' | 'i64';

const LIMB_TYPES: Readonly<Record<WasmBackend, MachineType>> = { fma: 'f64', simd: 'p32', i64: 'i64' };

/** What the WebAssembly backends share, whatever they do with the columns of a product. */
export abstract class WasmPrograms extends FieldPrograms {
  readonly backend: WasmBackend;

  constructor(derived: Derived, backend: WasmBackend) {
    const limb = LIMB_TYPES[backend];
    super(derived, { limb, work: limb === 'p32' ? 'i64' : limb, int: 'i64' });
    this.backend = backend;
  }

  protected abstract multiply(columns: IntegerColumns, p: ProgramBuilder, a: Source, b: Source): Register[];
  protected abstract squareUp(columns: IntegerColumns, p: ProgramBuilder, a: Source): Register[];

  /** A limb is loaded where it is used: the registers are for the columns. */
  protected override loading(p: ProgramBuilder, operand: string): Source {
    return (limb) => p.load(operand, limb);
  }

  protected columns<T>(p: ProgramBuilder, schedule: (columns: IntegerColumns, p: ProgramBuilder) => T): T {
    return withColumns(p, this.d.width, () => this.start('count'), schedule);
  }

  /** Operands as registers of the trial run as well: it never reads what it loads. */
  override product(p: ProgramBuilder, a: Source, b: Source): Register[] {
    return this.columns(p, (columns, builder) =>
      builder === p
        ? this.multiply(columns, p, a, b)
        : this.multiply(columns, builder, this.loading(builder, 'a'), this.loading(builder, 'b')),
    );
  }

  override squared(p: ProgramBuilder, a: Source): Register[] {
    return this.columns(p, (columns, builder) =>
      this.squareUp(columns, builder, builder === p ? a : this.loading(builder, 'a')),
    );
  }

  /** Balanced limbs from columns to which 2^(width−1) was added; the last one takes what is left. */
  carryOut(columns: IntegerColumns, first: number): Register[] {
    const { p, width } = columns;
    const { count } = this.d;
    const half = 1n << BigInt(width - 1);
    const limbs: Register[] = [];
    for (let k = first; k < first + count; k++) {
      const last = k === first + count - 1;
      columns.note(k, half);
      if (!last) {
        columns.notePositive(k);
        columns.add(k + 1, p.unary({ op: 'shiftRight', shift: width }, columns.get(k)));
      }
      const digit = last ? columns.get(k) : p.unary({ op: 'mask', bits: width }, columns.get(k));
      limbs.push(this.fromBalanced(p, digit, half));
    }
    return limbs;
  }

  /** The limb digit − offset. */
  protected fromBalanced(p: ProgramBuilder, digit: Register, offset: bigint): Register {
    if (this.limbType === 'f64') return p.unary({ op: 'floatOf', offset }, digit, 'f64');
    return this.close(p, p.unary({ op: 'addConst', value: -offset, bias: 0n }, digit));
  }

  override mulSmall(): Program {
    const { width, count, entry } = this.d;
    const combine = (p: ProgramBuilder): Register[] => {
      const zero = p.constant(0n, this.limbType);
      const factor = p.param('factor', this.limbType);
      const product = this.product(p, this.loading(p, 'a'), (limb) => (limb === 0 ? factor : zero));
      if (entry === 1n) return product;
      const constants = balancedLimbs(entry, width, count).map((limb) => p.constant(limb, this.limbType));
      return this.product(p, listed(product), listed(constants));
    };
    return this.linear('mulSmall', [OUT, A], combine, [{ name: 'factor', max: 0xffffn }]);
  }

  #mask(p: ProgramBuilder): Register {
    return this.close(p, p.binary('sub', p.constant(0n, 'i64'), p.param('bit', 'i64')));
  }

  #choose(p: ProgramBuilder, a: Register, b: Register, mask: Register): Register {
    const dst = p.register(this.limbType);
    p.emit({ op: 'choose', dst, a, b, mask });
    return dst;
  }

  override select(): Program {
    const p = this.start('select');
    const mask = this.#mask(p);
    const b = p.loadAll('b');
    p.storeAll(
      'out',
      p.loadAll('a').map((limb, i) => this.#choose(p, limb, b[i]!, mask)),
    );
    return p.finish([OUT, A, B], { scalars: [{ name: 'bit', max: 1n }] });
  }

  override swap(): Program {
    const p = this.start('swap');
    const mask = this.#mask(p);
    const [a, b] = [p.loadAll('a'), p.loadAll('b')];
    const newA = a.map((limb, i) => this.#choose(p, limb, b[i]!, mask));
    const newB = b.map((limb, i) => this.#choose(p, limb, a[i]!, mask));
    p.storeAll('a', newA);
    p.storeAll('b', newB);
    const inout = (name: string) => ({ name, role: 'inout' }) as const;
    return p.finish([inout('a'), inout('b')], { scalars: [{ name: 'bit', max: 1n }] });
  }
}

export class MontgomeryPrograms extends WasmPrograms {
  /** Adds the multiple of p that clears the low digit of column i, and carries column i into the next. */
  #reduceDigit(columns: IntegerColumns, i: number): void {
    const { p, width } = columns;
    const { negativeInverse, modulusTerms } = this.d;
    const friendly = negativeInverse === 1n && modulusTerms[0]?.factor === -1n;
    columns.notePositive(i);
    const t = columns.get(i);
    // Constants of the column include −2^(width−1)·p: the digit that clears them all is the balanced one plus an offset.
    const digit = friendly
      ? p.unary({ op: 'mask', bits: width }, t)
      : p.unary({ op: 'mulMask', factor: BigInt.asUintN(width, negativeInverse), bits: width }, t);
    for (const { limb, factor: multiple } of modulusTerms) {
      if (limb === 0 && friendly) columns.noteWide(i, 1n << BigInt(width - 1));
      else columns.addDigit(i + limb, digit, multiple);
    }
    if (!friendly) p.emit({ op: 'assertMultiple', a: t, shift: width });
    columns.add(i + 1, p.unary({ op: 'shiftRight', shift: width }, t));
  }

  protected override multiply(columns: IntegerColumns, p: ProgramBuilder, a: Source, b: Source): Register[] {
    const { count } = this.d;
    for (let i = 0; i < count; i++) {
      p.loop(1, () => {
        const limb = a(i);
        for (let j = 0; j < count; j++) columns.addProduct(i + j, limb, b(j));
        this.#reduceDigit(columns, i);
      });
    }
    return this.carryOut(columns, count);
  }

  protected override squareUp(columns: IntegerColumns, p: ProgramBuilder, a: Source): Register[] {
    const { count } = this.d;
    const limbs = Array.from({ length: count }, (_, i) => a(i));
    for (let i = 0; i < count; i++) {
      p.loop(1, () => {
        columns.addProduct(2 * i, limbs[i]!, limbs[i]!);
        if (i < count - 1) {
          const twice = p.binary('add', limbs[i]!, limbs[i]!);
          for (let j = i + 1; j < count; j++) columns.addProduct(i + j, twice, limbs[j]!);
        }
        this.#reduceDigit(columns, i);
      });
    }
    return this.carryOut(columns, count);
  }

  /** One Montgomery reduction: a·R^−1. */
  override leave(p: ProgramBuilder): Register[] {
    return this.columns(p, (columns, builder) => {
      for (let i = 0; i < this.d.count; i++) columns.add(i, this.toInt(builder, builder.load('a', i)));
      for (let i = 0; i < this.d.count; i++) this.#reduceDigit(columns, i);
      return this.carryOut(columns, this.d.count);
    });
  }
}
