// Programs → WebAssembly, one instruction after the other, in the order of the program.
//
// `vector`: every register is a v128 with one element in each of two lanes; a limb takes 16 bytes of memory.
// `scalar`: every register is an i64; a limb takes 8 bytes. Operands are addresses, outputs may be operands.

import {
  type Computation,
  doubleBits,
  highBias,
  type Instruction,
  type MachineType,
  type Program,
  type Register,
  roundingConstant,
} from '../ir.ts';
import type { ConstantPool } from './constants.ts';
import {
  type Code,
  f64,
  f64x2,
  get,
  i32,
  i32x4,
  i64,
  i64x2,
  v128,
  type WasmFunction,
  type WasmModule,
} from './encoder.ts';
import { LocalAllocator } from './locals.ts';
import { signedDigits } from './shifts.ts';

export type LaneMode = 'vector' | 'scalar';

/** Where a module keeps the word that is always 0 and pins rows to loops. */
const ZERO_ADDRESS = 16;

const EXPONENT_52 = 0x4330000000000000n;
/** C1 + 1.5·2^52, from which the high part is taken to leave the room of the low part. */
const lowConstant = (width: number): bigint => doubleBits(roundingConstant(width) + roundingConstant(0));

export class ProgramEmitter {
  readonly #program: Program;
  readonly #mode: LaneMode;
  readonly #pool: ConstantPool;
  readonly #fn: WasmFunction;
  readonly #locals: LocalAllocator;
  readonly #parameter = new Map<string, number>();
  readonly #hoisted = new Map<bigint, number>();
  #row: number | undefined;
  #zero: number | undefined;

