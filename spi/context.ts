// SecurityContext: providers, policy and defaults in one place, isolated from every other context. `Security` is the
// default one, filled at first use.

import { checkedRandom, describeThrown, kindOf, platformRandom } from './checks.ts';
import type { ContextOptions, ProviderResolver } from './context-options.ts';
import { ConfigurationError, InvalidParameterError, NoSuchProviderError, ProviderError } from './errors.ts';
import { type Explanation, explainCandidates } from './explain.ts';
import { findCandidates, noSuchAlgorithm } from './lookup.ts';
import { foldName } from './names.ts';
import { NONCE_MODES } from './options.ts';
import { AlgorithmPolicy, NO_POLICY } from './policy.ts';
import { parsePreferences } from './preferred.ts';
import { Provider, type SelfTestResult } from './provider.ts';
import { mergeQueries, missedClause, parseFilter, parseFilterMap, parseQuery, type Query } from './query.ts';
import { ProviderRegistry } from './registry.ts';
import type { Candidates, Failover, SelectionContext } from './selection.ts';
import {
  type AnyService,
  type EngineSettings,
  SERVICE_TYPES,
  type ServiceContext,
  type ServiceMode,
  type ServiceType,
} from './service.ts';

/** From where a façade takes its provider: a name, an object, or a selection. */
export type From = string | Provider | FromOptions;
export interface FromOptions {
  readonly provider?: string | Provider | undefined;
  /** Clauses for the choice, e.g. `implementation=hardware, ?fips=yes`. */
  readonly query?: string | undefined;
  readonly context?: SecurityContext | undefined;
}

export const FROM_OPTIONS = ['provider', 'query', 'context'] as const satisfies readonly (keyof FromOptions)[];

export interface ProviderSelfTest {
  readonly provider: string;
  /** `none`: the provider has no self-test. */
  readonly status: 'passed' | 'failed' | 'none';
  readonly rows: readonly SelfTestResult[];
}

/** Everything that changes as one. */
interface State extends SelectionContext {
  readonly registry: ProviderRegistry;
  readonly services: ServiceContext;
  readonly policy: AlgorithmPolicy;
  readonly failover: Failover;
  preferred: (type: ServiceType, algorithm: string) => string | undefined;
  defaultQuery: Query | undefined;
  /** By type, mode and name; emptied at every change. */
  cache: Map<string, Map<string, Candidates>>;
  /** Entries of the cache. */
  cached: number;
}

/** More names than any application has; then it is a flood, and the cache begins anew. */
const LARGEST_CACHE = 4096;

let defaultFactory: (() => ContextOptions | SecurityContext) | undefined;
let resolveBuiltIn: ProviderResolver | undefined;

/** Says how the default context is filled at first use. The composition root calls it; the last call counts. */
export function setDefaultContextFactory(factory: () => ContextOptions | SecurityContext): void {
  defaultFactory = factory;
}

/** Says which providers a configuration may call by name alone. The composition root calls it. */
export function setBuiltInProviders(resolver: ProviderResolver): void {
  resolveBuiltIn = resolver;
}

export class SecurityContext {
  #state: State | undefined;
  #lazy: boolean;

  /** Throws InvalidParameterError, ConfigurationError. */
  constructor(options: ContextOptions = {}) {
    this.#lazy = options === LAZY;
    if (!this.#lazy) this.#state = newState(options);
  }

  /** A context by a configuration: a file, or an object of the same shape. Throws ConfigurationError. */
  static async fromConfig(source: string | URL | object): Promise<SecurityContext> {
    return new SecurityContext(await loadOptions(source));
  }

  /** Replaces all that this context is by what the configuration says. Throws ConfigurationError and changes nothing. */
  async configure(source: string | URL | object): Promise<this> {
    const state = newState(await loadOptions(source));
    const old = this.#state;
    this.#state = state;
    this.#lazy = false;
    for (const provider of old?.registry.providers ?? []) detached(provider, old?.services as ServiceContext);
    return this;
  }

  #get(): State {
    return this.#state ?? this.#start();
  }

