// The programs of a field that do not depend on how it multiplies: sums, carries, choices, bytes, predicates.

import { analyse, BoundsError, type ElementBound, symmetric } from './bounds.ts';
import { balancedLimbs, type Derived, unsignedLimbs } from './derive.ts';
import { type MachineType, type Operand, type Program, ProgramBuilder, type Register } from './ir.ts';

export const OUT: Operand = { name: 'out', role: 'out' };
export const A: Operand = { name: 'a', role: 'in' };
export const B: Operand = { name: 'b', role: 'in' };

/** Gives the register of a limb of an operand, loading it where it is asked for. */
export type Source = (limb: number) => Register;

export const listed =
  (registers: readonly Register[]): Source =>
  (limb) =>
    registers[limb]!;

/** What is left of a value after a carry, and how the carry is added to the next limb. */
export interface Split {
  readonly rest: Register;
  /** dst += carry·factor */
  addTo(dst: Register, factor: bigint): void;
}

export abstract class FieldPrograms {
  readonly d: Derived;
  /** Type of a limb in memory, of limbs at work in sums and carries, and of limbs turned into bytes. */
  readonly limbType: MachineType;
  readonly workType: MachineType;
  readonly intType: 'i32' | 'i64';

  constructor(derived: Derived, types: { limb: MachineType; work: MachineType; int: 'i32' | 'i64' }) {
    this.d = derived;
    this.limbType = types.limb;
    this.workType = types.work;
    this.intType = types.int;
  }

  /** The carried limbs of a product, as part of a longer program: what whole formulas are built from. */
  abstract product(p: ProgramBuilder, a: Source, b: Source): Register[];
  abstract squared(p: ProgramBuilder, a: Source): Register[];
  /** Limbs of the plain value of `a`, between −p and p. */
  abstract leave(p: ProgramBuilder): Register[];
  /** Limbs whose value lies between −p and p, from limbs in the contract. */
  settle(_p: ProgramBuilder, limbs: readonly Register[]): Register[] {
    return [...limbs];
  }
  abstract mulSmall(): Program;
  abstract select(): Program;
  abstract swap(): Program;

  protected start(name: string): ProgramBuilder {
    return new ProgramBuilder(name, this.d.count, this.limbType);
  }

  /** Splits at 2^width into the nearest multiple and a balanced rest. */
  split(p: ProgramBuilder, a: Register, width: number): Split {
    if (this.workType === 'f64') {
      const { rounded, rest } = p.split(a, width);
      let quotient: Register | undefined;
      const addTo = (dst: Register, factor: bigint): void => {
        if (factor === 1n) p.emit({ op: 'carryInto', dst, a: rounded, shift: width });
        else {
          quotient ??= p.unary({ op: 'divide', shift: width }, rounded);
          p.emit({ op: 'macConst', dst, a: quotient, factor });
        }
      };
      return { rest, addTo };
    }
    const half = 1n << BigInt(width - 1);
    const lifted = p.unary({ op: 'addConst', value: half, bias: 0n }, a);
    const carry = p.unary({ op: 'shiftRightSigned', shift: width }, lifted);
    const rest = p.unary({ op: 'addConst', value: -half, bias: 0n }, p.unary({ op: 'mask', bits: width }, lifted));
    const addTo = (dst: Register, factor: bigint): void => {
      if (factor === 1n) p.accumulate('add', dst, carry);
      else p.emit({ op: 'macConst', dst, a: carry, factor });
    };
    return { rest, addTo };
  }

  /** A limb as it is worked on, and back. */
  protected open(p: ProgramBuilder, limb: Register): Register {
    return this.limbType !== 'p32' ? limb : p.unary({ op: 'unpack' }, limb, this.workType);
  }

  protected close(p: ProgramBuilder, limb: Register): Register {
    return this.limbType !== 'p32' ? limb : p.unary({ op: 'pack' }, limb, this.limbType);
  }

