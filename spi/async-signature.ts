// The façade AsyncSignature: as Signature, with providers of both modes.

import { type Abortable, CallQueue, requireSignalOnly, type StillWanted } from './async-queue.ts';
import { asProviumError, checkedBoolean, feed, kindOf, requireBytes } from './checks.ts';
import {
  contextOf,
  contextOfCall,
  FROM_OPTIONS,
  type From,
  type FromOptions,
  type SecurityContext,
} from './context.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidParameterError, SignatureError } from './errors.ts';
import { AlgorithmParameterSpec } from './key-specs.ts';
import type { PrivateKey, PublicKey } from './keys.ts';
import type { Open, SignatureAlgorithm } from './names.ts';
import { explicitOptions } from './options.ts';
import type { Provider } from './provider.ts';
import {
  type Bound,
  beginAsync,
  type Candidates,
  considerAsync,
  Failures,
  Refusal,
  selectAsync,
  type Wish,
} from './selection.ts';
import type { SignatureSpi, SignOptions, VerifyOptions } from './service.ts';
import {
  type AsyncPrivateKeyInput,
  type AsyncPublicKeyInput,
  checkedSignature,
  type OneShotSignOptions,
  type OneShotVerifyOptions,
  quietReset,
} from './signature.ts';
import { requireKeyAsync } from './translation.ts';

type SigningUse = 'sign' | 'verify';
/** Of either mode: what it gives is awaited. */
type AnySignatureSpi = SignatureSpi<'async'>;

const SIGNAL = ['signal'];
const NO_OPTIONS = Object.freeze({});

/**
 * `getInstance`, `setParameter` and `update` are synchronous, the rest give promises. Calls are queued in call order;
 * inputs are copied before a promise is given; a rejection leaves the object as freshly initialised.
 */