  #start(): State {
    const made = defaultFactory?.() ?? {};
    const state = made instanceof SecurityContext ? made.#get() : newState(made);
    // A factory that uses the default context has filled it already.
    this.#state ??= state;
    return this.#state;
  }

  /** True while nothing has used the default context. */
  get isPending(): boolean {
    return this.#lazy && this.#state === undefined;
  }

  /** Defaults of the services in this context. */
  get services(): ServiceContext {
    return this.#get().services;
  }

  get policy(): AlgorithmPolicy {
    return this.#get().policy;
  }

  get failover(): Failover {
    return this.#get().failover;
  }

  /** Inserts at a position counted from 1 (out of range: at the end); gives it, or −1 if the name is there. */
  insertProviderAt(provider: Provider, position: number): number {
    const state = this.#get();
    requireProvider(provider);
    if (state.registry.get(provider.name) !== undefined) return -1;
    const at = state.registry.insert(provider, position);
    forget(state);
    return at;
  }

  /** At the end; gives the position, or −1 if the name is there. */
  addProvider(provider: Provider): number {
    return this.insertProviderAt(provider, 0);
  }

  /** Objects already handed out keep working. False if there is none of that name. */
  removeProvider(name: string): boolean {
    const state = this.#get();
    const provider = state.registry.get(name);
    if (provider === undefined) return false;
    state.registry.remove(name);
    forget(state);
    detached(provider, state.services);
    return true;
  }

  getProvider(name: string): Provider | undefined {
    return this.#get().registry.get(name);
  }

  /** In order; with a JCA filter (`Signature.SHA256withECDSA KeySize:256`, or a map) those that satisfy it. */
  getProviders(filter?: string | Readonly<Record<string, string>>): Provider[] {
    const { providers } = this.#get().registry;
    if (filter === undefined) return [...providers];
    if (typeof filter !== 'string' && (typeof filter !== 'object' || filter === null)) {
      throw new InvalidParameterError(`A filter is a string or an object, got ${kindOf(filter)}.`);
    }
    const filters = typeof filter === 'string' ? [parseFilter(filter)] : parseFilterMap(filter);
    return providers.filter((provider) =>
      filters.every(({ type, algorithm, query }) =>
        (['sync', 'async'] as const).some((mode) => {
          const service = provider.service(type, algorithm, mode);
          return service !== undefined && missedClause(query, provider, service) === undefined;
        }),
      ),
    );
  }

  /** Names of all services of a type, without aliases, each once. */
  getAlgorithms(type: string): string[] {
    const known = SERVICE_TYPES.find((name) => foldName(name) === foldName(type));
    const names = new Map<string, string>();
    for (const { services } of this.#get().registry.providers) {
      for (const service of services) {
        const folded = foldName(service.algorithm);
        if (service.type === known && !names.has(folded)) names.set(folded, service.algorithm);
      }
    }
    return [...names.values()];
  }

  /** The service that comes first for a name; undefined if there is none. Throws AlgorithmDisabledError. */
  getService(type: ServiceType, algorithm: string): AnyService | undefined {
    return this.#search(this.#get(), type, algorithm, undefined, undefined).all[0]?.service;
  }

  /** `{ "Signature.SHA256withECDSA": "OpenSSL" }`; names of providers that are not there count for nothing. */
  setPreferred(preferred: Readonly<Record<string, string>>): void {
    const state = this.#get();
    state.preferred = parsePreferences(preferred);
    forget(state);
  }

  setDefaultQuery(query: string | undefined): void {
    const state = this.#get();
    state.defaultQuery = query === undefined ? undefined : parseQuery(query);
    forget(state);
  }

  /** The decision as data: every candidate, taken or not, and why. The first taken is the one that an init binds. */
  explain(
    type: ServiceType,
    algorithm: string,
    key?: unknown,
    options: object & { readonly asynchronous?: boolean; readonly provider?: string; readonly query?: string } = {},
  ): Explanation {
    const { asynchronous = false, provider, query, ...explicit } = options;
    const state = this.#get();
    return explainCandidates({
      type,
      algorithm,
      key,
      options: Object.keys(explicit).length === 0 ? undefined : explicit,
      asynchronous,
      context: state,
      find: () => this.#search(state, type, algorithm, providerOf(state, provider), query),
    });
  }

  /** Runs the self-tests of all providers, or of one. Throws NoSuchProviderError. */
  async selfTest(provider?: string | Provider): Promise<ProviderSelfTest[]> {
    const state = this.#get();
    const one = providerOf(state, provider);
    const results: ProviderSelfTest[] = [];
    for (const each of one === undefined ? state.registry.providers : [one])
      results.push(await runSelfTest(each, state.services));
    return results;
  }

  /**
   * For the façades: the candidates of this moment. Throws NoSuchAlgorithmError where none is left for the mode,
   * NoSuchProviderError, AlgorithmDisabledError.
   */
  candidates(type: ServiceType, algorithm: string, from: From | undefined, mode: ServiceMode): Candidates {
    const state = this.#get();
    const provider = typeof from === 'object' && !(from instanceof Provider) ? from.provider : from;
    const query = typeof from === 'object' && !(from instanceof Provider) ? from.query : undefined;
    const cacheable =
      (provider === undefined || (typeof provider === 'string' && provider !== '')) &&
      (query === undefined || typeof query === 'string');
    const kept = cacheable ? cacheOf(state, type, mode, provider as string | undefined, query) : undefined;
    const known = kept?.get(algorithm);
    if (known !== undefined) return known;
    if (typeof algorithm !== 'string') {
      throw new InvalidParameterError(`The name of an algorithm must be a string, got ${kindOf(algorithm)}.`);
    }
    const exact = providerOf(state, provider);
    const found = this.#search(state, type, algorithm, exact, query);
    if ((mode === 'sync' ? found.sync : found.all).length === 0) {
      throw noSuchAlgorithm(found, state.registry.providers, exact);
    }
    if (kept !== undefined) {
      if (state.cached >= LARGEST_CACHE) forget(state);
      // After a flood the map may be out of the cache; the next look-up begins anew.
      kept.set(algorithm, found);
      state.cached++;
    }
    return found;
  }

  /** For the façades: what selection needs. */
  get selection(): SelectionContext {
    return this.#state ?? this.#start();
  }

  #search(
    state: State,
    type: ServiceType,
    algorithm: string,
    exact: Provider | undefined,
    query: string | undefined,
  ): Candidates {
    const explicit = query === undefined ? undefined : parseQuery(query);
    return findCandidates(type, algorithm, exact === undefined ? state.registry.providers : [exact], {
      policy: state.policy,
      // An explicit provider means exactly that one: defaults do not apply.
      query: exact === undefined ? mergeQueries(explicit, state.defaultQuery) : explicit,
      preferred: exact === undefined ? state.preferred(type, algorithm) : undefined,
    });
  }
}

