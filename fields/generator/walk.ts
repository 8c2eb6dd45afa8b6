// Runs a program over any domain of values: exact integers (interpret.ts) or intervals (bounds.ts).

import type { Computation, Instruction, MachineType, Program } from './ir.ts';

/** What a value is and how the operations act on it. Results are checked by the domain against the machine type. */
export interface Domain<V> {
  constant(value: bigint, bias: bigint): V;
  add(a: V, b: V): V;
  sub(a: V, b: V): V;
  mul(a: V, b: V): V;
  bitwise(op: 'and' | 'or' | 'xor', a: V, b: V): V;
  divide(a: V, shift: number): V;
  round(a: V, width: number): V;
  remainder(a: V, rounded: V, width: number): V;
  assertMultiple(a: V, shift: number): V;
  choose(a: V, b: V, mask: V): V;
  mask(a: V, bits: number): V;
  shiftRight(a: V, shift: number, signed: boolean): V;
  mulHigh(a: V, b: V, width: number): V;
  mulLow(a: V, b: V, high: V, width: number): V;
  floatOf(a: V): V;
  toInt(a: V): V;
  /** Refuses a result that the machine type of its register cannot hold exactly. */
  fits(value: V, type: MachineType): V;
  assert(a: V, low: bigint, high: bigint): V;
}

export interface Inputs<V> {
  /** Limbs of every operand read. */
  readonly operands: Readonly<Record<string, readonly V[]>>;
  readonly scalars?: Readonly<Record<string, V>>;
  readonly bytes?: readonly V[];
}

export interface Outputs<V> {
  readonly operands: Record<string, V[]>;
  readonly bytes: V[];
  readonly result: V | undefined;
}

/** An error with the place in the program where it arose. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

/** Runs `program`, loops expanded. */
export function walk<V>(program: Program, domain: Domain<V>, inputs: Inputs<V>): Outputs<V> {
  const registers: V[] = [];
  const outputs: Record<string, V[]> = {};
  const bytes: V[] = [];
  let stored = false;
  let step = 0;

  const read = (register: number): V => {
    const value = registers[register];
    if (value === undefined) throw new ProgramError(`register ${register} is read before it is written`);
    return value;
  };
  const typeOf = (register: number): MachineType => {
    const type = program.types[register];
    if (type === undefined) throw new ProgramError(`register ${register} has no type`);
    return type;
  };
  const limb = (operand: string, index: number): V => {
    if (stored) throw new ProgramError('a load after a store would break aliasing');
    const value = inputs.operands[operand]?.[index];
    if (value === undefined) throw new ProgramError(`operand ${operand} has no limb ${index}`);
    return value;
  };

  /** What an instruction with a destination computes. */
  const compute = (instruction: Computation, row: number): V => {
    switch (instruction.op) {
      case 'const':
        return domain.constant(instruction.value, instruction.bias);
      case 'constRow': {
        const constant = instruction.rows[row];
        if (constant === undefined) throw new ProgramError(`no constant for row ${row}`);
        return domain.constant(constant.value, constant.bias);
      }
      case 'load':
        return limb(instruction.operand, instruction.limb + (instruction.perRow ? row : 0));
      case 'loadByte': {
        const value = inputs.bytes?.[instruction.index];
        if (value === undefined) throw new ProgramError(`no byte ${instruction.index}`);
        return value;
      }
      case 'param': {
        const value = inputs.scalars?.[instruction.name];
        if (value === undefined) throw new ProgramError(`no argument ${instruction.name}`);
        return value;
      }
      case 'move':
      case 'toFloat':
      case 'pack':
      case 'unpack':
        return read(instruction.a);
      case 'toInt':
        return domain.toInt(read(instruction.a));
      case 'add':
        return domain.add(read(instruction.a), read(instruction.b));
      case 'sub':
        return domain.sub(read(instruction.a), read(instruction.b));
      case 'mul':
        return domain.mul(read(instruction.a), read(instruction.b));
      case 'and':
      case 'or':
      case 'xor':
        return domain.bitwise(instruction.op, read(instruction.a), read(instruction.b));
      case 'mac': {
        const product = domain.fits(domain.mul(read(instruction.a), read(instruction.b)), typeOf(instruction.dst));
        return domain.add(read(instruction.dst), product);
      }
      case 'macConst': {
        const product = domain.mul(read(instruction.a), domain.constant(instruction.factor, 0n));
        return domain.add(read(instruction.dst), domain.fits(product, typeOf(instruction.dst)));
      }
      case 'mulConst':
        return domain.mul(read(instruction.a), domain.constant(instruction.factor, 0n));
      case 'addConst':
        return domain.add(read(instruction.a), domain.constant(instruction.value, instruction.bias));
      case 'carryInto':
        return domain.add(read(instruction.dst), domain.divide(read(instruction.a), instruction.shift));
      case 'divide':
        return domain.divide(read(instruction.a), instruction.shift);
      case 'round':
        return domain.round(read(instruction.a), instruction.width);
      case 'remainder':
        return domain.remainder(read(instruction.a), read(instruction.rounded), instruction.width);
      case 'mask':
        return domain.mask(read(instruction.a), instruction.bits);
      case 'mulMask':
        return domain.mask(domain.mul(read(instruction.a), domain.constant(instruction.factor, 0n)), instruction.bits);
      case 'choose':
        return domain.choose(read(instruction.a), read(instruction.b), read(instruction.mask));
      case 'shiftLeft':
        return domain.mul(read(instruction.a), domain.constant(1n << BigInt(instruction.shift), 0n));
      case 'shiftRight':
        return domain.shiftRight(read(instruction.a), instruction.shift, false);
      case 'shiftRightSigned':
        return domain.shiftRight(read(instruction.a), instruction.shift, true);
      case 'mulHigh':
        return domain.mulHigh(read(instruction.a), read(instruction.b), instruction.width);
      case 'mulLow':
        return domain.mulLow(read(instruction.a), read(instruction.b), read(instruction.high), instruction.width);
      case 'floatOf':
        return domain.sub(domain.floatOf(read(instruction.a)), domain.constant(instruction.offset, 0n));
    }
  };

  const run = (instruction: Instruction, row: number): void => {
    step++;
    if ('dst' in instruction) {
      registers[instruction.dst] = domain.fits(compute(instruction, row), typeOf(instruction.dst));
      return;
    }
    switch (instruction.op) {
      case 'store': {
        stored = true;
        const target = outputs[instruction.operand] ?? [];
        outputs[instruction.operand] = target;
        target[instruction.limb] = read(instruction.a);
        break;
      }
      case 'storeByte':
        bytes[instruction.index] = domain.assert(read(instruction.a), 0n, 255n);
        break;
      case 'assert':
        registers[instruction.a] = domain.assert(read(instruction.a), instruction.low, instruction.high);
        break;
      case 'assertMultiple':
        registers[instruction.a] = domain.assertMultiple(read(instruction.a), instruction.shift);
        break;
      case 'loop':
        // A body that runs once is in the row of the loop around it.
        for (let i = 0; i < instruction.count; i++) {
          for (const inner of instruction.body) run(inner, instruction.count === 1 ? row : i);
        }
        break;
    }
  };

  for (const instruction of program.instructions) {
    try {
      run(instruction, 0);
    } catch (cause) {
      if (!(cause instanceof ProgramError)) throw cause;
      throw new ProgramError(`${program.name}, step ${step} (${instruction.op}): ${cause.message}`, { cause });
    }
  }
  return {
    operands: outputs,
    bytes,
    result: program.result === undefined ? undefined : read(program.result),
  };
}
