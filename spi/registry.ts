// The ordered list of providers as an immutable snapshot: a change makes a new one, so readers never lock and objects
// already handed out keep the list they saw. Look-ups are cached per snapshot.

import { InvalidParameterError } from './errors.ts';
import { nameKey, resolveAlgorithm } from './names.ts';
import { assertProvider, type Provider } from './provider.ts';
import { EMPTY_QUERY, formatClause, optionalScore, type Query, unmetClause } from './query.ts';
import type { AnyService, ServiceType } from './service.ts';

/** A service that could serve a name, in the order of preference; `refused` says why it is out from the start. */
export interface Candidate {
  readonly provider: Provider;
  readonly service: AnyService;
  readonly refused: string | undefined;
}

/** All candidates for one (type, name, query), eligible ones by mode apart; shared, never changed. */
export interface CandidateList {
  readonly type: ServiceType;
  /** The standard name, or the name of the first service found. */
  readonly algorithm: string;
  /** Every candidate, synchronous and asynchronous, refused or not. */
  readonly all: readonly Candidate[];
  readonly sync: readonly Candidate[];
  /** What an asynchronous façade takes: both modes. */
  readonly any: readonly Candidate[];
}

/** `Type.Algorithm` or `Algorithm` (folded) to the provider that goes first. */
export type Preferences = ReadonlyMap<string, string>;

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  SHA2: ['SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-512/256'],
  SHA3: ['SHA3-224', 'SHA3-256', 'SHA3-384', 'SHA3-512'],
  SHA2ECDSA: ['SHA224withECDSA', 'SHA256withECDSA', 'SHA384withECDSA', 'SHA512withECDSA'],
  SHA3ECDSA: ['SHA3-224withECDSA', 'SHA3-256withECDSA', 'SHA3-384withECDSA', 'SHA3-512withECDSA'],
};

/** Expands the names of the configuration (`Signature.X`, `X`, `Group.SHA2`, the JCA's groups) into a table. */
export function parsePreferences(entries: Readonly<Record<string, string>>): Preferences {
  const table = new Map<string, string>();
  for (const [key, provider] of Object.entries(entries)) {
    const dot = key.indexOf('.');
    const prefix = dot < 0 ? '' : key.slice(0, dot);
    const group = GROUPS[prefix === 'Group' ? key.slice(dot + 1) : key];
    if (group === undefined) table.set(nameKey(key), provider);
    else for (const name of group) table.set(nameKey(name), provider);
  }
  return table;
}