const LAZY: ContextOptions = Object.freeze({});

/** The default context: what the composition root says, made at first use; empty under `provium/spi` alone. */
export const Security: SecurityContext = new SecurityContext(LAZY);

/** The context that a façade was asked to work in. Throws InvalidParameterError for a member that there is not. */
export function contextOf(from: From | undefined): SecurityContext {
  const context = contextOfCall(from);
  if (typeof from === 'object' && !(from instanceof Provider)) {
    const unknown = Object.keys(from).find((name) => !(FROM_OPTIONS as readonly string[]).includes(name));
    if (unknown !== undefined) {
      throw new InvalidParameterError(`There is no option ${unknown} here; there are ${FROM_OPTIONS.join(', ')}.`);
    }
  }
  return context;
}

/** The same where further options of the call stand beside them, which are checked for themselves. */
export function contextOfCall(from: From | undefined): SecurityContext {
  if (from === undefined || typeof from === 'string' || from instanceof Provider) return Security;
  if (typeof from !== 'object' || from === null || Array.isArray(from)) {
    throw new InvalidParameterError(
      `A provider is given by its name, as an object or in options, got ${kindOf(from)}.`,
    );
  }
  const { context } = from;
  if (context === undefined) return Security;
  if (context instanceof SecurityContext) return context;
  throw new InvalidParameterError(`context must be a SecurityContext, got ${kindOf(context)}.`);
}

function requireProvider(provider: unknown): asserts provider is Provider {
  if (provider instanceof Provider) return;
  throw new InvalidParameterError(
    `A provider must be made by defineProvider or be an instance of Provider, got ${kindOf(provider)}.`,
  );
}

const OPTIONS: Readonly<Record<keyof ContextOptions, true>> = {
  providers: true,
  candidates: true,
  engines: true,
  nonce: true,
  random: true,
  failover: true,
  preferred: true,
  defaultQuery: true,
  disabledAlgorithms: true,
};
const ENGINE_SETTINGS: Readonly<Record<keyof EngineSettings, true>> = {
  prefer: true,
  deny: true,
  curves: true,
  disable: true,
  trusted: true,
};

function requireMembers(value: unknown, known: object, path: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigurationError(`${path || 'The options of a context'} must be an object, got ${kindOf(value)}.`);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const where = path === '' ? unknown : `${path}.${unknown}`;
  throw new ConfigurationError(`${where}: there is no such setting; there are ${Object.keys(known).join(', ')}.`);
}

function checkEngines(engines: EngineSettings): void {
  requireMembers(engines, ENGINE_SETTINGS, 'engines');
  for (const name of ['prefer', 'deny', 'disable', 'trusted'] as const) {
    const words: unknown = engines[name];
    if (words === undefined || (Array.isArray(words) && words.every((word) => typeof word === 'string'))) continue;
    throw new ConfigurationError(`engines.${name} must be a list of strings, got ${kindOf(words)}.`);
  }
}