  protected toInt(p: ProgramBuilder, limb: Register): Register {
    if (this.limbType === 'f64') return p.unary({ op: 'toInt' }, limb, this.intType);
    return this.limbType === 'p32' ? p.unary({ op: 'unpack' }, limb, 'i64') : limb;
  }

  /** A limb from a non-negative integer. */
  protected fromInt(p: ProgramBuilder, value: Register): Register {
    if (this.limbType === 'p32') return p.unary({ op: 'pack' }, value, 'p32');
    if (this.limbType !== 'f64') return value;
    return this.intType === 'i32'
      ? p.unary({ op: 'toFloat' }, value, 'f64')
      : p.unary({ op: 'floatOf', offset: 0n }, value, 'f64');
  }

  protected shiftRight(p: ProgramBuilder, value: Register, shift: number): Register {
    if (shift === 0) return value;
    return p.unary({ op: this.intType === 'i32' ? 'shiftRightSigned' : 'shiftRight', shift }, value);
  }

  mul(): Program {
    const p = this.start('mul');
    p.storeAll('out', this.product(p, this.loading(p, 'a'), this.loading(p, 'b')));
    return p.finish([OUT, A, B]);
  }

  square(): Program {
    const p = this.start('square');
    p.storeAll('out', this.squared(p, this.loading(p, 'a')));
    return p.finish([OUT, A]);
  }

  /** Loads all limbs first; backends that would rather load again override this. */
  protected loading(p: ProgramBuilder, operand: string): Source {
    return listed(p.loadAll(operand));
  }

  /** Folds what the top limb holds beyond 2^power, then carries every limb once, all in parallel. */
  reducePass(p: ProgramBuilder, limbs: readonly Register[]): Register[] {
    const { width, count, topBits, foldTerms } = this.d;
    const t = limbs.map((limb) => this.open(p, limb));
    const excess = this.split(p, t[count - 1]!, topBits);
    t[count - 1] = excess.rest;
    for (const { limb, factor } of foldTerms) {
      const sum = p.unary({ op: 'move' }, t[limb]!);
      excess.addTo(sum, factor);
      t[limb] = sum;
    }
    const parts = t.slice(0, count - 1).map((limb) => this.split(p, limb, width));
    return t.map((limb, i) => {
      const kept = parts[i]?.rest ?? limb;
      if (i > 0) parts[i - 1]!.addTo(kept, 1n);
      return this.close(p, kept);
    });
  }

  /** Builds with as few passes as bring the result back into the contract. */
  protected reduced(build: (passes: number) => Program, inputs: Record<string, ElementBound>): Program {
    let reason: unknown;
    for (let passes = 0; passes <= 4; passes++) {
      const program = build(passes);
      try {
        const out = analyse(program, this.d.width, inputs).operands['out'];
        if (out !== undefined && this.d.tight.contains(out)) return program;
      } catch (cause) {
        if (!(cause instanceof BoundsError)) throw cause;
        reason = cause;
      }
    }
    throw new BoundsError(`${this.d.row.name}: four passes do not reduce`, { cause: reason });
  }

  protected linear(
    name: string,
    operands: readonly Operand[],
    combine: (p: ProgramBuilder) => Register[],
    scalars: Program['scalars'] = [],
  ): Program {
    const { tight } = this.d;
    return this.reduced(
      (passes) => {
        const p = this.start(name);
        let limbs = combine(p);
        for (let i = 0; i < passes; i++) limbs = this.reducePass(p, limbs);
        p.storeAll('out', limbs);
        return p.finish(operands, { scalars });
      },
      { a: tight, b: tight },
    );
  }

  copy(): Program {
    const p = this.start('copy');
    p.storeAll('out', p.loadAll('a'));
    return p.finish([OUT, A]);
  }

  /** The constant 0 or 1. */
  constant(name: 'zero' | 'one'): Program {
    const { width, count, one } = this.d;
    const p = this.start(name);
    const limbs = balancedLimbs(name === 'one' ? one : 0n, width, count);
    p.storeAll(
      'out',
      limbs.map((limb) => p.constant(limb, this.limbType)),
    );
    return p.finish([OUT]);
  }

