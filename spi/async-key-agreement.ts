// The façade AsyncKeyAgreement: as KeyAgreement, with providers of both modes.

import { type Abortable, CallQueue, requireSignalOnly, type StillWanted } from './async-queue.ts';
import { asProviumError, checkedBytes } from './checks.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import { IllegalStateError } from './errors.ts';
import { requireSameCurve } from './key-agreement.ts';
import type { PublicKey } from './keys.ts';
import type { KeyAgreementAlgorithm, Open } from './names.ts';
import { explicitOptions } from './options.ts';
import type { Provider } from './provider.ts';
import {
  type Bound,
  beginAsync,
  type Candidates,
  Failures,
  keyForAsync,
  keyRefusal,
  Refusal,
  selectAsync,
  type Wish,
} from './selection.ts';
import type { AgreementOptions, KeyAgreementSpi } from './service.ts';
import { type AsyncPrivateKeyInput, type AsyncPublicKeyInput, quietReset } from './signature.ts';
import { secretLength } from './signature-widths.ts';
import { requireKeyAsync } from './translation.ts';

type AnyAgreementSpi = KeyAgreementSpi<'async'>;

/** Calls are queued in call order; a rejection leaves the object as freshly initialised. */
export class AsyncKeyAgreement {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  readonly #queue = new CallQueue();
  #wish: Wish | undefined;
  #bound: Bound<AnyAgreementSpi> | undefined;
  #spi: AnyAgreementSpi | undefined;
  #agreed = false;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Binds no provider yet. Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<KeyAgreementAlgorithm>, from?: From): AsyncKeyAgreement {
    const context = contextOf(from);
    return new AsyncKeyAgreement(algorithm, context, context.candidates('KeyAgreement', algorithm, from, 'async'));
  }

  /** The provider that serves; undefined until an init has succeeded. */
  get provider(): Provider | undefined {
    return this.#bound?.offer.provider;
  }

  /** Looks for the first provider that takes the key and the options. */
  init(privateKey: AsyncPrivateKeyInput, options?: AgreementOptions & Abortable): Promise<this> {
    const kept = typeof options === 'object' && options !== null ? { ...options } : options;
    return this.#queue.run(
      async (stillWanted) => {
        this.#unbind();
        const key = await requireKeyAsync(privateKey, 'private');
        const selection = this.#context.selection;
        selection.policy.assertUse('agree', 'KeyAgreement', this.algorithm, key);
        const explicit = explicitOptions('agree', kept, undefined, ['signal']);
        const wish: Wish = { use: 'agree', key, options: explicit, parameters: undefined };
        const bound = await selectAsync<AnyAgreementSpi>(this.#candidates, wish, selection);
        stillWanted();
        this.#wish = wish;
        this.#bound = bound;
        this.#spi = bound.spi;
        return this;
      },
      kept,
      () => this.#unbind(),
    );
  }

  /** Computes with the peer's key; there is one phase only. Rejects with InvalidKeyError for a peer that is refused. */
  doPhase(publicKey: AsyncPublicKeyInput, lastPhase = true, options?: Abortable): Promise<this> {
    return this.#queue.run(
      async (stillWanted) => {
        requireSignalOnly(options);
        const { wish, bound } = this.#ready();
        if (this.#agreed) throw new IllegalStateError(`${this.algorithm}: the phase is done; call generateSecret.`);
        if (lastPhase !== true) {
          throw new IllegalStateError(`${this.algorithm} is between two parties: lastPhase must be true.`);
        }
        const peer = await requireKeyAsync(publicKey, 'public');
        requireSameCurve(bound.key, peer);
        const selection = this.#context.selection;
        selection.policy.assertUse('agree', 'KeyAgreement', this.algorithm, peer);
        const own = keyRefusal(bound.offer, peer) ?? (await keyForAsync(bound.offer, peer, selection));
        if (own instanceof Refusal) {
          const failures = new Failures();
          failures.add(bound.offer, own);
          throw failures.toError(`KeyAgreement ${this.algorithm} with the peer's ${peer.toString()}`);
        }
        try {
          const spi = await this.#instance(wish, bound, stillWanted);
          await spi.doPhase(own as PublicKey);
        } catch (error) {
          throw asProviumError(error, bound.offer.provider.name, 'doPhase');
        }
        stillWanted();
        this.#agreed = true;
        return this;
      },
      options,
      () => this.#recover(),
    );
  }

  /** The raw secret as fresh bytes: put it through a key derivation function. */
  generateSecret(options?: Abortable): Promise<Uint8Array> {
    return this.#queue.run(
      async (stillWanted) => {
        requireSignalOnly(options);
        const { wish, bound } = this.#ready();
        if (!this.#agreed) throw new IllegalStateError(`${this.algorithm}: call doPhase first.`);
        const { name } = bound.offer.provider;
        try {
          const spi = await this.#instance(wish, bound, stillWanted);
          const secret = checkedBytes(await spi.generateSecret(), name, 'a secret', secretLength(bound.key?.curve));
          stillWanted();
          this.#agreed = false;
          return secret;
        } catch (error) {
          throw asProviumError(error, name, 'generateSecret');
        }
      },
      options,
      () => this.#recover(),
    );
  }

  toString(): string {
    const state = this.#wish === undefined ? 'not initialized' : 'initialized';
    return `AsyncKeyAgreement object: ${this.algorithm}<${state}>`;
  }

  #ready(): { readonly wish: Wish; readonly bound: Bound<AnyAgreementSpi> } {
    const wish = this.#wish;
    const bound = this.#bound;
    if (wish === undefined || bound === undefined) {
      throw new IllegalStateError(`${this.algorithm} is not initialised: call init first.`);
    }
    wish.key?.assertUsable();
    return { wish, bound };
  }

  async #instance(wish: Wish, bound: Bound<AnyAgreementSpi>, stillWanted: StillWanted): Promise<AnyAgreementSpi> {
    if (this.#spi !== undefined) return this.#spi;
    const spi = (await beginAsync(bound.offer, wish, bound.key, this.#context.selection)) as AnyAgreementSpi;
    stillWanted();
    this.#spi = spi;
    return spi;
  }

  #recover(): void {
    quietReset(this.#spi);
    this.#spi = undefined;
    this.#agreed = false;
  }

  #unbind(): void {
    this.#recover();
    this.#wish = undefined;
    this.#bound = undefined;
  }
}