export class AsyncSignature {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  readonly #queue = new CallQueue();
  #parameters: AlgorithmParameterSpec | undefined;
  /** The use that the last init asked for, also while it waits: what `update` goes by. */
  #asked: SigningUse | undefined;
  #inits = 0;
  #wish: Wish | undefined;
  #bound: Bound<AnySignatureSpi> | undefined;
  #spi: AnySignatureSpi | undefined;
  /** Fed while a call was waiting or running. */
  #parts: Uint8Array[] = [];
  #waiting: Uint8Array | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Binds no provider yet. Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<SignatureAlgorithm>, from?: From): AsyncSignature {
    const context = contextOf(from);
    return new AsyncSignature(algorithm, context, context.candidates('Signature', algorithm, from, 'async'));
  }

  /** Signs in one call; goes on to the next provider where one fails. */
  static async sign(
    algorithm: Open<SignatureAlgorithm>,
    privateKey: AsyncPrivateKeyInput,
    data: Uint8Array,
    options?: OneShotSignOptions & Abortable,
  ): Promise<Uint8Array> {
    requireBytes(data, 'The data to sign');
    const message = Uint8Array.from(data);
    const kept = copyOf(options);
    return new CallQueue().run(
      (stillWanted) =>
        oneShot(algorithm, 'sign', privateKey, kept, stillWanted, (bound, wish) => signWith(bound, wish, message)),
      kept,
      () => {},
    );
  }

  /** Verifies in one call; goes on to the next provider only where one fails, never after `false`. */
  static async verify(
    algorithm: Open<SignatureAlgorithm>,
    publicKey: AsyncPublicKeyInput,
    data: Uint8Array,
    signature: Uint8Array,
    options?: OneShotVerifyOptions & Abortable,
  ): Promise<boolean> {
    requireBytes(data, 'The signed data');
    requireBytes(signature, 'The signature');
    const message = Uint8Array.from(data);
    const copy = Uint8Array.from(signature);
    const kept = copyOf(options);
    return new CallQueue().run(
      (stillWanted) =>
        oneShot(algorithm, 'verify', publicKey, kept, stillWanted, (bound, wish) =>
          verifyWith(bound, wish, message, copy),
        ),
      kept,
      () => {},
    );
  }

  /** The provider that serves; undefined until an init has succeeded. */
  get provider(): Provider | undefined {
    return this.#bound?.offer.provider;
  }

  /** Looks for the first provider that takes the key and the options. */
  initSign(privateKey: AsyncPrivateKeyInput, options?: SignOptions & Abortable): Promise<this> {
    return this.#init('sign', privateKey, options);
  }

  initVerify(publicKey: AsyncPublicKeyInput, options?: VerifyOptions & Abortable): Promise<this> {
    return this.#init('verify', publicKey, options);
  }

  #init(use: SigningUse, given: unknown, options: (Abortable & object) | undefined): Promise<this> {
    const init = ++this.#inits;
    this.#asked = use;
    this.#parts = [];
    const parameters = this.#parameters;
    // The caller may change its object once it has the promise.
    const kept = typeof options === 'object' && options !== null ? { ...options } : options;
    return this.#queue.run(
      async (stillWanted) => {
        this.#unbind();
        const key = await requireKeyAsync(given, use === 'sign' ? 'private' : 'public');
        const selection = this.#context.selection;
        selection.policy.assertUse(use, 'Signature', this.algorithm, key);
        const wish: Wish = { use, key, options: explicitOptions(use, kept, parameters, SIGNAL), parameters: undefined };
        const bound = await selectAsync<AnySignatureSpi>(this.#candidates, wish, selection);
        stillWanted();
        this.#wish = wish;
        this.#bound = bound;
        this.#spi = bound.spi;
        return this;
      },
      kept,
      () => {
        this.#unbind();
        if (this.#inits !== init) return;
        this.#asked = undefined;
        this.#parts = [];
      },
    );
  }

  /** Remembered; counts from the next init on. */
  setParameter(parameters: AlgorithmParameterSpec | undefined): this {
    if (parameters !== undefined && !(parameters instanceof AlgorithmParameterSpec)) {
      throw new InvalidAlgorithmParameterError(
        `Parameters must be an AlgorithmParameterSpec, got ${kindOf(parameters)}.`,
      );
    }
    if (this.#asked !== undefined) {
      throw new IllegalStateError(
        `${this.algorithm}: set parameters before the init, or hand them to it as an option.`,
      );
    }
    this.#parameters = parameters;
    return this;
  }

  /** Feeds data, which is not kept. */
  update(data: Uint8Array): this {
    requireBytes(data, 'The data');
    if (this.#asked === undefined) throw this.#illegal(undefined);
    if (this.#waiting !== undefined) {
      throw new IllegalStateError(`${this.algorithm}: a finished signature is waiting; take it by sign or signInto.`);
    }
    if (!this.#queue.isIdle || this.#spi === undefined) {
      this.#parts.push(Uint8Array.from(data));
      return this;
    }
    this.#wish?.key?.assertUsable();
    try {
      const provider = this.#providerName();
      for (const part of this.#parts.splice(0)) feed(this.#spi, part, provider);
      feed(this.#spi, data, provider);
    } catch (error) {
      this.#recover();
      throw asProviumError(error, this.#providerName(), 'update');
    }
    return this;
  }

  /** The signature over all that was fed, as fresh bytes. */
  sign(options?: Abortable): Promise<Uint8Array> {
    return this.#finish('sign', options, async (spi, bound) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      return waiting ?? checkedSignature(await spi.sign(), bound);
    });
  }

  /** Writes the signature to the start of `target`; rejects with InvalidParameterError if it does not fit. */
  signInto(target: Uint8Array, options?: Abortable): Promise<number> {
    return this.#finish('sign', options, async (spi, bound, stillWanted) => {
      requireBytes(target, 'The target');
      const signature = this.#waiting ?? checkedSignature(await spi.sign(), bound);
      stillWanted();
      this.#waiting = undefined;
      if (target.length < signature.length) {
        this.#waiting = signature;
        throw new InvalidParameterError(`The target has ${target.length} bytes, the signature ${signature.length}.`);
      }
      target.set(signature);
      return signature.length;
    });
  }

  /** `false` for every bad signature, malformed ones included. */
  verify(signature: Uint8Array, options?: Abortable): Promise<boolean> {
    let copy: Uint8Array;
    try {
      requireBytes(signature, 'The signature');
      copy = Uint8Array.from(signature);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#finish('verify', options, async (spi, bound, stillWanted) => {
      try {
        return checkedBoolean(await spi.verify(copy), bound.offer.provider.name, 'a verification');
      } catch (error) {
        if (!(error instanceof SignatureError)) throw error;
        stillWanted();
        this.#recover();
        return false;
      }
    });
  }

  /** Feeds what waits, then runs the last step. */
  #finish<T>(
    use: SigningUse,
    options: Abortable | undefined,
    last: (spi: AnySignatureSpi, bound: Bound<AnySignatureSpi>, stillWanted: StillWanted) => Promise<T>,
  ): Promise<T> {
    const parts = this.#parts;
    this.#parts = [];
    return this.#queue.run(
      async (stillWanted) => {
        requireSignalOnly(options);
        const wish = this.#wish;
        const bound = this.#bound;
        if (wish === undefined || bound === undefined || wish.use !== use) throw this.#illegal(use);
        wish.key?.assertUsable();
        try {
          const spi = this.#spi ?? (await this.#renew(wish, bound, stillWanted));
          for (const part of parts) feed(spi, part, bound.offer.provider.name);
          return await last(spi, bound, stillWanted);
        } catch (error) {
          throw asProviumError(error, bound.offer.provider.name, use);
        }
      },
      options,
      () => this.#recover(),
    );
  }

  async #renew(wish: Wish, bound: Bound<AnySignatureSpi>, stillWanted: StillWanted): Promise<AnySignatureSpi> {
    const spi = (await beginAsync(bound.offer, wish, bound.key, this.#context.selection)) as AnySignatureSpi;
    stillWanted();
    this.#spi = spi;
    return spi;
  }

  toString(): string {
    const use = this.#wish?.use;
    const state = use === undefined ? 'not initialized' : `initialized for ${use === 'sign' ? 'signing' : 'verifying'}`;
    return `AsyncSignature object: ${this.algorithm}<${state}>`;
  }

  #providerName(): string {
    return this.#bound?.offer.provider.name ?? 'none';
  }

  #illegal(use: SigningUse | undefined): IllegalStateError {
    const needed = use === 'sign' ? 'initSign' : use === 'verify' ? 'initVerify' : 'initSign or initVerify';
    return new IllegalStateError(`${this.algorithm} is not initialised for this: call ${needed} first.`);
  }

  /** The instance is not used again; a fresh one is made at the next use. */
  #recover(): void {
    quietReset(this.#spi as SignatureSpi | undefined);
    this.#spi = undefined;
  }

  #unbind(): void {
    this.#recover();
    this.#waiting?.fill(0);
    this.#waiting = undefined;
    this.#wish = undefined;
    this.#bound = undefined;
  }
}

