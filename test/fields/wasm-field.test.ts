import { describe, expect, expectTypeOf, it } from 'vitest';
import { source as curve448Order } from '../../fields/generated/curve448-order-i64.generated.ts';
import { source as fmaSource } from '../../fields/generated/p256-fma.generated.ts';
import { source } from '../../fields/generated/p256-simd.generated.ts';
import * as fields from '../../fields/index.ts';
import { fromWideBytes } from '../../fields/portable/wide.ts';
import { instantiateField } from '../../fields/wasm/wasm-field.ts';
import { bytesOf, CASES, decode, integerOf, randomSource } from './support.ts';

describe('a shipped WebAssembly field', () => {
  it('works on addresses of its own memory, two elements at a time', () => {
    const { functions, memory, elementBytes } = instantiateField(source);
    const p = BigInt(`0x${source.modulus}`);
    const [a, b] = [source.heapBase, source.heapBase + elementBytes];
    const [first, second] = [b + elementBytes, b + elementBytes + 64];
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
    const { functions, memory, elementBytes } = instantiateField(curve448Order);
    const [a, bytes] = [curve448Order.heapBase, curve448Order.heapBase + elementBytes];
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

it.each(CASES)('byte strings of any width are reduced modulo $row.name', ({ field, p }) => {
  const random = randomSource(21);
  const out = field.create();
  for (const length of [0, 1, field.byteLength - 1, field.byteLength, field.byteLength + 1, 64, 114, 200]) {
    const value = random(8 * length);
    fromWideBytes(field, out, bytesOf(value, length));
    expect(decode(field, out)).toBe(value % p);
  }
});
