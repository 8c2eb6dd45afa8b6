// Locals for the registers of a program, reused when a register is read for the last time.

import type { Instruction, Program, Register } from '../ir.ts';
import type { ValueType, WasmFunction } from './encoder.ts';

/** Registers that an instruction reads; an accumulating one reads its destination too. */
function readsOf(instruction: Instruction): Register[] {
  const reads: Register[] = [];
  if ('a' in instruction) reads.push(instruction.a);
  if ('b' in instruction) reads.push(instruction.b);
  if ('high' in instruction && typeof instruction.high === 'number') reads.push(instruction.high);
  if ('rounded' in instruction) reads.push(instruction.rounded);
  if (instruction.op === 'choose') reads.push(instruction.mask);
  if (instruction.op === 'mac' || instruction.op === 'macConst' || instruction.op === 'carryInto') {
    reads.push(instruction.dst);
  }
  return reads;
}

/**
 * Position at which each register is read for the last time. A register that a loop takes from before it lasts until
 * the loop ends; one that is first written inside is written anew in every round.
 */
function lastReads(program: Program): Map<Register, number> {
  const last = new Map<Register, number>();
  const first = new Map<Register, number>();
  let position = 0;
  const visit = (instructions: readonly Instruction[]): void => {
    for (const instruction of instructions) {
      position++;
      if (instruction.op === 'loop') {
        const start = position;
        visit(instruction.body);
        position++;
        if (instruction.count > 1) {
          for (const [register, end] of last) {
            if (end > start && (first.get(register) ?? 0) < start) last.set(register, position);
          }
        }
      } else {
        for (const register of readsOf(instruction)) last.set(register, position);
        if ('dst' in instruction && !first.has(instruction.dst)) first.set(instruction.dst, position);
      }
    }
  };
  visit(program.instructions);
  if (program.result !== undefined) last.set(program.result, position + 1);
  return last;
}

export class LocalAllocator {
  readonly #fn: WasmFunction;
  readonly #last: Map<Register, number>;
  readonly #type: ValueType;
  readonly #local = new Map<Register, number>();
  readonly #free: number[] = [];
  #position = 0;

  constructor(program: Program, fn: WasmFunction, type: ValueType) {
    this.#fn = fn;
    this.#type = type;
    this.#last = lastReads(program);
  }

  /** The local of a register that is read. */
  read(register: Register): number {
    const local = this.#local.get(register);
    if (local === undefined) throw new Error(`${this.#fn.name}: register ${register} is read before it is written`);
    return local;
  }

  /** The local of a register that is written. */
  write(register: Register): number {
    const known = this.#local.get(register);
    if (known !== undefined) return known;
    const local = this.#free.pop() ?? this.#fn.local(this.#type);
    this.#local.set(register, local);
    return local;
  }

  /** Moves to the next instruction, in the order in which positions are counted. */
  advance(): void {
    this.#position++;
  }

  /** Frees what was read for the last time. */
  release(): void {
    for (const [register, local] of this.#local) {
      if ((this.#last.get(register) ?? 0) <= this.#position) {
        this.#local.delete(register);
        this.#free.push(local);
      }
    }
  }
}
