// The value test of an edited function: its outputs against those of the original, on random and edge inputs.
//
// A predicate is watched where it decides: the words that it ors together count as output, since its one bit hides
// nearly every wrong word.

import { Script } from 'node:vm';
import { get, i32, i64, v128 } from '../wasm/encoder.ts';
import type { FunctionContract, Limits } from './artefact-contract.ts';
import type { Artefact, TextArtefact, WasmArtefact } from './artefacts.ts';
import { functionsOf, parseSource } from './js-source.ts';
import type { Random } from './random.ts';
import { decode, Refusal } from './wasm-decode.ts';
import { withBody } from './wasm-mutate.ts';

interface Values {
  /** Per operand and lane. */
  readonly limbs: readonly (readonly (readonly bigint[])[])[];
  readonly bytes: readonly (readonly number[])[];
  readonly scalars: readonly number[];
}

type Run = (values: Values) => string;

/** Inputs within the contract: random limbs and ends, 0, p, single limbs, and operands that are equal. */
function inputs(fn: FunctionContract, artefact: Artefact, lanes: number, random: Random): Values {
  const element = (limbs: readonly Limits[]): bigint[] => {
    const kind = random.below(8);
    if (kind === 6) return limbs.map((limit, i) => clamp(random.pick(artefact.units)![i]!, limit));
    if (kind === 7) return ripple(limbs);
    const only = random.below(limbs.length);
    if (kind < 2) return nearZero(limbs);
    return limbs.map(({ low, high }, i) => {
      if (kind === 2 && i !== only) return 0n;
      if (kind > 3) return random.between(low, high);
      return [low, high, 0n, 1n, -1n, -(1n << BigInt(artefact.width - 1))][random.below(6)]!;
    });
  };
  /** Limbs all at the end of what a carry leaves: one more, and it runs through all of them. */
  const ripple = (limbs: readonly Limits[]): bigint[] => {
    const half = 1n << BigInt(artefact.width - 1);
    const limb = [half - 1n, half, -half, -half - 1n][random.below(4)]!;
    const change = random.below(limbs.length);
    return limbs.map(({ low, high }, i) => {
      if (i === limbs.length - 1) return random.between(low, high);
      return clamp(i === change ? limb + BigInt(random.below(3) - 1) : limb, { low, high });
    });
  };
  /** 0 or ±p, or what differs from it in one limb. */
  const nearZero = (limits: readonly Limits[]): bigint[] =>
    shifted(
      limits.map(() => 0n),
      limits,
    );
  /** `start` plus 0 or ±p in another form of limbs, or what differs from it in one limb. */
  const shifted = (start: readonly bigint[], limits: readonly Limits[]): bigint[] => {
    const sign = [0n, 0n, 1n, -1n][random.below(4)]!;
    const value = start.map((limb, i) => limb + sign * artefact.modulus[i]!);
    const fits = (i: number, limb: bigint): boolean => limb >= limits[i]!.low && limb <= limits[i]!.high;
    for (let pass = 0; pass < 2; pass++) {
      for (let i = 0; i + 1 < value.length; i++) {
        // What does not fit is carried; what does may be.
        const choices = [0n, 1n, -1n].filter((carry) => fits(i, value[i]! + (carry << BigInt(artefact.width))));
        const carry = random.pick(choices) ?? 0n;
        const next = value[i + 1]! - carry;
        if (i + 2 === value.length && !fits(i + 1, next)) continue;
        value[i] = value[i]! + (carry << BigInt(artefact.width));
        value[i + 1] = next;
      }
    }
    if (random.below(3) === 0) {
      const i = random.below(value.length);
      const delta = (random.below(2) === 0 ? 1n : -1n) << BigInt(random.below(artefact.width));
      value[i] = value[i]! + delta;
    }
    return value.map((limb, i) => clamp(limb, limits[i]!));
  };
  const limbs = fn.operands.map(({ limbs: of }) => Array.from({ length: lanes }, () => element(of)));
  if (fn.name === 'mul' && random.below(3) === 0) {
    // A product that is one of its factors, or its negative.
    const [first, second] = random.below(2) === 0 ? [1, 2] : [2, 1];
    const unit = random.pick(artefact.units)!;
    limbs[first] = limbs[first]!.map(() => ripple(fn.operands[first]!.limbs));
    limbs[second] = limbs[second]!.map((lane) => lane.map((_, i) => clamp(unit[i]!, fn.operands[second]!.limbs[i]!)));
  }
  const [a, b] = fn.operands.flatMap(({ reads }, i) => (reads ? [i] : []));
  if (a !== undefined && b !== undefined && random.below(2) === 0) {
    limbs[b] = limbs[a]!.map((lane) => shifted(lane, fn.operands[b]!.limbs));
  }
  return {
    limbs,
    bytes: Array.from({ length: lanes }, () =>
      Array.from({ length: fn.byteLength }, () => [0, 255, random.below(256), random.below(256)][random.below(4)]!),
    ),
    scalars: fn.scalars.map(({ name, max }) =>
      name === 'bit' ? random.below(2 ** lanes) : random.pick([1, 2, Number(random.between(0n, max))])!,
    ),
  };
}

const WATCHED = 28_672;

