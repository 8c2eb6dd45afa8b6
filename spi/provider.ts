// A provider is a value: a name and a list of services. `defineProvider` checks a definition when it is made, so that
// a malformed one is refused with the field at fault and never met during selection.

import { ConfigurationError, InvalidParameterError } from './errors.ts';
import type { Key } from './keys.ts';
import { nameKey, resolveAlgorithm } from './names.ts';
import {
  type AnyService,
  type RequestedOptions,
  SERVICE_TYPES,
  type ServiceAttributes,
  type ServiceContext,
  type ServiceDefinition,
  type ServiceMode,
  type ServiceType,
  type SpiOf,
} from './service.ts';

/** Result of a self-test of one part of a provider. */
export interface SelfTestResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not run';
  readonly detail?: string | undefined;
}

export interface ProviderDefinition {
  readonly name: string;
  readonly version: string;
  readonly info?: string;
  readonly services: readonly AnyService[];
}

/** A service as its author writes it; what is left out gets the default named here. */
export interface ServiceInput<T extends ServiceType, M extends ServiceMode> {
  readonly algorithm: string;
  /** Default: none. OIDs and standard aliases need not be listed. */
  readonly aliases?: readonly string[];
  /** Default: none. */
  readonly attributes?: ServiceAttributes;
  /** Default: `sync`. */
  readonly mode?: M;
  /** Default: false. */
  readonly importsPrivateKeys?: boolean;
  /** Default: decided by SupportedKeyClasses, SupportedKeyFormats and SupportedCurves; without them every key. */
  readonly supportsKey?: (key: Key) => boolean | string;
  /** Default: no explicit option is honoured. */
  readonly supportsOptions?: (options: RequestedOptions) => boolean | string;
  readonly newInstance: (context: ServiceContext) => SpiOf<T, M>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** Base class of all providers. */
export class Provider {
  readonly name: string;
  readonly version: string;
  readonly info: string;
  readonly services: readonly AnyService[];
  readonly #index = new Map<string, AnyService>();

  /** Throws ConfigurationError naming the field at fault. */
  constructor(definition: ProviderDefinition) {
    if (typeof definition !== 'object' || definition === null) {
      throw new ConfigurationError('A provider definition must be an object with name, version and services.');
    }
    const { name, version, info, services } = definition;
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new ConfigurationError('name: a provider needs a name of letters, digits, "_", "." and "-".');
    }
    if (typeof version !== 'string' || version === '') {
      throw new ConfigurationError(`version: provider ${name} needs a version string.`);
    }
    if (info !== undefined && typeof info !== 'string') {
      throw new ConfigurationError(`info: must be a string in provider ${name}.`);
    }
    if (!Array.isArray(services)) {
      throw new ConfigurationError(`services: provider ${name} needs an array of services.`);
    }
    this.name = name;
    this.version = version;
    this.info = info ?? '';
    this.services = Object.freeze(services.map((service, i) => checkService(service, `services[${i}]`, name)));
    for (const [i, service] of this.services.entries()) this.#add(service, `services[${i}]`);
  }

