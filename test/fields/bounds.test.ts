import { describe, expect, it } from 'vitest';
import {
  analyse,
  BoundsError,
  ElementBound,
  IntervalDomain,
  interval,
  symmetric,
} from '../../fields/generator/bounds.ts';
import { derive } from '../../fields/generator/derive.ts';
import { DoubleMontgomeryPrograms } from '../../fields/generator/doubles.ts';
import { interpret, limbValue } from '../../fields/generator/interpret.ts';
import { ProgramBuilder } from '../../fields/generator/ir.ts';
import { PRIMES } from '../../fields/primes.ts';
import { BACKENDS, type BackendCase } from './backends.ts';
import { inverseMod, mod } from './support.ts';

const full = (bound: ElementBound, sign: (limb: number) => 1 | -1): bigint[] =>
  bound.limbs.map(({ low, high }, i) => (sign(i) === 1 ? high : low));

const SIGNS: readonly ((limb: number) => 1 | -1)[] = [() => 1, () => -1, (i) => (i % 2 === 0 ? 1 : -1)];

function runMul(backend: BackendCase, a: readonly bigint[], b: readonly bigint[]): readonly bigint[] {
  const { program } = backend.contracts.find((contract) => contract.program.name === 'mul')!;
  const lane = { operands: { a, b }, scalars: {}, bytes: [] };
  return backend
    .run(
      program,
      Array.from({ length: backend.lanes }, () => lane),
    )
    .at(-1)!.operands['out']!;
}

function isProduct(backend: BackendCase, a: readonly bigint[], b: readonly bigint[], out: readonly bigint[]): boolean {
  const { width, modulus: p, radix, entry } = backend.d;
  const perR = entry === 1n ? 1n : inverseMod(radix, p);
  return mod(limbValue(a, width) * limbValue(b, width) * perR - limbValue(out, width), p) === 0n;
}

/** Whether the proof of a product of these bounds stands and its result keeps the contract. */
function isProven(backend: BackendCase, a: ElementBound, b: ElementBound): boolean {
  try {
    return backend.bounds.tight.contains(backend.bounds.mul(a, b));
  } catch (cause) {
    if (cause instanceof BoundsError) return false;
    throw cause;
  }
}

describe.each(BACKENDS)('the bounds of $title', (backend) => {
  const { productTerms, squareTerms, tight } = backend.bounds;

  it('are right at the most terms, at both ends of every limb', () => {
    for (let x = 1; x <= productTerms; x++) {
      const y = Math.floor(productTerms / x);
      for (const signA of SIGNS) {
        for (const signB of SIGNS) {
          const a = full(tight.times(x), signA);
          const b = full(tight.times(y), signB);
          expect(isProduct(backend, a, b, runMul(backend, a, b)), `${x}·${y}`).toBe(true);
        }
      }
    }
  });

  it('refuse one more addition', () => {
    expect(isProven(backend, tight.times(productTerms), tight)).toBe(true);
    expect(isProven(backend, tight.times(productTerms + 1), tight)).toBe(false);
    const squared = (terms: number): boolean => {
      try {
        return tight.contains(backend.bounds.square(tight.times(terms)));
      } catch (cause) {
        if (cause instanceof BoundsError) return false;
        throw cause;
      }
    };
    expect([squared(squareTerms), squared(squareTerms + 1)]).toEqual([true, false]);
  });

  it('hold every intermediate value of the interpreter', () => {
    for (const { program, inputs } of backend.contracts) {
      const bounds = { a: inputs, b: inputs };
      const analysis = analyse(program, backend.d.width, bounds);
      if (program.bytes !== undefined) continue;
      const scalars = Object.fromEntries(program.scalars.map(({ name, max }) => [name, max]));
      for (const sign of SIGNS) {
        const exact = interpret(program, { operands: { a: full(inputs, sign), b: full(inputs, SIGNS[2]!) }, scalars });
        for (const [name, limbs] of Object.entries(exact.operands)) {
          const bound = analysis.operands[name]!;
          expect(
            bound.contains(
              new ElementBound(
                backend.d.width,
                limbs.map((limb) => interval(limb, limb)),
              ),
            ),
          ).toBe(true);
        }
      }
    }
  });
});

