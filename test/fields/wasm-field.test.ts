import { describe, expect, expectTypeOf, it } from 'vitest';
import { source as curve448Order } from '../../fields/generated/curve448-order-i64.generated.ts';
import { source as fmaSource } from '../../fields/generated/p256-fma.generated.ts';
import { source } from '../../fields/generated/p256-simd.generated.ts';
import { wasmField } from '../../fields/generator/wasm-field.ts';
import { encodeField } from '../../fields/generator/wasm-module.ts';
import * as fields from '../../fields/index.ts';
import { fromWideBytes } from '../../fields/portable/wide.ts';
import { PRIMES } from '../../fields/primes.ts';
import { instantiateField, type WasmElement, type WasmFieldFunctions } from '../../fields/wasm/wasm-field.ts';
import { bytesOf, CASES, decode, integerOf, inverseMod, randomSource } from './support.ts';

describe('a shipped WebAssembly field', () => {
  it('works on addresses of its own memory, two elements at a time', () => {
    const { functions, memory, element } = instantiateField(source);
    const p = BigInt(`0x${source.modulus}`);
    const [a, b] = [element(0), element(1)];
    const [first, second] = [element(2), element(2) + 64];
    const view = new Uint8Array(memory.buffer);
    const put = (at: number, value: bigint): void => view.set(bytesOf(value, 32), at);
    const get = (at: number): bigint => integerOf(view.subarray(at, at + 32));
    put(first, 3n);
    put(second, p - 1n);
    functions.fromBytes(a, first, second);
    put(first, 5n);
    put(second, 7n);
    functions.fromBytes(b, first, second);
    functions.mul(a, a, b);
    functions.toBytes(a, first, second);
    expect([get(first), get(second)]).toEqual([15n, p - 7n]);
    functions.select(a, a, b, 2);
    functions.toBytes(a, first, second);
    expect([get(first), get(second)]).toEqual([15n, 7n]);
    functions.sub(a, a, b);
    expect(functions.isZero(a)).toBe(2);
    expect(functions.equals(a, b)).toBe(0);
  });

  it('works on single elements in the 64-bit backend', () => {
    const { functions, memory, element } = instantiateField(curve448Order);
    const [a, bytes] = [element(0), element(1)];
    const view = new Uint8Array(memory.buffer);
    view.fill(0xff, bytes, bytes + 56);
    functions.fromBytes(a, bytes);
    functions.toBytes(a, bytes);
    const n = BigInt(`0x${curve448Order.modulus}`);
    expect(integerOf(view.subarray(bytes, bytes + 56))).toBe(((1n << 448n) - 1n) % n);
  });

  it('says what it needs, and keeps domains apart', () => {
    expect(source.requires).toEqual(['wasm', 'wasm-simd']);
    expect(fmaSource.requires).toEqual(['wasm', 'wasm-simd', 'wasm-fma']);
    expectTypeOf(source.domain).not.toEqualTypeOf<typeof fmaSource.domain>();
    expect(new Set([source.domain, fmaSource.domain, fields.p256.domain]).size).toBe(3);
    expect(source.residueField).toBe(fmaSource.residueField);
  });
});

describe.each(PRIMES)('inversion in the 64-bit backend modulo $name', (row) => {
  const { bytes: binary, heapBase } = encodeField(wasmField(row, 'i64'));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary as Uint8Array<ArrayBuffer>));
  const functions = exports as unknown as Required<WasmFieldFunctions>;
  const view = new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer);
  const p = BigInt(`0x${row.modulus}`);
  const byteLength = Math.ceil(p.toString(2).length / 8);
  const at = (offset: number) => (heapBase + offset) as WasmElement<string>;
  const [a, b, string] = [at(0), at(256), at(512)];
  const inverseOf = (value: bigint, out: WasmElement<string>): bigint => {
    view.set(bytesOf(value, byteLength), string);
    functions.fromBytes(a, string);
    functions.invert(out, a);
    functions.toBytes(out, string);
    return integerOf(view.subarray(string, string + byteLength));
  };

  it('is right for edge and random values, in place too', () => {
    const random = randomSource(31);
    const values = [0n, 1n, 2n, p - 2n, p - 1n, p, p >> 1n, ...Array.from({ length: 60 }, () => random(600) % p)];
    for (const [i, value] of values.entries()) {
      expect(inverseOf(value, i % 2 === 0 ? a : b)).toBe(inverseMod(value, p));
    }
  });

  it('inverts sums as they come, and leaves nothing in its scratch memory', () => {
    view.set(bytesOf(p - 3n, byteLength), string);
    functions.fromBytes(a, string);
    functions.one(b);
    functions.sub(a, a, b);
    functions.invert(b, a);
    functions.toBytes(b, string);
    expect(integerOf(view.subarray(string, string + byteLength))).toBe(inverseMod(p - 4n, p));
    expect(view.subarray(32, heapBase).every((byte) => byte === 0)).toBe(true);
  });
});

it.each(CASES)('byte strings of any width are reduced modulo $row.name', ({ field, p }) => {
  const random = randomSource(21);
  const out = field.create();
  for (const length of [0, 1, field.byteLength - 1, field.byteLength, field.byteLength + 1, 64, 114, 200]) {
    const value = random(8 * length);
    fromWideBytes(field, out, bytesOf(value, length));
    expect(decode(field, out)).toBe(value % p);
  }
});
