// The façade Signature.

import {
  asProviumError,
  checkedBoolean,
  checkedBytes,
  defusePromise,
  feed,
  kindOf,
  requireBytes,
  requireDone,
} from './checks.ts';
import {
  contextOf,
  contextOfCall,
  FROM_OPTIONS,
  type From,
  type FromOptions,
  type SecurityContext,
} from './context.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidParameterError, SignatureError } from './errors.ts';
import type { CryptoKeyLike, KeyObjectLike } from './foreign-keys.ts';
import { AlgorithmParameterSpec } from './key-specs.ts';
import type { Key, PrivateKey, PublicKey } from './keys.ts';
import type { Open, SignatureAlgorithm } from './names.ts';
import { explicitOptions } from './options.ts';
import type { Provider } from './provider.ts';
import { type Bound, begin, type Candidates, consider, Failures, Refusal, select, type Wish } from './selection.ts';
import type { SignatureSpi, SignOptions, VerifyOptions } from './service.ts';
import { signatureLength } from './signature-widths.ts';
import { requireKey } from './translation.ts';

/** A private key of this library or Node's. */
export type PrivateKeyInput = PrivateKey | KeyObjectLike;
export type PublicKeyInput = PublicKey | KeyObjectLike;
/** The asynchronous façades take WebCrypto's too. */
export type AsyncPrivateKeyInput = PrivateKeyInput | CryptoKeyLike;
export type AsyncPublicKeyInput = PublicKeyInput | CryptoKeyLike;

export type OneShotSignOptions = SignOptions & FromOptions;
export type OneShotVerifyOptions = VerifyOptions & FromOptions;

type SigningUse = 'sign' | 'verify';

const NO_OPTIONS = Object.freeze({});

/**
 * Signs and verifies. Reusable: after `sign` and `verify` it is as freshly initialised, also after an exception; after
 * a failed init it is not initialised.
 */
