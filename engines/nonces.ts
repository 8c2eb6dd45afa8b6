// ECDSA nonces: hedged, deterministic (RFC 6979) and random, for any hash and any order length.
//
// Every source yields candidates one after the other; the signer asks again when r or s came out as 0.

import type { ECOperations } from './ec-operations.ts';
import { fillRandom, type HashFunctions, type RandomSource, surplusLength } from './sources.ts';

export type NonceSource =
  | { readonly mode: 'hedged'; readonly random: RandomSource }
  /** `hash` is the one of HMAC, by its MessageDigest name. */
  | { readonly mode: 'deterministic'; readonly hash: string }
  | { readonly mode: 'random'; readonly random: RandomSource };

export interface NonceSequence {
  /** Writes the next nonce, in [1, n − 1], at the width of the order. */
  next(k: Uint8Array): void;
  /** Wipes the state. */
  destroy(): void;
}

const LABEL = 'Provium ECDSA hedged nonce 1';
const HEDGE_BYTES = 32;
const BLOCK_BYTES = 64;

/**
 * bits2int of RFC 6979, 2.3.2 (and FIPS 186-5, 6.4.1): the leftmost `bits` bits of `data` as an integer, in as many
 * bytes as the order has. Not reduced.
 */
export function leftmostBits(data: Uint8Array, bits: number): Uint8Array {
  const width = Math.ceil(bits / 8);
  const out = new Uint8Array(width);
  if (data.length * 8 <= bits) {
    out.set(data, width - data.length);
    return out;
  }
  const shift = 8 * width - bits;
  for (let i = 0; i < width; i++) {
    out[i] = (data[i]! >> shift) | ((i > 0 ? data[i - 1]! : 0) << (8 - shift));
  }
  return out;
}

export function nonceSequence(
  operations: ECOperations,
  hashes: HashFunctions,
  source: NonceSource,
  privateKey: Uint8Array,
  digest: Uint8Array,
): NonceSequence {
  switch (source.mode) {
    case 'hedged':
      return hedged(operations, hashes, source.random, privateKey, digest);
    case 'deterministic':
      return deterministic(operations, hashes, source.hash, privateKey, digest);
    case 'random':
      return random(operations, source.random);
  }
}

/**
 * SHA-512 blocks over label, 0, curve, 0, counter (4 bytes), private key at the width of the order, 32 fresh bytes,
 * length of the digest (4 bytes) and the whole digest. As many blocks as hold 64 bits more than the order, cut to that
 * and reduced to [1, n − 1]; the counter runs on for a further nonce. Repeated or poor randomness leaves a nonce as
 * good as a deterministic one, and a fault does not meet the same nonce twice.
 */
function hedged(
  operations: ECOperations,
  hashes: HashFunctions,
  fill: RandomSource,
  privateKey: Uint8Array,
  digest: Uint8Array,
): NonceSequence {
  const { scalars, curve } = operations;
  const head = LABEL.length + 1 + curve.name.length + 1;
  const hedgeAt = head + 4 + privateKey.length;
  const digestAt = hedgeAt + HEDGE_BYTES + 4;
  const input = new Uint8Array(digestAt + digest.length);
  const view = new DataView(input.buffer);
  for (let i = 0; i < LABEL.length; i++) input[i] = LABEL.charCodeAt(i);
  for (let i = 0; i < curve.name.length; i++) input[LABEL.length + 1 + i] = curve.name.charCodeAt(i);
  input.set(privateKey, head + 4);
  fillRandom(input.subarray(hedgeAt, hedgeAt + HEDGE_BYTES), fill);
  view.setUint32(digestAt - 4, digest.length);
  input.set(digest, digestAt);
  const needed = surplusLength(curve.orderBits);
  const blocks = Math.ceil(needed / BLOCK_BYTES);
  const wide = new Uint8Array(blocks * BLOCK_BYTES);
  let counter = 0;
  return {
    next(k) {
      for (let i = 0; i < blocks; i++) {
        view.setUint32(head, counter++);
        const block = hashes.digest('SHA-512', input);
        wide.set(block, i * BLOCK_BYTES);
        block.fill(0);
      }
      scalars.reduceNonZero(k, wide.subarray(0, needed));
    },
    destroy() {
      input.fill(0);
      wide.fill(0);
    },
  };
}

/** RFC 6979, section 3.2. Candidates outside [1, n − 1] are passed over, which says nothing about the one used. */
function deterministic(
  operations: ECOperations,
  hashes: HashFunctions,
  hash: string,
  privateKey: Uint8Array,
  digest: Uint8Array,
): NonceSequence {
  const { scalars, curve } = operations;
  const width = scalars.byteLength;
  const reduced = new Uint8Array(width);
  scalars.reduce(reduced, leftmostBits(digest, curve.orderBits)); // bits2octets
  let V: Uint8Array = new Uint8Array(hashes.digest(hash, new Uint8Array(0)).length).fill(1); // b
  let K: Uint8Array = new Uint8Array(V.length); // c
  const seed = new Uint8Array(V.length + 1 + 2 * width);
  const step = (data: Uint8Array): void => {
    const next = hashes.hmac(hash, K, data);
    K.fill(0);
    K = next;
    refresh();
  };
  const refresh = (): void => {
    const next = hashes.hmac(hash, K, V);
    V.fill(0);
    V = next;
  };
  for (const marker of [0, 1]) {
    seed.set(V);
    seed[V.length] = marker;
    seed.set(privateKey, V.length + 1);
    seed.set(reduced, V.length + 1 + width);
    step(seed); // d, e; f, g
  }
  seed.fill(0);
  let first = true;
  const retry = (): void => {
    const data = new Uint8Array(V.length + 1);
    data.set(V);
    step(data); // h.3
    data.fill(0);
  };
  return {
    next(k) {
      for (;;) {
        if (!first) retry();
        first = false;
        const T = new Uint8Array(width + V.length);
        let length = 0;
        while (8 * length < curve.orderBits) {
          refresh(); // h.2
          T.set(V.subarray(0, Math.min(V.length, T.length - length)), length);
          length += V.length;
        }
        const candidate = leftmostBits(T.subarray(0, length), curve.orderBits);
        k.set(candidate);
        candidate.fill(0);
        T.fill(0);
        if (scalars.isValid(k) === 1) return;
      }
    },
    destroy() {
      V.fill(0);
      K.fill(0);
      reduced.fill(0);
    },
  };
}

/** FIPS 186-5, A.3.1: 64 surplus bits. */
function random(operations: ECOperations, fill: RandomSource): NonceSequence {
  const wide = new Uint8Array(surplusLength(operations.curve.orderBits));
  return {
    next(k) {
      fillRandom(wide, fill);
      operations.scalars.reduceNonZero(k, wide);
    },
    destroy() {
      wide.fill(0);
    },
  };
}
