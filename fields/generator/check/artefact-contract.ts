// What the checkers are told of a function: which operands it reads and writes, and the intervals of their limbs.
// How the function computes, and with which intermediate values, they find out for themselves.

import type { ElementBound } from '../bounds.ts';
import type { Contract } from '../contract.ts';

export interface Limits {
  readonly low: bigint;
  readonly high: bigint;
}

export interface OperandContract {
  readonly name: string;
  readonly reads: boolean;
  readonly writes: boolean;
  readonly limbs: readonly Limits[];
}

export interface FunctionContract {
  readonly name: string;
  /** Which of several input bounds these are. */
  readonly variant: string;
  readonly operands: readonly OperandContract[];
  /** 'bit' is secret and every value is tried; the others are public. */
  readonly scalars: readonly { readonly name: string; readonly max: bigint }[];
  readonly bytes: 'in' | 'out' | undefined;
  readonly byteLength: number;
  /** What every limb of an output keeps; undefined where sums are left to the caller. */
  readonly output: readonly Limits[] | undefined;
  readonly result: boolean;
}

export interface FieldContract {
  readonly contracts: readonly Contract[];
  readonly tight: ElementBound;
  readonly productTerms: number;
  readonly squareTerms: number;
  readonly byteLength: number;
}

const limits = (bound: ElementBound): readonly Limits[] => bound.limbs.map(({ low, high }) => ({ low, high }));

/** Every function with every set of input bounds that its contract names. */
export function functionContracts(field: FieldContract): FunctionContract[] {
  const { tight, productTerms, squareTerms } = field;
  return field.contracts.flatMap(({ program, inputs }) => {
    const scalings: (readonly [ElementBound, ElementBound, string])[] = [];
    if (program.name === 'mul') {
      for (let x = 1; x <= productTerms; x++) {
        const y = Math.floor(productTerms / x);
        if (Math.floor(productTerms / (x + 1)) === y) continue;
        scalings.push([tight.times(x), tight.times(y), `${x}·${y}`]);
      }
    } else if (program.name === 'square') scalings.push([tight.times(squareTerms), tight, `${squareTerms}²`]);
    else scalings.push([inputs, inputs, '']);
    return scalings.map(
      ([a, b, variant]): FunctionContract => ({
        name: program.name,
        variant,
        operands: program.operands.map(({ name, role }) => ({
          name,
          reads: role !== 'out',
          writes: role !== 'in',
          limbs: limits(name === 'b' ? b : a),
        })),
        scalars: program.scalars,
        bytes: program.bytes?.role,
        byteLength: field.byteLength,
        output: program.name.endsWith('Lazy') ? undefined : limits(tight),
        result: program.result !== undefined,
      }),
    );
  });
}

/** The ways in which the operands of a function may be one and the same: a partition as the number of each. */
export function aliasings(operands: readonly OperandContract[]): number[][] {
  const [first, ...rest] = operands;
  if (first === undefined || first.reads) return [operands.map((_, i) => i)];
  const sets = [operands.map((_, i) => i)];
  rest.forEach((_, i) => void sets.push(operands.map((_unused, j) => (j === i + 1 ? 0 : j))));
  const same = (a: OperandContract, b: OperandContract): boolean =>
    a.limbs.every(({ low, high }, i) => b.limbs[i]?.low === low && b.limbs[i]?.high === high);
  if (rest.length > 1 && rest.every((operand) => same(operand, rest[0]!))) sets.push(operands.map(() => 0));
  return sets;
}