  protected zip(p: ProgramBuilder, op: 'add' | 'sub'): Register[] {
    const a = p.loadAll('a');
    const b = p.loadAll('b');
    return a.map((limb, i) => p.binary(op, limb, b[i]!));
  }

  add(): Program {
    return this.linear('add', [OUT, A, B], (p) => this.zip(p, 'add'));
  }

  sub(): Program {
    return this.linear('sub', [OUT, A, B], (p) => this.zip(p, 'sub'));
  }

  neg(): Program {
    return this.linear('neg', [OUT, A], (p) => {
      const zero = p.constant(0n, this.limbType);
      return p.loadAll('a').map((limb) => p.binary('sub', zero, limb));
    });
  }

  /** Sums and differences without any carry: bounds add up, and the caller's analysis answers for them. */
  addLazy(): Program {
    const p = this.start('addLazy');
    p.storeAll('out', this.zip(p, 'add'));
    return p.finish([OUT, A, B]);
  }

  subLazy(): Program {
    const p = this.start('subLazy');
    p.storeAll('out', this.zip(p, 'sub'));
    return p.finish([OUT, A, B]);
  }

  /** Brings an element of the contract between −p and p. */
  settled(): Program {
    const p = this.start('settled');
    p.storeAll('out', this.settle(p, p.loadAll('a')));
    return p.finish([OUT, A]);
  }

  /** The most terms of a lazy sum that `carry` takes, up to 16. */
  get carryTerms(): number {
    for (let terms = 16; terms > 1; terms--) {
      try {
        this.carry(terms);
        return terms;
      } catch (cause) {
        if (!(cause instanceof BoundsError)) throw cause;
      }
    }
    return 1;
  }

  /** Brings a lazy sum of up to `terms` elements back into the contract. */
  carry(terms: number): Program {
    return this.reduced(
      (passes) => {
        const p = this.start('carry');
        let limbs = p.loadAll('a');
        for (let i = 0; i < passes; i++) limbs = this.reducePass(p, limbs);
        p.storeAll('out', limbs);
        return p.finish([OUT, A]);
      },
      { a: this.d.tight.times(terms) },
    );
  }

  /** Brings limbs up to `limb`, whose value is up to `multiples` moduli away from 0, into the contract. */
  reduceMultiples(multiples: number, limb: bigint): Program {
    const { width, count, modulus, tight } = this.d;
    const top = ((BigInt(multiples) * modulus) >> BigInt(width * (count - 1))) + 2n;
    return this.reduced(
      (passes) => {
        const p = this.start('reduceMultiples');
        let limbs = p.loadAll('a');
        for (let i = 0; i < passes; i++) limbs = this.reducePass(p, limbs);
        p.storeAll('out', limbs);
        return p.finish([OUT, A]);
      },
      { a: tight.map((_, i) => symmetric(i === count - 1 ? top : limb)) },
    );
  }

  /** Unsigned limbs of the value modulo p, from balanced limbs whose value lies strictly between −p and p. */
  #canonical(p: ProgramBuilder, limbs: readonly Register[]): Register[] {
    const { width, count, modulus } = this.d;
    const carryAll = (u: readonly Register[]): Register[] => {
      const work = [...u];
      for (let i = 0; i < count - 1; i++) {
        const carry = p.unary({ op: 'shiftRightSigned', shift: width }, work[i]!);
        work[i] = p.unary({ op: 'mask', bits: width }, work[i]!);
        work[i + 1] = p.binary('add', work[i + 1]!, carry);
      }
      return work;
    };
    const signed = carryAll(limbs.map((limb) => this.toInt(p, limb)));
    const negative = this.#sign(p, signed[count - 1]!);
    const lifted = unsignedLimbs(modulus, width, count).map((limb, i) =>
      limb === 0n ? signed[i]! : p.binary('add', signed[i]!, p.binary('and', p.constant(limb, this.intType), negative)),
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

  /** −1 for a negative value, else 0. */
  #sign(p: ProgramBuilder, value: Register): Register {
    return p.unary({ op: 'shiftRightSigned', shift: this.intType === 'i32' ? 31 : 63 }, value);
  }

