// Holds a shipped WebAssembly module against the contracts of its functions: secrets first, then bounds.

import { aliasings, type FunctionContract, type Limits } from './artefact-contract.ts';
import type { Known } from './cases.ts';
import {
  BoundRefusal,
  doubleOfInteger,
  least,
  most,
  type Numeric,
  SCALE,
  signedWord,
  type Word,
  word,
} from './numbers.ts';
import type { Terms } from './symbols.ts';
import { BoundsDomain, pair } from './wasm-bounds.ts';
import { type Decoded, decode, Refusal } from './wasm-decode.ts';
import { Machine, Memory, type WasmDomain } from './wasm-machine.ts';
import { SECRET, TaintDomain } from './wasm-taint.ts';

export type WasmBackend = 'fma' | 'simd' | 'i64';

export interface Finding {
  readonly name: string;
  readonly kind: string;
  readonly message: string;
}

const OPERANDS = 16384;
const OPERAND_BYTES = 1024;
const STRINGS = 32768;
const STRING_BYTES = 256;

interface Layout<V> {
  readonly memory: Memory<V>;
  readonly parameters: V[];
  readonly addressOf: (operand: number) => number;
}

interface Inputs<V> {
  /** One word per lane. */
  readonly limb: (limits: Limits) => readonly V[];
  readonly byte: () => V;
  readonly scalar: (name: string, max: bigint) => V;
}

function place<V>(
  domain: WasmDomain<V>,
  fn: FunctionContract,
  lanes: number,
  classes: readonly number[],
  scratch: readonly [number, number] | undefined,
  inputs: Inputs<V>,
): Layout<V> {
  const memory = new Memory<V>();
  const addressOf = (operand: number): number => OPERANDS + OPERAND_BYTES * classes[operand]!;
  fn.operands.forEach((operand, i) => {
    const size = 8 * lanes * operand.limbs.length;
    if (operand.writes) memory.writable.push({ from: addressOf(i), to: addressOf(i) + size });
    if (!operand.reads) return;
    operand.limbs.forEach((limits, limb) => {
      inputs.limb(limits).forEach((value, lane) => {
        memory.words.set(addressOf(i) + 8 * (lanes * limb + lane), value);
      });
    });
  });
  if (scratch !== undefined) memory.writable.push({ from: scratch[0], to: scratch[1] });
  const strings: number[] = [];
  if (fn.bytes !== undefined) {
    for (let lane = 0; lane < lanes; lane++) {
      const from = STRINGS + STRING_BYTES * lane;
      strings.push(from);
      if (fn.bytes === 'out') memory.writable.push({ from, to: from + fn.byteLength });
      else for (let i = 0; i < fn.byteLength; i++) memory.bytes.set(from + i, inputs.byte());
    }
  }
  const constant = (value: number): V => domain.constant(BigInt(value), 32);
  const parameters = [
    ...fn.operands.map((_, i) => constant(addressOf(i))),
    ...fn.scalars.map(({ name, max }) => inputs.scalar(name, max)),
    ...strings.map(constant),
  ];
  return { memory, parameters, addressOf };
}

export class WasmCheck {
  readonly #module: Decoded;
  readonly #backend: WasmBackend;
  readonly #scratch: readonly [number, number] | undefined;