function newState(options: ContextOptions): State {
  requireMembers(options, OPTIONS, '');
  if (options.engines !== undefined) checkEngines(options.engines);
  const { nonce = 'hedged', random, failover = 'unsupported', disabledAlgorithms, preferred, defaultQuery } = options;
  if (!NONCE_MODES.includes(nonce)) throw new ConfigurationError(`nonce must be one of ${NONCE_MODES.join(', ')}.`);
  if (failover !== 'unsupported' && failover !== 'always') {
    throw new ConfigurationError("failover must be 'unsupported' or 'always'.");
  }
  if (random !== undefined && typeof random !== 'function') {
    throw new ConfigurationError(`random must be a function, got ${kindOf(random)}.`);
  }
  const source = checkedRandom(random ?? platformRandom);
  const state: State = {
    registry: new ProviderRegistry(),
    services: Object.freeze({
      random: source,
      customRandom: random !== undefined,
      nonce,
      engines: Object.freeze({
        ...options.engines,
        disable: Object.freeze([...(options.engines?.disable ?? []), ...disabledByEnvironment()]),
      }),
      candidates: Object.freeze([...(options.candidates ?? [])]),
    }),
    policy: disabledAlgorithms === undefined ? NO_POLICY : new AlgorithmPolicy(disabledAlgorithms),
    failover,
    preferred: preferred === undefined ? () => undefined : parsePreferences(preferred),
    defaultQuery: defaultQuery === undefined ? undefined : parseQuery(defaultQuery),
    cache: new Map(),
    cached: 0,
  };
  const providers = options.providers ?? [];
  for (const provider of providers) requireProvider(provider);
  state.registry.replace(providers);
  return state;
}

function forget(state: State): void {
  state.cache = new Map();
  state.cached = 0;
}

/** A provider that fails to clean up is gone all the same. */
function detached(provider: Provider, services: ServiceContext): void {
  try {
    provider.detach(services);
  } catch {
    // Nothing that the caller of removeProvider could do about it.
  }
}

/** The names that PROVIUM_DISABLE takes away; it can only remove. */
function disabledByEnvironment(): readonly string[] {
  const value = globalThis.process?.env?.['PROVIUM_DISABLE'] ?? '';
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function providerOf(state: State, provider: string | Provider | undefined): Provider | undefined {
  if (provider === undefined) return undefined;
  if (provider instanceof Provider) return provider;
  if (typeof provider !== 'string' || provider === '') {
    throw new InvalidParameterError(`A provider is given by its name or as an object, got ${kindOf(provider)}.`);
  }
  const found = state.registry.get(provider);
  if (found !== undefined) return found;
  const names = state.registry.providers.map(({ name }) => name).join(', ') || 'none';
  throw new NoSuchProviderError(`There is no provider ${provider}; registered: ${names}.`);
}

function cacheOf(
  state: State,
  type: ServiceType,
  mode: ServiceMode,
  provider: string | undefined,
  query: string | undefined,
): Map<string, Candidates> {
  const plain = provider === undefined && query === undefined;
  const key = plain ? (mode === 'sync' ? type : `${type} async`) : JSON.stringify([type, mode, provider, query]);
  let map = state.cache.get(key);
  if (map === undefined) {
    if (state.cache.size >= LARGEST_CACHE) forget(state);
    map = new Map();
    state.cache.set(key, map);
  }
  return map;
}

async function loadOptions(source: string | URL | object): Promise<ContextOptions> {
  const { loadConfiguration } = await import('./config.ts');
  const options = await loadConfiguration(source, (name, given) => resolveBuiltIn?.(name, given));
  return options.providers === undefined ? { ...options, providers: defaultProviders() } : options;
}

/** The providers that serve where a configuration names none. */
function defaultProviders(): readonly Provider[] {
  const made = defaultFactory?.() ?? {};
  return made instanceof SecurityContext ? made.getProviders() : (made.providers ?? []);
}

async function runSelfTest(provider: Provider, services: ServiceContext): Promise<ProviderSelfTest> {
  try {
    const rows = await provider.selfTest(services);
    if (!Array.isArray(rows)) throw new ProviderError('it gave no list of results');
    if (rows.length === 0) return { provider: provider.name, status: 'none', rows };
    const failed = rows.some(({ status }) => status !== 'passed' && status !== 'not run');
    const ran = rows.some(({ status }) => status === 'passed');
    return { provider: provider.name, status: failed ? 'failed' : ran ? 'passed' : 'none', rows };
  } catch (error) {
    const rows = [{ name: 'self-test', status: 'failed' as const, detail: describeThrown(error) }];
    return { provider: provider.name, status: 'failed', rows };
  }
}