  /** Checks, with the limbs as they enter #canonical, that their value lies between −p and p. */
  #checkCanonicalInput(limbs: (p: ProgramBuilder) => Register[], inputs: Record<string, ElementBound>): void {
    const p = this.start('canonical input');
    p.storeAll('out', limbs(p));
    const value = analyse(p.finish([OUT, A, B]), this.d.width, inputs).operands['out']?.value;
    if (value === undefined || value.low <= -this.d.modulus || value.high >= this.d.modulus) {
      throw new BoundsError(`${this.d.row.name}: a value before canonical reduction may exceed the modulus`);
    }
  }

  #zeroTest(name: string, operands: readonly Operand[], limbs: (p: ProgramBuilder) => Register[]): Program {
    const { tight } = this.d;
    this.#checkCanonicalInput(limbs, { a: tight, b: tight });
    const p = this.start(name);
    const canonical = this.#canonical(p, limbs(p));
    const any = canonical.reduce((or, limb) => p.binary('or', or, limb));
    // any − 1 is negative exactly for 0.
    const sign = this.#sign(p, p.unary({ op: 'addConst', value: -1n, bias: 0n }, any));
    return p.finish(operands, { result: p.unary({ op: 'mask', bits: 1 }, sign) });
  }

  isZero(): Program {
    return this.#zeroTest('isZero', [A], (p) => this.settle(p, p.loadAll('a')));
  }

  equals(): Program {
    return this.#zeroTest('equals', [A, B], (p) => this.reducePass(p, this.zip(p, 'sub')));
  }

  toBytes(): Program {
    const { byteLength, width, count } = this.d;
    this.#checkCanonicalInput((p) => this.leave(p), { a: this.d.tight });
    const p = this.start('toBytes');
    const limbs = this.#canonical(p, this.leave(p));
    for (let k = 0; k < byteLength; k++) {
      const limb = Math.floor((8 * k) / width);
      const offset = 8 * k - width * limb;
      let byte = this.shiftRight(p, limbs[limb]!, offset);
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
    return this.reduced((passes) => this.#fromBytes(passes), {});
  }

  #fromBytes(passes: number): Program {
    const { byteLength, width, count, entry } = this.d;
    const p = this.start('fromBytes');
    const bytes = Array.from({ length: byteLength }, (_, index) => {
      const dst = p.register(this.intType);
      p.emit({ op: 'loadByte', dst, index });
      return dst;
    }).reverse();
    let limbs: Register[] = [];
    for (let i = 0; i < count; i++) {
      const parts: Register[] = [];
      // The top limb takes all bits that are left, also where the encoding is wider than the limbs.
      const end = i === count - 1 ? 8 * byteLength : width * (i + 1);
      for (let k = Math.floor((width * i) / 8); k < byteLength && 8 * k < end; k++) {
        const shift = 8 * k - width * i;
        if (shift < 0) parts.push(this.shiftRight(p, bytes[k]!, -shift));
        else {
          const kept = 8 * k + 8 > end ? p.unary({ op: 'mask', bits: end - 8 * k }, bytes[k]!) : bytes[k]!;
          parts.push(shift === 0 ? kept : p.unary({ op: 'shiftLeft', shift }, kept));
        }
      }
      const limb =
        parts.length === 0 ? p.constant(0n, this.intType) : parts.reduce((sum, part) => p.binary('add', sum, part));
      limbs.push(this.fromInt(p, limb));
    }
    if (entry !== 1n) {
      const constants = balancedLimbs(entry, width, count).map((limb) => p.constant(limb, this.limbType));
      limbs = this.product(p, listed(limbs), listed(constants));
    }
    for (let i = 0; i < passes; i++) limbs = this.reducePass(p, limbs);
    p.storeAll('out', limbs);
    return p.finish([OUT], { bytes: { role: 'in', length: byteLength } });
  }
}
