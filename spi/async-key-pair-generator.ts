// The façade AsyncKeyPairGenerator: as KeyPairGenerator, with providers of both modes.

import { type Abortable, CallQueue, requireSignalOnly, type StillWanted } from './async-queue.ts';
import { asProviumError } from './checks.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import { checkedKeyPair, generationWish } from './key-pair-generator.ts';
import type { KeyPair } from './keys.ts';
import type { KeyPairAlgorithm, Open } from './names.ts';
import type { Provider } from './provider.ts';
import {
  type Bound,
  type Candidates,
  considerAsync,
  Failures,
  type GenerationParameters,
  Refusal,
  selectAsync,
  type Wish,
} from './selection.ts';
import type { KeyGenerationOptions, KeyPairGeneratorSpi } from './service.ts';

type AnyGeneratorSpi = KeyPairGeneratorSpi<'async'>;

/** Calls are queued in call order. */
export class AsyncKeyPairGenerator {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  readonly #queue = new CallQueue();
  #bound: Bound<AnyGeneratorSpi> | undefined;
  #wish: Wish | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Binds no provider yet. Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<KeyPairAlgorithm>, from?: From): AsyncKeyPairGenerator {
    const context = contextOf(from);
    const candidates = context.candidates('KeyPairGenerator', algorithm, from, 'async');
    return new AsyncKeyPairGenerator(algorithm, context, candidates);
  }

  /** The provider that serves; undefined until an init has succeeded. */
  get provider(): Provider | undefined {
    return this.#bound?.offer.provider;
  }

  /** Goes on to the next provider where one does not support what is asked, not where it fails at run time. */
  initialize(parameters?: GenerationParameters, options?: KeyGenerationOptions & Abortable): Promise<this> {
    const kept = typeof options === 'object' && options !== null ? { ...options } : options;
    return this.#queue.run(
      async (stillWanted) => {
        await this.#initialize(parameters, kept, stillWanted);
        return this;
      },
      kept,
      () => this.#unbind(),
    );
  }

  async #initialize(
    parameters: GenerationParameters,
    options: KeyGenerationOptions | undefined,
    stillWanted: StillWanted,
  ): Promise<void> {
    this.#unbind();
    const selection = this.#context.selection;
    const wish = generationWish(this.algorithm, parameters, options, selection.policy, ['signal']);
    const bound = await selectAsync<AnyGeneratorSpi>(this.#candidates, wish, selection);
    stillWanted();
    this.#bound = bound;
    this.#wish = wish;
  }

  /** A fresh pair at every call. */
  generateKeyPair(options?: Abortable): Promise<KeyPair> {
    return this.#queue.run(
      async (stillWanted) => {
        requireSignalOnly(options);
        if (this.#bound === undefined) await this.#initialize(undefined, undefined, stillWanted);
        const bound = this.#bound as Bound<AnyGeneratorSpi>;
        const wish = this.#wish as Wish;
        const selection = this.#context.selection;
        try {
          return checkedKeyPair(await bound.spi.generateKeyPair(), bound, wish, selection.policy);
        } catch (error) {
          if (selection.failover === 'always') {
            stillWanted();
            return this.#goOn(bound, wish, error, stillWanted);
          }
          throw asProviumError(error, bound.offer.provider.name, 'generateKeyPair');
        }
      },
      options,
      () => {},
    );
  }

  /** `failover: 'always'`: the candidates behind the one that failed. */
  async #goOn(failed: Bound<AnyGeneratorSpi>, wish: Wish, error: unknown, stillWanted: StillWanted): Promise<KeyPair> {
    const selection = this.#context.selection;
    const failures = new Failures();
    failures.addError(failed.offer, error, 'generateKeyPair');
    const offers = this.#candidates.all;
    for (const offer of offers.slice(offers.indexOf(failed.offer) + 1)) {
      const bound = await considerAsync<AnyGeneratorSpi>(offer, wish, selection);
      stillWanted();
      if (bound instanceof Refusal) {
        failures.add(offer, bound);
        continue;
      }
      try {
        const pair = checkedKeyPair(await bound.spi.generateKeyPair(), bound, wish, selection.policy);
        stillWanted();
        this.#bound = bound;
        return pair;
      } catch (next) {
        failures.addError(offer, next, 'generateKeyPair');
      }
    }
    throw failures.toError(`KeyPairGenerator ${this.algorithm}`);
  }

  toString(): string {
    const state = this.#bound === undefined ? 'not initialized' : 'initialized';
    return `AsyncKeyPairGenerator object: ${this.algorithm}<${state}>`;
  }

  #unbind(): void {
    this.#bound = undefined;
    this.#wish = undefined;
  }
}
