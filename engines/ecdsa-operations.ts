// ECDSA on digests (FIPS 186-5, section 6; SEC 1, section 4.1) over the operations of one curve.
//
// Signatures are r then s at the width of the order. Signing is constant time in key and nonce; what it used is wiped.

import type { ECOperations, PrecomputedPoint } from './ec-operations.ts';
import { EngineError } from './errors.ts';
import { leftmostBits, type NonceSource, nonceSequence } from './nonces.ts';
import type { HashFunctions } from './sources.ts';

export interface ECDSAOperations {
  readonly operations: ECOperations;
  /** Twice the width of the order. */
  readonly signatureLength: number;
  /**
   * out = signature of `digest`, which may have any length: its leftmost bits count. `privateKey` is in [1, n − 1] at
   * the width of the order (checked). With `lowS`, s is at most (n − 1)/2.
   */
  signDigest(out: Uint8Array, digest: Uint8Array, privateKey: Uint8Array, nonce: NonceSource, lowS?: boolean): void;
  /**
   * 1 if the signature is right. Out-of-range r or s and a wrong length give 0, and so does a high s with `lowS`. The
   * point must have been validated. Variable time: public inputs only.
   */
  verifyDigestVartime(
    signature: Uint8Array,
    digest: Uint8Array,
    point: Uint8Array | PrecomputedPoint,
    lowS?: boolean,
  ): number;
}

function checkLengths(operations: ECOperations, out: Uint8Array, privateKey: Uint8Array): void {
  const width = operations.scalars.byteLength;
  if (out.length !== 2 * width) throw new EngineError(`a signature on ${operations.curve.name} has ${2 * width} bytes`);
  if (privateKey.length !== width || operations.scalars.isValid(privateKey) === 0) {
    throw new EngineError(`a private key on ${operations.curve.name} is a number in [1, n − 1] of ${width} bytes`);
  }
}

/** One attempt; 0 if r or s came out as zero. `k` is in [1, n − 1] and is overwritten. */
function attempt(
  operations: ECOperations,
  out: Uint8Array,
  digest: Uint8Array,
  privateKey: Uint8Array,
  k: Uint8Array,
): number {
  const { scalars, byteLength, curve } = operations;
  const width = scalars.byteLength;
  const point = new Uint8Array(2 * byteLength);
  const t = new Uint8Array(width);
  const r = out.subarray(0, width);
  const s = out.subarray(width);
  operations.multiplyBase(point, k);
  scalars.reduce(r, point.subarray(0, byteLength));
  scalars.reduce(s, leftmostBits(digest, curve.orderBits)); // z
  scalars.multiply(t, r, privateKey);
  scalars.add(t, t, s); // z + r·d
  scalars.invert(k, k);
  scalars.multiply(s, k, t);
  point.fill(0);
  t.fill(0);
  k.fill(0);
  return (scalars.isZero(r) ^ 1) & (scalars.isZero(s) ^ 1);
}

function lower(operations: ECOperations, out: Uint8Array): void {
  const s = out.subarray(operations.scalars.byteLength);
  if (operations.scalars.isHigh(s) === 1) operations.scalars.negate(s, s);
}

/**
 * For test vectors only: signs with the given nonce. Repeating a nonce or choosing it badly gives the private key away.
 * 0 if this nonce gives r or s = 0 or is not in [1, n − 1].
 */
export function signDigestWithNonceUnchecked(
  operations: ECOperations,
  out: Uint8Array,
  digest: Uint8Array,
  privateKey: Uint8Array,
  nonce: Uint8Array,
): number {
  checkLengths(operations, out, privateKey);
  if (nonce.length !== privateKey.length || operations.scalars.isValid(nonce) === 0) return 0;
  return attempt(operations, out, digest, privateKey, nonce.slice());
}

export function createECDSAOperations(operations: ECOperations, hashes: HashFunctions): ECDSAOperations {
  const { scalars, curve } = operations;
  const width = scalars.byteLength;
  return {
    operations,
    signatureLength: 2 * width,
    signDigest(out, digest, privateKey, nonce, lowS = false) {
      checkLengths(operations, out, privateKey);
      const k = new Uint8Array(width);
      const nonces = nonceSequence(operations, hashes, nonce, privateKey, digest);
      try {
        do nonces.next(k);
        while (attempt(operations, out, digest, privateKey, k) === 0);
      } finally {
        nonces.destroy();
        k.fill(0);
      }
      if (lowS) lower(operations, out);
    },
    verifyDigestVartime(signature, digest, point, lowS = false) {
      if (signature.length !== 2 * width) return 0;
      const r = signature.subarray(0, width);
      const s = signature.subarray(width);
      if (scalars.isValid(r) === 0 || scalars.isValid(s) === 0) return 0;
      if (lowS && scalars.isHigh(s) === 1) return 0;
      const u1 = new Uint8Array(width);
      const u2 = new Uint8Array(width);
      const w = new Uint8Array(width);
      scalars.invert(w, s);
      scalars.reduce(u1, leftmostBits(digest, curve.orderBits));
      scalars.multiply(u1, u1, w);
      scalars.multiply(u2, r, w);
      return operations.matchesVartime(u1, u2, point, r);
    },
  };
}