function preferredProvider(preferences: Preferences, type: ServiceType, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = preferences.get(nameKey(`${type}.${name}`)) ?? preferences.get(nameKey(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One state of the list with the preferences that hold for it. */
export class RegistrySnapshot {
  readonly providers: readonly Provider[];
  readonly #preferences: Preferences;
  readonly #plain = new Map<ServiceType, Map<string, CandidateList | null>>();
  readonly #queried = new Map<Query, Map<string, CandidateList | null>>();

  constructor(providers: readonly Provider[], preferences: Preferences) {
    this.providers = Object.freeze([...providers]);
    this.#preferences = preferences;
  }

  /** Null if no provider has the name. The query object is the cache key: pass one object for one query. */
  candidates(type: ServiceType, algorithm: string, query: Query = EMPTY_QUERY): CandidateList | null {
    if (query === EMPTY_QUERY) {
      let byName = this.#plain.get(type);
      if (byName === undefined) this.#plain.set(type, (byName = new Map()));
      return this.#cached(byName, algorithm, type, algorithm, query);
    }
    let byId = this.#queried.get(query);
    if (byId === undefined) {
      if (this.#queried.size >= 64) this.#queried.clear();
      this.#queried.set(query, (byId = new Map()));
    }
    return this.#cached(byId, `${type}/${algorithm}`, type, algorithm, query);
  }

  #cached(
    cache: Map<string, CandidateList | null>,
    key: string,
    type: ServiceType,
    algorithm: string,
    query: Query,
  ): CandidateList | null {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const list = listCandidates(this.providers, this.#preferences, type, algorithm, query);
    // Names come from callers: the cache must not grow without limit.
    if (cache.size >= 512) cache.clear();
    cache.set(key, list);
    return list;
  }
}

/** Candidates among the given providers, in order; used for a single named provider as well. */
export function listCandidates(
  providers: readonly Provider[],
  preferences: Preferences,
  type: ServiceType,
  algorithm: string,
  query: Query,
): CandidateList | null {
  const found: Candidate[] = [];
  for (const provider of providers) {
    for (const mode of ['sync', 'async'] as const) {
      const service = provider.service(type, algorithm, mode);
      if (service === undefined) continue;
      const unmet = unmetClause(query, provider, service);
      const refused = unmet === undefined ? undefined : `does not meet ${formatClause(unmet)}`;
      found.push({ provider, service, refused });
    }
  }
  const first = found[0];
  if (first === undefined) return null;
  const standard = resolveAlgorithm(type, algorithm)?.name ?? first.service.algorithm;
  const preferred = preferredProvider(preferences, type, [algorithm, standard, first.service.algorithm]);
  const rank = (candidate: Candidate): number =>
    optionalScore(query, candidate.provider, candidate.service) * 2 +
    (preferred !== undefined && nameKey(candidate.provider.name) === nameKey(preferred) ? 1 : 0);
  const all = found.map((candidate) => ({ candidate, rank: rank(candidate) }));
  all.sort((a, b) => b.rank - a.rank);
  const ordered = all.map((entry) => entry.candidate);
  const eligible = ordered.filter((candidate) => candidate.refused === undefined);
  return {
    type,
    algorithm: standard,
    all: ordered,
    sync: eligible.filter((candidate) => candidate.service.mode === 'sync'),
    any: eligible,
  };
}

/** The mutable holder of the current snapshot. */
export class ProviderRegistry {
  #snapshot: RegistrySnapshot;
  #preferences: Preferences;

  constructor(providers: readonly Provider[] = [], preferences: Preferences = new Map()) {
    const names = new Set<string>();
    for (const provider of providers) {
      assertProvider(provider);
      if (names.has(provider.name)) throw new InvalidParameterError(`Provider ${provider.name} is listed twice.`);
      names.add(provider.name);
    }
    this.#preferences = preferences;
    this.#snapshot = new RegistrySnapshot(providers, preferences);
  }

  get snapshot(): RegistrySnapshot {
    return this.#snapshot;
  }

  /** Inserts at the 1-based position, at the end if it is out of range. Returns the position, −1 if the name is present. */
  insertProviderAt(provider: Provider, position: number): number {
    assertProvider(provider);
    if (typeof position !== 'number' || Number.isNaN(position)) {
      throw new InvalidParameterError('A provider position must be a number, counted from 1.');
    }
    const current = this.#snapshot.providers;
    if (this.provider(provider.name) !== undefined) return -1;
    const inside = Number.isInteger(position) && position >= 1 && position <= current.length;
    const index = inside ? position - 1 : current.length;
    this.#replace([...current.slice(0, index), provider, ...current.slice(index)]);
    return index + 1;
  }

  /** Removes by name; returns the provider, undefined if there is none of that name. */
  removeProvider(name: string): Provider | undefined {
    const provider = this.provider(name);
    if (provider !== undefined) this.#replace(this.#snapshot.providers.filter((other) => other !== provider));
    return provider;
  }

  provider(name: string): Provider | undefined {
    return this.#snapshot.providers.find((provider) => provider.name === name);
  }

  setPreferences(preferences: Preferences): void {
    this.#preferences = preferences;
    this.#replace(this.#snapshot.providers);
  }

  /** Replaces everything at once, as a configuration does. */
  reset(providers: readonly Provider[], preferences: Preferences): void {
    this.#preferences = preferences;
    this.#replace(providers);
  }

  #replace(providers: readonly Provider[]): void {
    this.#snapshot = new RegistrySnapshot(providers, this.#preferences);
  }
}
