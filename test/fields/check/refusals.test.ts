// Every refusal with a planted example, beside a clean counterpart that passes.

import { describe, expect, it } from 'vitest';
import type { FunctionContract } from '../../../fields/generator/check/artefact-contract.ts';
import { checkJs, GENERATED_TAINT } from '../../../fields/generator/check/js-check.ts';
import { checkWasm, type WasmBackend } from '../../../fields/generator/check/wasm-check.ts';
import { decode } from '../../../fields/generator/check/wasm-decode.ts';
import { type Code, f64x2, get, i32, i64, v128, WasmModule } from '../../../fields/generator/wasm/encoder.ts';

const limits = (magnitude: bigint) => ({ low: -magnitude, high: magnitude });

/** (out, a), one limb in, one out. */
const contract = (input: bigint, output: bigint): FunctionContract => ({
  name: 'neg',
  variant: '',
  operands: [
    { name: 'out', reads: false, writes: true, limbs: [limits(output)] },
    { name: 'a', reads: true, writes: false, limbs: [limits(input)] },
  ],
  scalars: [],
  bytes: undefined,
  byteLength: 32,
  output: [limits(output)],
  result: false,
});

function scalarModule(value: Code, before: Code = []): Uint8Array {
  const module = new WasmModule(1);
  const fn = module.function('neg', ['i32', 'i32']);
  fn.emit(before);
  fn.emit(i64.store(get(0), value));
  return module.encode();
}

function vectorModule(value: Code, constants: readonly number[] = []): Uint8Array {
  const module = new WasmModule(1);
  const fn = module.function('neg', ['i32', 'i32']);
  fn.emit(v128.store(get(0), value));
  module.data(1024, [...new Uint8Array(Float64Array.from(constants.flatMap((c) => [c, c])).buffer)]);
  return module.encode();
}

const kinds = (bytes: Uint8Array, backend: WasmBackend, input: bigint, output: bigint): string[] =>
  checkWasm(bytes, backend, 2048, [contract(input, output)]).map(({ kind }) => kind);

const a = i64.load(get(1));
const secret = i32.wrap(a);
const isolated = 1n << 40n;

describe('the WebAssembly checkers', () => {
  it('pass a function that keeps its contract', () => {
    expect(kinds(scalarModule(i64.add(a, a)), 'i64', isolated, 2n * isolated)).toEqual([]);
  });

  it('refuse a branch on a secret, and pass one on a constant', () => {
    const branch = (condition: Code): Code => [0x02, 0x40, ...condition, 0x0d, 0, 0x0b];
    expect(kinds(scalarModule(a, branch(secret)), 'i64', isolated, isolated)).toContain('SecretRefusal');
    expect(kinds(scalarModule(a, branch(i32.const(1))), 'i64', isolated, isolated)).toEqual([]);
  });

  it('refuse an if on a secret', () => {
    expect(kinds(scalarModule(a, [...secret, 0x04, 0x40, 0x0b]), 'i64', isolated, isolated)).toContain('SecretRefusal');
  });

  it('refuse an address that depends on a secret', () => {
    expect(kinds(scalarModule(i64.load(i32.add(get(1), i32.and(secret, i32.const(8))))), 'i64', 9n, 9n)).toContain(
      'SecretRefusal',
    );
  });

  it('refuse instructions of variable time', () => {
    const found = checkWasm(scalarModule([...a, ...a, 0x80]), 'i64', 2048, [contract(9n, 9n)]);
    expect(found[0]?.message).toMatch(/variable time/);
    expect(
      checkWasm(vectorModule([...v128.load(get(1)), 0xfd, 0xef, 0x01]), 'fma', 2048, [contract(9n, 9n)]),
    ).not.toEqual([]);
  });

  it('refuse a store outside the outputs and a limb that is not stored', () => {
    const module = new WasmModule(1);
    module.function('neg', ['i32', 'i32']).emit(i64.store(get(1), a));
    expect(kinds(module.encode(), 'i64', 9n, 9n)).not.toEqual([]);
    const idle = new WasmModule(1);
    idle.function('neg', ['i32', 'i32']);
    expect(kinds(idle.encode(), 'i64', 9n, 9n)).toEqual(['BoundRefusal']);
  });

  it('refuse a word that overflows where its value matters, and let one wrap where it is masked', () => {
    const large = 1n << 62n;
    const doubled = i64.add(a, i64.add(a, a));
    expect(kinds(scalarModule(i64.shrS(doubled, i64.const(8n))), 'i64', large, large)).toEqual(['BoundRefusal']);
    expect(kinds(scalarModule(i64.and(doubled, i64.const(255n))), 'i64', large, 255n)).toEqual([]);
  });

  it('refuse an output beyond its contract by one', () => {
    expect(kinds(scalarModule(i64.add(a, a)), 'i64', 8n, 16n)).toEqual([]);
    expect(kinds(scalarModule(i64.add(a, a)), 'i64', 8n, 15n)).toEqual(['BoundRefusal']);
  });

  it('refuse inexact doubles', () => {
    const x = v128.load(get(1));
    const square = f64x2.mul(x, x);
    expect(kinds(vectorModule(square), 'fma', 1n << 26n, 1n << 52n)).toEqual([]);
    expect(kinds(vectorModule(square), 'fma', 1n << 27n, 1n << 54n)).toEqual(['BoundRefusal']);
  });

  it('refuse subnormal, infinite and undefined constants', () => {
    const times = f64x2.mul(v128.load(get(1)), v128.load(i32.const(0), 1024));
    for (const bad of [2 ** -1060, Infinity, NaN]) {
      expect(kinds(vectorModule(times, [bad]), 'fma', 4n, 1n << 53n)).toEqual(['BoundRefusal']);
    }
    expect(kinds(vectorModule(times, [2]), 'fma', 4n, 8n)).toEqual([]);
  });

  it('know the window in which a product splits exactly', () => {
    const x = v128.load(get(1));
    const constants = [1.5 * 2 ** 100, 1.5 * 2 ** 100 + 1.5 * 2 ** 52, 1.5 * 2 ** 52];
    const constant = (i: number): Code => v128.load(i32.const(0), 1024 + 16 * i);
    const high = f64x2.relaxedMadd(x, x, constant(0));
    const low = f64x2.relaxedMadd(x, x, f64x2.sub(constant(1), high));
    const split = vectorModule(f64x2.sub(low, constant(2)), constants);
    expect(kinds(split, 'fma', 1n << 49n, 1n << 47n)).toEqual([]);
    expect(kinds(split, 'fma', 1n << 49n, (1n << 47n) - 1n)).toEqual(['BoundRefusal']);
    expect(kinds(split, 'fma', 1n << 50n, 1n << 47n)).toEqual(['BoundRefusal']);
  });

  it('refuse unknown opcodes and sections', () => {
    expect(() => decode(scalarModule([...a, 0x79]))).toThrow(/opcode/);
    expect(() => decode(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 2, 0]))).toThrow(/section/);
    expect(() => decode(Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]))).toThrow(/module/);
    expect(() => decode(scalarModule(a).subarray(0, -2))).toThrow(/too early/);
  });

  it('refuse an export without a contract', () => {
    const module = new WasmModule(1);
    module.function('neg', ['i32', 'i32']).emit(i64.store(get(0), a));
    module.function('leak', ['i32']);
    expect(kinds(module.encode(), 'i64', 9n, 9n)).toEqual(['Refusal']);
  });
});

