// The straight-line program: what every field operation is built as, and what proofs, interpreter and backends read.
//
// Registers hold integers; each has the machine type that a backend gives it. A program has no branch and no computed
// address. Its one structure is the `loop`, whose trip count is a constant and whose row number moves only the limb
// that `load` and `constRow` read: expanded, it is straight-line again, and that is how it is interpreted.

/** Machine type of a register: exact double, 32-bit integer, 64-bit integer, or a limb packed in 32 bits. */
export type MachineType = 'f64' | 'i32' | 'i64' | 'p32';

export type Register = number;

export type Instruction =
  /** dst = value; the machine word holds value + bias modulo 2^64. */
  | { readonly op: 'const'; readonly dst: Register; readonly value: bigint; readonly bias: bigint }
  /** The constant of this row of the enclosing loop. */
  | { readonly op: 'constRow'; readonly dst: Register; readonly rows: readonly BiasedConstant[] }
  /** dst = limb of an operand; `perRow` adds the row number of the enclosing loop. */
  | {
      readonly op: 'load';
      readonly dst: Register;
      readonly operand: string;
      readonly limb: number;
      readonly perRow: boolean;
    }
  | { readonly op: 'store'; readonly operand: string; readonly limb: number; readonly a: Register }
  | { readonly op: 'loadByte'; readonly dst: Register; readonly index: number }
  | { readonly op: 'storeByte'; readonly index: number; readonly a: Register }
  /** A scalar argument: `bit` or `factor`. */
  | { readonly op: 'param'; readonly dst: Register; readonly name: string }
  | { readonly op: 'move'; readonly dst: Register; readonly a: Register }
  | {
      readonly op: 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor';
      readonly dst: Register;
      readonly a: Register;
      readonly b: Register;
    }
  /** dst += a·b */
  | { readonly op: 'mac'; readonly dst: Register; readonly a: Register; readonly b: Register }
  /** dst += a·factor, for a constant factor. */
  | { readonly op: 'macConst'; readonly dst: Register; readonly a: Register; readonly factor: bigint }
  | { readonly op: 'mulConst'; readonly dst: Register; readonly a: Register; readonly factor: bigint }
  | {
      readonly op: 'addConst';
      readonly dst: Register;
      readonly a: Register;
      readonly value: bigint;
      readonly bias: bigint;
    }
  /** dst += a·2^−shift, for a that is a multiple of 2^shift. */
  | { readonly op: 'carryInto'; readonly dst: Register; readonly a: Register; readonly shift: number }
  /** dst = a·2^−shift, for a that is a multiple of 2^shift. */
  | { readonly op: 'divide'; readonly dst: Register; readonly a: Register; readonly shift: number }
  /** dst = a rounded to the nearest multiple of 2^width, ties to even. */
  | { readonly op: 'round'; readonly dst: Register; readonly a: Register; readonly width: number }
  /** dst = a − rounded, where rounded is `round` of the same a: at most half of 2^width. */
  | {
      readonly op: 'remainder';
      readonly dst: Register;
      readonly a: Register;
      readonly rounded: Register;
      readonly width: number;
    }
  /** dst = a & mask, for a constant mask of low ones. */
  | { readonly op: 'mask'; readonly dst: Register; readonly a: Register; readonly bits: number }
  | { readonly op: 'shiftLeft'; readonly dst: Register; readonly a: Register; readonly shift: number }
  /** Floor of a·2^−shift; on `i64` of a non-negative a only. */
  | { readonly op: 'shiftRight'; readonly dst: Register; readonly a: Register; readonly shift: number }
  /** Floor of a·2^−shift for a of either sign. */
  | { readonly op: 'shiftRightSigned'; readonly dst: Register; readonly a: Register; readonly shift: number }
  | { readonly op: 'toInt' | 'toFloat' | 'pack' | 'unpack'; readonly dst: Register; readonly a: Register }
  /** dst = a·b rounded to a multiple of 2^width, divided by it; the machine word is biased by HIGH_BIAS(width). */
  | {
      readonly op: 'mulHigh';
      readonly dst: Register;
      readonly a: Register;
      readonly b: Register;
      readonly width: number;
    }
  /** dst = a·b − high·2^width; the machine word is biased by LOW_BIAS. */
  | {
      readonly op: 'mulLow';
      readonly dst: Register;
      readonly a: Register;
      readonly b: Register;
      readonly high: Register;
      readonly width: number;
    }
  /** dst = a·factor mod 2^bits, where only the low bits of the product matter. */
  | {
      readonly op: 'mulMask';
      readonly dst: Register;
      readonly a: Register;
      readonly factor: bigint;
      readonly bits: number;
    }
  /** dst = mask ? b : a, for a mask of −1 or 0. */
  | {
      readonly op: 'choose';
      readonly dst: Register;
      readonly a: Register;
      readonly b: Register;
      readonly mask: Register;
    }
  /** dst (double) = a − offset, for an integer 0 ≤ a < 2^52. */
  | { readonly op: 'floatOf'; readonly dst: Register; readonly a: Register; readonly offset: bigint }
  /** A bound that follows from the value of the whole element and not from limbs alone; `because` says why. */
  | {
      readonly op: 'assert';
      readonly a: Register;
      readonly low: bigint;
      readonly high: bigint;
      readonly because: string;
    }
  /** a is a multiple of 2^shift, by the choice of a quotient digit. Costs nothing at run time. */
  | { readonly op: 'assertMultiple'; readonly a: Register; readonly shift: number }
  | { readonly op: 'loop'; readonly count: number; readonly body: readonly Instruction[] };

