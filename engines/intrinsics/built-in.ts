// The candidates that come with the library. Portable ones are always there and need nothing.

import type { Field } from '../../fields/field.ts';
import { P256_MONTGOMERY } from '../../fields/portable/p256-montgomery.ts';
import { P256_POLYNOMIAL } from '../../fields/portable/p256-polynomial.ts';
import type { CurveRow } from '../ec-operations.ts';
import { type CompleteMultipliers, completeMultipliers } from '../multipliers/complete-multipliers.ts';
import { P256_COMB, P256_WINDOW } from '../multipliers/p256-jacobian-multipliers.ts';
import type { Candidate } from './candidate.ts';

const SECP256R1_ONLY = ['secp256r1'];
const always = { for: SECP256R1_ONLY, requires: [] };
const complete = (curve: CurveRow, field: Field<string>): CompleteMultipliers => completeMultipliers(field, curve);

export const BUILT_IN_CANDIDATES: readonly Candidate[] = [
  { ...always, id: 'secp256r1/montgomery', kind: 'field', rank: 20, load: () => P256_MONTGOMERY as Field<string> },
  { ...always, id: 'secp256r1/polynomial', kind: 'field', rank: 10, load: () => P256_POLYNOMIAL as Field<string> },
  {
    ...always,
    id: 'secp256r1/comb',
    kind: 'multiplier',
    role: 'base',
    rank: 20,
    field: P256_MONTGOMERY.domain,
    load: () => P256_COMB,
  },
  {
    ...always,
    id: 'secp256r1/window',
    kind: 'multiplier',
    role: 'point',
    rank: 20,
    field: P256_MONTGOMERY.domain,
    load: () => P256_WINDOW,
  },
  {
    ...always,
    id: 'secp256r1/double/window',
    kind: 'multiplier',
    role: 'double',
    rank: 20,
    field: P256_MONTGOMERY.domain,
    load: () => P256_WINDOW,
  },
  {
    ...always,
    id: 'secp256r1/complete-comb',
    kind: 'multiplier',
    role: 'base',
    rank: 10,
    load: (curve, field) => complete(curve, field).comb,
  },
  {
    ...always,
    id: 'secp256r1/complete-window',
    kind: 'multiplier',
    role: 'point',
    rank: 10,
    load: (curve, field) => complete(curve, field).window,
  },
  {
    ...always,
    id: 'secp256r1/ladder',
    kind: 'multiplier',
    role: 'point',
    rank: 5,
    load: (curve, field) => complete(curve, field).ladder,
  },
  {
    ...always,
    id: 'secp256r1/double/complete-window',
    kind: 'multiplier',
    role: 'double',
    rank: 10,
    load: (curve, field) => complete(curve, field).window,
  },
];
