// Runs a decoded function over an abstract domain. Control and addresses must come out as public constants, so that
// loops unroll and memory is a map; what a value is, is the domain's business.

import { type Decoded, type DecodedFunction, type Op, Refusal } from './wasm-decode.ts';

/** A domain of values. `constantOf` gives a known public value, undefined where there is none. */
export interface WasmDomain<V> {
  constant(value: bigint, bits: 32 | 64): V;
  constantOf(value: V): bigint | undefined;
  /** Why a value may not decide control or an address. */
  refuseControl(value: V, what: string): Refusal;
  /** An operation on scalars, by the name of its instruction without the shape: 'i64.add', 'f64.relaxed_madd'. */
  apply(operation: string, operands: readonly V[]): V;
  /** Low half of a 64-bit word, as the operand of a 32-bit lane; a pair of them as one word. */
  low32(value: V): V;
  byteOf(value: V): V;
}

/** A scalar, or the two 64-bit lanes of a vector; `four` where the lanes are four 32-bit ones. */
export type Slot<V> =
  | { readonly shape: 'scalar'; readonly lanes: readonly [V] }
  | { readonly shape: 'two' | 'four'; readonly lanes: readonly V[] };

export class Memory<V> {
  readonly words = new Map<number, V>();
  readonly bytes = new Map<number, V>();
  /** Ranges that may be written. */
  readonly writable: { readonly from: number; readonly to: number }[] = [];
}

const MAX_STEPS = 4_000_000;
const VARIABLE_TIME = /\.(div|rem|sqrt)/;

export class Machine<V> {
  readonly #module: Decoded;
  readonly #domain: WasmDomain<V>;
  readonly #constants = new Map<number, number>();
  readonly memory: Memory<V>;
  #steps = 0;

  constructor(module: Decoded, domain: WasmDomain<V>, memory: Memory<V>) {
    this.#module = module;
    this.#domain = domain;
    this.memory = memory;
    for (const { address, bytes } of module.data)
      bytes.forEach((byte, i) => void this.#constants.set(address + i, byte));
  }

  call(name: string, parameters: readonly V[]): V | undefined {
    const fn = this.#module.functions[this.#module.exports.get(name) ?? -1];
    if (fn === undefined) throw new Refusal(`no function ${name}`);
    return this.#run(fn, parameters);
  }

  #run(fn: DecodedFunction, parameters: readonly V[]): V | undefined {
    if (parameters.length !== fn.parameters.length)
      throw new Refusal(`function ${fn.index}: wrong number of arguments`);
    const zero = this.#domain.constant(0n, 64);
    const locals: Slot<V>[] = [
      ...parameters.map((value): Slot<V> => ({ shape: 'scalar', lanes: [value] })),
      ...fn.locals.map(
        (type): Slot<V> =>
          type === 'v128' ? { shape: 'two', lanes: [zero, zero] } : { shape: 'scalar', lanes: [zero] },
      ),
    ];
    const stack: Slot<V>[] = [];
    const labels: { readonly loop: boolean; readonly at: number }[] = [];
    const ends = matchEnds(fn.code);
    for (let at = 0; at < fn.code.length; at++) {
      if (++this.#steps > MAX_STEPS) throw new Refusal('a loop without end');
      const op = fn.code[at]!;
      switch (op.name) {
        case 'block':
        case 'loop':
          labels.push({ loop: op.name === 'loop', at });
          break;
        case 'if':
          throw this.#domain.refuseControl(only(stack.pop()), 'if');
        case 'end':
          labels.pop();
          break;
        case 'br_if': {
          const condition = this.#public(only(stack.pop()), 'br_if');
          if (condition === 0n) break;
          const depth = labels.length - 1 - Number(op.value);
          const target = labels[depth];
          if (target === undefined) throw new Refusal('a branch out of the function');
          at = target.loop ? target.at : ends.get(target.at)!;
          labels.length = target.loop ? depth + 1 : depth;
          break;
        }
        default:
          this.#step(op, stack, locals);
      }
    }
    return fn.results.length === 0 ? undefined : only(stack.pop());
  }

  #public(value: V, what: string): bigint {
    const constant = this.#domain.constantOf(value);
    if (constant === undefined) throw this.#domain.refuseControl(value, what);
    return constant;
  }

