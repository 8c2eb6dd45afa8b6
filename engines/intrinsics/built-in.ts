// The candidates that come with the library. Portable ones are always there and need nothing.

import type { Field } from '../../fields/field.ts';
import { P256_MONTGOMERY } from '../../fields/portable/p256-montgomery.ts';
import { P256_POLYNOMIAL } from '../../fields/portable/p256-polynomial.ts';
import type { CurveRow } from '../ec-operations.ts';
import { type CompleteMultipliers, completeMultipliers } from '../multipliers/complete-multipliers.ts';
import { P256_COMB, P256_WINDOW } from '../multipliers/p256-jacobian-multipliers.ts';
import {
  GENERATED_CURVES,
  generatedField,
  jacobianMultipliers,
  runtimeDomain,
  runtimeField,
} from '../portable-curves.ts';
import type { Candidate } from './candidate.ts';

const SECP256R1_ONLY = ['secp256r1'];
const always = { for: SECP256R1_ONLY, requires: [] };
const complete = (curve: CurveRow, field: Field<string>): CompleteMultipliers => completeMultipliers(field, curve);

const SECP256R1_CANDIDATES: readonly Candidate[] = [
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
];

/** The fast multipliers of any other curve, and its fields. */
function jacobianCandidates(name: string): Candidate[] {
  const common = { for: [name], requires: [] };
  const generated = GENERATED_CURVES[name]?.field;
  const domain = generated?.domain ?? runtimeDomain(name);
  const fast = { ...common, kind: 'multiplier' as const, rank: 20, field: domain };
  const fields: Candidate[] = [
    { ...common, id: `${name}/run-time`, kind: 'field', rank: 10, load: (curve) => runtimeField(curve) },
  ];
  if (generated !== undefined) {
    fields.push({
      ...common,
      id: `${name}/${generated.representation}`,
      kind: 'field',
      rank: 20,
      load: (curve) => generatedField(curve) ?? runtimeField(curve),
    });
  }
  return [
    ...fields,
    { ...fast, id: `${name}/comb`, role: 'base', load: (curve: CurveRow) => jacobianMultipliers(curve).comb },
    { ...fast, id: `${name}/window`, role: 'point', load: (curve: CurveRow) => jacobianMultipliers(curve).window },
    {
      ...fast,
      id: `${name}/double/window`,
      role: 'double',
      load: (curve: CurveRow) => jacobianMultipliers(curve).window,
    },
  ];
}

/** Complete formulas on any field of any curve. */
function completeCandidates(name: string): Candidate[] {
  const common = { for: [name], requires: [], kind: 'multiplier' as const };
  return [
    {
      ...common,
      id: `${name}/complete-comb`,
      role: 'base',
      rank: 10,
      load: (curve, field) => complete(curve, field).comb,
    },
    {
      ...common,
      id: `${name}/complete-window`,
      role: 'point',
      rank: 10,
      load: (curve, field) => complete(curve, field).window,
    },
    { ...common, id: `${name}/ladder`, role: 'point', rank: 5, load: (curve, field) => complete(curve, field).ladder },
    {
      ...common,
      id: `${name}/double/complete-window`,
      role: 'double',
      rank: 10,
      load: (curve, field) => complete(curve, field).window,
    },
  ];
}

/** Those of one curve. */
export function builtInCandidates(name: string): readonly Candidate[] {
  return [...(name === 'secp256r1' ? SECP256R1_CANDIDATES : jacobianCandidates(name)), ...completeCandidates(name)];
}