const clamp = (value: bigint, { low, high }: Limits): bigint => (value < low ? low : value > high ? high : value);

/** The function with a store of every or to memory of its own. */
function watched(binary: Uint8Array, name: string): Uint8Array {
  const module = decode(binary);
  const fn = module.functions[module.exports.get(name) ?? -1];
  if (fn === undefined) return binary;
  const body: number[] = [];
  let address = WATCHED;
  fn.code.forEach(({ name: op, value, start, end }, i) => {
    for (const byte of fn.body.subarray(start, end)) body.push(byte);
    const before = fn.code[i - 1]?.name;
    if (op !== 'local.set' || (before !== 'i64.or' && before !== 'v128.or')) return;
    const local = get(Number(value));
    body.push(...(before === 'i64.or' ? i64 : v128).store(i32.const(0), local, address));
    address += 16;
  });
  return withBody(module, fn.index, body);
}

function wasmRun(artefact: WasmArtefact, edited: Uint8Array, fn: FunctionContract): Run {
  const binary = fn.result ? watched(edited, fn.name) : edited;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(binary)));
  const run = exports[fn.name] as (...args: number[]) => number | undefined;
  const view = new DataView((exports['memory'] as WebAssembly.Memory).buffer);
  const lanes = artefact.backend === 'i64' ? 1 : 2;
  const base = 16384;
  return (values) => {
    for (let at = base; at < 32768; at += 8) view.setBigUint64(at, 0n);
    values.limbs.forEach((perLane, operand) => {
      perLane.forEach((limbs, lane) => {
        if (!fn.operands[operand]!.reads) return;
        limbs.forEach((limb, i) => {
          const at = base + 1024 * operand + 8 * lanes * i;
          if (artefact.backend === 'fma') view.setFloat64(at + 8 * lane, Number(limb), true);
          else if (artefact.backend === 'i64') view.setBigInt64(at, limb, true);
          else for (const copy of [0, 8]) view.setInt32(at + 4 * lane + copy, Number(limb), true);
        });
      });
    });
    const strings = fn.bytes === undefined ? [] : values.bytes.map((_, lane) => base + 8192 + 256 * lane);
    strings.forEach((at, lane) => {
      values.bytes[lane]!.forEach((byte, i) => {
        view.setUint8(at + i, byte);
      });
    });
    let result: string;
    try {
      result = String(run(...fn.operands.map((_, i) => base + 1024 * i), ...values.scalars, ...strings));
    } catch (cause) {
      result = String(cause);
    }
    return `${result} ${new Uint8Array(view.buffer, base, 16384).join()}`;
  };
}

function textRun(text: string, fn: FunctionContract): Run {
  const { program } = parseSource(text);
  const found = functionsOf(program).find(({ name }) => name === fn.name);
  if (found === undefined) throw new Error(`no function ${fn.name}`);
  const body = text
    .slice(found.body.start, found.body.end)
    .replaceAll(/(?:const|let) (u\d+) = [^;]*\| \(?u[^;]*;/g, (or, name) =>
      fn.result ? `${or} ors.push(${name});` : or,
    );
  const script = new Script(`(function (ors, ${found.parameters.join(', ')}) ${body})`);
  const run = script.runInThisContext() as (...args: unknown[]) => unknown;
  return (values) => {
    const elements = fn.operands.map(({ reads, limbs }, i) =>
      Float64Array.from(limbs, (_, limb) => (reads ? Number(values.limbs[i]![0]![limb]) : 0)),
    );
    const string = Uint8Array.from([
      0,
      0,
      0,
      ...(fn.bytes === 'in' ? values.bytes[0]! : Array.from(values.bytes[0]!, () => 0)),
    ]);
    const args: unknown[] = [...elements, ...values.scalars];
    if (fn.bytes === 'in') args.push(string, 3);
    if (fn.bytes === 'out') args.unshift(string, 3);
    const ors: number[] = [];
    const result = run(ors, ...args);
    return `${result} ${ors.join()} ${elements.map((limbs) => limbs.join()).join(';')} ${string.join()}`;
  };
}

/** Whether the edited artefact ever gives another output than the original. */
export function differs(
  artefact: Artefact,
  edited: Uint8Array | string,
  fn: FunctionContract,
  random: Random,
  rounds: number,
): boolean {
  const lanes = artefact.kind === 'wasm' && artefact.backend !== 'i64' ? 2 : 1;
  let before: Run;
  let after: Run;
  try {
    before = originalRun(artefact, fn);
    after = artefact.kind === 'wasm' ? wasmRun(artefact, edited as Uint8Array, fn) : textRun(edited as string, fn);
  } catch (cause) {
    if (cause instanceof WebAssembly.CompileError || cause instanceof SyntaxError || cause instanceof Refusal)
      return true;
    throw cause;
  }
  for (let i = 0; i < rounds; i++) {
    const values = inputs(fn, artefact, lanes, random);
    if (before(values) !== after(values)) return true;
  }
  return false;
}

function originalRun(artefact: WasmArtefact | TextArtefact, fn: FunctionContract): Run {
  if (artefact.kind === 'wasm') return wasmRun(artefact, artefact.bytes, fn);
  return textRun(parseSource(artefact.source).text, fn);
}
