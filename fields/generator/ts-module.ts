// A row → the text of its TypeScript module: programs, contract blocks and the few loops above them.

import type { PrimeRow } from '../primes.ts';
import { analyse, type ElementBound, magnitude, max } from './bounds.ts';
import { type Derived, derive } from './derive.ts';
import { DoublePrograms } from './doubles.ts';
import { emitBody } from './emit-ts.ts';
import { FieldBounds } from './field-bounds.ts';
import type { Program } from './ir.ts';

/** The most sums that `carry` takes back into the contract. */
export const CARRY_TERMS = 16;

export interface DoubleField {
  readonly derived: Derived;
  readonly programs: DoublePrograms;
  readonly bounds: FieldBounds;
}

export function doubleField(row: PrimeRow): DoubleField {
  const derived = derive(row, row.backends.ts);
  const programs = new DoublePrograms(derived);
  const { width, tight } = derived;
  const bounds = new FieldBounds({ width, tight, mul: programs.mul(), square: programs.square() });
  return { derived, programs, bounds };
}

const log2 = (value: bigint): string => (value === 0n ? '0' : `2^${Math.log2(Number(value)).toFixed(3)}`);

/** Largest limb below the top, and top limb. */
function describe(bound: ElementBound): string {
  const sizes = bound.limbs.map(magnitude);
  const lower = max(0n, ...sizes.slice(0, -1));
  return `|limb| ≤ ${log2(lower)}, top ≤ ${log2(sizes.at(-1) ?? 0n)}`;
}

interface FunctionText {
  readonly program: Program;
  /** The value equation, modulo p. */
  readonly equation: string;
  readonly inputs: ElementBound;
  /** Said of the input instead of its limb bounds. */
  readonly inputNote?: string;
  readonly doc?: string;
}