  #add(service: AnyService, path: string): void {
    const own = indexKey(service.type, service.mode, service.algorithm);
    if (
      this.#index.get(own)?.algorithm !== undefined &&
      nameKey(this.#index.get(own)!.algorithm) === nameKey(service.algorithm)
    ) {
      throw new ConfigurationError(
        `${path}: provider ${this.name} has two ${service.mode} services ${service.type} ${service.algorithm}.`,
      );
    }
    this.#index.set(own, service);
    const standard = resolveAlgorithm(service.type, service.algorithm);
    for (const alias of [...service.aliases, ...(standard?.aliases ?? [])]) {
      const key = indexKey(service.type, service.mode, alias);
      if (!this.#index.has(key)) this.#index.set(key, service);
    }
  }

  /** The service of this type under any of its names; the standard name's services win over mere aliases. */
  service(type: ServiceType, algorithm: string, mode: ServiceMode = 'sync'): AnyService | undefined {
    const own = this.#index.get(indexKey(type, mode, algorithm));
    if (own !== undefined) return own;
    const standard = resolveAlgorithm(type, algorithm);
    return standard === undefined ? undefined : this.#index.get(indexKey(type, mode, standard.name));
  }

  /** Runs what tests the provider has of itself; the default has none. */
  selfTest(_context: ServiceContext): readonly SelfTestResult[] | Promise<readonly SelfTestResult[]> {
    return [{ name: this.name, status: 'not run', detail: 'The provider has no self-test.' }];
  }

  /** Which engine would serve the curve, as data for `explain`; undefined for providers without engines. */
  explainEngine(_context: ServiceContext, _curve: string): unknown {
    return undefined;
  }

  /** Frees what the provider holds for a context that removed it. */
  detach(_context: ServiceContext): void {}

  toString(): string {
    return `${this.name} version ${this.version}`;
  }
}

function indexKey(type: ServiceType, mode: ServiceMode, name: string): string {
  return `${type}/${mode}/${nameKey(name)}`;
}

function checkService(service: AnyService, path: string, provider: string): AnyService {
  const fail = (field: string, expected: string): never => {
    throw new ConfigurationError(`${path}.${field}: ${expected} (provider ${provider}).`);
  };
  if (typeof service !== 'object' || service === null) {
    throw new ConfigurationError(`${path}: must be a service object (provider ${provider}).`);
  }
  if (!SERVICE_TYPES.includes(service.type)) fail('type', `must be one of ${SERVICE_TYPES.join(', ')}`);
  if (
    typeof service.algorithm !== 'string' ||
    service.algorithm.trim() !== service.algorithm ||
    service.algorithm === ''
  ) {
    fail('algorithm', 'must be a name without surrounding spaces');
  }
  if (service.mode !== 'sync' && service.mode !== 'async') fail('mode', 'must be "sync" or "async"');
  const synchronousOnly = service.type === 'MessageDigest' || service.type === 'AlgorithmParameters';
  if (synchronousOnly && service.mode !== 'sync') fail('mode', `a ${service.type} is synchronous`);
  if (!Array.isArray(service.aliases) || !service.aliases.every((alias) => typeof alias === 'string' && alias !== '')) {
    fail('aliases', 'must be an array of names');
  }
  if (typeof service.attributes !== 'object' || service.attributes === null) fail('attributes', 'must be an object');
  if (typeof service.importsPrivateKeys !== 'boolean') fail('importsPrivateKeys', 'must be true or false');
  for (const method of ['supportsKey', 'supportsOptions', 'newInstance'] as const) {
    if (typeof service[method] !== 'function') fail(method, 'must be a function');
  }
  return Object.freeze(service);
}

function stringList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split('|') : undefined;
}

/** The default of `supportsKey`: what the attributes declare; either class or format suffices, and the curve if listed. */
function supportedByAttributes(attributes: ServiceAttributes): (key: Key) => true | string {
  const classes = stringList(attributes.SupportedKeyClasses)?.map(nameKey);
  const formats = stringList(attributes.SupportedKeyFormats)?.map(nameKey);
  const curves = stringList(attributes.SupportedCurves)?.map(nameKey);
  if (classes === undefined && formats === undefined && curves === undefined) return () => true;
  return (key) => {
    const byClass = classes?.some((name) => name === nameKey(key.algorithm) || name === nameKey(key.constructor.name));
    const byFormat = formats !== undefined && key.format !== undefined && formats.includes(nameKey(key.format));
    if ((classes !== undefined || formats !== undefined) && byClass !== true && !byFormat) {
      return `supports keys of ${[...(classes ?? []), ...(formats ?? [])].join(', ')} only`;
    }
    if (curves !== undefined && (key.curve === undefined || !curves.includes(nameKey(key.curve)))) {
      return `does not support curve ${key.curve ?? '(unknown)'}`;
    }
    return true;
  };
}

function reasonOf(answer: unknown, fallback: string): true | string {
  if (answer === true) return true;
  return typeof answer === 'string' ? answer : fallback;
}

function anyOption(options: RequestedOptions): string | undefined {
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'use' && name !== 'size' && value !== undefined) return name;
  }
  return undefined;
}

/** A complete service from what its author wrote. */
export function defineService<T extends ServiceType, M extends ServiceMode = 'sync'>(
  type: T,
  input: ServiceInput<T, M>,
): ServiceDefinition<T, M> {
  if (typeof input !== 'object' || input === null) throw new ConfigurationError(`A ${type} service must be an object.`);
  const { supportsKey, supportsOptions } = input;
  const attributes = input.attributes ?? {};
  return {
    type,
    algorithm: input.algorithm,
    mode: input.mode ?? ('sync' as M),
    aliases: input.aliases ?? [],
    attributes,
    importsPrivateKeys: input.importsPrivateKeys ?? false,
    supportsKey:
      supportsKey === undefined
        ? supportedByAttributes(attributes ?? {})
        : (key) => reasonOf(supportsKey(key), 'does not support this key'),
    supportsOptions:
      supportsOptions === undefined
        ? (options) => {
            const name = anyOption(options);
            return name === undefined ? true : `does not offer the option ${name}`;
          }
        : (options) => reasonOf(supportsOptions(options), 'does not support these options'),
    newInstance: input.newInstance,
  };
}

/** A provider from a plain definition. Throws ConfigurationError naming the field at fault. */
export function defineProvider(definition: ProviderDefinition): Provider {
  return new Provider(definition);
}

export function assertProvider(value: unknown): asserts value is Provider {
  if (!(value instanceof Provider)) {
    throw new InvalidParameterError('Expected a Provider: make one with defineProvider({ name, version, services }).');
  }
}
