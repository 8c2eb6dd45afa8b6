// The hand-written modules of fields/portable: what of them is public. They have loops and calls, so they are checked
// for secrets only; their bounds are argued in their comments and tested by values.

import { readFileSync } from 'node:fs';
import { checkJs, GENERATED_TAINT } from './js-check.ts';
import type { Finding } from './wasm-check.ts';

interface PortableModule {
  readonly name: string;
  /** Lengths, widths and public constants of the modulus. */
  readonly publicNames?: readonly string[];
  /** Functions of other modules, which are checked there. */
  readonly foreign?: readonly string[];
  /** Functions that see parameters of the field only. */
  readonly publicFunctions?: readonly string[];
}

const LIMBS24 = ['balance', 'canonical', 'limbsAreZero', 'limbsFromBytes', 'limbsToBytes', 'invert24'];

export const PORTABLE: readonly PortableModule[] = [
  {
    name: 'safegcd',
    publicNames: ['#count', '#width', '#batches', '#rounding', '#scale', '#negativeInverse'],
    publicFunctions: ['divisionSteps', 'constructor', 'spread'],
  },
  {
    name: 'runtime-montgomery',
    publicNames: ['#count', '#width', 'count', 'width', 'byteLength', 'index', 'shift', 'limbCount', 'limbWidth', 'i'],
    publicFunctions: ['layoutFor', 'integerOf', 'balanced', 'negativeInverseOf', 'constructor', 'create'],
  },
  { name: 'inversion24' },
  { name: 'limbs24', publicFunctions: ['limbsFromHex', 'modulusFromHex'] },
  { name: 'p256-montgomery', foreign: LIMBS24 },
  { name: 'p256-order-montgomery', foreign: LIMBS24 },
  { name: 'p256-polynomial', foreign: LIMBS24 },
  {
    name: 'wide',
    publicNames: ['byteLength', 'field'],
    foreign: ['create', 'fromBytes', 'one', 'add', 'zero', 'mul'],
  },
];

export function checkPortable({ name, publicNames, foreign, publicFunctions }: PortableModule): Finding[] {
  return checkJs({
    source: readFileSync(new URL(`../../portable/${name}.ts`, import.meta.url), 'utf8'),
    contracts: [],
    taint: {
      publicNames: new Set([...GENERATED_TAINT.publicNames, 'Math', ...(publicNames ?? [])]),
      publicArrays: GENERATED_TAINT.publicArrays,
      foreign: foreign ?? [],
    },
    publicFunctions: publicFunctions ?? [],
  });
}