export class Signature {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  #parameters: AlgorithmParameterSpec | undefined;
  /** Undefined: not initialised. */
  #wish: Wish | undefined;
  #bound: Bound<SignatureSpi> | undefined;
  /** Undefined after a failure: then a fresh one is made at the next use. */
  #spi: SignatureSpi | undefined;
  #fed = false;
  /** A signature that did not fit into the target of `signInto`. */
  #waiting: Uint8Array | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Binds no provider yet. Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<SignatureAlgorithm>, from?: From): Signature {
    const context = contextOf(from);
    return new Signature(algorithm, context, context.candidates('Signature', algorithm, from, 'sync'));
  }

  /** Signs in one call; goes on to the next provider where one fails. */
  static sign(
    algorithm: Open<SignatureAlgorithm>,
    privateKey: PrivateKeyInput,
    data: Uint8Array,
    options?: OneShotSignOptions,
  ): Uint8Array {
    requireBytes(data, 'The data to sign');
    return oneShot(algorithm, 'sign', privateKey, options, (bound, wish) => {
      const { spi, key } = bound;
      const signing = (wish.options ?? NO_OPTIONS) as SignOptions;
      let result: unknown;
      if (spi.signOnce !== undefined) result = spi.signOnce(key as PrivateKey, data, signing);
      else {
        feed(spi, data, bound.offer.provider.name);
        result = spi.sign();
      }
      return checkedSignature(result, bound);
    }) as Uint8Array;
  }

  /** Verifies in one call; goes on to the next provider only where one fails, never after `false`. */
  static verify(
    algorithm: Open<SignatureAlgorithm>,
    publicKey: PublicKeyInput,
    data: Uint8Array,
    signature: Uint8Array,
    options?: OneShotVerifyOptions,
  ): boolean {
    requireBytes(data, 'The signed data');
    requireBytes(signature, 'The signature');
    return oneShot(algorithm, 'verify', publicKey, options, (bound, wish) => {
      const { spi, key, offer } = bound;
      const verifying = (wish.options ?? NO_OPTIONS) as VerifyOptions;
      let result: unknown;
      try {
        if (spi.verifyOnce !== undefined) result = spi.verifyOnce(key as PublicKey, data, signature, verifying);
        else {
          feed(spi, data, offer.provider.name);
          result = spi.verify(signature);
        }
      } catch (error) {
        if (error instanceof SignatureError) return false;
        throw error;
      }
      defusePromise(result);
      return checkedBoolean(result, offer.provider.name, 'a verification');
    }) as boolean;
  }

  /** The provider that serves; undefined until an init has succeeded. */
  get provider(): Provider | undefined {
    return this.#bound?.offer.provider;
  }

  /** Looks for the first provider that takes the key and the options. */
  initSign(privateKey: PrivateKeyInput, options?: SignOptions): this {
    return this.#init('sign', privateKey, options);
  }

  initVerify(publicKey: PublicKeyInput, options?: VerifyOptions): this {
    return this.#init('verify', publicKey, options);
  }

  #init(use: SigningUse, given: unknown, options: object | undefined): this {
    this.#clear();
    const key = requireKey(given, use === 'sign' ? 'private' : 'public');
    const explicit =
      options === undefined && this.#parameters === undefined
        ? undefined
        : explicitOptions(use, options, this.#parameters);
    const selection = this.#context.selection;
    selection.policy.assertUse(use, 'Signature', this.algorithm, key);
    const wish: Wish = { use, key, options: explicit, parameters: undefined };
    const bound = select<SignatureSpi>(this.#candidates, wish, selection);
    this.#wish = wish;
    this.#bound = bound;
    this.#spi = bound.spi;
    return this;
  }

  /** Remembered over inits; after an init it must suit the provider found, and no data may have been fed. */
  setParameter(parameters: AlgorithmParameterSpec | undefined): this {
    if (parameters !== undefined && !(parameters instanceof AlgorithmParameterSpec)) {
      throw new InvalidAlgorithmParameterError(
        `Parameters must be an AlgorithmParameterSpec, got ${kindOf(parameters)}.`,
      );
    }
    const wish = this.#wish;
    const bound = this.#bound;
    if (wish !== undefined && bound !== undefined) {
      if (this.#fed || this.#waiting !== undefined) {
        throw new IllegalStateError(`${this.algorithm}: parameters cannot change while data is being processed.`);
      }
      const use = wish.use as SigningUse;
      const changed: Wish = { ...wish, options: explicitOptions(use, { ...wish.options, parameters }, undefined) };
      const outcome = consider<SignatureSpi>(bound.offer, changed, this.#context.selection);
      if (outcome instanceof Refusal) {
        throw new InvalidAlgorithmParameterError(
          `${this.algorithm} of ${bound.offer.provider.name} does not take these parameters: ${outcome.reason}.`,
          { cause: outcome.error },
        );
      }
      this.#wish = changed;
      this.#bound = outcome;
      this.#spi = outcome.spi;
    }
    this.#parameters = parameters;
    return this;
  }

  /** Feeds data, which is not kept. */
  update(data: Uint8Array): this {
    if (!(data instanceof Uint8Array)) requireBytes(data, 'The data');
    const spi = this.#ready(undefined);
    if (this.#waiting !== undefined) {
      throw new IllegalStateError(`${this.algorithm}: a finished signature is waiting; take it by sign or signInto.`);
    }
    this.#fed = true;
    try {
      const result: unknown = spi.update(data);
      if (result !== undefined) requireDone(result, this.#providerName());
    } catch (error) {
      throw this.#failed(error, 'update');
    }
    return this;
  }

  /** The signature over all that was fed, as fresh bytes. Throws SignatureError, ProviderError, KeyDestroyedError. */
  sign(): Uint8Array {
    const spi = this.#ready('sign');
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      return waiting;
    }
    try {
      const result = checkedSignature(spi.sign(), this.#bound as Bound<SignatureSpi>);
      this.#fed = false;
      return result;
    } catch (error) {
      throw this.#failed(error, 'sign');
    }
  }

  /**
   * Writes the signature to the start of `target` and gives its length. Throws InvalidParameterError if it does not fit;
   * the signature then waits for a larger target.
   */
  signInto(target: Uint8Array): number {
    requireBytes(target, 'The target');
    const signature = this.sign();
    if (target.length < signature.length) {
      this.#waiting = signature;
      throw new InvalidParameterError(`The target has ${target.length} bytes, the signature ${signature.length}.`);
    }
    target.set(signature);
    return signature.length;
  }

  /** `false` for every bad signature, malformed ones included. */
  verify(signature: Uint8Array): boolean {
    if (!(signature instanceof Uint8Array)) requireBytes(signature, 'The signature');
    const spi = this.#ready('verify');
    try {
      const result = spi.verify(signature);
      if (result !== true && result !== false) {
        defusePromise(result);
        checkedBoolean(result, this.#providerName(), 'a verification');
      }
      this.#fed = false;
      return result;
    } catch (error) {
      const failure = this.#failed(error, 'verify');
      if (failure instanceof SignatureError) return false;
      throw failure;
    }
  }

  toString(): string {
    const use = this.#wish?.use;
    const state = use === undefined ? 'not initialized' : `initialized for ${use === 'sign' ? 'signing' : 'verifying'}`;
    return `Signature object: ${this.algorithm}<${state}>`;
  }

  #providerName(): string {
    return this.#bound?.offer.provider.name ?? 'none';
  }

  /** The instance, made anew after a failure. */
  #ready(use: SigningUse | undefined): SignatureSpi {
    const wish = this.#wish;
    if (wish === undefined || (use !== undefined && wish.use !== use)) throw this.#illegal(use);
    (wish.key as Key).assertUsable();
    return this.#spi ?? this.#renew(wish);
  }

  #illegal(use: SigningUse | undefined): IllegalStateError {
    const needed = use === 'sign' ? 'initSign' : use === 'verify' ? 'initVerify' : 'initSign or initVerify';
    return new IllegalStateError(`${this.algorithm} is not initialised for this: call ${needed} first.`);
  }

  #renew(wish: Wish): SignatureSpi {
    const { offer, key } = this.#bound as Bound<SignatureSpi>;
    try {
      this.#spi = begin(offer, wish, key, this.#context.selection) as SignatureSpi;
      return this.#spi;
    } catch (error) {
      throw asProviumError(error, offer.provider.name, 'its init');
    }
  }

  /** Back to the freshly initialised state. */
  #failed(error: unknown, what: string): Error {
    quietReset(this.#spi);
    this.#spi = undefined;
    this.#fed = false;
    return asProviumError(error, this.#providerName(), what);
  }

  #clear(): void {
    if (this.#fed) quietReset(this.#spi);
    this.#waiting?.fill(0);
    this.#waiting = undefined;
    this.#fed = false;
    this.#wish = undefined;
    this.#bound = undefined;
    this.#spi = undefined;
  }
}

