// Reported cases of field arithmetic at the rim (R38) and of WebAssembly (R40), in every backend that can run them.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../fields/field.ts';
import { wasmField } from '../../fields/generator/wasm-field.ts';
import { encodeField } from '../../fields/generator/wasm-module.ts';
import { RuntimeMontgomeryField } from '../../fields/portable/runtime-montgomery.ts';
import type { WasmElement, WasmFieldFunctions } from '../../fields/wasm/wasm-field.ts';
import { BACKENDS, type BackendCase } from './backends.ts';
import { bytesOf, CASES as FIELDS, integerOf } from './support.ts';

interface Item {
  readonly name: string;
  readonly modulus: string;
  readonly op: 'add' | 'sub' | 'mul' | 'sqr' | 'neg' | 'inv' | 'reduce';
  readonly a: string;
  readonly b?: string;
}
interface Case {
  readonly id: string;
  readonly input: { readonly op: string; readonly items: readonly Item[] };
  readonly expect: { readonly items: readonly { readonly name: string; readonly value: string }[] };
}

const NAMES: Readonly<Record<string, string>> = {
  'P-256.p': 'p256',
  'P-256.n': 'p256-order',
  'P-384.p': 'p384',
  'P-521.p': 'p521',
  '25519.p': 'curve25519',
  'secp256k1.p': 'secp256k1',
  'secp256k1.n': 'secp256k1-order',
};

const parsed = JSON.parse(readFileSync(new URL('../cases/reported.json', import.meta.url), 'utf8')) as
  | Case[]
  | { cases: Case[] };
const all = Array.isArray(parsed) ? parsed : parsed.cases;
const cases = all.filter(({ input }) => input.op === 'field');
const items = cases.flatMap(({ id, input, expect: { items: expected } }) =>
  input.items.map((item, i) => ({ title: `${id} ${item.name}`, item, value: expected[i]!.value })),
);

function compute(field: Field<string>, item: Item): string {
  const load = (hex: string) => {
    const out = field.create();
    field.fromBytes(out, bytesOf(BigInt(`0x${hex}`), field.byteLength), 0);
    return out;
  };
  const a = load(item.a);
  const b = load(item.b ?? '0');
  const out = field.create();
  if (item.op === 'reduce') field.copy(out, a);
  else if (item.op === 'sqr') field.square(out, a);
  else if (item.op === 'neg') field.neg(out, a);
  else if (item.op === 'inv') field.invert(out, a);
  else field[item.op](out, a, b);
  const bytes = new Uint8Array(field.byteLength);
  field.toBytes(bytes, 0, out);
  return integerOf(bytes).toString(16);
}

/** The program of one name, on the same operands in every lane. */
function callBackend(
  backend: BackendCase,
  name: string,
  operands: Readonly<Record<string, readonly bigint[]>>,
  bytes: readonly bigint[] = [],
) {
  const { program } = backend.contracts.find((contract) => contract.program.name === name)!;
  return backend.run(
    program,
    Array.from({ length: backend.lanes }, () => ({ operands, scalars: {}, bytes })),
  );
}

function load(backend: BackendCase, value: bigint): readonly bigint[] {
  const bytes = [...bytesOf(value, backend.d.byteLength)].map(BigInt);
  return callBackend(backend, 'fromBytes', {}, bytes)[0]!.operands['out']!;
}

/** The canonical integer of an element, which has to be the same in every lane. */
function store(backend: BackendCase, a: readonly bigint[]): bigint {
  const [value, ...others] = callBackend(backend, 'toBytes', { a }).map(({ bytes }) =>
    bytes.reduce((sum, byte) => (sum << 8n) | byte, 0n),
  );
  for (const other of others) expect(other).toBe(value);
  return value!;
}

function computeIn(backend: BackendCase, item: Item): string {
  const a = load(backend, BigInt(`0x${item.a}`));
  const b = load(backend, BigInt(`0x${item.b ?? '0'}`));
  const name = { reduce: 'copy', sqr: 'square', neg: 'neg', add: 'add', sub: 'sub', mul: 'mul', inv: '' }[item.op];
  return store(backend, callBackend(backend, name, { a, b })[0]!.operands['out']!).toString(16);
}

/** Inversion is in the 64-bit module, beside the programs. */
function invertIn(backend: BackendCase, item: Item): string {
  const { bytes, heapBase } = encodeField(wasmField(backend.row, 'i64'));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes as Uint8Array<ArrayBuffer>));
  const functions = exports as unknown as Required<WasmFieldFunctions>;
  const view = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);
  const { byteLength } = backend.d;
  const [a, string] = [heapBase as WasmElement<string>, heapBase + 512];
  view.set(bytesOf(BigInt(`0x${item.a}`), byteLength), string);
  functions.fromBytes(a, string);
  functions.invert(a, a);
  functions.toBytes(a, string);
  return integerOf(view.subarray(string, string + byteLength)).toString(16);
}

