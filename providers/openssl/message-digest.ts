// Hashes by node:crypto.

import type { Hash } from 'node:crypto';
import type { MessageDigestSpi } from '../../spi/service.ts';
import type { DigestRow } from './digests.ts';
import { nodeCrypto, plain } from './node.ts';

export class OpenSslMessageDigest implements MessageDigestSpi {
  readonly #row: DigestRow;
  #hash: Hash | undefined;

  constructor(row: DigestRow) {
    this.#row = row;
  }

  get digestLength(): number {
    return this.#row.length;
  }

  update(data: Uint8Array): void {
    this.#current().update(data);
  }

  digest(): Uint8Array {
    const hash = this.#current();
    this.#hash = undefined;
    return plain(hash.digest());
  }

  reset(): void {
    this.#hash = undefined;
  }

  #current(): Hash {
    const { nodeName, outputLength } = this.#row;
    this.#hash ??= nodeCrypto().createHash(nodeName, outputLength === undefined ? undefined : { outputLength });
    return this.#hash;
  }
}
