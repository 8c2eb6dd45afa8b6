// Delayed selection: the candidates of a list are tried in order with the key and options at hand, and the first that
// takes them is bound. `explain` runs the same function with a trace, so that what it says is what selection does.

import {
  type CandidateFailure,
  type ErrorDetails,
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  InvalidParameterError,
  KeyDestroyedError,
  NoSuchAlgorithmError,
  ProviderError,
  ProviumError,
  SignatureError,
} from './errors.ts';
import type { Key } from './keys.ts';
import type { Policy } from './policy.ts';
import type { Candidate, CandidateList } from './registry.ts';
import type { RequestedOptions, ServiceContext } from './service.ts';
import { translateAny, translateSync, translationObstacle } from './translation.ts';

/** What selection did with one candidate. */
export interface Decision {
  readonly provider: string;
  readonly algorithm: string;
  readonly mode: 'sync' | 'async';
  /** `standby`: would have been tried next. */
  readonly outcome: 'taken' | 'skipped' | 'failed' | 'standby';
  readonly reason: string | undefined;
}

/** What selection needs of the context. */
export interface SelectionScope {
  readonly serviceContext: ServiceContext;
  readonly policy: Policy;
}

export interface Bound<S> {
  readonly candidate: Candidate;
  readonly spi: S;
}

/** Collects why candidates did not serve, and makes the one error when none did. */
export class FailureLog {
  readonly failures: CandidateFailure[] = [];
  readonly decisions: Decision[] = [];
  #first: ProviumError | undefined;
  #byOptions = false;

  skip(candidate: Candidate, reason: string, byOptions = false): void {
    this.#byOptions ||= byOptions;
    this.#add(candidate, 'skipped', reason, undefined);
  }

  fail(candidate: Candidate, error: unknown): void {
    const known = asProviumError(error, candidate);
    this.#first ??= known;
    this.#add(candidate, 'failed', known.message, error);
  }