describe('reported cases of field arithmetic', () => {
  it('are there', () => {
    expect(items.length).toBeGreaterThanOrEqual(36);
  });

  it.each(items)('$title', ({ item, value }) => {
    const { row, field, p } = FIELDS.find(({ row }) => row.name === NAMES[item.modulus])!;
    const expected = BigInt(`0x${value}`).toString(16);
    expect(compute(field, item)).toBe(expected);
    expect(compute(new RuntimeMontgomeryField('case', bytesOf(p, field.byteLength)), item)).toBe(expected);
    for (const backend of BACKENDS.filter((each) => each.row === row)) {
      if (item.op !== 'inv') expect(computeIn(backend, item), backend.title).toBe(expected);
      else if (backend.title.endsWith('i64')) expect(invertIn(backend, item)).toBe(expected);
    }
  });
});

type WasmItem = Readonly<
  Record<'name' | 'op' | 'module' | 'export' | 'a' | 'b' | 'c' | 'carry' | 'at0' | 'at16', string>
>;
type Kernel = Readonly<Record<string, (...args: never[]) => unknown>>;

interface WasmCase {
  readonly input: { readonly items: readonly WasmItem[] };
  readonly expect: { readonly items: readonly { readonly name: string; readonly value: unknown }[] };
}

const R40 = all.find(({ id }) => id === 'R40') as unknown as WasmCase;
const wasmItems = (op: string) =>
  R40.input.items
    .map((item, i) => ({ item, name: item.name, value: R40.expect.items[i]!.value }))
    .filter(({ item }) => item.op === op);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytesFrom = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const instantiate = ({ module }: WasmItem): { readonly kernel: Kernel; readonly memory: WebAssembly.Memory } => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesFrom(module)));
  const memory = Object.values(exports).find((each) => each instanceof WebAssembly.Memory);
  return { kernel: exports as unknown as Kernel, memory: memory as WebAssembly.Memory };
};

describe('reported cases of WebAssembly', () => {
  it('are all of a kind that runs here', () => {
    const ran = ['wasm.i64', 'wasm.simd', 'limb.mac', 'wasm.grow'].flatMap(wasmItems);
    expect(ran.map(({ name }) => name)).toEqual(R40.input.items.map(({ name }) => name));
  });

  it.each(wasmItems('wasm.i64'))('R40 $name', ({ item, value }) => {
    const run = instantiate(item).kernel[item.export] as (a: bigint, b: bigint) => bigint;
    const out = BigInt.asUintN(64, run(BigInt(`0x${item.a}`), BigInt(`0x${item.b}`)));
    expect(out.toString(16).padStart(16, '0')).toBe(value);
  });

  it.each(wasmItems('wasm.simd'))('R40 $name', ({ item, value }) => {
    const { kernel, memory } = instantiate(item);
    const view = new Uint8Array(memory.buffer);
    view.set(bytesFrom(item.at0), 0);
    view.set(bytesFrom(item.at16), 16);
    (kernel[item.export] as () => void)();
    expect(hex(view.subarray(32, 48))).toBe(value);
  });

  // Two words fit the three widest primes unreduced: the double word stands in the element of every backend.
  const wide = BACKENDS.filter(({ row }) => ['p256', 'p384', 'p521'].includes(row.name));
  it.each(wasmItems('limb.mac'))('R40 $name, in the limbs of every backend', ({ item, value }) => {
    const bits = BigInt((item as unknown as { bits: number }).bits);
    const word = (bytes: bigint): string => bytes.toString(16).padStart(item.a.length, '0');
    for (const backend of wide) {
      const [a, b, c, carry] = [item.a, item.b, item.c, item.carry].map((text) => load(backend, BigInt(`0x${text}`)));
      const call = (name: string, x: readonly bigint[], y: readonly bigint[]) =>
        callBackend(backend, name, { a: x, b: y })[0]!.operands['out']!;
      const sum = store(backend, call('add', call('add', call('mul', a!, b!), c!), carry!));
      expect({ low: word(BigInt.asUintN(Number(bits), sum)), high: word(sum >> bits) }, backend.title).toEqual(value);
    }
  });

  it.each(wasmItems('wasm.grow'))('R40 $name', ({ item, value }) => {
    const { kernel, memory } = instantiate(item);
    const old = new Uint8Array(memory.buffer);
    const { argument } = item as unknown as { argument: number };
    (kernel['work'] as (at: number) => void)(argument);
    const fresh = new Uint8Array(memory.buffer);
    expect({
      bytesAt64: hex(fresh.subarray(64, 68)),
      lengthOfTheOldView: old.length,
      lengthOfTheNewView: fresh.length,
    }).toEqual(value);
  });
});
