// From a name to candidates: providers in order, policy, query and preference applied; and errors that help.

import { AlgorithmDisabledError, type CandidateFailure, NoSuchAlgorithmError } from './errors.ts';
import { foldName } from './names.ts';
import type { AlgorithmPolicy } from './policy.ts';
import type { Provider } from './provider.ts';
import { missedClause, optionalScore, type Query } from './query.ts';
import type { Candidates, Offer } from './selection.ts';
import type { ServiceMode, ServiceType } from './service.ts';

const MODES: readonly ServiceMode[] = ['sync', 'async'];

export interface LookupRules {
  readonly policy: AlgorithmPolicy;
  readonly query: Query | undefined;
  readonly preferred: string | undefined;
}

/** Candidates among these providers, in order. Throws AlgorithmDisabledError where the policy leaves none. */
export function findCandidates(
  type: ServiceType,
  algorithm: string,
  providers: readonly Provider[],
  { policy, query, preferred }: LookupRules,
): Candidates {
  const offers: Offer[] = [];
  const excluded: CandidateFailure[] = [];
  let forbiddenBy = policy.deniedName(type, [algorithm]);
  for (const provider of providers) {
    for (const mode of MODES) {
      const service = provider.service(type, algorithm, mode);
      if (service === undefined) continue;
      const entry = policy.deniedName(type, [algorithm, service.algorithm]);
      const missed = query === undefined ? undefined : missedClause(query, provider, service);
      forbiddenBy ??= entry;
      const reason =
        entry !== undefined
          ? `forbidden by disabledAlgorithms "${entry}"`
          : missed !== undefined
            ? `it does not satisfy ${missed}`
            : undefined;
      if (reason === undefined) offers.push({ provider, service });
      else excluded.push({ provider: provider.name, algorithm: service.algorithm, reason });
    }
  }
  if (offers.length === 0 && forbiddenBy !== undefined) {
    throw new AlgorithmDisabledError(
      `The configuration forbids the ${type} ${algorithm} (disabledAlgorithms: "${forbiddenBy}").`,
      { errors: excluded },
    );
  }
  const first = preferred === undefined ? undefined : foldName(preferred);
  const rank = ({ provider, service }: Offer): number =>
    (query === undefined ? 0 : optionalScore(query, provider, service) * 2) +
    (first !== undefined && foldName(provider.name) === first ? 1 : 0);
  if (first !== undefined || query !== undefined) offers.sort((a, b) => rank(b) - rank(a));
  return {
    type,
    algorithm,
    sync: Object.freeze(offers.filter(({ service }) => service.mode === 'sync')),
    all: Object.freeze(offers),
    excluded,
  };
}

/** Edits between two names, up to `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

function nearestNames(type: ServiceType, algorithm: string, providers: readonly Provider[]): string[] {
  const limit = 3;
  // A long name is no slip of the pen; comparing it would cost.
  if (algorithm.length > 64) return [];
  const wanted = foldName(algorithm.trim());
  const names = new Set(
    providers.flatMap(({ services }) =>
      services.filter((service) => service.type === type).map((service) => service.algorithm),
    ),
  );
  return [...names]
    .map((name) => ({ name, edits: distance(wanted, foldName(name), limit) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Why there is no candidate for this façade, with what may help. */
export function noSuchAlgorithm(
  candidates: Candidates,
  providers: readonly Provider[],
  exact: Provider | undefined,
): NoSuchAlgorithmError {
  const { type, algorithm, all, excluded } = candidates;
  const where = exact === undefined ? '' : ` of the provider ${exact.name}`;
  const start = `There is no ${type} ${algorithm}${where}`;
  if (all.length > 0) {
    const names = all.map(({ provider }) => provider.name).join(', ');
    return new NoSuchAlgorithmError(
      `${start} for synchronous use: only asynchronous providers serve it (${names}). Use Async${type}.`,
    );
  }
  if (excluded.length > 0) {
    const reasons = excluded.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ');
    return new NoSuchAlgorithmError(`${start} that satisfies the query. ${reasons}.`, { errors: excluded });
  }
  if (exact === undefined && providers.length === 0) {
    return new NoSuchAlgorithmError(
      `${start}: no provider is registered. "provium/spi" alone starts with none: import "provium", or add a provider.`,
    );
  }
  const near = nearestNames(type, algorithm, exact === undefined ? providers : [exact]);
  return new NoSuchAlgorithmError(`${start}.${near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`}`);
}
