// Providers: a name, a version and services; checked when they are made, so that a fault shows where it stands.

import { kindOf } from './checks.ts';
import { InvalidParameterError } from './errors.ts';
import type { Key } from './keys.ts';
import { foldName, nameKey, resolveAlgorithm, resolveCurveName } from './names.ts';
import {
  type AnyService,
  type RequestedOptions,
  SERVICE_TYPES,
  type ServiceAttributes,
  type ServiceContext,
  type ServiceMode,
  type ServiceType,
} from './service.ts';

export interface ProviderDefinition {
  /** How applications and configurations call it. */
  readonly name: string;
  readonly version: string;
  readonly info?: string;
  readonly services: readonly AnyService[];
}

/** Result of one self-test of a provider. */
export interface SelfTestResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not run';
  readonly detail?: string | undefined;
}

interface Offered {
  sync: AnyService | undefined;
  async: AnyService | undefined;
}

/** Throws InvalidParameterError naming the field at fault. */
export class Provider {
  readonly name: string;
  readonly version: string;
  readonly info: string;
  readonly services: readonly AnyService[];
  readonly #index: ReadonlyMap<string, Offered>;

  constructor(definition: ProviderDefinition) {
    if (typeof definition !== 'object' || definition === null) {
      throw new InvalidParameterError(`A provider definition must be an object, got ${kindOf(definition)}.`);
    }
    const { name, version, info = '', services } = definition;
    requireText(name, 'name', 'A provider');
    if (name.trim() !== name) throw new InvalidParameterError(`The provider "${name}": name has spaces around it.`);
    const where = `The provider ${name}`;
    requireText(version, 'version', where);
    if (typeof info !== 'string') throw new InvalidParameterError(`${where}: info must be a string.`);
    if (!Array.isArray(services)) {
      throw new InvalidParameterError(`${where}: services must be an array, got ${kindOf(services)}.`);
    }
    this.name = name;
    this.version = version;
    this.info = info;
    this.services = Object.freeze(services.map((service, i) => checkedService(service, `${where}: services[${i}]`)));
    this.#index = indexOf(this.services, where);
  }