/** An instruction that has a destination. */
export type Computation = Extract<Instruction, { dst: Register }>;

export interface BiasedConstant {
  readonly value: bigint;
  readonly bias: bigint;
}

export interface Operand {
  readonly name: string;
  readonly role: 'in' | 'out' | 'inout';
}

export interface Program {
  readonly name: string;
  readonly operands: readonly Operand[];
  /** Scalar arguments with the largest value each may have; all start at 0. */
  readonly scalars: readonly { readonly name: string; readonly max: bigint }[];
  /** Length of the byte string the program reads or writes. */
  readonly bytes: { readonly role: 'in' | 'out'; readonly length: number } | undefined;
  readonly limbCount: number;
  readonly types: readonly MachineType[];
  readonly instructions: readonly Instruction[];
  /** The register a predicate returns. */
  readonly result: Register | undefined;
}

const bits = new DataView(new ArrayBuffer(8));

/** The bit pattern of a double as an integer. */
export function doubleBits(value: number): bigint {
  bits.setFloat64(0, value);
  return bits.getBigUint64(0);
}

/** 1.5·2^(52+width): adding and taking it away rounds to a multiple of 2^width. */
export const roundingConstant = (width: number): number => 1.5 * 2 ** (52 + width);
export const highBias = (width: number): bigint => doubleBits(roundingConstant(width));
export const LOW_BIAS = doubleBits(roundingConstant(0));

/** Writes a program instruction by instruction. */
export class ProgramBuilder {
  readonly #types: MachineType[] = [];
  #instructions: Instruction[] = [];
  readonly name: string;
  readonly limbCount: number;
  /** Machine type of a limb of an operand. */
  readonly limbType: MachineType;

  constructor(name: string, limbCount: number, limbType: MachineType) {
    this.name = name;
    this.limbCount = limbCount;
    this.limbType = limbType;
  }

  register(type: MachineType): Register {
    return this.#types.push(type) - 1;
  }

  typeOf(register: Register): MachineType {
    const type = this.#types[register];
    if (type === undefined) throw new Error(`${this.name}: no register ${register}`);
    return type;
  }

  emit(instruction: Instruction): void {
    this.#instructions.push(instruction);
  }

  constant(value: bigint, type: MachineType, bias = 0n): Register {
    const dst = this.register(type);
    this.emit({ op: 'const', dst, value, bias });
    return dst;
  }

  load(operand: string, limb: number, perRow = false): Register {
    const dst = this.register(this.limbType);
    this.emit({ op: 'load', dst, operand, limb, perRow });
    return dst;
  }

  loadAll(operand: string): Register[] {
    return Array.from({ length: this.limbCount }, (_, limb) => this.load(operand, limb));
  }

  storeAll(operand: string, limbs: readonly Register[]): void {
    limbs.forEach((a, limb) => {
      this.emit({ op: 'store', operand, limb, a });
    });
  }

  param(name: string, type: MachineType): Register {
    const dst = this.register(type);
    this.emit({ op: 'param', dst, name });
    return dst;
  }

  binary(op: 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor', a: Register, b: Register, type = this.typeOf(a)): Register {
    const dst = this.register(type);
    this.emit({ op, dst, a, b });
    return dst;
  }

  /** dst ← dst ± a, in place. */
  accumulate(op: 'add' | 'sub', dst: Register, a: Register): void {
    this.emit({ op, dst, a: dst, b: a });
  }

  unary(
    instruction:
      | { op: 'move' | 'toInt' | 'toFloat' | 'pack' | 'unpack' }
      | { op: 'mulConst'; factor: bigint }
      | { op: 'addConst'; value: bigint; bias: bigint }
      | { op: 'divide' | 'shiftLeft' | 'shiftRight' | 'shiftRightSigned'; shift: number }
      | { op: 'round'; width: number }
      | { op: 'mask'; bits: number }
      | { op: 'mulMask'; factor: bigint; bits: number }
      | { op: 'floatOf'; offset: bigint },
    a: Register,
    type = this.typeOf(a),
  ): Register {
    const dst = this.register(type);
    this.emit({ ...instruction, dst, a });
    return dst;
  }

  /** a rounded to a multiple of 2^width, and what is left of it. */
  split(a: Register, width: number): { rounded: Register; rest: Register } {
    const rounded = this.unary({ op: 'round', width }, a);
    const rest = this.register(this.typeOf(a));
    this.emit({ op: 'remainder', dst: rest, a, rounded, width });
    return { rounded, rest };
  }

  loop(count: number, body: () => void): void {
    const outer = this.#instructions;
    const inner: Instruction[] = [];
    this.#instructions = inner;
    body();
    this.#instructions = outer;
    this.emit({ op: 'loop', count, body: inner });
  }

  finish(operands: readonly Operand[], extra: Partial<Pick<Program, 'scalars' | 'bytes' | 'result'>> = {}): Program {
    return {
      name: this.name,
      operands,
      scalars: extra.scalars ?? [],
      bytes: extra.bytes,
      limbCount: this.limbCount,
      types: this.#types,
      instructions: this.#instructions,
      result: extra.result,
    };
  }
}