  /** `name` where a module has the programs of several fields; without `exported` the function is for the module alone. */
  constructor(
    module: WasmModule,
    program: Program,
    mode: LaneMode,
    pool: ConstantPool,
    { name = program.name, exported = true }: { readonly name?: string; readonly exported?: boolean } = {},
  ) {
    this.#program = program;
    this.#mode = mode;
    this.#pool = pool;
    const byteNames = program.bytes === undefined ? [] : mode === 'vector' ? ['bytes0', 'bytes1'] : ['bytes0'];
    const names = [
      ...program.operands.map(({ name }) => name),
      ...program.scalars.map(({ name }) => name),
      ...byteNames,
    ];
    names.forEach((name, i) => {
      this.#parameter.set(name, i);
    });
    this.#fn = module.function(
      name,
      names.map(() => 'i32' as const),
      program.result === undefined ? [] : ['i32'],
      exported,
    );
    this.#locals = new LocalAllocator(program, this.#fn, mode === 'vector' ? 'v128' : 'i64');
  }

  emit(): WasmFunction {
    if (hasPinnedRow(this.#program.instructions)) {
      this.#zero = this.#fn.local('i32');
      this.#fn.set(this.#zero, i32.load(i32.const(0), ZERO_ADDRESS));
    }
    if (this.#mode === 'vector') this.#hoistConstants();
    this.#emitAll(this.#program.instructions);
    if (this.#program.result !== undefined) {
      const result = this.#read(this.#program.result);
      if (this.#mode === 'scalar') this.#fn.emit(i32.wrap(result));
      else {
        const lane = (index: number): Code => i32.wrap(i64x2.extractLane(result, index));
        this.#fn.emit(i32.or(lane(0), i32.shl(lane(1), i32.const(1))));
      }
    }
    return this.#fn;
  }

  /** The constants that the splitting of products uses most stay in locals. */
  #hoistConstants(): void {
    const counts = new Map<bigint, number>();
    const count = (word: bigint): void => {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    };
    const visit = (instructions: readonly Instruction[]): void => {
      for (const instruction of instructions) {
        if (instruction.op === 'loop') visit(instruction.body);
        else if (instruction.op === 'mulHigh') count(highBias(instruction.width));
        else if (instruction.op === 'mulLow') count(lowConstant(instruction.width));
        else if (instruction.op === 'mask') count((1n << BigInt(instruction.bits)) - 1n);
      }
    };
    visit(this.#program.instructions);
    const most = [...counts].filter(([, uses]) => uses > 4).sort((a, b) => b[1] - a[1]);
    for (const [word] of most.slice(0, 3)) {
      const local = this.#fn.local('v128');
      this.#fn.set(local, this.#word(word));
      this.#hoisted.set(word, local);
    }
  }

  #emitAll(instructions: readonly Instruction[]): void {
    for (const instruction of instructions) {
      this.#locals.advance();
      switch (instruction.op) {
        case 'store':
          this.#fn.emit(
            (this.#mode === 'vector' ? v128 : i64).store(
              this.#argument(instruction.operand),
              this.#read(instruction.a),
              this.#stride * instruction.limb,
            ),
          );
          break;
        case 'storeByte':
          this.#storeByte(instruction.index, this.#read(instruction.a));
          break;
        case 'assert':
        case 'assertMultiple':
          break;
        case 'loop':
          this.#emitLoop(instruction.count, instruction.body);
          break;
        default: {
          const value = this.#expression(instruction);
          this.#locals.release();
          this.#fn.set(this.#locals.write(instruction.dst), value);
        }
      }
      this.#locals.release();
    }
  }

  #emitLoop(count: number, body: readonly Instruction[]): void {
    if (count === 1) {
      const zero = this.#zero;
      if (zero === undefined) throw new Error(`${this.#program.name}: a pinned row that was not seen`);
      this.#fn.loopWhile(
        () => {
          this.#emitAll(body);
        },
        () => get(zero),
      );
    } else {
      const row = this.#fn.local('i32');
      const outer = this.#row;
      this.#row = row;
      this.#fn.set(row, i32.const(0));
      this.#fn.loopWhile(
        () => {
          this.#emitAll(body);
          this.#fn.set(row, i32.add(get(row), i32.const(this.#stride)));
        },
        () => i32.ltU(get(row), i32.const(this.#stride * count)),
      );
      this.#row = outer;
    }
    this.#locals.advance();
  }

  get #stride(): number {
    return this.#mode === 'vector' ? 16 : 8;
  }

  #argument(name: string): Code {
    const index = this.#parameter.get(name);
    if (index === undefined) throw new Error(`${this.#program.name}: no argument ${name}`);
    return get(index);
  }

  #read(register: Register): Code {
    return get(this.#locals.read(register));
  }

  #type(register: Register): MachineType {
    return this.#program.types[register] ?? 'i64';
  }

  /** A 64-bit pattern in every lane. */
  #word(word: bigint): Code {
    if (this.#mode === 'scalar') return i64.const(word);
    const local = this.#hoisted.get(word);
    return local === undefined ? v128.load(i32.const(0), this.#pool.address(word)) : get(local);
  }

  #double(value: number): Code {
    return this.#word(doubleBits(value));
  }

  #constant(value: bigint, bias: bigint, type: MachineType): Code {
    if (type === 'f64') {
      if (BigInt(Number(value)) !== value) throw new Error(`${value} is not a double`);
      return this.#double(Number(value));
    }
    if (type === 'p32') {
      const half = BigInt.asUintN(32, value);
      return this.#word((half << 32n) | half);
    }
    return this.#word(BigInt.asUintN(64, value + bias));
  }

  #add(a: Code, b: Code, type: MachineType = 'i64'): Code {
    if (this.#mode === 'scalar') return i64.add(a, b);
    return type === 'f64' ? f64x2.add(a, b) : type === 'p32' ? i32x4.add(a, b) : i64x2.add(a, b);
  }

  #sub(a: Code, b: Code, type: MachineType = 'i64'): Code {
    if (this.#mode === 'scalar') return i64.sub(a, b);
    return type === 'f64' ? f64x2.sub(a, b) : type === 'p32' ? i32x4.sub(a, b) : i64x2.sub(a, b);
  }

  #shiftLeft(a: Code, shift: number): Code {
    if (shift === 0) return a;
    return this.#mode === 'scalar' ? i64.shl(a, i64.const(BigInt(shift))) : i64x2.shl(a, shift);
  }

  #and(a: Code, b: Code): Code {
    return this.#mode === 'scalar' ? i64.and(a, b) : v128.and(a, b);
  }

  #mask(a: Code, bits: number): Code {
    return this.#and(a, this.#word((1n << BigInt(bits)) - 1n));
  }

  /** a·factor for an integer a: shifts and sums where few do. */
  #multiple(a: Code, factor: bigint): Code {
    if (this.#mode === 'scalar') {
      const digits = signedDigits(factor);
      const only = digits[0];
      if (digits.length === 1 && only?.sign === 1) return this.#shiftLeft(a, only.shift);
      return i64.mul(a, i64.const(factor));
    }
    const digits = signedDigits(factor);
    if (digits.length > 5) return i64x2.mul(a, this.#word(factor));
    const [first, ...rest] = [...digits].sort((x, y) => y.sign - x.sign);
    if (first === undefined) return this.#word(0n);
    const start = this.#shiftLeft(a, first.shift);
    return rest.reduce(
      (sum, { sign, shift }) => (sign === 1 ? this.#add : this.#sub).call(this, sum, this.#shiftLeft(a, shift)),
      first.sign === 1 ? start : this.#sub(this.#word(0n), start),
    );
  }

  #product(a: Register, b: Register): Code {
    if (this.#mode === 'scalar') return i64.mul(this.#read(a), this.#read(b));
    const type = this.#type(a);
    if (type === 'f64') return f64x2.mul(this.#read(a), this.#read(b));
    if (type === 'p32') return i64x2.extmulLowI32(this.#read(a), this.#read(b));
    throw new Error(`${this.#program.name}: product of two ${type}`);
  }

  #load(instruction: Extract<Instruction, { op: 'load' }>): Code {
    let address = this.#argument(instruction.operand);
    if (instruction.perRow) address = i32.add(address, this.#rowOffset());
    return (this.#mode === 'vector' ? v128 : i64).load(address, this.#stride * instruction.limb);
  }

  #rowOffset(): Code {
    if (this.#row === undefined) throw new Error(`${this.#program.name}: a row outside a loop`);
    return get(this.#row);
  }

  #loadByte(index: number): Code {
    const first = i64.load8U(this.#argument('bytes0'), index);
    if (this.#mode === 'scalar') return first;
    return i64x2.replaceLane(i64x2.splat(first), i64.load8U(this.#argument('bytes1'), index), 1);
  }

  #storeByte(index: number, value: Code): void {
    if (this.#mode === 'scalar') this.#fn.emit(i64.store8(this.#argument('bytes0'), value, index));
    else {
      for (const lane of [0, 1]) {
        this.#fn.emit(i64.store8(this.#argument(`bytes${lane}`), i64x2.extractLane(value, lane), index));
      }
    }
  }

  /** An argument in every lane; a bit has one bit per lane. */
  #scalar(name: string, type: MachineType): Code {
    const value = this.#argument(name);
    if (this.#mode === 'scalar') return i64.extendU(value);
    if (type === 'f64') return f64x2.splat(f64.convertI32U(value));
    if (type === 'p32') return i32x4.splat(value);
    return i64x2.replaceLane(
      i64x2.splat(i64.extendU(i32.and(value, i32.const(1)))),
      i64.extendU(i32.shrU(value, i32.const(1))),
      1,
    );
  }

  #expression(instruction: Computation): Code {
    const type = this.#type(instruction.dst);
    switch (instruction.op) {
      case 'const':
        return this.#constant(instruction.value, instruction.bias, type);
      case 'constRow': {
        const words = instruction.rows.map(({ value, bias }) => value + bias);
        return v128.load(this.#rowOffset(), this.#pool.addressOfRow(words));
      }
      case 'load':
        return this.#load(instruction);
      case 'loadByte':
        return this.#loadByte(instruction.index);
      case 'param':
        return this.#scalar(instruction.name, type);
      default:
        return this.#computation(instruction, type);
    }
  }

  #computation(
    instruction: Exclude<Computation, { op: 'const' | 'constRow' | 'load' | 'loadByte' | 'param' }>,
    type: MachineType,
  ): Code {
    const a = this.#read(instruction.a);
    const dst = (): Code => this.#read(instruction.dst);
    switch (instruction.op) {
      case 'move':
        return a;
      case 'add':
        return this.#add(a, this.#read(instruction.b), type);
      case 'sub':
        return this.#sub(a, this.#read(instruction.b), type);
      case 'remainder':
        return this.#sub(a, this.#read(instruction.rounded), type);
      case 'mul':
        return this.#product(instruction.a, instruction.b);
      case 'mac':
        if (type === 'f64') return f64x2.relaxedMadd(a, this.#read(instruction.b), dst());
        return this.#add(dst(), this.#product(instruction.a, instruction.b));
      case 'macConst':
        if (type === 'f64') return f64x2.relaxedMadd(a, this.#double(Number(instruction.factor)), dst());
        if (instruction.factor < 0n) return this.#sub(dst(), this.#multiple(a, -instruction.factor));
        return this.#add(dst(), this.#multiple(a, instruction.factor));
      case 'mulConst':
        if (type === 'f64') return f64x2.mul(a, this.#double(Number(instruction.factor)));
        return this.#multiple(a, instruction.factor);
      case 'addConst':
        return this.#add(a, this.#constant(instruction.value, instruction.bias, type), type);
      case 'carryInto':
        return f64x2.relaxedMadd(a, this.#double(2 ** -instruction.shift), dst());
      case 'divide':
        return f64x2.mul(a, this.#double(2 ** -instruction.shift));
      case 'round': {
        const constant = this.#double(roundingConstant(instruction.width));
        return f64x2.sub(f64x2.add(a, constant), constant);
      }
      case 'and':
        return this.#and(a, this.#read(instruction.b));
      case 'or':
        return this.#mode === 'scalar' ? i64.or(a, this.#read(instruction.b)) : v128.or(a, this.#read(instruction.b));
      case 'xor':
        return this.#mode === 'scalar' ? i64.xor(a, this.#read(instruction.b)) : v128.xor(a, this.#read(instruction.b));
      case 'mask':
        return this.#mask(a, instruction.bits);
      case 'mulMask':
        return this.#mask(this.#multiple(a, instruction.factor), instruction.bits);
      case 'choose': {
        const [b, mask] = [this.#read(instruction.b), this.#read(instruction.mask)];
        if (this.#mode === 'vector') return v128.bitselect(b, a, mask);
        return i64.xor(a, i64.and(i64.xor(a, b), mask));
      }
      case 'shiftLeft':
        return this.#shiftLeft(a, instruction.shift);
      case 'shiftRight':
        return this.#mode === 'scalar'
          ? i64.shrU(a, i64.const(BigInt(instruction.shift)))
          : i64x2.shrU(a, instruction.shift);
      case 'shiftRightSigned':
        return this.#mode === 'scalar'
          ? i64.shrS(a, i64.const(BigInt(instruction.shift)))
          : i64x2.shrS(a, instruction.shift);
      case 'toInt': {
        const constant = this.#double(roundingConstant(0));
        return i64x2.sub(f64x2.add(a, constant), constant);
      }
      case 'pack':
        return this.#mode === 'scalar' ? a : v128.shuffle32(a, a, [0, 2, 0, 2]);
      case 'unpack':
        return this.#mode === 'scalar' ? a : i64x2.extendLowI32(a);
      case 'mulHigh':
        return f64x2.relaxedMadd(a, this.#read(instruction.b), this.#word(highBias(instruction.width)));
      case 'mulLow': {
        const room = f64x2.sub(this.#word(lowConstant(instruction.width)), this.#read(instruction.high));
        return f64x2.relaxedMadd(a, this.#read(instruction.b), room);
      }
      case 'floatOf': {
        const biased = v128.or(a, this.#word(EXPONENT_52));
        return f64x2.sub(biased, this.#double(2 ** 52 + Number(instruction.offset)));
      }
      case 'toFloat':
        throw new Error(`${this.#program.name}: conversion to a double is floatOf here`);
    }
  }
}

/** Whether a loop that runs once is among the instructions, at any depth. */
function hasPinnedRow(instructions: readonly Instruction[]): boolean {
  return instructions.some(
    (instruction) => instruction.op === 'loop' && (instruction.count === 1 || hasPinnedRow(instruction.body)),
  );
}
