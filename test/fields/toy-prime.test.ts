// What a newcomer does to add a prime: one row. And odd limb counts that no prime of ours has.

import { buildSync, transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { derive } from '../../fields/generator/derive.ts';
import { DoubleMontgomeryPrograms } from '../../fields/generator/doubles.ts';
import { emitBody } from '../../fields/generator/emit-ts.ts';
import { MontgomeryPrograms, type WasmBackend } from '../../fields/generator/integers.ts';
import { limbValue } from '../../fields/generator/interpret.ts';
import { generateTs } from '../../fields/generator/ts-module.ts';
import { wasmField } from '../../fields/generator/wasm-field.ts';
import { encodePrograms } from '../../fields/generator/wasm-module.ts';
import type { LimbLayout, PrimeRow } from '../../fields/primes.ts';
import { RELAXED_SIMD, wasmCase, wasmRunner } from './backends.ts';
import { decode, encode, type GeneratedField, inverseMod, mod, randomSource } from './support.ts';

const layout = (width: number, count: number): LimbLayout => ({ width, count, representation: 'montgomery' });

/** 2^130 − 5, the prime of Poly1305. */
const TOY: PrimeRow = {
  name: 'toy',
  title: 'the prime of Poly1305 (RFC 8439)',
  modulus: '3fffffffffffffffffffffffffffffffb',
  form: { kind: 'solinas', power: 130, terms: [[-5, 0]] },
  backends: { ts: layout(24, 6), simd: layout(28, 5), fma: layout(47, 3), i64: layout(28, 5) },
};

const WASM = (['simd', 'fma', 'i64'] as const).filter((backend) => backend !== 'fma' || RELAXED_SIMD);

describe('a prime added by one row', () => {
  const p = (1n << 130n) - 5n;

  it('has a TypeScript field', async () => {
    const resolveDir = new URL('../../fields/generated', import.meta.url).pathname;
    const { outputFiles } = buildSync({
      stdin: { contents: generateTs(TOY), resolveDir, loader: 'ts' },
      bundle: true,
      format: 'esm',
      write: false,
    });
    const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.text).toString('base64')}`;
    const field = (await import(/* @vite-ignore */ url)) as GeneratedField;
    const random = randomSource(9);
    const out = field.create();
    for (let i = 0; i < 200; i++) {
      const [x, y] = [random(136), random(136)];
      field.mul(out, encode(field, x), encode(field, y));
      expect(decode(field, out)).toBe((x * y) % p);
      field.sub(out, encode(field, x), encode(field, y));
      expect(decode(field, out)).toBe(mod(x - y, p));
      field.invert(out, encode(field, x));
      expect(decode(field, out)).toBe(inverseMod(x, p));
    }
  });

  it.each(WASM)('has a %s module', (backend) => {
    const field = wasmCase('toy', wasmField(TOY, backend));
    const { program, tight } = field.contracts.find((contract) => contract.program.name === 'mul')!;
    const perR = inverseMod(field.d.radix, p);
    const random = randomSource(3);
    for (let i = 0; i < 200; i++) {
      const limbs = (): bigint[] => tight.limbs.map(({ low, high }) => low + (random(60) % (high - low + 1n)));
      const lane = { operands: { a: limbs(), b: limbs() }, scalars: {}, bytes: [] };
      const [out] = field.run(
        program,
        Array.from({ length: field.lanes }, () => lane),
      );
      const { width } = field.d;
      const product = limbValue(lane.operands.a, width) * limbValue(lane.operands.b, width) * perR;
      expect(mod(limbValue(out!.operands['out']!, width) - product, p)).toBe(0n);
    }
  });
});

describe.each(Array.from({ length: 24 }, (_, i) => i + 1))('with %i limbs', (count) => {
  const power = 24 * (count - 1) + 13;
  const row: PrimeRow = {
    name: `limbs-${count}`,
    title: 'odd numbers of limbs',
    modulus: ((1n << BigInt(power)) - 1n).toString(16),
    form: { kind: 'solinas', power, terms: [[-1, 0]] },
    backends: { ts: layout(24, count) },
  };
  const d = derive(row, row.backends.ts);
  const a = Array.from({ length: count }, (_, i) => BigInt(i + 1));
  const b = Array.from({ length: count }, (_, i) => -BigInt(100 + i));

  it('conditional assignment and swap move every limb, in TypeScript', () => {
    const programs = new DoubleMontgomeryPrograms(d);
    for (const program of [programs.select(), programs.swap()]) {
      const parameters = [...program.operands, ...program.scalars].map(({ name }) => `${name}: any`);
      const source = `(${`function (${parameters.join()}) { ${emitBody(program).join('\n')} }`})`;
      const run = new Function(`return ${transformSync(source, { loader: 'ts' }).code}`)() as (...x: unknown[]) => void;
      for (const bit of [0, 1]) {
        const elements = [a, b].map((limbs) => Float64Array.from(limbs.map(Number)));
        const out = new Float64Array(count);
        run(...(program.name === 'select' ? [out, ...elements] : elements), bit);
        const expected = bit === 1 ? [b, a] : [a, b];
        if (program.name === 'select') expect([...out].map(BigInt)).toEqual(expected[0]);
        else expect(elements.map((element) => [...element].map(BigInt))).toEqual(expected);
      }
    }
  });

  it.each(WASM)('conditional assignment and swap move every limb, in %s', (backend: WasmBackend) => {
    const programs = new MontgomeryPrograms(d, backend);
    const list = [programs.select(), programs.swap()] as const;
    const { run, lanes } = wasmRunner(d, backend, encodePrograms(list, backend));
    for (const bits of [
      [0n, 0n],
      [1n, 1n],
      [0n, 1n],
      [1n, 0n],
    ]) {
      const inputs = Array.from({ length: lanes }, (_, lane) => ({
        operands: { a, b },
        scalars: { bit: bits[lane]! },
        bytes: [],
      }));
      run(list[0], inputs).forEach(({ operands }, lane) => {
        expect(operands['out']).toEqual(bits[lane] === 1n ? b : a);
      });
      run(list[1], inputs).forEach(({ operands }, lane) => {
        expect([operands['a'], operands['b']]).toEqual(bits[lane] === 1n ? [b, a] : [a, b]);
      });
    }
  });
});
