// Longer programs from the same parts: whole formulas in registers, with real loops.

import { describe, expect, it } from 'vitest';
import { analyse, BoundsError } from '../../fields/generator/bounds.ts';
import { interpret, limbValue } from '../../fields/generator/interpret.ts';
import { type Program, ProgramBuilder } from '../../fields/generator/ir.ts';
import { listed } from '../../fields/generator/programs.ts';
import { wasmField } from '../../fields/generator/wasm-field.ts';
import { encodePrograms } from '../../fields/generator/wasm-module.ts';
import { PRIMES } from '../../fields/primes.ts';
import { RELAXED_SIMD, wasmRunner } from './backends.ts';
import { inverseMod, mod, randomSource } from './support.ts';

const CASES = PRIMES.flatMap((row) =>
  (['fma', 'simd', 'i64'] as const)
    .filter((backend) => row.backends[backend] !== undefined && (backend !== 'fma' || RELAXED_SIMD))
    .map((backend) => ({ title: `${row.name} ${backend}`, row, backend })),
);

const OPERANDS = [
  { name: 'out', role: 'out' },
  { name: 'a', role: 'in' },
  { name: 'b', role: 'in' },
] as const;

describe.each(CASES)('fused programs over $title', ({ row, backend }) => {
  const { programs } = wasmField(row, backend);
  const { d } = programs;
  const p = d.modulus;
  const perR = d.entry === 1n ? 1n : inverseMod(d.radix, p);

  /** ((a + b)·b)^(2^5), with the sum uncarried and the squarings in a loop. */
  const program = ((): Program => {
    const builder = new ProgramBuilder('fused', d.count, programs.limbType);
    const a = builder.loadAll('a');
    const b = builder.loadAll('b');
    const sum = a.map((limb, i) => builder.binary('add', limb, b[i]!));
    const state = programs.product(builder, listed(sum), listed(b)).map((limb) => builder.unary({ op: 'move' }, limb));
    builder.loop(5, () => {
      programs.squared(builder, listed(state)).forEach((limb, i) => {
        builder.emit({ op: 'move', dst: state[i]!, a: limb });
      });
    });
    builder.storeAll('out', state);
    return builder.finish(OPERANDS);
  })();

  it('are proven, and match the interpreter and the formula', () => {
    expect(() => analyse(program, d.width, { a: d.tight, b: d.tight })).not.toThrow(BoundsError);
    const runner = wasmRunner(d, backend, encodePrograms([program], backend));
    const random = randomSource(d.count);
    for (let round = 0; round < 10; round++) {
      const limbs = (): bigint[] => d.tight.limbs.map(({ low, high }) => low + (random(64) % (high - low + 1n)));
      const lanes = Array.from({ length: runner.lanes }, () => ({
        operands: { a: limbs(), b: limbs() },
        scalars: {},
        bytes: [],
      }));
      runner.run(program, lanes).forEach((run, lane) => {
        const { a, b } = lanes[lane]!.operands;
        expect(run.operands['out']).toEqual(interpret(program, lanes[lane]!).operands['out']);
        let expected = mod((limbValue(a, d.width) + limbValue(b, d.width)) * limbValue(b, d.width) * perR, p);
        for (let i = 0; i < 5; i++) expected = mod(expected * expected * perR, p);
        expect(mod(limbValue(run.operands['out']!, d.width), p)).toBe(expected);
      });
    }
  });
});
