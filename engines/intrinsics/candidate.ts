// Candidates: what may serve a curve, described by data so that a choice can be made, explained and overruled.

import type { Field } from '../../fields/field.ts';
import type { CurveRow, ECOperations } from '../ec-operations.ts';
import { EngineError } from '../errors.ts';
import type { ForeignImplementation, MultiplierRole, PointMultiplier } from '../multipliers/multiplier.ts';
import { CAPABILITIES, type Capability } from './capabilities.ts';

interface CandidateCommon {
  /** Unique; `curve/name` by habit. */
  readonly id: string;
  /** Names of the curves it serves. */
  readonly for: readonly string[];
  /** All must be there; the last is the one that gives the candidate its tier name in a policy. */
  readonly requires: readonly Capability[];
  /** The highest that works is taken. Built-in portable ones are below 100. */
  readonly rank: number;
}

/** Whole operations, by a kernel. */
export interface CurveCandidate extends CandidateCommon {
  readonly kind: 'curve';
  /** Must honour the contract of ECOperations in full, edge scalars included. */
  load(curve: CurveRow): ECOperations;
}

/** The coordinate field of the portable composition. */
export interface FieldCandidate extends CandidateCommon {
  readonly kind: 'field';
  load(curve: CurveRow): Field<string>;
}

/** One role of the portable composition. */
export interface MultiplierCandidate extends CandidateCommon {
  readonly kind: 'multiplier';
  readonly role: MultiplierRole;
  /** Domain of the only field that it works on; absent: any. */
  readonly field?: string;
  load(curve: CurveRow, field: Field<string>): PointMultiplier;
}

export type Candidate = CurveCandidate | FieldCandidate | MultiplierCandidate;

/** What a third party hands in: a plain object; a multiplier loads a ForeignImplementation. */
export type ForeignCandidate =
  | CurveCandidate
  | (CandidateCommon & {
      readonly kind: 'multiplier';
      readonly role: MultiplierRole;
      load(curve: CurveRow): ForeignImplementation;
    });

/** A candidate with what the host knows of it. */
export interface RegisteredCandidate {
  readonly candidate: Candidate;
  readonly foreign: boolean;
}

const METHOD: Readonly<Record<MultiplierRole, keyof ForeignImplementation>> = {
  base: 'multiplyBase',
  point: 'multiply',
  double: 'multiplyDouble',
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** Checks a third party's object field by field and wraps it. Throws EngineError naming the field at fault. */
export function acceptForeign(value: unknown, position: number): RegisteredCandidate {
  const refuse = (field: string, wanted: string): never => {
    throw new EngineError(`candidate ${position}: ${field} must be ${wanted}`);
  };
  if (!isRecord(value)) return refuse('it', 'an object');
  const { id, kind, rank, requires, role, load } = value;
  if (typeof id !== 'string' || !/^[\w./-]{1,100}$/.test(id)) {
    return refuse('id', 'text of letters, digits and . / _ - (at most 100)');
  }
  const curves = value['for'];
  if (!isStrings(curves) || curves.length === 0) return refuse('for', 'a list of curve names');
  if (!isStrings(requires) || !requires.every((word) => (CAPABILITIES as readonly string[]).includes(word))) {
    return refuse('requires', `a list out of ${CAPABILITIES.join(', ')}`);
  }
  if (typeof rank !== 'number' || !Number.isFinite(rank)) return refuse('rank', 'a number');
  if (typeof load !== 'function') return refuse('load', 'a function');
  const common = { id, for: [...curves], requires: requires as Capability[], rank };
  const call = (curve: CurveRow): unknown => load.call(value, curve);
  if (kind === 'curve') {
    return { foreign: true, candidate: { ...common, kind, load: (curve) => checkedOperations(call(curve), id) } };
  }
  if (kind !== 'multiplier') return refuse('kind', "'curve' or 'multiplier'");
  if (role !== 'base' && role !== 'point' && role !== 'double') {
    return refuse('role', "'base', 'point' or 'double'");
  }
  return {
    foreign: true,
    candidate: {
      ...common,
      kind,
      role,
      load(curve) {
        const implementation = call(curve);
        if (!isRecord(implementation) || typeof implementation[METHOD[role]] !== 'function') {
          throw new EngineError(`candidate ${id}: load must return an object with the function ${METHOD[role]}`);
        }
        return { kind: 'foreign', id, implementation: implementation as ForeignImplementation };
      },
    },
  };
}

const OPERATIONS = [
  'multiplyBase',
  'multiply',
  'multiplyDoubleVartime',
  'matchesVartime',
  'precompute',
  'add',
  'isOnCurve',
  'decompressVartime',
] as const;

function checkedOperations(value: unknown, id: string): ECOperations {
  if (!isRecord(value) || !OPERATIONS.every((name) => typeof value[name] === 'function')) {
    throw new EngineError(`candidate ${id}: load must return an object with ${OPERATIONS.join(', ')}`);
  }
  return value as unknown as ECOperations;
}