  #step(op: Op, stack: Slot<V>[], locals: Slot<V>[]): void {
    const pop = (): Slot<V> => {
      const slot = stack.pop();
      if (slot === undefined) throw new Refusal(`${op.name}: an empty stack`);
      return slot;
    };
    const scalar = (value: V): void => void stack.push({ shape: 'scalar', lanes: [value] });
    const address = (slot: Slot<V>): number => Number(this.#public(only(slot), `address of ${op.name}`) + op.value);
    switch (op.name) {
      case 'nop':
        return;
      case 'drop':
        pop();
        return;
      case 'local.get':
        stack.push(at(locals, op));
        return;
      case 'local.set':
        at(locals, op);
        locals[Number(op.value)] = pop();
        return;
      case 'local.tee':
        at(locals, op);
        locals[Number(op.value)] = stack.at(-1)!;
        return;
      case 'i32.const':
        scalar(this.#domain.constant(op.value, 32));
        return;
      case 'i64.const':
        scalar(this.#domain.constant(op.value, 64));
        return;
      case 'call': {
        const callee = this.#module.functions[Number(op.value)];
        if (callee === undefined) throw new Refusal(`a call of function ${op.value}`);
        const operands = callee.parameters.map(() => only(pop())).reverse();
        const result = this.#run(callee, operands);
        if (result !== undefined) scalar(result);
        return;
      }
      case 'i32.load':
        scalar(this.#domain.low32(this.#word(address(pop()))));
        return;
      case 'i64.load':
        scalar(this.#word(address(pop())));
        return;
      case 'i64.load8_u':
        scalar(this.#byte(address(pop())));
        return;
      case 'v128.load': {
        const from = address(pop());
        stack.push({ shape: 'two', lanes: [this.#word(from), this.#word(from + 8)] });
        return;
      }
      case 'i64.store': {
        const value = only(pop());
        this.#write(address(pop()), 8, [value]);
        return;
      }
      case 'v128.store': {
        const value = this.#two(pop());
        this.#write(address(pop()), 16, value);
        return;
      }
      case 'i64.store8': {
        const value = this.#domain.byteOf(only(pop()));
        const to = address(pop());
        this.#checkWritable(to, 1);
        this.memory.bytes.set(to, value);
        return;
      }
      case 'select':
        throw new Refusal('a select: engines may compile it to a branch');
      default:
        this.#compute(op, stack, pop);
    }
  }

  #compute(op: Op, stack: Slot<V>[], pop: () => Slot<V>): void {
    const domain = this.#domain;
    const two = (lanes: readonly V[]): void => void stack.push({ shape: 'two', lanes });
    if (VARIABLE_TIME.test(op.name)) throw new Refusal(`${op.name}: an instruction of variable time`);
    switch (op.name) {
      case 'v128.bitselect': {
        const [mask, b, a] = [pop(), pop(), pop()];
        if (mask.shape === 'four' || a.shape === 'four') {
          const [m, x, y] = [mask, a, b].map((slot) => this.#four(slot));
          stack.push({
            shape: 'four',
            lanes: x!.map((value, i) => domain.apply('i32.bitselect', [value, y![i]!, m![i]!])),
          });
          return;
        }
        two(a.lanes.map((value, i) => domain.apply('i64.bitselect', [value, this.#two(b)[i]!, mask.lanes[i]!])));
        return;
      }
      case 'v128.and':
      case 'v128.or':
      case 'v128.xor': {
        const [b, a] = [pop(), pop()];
        const name = op.name.slice(5);
        if (a.shape === 'four' || b.shape === 'four') {
          const [x, y] = [this.#four(a), this.#four(b)];
          stack.push({ shape: 'four', lanes: x.map((value, i) => domain.apply(`i32.${name}`, [value, y[i]!])) });
          return;
        }
        two(a.lanes.map((value, i) => domain.apply(`i64.${name}`, [value, b.lanes[i]!])));
        return;
      }
      case 'i64x2.splat':
      case 'f64x2.splat': {
        const value = only(pop());
        two([value, value]);
        return;
      }
      case 'i32x4.splat': {
        const value = only(pop());
        stack.push({ shape: 'four', lanes: [value, value, value, value] });
        return;
      }
      case 'i64x2.extract_lane':
        stack.push({ shape: 'scalar', lanes: [this.#two(pop())[Number(op.value)]!] });
        return;
      case 'i64x2.replace_lane': {
        const value = only(pop());
        two(this.#two(pop()).map((lane, i) => (BigInt(i) === op.value ? value : lane)));
        return;
      }
      case 'i8x16.shuffle': {
        const [b, a] = [this.#four(pop()), this.#four(pop())];
        const lanes = [0, 1, 2, 3].map((i) => {
          const first = op.lanes[4 * i]!;
          if (first % 4 !== 0 || op.lanes.slice(4 * i, 4 * i + 4).some((byte, j) => byte !== first + j)) {
            throw new Refusal('a shuffle across 32-bit lanes');
          }
          return [...a, ...b][first / 4]!;
        });
        stack.push({ shape: 'four', lanes });
        return;
      }
      case 'i64x2.extend_low_i32x4_s':
        two(
          this.#four(pop())
            .slice(0, 2)
            .map((value) => domain.apply('i64.extend_i32_s', [value])),
        );
        return;
      case 'i64x2.extmul_low_i32x4_s': {
        const [b, a] = [this.#four(pop()), this.#four(pop())];
        const wide = (value: V): V => domain.apply('i64.extend_i32_s', [value]);
        two([0, 1].map((i) => domain.apply('i64.mul', [wide(a[i]!), wide(b[i]!)])));
        return;
      }
    }
    const vector = /^(i64|f64|i32)x([24])\.(.+)$/.exec(op.name);
    if (vector === null) {
      const count = /wrap|extend|convert/.test(op.name) ? 1 : 2;
      const operands = Array.from({ length: count }, () => only(pop())).reverse();
      stack.push({ shape: 'scalar', lanes: [domain.apply(op.name, operands)] });
      return;
    }
    const [, type, width, name] = vector as unknown as [string, string, string, string];
    const count = name === 'relaxed_madd' ? 3 : 2;
    const operands = Array.from({ length: count }, pop).reverse();
    const shift = name.startsWith('sh');
    const view = (slot: Slot<V>): readonly V[] => (width === '4' ? this.#four(slot) : this.#two(slot));
    const lanes = view(operands[0]!).map((value, i) =>
      domain.apply(`${type}.${name}`, [
        value,
        ...operands.slice(1).map((slot) => (shift ? only(slot) : view(slot)[i]!)),
      ]),
    );
    stack.push({ shape: width === '4' ? 'four' : 'two', lanes });
  }

  #two(slot: Slot<V>): readonly V[] {
    if (slot.shape === 'two') return slot.lanes;
    if (slot.shape === 'four') return [0, 2].map((i) => this.#domain.apply('i64.pair', slot.lanes.slice(i, i + 2)));
    throw new Refusal('a scalar where a vector belongs');
  }

  #four(slot: Slot<V>): readonly V[] {
    if (slot.shape === 'four') return slot.lanes;
    return slot.lanes.flatMap((word) => [this.#domain.low32(word), this.#domain.apply('i32.high', [word])]);
  }

  #word(address: number): V {
    const stored = this.memory.words.get(address);
    if (stored !== undefined) return stored;
    if (address % 8 !== 0 && address % 4 !== 0) throw new Refusal(`a load of a word at ${address}`);
    if (this.#writable(address, 8)) throw new Refusal(`a load at ${address} of what nothing has stored`);
    // Outside the writable ranges memory is what the module says: its data, and 0 elsewhere.
    let value = 0n;
    for (let i = 7; i >= 0; i--) value = (value << 8n) | BigInt(this.#constants.get(address + i) ?? 0);
    return this.#domain.constant(BigInt.asIntN(64, value), 64);
  }

  #byte(address: number): V {
    const stored = this.memory.bytes.get(address);
    if (stored === undefined) throw new Refusal(`a load of a byte at ${address}, outside the operand`);
    return stored;
  }

  #writable(address: number, length: number): boolean {
    return this.memory.writable.some(({ from, to }) => address >= from && address + length <= to);
  }

  #checkWritable(address: number, length: number): void {
    if (!this.#writable(address, length)) throw new Refusal(`a store at ${address}, outside the outputs`);
  }

  #write(address: number, length: number, values: readonly V[]): void {
    this.#checkWritable(address, length);
    if (address % 8 !== 0) throw new Refusal(`a store at ${address}, not aligned`);
    values.forEach((value, i) => void this.memory.words.set(address + 8 * i, value));
  }
}

function only<V>(slot: Slot<V> | undefined): V {
  if (slot?.shape !== 'scalar') throw new Refusal('a vector or nothing where a scalar belongs');
  return slot.lanes[0];
}

function at<V>(locals: readonly Slot<V>[], op: Op): Slot<V> {
  const slot = locals[Number(op.value)];
  if (slot === undefined) throw new Refusal(`local ${op.value} does not exist`);
  return slot;
}

/** Place of the end that belongs to each block and loop. */
function matchEnds(code: readonly Op[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  code.forEach(({ name }, i) => {
    if (name === 'block' || name === 'loop' || name === 'if') open.push(i);
    else if (name === 'end') ends.set(open.pop() ?? -1, i);
  });
  return ends;
}
