// Formulas with lazy sums: the plan made from the bounds, and a run that counts what the plan assumed.

import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Element, Field } from '../../fields/field.ts';
import * as p256 from '../../fields/generated/p256.generated.ts';
import type * as p384 from '../../fields/generated/p384.generated.ts';
import { BoundsError } from '../../fields/generator/bounds.ts';
import { type FormulaPlan, type FormulaStep, planFormula } from '../../fields/generator/formula.ts';
import { doubleField } from '../../fields/generator/ts-module.ts';
import { DOUBLING, exact, RESULTS } from './doubling.ts';
import { type AnyElement, CASES, decode, encode, type GeneratedField, mod, randomSource } from './support.ts';

/** Runs a plan on the lazy operations, and counts the terms of every element and every product. */
function run(field: GeneratedField, plan: FormulaPlan, inputs: Record<string, AnyElement>) {
  const elements: Record<string, AnyElement> = { ...inputs };
  const terms: Record<string, number> = Object.fromEntries(Object.keys(inputs).map((name) => [name, 1]));
  let mostTerms = 1;
  let mostProduct = 1;
  let carries = 0;
  for (const step of plan.steps) {
    const out = field.create();
    const a = elements[step.a]!;
    const count = terms[step.a]!;
    if (step.op === 'carry') {
      expect(count).toBeLessThanOrEqual(field.carryTerms);
      field.carry(out, a);
      terms[step.out] = 1;
      carries++;
    } else if (step.op === 'square') {
      expect(count).toBeLessThanOrEqual(field.squareTerms);
      field.square(out, a);
      terms[step.out] = 1;
    } else if (step.op === 'mul') {
      mostProduct = Math.max(mostProduct, count * terms[step.b]!);
      field.mul(out, a, elements[step.b]!);
      terms[step.out] = 1;
    } else {
      (step.op === 'add' ? field.addLazy : field.subLazy)(out, a, elements[step.b]!);
      terms[step.out] = count + terms[step.b]!;
    }
    mostTerms = Math.max(mostTerms, terms[step.out]!);
    elements[step.out] = out;
  }
  return { elements, mostTerms, mostProduct, carries };
}

describe.each(CASES)('a doubling over $row.name', ({ row, field, p }) => {
  const { bounds } = doubleField(row);
  const plan = planFormula(bounds, field.carryTerms, ['x', 'y', 'z'], DOUBLING, RESULTS);

  it('is right with the carries that the plan inserts, and never sums more than it assumed', () => {
    const random = randomSource(11);
    for (let i = 0; i < 50; i++) {
      const values = { x: random(700) % p, y: random(700) % p, z: i === 0 ? 0n : random(700) % p };
      const inputs = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(field, value)]));
      const { elements, mostTerms, mostProduct } = run(field, plan, inputs);
      const expected = exact(p, values);
      for (const name of RESULTS) expect(decode(field, elements[name]!)).toBe(expected[name]);
      expect(mostTerms).toBeLessThanOrEqual(plan.mostTerms);
      expect(mostProduct).toBeLessThanOrEqual(field.productTerms);
    }
  });

  it('carries nowhere that the bounds do not ask for', () => {
    const carries = plan.steps.filter(({ op }) => op === 'carry').map(({ out }) => out);
    const inner = carries.filter((name) => !RESULTS.includes(name) || name === 'y3').length - 1;
    // beta4 − x3 has 13 terms: the one factor that is too wide where a product holds 12.
    if (field.productTerms >= 13) expect(inner).toBe(0);
    else if (field.productTerms === 12) expect(inner).toBe(1);
    else expect(inner).toBeLessThanOrEqual(3);
  });
});

it('a formula that no carry can save does not build', () => {
  const { bounds } = doubleField(CASES[0]!.row);
  const steps: FormulaStep[] = [{ op: 'add', out: 's', a: 'x', b: 'x' }];
  for (let i = 0; i < 3; i++) steps.push({ op: 'add', out: 's', a: 's', b: 's' });
  expect(planFormula(bounds, 16, ['x'], steps, []).mostTerms).toBe(16);
  expect(planFormula(bounds, 8, ['x'], steps, []).steps.some(({ op }) => op === 'carry')).toBe(true);
  expect(() => planFormula(bounds, 1, ['x'], steps, [])).toThrow(BoundsError);
});

describe('Montgomery chains', () => {
  /** Whether every limb keeps the contract that the module states. */
  const inRange = (row: (typeof CASES)[number]['row'], element: AnyElement): boolean => {
    const { tight } = doubleField(row).bounds;
    return tight.limbs.every(({ low, high }, i) => low <= BigInt(element[i]!) && BigInt(element[i]!) <= high);
  };

  it.each(CASES)('of square, add, sub, mul, ×2, ×3 and ×4 stay in range over $row.name', ({ row, field, p }) => {
    const random = randomSource(99);
    const tight = doubleField(row).bounds.tight;
    const [a, b] = [encode(field, 3n), encode(field, p - 2n)];
    let [x, y] = [3n, p - 2n];
    for (let i = 0; i < 300; i++) {
      const steps: (readonly [() => void, bigint])[] = [
        [() => field.square(a, a), x * x],
        [() => field.add(a, a, b), x + y],
        [() => field.sub(a, a, b), x - y],
        [() => field.mul(a, a, b), x * y],
        [() => field.mulSmall(a, a, 2), 2n * x],
        [() => field.mulSmall(a, a, 3), 3n * x],
        [() => field.mulSmall(a, a, 4), 4n * x],
      ];
      const [act, value] = steps[Number(random(16)) % steps.length]!;
      act();
      x = mod(value, p);
      expect(a.every((limb, k) => Number(tight.limbs[k]!.low) <= limb && limb <= Number(tight.limbs[k]!.high))).toBe(
        true,
      );
      if (i % 5 === 0) {
        field.swap(a, b, 1);
        [x, y] = [y, x];
      }
    }
    expect([decode(field, a), decode(field, b)]).toEqual([x, y]);
  });

  it('are told apart from a corrupted element by the range check', () => {
    for (const { row, field } of CASES) {
      const element = encode(field, 12345n);
      expect(inRange(row, element)).toBe(true);
      for (let i = 0; i < field.limbCount; i++) {
        const corrupted = element.slice() as AnyElement;
        corrupted[i] = corrupted[i]! + 2 ** (row.backends.ts.width + 1);
        expect(inRange(row, corrupted)).toBe(false);
      }
    }
  });
});

it('elements of different fields do not mix', () => {
  expectTypeOf(p256).toExtend<Field<'p256/montgomery'>>();
  expectTypeOf<ReturnType<typeof p256.create>>().toEqualTypeOf<Element<'p256/montgomery'>>();
  expectTypeOf<ReturnType<typeof p384.create>>().not.toExtend<Parameters<typeof p256.mul>[1]>();
  expectTypeOf<Float64Array>().not.toExtend<Parameters<typeof p256.mul>[1]>();
  expect(p256.domain).not.toBe(p256.residueField);
});
