// The façade AsyncKeyFactory: as KeyFactory, with providers of both modes, key URIs and CryptoKeys.

import { type Abortable, CallQueue, requireSignalOnly } from './async-queue.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import { openSpec, sealSpec } from './encrypted-keys.ts';
import { checkedKey, checkedSpec, requireSpec, requireSpecClass, translationRefusal } from './key-factory.ts';
import {
  type EncryptedPKCS8KeySpec,
  type KeySpec,
  type KeySpecClass,
  PassphraseEncryption,
  PKCS8EncodedKeySpec,
} from './key-specs.ts';
import type { Key, PrivateKey, PublicKey } from './keys.ts';
import type { KeyPairAlgorithm, Open } from './names.ts';
import type { Provider } from './provider.ts';
import { type Candidates, Failures, keyForAsync, keyRefusal, type Offer, Refusal } from './selection.ts';
import type { KeyFactorySpi } from './service.ts';
import type { AsyncPrivateKeyInput, AsyncPublicKeyInput } from './signature.ts';
import { bindLifetime, requireKeyAsync } from './translation.ts';

type AnyFactorySpi = KeyFactorySpi<'async'>;

/** Calls are queued in call order; every call goes through the candidates in order. */
export class AsyncKeyFactory {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  readonly #queue = new CallQueue();
  #provider: Provider | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<KeyPairAlgorithm>, from?: From): AsyncKeyFactory {
    const context = contextOf(from);
    return new AsyncKeyFactory(algorithm, context, context.candidates('KeyFactory', algorithm, from, 'async'));
  }

  /** The provider that served last; undefined before. */
  get provider(): Provider | undefined {
    return this.#provider;
  }

  /** Rejects with InvalidKeySpecError. */
  generatePublic(spec: KeySpec, options?: Abortable): Promise<PublicKey> {
    return this.#generate(spec, 'public', options) as Promise<PublicKey>;
  }

  /** Rejects with InvalidKeySpecError. */
  generatePrivate(spec: KeySpec, options?: Abortable): Promise<PrivateKey> {
    return this.#generate(spec, 'private', options) as Promise<PrivateKey>;
  }

  #generate(spec: KeySpec, kind: Key['kind'], options: Abortable | undefined): Promise<Key> {
    return this.#first(`generate a ${kind} key`, options, async () => {
      requireSpec(spec);
      const { policy } = this.#context.selection;
      return async (offer, factory) => {
        const opened = openSpec(spec);
        try {
          const made = kind === 'public' ? factory.generatePublic(opened.spec) : factory.generatePrivate(opened.spec);
          return checkedKey(await made, kind, offer, policy);
        } finally {
          opened.wipe();
        }
      };
    });
  }

  /** Rejects with InvalidKeySpecError where the key has no such form, and where it cannot leave its provider. */
  getKeySpec<S extends KeySpec>(
    key: AsyncPublicKeyInput | AsyncPrivateKeyInput,
    kind: KeySpecClass<S>,
    options?: Abortable,
  ): Promise<S>;
  /** A private key encrypted under a passphrase, which needs node:crypto. Rejects with InvalidKeySpecError. */
  getKeySpec(
    key: AsyncPrivateKeyInput,
    encryption: PassphraseEncryption,
    options?: Abortable,
  ): Promise<EncryptedPKCS8KeySpec>;
  async getKeySpec(
    key: AsyncPublicKeyInput | AsyncPrivateKeyInput,
    kind: KeySpecClass | PassphraseEncryption,
    options?: Abortable,
  ): Promise<KeySpec> {
    return kind instanceof PassphraseEncryption
      ? sealSpec(await this.#describe(key, PKCS8EncodedKeySpec, options), kind)
      : this.#describe(key, kind, options);
  }

  #describe<S extends KeySpec>(
    key: AsyncPublicKeyInput | AsyncPrivateKeyInput,
    kind: KeySpecClass<S>,
    options?: Abortable,
  ): Promise<S> {
    return this.#first('describe a key', options, async () => {
      requireSpecClass(kind);
      const given = await requireKeyAsync(key, undefined);
      return async (offer, factory) => {
        const own = keyRefusal(offer, given) ?? (await keyForAsync(offer, given, this.#context.selection));
        return own instanceof Refusal ? own : checkedSpec(await factory.getKeySpec(own, kind), kind, offer);
      };
    });
  }

  /** A key of the provider with the same value. Rejects with InvalidKeyError. */
  translateKey(key: AsyncPrivateKeyInput, options?: Abortable): Promise<PrivateKey>;
  translateKey(key: AsyncPublicKeyInput, options?: Abortable): Promise<PublicKey>;
  translateKey(key: AsyncPublicKeyInput | AsyncPrivateKeyInput, options?: Abortable): Promise<Key> {
    return this.#first('translate a key', options, async () => {
      const given = await requireKeyAsync(key, undefined);
      const { policy } = this.#context.selection;
      return async (offer, factory) => {
        const refusal = keyRefusal(offer, given) ?? translationRefusal(given, offer);
        if (refusal !== undefined) return refusal;
        const checked = checkedKey(await factory.translateKey(given), given.kind, offer, policy);
        bindLifetime(given, checked);
        return checked;
      };
    });
  }

  #first<T>(
    what: string,
    options: Abortable | undefined,
    prepare: () => Promise<(offer: Offer, factory: AnyFactorySpi) => Promise<T | Refusal>>,
  ): Promise<T> {
    return this.#queue.run(
      async () => {
        requireSignalOnly(options);
        const attempt = await prepare();
        const { services } = this.#context.selection;
        const failures = new Failures();
        for (const offer of this.#candidates.all) {
          try {
            const result = await attempt(offer, (await offer.service.newInstance(services)) as AnyFactorySpi);
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
      },
      options,
      () => {},
    );
  }

  toString(): string {
    return `AsyncKeyFactory object: ${this.algorithm}`;
  }
}
