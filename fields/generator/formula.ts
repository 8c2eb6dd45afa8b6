// Formulas over a field with lazy sums: carries are inserted where, and only where, the bounds ask for one.
//
// A formula is a list of steps on named elements. The plan walks it with the bounds that the field's own code was
// generated under, and is what a kernel or a straight-line function is then written from.

import { BoundsError, type ElementBound } from './bounds.ts';
import type { FieldBounds } from './field-bounds.ts';

export type FormulaStep =
  | { readonly op: 'add' | 'sub' | 'mul'; readonly out: string; readonly a: string; readonly b: string }
  | { readonly op: 'square'; readonly out: string; readonly a: string };

/** A step of the formula, or a carry of an element in place. */
export type PlannedStep = FormulaStep | { readonly op: 'carry'; readonly out: string; readonly a: string };

export interface FormulaPlan {
  readonly steps: readonly PlannedStep[];
  /** Bound and number of summed elements of every name after the last step. */
  readonly bounds: ReadonlyMap<string, ElementBound>;
  readonly terms: ReadonlyMap<string, number>;
  /** The most terms that any element ever had. */
  readonly mostTerms: number;
}

/**
 * Plans a formula whose inputs are elements of the contract; the results are carried into the contract too. Throws
 * BoundsError where no carry would help.
 */
export function planFormula(
  field: FieldBounds,
  carryTerms: number,
  inputs: readonly string[],
  steps: readonly FormulaStep[],
  results: readonly string[],
): FormulaPlan {
  const bounds = new Map<string, ElementBound>(inputs.map((name) => [name, field.tight]));
  const terms = new Map<string, number>(inputs.map((name) => [name, 1]));
  const planned: PlannedStep[] = [];
  let mostTerms = 1;
  const boundOf = (name: string): ElementBound => {
    const bound = bounds.get(name);
    if (bound === undefined) throw new Error(`${name} is used before it is computed`);
    return bound;
  };
  const termsOf = (name: string): number => terms.get(name) ?? 1;
  const set = (name: string, bound: ElementBound, count: number): void => {
    bounds.set(name, bound);
    terms.set(name, count);
    mostTerms = Math.max(mostTerms, count);
  };
  const carry = (name: string): void => {
    planned.push({ op: 'carry', out: name, a: name });
    set(name, field.tight, 1);
  };
  /** Carries the operand with most terms, then the other, until `attempt` is proven. */
  const prove = (names: readonly string[], attempt: () => ElementBound): ElementBound => {
    const order = [...new Set(names)].sort((x, y) => termsOf(y) - termsOf(x));
    for (const name of [...order, undefined]) {
      try {
        return attempt();
      } catch (cause) {
        if (!(cause instanceof BoundsError) || name === undefined) throw cause;
        carry(name);
      }
    }
    return attempt();
  };
  const carryable = field.tight.times(carryTerms);
  const refuseBeyondCarry = (bound: ElementBound): ElementBound => {
    if (!carryable.contains(bound)) throw new BoundsError(`a sum of more than ${carryTerms} elements`);
    return bound;
  };

  for (const step of steps) {
    switch (step.op) {
      case 'mul':
        set(
          step.out,
          prove([step.a, step.b], () => field.mul(boundOf(step.a), boundOf(step.b))),
          1,
        );
        break;
      case 'square':
        set(
          step.out,
          prove([step.a], () => field.square(boundOf(step.a))),
          1,
        );
        break;
      case 'add':
      case 'sub': {
        const bound = prove([step.a, step.b], () =>
          refuseBeyondCarry(
            step.op === 'add' ? boundOf(step.a).plus(boundOf(step.b)) : boundOf(step.a).minus(boundOf(step.b)),
          ),
        );
        set(step.out, bound, termsOf(step.a) + termsOf(step.b));
        break;
      }
    }
    planned.push(step);
  }
  for (const name of results) if (!field.tight.contains(boundOf(name))) carry(name);
  return { steps: planned, bounds, terms, mostTerms };
}
