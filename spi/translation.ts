// Which provider a key belongs to, and how it gets to another one: through that one's KeyFactory, once.

import { asProviumError, defusePromise, kindOf } from './checks.ts';
import { InvalidKeyError, ProviderError } from './errors.ts';
import {
  CryptoKeyPrivateKey,
  CryptoKeyPublicKey,
  isCryptoKey,
  isKeyObject,
  KeyObjectPrivateKey,
  KeyObjectPublicKey,
  wrapCryptoKey,
  wrapKeyObject,
} from './foreign-keys.ts';
import { Key } from './keys.ts';
import type { AlgorithmPolicy } from './policy.ts';
import type { Provider } from './provider.ts';
import type { AnyService, KeyFactorySpi, ServiceContext, ServiceMode } from './service.ts';

/** What translation needs of a context. */
export interface TranslationContext {
  readonly services: ServiceContext;
  readonly policy: AlgorithmPolicy;
}

const owners = new WeakMap<Key, Provider>();
/** Of one context, whose services and policy made them. */
const translations = new WeakMap<Key, WeakMap<ServiceContext, WeakMap<Provider, Key>>>();

/** Remembers which provider made a key. */
export function adoptKey<K extends Key>(key: K, provider: Provider): K {
  if (!owners.has(key)) owners.set(key, provider);
  return key;
}

export function ownerOf(key: Key): Provider | undefined {
  return owners.get(key);
}

function wrongKind(key: Key, kind: Key['kind']): InvalidKeyError {
  return new InvalidKeyError(`A ${kind} key is needed, got ${key.toString()}.`);
}

/** The argument as a usable key of this kind. Throws InvalidKeyError, KeyDestroyedError. */
export function requireKey(value: unknown, kind: Key['kind'] | undefined): Key {
  const key = value instanceof Key ? value : isKeyObject(value) ? wrapKeyObject(value) : undefined;
  if (key === undefined) {
    const hint = isCryptoKey(value) ? ' A CryptoKey is taken by the asynchronous façades only.' : '';
    throw new InvalidKeyError(`A key must be a Key or a KeyObject, got ${kindOf(value)}.${hint}`);
  }
  if (kind !== undefined && key.kind !== kind) throw wrongKind(key, kind);
  key.assertUsable();
  return key;
}

/** As requireKey, and a CryptoKey is taken too. */
export async function requireKeyAsync(value: unknown, kind: Key['kind'] | undefined): Promise<Key> {
  return requireKey(!(value instanceof Key) && isCryptoKey(value) ? await wrapCryptoKey(value) : value, kind);
}

function isPlatformKey(key: Key): boolean {
  return (
    key instanceof KeyObjectPublicKey ||
    key instanceof KeyObjectPrivateKey ||
    key instanceof CryptoKeyPublicKey ||
    key instanceof CryptoKeyPrivateKey
  );
}

/** The KeyFactory of a provider for such keys. */
function factoryFor(provider: Provider, key: Key, mode: ServiceMode): AnyService | undefined {
  return (
    provider.service('KeyFactory', key.algorithm, mode) ??
    (key.curve === undefined ? undefined : provider.service('KeyFactory', key.curve, mode))
  );
}

export type Route = { readonly how: 'direct' | 'translate' } | { readonly how: 'refused'; readonly reason: string };
const DIRECT: Route = { how: 'direct' };
const TRANSLATE: Route = { how: 'translate' };

/** How the key reaches a service; private keys leave their provider only for services that say they import them. */
export function routeOf(key: Key, provider: Provider, importsPrivateKeys: boolean): Route {
  const owner = owners.get(key);
  if (owner === provider) return DIRECT;
  const mayImport = key.kind === 'public' || importsPrivateKeys;
  if (owner === undefined && !isPlatformKey(key)) return key.format !== undefined && mayImport ? TRANSLATE : DIRECT;
  // A platform key that cannot be exported is opaque: a service that knows its kind may still take it.
  if (key.format === undefined && owner !== undefined) {
    return { how: 'refused', reason: `the key cannot leave the provider ${owner.name}` };
  }
  if (!mayImport) return { how: 'refused', reason: 'it does not import private keys' };
  return key.format === undefined ? DIRECT : TRANSLATE;
}

function cached(key: Key, provider: Provider, { services }: TranslationContext): Key | undefined {
  const known = translations.get(key)?.get(services)?.get(provider);
  return known?.destroyed ? undefined : known;
}

function checkedTranslation(result: unknown, key: Key, provider: Provider): Key {
  if (result instanceof Key && result.kind === key.kind) return adoptKey(result, provider);
  const got = result instanceof Key ? result.toString() : kindOf(result);
  throw new ProviderError(`The provider ${provider.name} translated a ${key.kind} key into ${got}.`);
}

function remember(key: Key, provider: Provider, translated: Key, { services }: TranslationContext): void {
  let perContext = translations.get(key);
  if (perContext === undefined) {
    perContext = new WeakMap();
    translations.set(key, perContext);
  }
  let perProvider = perContext.get(services);
  if (perProvider === undefined) {
    perProvider = new WeakMap();
    perContext.set(services, perProvider);
  }
  perProvider.set(provider, translated);
  bindLifetime(key, translated);
}

/** Destroying the original destroys what was made of it. */
export function bindLifetime(key: Key, translated: Key): void {
  if (translated !== key) key.onDestroy(() => translated.destroy());
}

/** The key of this provider with the same value; the key itself where the provider has no KeyFactory for it. */
export function translateKey(key: Key, provider: Provider, context: TranslationContext): Key {
  const known = cached(key, provider, context);
  if (known !== undefined) return known;
  const service = factoryFor(provider, key, 'sync');
  if (service?.type !== 'KeyFactory' || service.mode !== 'sync') return key;
  context.policy.assertUse('import', 'KeyFactory', service.algorithm, key);
  let result: unknown;
  try {
    const factory: unknown = service.newInstance(context.services);
    defusePromise(factory);
    result = (factory as KeyFactorySpi).translateKey(key);
  } catch (error) {
    throw asProviumError(error, provider.name, 'translating a key');
  }
  defusePromise(result);
  const translated = checkedTranslation(result, key, provider);
  remember(key, provider, translated, context);
  return translated;
}

/** As translateKey, by a synchronous or an asynchronous KeyFactory. */
export async function translateKeyAsync(key: Key, provider: Provider, context: TranslationContext): Promise<Key> {
  const known = cached(key, provider, context);
  if (known !== undefined) return known;
  const service = factoryFor(provider, key, 'async') ?? factoryFor(provider, key, 'sync');
  if (service?.type !== 'KeyFactory') return key;
  context.policy.assertUse('import', 'KeyFactory', service.algorithm, key);
  let result: unknown;
  try {
    const factory = await service.newInstance(context.services);
    result = await factory.translateKey(key);
  } catch (error) {
    throw asProviumError(error, provider.name, 'translating a key');
  }
  const translated = checkedTranslation(result, key, provider);
  remember(key, provider, translated, context);
  return translated;
}