  /** `heapBase` ends the module's own memory, of which what follows the constants is scratch. */
  constructor(bytes: Uint8Array, backend: WasmBackend, heapBase: number) {
    this.#module = decode(bytes);
    this.#backend = backend;
    const end = Math.max(1024, ...this.#module.data.map(({ address, bytes: held }) => address + held.length));
    this.#scratch = backend === 'i64' ? [end, heapBase] : undefined;
  }

  get exports(): readonly string[] {
    return [...this.#module.exports.keys()];
  }

  get #lanes(): number {
    return this.#backend === 'i64' ? 1 : 2;
  }

  /** No branch, address or variable time depends on the operands, the byte strings or the bit. */
  secrets(fn: FunctionContract): void {
    const domain = new TaintDomain();
    const inputs = {
      limb: () => (this.#lanes === 1 ? [SECRET] : [SECRET, SECRET]),
      byte: () => SECRET,
      scalar: () => SECRET,
    };
    for (const classes of aliasings(fn.operands)) {
      const { memory, parameters } = place(domain, fn, this.#lanes, classes, this.#scratch, inputs);
      new Machine(this.#module, domain, memory).call(fn.name, parameters);
    }
  }

  /** No overflow, no inexact or abnormal double, outputs within the contract. */
  bounds(fn: FunctionContract): void {
    const bits = fn.scalars.some(({ name }) => name === 'bit') ? [...Array(2 ** this.#lanes).keys()] : [0];
    for (const classes of aliasings(fn.operands)) for (const bit of bits) this.#boundsOf(fn, classes, BigInt(bit));
  }

  #boundsOf(fn: FunctionContract, classes: readonly number[], bit: bigint): void {
    const domain = new BoundsDomain();
    const lanes = this.#lanes;
    const { memory, parameters, addressOf } = place<Numeric>(domain, fn, lanes, classes, undefined, {
      limb: ({ low, high }) => this.#limb(low, high),
      byte: () => word(0n, 255n, 64),
      scalar: (name, max) => (name === 'bit' ? word(bit, bit, 32) : word(0n, max, 32)),
    });
    const result = new Machine(this.#module, domain, memory).call(fn.name, parameters);
    fn.operands.forEach((operand, i) => {
      if (!operand.writes) return;
      operand.limbs.forEach((_, limb) => {
        for (let lane = 0; lane < lanes; lane++) {
          const value = memory.words.get(addressOf(i) + 8 * (lanes * limb + lane));
          if (value === undefined) throw new BoundRefusal(`limb ${limb} of ${operand.name} is not stored`);
          this.#checkLimb(value, fn.output?.[limb], `limb ${limb} of ${operand.name}`);
        }
      });
    });
    if (fn.bytes === 'out') {
      const stored = [...memory.bytes.keys()].length;
      if (stored !== lanes * fn.byteLength) throw new BoundRefusal('a byte that is not stored');
    }
    if (fn.result) {
      const value = result?.kind === 'word' ? signedWord(result, 'the result') : undefined;
      if (value === undefined || value.low < 0n || value.high >= 1n << BigInt(lanes)) {
        throw new BoundRefusal('a predicate with other values than bits');
      }
    }
  }

  /** What a function stores and gives, as numbers of terms; operands distinct, inputs any of their contract. */
  symbols(fn: FunctionContract, terms: Terms, domain: WasmDomain<Known>): string {
    let next = 0;
    const fresh = (numeric: Numeric): Known => ({ term: terms.term(`input ${next++}`), numeric });
    const { memory, parameters } = place<Known>(
      domain,
      fn,
      this.#lanes,
      fn.operands.map((_, i) => i),
      this.#scratch,
      {
        limb: ({ low, high }) => {
          const [first, second] = this.#limb(low, high).map(fresh);
          return second === undefined || this.#backend === 'simd'
            ? [first!, first!].slice(0, this.#lanes)
            : [first!, second];
        },
        byte: () => fresh(word(0n, 255n, 64)),
        scalar: (_, max) => fresh(word(0n, max, 32)),
      },
    );
    const result = new Machine(this.#module, domain, memory).call(fn.name, parameters);
    const list = (map: ReadonlyMap<number, Known>): string =>
      [...map]
        .sort(([i], [j]) => i - j)
        .map(([at, { term }]) => `${at}:${term.id}`)
        .join();
    return `${list(memory.words)} ${list(memory.bytes)} ${result?.term.id}`;
  }

  #limb(low: bigint, high: bigint): Numeric[] {
    if (this.#backend === 'fma') return [doubleOfInteger(low, high), doubleOfInteger(low, high)];
    if (this.#backend === 'i64') return [word(low, high, 64)];
    // Packed limbs stand twice in their vector.
    const packed = pair(word(low, high, 32), word(low, high, 32));
    return [packed, packed];
  }

  #checkLimb(value: Numeric, limits: Limits | undefined, what: string): void {
    const limit = limits ?? { low: -(1n << 63n), high: (1n << 63n) - 1n };
    let [low, high] = [0n, 0n];
    if (this.#backend === 'fma') {
      const x = value.kind === 'double' ? value : new BoundsDomain().apply('f64.add', [value, word(0n, 0n, 64)]);
      if (x.kind !== 'double' || x.zeros < 0) throw new BoundRefusal(`${what}: not an integer`);
      [low, high] = [x.low >> BigInt(SCALE), x.high >> BigInt(SCALE)];
    } else {
      if (value.kind !== 'word') throw new BoundRefusal(`${what}: a double`);
      const parts = this.#backend === 'simd' ? packedParts(value) : [value];
      if (parts === undefined) throw new BoundRefusal(`${what}: not a pair of packed limbs`);
      const ends = parts.map((part) => signedWord(part, what));
      low = least(ends.map((end) => end.low));
      high = most(ends.map((end) => end.high));
    }
    if (low < limit.low || high > limit.high) {
      throw new BoundRefusal(`${what}: [${low}, ${high}] leaves the contract [${limit.low}, ${limit.high}]`);
    }
  }
}

function packedParts(value: Word): readonly Word[] | undefined {
  if (value.parts !== undefined || value.low !== value.high) return value.parts;
  return [word(value.low, value.low, 32), word(value.low >> 32n, value.low >> 32n, 32)];
}

/**
 * The parts of an inversion: their bounds rest on a theorem on division steps (fields/generator/wasm/safegcd.ts) that
 * intervals cannot follow, so they are checked for secrets here and by values elsewhere.
 */
const SECRETS_ONLY: readonly string[] = ['settled', 'divisionSteps', 'reduceMultiples', 'invert'];

/** The contract of (out, a) as `neg` has it. */
function inPlace(name: string, contracts: readonly FunctionContract[]): FunctionContract {
  const neg = contracts.find((fn) => fn.name === 'neg');
  if (neg === undefined) throw new Refusal('no contract of neg');
  return { ...neg, name };
}

/** What is wrong with a module, by function; empty where nothing is. */
export function checkWasm(
  bytes: Uint8Array,
  backend: WasmBackend,
  heapBase: number,
  contracts: readonly FunctionContract[],
  /** Only this function. */
  one?: string,
): Finding[] {
  const findings: Finding[] = [];
  const attempt = (name: string, run: () => void): void => {
    try {
      run();
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      findings.push({ name, kind: cause.name, message: cause.message });
    }
  };
  let check: WasmCheck | undefined;
  attempt('module', () => {
    check = new WasmCheck(bytes, backend, heapBase);
  });
  if (check === undefined) return findings;
  const known = check;
  const covered = new Set([...contracts.map(({ name }) => name), ...SECRETS_ONLY]);
  for (const name of known.exports) {
    if (one !== undefined && one !== name) continue;
    attempt(name, () => {
      if (!covered.has(name)) throw new Refusal('an export without a contract');
      if (SECRETS_ONLY.includes(name)) known.secrets(inPlace(name, contracts));
    });
  }
  for (const fn of contracts) {
    if (one !== undefined && one !== fn.name) continue;
    attempt(`${fn.name} ${fn.variant}`.trim(), () => {
      known.secrets(fn);
    });
    attempt(`${fn.name} ${fn.variant}`.trim(), () => {
      known.bounds(fn);
    });
  }
  return findings;
}
