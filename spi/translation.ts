// Keys of one provider used by another: translated by the candidate's own KeyFactory, once per key and provider, and
// destroyed with the key they came from.

import { InvalidKeyError, ProviderError, ProviumError } from './errors.ts';
import { Key } from './keys.ts';
import type { Policy } from './policy.ts';
import type { Candidate } from './registry.ts';
import type { KeyFactorySpi, ServiceContext } from './service.ts';

const translations = new WeakMap<Key, WeakMap<object, Key>>();

/** Why the key cannot be handed to the candidate in translation; undefined if it can be tried. */
export function translationObstacle(candidate: Candidate, key: Key, mode: 'sync' | 'any'): string | undefined {
  if (key.format === undefined) return 'the key cannot leave its provider';
  if (key.kind === 'private' && !candidate.service.importsPrivateKeys) return 'does not import private keys of others';
  const { provider } = candidate;
  const factory =
    provider.service('KeyFactory', key.algorithm, 'sync') ??
    (mode === 'any' ? provider.service('KeyFactory', key.algorithm, 'async') : undefined);
  return factory === undefined ? `has no KeyFactory for ${key.algorithm} keys` : undefined;
}

function checked(translated: unknown, key: Key, candidate: Candidate, policy: Policy): Key {
  if (!(translated instanceof Key) || translated.kind !== key.kind) {
    throw new ProviderError(
      `The KeyFactory ${key.algorithm} of ${candidate.provider.name} gave something that is no ${key.kind} key.`,
    );
  }
  policy.checkKey('KeyFactory', key.algorithm, translated, 'import');
  if (translated !== key) {
    let perProvider = translations.get(key);
    if (perProvider === undefined) {
      perProvider = new WeakMap();
      translations.set(key, perProvider);
    }
    perProvider.set(candidate.provider, translated);
    key.onDestroy(() => translated.destroy());
  }
  return translated;
}

function cached(candidate: Candidate, key: Key): Key | undefined {
  const known = translations.get(key)?.get(candidate.provider);
  return known === undefined || known.destroyed ? undefined : known;
}

function failed(error: unknown, key: Key, candidate: Candidate): Error {
  if (error instanceof ProviumError) return error;
  return new InvalidKeyError(`${candidate.provider.name} could not translate the ${key.algorithm} key.`, {
    cause: error,
  });
}

/** The key as one of the candidate's provider. Throws InvalidKeyError and others. */
export function translateSync(candidate: Candidate, key: Key, context: ServiceContext, policy: Policy): Key {
  const known = cached(candidate, key);
  if (known !== undefined) return known;
  const service = candidate.provider.service('KeyFactory', key.algorithm, 'sync')!;
  try {
    const factory = service.newInstance(context) as KeyFactorySpi;
    return checked(factory.translateKey(key), key, candidate, policy);
  } catch (error) {
    throw failed(error, key, candidate);
  }
}

export async function translateAny(
  candidate: Candidate,
  key: Key,
  context: ServiceContext,
  policy: Policy,
): Promise<Key> {
  const known = cached(candidate, key);
  if (known !== undefined) return known;
  const { provider } = candidate;
  const service =
    provider.service('KeyFactory', key.algorithm, 'sync') ?? provider.service('KeyFactory', key.algorithm, 'async')!;
  try {
    const factory = service.newInstance(context) as KeyFactorySpi | KeyFactorySpi<'async'>;
    return checked(await factory.translateKey(key), key, candidate, policy);
  } catch (error) {
    throw failed(error, key, candidate);
  }
}
