// The façade MessageDigest.

import { asProviumError, checkedBytes, defusePromise, feed, requireBytes } from './checks.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import type { DigestAlgorithm, Open } from './names.ts';
import type { Provider } from './provider.ts';
import { type Candidates, Failures, instanceOf, type Offer } from './selection.ts';
import type { MessageDigestSpi } from './service.ts';

/** Hashes. The first provider whose instance can be made serves from the first use on. */
export class MessageDigest {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  #offer: Offer | undefined;
  #spi: MessageDigestSpi | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<DigestAlgorithm>, from?: From): MessageDigest {
    const context = contextOf(from);
    return new MessageDigest(algorithm, context, context.candidates('MessageDigest', algorithm, from, 'sync'));
  }

  /** Hashes in one call. */
  static digest(algorithm: Open<DigestAlgorithm>, data: Uint8Array, from?: From): Uint8Array {
    return MessageDigest.getInstance(algorithm, from).digest(data);
  }

  /** True if both have the same content; time depends on the lengths alone. */
  static isEqual(a: Uint8Array, b: Uint8Array): boolean {
    requireBytes(a, 'A digest');
    requireBytes(b, 'A digest');
    let difference = a.length ^ b.length;
    for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] ?? 0);
    return difference === 0;
  }

  /** The provider that serves; undefined before the first use. */
  get provider(): Provider | undefined {
    return this.#offer?.provider;
  }

  /** Bytes of output. */
  get digestLength(): number {
    return this.#ready().digestLength;
  }

  /** Feeds data, which is not kept. */
  update(data: Uint8Array): this {
    requireBytes(data, 'The data');
    const spi = this.#ready();
    try {
      feed(spi, data, this.#offer?.provider.name ?? 'none');
    } catch (error) {
      throw this.#failed(error, 'update');
    }
    return this;
  }

  /** The digest of all that was fed and of `data`, as fresh bytes; afterwards as new. */
  digest(data?: Uint8Array): Uint8Array {
    if (data !== undefined) this.update(data);
    const spi = this.#ready();
    try {
      const result: unknown = spi.digest();
      defusePromise(result);
      return checkedBytes(result, this.#offer?.provider.name ?? 'none', 'a digest', spi.digestLength);
    } catch (error) {
      throw this.#failed(error, 'digest');
    }
  }

  /** Throws away what was fed. */
  reset(): this {
    this.#spi = undefined;
    return this;
  }

  toString(): string {
    return `MessageDigest object: ${this.algorithm}`;
  }

  #ready(): MessageDigestSpi {
    if (this.#spi !== undefined) return this.#spi;
    const { services } = this.#context.selection;
    const failures = new Failures();
    for (const offer of this.#offer === undefined ? this.#candidates.sync : [this.#offer]) {
      try {
        const spi = instanceOf<MessageDigestSpi>(offer, services);
        // Read here, so that an instance that is none fails over.
        if (!Number.isInteger(spi.digestLength)) throw new TypeError('its digestLength is no whole number');
        this.#spi = spi;
        this.#offer = offer;
        return spi;
      } catch (error) {
        failures.addError(offer, error, 'newInstance');
      }
    }
    throw failures.toError(`MessageDigest ${this.algorithm}`);
  }

  #failed(error: unknown, what: string): Error {
    this.#spi = undefined;
    return asProviumError(error, this.#offer?.provider.name ?? 'none', what);
  }
}
