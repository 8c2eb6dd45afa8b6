// The contract block that stands above every generated function.

import { analyse, BoundsError, type ElementBound, magnitude, max } from './bounds.ts';
import type { FieldBounds } from './field-bounds.ts';
import type { MachineType, Program } from './ir.ts';
import type { FieldPrograms } from './programs.ts';

const log2 = (value: bigint): string => (value === 0n ? '0' : `2^${Math.log2(Number(value)).toFixed(3)}`);

/** Largest limb below the top, and top limb. */
export function describe(bound: ElementBound): string {
  const sizes = bound.limbs.map(magnitude);
  const lower = max(0n, ...sizes.slice(0, -1));
  return `|limb| ≤ ${log2(lower)}, top ≤ ${log2(sizes.at(-1) ?? 0n)}`;
}

export interface Contract {
  readonly program: Program;
  /** The value equation, modulo p. */
  readonly equation: string;
  readonly inputs: ElementBound;
  /** What the output keeps, where the program is not lazy. */
  readonly tight: ElementBound;
  /** Said of the input instead of its limb bounds. */
  readonly inputNote?: string;
}

const PEAK_NAMES: Readonly<Record<MachineType, string>> = {
  f64: 'double',
  i64: '64-bit integer',
  i32: '32-bit integer',
  p32: 'packed limb',
};

/** The lines of the contract of a function, from the analysis of its program. */
export function contractLines(width: number, contract: Contract): string[] {
  const { program, inputs } = contract;
  const analysis = analyse(program, width, { a: inputs, b: inputs });
  const [output] = Object.values(analysis.operands);
  if (!program.name.endsWith('Lazy') && output !== undefined && !contract.tight.contains(output)) {
    throw new BoundsError(`${program.name}: the result leaves the contract of the field`);
  }
  const peaks = Object.entries(analysis.peaks)
    .filter(([, peak]) => peak > 0n)
    .map(([type, peak]) => `${PEAK_NAMES[type as MachineType]} ${log2(peak)}`);
  const largest = peaks.length === 0 ? '' : `Largest ${peaks.join(', ')}. `;
  return [
    `Value: ${contract.equation}.`,
    ...(program.operands.some(({ role }) => role !== 'out')
      ? [`Input: ${contract.inputNote ?? describe(inputs)}.`]
      : []),
    ...(output === undefined ? [] : [`Output: ${describe(output)}.`]),
    `${largest}${output === undefined ? '' : 'Aliasing: allowed. '}Branch-free: yes.`,
  ];
}

/** Every operation of a field with its contract, in the order in which they are emitted. */
export function contracts(programs: FieldPrograms, bounds: FieldBounds): Contract[] {
  const { tight, layout } = programs.d;
  const { productTerms, squareTerms } = bounds;
  const { carryTerms } = programs;
  const montgomery = layout.representation === 'montgomery';
  const [r, perR] = montgomery ? ['·R', '·R^−1'] : ['', ''];
  const pair = productTerms >= 4 ? 2 : 1;
  const named = (program: Program, equation: string, inputs = tight, inputNote?: string): Contract => ({
    program,
    equation,
    inputs,
    tight,
    ...(inputNote === undefined ? {} : { inputNote }),
  });
  return [
    named(programs.copy(), 'out = a'),
    named(programs.constant('zero'), 'out = 0'),
    named(programs.constant('one'), montgomery ? 'out = R, which stands for 1' : 'out = 1'),
    named(programs.add(), 'out = a + b'),
    named(programs.sub(), 'out = a − b'),
    named(programs.neg(), 'out = −a'),
    named(
      programs.mul(),
      `out = a·b${perR}`,
      tight.times(pair),
      `sums of x and y elements of the contract, x·y ≤ ${productTerms}; figures for x = y = ${pair}`,
    ),
    named(
      programs.square(),
      `out = a²${perR}`,
      tight.times(squareTerms),
      `a sum of up to ${squareTerms} elements of the contract`,
    ),
    named(programs.mulSmall(), 'out = a·factor, 0 ≤ factor < 2^16 and not secret'),
    named(programs.addLazy(), 'out = a + b, limb by limb without a carry: terms add up, the caller counts them'),
    named(programs.subLazy(), 'out = a − b, limb by limb without a carry: terms add up, the caller counts them'),
    named(
      programs.carry(carryTerms),
      'out = a',
      tight.times(carryTerms),
      `a lazy sum of up to ${carryTerms} elements of the contract`,
    ),
    named(programs.select(), 'out = bit ? b : a'),
    named(programs.swap(), '(a, b) = bit ? (b, a) : (a, b)'),
    named(programs.isZero(), '1 if a = 0, else 0'),
    named(programs.equals(), '1 if a = b, else 0'),
    named(programs.fromBytes(), `out = bytes${r}, big-endian, any value`),
    named(programs.toBytes(), `bytes = a${perR}, big-endian, in [0, p)`),
  ];
}
