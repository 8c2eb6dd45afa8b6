// One container per context: capabilities, candidates, ECOperations and the algorithm operations of every curve.
//
// Everything is a singleton resolved before use; operations hold plain references and never come here. Nothing of the
// container shows outside of this file, so the published declarations need no types of it.

import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { CURVES } from './curves.ts';
import type { CurveName, ECOperations } from './ec-operations.ts';
import { createECDHOperations, type ECDHOperations } from './ecdh-operations.ts';
import { createECDSAOperations, type ECDSAOperations } from './ecdsa-operations.ts';
import { createEdDSAOperations, type EdDSAOperations } from './eddsa-operations.ts';
import {
  EDWARDS_CURVES,
  type EdwardsCurveName,
  isEdwardsCurve,
  isMontgomeryCurve,
  MONTGOMERY_CURVES,
  type MontgomeryCurveName,
} from './edwards-curves.ts';
import { EngineError } from './errors.ts';
import { builtInCandidates } from './intrinsics/built-in.ts';
import { acceptForeign, type ForeignCandidate, type RegisteredCandidate } from './intrinsics/candidate.ts';
import { type Capabilities, detectCapabilities } from './intrinsics/capabilities.ts';
import { explainEdwards, selfTestEdDSA, selfTestXDH, testedEdDSA, testedXDH } from './intrinsics/edwards-self-test.ts';
import type { EnginePolicy } from './intrinsics/policy.ts';
import {
  curveRow,
  type EngineEvent,
  type EngineExplanation,
  type Selection,
  type SelectionInput,
  select,
} from './intrinsics/selection.ts';
import { type SelfTestResult, selfTest } from './intrinsics/self-test-report.ts';
import type { HashFunctions } from './sources.ts';
import { createXDHOperations, type XDHOperations } from './xdh-operations.ts';

export interface EngineOptions {
  /** Default: detected. */
  readonly capabilities?: Capabilities;
  /** Third parties' plain objects. */
  readonly candidates?: readonly ForeignCandidate[];
  readonly policy?: EnginePolicy;
  readonly onEvent?: (event: EngineEvent) => void;
  /** Needed for ECDSA and EdDSA. */
  readonly hashes?: HashFunctions;
}

/** The engines of one context. The objects handed out are the same at every call; keep them. */
export interface Engines {
  readonly capabilities: Capabilities;
  /** Names of the curves served. */
  readonly curves: readonly CurveName[];
  ecOperations(curve: string): ECOperations;
  ecdsa(curve: string): ECDSAOperations;
  ecdh(curve: string): ECDHOperations;
  /** `Ed25519` or `Ed448`. */
  eddsa(curve: string): EdDSAOperations;
  /** `X25519` or `X448`. */
  xdh(curve: string): XDHOperations;
  /** The decision for a curve as data. */
  explain(curve: string): EngineExplanation;
  /** Tests every candidate that may run here, in full, without changing what is chosen. */
  selfTest(): readonly SelfTestResult[];
}

const ENGINE_CAPABILITIES: ServiceIdentifier<Capabilities> = Symbol.for('provium.engines.capabilities');
const ENGINE_CANDIDATE: ServiceIdentifier<RegisteredCandidate> = Symbol.for('provium.engines.candidate');
const ENGINE_POLICY: ServiceIdentifier<EnginePolicy> = Symbol.for('provium.engines.policy');
const ENGINE_EVENTS: ServiceIdentifier<(event: EngineEvent) => void> = Symbol.for('provium.engines.events');
const HASH_FUNCTIONS: ServiceIdentifier<HashFunctions> = Symbol.for('provium.engines.hashes');
const SELECTION_INPUT: ServiceIdentifier<SelectionInput> = Symbol.for('provium.engines.selection-input');
/** The rest are bound once per curve, under the curve's name. */
const SELECTION: ServiceIdentifier<Selection> = Symbol.for('provium.engines.selection');
const EC_OPERATIONS: ServiceIdentifier<ECOperations> = Symbol.for('provium.engines.ec-operations');
const ECDSA_OPERATIONS: ServiceIdentifier<ECDSAOperations> = Symbol.for('provium.engines.ecdsa-operations');
const ECDH_OPERATIONS: ServiceIdentifier<ECDHOperations> = Symbol.for('provium.engines.ecdh-operations');

