// Random edits of a WebAssembly module: one function's instructions are changed and the module is written anew.

import { bytes64, signedLeb, unsignedLeb } from '../wasm/encoder.ts';
import type { Random } from './random.ts';
import { type Decoded, type DecodedFunction, decode, type Op } from './wasm-decode.ts';

export const EDITS = [
  'dropped carry',
  'extra add',
  'swapped limb',
  'secret index',
  'secret branch',
  'division',
  'changed constant',
  'changed shift',
] as const;

export type Edit = (typeof EDITS)[number];

/** The module with other instructions in one function. */
export function withBody(module: Decoded, index: number, body: readonly number[]): Uint8Array {
  return rebuild(module, (fn) => (fn.index === index ? body : fn.body), module.sections.get(11));
}

function rebuild(
  module: Decoded,
  bodyOf: (fn: DecodedFunction) => ArrayLike<number>,
  data: Uint8Array | undefined,
): Uint8Array {
  const out: number[] = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const append = (bytes: ArrayLike<number>): void => {
    for (let i = 0; i < bytes.length; i++) out.push(bytes[i]!);
  };
  for (const [id, content] of module.sections) {
    let bytes: ArrayLike<number> = content;
    if (id === 11 && data !== undefined) bytes = data;
    if (id === 10) {
      const code = [...unsignedLeb(module.functions.length)];
      for (const fn of module.functions) {
        const body = bodyOf(fn);
        code.push(...unsignedLeb(fn.head.length + body.length), ...fn.head);
        for (let i = 0; i < body.length; i++) code.push(body[i]!);
      }
      bytes = code;
    }
    out.push(id, ...unsignedLeb(bytes.length));
    append(bytes);
  }
  return Uint8Array.from(out);
}

const get = (local: number): number[] => [0x20, ...unsignedLeb(local)];
/** The first operand's first word as an index. */
const secretWord = (address: number): number[] => [...get(address), 0x29, 3, 0, 0xa7];

export interface WasmEdit {
  readonly bytes: Uint8Array;
  readonly at: string;
}

/** One edit of this kind in the function; undefined where it has no place for it. `secret`: an operand it reads. */
export function mutateWasm(
  bytes: Uint8Array,
  name: string,
  edit: Edit,
  secret: number,
  random: Random,
): WasmEdit | undefined {
  const module = decode(bytes);
  const fn = module.functions[module.exports.get(name) ?? -1];
  if (fn === undefined) return undefined;
  const vector = fn.locals.includes('v128');
  const replace = (op: Op, by: readonly number[]): WasmEdit => ({
    bytes: withBody(module, fn.index, [...fn.body.subarray(0, op.start), ...by, ...fn.body.subarray(op.end)]),
    at: `${op.name} at ${op.start}`,
  });
  const original = (op: Op): number[] => [...fn.body.subarray(op.start, op.end)];
  const choose = (test: (op: Op, i: number) => boolean): number => {
    const places = fn.code.flatMap((op, i) => (test(op, i) ? [i] : []));
    return random.pick(places) ?? -1;
  };
  const typeOf = (local: number): string | undefined =>
    local < fn.parameters.length ? fn.parameters[local] : fn.locals[local - fn.parameters.length];
  const isValue = (op: Op): boolean =>
    op.name === 'local.get' && typeOf(Number(op.value)) === (vector ? 'v128' : 'i64');
  switch (edit) {
    case 'dropped carry': {
      const op = fn.code[choose(({ name: of }) => /^(i64|i64x2|i32x4|f64x2)\.add$/.test(of))];
      return op && replace(op, [0x1a]);
    }
    case 'extra add': {
      const op = fn.code[choose(isValue)];
      const add = vector ? (random.below(2) === 0 ? [0xfd, 0xf0, 0x01] : [0xfd, 0xce, 0x01]) : [0x7c];
      return op && replace(op, [...original(op), ...original(op), ...add]);
    }
    case 'swapped limb': {
      if (random.below(2) === 0) {
        const op = fn.code[choose(isValue)];
        const locals = fn.locals.flatMap((type, i) =>
          type === (vector ? 'v128' : 'i64') ? [i + fn.parameters.length] : [],
        );
        const other = random.pick(locals.filter((local) => BigInt(local) !== op?.value));
        return op && other !== undefined ? replace(op, get(other)) : undefined;
      }
      const op = fn.code[choose(({ name: of, value }) => /^(i64|v128)\.(load|store)$/.test(of) && value < 512n)];
      if (op === undefined) return undefined;
      const size = vector ? 16n : 8n;
      const offset = op.value >= size && random.below(2) === 0 ? op.value - size : op.value + size;
      const head = original(op).slice(0, -unsignedLeb(Number(op.value)).length);
      return replace(op, [...head, ...unsignedLeb(Number(offset))]);
    }
    case 'secret index': {
      const op = fn.code[choose(({ name: of }) => /\.load(8_u)?$/.test(of))];
      return op && replace(op, [...secretWord(secret), 0x41, 8, 0x71, 0x6a, ...original(op)]);
    }
    case 'secret branch': {
      const op = fn.code[choose(({ name: of }, i) => of === 'local.set' && fn.code[i + 1]?.name !== 'end')];
      return op && replace(op, [...original(op), 0x02, 0x40, ...secretWord(secret), 0x0d, 0, 0x0b]);
    }
    case 'division': {
      const op = fn.code[choose(isValue)];
      return op && replace(op, [...original(op), ...(vector ? [0xfd, 0xef, 0x01] : [...original(op), 0x80])]);
    }
    case 'changed constant': {
      const constants = fn.code.flatMap((op, i) =>
        op.name === 'i64.const' && !/\.sh/.test(fn.code[i + 1]?.name ?? '') ? [op] : [],
      );
      const op = random.pick(constants);
      if (op !== undefined) {
        const delta = 1n << BigInt(random.below(30));
        return replace(op, [
          0x42,
          ...signedLeb(BigInt.asIntN(64, random.below(2) === 0 ? op.value + delta : op.value ^ delta)),
        ]);
      }
      return changedData(module, fn, random);
    }
    case 'changed shift': {
      const i = choose(
        ({ name: of, value }, j) =>
          /^i(32|64)\.const$/.test(of) && /\.sh/.test(fn.code[j + 1]?.name ?? '') && value > 0n,
      );
      const op = fn.code[i];
      const by = random.below(2) === 0 ? 1n : -1n;
      return op && replace(op, [op.name === 'i64.const' ? 0x42 : 0x41, ...signedLeb(op.value + by)]);
    }
  }
}

/** Another constant in the data that the function loads from. */
function changedData(module: Decoded, fn: DecodedFunction, random: Random): WasmEdit | undefined {
  const places = fn.code.flatMap((op, i) =>
    op.name === 'v128.load' && fn.code[i - 1]?.name === 'i32.const' ? [Number(fn.code[i - 1]!.value + op.value)] : [],
  );
  const address = random.pick(places);
  const [segment] = module.data;
  const section = module.sections.get(11);
  if (address === undefined || segment === undefined || section === undefined) return undefined;
  const copy = Uint8Array.from(section);
  const from = section.length - segment.bytes.length + address - segment.address;
  let value = 0n;
  for (let i = 7; i >= 0; i--) value = (value << 8n) | BigInt(copy[from + i] ?? 0);
  const changed = bytes64(value ^ (1n << BigInt(random.below(63))));
  copy.set(changed, from);
  copy.set(changed, from + 8);
  return { bytes: rebuild(module, (of) => of.body, copy), at: `data at ${address}` };
}