describe('the JavaScript checkers', () => {
  const findings = (body: string, input = 1000n, output = 1000n): string[] =>
    checkJs({
      source: `export function neg(out: Float64Array, a: Float64Array): void { ${body} }`,
      contracts: [contract(input, output)],
      taint: GENERATED_TAINT,
    }).map(({ kind }) => kind);

  it('pass a function that keeps its contract', () => {
    expect(findings('const t0 = a[0]!; out[0] = t0 * 1;')).toEqual([]);
  });

  it.each([
    ['a condition', 'if (a[0]! > 0) { out[0] = 1; }'],
    ['a conditional expression', 'out[0] = a[0]! ? 1 : 0;'],
    ['an index', 'out[0] = a[a[0]! & 1]!;'],
    ['a loop bound', 'for (let i = 0; i < a[0]!; i++) out[0] = 1;'],
    ['a short circuit', 'out[0] = a[0]! && 1;'],
    ['a division', 'out[0] = a[0]! / 2;'],
    ['a remainder', 'out[0] = a[0]! % 2;'],
    ['a comparison', 'const t = a[0]! < 1; out[0] = 1;'],
    [
      'what is secret by way of a later assignment',
      'let t = 0; for (let i = 0; i < 2; i++) { out[t] = 0; t = a[0]!; }',
    ],
  ])('refuse %s on a secret', (_, body) => {
    expect(findings(body)).toContain('SecretRefusal');
  });

  it.each([
    ['an unknown statement', 'while (true) {} out[0] = 1;'],
    ['an unknown call', 'out[0] = Math.abs(a[0]!);'],
    ['an unknown operator', 'out[0] = typeof a[0]!;'],
  ])('refuse %s', (_, body) => {
    expect(findings(body)).toContain('Refusal');
  });

  it('refuse doubles beyond 2^53 and outputs beyond the contract', () => {
    const square = 'const t0 = a[0]!; out[0] = t0 * t0;';
    expect(findings(square, 1n << 26n, 1n << 52n)).toEqual([]);
    expect(findings(square, 1n << 27n, 1n << 54n)).toEqual(['BoundRefusal']);
    expect(findings(square, 8n, 64n)).toEqual([]);
    expect(findings(square, 8n, 63n)).toEqual(['BoundRefusal']);
  });

  it('know that a remainder against a rounding is at most half a step', () => {
    const constant = 1.5 * 2 ** 76;
    const body = `const t0 = a[0]!; const t1 = t0 + ${constant} - ${constant}; out[0] = t0 - t1;`;
    expect(findings(body, 1n << 50n, 1n << 23n)).toEqual([]);
    expect(findings(body, 1n << 50n, (1n << 23n) - 1n)).toEqual(['BoundRefusal']);
    expect(findings(body.replace('t0 - t1', 'a[0]! - t1 - t1'), 1n << 50n, 1n << 23n)).toEqual(['BoundRefusal']);
  });

  it('refuse bit operations on what is no 32-bit integer', () => {
    expect(findings('out[0] = a[0]! | 0;', 1n << 30n, 1n << 30n)).toEqual([]);
    expect(findings('out[0] = a[0]! | 0;', 1n << 31n, 1n << 31n)).toEqual(['BoundRefusal']);
    expect(findings('out[0] = (a[0]! * 0.5) | 0;', 8n, 8n)).toEqual(['BoundRefusal']);
    expect(findings('out[0] = a[0]! << 8;', 1n << 24n, 1n << 40n)).toEqual(['BoundRefusal']);
  });
});