/** Resets what will not be used again; its failures do not matter. */
export function quietReset(spi: { reset(): void } | undefined): void {
  try {
    defusePromise(spi?.reset());
  } catch {
    // The instance is thrown away.
  }
}

/** The result as signature bytes of an allowed length. */
export function checkedSignature(value: unknown, { offer, key }: Bound<unknown>): Uint8Array {
  if (!(value instanceof Uint8Array)) defusePromise(value);
  const length = signatureLength(offer.service.algorithm, key?.curve);
  // A copy: the provider may keep what it gave.
  return new Uint8Array(checkedBytes(value, offer.provider.name, 'a signature', length));
}

function oneShot(
  algorithm: string,
  use: SigningUse,
  givenKey: unknown,
  options: (FromOptions & object) | undefined,
  run: (bound: Bound<SignatureSpi>, wish: Wish) => unknown,
): unknown {
  const context = contextOfCall(options);
  const candidates = context.candidates('Signature', algorithm, options, 'sync');
  const key = requireKey(givenKey, use === 'sign' ? 'private' : 'public');
  const explicit = options === undefined ? undefined : explicitOptions(use, options, undefined, FROM_OPTIONS);
  const selection = context.selection;
  selection.policy.assertUse(use, 'Signature', algorithm, key);
  const wish: Wish = { use, key, options: explicit, parameters: undefined };
  const failures = new Failures();
  for (const offer of candidates.sync) {
    const bound = consider<SignatureSpi>(offer, wish, selection);
    if (bound instanceof Refusal) {
      failures.add(offer, bound);
      continue;
    }
    try {
      return run(bound, wish);
    } catch (error) {
      failures.addOperation(offer, error, use);
    }
  }
  throw failures.toError(`Signature ${algorithm}, ${use} with ${key.toString()}`);
}
