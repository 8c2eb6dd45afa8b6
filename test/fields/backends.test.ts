import { describe, expect, it } from 'vitest';
import type { ElementBound } from '../../fields/generator/bounds.ts';
import type { Contract } from '../../fields/generator/contract.ts';
import { interpret, limbValue } from '../../fields/generator/interpret.ts';
import { BACKENDS, type BackendCase, RELAXED_SIMD, type Run, type RunInputs } from './backends.ts';
import { inverseMod, mod, randomSource } from './support.ts';

const ROUNDS = process.env['PROVIUM_TEST_TIER'] === 'ci' ? 100 : 8;
const PRODUCTS = process.env['PROVIUM_TEST_TIER'] === 'ci' ? 100_000 : 500;
/** Operands that products are made of; any two are multiplied in this order once at most. */
const POOL = 1 << 10;

type Random = (bits: number) => bigint;

/** Limbs in a bound: at one end, at both ends alternately, near 0, or anywhere. */
function limbsIn(bound: ElementBound, random: Random, kind = Number(random(3))): bigint[] {
  return bound.limbs.map(({ low, high }, i) => {
    if (kind === 0) return high;
    if (kind === 1) return low;
    if (kind === 2) return i % 2 === 0 ? high : low;
    if (kind === 3) return BigInt(i % 3) - 1n;
    const anywhere = low + (random(64) * (high - low)) / ((1n << 64n) - 1n);
    return kind === 4 && random(1) === 1n ? (random(1) === 1n ? high : low) : anywhere;
  });
}

function inputsFor(backend: BackendCase, contract: Contract, random: Random): RunInputs {
  const { program, inputs } = contract;
  const operands = Object.fromEntries(
    program.operands.filter(({ role }) => role !== 'out').map(({ name }) => [name, limbsIn(inputs, random)]),
  );
  const scalars = Object.fromEntries(
    program.scalars.map(({ name, max }) => [name, random(2) === 0n ? max : random(16) % (max + 1n)]),
  );
  const fill = Number(random(3));
  const bytes = Array.from({ length: program.bytes?.role === 'in' ? backend.d.byteLength : 0 }, () =>
    fill === 0 ? 0xffn : random(8),
  );
  return { operands, scalars, bytes };
}

/** What the value equation of a contract says of the run. */
function checkEquation(backend: BackendCase, name: string, inputs: RunInputs, run: Run): void {
  const { width, modulus: p, radix, one, entry } = backend.d;
  const value = (limbs: readonly bigint[] | undefined): bigint => mod(limbValue(limbs ?? [], width), p);
  const [a, b, out] = [value(inputs.operands['a']), value(inputs.operands['b']), value(run.operands['out'])];
  const perR = entry === 1n ? 1n : inverseMod(radix, p);
  const integer = (bytes: readonly bigint[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | byte, 0n);
  const bit = inputs.scalars['bit'] === 1n;
  const expected: Record<string, () => bigint> = {
    copy: () => a,
    zero: () => 0n,
    one: () => one,
    add: () => a + b,
    sub: () => a - b,
    neg: () => -a,
    mul: () => a * b * perR,
    square: () => a * a * perR,
    mulSmall: () => a * inputs.scalars['factor']!,
    addLazy: () => a + b,
    subLazy: () => a - b,
    carry: () => a,
    select: () => (bit ? b : a),
    fromBytes: () => integer(inputs.bytes) * mod(one, p),
  };
  if (name === 'toBytes') expect(integer(run.bytes)).toBe((a * perR) % p);
  else if (name === 'isZero') expect(run.result).toBe(BigInt(a === 0n));
  else if (name === 'equals') expect(run.result).toBe(BigInt(a === b));
  else if (name === 'swap') expect([value(run.operands['a']), value(run.operands['b'])]).toEqual(bit ? [b, a] : [a, b]);
  else expect(out).toBe(mod(expected[name]!(), p));
}

describe.each(BACKENDS)('$title', (backend) => {
  const random = randomSource(backend.title.length * 31 + backend.d.count);

  it('matches the interpreter limb for limb and the value equation, in every lane', () => {
    for (const contract of backend.contracts) {
      const { program } = contract;
      for (let round = 0; round < ROUNDS; round++) {
        const inputs = Array.from({ length: backend.lanes }, () => inputsFor(backend, contract, random));
        if (program.name === 'mulSmall') {
          for (const lane of inputs) (lane as { scalars: RunInputs['scalars'] }).scalars = inputs[0]!.scalars;
        }
        const runs = backend.run(program, inputs);
        inputs.forEach((lane, i) => {
          const exact = interpret(program, lane);
          for (const [name, limbs] of Object.entries(exact.operands)) {
            expect(runs[i]!.operands[name], `${program.name} ${name}`).toEqual(limbs);
          }
          if (program.bytes?.role === 'out') expect(runs[i]!.bytes, program.name).toEqual(exact.bytes);
          expect(runs[i]!.result, program.name).toBe(exact.result);
          checkEquation(backend, program.name, lane, runs[i]!);
        });
      }
    }
  });

  it('multiplies random elements like BigInt', () => {
    const { width, modulus: p, radix, entry } = backend.d;
    const mul = backend.contracts.find(({ program }) => program.name === 'mul')!;
    const perR = entry === 1n ? 1n : inverseMod(radix, p);
    let wrong = 0;
    // Fresh operands in every round would take longer than the products: each meets many others, never the same twice.
    const pool = Array.from({ length: POOL }, (_, i) => {
      const limbs = limbsIn(mul.tight, random, i < 8 ? i : 4 + (i % 4));
      return { limbs, value: limbValue(limbs, width), scaled: limbValue(limbs, width) * perR };
    });
    for (let i = 0; i < PRODUCTS; i += backend.lanes) {
      const pairs = Array.from({ length: backend.lanes }, (_, lane) => {
        const at = i + lane;
        return { a: pool[at % POOL]!, b: pool[(at + 1 + Math.floor(at / POOL)) % POOL]! };
      });
      const inputs = pairs.map(({ a, b }) => ({ operands: { a: a.limbs, b: b.limbs }, scalars: {}, bytes: [] }));
      backend.run(mul.program, inputs).forEach((run, lane) => {
        const { a, b } = pairs[lane]!;
        if ((limbValue(run.operands['out']!, width) - a.value * b.scaled) % p !== 0n) wrong++;
        const inContract = run.operands['out']!.every((limb, k) => {
          const { low, high } = mul.tight.limbs[k]!;
          return low <= limb && limb <= high;
        });
        if (!inContract) wrong++;
      });
    }
    expect(wrong).toBe(0);
  });
});

it('covers every backend that this engine can run', () => {
  const titles = BACKENDS.map(({ title }) => title);
  for (const expected of ['p256 ts', 'p256 simd', 'p521 i64', 'curve448-order i64']) expect(titles).toContain(expected);
  expect(titles.includes('curve25519 fma')).toBe(RELAXED_SIMD);
});
