// The façade KeyFactory.

import { defusePromise, kindOf } from './checks.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import { openSpec, sealSpec } from './encrypted-keys.ts';
import { IllegalStateError, InvalidKeySpecError, InvalidParameterError, ProviderError } from './errors.ts';
import {
  EncryptedPKCS8KeySpec,
  KeySpec,
  type KeySpecClass,
  PassphraseEncryption,
  PKCS8EncodedKeySpec,
  UriKeySpec,
} from './key-specs.ts';
import { Key, type PrivateKey, type PublicKey } from './keys.ts';
import type { KeyPairAlgorithm, Open } from './names.ts';
import type { AlgorithmPolicy } from './policy.ts';
import type { Provider } from './provider.ts';
import { type Candidates, Failures, instanceOf, keyFor, keyRefusal, type Offer, Refusal } from './selection.ts';
import type { KeyFactorySpi } from './service.ts';
import type { PrivateKeyInput, PublicKeyInput } from './signature.ts';
import { adoptKey, bindLifetime, ownerOf, requireKey, routeOf } from './translation.ts';

/** A key of the declared kind that the policy allows, owned by its provider. */
export function checkedKey(
  value: unknown,
  kind: Key['kind'],
  { provider, service }: Offer,
  policy: AlgorithmPolicy,
): Key {
  if (!(value instanceof Key) || value.kind !== kind) {
    const got = value instanceof Key ? `a ${value.kind} key` : kindOf(value);
    throw new ProviderError(`The provider ${provider.name} gave ${got} where a ${kind} key must be.`);
  }
  try {
    policy.assertUse('import', 'KeyFactory', service.algorithm, value);
  } catch (error) {
    // A key object that the provider keeps is not ours to destroy.
    if (ownerOf(value) === undefined) value.destroy();
    throw error;
  }
  return adoptKey(value, provider);
}

/** What `getKeySpec` must give. */
export function checkedSpec<S extends KeySpec>(value: unknown, kind: KeySpecClass<S>, { provider }: Offer): S {
  if (value instanceof kind) return value;
  throw new ProviderError(`The provider ${provider.name} gave ${kindOf(value)} where a ${kind.name} must be.`);
}

export function requireSpec(spec: unknown): asserts spec is KeySpec {
  if (!(spec instanceof KeySpec)) throw new InvalidKeySpecError(`A KeySpec is needed, got ${kindOf(spec)}.`);
}

export function requireSpecClass(kind: unknown): void {
  if (kind === EncryptedPKCS8KeySpec) {
    throw new InvalidParameterError('An encrypted key needs its passphrase: ask for new PassphraseEncryption(…).');
  }
  if (typeof kind !== 'function' || !(kind.prototype instanceof KeySpec)) {
    throw new InvalidParameterError(`A class of KeySpec is needed, got ${kindOf(kind)}.`);
  }
}

/** Why the key may not be handed to the candidate at all; undefined if it may. */
export function translationRefusal(key: Key, offer: Offer): Refusal | undefined {
  const route = routeOf(key, offer.provider, offer.service.importsPrivateKeys);
  return route.how === 'refused' ? new Refusal('ERR_INVALID_KEY', route.reason, true) : undefined;
}

/** Makes keys of what describes them, and the other way round. Every call goes through the candidates in order. */
export class KeyFactory {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  #provider: Provider | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<KeyPairAlgorithm>, from?: From): KeyFactory {
    const context = contextOf(from);
    return new KeyFactory(algorithm, context, context.candidates('KeyFactory', algorithm, from, 'sync'));
  }

  /** The provider that served last; undefined before. */
  get provider(): Provider | undefined {
    return this.#provider;
  }

  /** Throws InvalidKeySpecError. */
  generatePublic(spec: KeySpec): PublicKey {
    return this.#generate(spec, 'public') as PublicKey;
  }

  /** Throws InvalidKeySpecError. */
  generatePrivate(spec: KeySpec): PrivateKey {
    return this.#generate(spec, 'private') as PrivateKey;
  }

  #generate(spec: KeySpec, kind: Key['kind']): Key {
    requireSpec(spec);
    if (spec instanceof UriKeySpec) throw new IllegalStateError('A key URI is taken by AsyncKeyFactory only.');
    const { policy } = this.#context.selection;
    const opened = openSpec(spec);
    try {
      return this.#first(`generate a ${kind} key`, (offer, factory) => {
        const key: unknown =
          kind === 'public' ? factory.generatePublic(opened.spec) : factory.generatePrivate(opened.spec);
        defusePromise(key);
        return checkedKey(key, kind, offer, policy);
      });
    } finally {
      opened.wipe();
    }
  }

  /** Throws InvalidKeySpecError where the key has no such form, and where it cannot leave its provider. */
  getKeySpec<S extends KeySpec>(key: PublicKeyInput | PrivateKeyInput, kind: KeySpecClass<S>): S;
  /** A private key encrypted under a passphrase, which needs node:crypto. Throws InvalidKeySpecError. */
  getKeySpec(key: PrivateKeyInput, encryption: PassphraseEncryption): EncryptedPKCS8KeySpec;
  getKeySpec(key: PublicKeyInput | PrivateKeyInput, kind: KeySpecClass | PassphraseEncryption): KeySpec {
    return kind instanceof PassphraseEncryption
      ? sealSpec(this.#describe(key, PKCS8EncodedKeySpec), kind)
      : this.#describe(key, kind);
  }

  #describe<S extends KeySpec>(key: PublicKeyInput | PrivateKeyInput, kind: KeySpecClass<S>): S {
    requireSpecClass(kind);
    const own = requireKey(key, undefined);
    return this.#first('describe a key', (offer, factory) => {
      const refusal = keyRefusal(offer, own) ?? keyFor(offer, own, this.#context.selection);
      if (refusal instanceof Refusal) return refusal;
      const spec: unknown = factory.getKeySpec(refusal, kind);
      defusePromise(spec);
      return checkedSpec(spec, kind, offer);
    });
  }

  /** A key of the provider with the same value. Throws InvalidKeyError. */
  translateKey(key: PrivateKeyInput): PrivateKey;
  translateKey(key: PublicKeyInput): PublicKey;
  translateKey(key: PublicKeyInput | PrivateKeyInput): Key {
    const given = requireKey(key, undefined);
    const { policy } = this.#context.selection;
    return this.#first('translate a key', (offer, factory) => {
      const refusal = keyRefusal(offer, given) ?? translationRefusal(given, offer);
      if (refusal !== undefined) return refusal;
      const translated: unknown = factory.translateKey(given);
      defusePromise(translated);
      const checked = checkedKey(translated, given.kind, offer, policy);
      bindLifetime(given, checked);
      return checked;
    });
  }

  #first<T>(what: string, attempt: (offer: Offer, factory: KeyFactorySpi) => T | Refusal): T {
    const { services } = this.#context.selection;
    const failures = new Failures();
    for (const offer of this.#candidates.sync) {
      try {
        const result = attempt(offer, instanceOf<KeyFactorySpi>(offer, services));
        if (!(result instanceof Refusal)) {
          this.#provider = offer.provider;
          return result;
        }
        failures.add(offer, result);
      } catch (error) {
        failures.addError(offer, error, what);
      }
    }
    throw failures.toError(`KeyFactory ${this.algorithm}, ${what}`);
  }

  toString(): string {
    return `KeyFactory object: ${this.algorithm}`;
  }
}
