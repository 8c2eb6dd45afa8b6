// The choice, once per curve and context: capability → policy → trust → self-test, in order of preference and rank.
// Whatever is decided is kept as data, with a reason for every candidate.

import type { Field } from '../../fields/field.ts';
import { CURVES } from '../curves.ts';
import type { CurveName, CurveRow, ECOperations } from '../ec-operations.ts';
import { EngineError } from '../errors.ts';
import { completeMultipliers } from '../multipliers/complete-multipliers.ts';
import {
  type MultiplierRole,
  type PointMultiplier,
  resolveBase,
  resolveDouble,
  resolvePoint,
} from '../multipliers/multiplier.ts';
import { oracleField, scalarsOf } from '../portable-curves.ts';
import { composeOperations } from '../portable-operations.ts';
import type {
  Candidate,
  CurveCandidate,
  FieldCandidate,
  MultiplierCandidate,
  RegisteredCandidate,
} from './candidate.ts';
import type { Capabilities } from './capabilities.ts';
import { type EnginePolicy, isDenied, means, order } from './policy.ts';
import { type TestDepth, testBase, testDouble, testField, testPoint, testScalars } from './self-test.ts';

export interface CandidateDecision {
  readonly id: string;
  readonly kind: Candidate['kind'];
  readonly foreign: boolean;
  readonly rank: number;
  readonly taken: boolean;
  readonly reason: string;
}

/** Why a curve is served as it is: for each part the candidates in the order looked at. */
export interface EngineExplanation {
  readonly curve: string;
  readonly field: readonly CandidateDecision[];
  readonly base: readonly CandidateDecision[];
  readonly point: readonly CandidateDecision[];
  readonly double: readonly CandidateDecision[];
}

export interface CandidateDisabledEvent {
  readonly type: 'candidate-disabled';
  readonly curve: string;
  readonly id: string;
  readonly role: MultiplierRole | 'field';
  readonly reason: string;
  readonly error: unknown;
}
export type EngineEvent = CandidateDisabledEvent;

export interface SelectionInput {
  readonly capabilities: Capabilities;
  readonly candidates: readonly RegisteredCandidate[];
  readonly policy: EnginePolicy;
  readonly onEvent: (event: EngineEvent) => void;
}

export interface Selection {
  readonly operations: ECOperations;
  /** Makes the choices that are still open, then tells all of them. */
  explain(): EngineExplanation;
}

const ROLES: readonly MultiplierRole[] = ['base', 'point', 'double'];

const oracles = new Map<string, ECOperations>();

/** The portable operations on complete formulas: what every other candidate is compared with. Public data only. */
export function oracleFor(curve: CurveRow): ECOperations {
  let oracle = oracles.get(curve.name);
  if (oracle === undefined) {
    const field = oracleField(curve);
    const { comb, window } = completeMultipliers(field, curve);
    oracle = composeOperations({
      curve,
      field,
      scalars: scalarsOf(curve),
      base: resolveBase(comb),
      point: resolvePoint(window),
      double: resolveDouble(window, curve.name),
    });
    oracles.set(curve.name, oracle);
  }
  return oracle;
}

/** The row; throws EngineError for a curve without one. */
export function curveRow(name: string): CurveRow {
  const row = Object.hasOwn(CURVES, name) ? CURVES[name as CurveName] : undefined;
  if (row === undefined) throw new EngineError(`no engine knows the curve ${name}`);
  return row;
}

type RoleCandidate = CurveCandidate | MultiplierCandidate;

function serves(candidate: Candidate, role: MultiplierRole): candidate is RoleCandidate {
  return candidate.kind === 'curve' || (candidate.kind === 'multiplier' && candidate.role === role);
}

/** Why a candidate may not even be tried, or undefined. */
export function obstacle(
  { candidate, foreign }: RegisteredCandidate,
  input: SelectionInput,
  secret: boolean,
): string | undefined {
  const { capabilities, policy } = input;
  for (const capability of candidate.requires) {
    if (!capabilities.has(capability)) return `needs ${capability}: ${capabilities.findings[capability].reason}`;
  }
  if (capabilities.disabledIds.some((word) => word === candidate.id)) return 'disabled by PROVIUM_DISABLE';
  if (isDenied(policy, candidate)) return 'denied by the configuration';
  if (foreign && secret && !(policy.trusted ?? []).includes(candidate.id)) {
    return 'would see secrets and is not listed as trusted';
  }
  return undefined;
}

