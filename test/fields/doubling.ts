// A formula that the tests of lazy sums run: one plan per field and backend, and its result by BigInt.

import type { FormulaStep } from '../../fields/generator/formula.ts';
import { mod } from './support.ts';

/** dbl-2001-b of the Explicit-Formulas Database, a = −3. */
export const DOUBLING: readonly FormulaStep[] = [
  { op: 'square', out: 'delta', a: 'z' },
  { op: 'square', out: 'gamma', a: 'y' },
  { op: 'mul', out: 'beta', a: 'x', b: 'gamma' },
  { op: 'sub', out: 't0', a: 'x', b: 'delta' },
  { op: 'add', out: 't1', a: 'x', b: 'delta' },
  { op: 'add', out: 't2', a: 't1', b: 't1' },
  { op: 'add', out: 't2', a: 't2', b: 't1' },
  { op: 'mul', out: 'alpha', a: 't0', b: 't2' },
  { op: 'add', out: 'beta2', a: 'beta', b: 'beta' },
  { op: 'add', out: 'beta4', a: 'beta2', b: 'beta2' },
  { op: 'add', out: 'beta8', a: 'beta4', b: 'beta4' },
  { op: 'square', out: 'x3', a: 'alpha' },
  { op: 'sub', out: 'x3', a: 'x3', b: 'beta8' },
  { op: 'add', out: 'z3', a: 'y', b: 'z' },
  { op: 'square', out: 'z3', a: 'z3' },
  { op: 'sub', out: 'z3', a: 'z3', b: 'gamma' },
  { op: 'sub', out: 'z3', a: 'z3', b: 'delta' },
  { op: 'square', out: 'g4', a: 'gamma' },
  { op: 'add', out: 'g4', a: 'g4', b: 'g4' },
  { op: 'add', out: 'g4', a: 'g4', b: 'g4' },
  { op: 'add', out: 'g8', a: 'g4', b: 'g4' },
  { op: 'sub', out: 'y3', a: 'beta4', b: 'x3' },
  { op: 'mul', out: 'y3', a: 'alpha', b: 'y3' },
  { op: 'sub', out: 'y3', a: 'y3', b: 'g8' },
];
export const RESULTS = ['x3', 'y3', 'z3'];

/** Every name of the formula by BigInt. */
export function exact(p: bigint, inputs: Record<string, bigint>): Record<string, bigint> {
  const values: Record<string, bigint> = { ...inputs };
  for (const step of DOUBLING) {
    const a = values[step.a]!;
    if (step.op === 'square') values[step.out] = mod(a * a, p);
    else {
      const b = values[step.b]!;
      values[step.out] = mod(step.op === 'mul' ? a * b : step.op === 'add' ? a + b : a - b, p);
    }
  }
  return values;
}