const EDDSA_OPERATIONS: ServiceIdentifier<EdDSAOperations> = Symbol.for('provium.engines.eddsa-operations');
const XDH_OPERATIONS: ServiceIdentifier<XDHOperations> = Symbol.for('provium.engines.xdh-operations');

const EDWARDS_NAMES = Object.keys(EDWARDS_CURVES) as EdwardsCurveName[];
const MONTGOMERY_NAMES = Object.keys(MONTGOMERY_CURVES) as MontgomeryCurveName[];
const CURVE_NAMES = Object.keys(CURVES) as CurveName[];

/** Third parties' candidates, checked. Throws EngineError. */
function foreignCandidates(options: EngineOptions): readonly RegisteredCandidate[] {
  const foreign = (options.candidates ?? []).map(acceptForeign);
  if (foreign.length === 0) return foreign;
  const ids = new Set<string>(CURVE_NAMES.flatMap((name) => builtInCandidates(name).map(({ id }) => id)));
  for (const { candidate } of foreign) {
    if (ids.has(candidate.id)) throw new EngineError(`two candidates have the id ${candidate.id}`);
    ids.add(candidate.id);
  }
  return foreign;
}

/** Bindings of one context, without those of single curves. */
function engineModule(options: EngineOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    if (options.capabilities !== undefined) bind(ENGINE_CAPABILITIES).toConstantValue(options.capabilities);
    else
      bind(ENGINE_CAPABILITIES)
        .toResolvedValue(() => detectCapabilities())
        .inSingletonScope();
    bind(ENGINE_POLICY).toConstantValue(options.policy ?? {});
    bind(ENGINE_EVENTS).toConstantValue(options.onEvent ?? (() => {}));
    if (options.hashes !== undefined) bind(HASH_FUNCTIONS).toConstantValue(options.hashes);
    for (const name of EDWARDS_NAMES) {
      bind(EDDSA_OPERATIONS)
        .toResolvedValue((hashes: HashFunctions) => testedEdDSA(createEdDSAOperations(name, hashes)), [HASH_FUNCTIONS])
        .inSingletonScope()
        .whenNamed(name);
    }
    for (const name of MONTGOMERY_NAMES) {
      bind(XDH_OPERATIONS)
        .toResolvedValue(() => testedXDH(createXDHOperations(name)))
        .inSingletonScope()
        .whenNamed(name);
    }
  });
}

/** Bindings of one curve, made at its first use: a program that uses one curve does not pay for the others. */
function curveModule(name: CurveName, foreign: readonly RegisteredCandidate[]): ContainerModule {
  const own = builtInCandidates(name).map((candidate) => ({ candidate, foreign: false }));
  const operations = { serviceIdentifier: EC_OPERATIONS, name };
  return new ContainerModule(({ bind }) => {
    for (const candidate of [...foreign, ...own]) bind(ENGINE_CANDIDATE).toConstantValue(candidate).whenNamed(name);
    bind(SELECTION_INPUT)
      .toResolvedValue(
        (
          capabilities: Capabilities,
          candidates: RegisteredCandidate[],
          policy: EnginePolicy,
          onEvent: SelectionInput['onEvent'],
        ) => ({ capabilities, candidates, policy, onEvent }),
        [
          ENGINE_CAPABILITIES,
          { serviceIdentifier: ENGINE_CANDIDATE, isMultiple: true as const, name },
          ENGINE_POLICY,
          ENGINE_EVENTS,
        ],
      )
      .inSingletonScope()
      .whenNamed(name);
    bind(SELECTION)
      .toResolvedValue(
        (input: SelectionInput) => select(curveRow(name), input),
        [{ serviceIdentifier: SELECTION_INPUT, name }],
      )
      .inSingletonScope()
      .whenNamed(name);
    bind(EC_OPERATIONS)
      .toResolvedValue((selection: Selection) => selection.operations, [{ serviceIdentifier: SELECTION, name }])
      .inSingletonScope()
      .whenNamed(name);
    bind(ECDSA_OPERATIONS)
      .toResolvedValue(createECDSAOperations, [operations, HASH_FUNCTIONS])
      .inSingletonScope()
      .whenNamed(name);
    bind(ECDH_OPERATIONS).toResolvedValue(createECDHOperations, [operations]).inSingletonScope().whenNamed(name);
  });
}

