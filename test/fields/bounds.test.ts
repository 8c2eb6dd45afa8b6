import { describe, expect, it } from 'vitest';
import {
  analyse,
  BoundsError,
  ElementBound,
  type Interval,
  IntervalDomain,
  interval,
  symmetric,
} from '../../fields/generator/bounds.ts';
import { derive } from '../../fields/generator/derive.ts';
import { DoubleMontgomeryPrograms } from '../../fields/generator/doubles.ts';
import { EXACT_DOMAIN, limbValue } from '../../fields/generator/interpret.ts';
import { ProgramBuilder } from '../../fields/generator/ir.ts';
import { type Domain, walk } from '../../fields/generator/walk.ts';
import { PRIMES } from '../../fields/primes.ts';
import { BACKENDS, type BackendCase } from './backends.ts';
import { inverseMod, mod, randomSource } from './support.ts';

/** An exact value with the interval that the analysis has for it. */
interface Pair {
  readonly exact: bigint;
  readonly bound: Interval;
}

/** Both domains at once: every value must lie in its interval and be a multiple of the power of two that it claims. */
const INTERVALS = new IntervalDomain();
const both = (exact: bigint, bound: Interval): Pair => {
  if (exact < bound.low || exact > bound.high || BigInt.asUintN(Math.min(bound.zeros, 64), exact) !== 0n) {
    throw new Error(`${exact} is not in [${bound.low}, ${bound.high}] or no multiple of 2^${bound.zeros}`);
  }
  return { exact, bound };
};
const PAIRS: Domain<Pair> = {
  constant: (value, bias) => both(EXACT_DOMAIN.constant(value, bias), INTERVALS.constant(value, bias)),
  add: (a, b) => both(EXACT_DOMAIN.add(a.exact, b.exact), INTERVALS.add(a.bound, b.bound)),
  sub: (a, b) => both(EXACT_DOMAIN.sub(a.exact, b.exact), INTERVALS.sub(a.bound, b.bound)),
  mul: (a, b) => both(EXACT_DOMAIN.mul(a.exact, b.exact), INTERVALS.mul(a.bound, b.bound)),
  bitwise: (op, a, b) => both(EXACT_DOMAIN.bitwise(op, a.exact, b.exact), INTERVALS.bitwise(op, a.bound, b.bound)),
  divide: (a, shift) => both(EXACT_DOMAIN.divide(a.exact, shift), INTERVALS.divide(a.bound, shift)),
  round: (a, width) => both(EXACT_DOMAIN.round(a.exact, width), INTERVALS.round(a.bound, width)),
  remainder: (a, rounded, width) =>
    both(EXACT_DOMAIN.remainder(a.exact, rounded.exact, width), INTERVALS.remainder(a.bound, rounded.bound, width)),
  assertMultiple: (a, shift) =>
    both(EXACT_DOMAIN.assertMultiple(a.exact, shift), INTERVALS.assertMultiple(a.bound, shift)),
  choose: (a, b, mask) =>
    both(EXACT_DOMAIN.choose(a.exact, b.exact, mask.exact), INTERVALS.choose(a.bound, b.bound, mask.bound)),
  mask: (a, bits) => both(EXACT_DOMAIN.mask(a.exact, bits), INTERVALS.mask(a.bound, bits)),
  shiftRight: (a, shift, signed) =>
    both(EXACT_DOMAIN.shiftRight(a.exact, shift, signed), INTERVALS.shiftRight(a.bound, shift, signed)),
  mulHigh: (a, b, width) =>
    both(EXACT_DOMAIN.mulHigh(a.exact, b.exact, width), INTERVALS.mulHigh(a.bound, b.bound, width)),
  mulLow: (a, b, high, width) =>
    both(
      EXACT_DOMAIN.mulLow(a.exact, b.exact, high.exact, width),
      INTERVALS.mulLow(a.bound, b.bound, high.bound, width),
    ),
  floatOf: (a) => both(EXACT_DOMAIN.floatOf(a.exact), INTERVALS.floatOf(a.bound)),
  toInt: (a) => both(EXACT_DOMAIN.toInt(a.exact), INTERVALS.toInt(a.bound)),
  fits: (a, type) => both(a.exact, INTERVALS.fits(a.bound, type)),
  assert: (a, low, high) => both(EXACT_DOMAIN.assert(a.exact, low, high), INTERVALS.assert(a.bound, low, high)),
};

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
    const random = randomSource(backend.title.length);
    for (const { program, inputs } of backend.contracts) {
      for (const sign of SIGNS) {
        const pairs = (limbs: readonly bigint[]): Pair[] =>
          limbs.map((exact, i) => ({ exact, bound: inputs.limbs[i]! }));
        const a = full(inputs, sign);
        const anywhere = inputs.limbs.map(({ low, high }) => low + (random(64) % (high - low + 1n)));
        const scalars = Object.fromEntries(
          program.scalars.map(({ name, max }) => [name, { exact: max, bound: interval(0n, max) }]),
        );
        const bytes = Array.from({ length: backend.d.byteLength }, () => ({
          exact: random(8),
          bound: interval(0n, 255n),
        }));
        // Throws at the first value outside its interval.
        walk(program, PAIRS, { operands: { a: pairs(a), b: pairs(anywhere) }, scalars, bytes });
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