/** The caller may change its object once it has the promise. */
function copyOf<T>(options: T): T {
  return typeof options === 'object' && options !== null ? { ...options } : options;
}

async function signWith(bound: Bound<AnySignatureSpi>, wish: Wish, data: Uint8Array): Promise<Uint8Array> {
  const { spi, key } = bound;
  if (spi.signOnce !== undefined) {
    return checkedSignature(
      await spi.signOnce(key as PrivateKey, data, (wish.options ?? NO_OPTIONS) as SignOptions),
      bound,
    );
  }
  feed(spi, data, bound.offer.provider.name);
  return checkedSignature(await spi.sign(), bound);
}

async function verifyWith(
  bound: Bound<AnySignatureSpi>,
  wish: Wish,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { spi, key, offer } = bound;
  let result: unknown;
  try {
    if (spi.verifyOnce !== undefined) {
      result = await spi.verifyOnce(key as PublicKey, data, signature, (wish.options ?? NO_OPTIONS) as VerifyOptions);
    } else {
      feed(spi, data, offer.provider.name);
      result = await spi.verify(signature);
    }
  } catch (error) {
    if (error instanceof SignatureError) return false;
    throw error;
  }
  return checkedBoolean(result, offer.provider.name, 'a verification');
}

async function oneShot<T>(
  algorithm: string,
  use: SigningUse,
  givenKey: unknown,
  options: (FromOptions & object) | undefined,
  stillWanted: StillWanted,
  run: (bound: Bound<AnySignatureSpi>, wish: Wish) => Promise<T>,
): Promise<T> {
  const context = contextOfCall(options);
  const candidates = context.candidates('Signature', algorithm, options, 'async');
  const explicit = explicitOptions(use, options, undefined, [...FROM_OPTIONS, ...SIGNAL]);
  const key = await requireKeyAsync(givenKey, use === 'sign' ? 'private' : 'public');
  const selection = context.selection;
  selection.policy.assertUse(use, 'Signature', algorithm, key);
  const wish: Wish = { use, key, options: explicit, parameters: undefined };
  const failures = new Failures();
  for (const offer of candidates.all) {
    const bound = await considerAsync<AnySignatureSpi>(offer, wish, selection);
    stillWanted();
    if (bound instanceof Refusal) {
      failures.add(offer, bound);
      continue;
    }
    try {
      return await run(bound, wish);
    } catch (error) {
      stillWanted();
      failures.addOperation(offer, error, use);
    }
  }
  throw failures.toError(`Signature ${algorithm}, ${use} with ${key.toString()}`);
}
