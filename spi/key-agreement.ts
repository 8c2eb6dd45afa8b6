// The façade KeyAgreement.

import { asProviumError, checkedBytes, defusePromise } from './checks.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import { IllegalStateError, InvalidKeyError } from './errors.ts';
import type { Key, PublicKey } from './keys.ts';
import type { KeyAgreementAlgorithm, Open } from './names.ts';
import { explicitOptions } from './options.ts';
import type { Provider } from './provider.ts';
import {
  type Bound,
  begin,
  type Candidates,
  Failures,
  keyFor,
  keyRefusal,
  Refusal,
  select,
  type Wish,
} from './selection.ts';
import type { AgreementOptions, KeyAgreementSpi } from './service.ts';
import { type PrivateKeyInput, type PublicKeyInput, quietReset } from './signature.ts';
import { secretLength } from './signature-widths.ts';
import { requireKey } from './translation.ts';

/** Throws InvalidKeyError where both keys say their curve and it is not the same. */
export function requireSameCurve(own: Key | undefined, peer: Key): void {
  if (own?.curve === undefined || peer.curve === undefined || own.curve === peer.curve) return;
  throw new InvalidKeyError(`The public key is on ${peer.curve}, the private key on ${own.curve}.`);
}

/** Agrees with one peer. Reusable: after `generateSecret` it is as freshly initialised. */
export class KeyAgreement {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  #wish: Wish | undefined;
  #bound: Bound<KeyAgreementSpi> | undefined;
  #spi: KeyAgreementSpi | undefined;
  #agreed = false;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Binds no provider yet. Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<KeyAgreementAlgorithm>, from?: From): KeyAgreement {
    const context = contextOf(from);
    return new KeyAgreement(algorithm, context, context.candidates('KeyAgreement', algorithm, from, 'sync'));
  }

  /** The provider that serves; undefined until an init has succeeded. */
  get provider(): Provider | undefined {
    return this.#bound?.offer.provider;
  }

  /** Looks for the first provider that takes the key and the options. */
  init(privateKey: PrivateKeyInput, options?: AgreementOptions): this {
    quietReset(this.#spi);
    this.#wish = undefined;
    this.#bound = undefined;
    this.#spi = undefined;
    this.#agreed = false;
    const key = requireKey(privateKey, 'private');
    const explicit = explicitOptions('agree', options, undefined);
    const selection = this.#context.selection;
    selection.policy.assertUse('agree', 'KeyAgreement', this.algorithm, key);
    const wish: Wish = { use: 'agree', key, options: explicit, parameters: undefined };
    this.#bound = select<KeyAgreementSpi>(this.#candidates, wish, selection);
    this.#spi = this.#bound.spi;
    this.#wish = wish;
    return this;
  }

  /** Computes with the peer's key; there is one phase only. Throws InvalidKeyError for a peer that is refused. */
  doPhase(publicKey: PublicKeyInput, lastPhase = true): this {
    const { bound, spi } = this.#ready();
    if (this.#agreed) throw new IllegalStateError(`${this.algorithm}: the phase is done; call generateSecret.`);
    if (lastPhase !== true) {
      throw new IllegalStateError(`${this.algorithm} is between two parties: lastPhase must be true.`);
    }
    const peer = requireKey(publicKey, 'public');
    requireSameCurve(bound.key, peer);
    const selection = this.#context.selection;
    selection.policy.assertUse('agree', 'KeyAgreement', this.algorithm, peer);
    const own = keyRefusal(bound.offer, peer) ?? keyFor(bound.offer, peer, selection);
    if (own instanceof Refusal) throw this.#refused(own, peer);
    try {
      const result: unknown = spi.doPhase(own as PublicKey);
      if (result !== undefined) {
        defusePromise(result);
        checkedUndefined(result, bound.offer.provider.name);
      }
    } catch (error) {
      throw this.#failed(error, 'doPhase');
    }
    this.#agreed = true;
    return this;
  }

  /** The raw secret as fresh bytes: put it through a key derivation function. */
  generateSecret(): Uint8Array {
    const { bound, spi } = this.#ready();
    if (!this.#agreed) throw new IllegalStateError(`${this.algorithm}: call doPhase first.`);
    try {
      const secret: unknown = spi.generateSecret();
      defusePromise(secret);
      const checked = checkedBytes(secret, bound.offer.provider.name, 'a secret', secretLength(bound.key?.curve));
      this.#agreed = false;
      return checked;
    } catch (error) {
      throw this.#failed(error, 'generateSecret');
    }
  }

  toString(): string {
    const state = this.#wish === undefined ? 'not initialized' : 'initialized';
    return `KeyAgreement object: ${this.algorithm}<${state}>`;
  }

  #refused(refusal: Refusal, peer: Key): Error {
    const failures = new Failures();
    failures.add((this.#bound as Bound<KeyAgreementSpi>).offer, refusal);
    return failures.toError(`KeyAgreement ${this.algorithm} with the peer's ${peer.toString()}`);
  }

  #ready(): { readonly bound: Bound<KeyAgreementSpi>; readonly spi: KeyAgreementSpi } {
    const wish = this.#wish;
    const bound = this.#bound;
    if (wish === undefined || bound === undefined) {
      throw new IllegalStateError(`${this.algorithm} is not initialised: call init first.`);
    }
    wish.key?.assertUsable();
    if (this.#spi === undefined) {
      try {
        this.#spi = begin(bound.offer, wish, bound.key, this.#context.selection) as KeyAgreementSpi;
      } catch (error) {
        throw asProviumError(error, bound.offer.provider.name, 'its init');
      }
    }
    return { bound, spi: this.#spi };
  }

  #failed(error: unknown, what: string): Error {
    quietReset(this.#spi);
    this.#spi = undefined;
    this.#agreed = false;
    return asProviumError(error, this.#bound?.offer.provider.name ?? 'none', what);
  }
}

/** A value where nothing should be is harmless, a promise is not: it has not happened yet. */
function checkedUndefined(value: unknown, provider: string): void {
  if (defusePromise(value)) throw asProviumError(new Error('it gave a promise'), provider, 'doPhase');
}
