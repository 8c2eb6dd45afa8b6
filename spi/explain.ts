// The decision as data, made by the function that selects.

import { AlgorithmDisabledError } from './errors.ts';
import { resolveAlgorithm, resolveCurve } from './names.ts';
import { explicitOptions, type Use } from './options.ts';
import type { Provider } from './provider.ts';
import {
  type Candidates,
  consider,
  considerWithoutInit,
  type Offer,
  Refusal,
  type SelectionContext,
  type Wish,
} from './selection.ts';
import type { ServiceMode, ServiceType } from './service.ts';
import { requireKey } from './translation.ts';

export interface ExplainedCandidate {
  readonly provider: string;
  readonly algorithm: string;
  readonly mode: ServiceMode | undefined;
  readonly taken: boolean;
  readonly reason: string;
  /** What the provider says of its engines. */
  readonly engine?: unknown;
}
export interface Explanation {
  readonly type: ServiceType;
  readonly algorithm: string;
  /** What the key shows of itself. */
  readonly key: string | undefined;
  /** Name of the provider that an init binds: the first taken. */
  readonly chosen: string | undefined;
  readonly candidates: readonly ExplainedCandidate[];
}

interface Question {
  readonly type: ServiceType;
  readonly algorithm: string;
  readonly key: unknown;
  readonly options: object | undefined;
  readonly asynchronous: boolean;
  readonly context: SelectionContext;
  readonly find: () => Candidates;
}

function useOf(type: ServiceType, kind: 'public' | 'private' | undefined): Use | undefined {
  if (type === 'Signature') return kind === 'public' ? 'verify' : 'sign';
  if (type === 'KeyAgreement') return 'agree';
  return type === 'KeyPairGenerator' ? 'generate' : undefined;
}

/** The curve that is meant where there is no key: the algorithm's own, or the default of EC. */
function defaultCurve(type: ServiceType, algorithm: string): string | undefined {
  const own = resolveCurve(algorithm);
  if (own !== undefined) return own.name;
  const standard = resolveAlgorithm(type, algorithm)?.name ?? algorithm;
  if (/ECDSA|^ECDH$|^EC$/.test(standard)) return 'secp256r1';
  return undefined;
}

/** What the provider says of its engines; a provider that fails here has nothing to say. */
function engineOf(provider: Provider, context: SelectionContext, curve: string | undefined): unknown {
  if (curve === undefined) return undefined;
  try {
    return provider.explainEngine(context.services, curve);
  } catch {
    return undefined;
  }
}

function ask(offer: Offer, wish: Wish | undefined, question: Question): Refusal | undefined {
  const { context, asynchronous } = question;
  if (offer.service.mode === 'async') {
    if (!asynchronous) {
      return new Refusal('ERR_NO_SUCH_ALGORITHM', `asynchronous: served by Async${question.type} only`, true);
    }
    return wish === undefined ? undefined : considerWithoutInit(offer, wish, context);
  }
  if (wish === undefined) return undefined;
  if (wish.key === undefined && wish.use !== 'generate') return considerWithoutInit(offer, wish, context);
  const outcome = consider<{ reset?(): void }>(offer, wish, context);
  if (outcome instanceof Refusal) return outcome;
  return undefined;
}

/** Throws InvalidKeyError for what is no key, and what `find` throws except for a policy, which is an answer. */
export function explainCandidates(question: Question): Explanation {
  const { type, algorithm, context } = question;
  const key = question.key === undefined ? undefined : requireKey(question.key, undefined);
  const use = useOf(type, key?.kind);
  const options = use === undefined ? undefined : explicitOptions(use, question.options, undefined);
  const wish = use === undefined ? undefined : { use, key, options, parameters: undefined };
  const about = { type, algorithm, key: key?.toString() };
  let candidates: Candidates;
  try {
    candidates = question.find();
  } catch (error) {
    if (!(error instanceof AlgorithmDisabledError)) throw error;
    const excluded = error.errors.map((failure) => ({ ...failure, mode: undefined, taken: false }));
    return { ...about, chosen: undefined, candidates: excluded };
  }
  const forbidden =
    key === undefined || use === undefined || use === 'generate'
      ? undefined
      : context.policy.deniedUse(use, type, algorithm, key);
  const rows = candidates.all.map((offer): ExplainedCandidate => {
    const { provider, service } = offer;
    const row = { provider: provider.name, algorithm: service.algorithm, mode: service.mode };
    if (forbidden !== undefined) {
      return { ...row, taken: false, reason: `forbidden by disabledAlgorithms "${forbidden}"` };
    }
    const refusal = ask(offer, wish, question);
    if (refusal !== undefined) return { ...row, taken: false, reason: refusal.reason };
    const engine = engineOf(provider, context, key?.curve ?? defaultCurve(type, algorithm));
    const reason = key === undefined ? 'it serves the algorithm' : 'it takes the key';
    return { ...row, taken: true, reason, ...(engine === undefined ? {} : { engine }) };
  });
  const excluded = candidates.excluded.map((failure) => ({ ...failure, mode: undefined, taken: false }));
  return { ...about, chosen: rows.find(({ taken }) => taken)?.provider, candidates: [...rows, ...excluded] };
}