function functionText(field: DoubleField, f: FunctionText): string {
  const { program } = f;
  const analysis = analyse(program, field.derived.width, { a: f.inputs, b: f.inputs });
  const outputs = Object.values(analysis.operands);
  const contract = [
    `Value: ${f.equation}.`,
    ...(program.operands.some(({ role }) => role !== 'out') ? [`Input: ${f.inputNote ?? describe(f.inputs)}.`] : []),
    ...(outputs[0] === undefined ? [] : [`Output: ${describe(outputs[0])}.`]),
    `Largest double: ${log2(analysis.peaks.f64 ?? 0n)}. ${outputs.length > 0 ? 'Aliasing: allowed. ' : ''}Branch-free: yes.`,
  ];
  const parameters = program.operands.map(({ name }) => `${name}: E`);
  for (const { name } of program.scalars) parameters.push(`${name}: number`);
  if (program.bytes?.role === 'in') parameters.push('bytes: Uint8Array', 'offset: number');
  if (program.bytes?.role === 'out') parameters.unshift('bytes: Uint8Array', 'offset: number');
  const lines = emitBody(program);
  if (program.result !== undefined) lines.push(`return u${program.result};`);
  return [
    '/**',
    ...(f.doc === undefined ? [] : [` * ${f.doc}`]),
    ...contract.map((line) => ` * ${line}`),
    ' */',
    `export function ${program.name}(${parameters.join(', ')}): ${program.result === undefined ? 'void' : 'number'} {`,
    ...lines.map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n');
}

export function generateTs(row: PrimeRow): string {
  const field = doubleField(row);
  const { derived, programs, bounds } = field;
  const { tight } = derived;
  const { productTerms, squareTerms } = bounds;
  if (productTerms < 4) throw new Error(`${row.name}: a product of two sums of two does not fit`);
  const products = { a: 'a·b·R^−1', square: 'a²·R^−1' };
  const lazy = tight.times(2);
  const functions: FunctionText[] = [
    { program: programs.copy(), equation: 'out = a', inputs: tight },
    { program: programs.constant('zero'), equation: 'out = 0', inputs: tight },
    { program: programs.constant('one'), equation: 'out = R, which stands for 1', inputs: tight },
    { program: programs.add(), equation: 'out = a + b', inputs: tight },
    { program: programs.sub(), equation: 'out = a − b', inputs: tight },
    { program: programs.neg(), equation: 'out = −a', inputs: tight },
    {
      program: programs.mul(),
      equation: `out = ${products.a}`,
      inputs: lazy,
      inputNote: `sums of x and y elements of the contract, x·y ≤ ${productTerms} (two and two below)`,
    },
    {
      program: programs.square(),
      equation: `out = ${products.square}`,
      inputs: tight.times(squareTerms),
      inputNote: `a sum of up to ${squareTerms} elements of the contract`,
    },
    { program: programs.mulSmall(), equation: 'out = a·factor, 0 ≤ factor < 2^16 and not secret', inputs: tight },
    {
      program: programs.addLazy(),
      equation: 'out = a + b, limb by limb',
      inputs: tight,
      doc: 'No carry: the terms of the sum add up, and the caller answers for their number.',
    },
    {
      program: programs.subLazy(),
      equation: 'out = a − b, limb by limb',
      inputs: tight,
      doc: 'No carry: the terms of the sum add up, and the caller answers for their number.',
    },
    {
      program: programs.carry(CARRY_TERMS),
      equation: 'out = a',
      inputs: tight.times(CARRY_TERMS),
      inputNote: `a lazy sum of up to ${CARRY_TERMS} elements of the contract`,
    },
    { program: programs.select(), equation: 'out = bit ? b : a', inputs: tight },
    { program: programs.swap(), equation: '(a, b) = bit ? (b, a) : (a, b)', inputs: tight },
    { program: programs.isZero(), equation: '1 if a = 0, else 0', inputs: tight },
    { program: programs.equals(), equation: '1 if a = b, else 0', inputs: tight },
    { program: programs.fromBytes(), equation: 'out = bytes·R, big-endian, any value', inputs: tight },
    { program: programs.toBytes(), equation: 'bytes = a·R^−1, big-endian, in [0, p)', inputs: tight },
  ];
  const { width, count, modulus } = derived;
  const hex = (value: bigint): string => value.toString(16).padStart(2 * derived.byteLength, '0');
  const domain = `${row.name}/montgomery`;
  return `// Generated by fields/generator/generate.ts from the row '${row.name}' of fields/primes.ts. Do not edit.
//
// Arithmetic modulo ${row.title}, in exact doubles:
// ${count} signed limbs of ${width} bits, Montgomery with R = 2^${width * count}. The contract of an element, taken and given by every
// function unless it says otherwise: ${describe(tight)}.

import type { Element } from '../field.ts';

export const domain = '${domain}';
/** The domain of plain residues of the same prime: what toBytes gives and fromBytes takes. */
export const residueField = '${row.name}/residue';
export const representation = 'montgomery';
export const byteLength = ${derived.byteLength};
export const limbCount = ${count};
/** Bits per limb. */
export const limbWidth = ${width};
/** p, big-endian hexadecimal. */
export const modulus = '${hex(modulus)}';
/** A product of lazy sums of x and y elements is exact for x·y up to this; a square of a sum for up to squareTerms. */
export const productTerms = ${productTerms};
export const squareTerms = ${squareTerms};
/** The terms of a lazy sum that carry takes. */
export const carryTerms = ${CARRY_TERMS};

type E = Element<'${domain}'>;

export function create(): E {
  return new Float64Array(${count}) as E;
}

${functions.map((f) => functionText(field, f)).join('\n')}
/**
 * Value: out = a^exponent, for a public big-endian exponent: time and addresses depend on the exponent alone.
 * Input and output: the contract. Aliasing: allowed. Branch-free in a: yes.
 */
export function powPublic(out: E, a: E, exponent: Uint8Array): void {
  powTable ??= Array.from({ length: 16 }, create);
  const table = powTable;
  one(table[0]!);
  copy(table[1]!, a);
  for (let i = 2; i < 16; i++) mul(table[i]!, table[i - 1]!, table[1]!);
  const sum = table[0]!;
  for (const byte of exponent) {
    for (let shift = 4; shift >= 0; shift -= 4) {
      square(sum, sum);
      square(sum, sum);
      square(sum, sum);
      square(sum, sum);
      const digit = (byte >> shift) & 15;
      if (digit !== 0) mul(sum, sum, table[digit]!);
    }
  }
  copy(out, sum);
  for (const entry of table) entry.fill(0);
}
let powTable: E[] | undefined;

/**
 * Value: out = a^(p − 2), the inverse of a, and 0 for 0.
 * Input and output: the contract. Aliasing: allowed. Branch-free: yes.
 */
export function invert(out: E, a: E): void {
  inverseExponent ??= Uint8Array.from('${hex(modulus - 2n)}'.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  powPublic(out, a, inverseExponent);
}
let inverseExponent: Uint8Array | undefined;
`;
}
