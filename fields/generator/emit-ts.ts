// Programs on doubles → TypeScript: one statement per instruction, in the order of the program.

import { type Computation, doubleBits, type Instruction, type Program, roundingConstant } from './ir.ts';

/** A double as a literal that reads back exactly. */
function literal(value: bigint | number): string {
  const number = Number(value);
  if (typeof value === 'bigint' && BigInt(number) !== value) throw new Error(`${value} is not a double`);
  if (doubleBits(Number(String(number))) !== doubleBits(number)) throw new Error(`${number} has no exact literal`);
  return String(number);
}

const power = (exponent: number): string => literal(2 ** exponent);

class Emitter {
  readonly #program: Program;
  readonly #written = new Map<number, number>();
  readonly #declared = new Set<number>();
  readonly lines: string[] = [];

  constructor(program: Program) {
    this.#program = program;
    for (const instruction of program.instructions) {
      if ('dst' in instruction) this.#written.set(instruction.dst, (this.#written.get(instruction.dst) ?? 0) + 1);
    }
  }

  #name(register: number): string {
    return `${this.#program.types[register] === 'f64' ? 't' : 'u'}${register}`;
  }

  #isInt(register: number): boolean {
    return this.#program.types[register] === 'i32';
  }

  #set(register: number, expression: string): void {
    const name = this.#name(register);
    if (this.#declared.has(register)) this.lines.push(`${name} = ${expression};`);
    else {
      this.#declared.add(register);
      this.lines.push(`${(this.#written.get(register) ?? 0) > 1 ? 'let' : 'const'} ${name} = ${expression};`);
    }
  }

  emit(instruction: Instruction): void {
    switch (instruction.op) {
      case 'store':
        this.lines.push(`${instruction.operand}[${instruction.limb}] = ${this.#name(instruction.a)};`);
        break;
      case 'storeByte':
        this.lines.push(`bytes[offset + ${instruction.index}] = ${this.#name(instruction.a)};`);
        break;
      case 'assert':
      case 'assertMultiple':
        break;
      case 'loop':
        throw new Error(`${this.#program.name}: loops are for WebAssembly`);
      default: {
        const update = this.#update(instruction);
        if (update === undefined) this.#set(instruction.dst, this.#expression(instruction));
        else this.lines.push(`${this.#name(instruction.dst)} ${update};`);
      }
    }
  }

  /** The compound assignment of an instruction that adds to its destination. */
  #update(instruction: Computation): string | undefined {
    switch (instruction.op) {
      case 'add':
      case 'sub':
        if (instruction.dst !== instruction.a || this.#isInt(instruction.dst)) return undefined;
        return `${instruction.op === 'add' ? '+' : '-'}= ${this.#name(instruction.b)}`;
      case 'mac':
        return `+= ${this.#name(instruction.a)} * ${this.#name(instruction.b)}`;
      case 'macConst': {
        const negative = instruction.factor < 0n;
        const factor = literal(negative ? -instruction.factor : instruction.factor);
        return `${negative ? '-' : '+'}= ${this.#name(instruction.a)} * ${factor}`;
      }
      case 'carryInto':
        return `+= ${this.#name(instruction.a)} * ${power(-instruction.shift)}`;
      default:
        return undefined;
    }
  }

  #expression(instruction: Computation): string {
    switch (instruction.op) {
      case 'const':
        return literal(instruction.value);
      case 'load':
        return `${instruction.operand}[${instruction.limb}]!`;
      case 'loadByte':
        return `bytes[offset + ${instruction.index}]!`;
      case 'param':
        return instruction.name;
    }
    if (!('a' in instruction)) throw new Error(`${this.#program.name}: no TypeScript for ${instruction.op}`);
    const a = this.#name(instruction.a);
    switch (instruction.op) {
      case 'move':
      case 'toFloat':
        return a;
      case 'toInt':
        return `${a} | 0`;
      case 'add':
      case 'sub': {
        const sum = `${a} ${instruction.op === 'add' ? '+' : '-'} ${this.#name(instruction.b)}`;
        return this.#isInt(instruction.dst) ? `(${sum}) | 0` : sum;
      }
      case 'remainder':
        return `${a} - ${this.#name(instruction.rounded)}`;
      case 'mul':
        return `${a} * ${this.#name(instruction.b)}`;
      case 'and':
        return `${a} & ${this.#name(instruction.b)}`;
      case 'or':
        return `${a} | ${this.#name(instruction.b)}`;
      case 'mulConst':
        return `${a} * ${literal(instruction.factor)}`;
      case 'addConst':
        return `(${a} + ${literal(instruction.value)}) | 0`;
      case 'divide':
        return `${a} * ${power(-instruction.shift)}`;
      case 'round': {
        const constant = literal(roundingConstant(instruction.width));
        return `${a} + ${constant} - ${constant}`;
      }
      case 'mask':
        return `${a} & ${2 ** instruction.bits - 1}`;
      case 'shiftLeft':
        return `${a} << ${instruction.shift}`;
      case 'shiftRightSigned':
        return `${a} >> ${instruction.shift}`;
      default:
        throw new Error(`${this.#program.name}: no TypeScript for ${instruction.op}`);
    }
  }
}

/** Statements of the body of `program`. */
export function emitBody(program: Program): string[] {
  const emitter = new Emitter(program);
  for (const instruction of program.instructions) emitter.emit(instruction);
  return emitter.lines;
}
