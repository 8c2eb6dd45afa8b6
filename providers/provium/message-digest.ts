// MessageDigest services: the hash functions of `hashing.ts` for applications.

import type { MessageDigestSpi } from '../../spi/service.ts';
import type { Hashing, HashRow, IncrementalHash } from './hashing.ts';

const NOTHING = new Uint8Array(0);

export class ProviumMessageDigest implements MessageDigestSpi {
  readonly digestLength: number;
  readonly #hashing: Hashing;
  readonly #hash: HashRow;
  #state: IncrementalHash | undefined;

  constructor(hashing: Hashing, hash: HashRow) {
    this.#hashing = hashing;
    this.#hash = hash;
    this.digestLength = hash.length;
  }

  update(data: Uint8Array): void {
    this.#state ??= this.#hashing.create(this.#hash);
    this.#state.update(data);
  }

  digest(): Uint8Array {
    const state = this.#state;
    this.#state = undefined;
    return state === undefined ? this.#hashing.digest(this.#hash, NOTHING) : state.digest();
  }

  reset(): void {
    this.#state = undefined;
  }
}