/** Loads and tests; kernels are loaded once per selection. */
class Loader {
  readonly #curve: CurveRow;
  readonly #kernels = new Map<string, ECOperations>();

  constructor(curve: CurveRow) {
    this.#curve = curve;
  }

  multiplier(candidate: RoleCandidate, field: Field<string>, depth: TestDepth): PointMultiplier {
    if (candidate.kind === 'multiplier') return candidate.load(this.#curve, field);
    return { kind: 'kernel', id: candidate.id, operations: this.#kernel(candidate, depth) };
  }

  #kernel(candidate: CurveCandidate, depth: TestDepth): ECOperations {
    let operations = this.#kernels.get(candidate.id);
    if (operations === undefined) {
      operations = candidate.load(this.#curve);
      testScalars(operations, oracleFor(this.#curve), depth);
      this.#kernels.set(candidate.id, operations);
    }
    return operations;
  }
}

/**
 * Tests one multiplier in one role. When a curve is first used, built-in candidates are tested with known answers only:
 * the comparison with the oracle takes tens of milliseconds when nothing is compiled yet. Foreign ones, and everything
 * in `selfTest()`, get the full test.
 */
export function testRole(role: MultiplierRole, multiplier: PointMultiplier, curve: CurveRow, depth: TestDepth): void {
  const oracle = oracleFor(curve);
  switch (role) {
    case 'base':
      testBase(resolveBase(multiplier), oracle, depth);
      break;
    case 'point':
      testPoint(resolvePoint(multiplier), oracle, depth);
      break;
    case 'double':
      testDouble(resolveDouble(multiplier, curve.name), oracle, depth);
      break;
  }
}

interface Choice<V> {
  readonly value: V;
  readonly candidate: Candidate;
  readonly decisions: CandidateDecision[];
}

/** Walks the offers: the first that is allowed and that `attempt` gets through is taken. */
function choose<C extends Candidate, V>(
  part: MultiplierRole | 'field',
  curve: CurveRow,
  offers: readonly { readonly candidate: C; readonly foreign: boolean }[],
  input: SelectionInput,
  attempt: (candidate: C, foreign: boolean) => V | string,
): Choice<V> {
  const word = input.policy.curves?.[curve.name]?.[part];
  const decisions: CandidateDecision[] = [];
  let chosen: { value: V; candidate: C } | undefined;
  for (const offer of order(offers, input.policy, word)) {
    const { candidate, foreign } = offer;
    const decide = (taken: boolean, reason: string): void => {
      decisions.push({ id: candidate.id, kind: candidate.kind, foreign, rank: candidate.rank, taken, reason });
    };
    const refusal = obstacle(offer, input, part !== 'double');
    if (refusal !== undefined) {
      decide(false, refusal);
      continue;
    }
    if (chosen !== undefined) {
      decide(false, `not needed: ${chosen.candidate.id} serves`);
      continue;
    }
    try {
      const value = attempt(candidate, foreign);
      if (typeof value === 'string') {
        decide(false, value);
        continue;
      }
      chosen = { value, candidate };
      const preferred =
        word !== undefined && means(word, candidate) ? 'asked for by the configuration' : 'best that works';
      decide(true, preferred);
    } catch (error) {
      const reason = `failed its self-test: ${error instanceof Error ? error.message : 'it threw something odd'}`;
      decide(false, reason);
      input.onEvent({ type: 'candidate-disabled', curve: curve.name, id: candidate.id, role: part, reason, error });
    }
  }
  if (chosen === undefined) {
    const reasons = decisions.map(({ id, reason }) => `${id} (${reason})`).join('; ');
    throw new EngineError(`no candidate can serve ${curve.name} as ${part}: ${reasons || 'there is none'}`);
  }
  return { ...chosen, decisions };
}

/** `make()` at the first call, its result or its error ever after. */
function once<T>(make: () => T): () => T {
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  return () => {
    if (outcome === undefined) {
      try {
        outcome = { value: make() };
      } catch (error) {
        outcome = { error };
      }
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

/**
 * Chooses the field, then a multiplier per role, and binds them. Where a kernel may serve, all roles are chosen at once,
 * as it may turn out to serve the whole curve. Otherwise a role is chosen when it is first used, so that a program which
 * only signs does not pay for the tests of verification. Throws EngineError if nothing may serve a role.
 */
export function select(curve: CurveRow, input: SelectionInput): Selection {
  const offers = input.candidates.filter(({ candidate }) => candidate.for.includes(curve.name));
  const loader = new Loader(curve);
  const fields = offers.filter((offer): offer is { candidate: FieldCandidate; foreign: boolean } => {
    return offer.candidate.kind === 'field';
  });
  const field = choose('field', curve, fields, input, (candidate) => {
    const loaded = candidate.load(curve);
    testField(loaded, curve);
    return loaded;
  });
  const eligible = (role: MultiplierRole): { candidate: RoleCandidate; foreign: boolean }[] =>
    offers.filter((offer): offer is { candidate: RoleCandidate; foreign: boolean } => serves(offer.candidate, role));
  const allowed = (role: MultiplierRole): { candidate: RoleCandidate; foreign: boolean }[] =>
    eligible(role).filter((offer) => obstacle(offer, input, role !== 'double') === undefined);
  const choice = (role: MultiplierRole): (() => Choice<PointMultiplier>) =>
    once(() =>
      choose(role, curve, eligible(role), input, (candidate, foreign): PointMultiplier | string => {
        if (
          candidate.kind === 'multiplier' &&
          candidate.field !== undefined &&
          candidate.field !== field.value.domain
        ) {
          return `works on the field ${candidate.field}, ${field.value.domain} was chosen`;
        }
        const depth = foreign ? 'full' : 'known';
        const multiplier = loader.multiplier(candidate, field.value, depth);
        testRole(role, multiplier, curve, depth);
        return multiplier;
      }),
    );
  const choices: Choices = { base: choice('base'), point: choice('point'), double: choice('double') };
  const kernels = ROLES.some((role) => allowed(role).some(({ candidate }) => candidate.kind === 'curve'));
  for (const role of ROLES) if (kernels || allowed(role).length === 0) choices[role]();
  return {
    explain: () => ({
      curve: curve.name,
      field: field.decisions,
      base: choices.base().decisions,
      point: choices.point().decisions,
      double: choices.double().decisions,
    }),
    operations: (kernels && wholeKernel(choices)) || compose(curve, field.value, choices),
  };
}

type Choices = Readonly<Record<MultiplierRole, () => Choice<PointMultiplier>>>;

/** The operations of a kernel that serves every role: it does the whole curve, its scalars included. */
function wholeKernel(choices: Choices): ECOperations | undefined {
  const base = choices.base().value;
  if (base.kind !== 'kernel') return undefined;
  const whole = [choices.point().value, choices.double().value].every((multiplier) => {
    return multiplier.kind === 'kernel' && multiplier.operations === base.operations;
  });
  return whole ? base.operations : undefined;
}

function compose(curve: CurveRow, field: Field<string>, choices: Choices): ECOperations {
  const base = once(() => resolveBase(choices.base().value));
  const point = once(() => resolvePoint(choices.point().value));
  const double = once(() => resolveDouble(choices.double().value, curve.name));
  return composeOperations({
    curve,
    field,
    scalars: scalarsOf(curve),
    base: { multiplyBase: (out, k) => base().multiplyBase(out, k) },
    point: { multiply: (out, p, k) => point().multiply(out, p, k) },
    double: {
      multiplyDoubleVartime: (out, u1, u2, q) => double().multiplyDoubleVartime(out, u1, u2, q),
      matchesVartime: (u1, u2, q, r, rPlusOrder) => double().matchesVartime(u1, u2, q, r, rPlusOrder),
      precompute: (p) => double().precompute(p),
    },
  });
}