/** `resolve()` with whatever the container throws turned into EngineError. */
function translated<T>(what: string, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    const own = findEngineError(error);
    if (own !== undefined) throw own;
    throw new EngineError(`${what} cannot be built`, { cause: error });
  }
}

function findEngineError(error: unknown): EngineError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof EngineError) return at;
  }
  return undefined;
}

/** The engines of a new context. Throws EngineError for a malformed candidate. */
export function createEngines(options: EngineOptions = {}): Engines {
  const container = new Container({ jitless: true });
  const foreign = foreignCandidates(options);
  container.load(engineModule(options));
  const bound = new Set<string>();
  const named = <T>(what: string, token: ServiceIdentifier<T>, curve: string): T => {
    const name = curveRow(curve).name as CurveName;
    if (!bound.has(name)) {
      container.load(curveModule(name, foreign));
      bound.add(name);
    }
    return translated(`${what} of ${name}`, () => container.get(token, { name }));
  };
  const eddsa = (curve: string): EdDSAOperations => {
    if (!isEdwardsCurve(curve)) throw new EngineError(`no engine knows EdDSA on ${curve}`);
    if (!container.isBound(HASH_FUNCTIONS)) throw new EngineError('EdDSA needs hash functions: pass `hashes`');
    return translated(`EdDSA of ${curve}`, () => container.get(EDDSA_OPERATIONS, { name: curve }));
  };
  const xdh = (curve: string): XDHOperations => {
    if (!isMontgomeryCurve(curve)) throw new EngineError(`no engine knows XDH on ${curve}`);
    return translated(`XDH of ${curve}`, () => container.get(XDH_OPERATIONS, { name: curve }));
  };
  // Without hash functions there is no EdDSA to test.
  const edwardsResults = (name: EdwardsCurveName): readonly SelfTestResult[] =>
    container.isBound(HASH_FUNCTIONS) ? selfTestEdDSA(name, () => eddsa(name)) : [];
  const montgomeryResults = (name: MontgomeryCurveName): readonly SelfTestResult[] =>
    selfTestXDH(name, () => xdh(name));
  const capabilities = container.get(ENGINE_CAPABILITIES);
  return {
    capabilities,
    curves: CURVE_NAMES,
    ecOperations: (curve) => named('the operations', EC_OPERATIONS, curve),
    ecdsa(curve) {
      if (!container.isBound(HASH_FUNCTIONS)) throw new EngineError('ECDSA needs hash functions: pass `hashes`');
      return named('ECDSA', ECDSA_OPERATIONS, curve);
    },
    ecdh: (curve) => named('ECDH', ECDH_OPERATIONS, curve),
    eddsa,
    xdh,
    explain(curve) {
      if (isEdwardsCurve(curve)) return explainEdwards(curve, edwardsResults(curve));
      if (isMontgomeryCurve(curve)) return explainEdwards(curve, montgomeryResults(curve));
      return named('the decision', SELECTION, curve).explain();
    },
    selfTest: () => [
      ...CURVE_NAMES.flatMap((name) => selfTest(curveRow(name), named('the candidates', SELECTION_INPUT, name))),
      ...EDWARDS_NAMES.flatMap(edwardsResults),
      ...MONTGOMERY_NAMES.flatMap(montgomeryResults),
    ],
  };
}
