// Residue fields: the plain residues that two domains of one prime have in common, and nothing else.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { WasmFieldSource } from '../../fields/wasm/wasm-field.ts';
import { instantiateField } from '../../fields/wasm/wasm-field.ts';
import { RELAXED_SIMD } from './backends.ts';
import { bytesOf, CASES, encode, integerOf, randomSource } from './support.ts';

const FOLDER = new URL('../../fields/generated/', import.meta.url);

/** Every shipped WebAssembly module. */
const SOURCES = (
  await Promise.all(
    readdirSync(FOLDER)
      .filter((name) => /-(fma|simd|i64)\.generated\.ts$/.test(name))
      .map((name) => import(new URL(name, FOLDER).pathname) as Promise<{ source: WasmFieldSource }>),
  )
).map(({ source }) => source);

describe.each(CASES)('the residue field of $row.name', ({ row, field, p }) => {
  const sources = SOURCES.filter(({ residueField }) => residueField === field.residueField);

  it('is named by each of its domains and by no domain of another prime', () => {
    expect(sources.map(({ backend }) => backend).sort()).toEqual(
      Object.keys(row.backends)
        .filter((backend) => backend !== 'ts')
        .sort(),
    );
    for (const { domain, modulus, representation } of [field, ...sources]) {
      expect(BigInt(`0x${modulus}`)).toBe(p);
      expect(['polynomial', 'montgomery']).toContain(representation);
      expect(domain).not.toBe(field.residueField);
    }
    expect(new Set([field, ...sources].map(({ domain }) => domain)).size).toBe(1 + sources.length);
  });

  it('is what every domain takes and gives back: residues cross from one to the other by bytes', () => {
    const random = randomSource(row.name.length);
    const length = field.byteLength;
    for (const source of sources.filter(({ backend }) => backend !== 'fma' || RELAXED_SIMD)) {
      const { functions, memory, element, elementBytes } = instantiateField(source);
      const view = new Uint8Array(memory.buffer);
      const [a, b] = [element(0), element(1)];
      const strings = [element(2), element(2) + elementBytes] as const;
      for (let i = 0; i < 10; i++) {
        const [x, y] = [random(700) % p, random(700) % p];
        // x·y here, the residue over to the portable domain, times y there.
        for (const [target, value] of [
          [a, x],
          [b, y],
        ] as const) {
          for (const at of strings) view.set(bytesOf(value, length), at);
          functions.fromBytes(target, ...strings);
        }
        functions.mul(a, a, b);
        functions.toBytes(a, ...strings);
        for (const at of strings.slice(0, source.lanes)) {
          const crossed = field.create();
          field.fromBytes(crossed, view, at);
          field.mul(crossed, crossed, encode(field, y));
          const bytes = new Uint8Array(length);
          field.toBytes(bytes, 0, crossed);
          expect(integerOf(bytes)).toBe((((x * y) % p) * y) % p);
        }
      }
    }
  });
});

it('the domain of a Montgomery field is not its residue field: limbs do not cross', () => {
  for (const { field } of CASES.filter(({ row }) => row.backends.ts.representation === 'montgomery')) {
    const one = field.create();
    one[0] = 1;
    expect(field.equals(one, encode(field, 1n))).toBe(0);
  }
});