  /** The service by any of its names; those of the table of names are known without being declared. */
  service(type: ServiceType, algorithm: string, mode: ServiceMode = 'sync'): AnyService | undefined {
    const own = this.#index.get(`${type}.${nameKey(algorithm)}`)?.[mode];
    if (own !== undefined) return own;
    const row = resolveAlgorithm(type, algorithm);
    if (row === undefined) return undefined;
    for (const name of [row.name, ...row.aliases]) {
      const found = this.#index.get(`${type}.${nameKey(name)}`)?.[mode];
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Tests of itself, in a context; a provider without any gives an empty list. */
  selfTest(_context: ServiceContext): readonly SelfTestResult[] | Promise<readonly SelfTestResult[]> {
    return [];
  }

  /** The engine decision behind a curve, as data; undefined where there is none. */
  explainEngine(_context: ServiceContext, _curve: string): unknown {
    return undefined;
  }

  /** Called when the provider leaves a context: lets go of what it keeps for it. */
  detach(_context: ServiceContext): void {}

  toString(): string {
    return `${this.name} version ${this.version}`;
  }
}

/** A provider as data. Throws InvalidParameterError naming the field at fault. */
export function defineProvider(definition: ProviderDefinition): Provider {
  return new Provider(definition);
}

function requireText(value: unknown, field: string, where: string): asserts value is string {
  if (typeof value !== 'string' || value === '') {
    const got = value === '' ? 'an empty one' : kindOf(value);
    throw new InvalidParameterError(`${where}: ${field} must be a string with content, got ${got}.`);
  }
}

const FIELDS = new Set([
  'type',
  'algorithm',
  'mode',
  'aliases',
  'attributes',
  'importsPrivateKeys',
  'supportsKey',
  'supportsOptions',
  'newInstance',
]);

/** The service itself if it is complete, else with the defaults filled in. */
function checkedService(given: AnyService, where: string): AnyService {
  if (typeof given !== 'object' || given === null) {
    throw new InvalidParameterError(`${where} must be an object, got ${kindOf(given)}.`);
  }
  const raw = given as Partial<AnyService> & { readonly type: ServiceType };
  const fail = (field: string, what: string, value: unknown): never => {
    throw new InvalidParameterError(`${where}.${field} must be ${what}, got ${kindOf(value)}.`);
  };
  if (!SERVICE_TYPES.includes(raw.type)) {
    throw new InvalidParameterError(`${where}.type must be one of ${SERVICE_TYPES.join(', ')}.`);
  }
  requireText(raw.algorithm, 'algorithm', where);
  if (raw.algorithm.trim() !== raw.algorithm)
    throw new InvalidParameterError(`${where}.algorithm has spaces around it.`);
  if (raw.mode !== undefined && raw.mode !== 'sync' && raw.mode !== 'async')
    fail('mode', "'sync' or 'async'", raw.mode);
  if (raw.mode === 'async' && (raw.type === 'MessageDigest' || raw.type === 'AlgorithmParameters')) {
    throw new InvalidParameterError(`${where}.mode must be 'sync' for ${raw.type}.`);
  }
  if (raw.aliases !== undefined) {
    if (!Array.isArray(raw.aliases)) fail('aliases', 'an array of strings', raw.aliases);
    for (const [i, alias] of raw.aliases.entries()) requireText(alias, `aliases[${i}]`, where);
  }
  if (raw.attributes !== undefined) checkAttributes(raw.attributes, where);
  if (raw.importsPrivateKeys !== undefined && typeof raw.importsPrivateKeys !== 'boolean') {
    fail('importsPrivateKeys', 'true or false', raw.importsPrivateKeys);
  }
  for (const field of ['supportsKey', 'supportsOptions'] as const) {
    if (raw[field] !== undefined && typeof raw[field] !== 'function') fail(field, 'a function', raw[field]);
  }
  if (typeof raw.newInstance !== 'function') fail('newInstance', 'a function', raw.newInstance);
  const plain = Object.getPrototypeOf(raw) === Object.prototype;
  if (plain) {
    const unknown = Object.keys(raw).find((field) => !FIELDS.has(field));
    if (unknown !== undefined) throw new InvalidParameterError(`${where}.${unknown} is no field of a service.`);
  }
  const complete = [...FIELDS].every((field) => raw[field as keyof typeof raw] !== undefined);
  if (complete) return given;
  const attributes = raw.attributes ?? {};
  return Object.freeze({
    type: raw.type,
    algorithm: raw.algorithm,
    mode: raw.mode ?? 'sync',
    aliases: raw.aliases ?? [],
    attributes,
    importsPrivateKeys: raw.importsPrivateKeys ?? false,
    supportsKey:
      raw.supportsKey === undefined ? (key: Key) => attributesAllow(attributes, key) : given.supportsKey.bind(given),
    supportsOptions: raw.supportsOptions === undefined ? refuseOptions : given.supportsOptions.bind(given),
    newInstance: given.newInstance.bind(given),
  } as AnyService);
}

function checkAttributes(attributes: unknown, where: string): void {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    throw new InvalidParameterError(`${where}.attributes must be an object, got ${kindOf(attributes)}.`);
  }
  const lists = new Set(['SupportedKeyClasses', 'SupportedKeyFormats', 'SupportedCurves']);
  for (const [name, value] of Object.entries(attributes)) {
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
    const fits = lists.has(name)
      ? isList
      : name === 'KeySize'
        ? typeof value === 'number' && value > 0
        : value === undefined || isList || ['string', 'number', 'boolean'].includes(typeof value);
    if (!fits) throw new InvalidParameterError(`${where}.attributes.${name} has a value of the wrong type.`);
  }
}

/** The key against the attributes: what a service that has no `supportsKey` of its own answers. */
export function attributesAllow(attributes: ServiceAttributes, key: Key): true | string {
  const { SupportedKeyClasses: classes, SupportedCurves: curves, KeySize: size } = attributes;
  const formats = attributes.SupportedKeyFormats;
  const isClass = classes?.some((name) => foldName(name) === foldName(key.algorithm) || name === key.constructor.name);
  const isFormat = key.format !== undefined && formats?.includes(key.format);
  if ((classes !== undefined || formats !== undefined) && !isClass && !(classes === undefined && isFormat)) {
    return `it takes keys of ${(classes ?? formats ?? []).join(', ')}, not this ${key.toString()}`;
  }
  if (curves !== undefined && key.curve !== undefined) {
    const curve = resolveCurveName(key.curve) ?? key.curve;
    if (!curves.some((name) => (resolveCurveName(name) ?? name) === curve)) return `it has no curve ${key.curve}`;
  }
  if (size !== undefined && key.size !== undefined && key.size > size) return `it takes keys up to ${size} bits`;
  return true;
}

/** What a service answers that says nothing about options: none can be promised. */
export function refuseOptions(options: RequestedOptions): true | string {
  if (options.use === 'generate') return options.random === undefined ? true : 'it takes no random source';
  const names = Object.entries(options)
    .filter(([name, value]) => name !== 'use' && value !== undefined)
    .map(([name]) => name);
  return names.length === 0 ? true : `it takes no option ${names.join(', ')}`;
}

function indexOf(services: readonly AnyService[], where: string): ReadonlyMap<string, Offered> {
  const index = new Map<string, Offered>();
  for (const [i, service] of services.entries()) {
    const keys = new Set([service.algorithm, ...service.aliases].map(nameKey));
    for (const key of keys) {
      const full = `${service.type}.${key}`;
      const offered = index.get(full) ?? { sync: undefined, async: undefined };
      if (offered[service.mode] !== undefined) {
        const field = key === nameKey(service.algorithm) ? 'algorithm' : 'aliases';
        throw new InvalidParameterError(
          `${where}: services[${i}].${field}: there is already a ${service.mode} ${service.type} called ${key}.`,
        );
      }
      offered[service.mode] = service;
      index.set(full, offered);
    }
  }
  return index;
}