describe('sharpness', () => {
  const examined = BACKENDS.filter(({ title }) => /^(p256|p384|curve25519) fma$|^p256 ts$/.test(title));

  it.each(examined)('$title goes wrong soon beyond its bound', (backend) => {
    const { productTerms, tight } = backend.bounds;
    let wrong = 0;
    for (let i = 0; i < 40; i++) {
      // Odd limbs near the end of a bound three times too wide.
      const wide = tight.times(3 * (productTerms + 1));
      const a = full(wide, SIGNS[i % 3]!).map((limb, k) => limb - BigInt((2 * k + i) % 29) + ((limb + 1n) & 1n));
      const b = full(tight, SIGNS[(i + 1) % 2]!).map((limb, k) => limb - BigInt(k % 7));
      if (!isProduct(backend, a, b, runMul(backend, a, b))) wrong++;
    }
    expect(wrong).toBeGreaterThan(10);
  });
});

describe('the analysis refuses', () => {
  const domain = new IntervalDomain();
  const build = (make: (p: ProgramBuilder) => void, limb: 'f64' | 'i64' = 'f64') => {
    const p = new ProgramBuilder('case', 2, limb);
    make(p);
    return p.finish([
      { name: 'a', role: 'in' },
      { name: 'out', role: 'out' },
    ]);
  };
  const bound = new ElementBound(24, [symmetric(1n << 30n), symmetric(1n << 30n)]);

  it('a double beyond 2^53', () => {
    const program = build((p) => p.emit({ op: 'mul', dst: p.register('f64'), a: p.load('a', 0), b: p.load('a', 1) }));
    expect(() => analyse(program, 24, { a: bound })).toThrow(/2\^53/);
    expect(() => analyse(program, 24, { a: bound.map(() => symmetric(1n << 26n)) })).not.toThrow();
  });

  it('a division that is not exact, and a remainder of another value', () => {
    const program = build((p) => p.unary({ op: 'divide', shift: 3 }, p.load('a', 0)));
    expect(() => analyse(program, 24, { a: bound })).toThrow(/division/);
    const other = build((p) => {
      const rounded = p.unary({ op: 'round', width: 24 }, p.load('a', 0));
      p.emit({ op: 'remainder', dst: p.register('f64'), a: p.load('a', 1), rounded, width: 24 });
    });
    expect(() => analyse(other, 24, { a: bound })).toThrow(/another value/);
  });

  it('a logical shift of a negative value and a shift of a biased word', () => {
    const negative = build((p) => p.unary({ op: 'shiftRight', shift: 3 }, p.load('a', 0)), 'i64');
    expect(() => analyse(negative, 24, { a: bound })).toThrow(/logical shift/);
    const biased = build((p) => {
      const high = p.register('i64');
      const [a, b] = [p.unary({ op: 'move' }, p.load('a', 0), 'f64'), p.load('a', 1)];
      p.emit({ op: 'mulHigh', dst: high, a, b, width: 24 });
      p.unary({ op: 'shiftRightSigned', shift: 3 }, high);
    });
    expect(() => analyse(biased, 24, { a: bound })).toThrow(/biased/);
  });

  it('a product outside the window in which it splits exactly', () => {
    expect(() => domain.mulHigh(symmetric(1n << 50n), symmetric(1n << 49n), 48)).toThrow(/window/);
    expect(() => domain.mulHigh(symmetric(1n << 50n), symmetric((1n << 49n) - 2n), 48)).not.toThrow();
  });

  it('a load after a store, which would break aliasing', () => {
    const program = build((p) => {
      p.emit({ op: 'store', operand: 'out', limb: 0, a: p.load('a', 0) });
      p.load('a', 1);
    });
    expect(() => analyse(program, 24, { a: bound })).toThrow(/aliasing/);
  });

  it('layouts without room', () => {
    const row = PRIMES.find(({ name }) => name === 'p256')!;
    // No bits above the modulus, too few limbs, limbs too wide for exact doubles.
    for (const [width, count] of [
      [32, 8],
      [24, 10],
      [26, 10],
      [27, 10],
    ] as const) {
      expect(() => {
        const d = derive(row, { width, count, representation: 'montgomery' });
        analyse(new DoubleMontgomeryPrograms(d).mul(), width, { a: d.tight.times(2), b: d.tight.times(2) });
      }).toThrow();
    }
  });
});