  #add(candidate: Candidate, outcome: 'skipped' | 'failed', reason: string, error: unknown): void {
    const { provider, service } = candidate;
    this.failures.push({
      provider: provider.name,
      algorithm: service.algorithm,
      reason,
      ...(error === undefined ? {} : { error }),
    });
    this.decisions.push(decision(candidate, outcome, reason));
  }

  error(what: string): ProviumError {
    const list = this.failures.map((failure) => `${failure.provider}: ${failure.reason}`).join('; ');
    const message = `No provider could take this ${what}. ${list || 'There is no candidate.'}`;
    const details: ErrorDetails = { errors: this.failures, cause: this.#first };
    if (this.#first !== undefined) return sameClass(this.#first, message, details);
    if (this.#byOptions) return new InvalidAlgorithmParameterError(message, details);
    return new InvalidKeyError(message, details);
  }
}

export function decision(candidate: Candidate, outcome: Decision['outcome'], reason?: string): Decision {
  const { provider, service } = candidate;
  return { provider: provider.name, algorithm: service.algorithm, mode: service.mode, outcome, reason };
}

/** A typed error for whatever a provider threw. */
export function asProviumError(error: unknown, candidate: Candidate): ProviumError {
  if (error instanceof ProviumError) return error;
  const { provider, service } = candidate;
  const said = error instanceof Error ? error.message : `it threw ${typeof error}`;
  return new ProviderError(`${provider.name} failed in ${service.type} ${service.algorithm}: ${said}`, {
    cause: error,
  });
}

function sameClass(error: ProviumError, message: string, details: ErrorDetails): ProviumError {
  switch (error.code) {
    case 'ERR_INVALID_KEY':
      return new InvalidKeyError(message, details);
    case 'ERR_INVALID_KEY_SPEC':
      return new InvalidKeySpecError(message, details);
    case 'ERR_INVALID_ALGORITHM_PARAMETER':
      return new InvalidAlgorithmParameterError(message, details);
    case 'ERR_INVALID_PARAMETER':
      return new InvalidParameterError(message, details);
    case 'ERR_NO_SUCH_ALGORITHM':
      return new NoSuchAlgorithmError(message, details);
    case 'ERR_SIGNATURE':
      return new SignatureError(message, details);
    case 'ERR_ILLEGAL_STATE':
      return new IllegalStateError(message, details);
    case 'ERR_KEY_DESTROYED':
      return new KeyDestroyedError(message, details);
    case 'ERR_ALGORITHM_DISABLED':
      return error;
    case 'ERR_NO_SUCH_PROVIDER':
    case 'ERR_PROVIDER':
    case 'ERR_CONFIGURATION':
      return new ProviderError(message, details);
  }
}

/** Asks the service about the options; a service that throws here is a broken one and is skipped. */
export function optionsObstacle(candidate: Candidate, options: RequestedOptions | undefined): string | undefined {
  if (options === undefined) return undefined;
  try {
    const answer = candidate.service.supportsOptions(options);
    return answer === true ? undefined : String(answer);
  } catch (error) {
    return `supportsOptions failed: ${error instanceof Error ? error.message : typeof error}`;
  }
}

export function keyObstacle(candidate: Candidate, key: Key): string | undefined {
  try {
    const answer = candidate.service.supportsKey(key);
    return answer === true ? undefined : String(answer);
  } catch (error) {
    return `supportsKey failed: ${error instanceof Error ? error.message : typeof error}`;
  }
}

/** The key as the candidate can take it, or the reason why it cannot. */
function usableKeySync(candidate: Candidate, key: Key, scope: SelectionScope): Key | string {
  const obstacle = keyObstacle(candidate, key);
  if (obstacle === undefined) return key;
  const barrier = translationObstacle(candidate, key, 'sync');
  if (barrier !== undefined) return `${obstacle}; ${barrier}`;
  const translated = translateSync(candidate, key, scope.serviceContext, scope.policy);
  const remaining = keyObstacle(candidate, translated);
  return remaining === undefined ? translated : remaining;
}

async function usableKeyAny(candidate: Candidate, key: Key, scope: SelectionScope): Promise<Key | string> {
  const obstacle = keyObstacle(candidate, key);
  if (obstacle === undefined) return key;
  const barrier = translationObstacle(candidate, key, 'any');
  if (barrier !== undefined) return `${obstacle}; ${barrier}`;
  const translated = await translateAny(candidate, key, scope.serviceContext, scope.policy);
  const remaining = keyObstacle(candidate, translated);
  return remaining === undefined ? translated : remaining;
}

/**
 * Binds the first candidate that takes key and options. `attempt` initialises a fresh instance and throws to refuse.
 * Throws one error for all: its class is that of the first candidate that failed, `errors` lists every candidate.
 */
export function bindSync<S>(
  scope: SelectionScope,
  candidates: readonly Candidate[],
  what: string,
  key: Key,
  options: RequestedOptions | undefined,
  attempt: (spi: S, key: Key) => void,
  trace?: FailureLog,
): Bound<S> {
  let log = trace;
  for (const candidate of candidates) {
    try {
      const optionObstacle = optionsObstacle(candidate, options);
      if (optionObstacle !== undefined) {
        log ??= new FailureLog();
        log.skip(candidate, optionObstacle, true);
        continue;
      }
      const usable = usableKeySync(candidate, key, scope);
      if (typeof usable === 'string') {
        log ??= new FailureLog();
        log.skip(candidate, usable);
        continue;
      }
      const spi = candidate.service.newInstance(scope.serviceContext) as S;
      attemptWith(spi, usable, candidate, scope, attempt);
      return { candidate, spi };
    } catch (error) {
      log ??= new FailureLog();
      log.fail(candidate, error);
    }
  }
  throw (log ?? new FailureLog()).error(what);
}

/** One attempt; a foreign key that was refused although it looked fit gets a second one in translation. */
function attemptWith<S>(
  spi: S,
  key: Key,
  candidate: Candidate,
  scope: SelectionScope,
  attempt: (spi: S, key: Key) => void,
): void {
  try {
    attempt(spi, key);
  } catch (error) {
    if (!(error instanceof InvalidKeyError) || translationObstacle(candidate, key, 'sync') !== undefined) throw error;
    const translated = translateSync(candidate, key, scope.serviceContext, scope.policy);
    if (translated === key) throw error;
    attempt(spi, translated);
  }
}

/** As bindSync for candidates of both modes. */
export async function bindAny<S>(
  scope: SelectionScope,
  candidates: readonly Candidate[],
  what: string,
  key: Key,
  options: RequestedOptions | undefined,
  attempt: (spi: S, key: Key) => void | Promise<void>,
): Promise<Bound<S>> {
  const log = new FailureLog();
  for (const candidate of candidates) {
    try {
      const optionObstacle = optionsObstacle(candidate, options);
      if (optionObstacle !== undefined) {
        log.skip(candidate, optionObstacle, true);
        continue;
      }
      const usable = await usableKeyAny(candidate, key, scope);
      if (typeof usable === 'string') {
        log.skip(candidate, usable);
        continue;
      }
      const spi = candidate.service.newInstance(scope.serviceContext) as S;
      await attempt(spi, usable);
      return { candidate, spi };
    } catch (error) {
      log.fail(candidate, error);
    }
  }
  throw log.error(what);
}

/** Candidates that never take part, with their reason: refused by the query, or of the wrong mode. */
export function excluded(list: CandidateList, mode: 'sync' | 'any'): Decision[] {
  const out: Decision[] = [];
  for (const candidate of list.all) {
    if (candidate.refused !== undefined) out.push(decision(candidate, 'skipped', candidate.refused));
    else if (mode === 'sync' && candidate.service.mode === 'async') {
      out.push(decision(candidate, 'skipped', `works asynchronously only: use Async${list.type}`));
    }
  }
  return out;
}
