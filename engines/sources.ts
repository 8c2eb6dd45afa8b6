// What the engines need from outside: hashing and randomness, injected.

import { bytesAreZero } from '../fields/ct.ts';
import { EngineError } from './errors.ts';

/** Hash functions by MessageDigest name (`SHA-256`, `SHA3-256`, …); fresh bytes, inputs are not kept. */
export interface HashFunctions {
  /** Throws for a name it does not know. */
  digest(algorithm: string, data: Uint8Array): Uint8Array;
  hmac(algorithm: string, key: Uint8Array, data: Uint8Array): Uint8Array;
  /** `length` bytes of an extendable function (`SHAKE256`); needed for Ed448. */
  extendable?(algorithm: string, data: Uint8Array, length: number): Uint8Array;
}

/** Fills the whole array with random bytes. */
export type RandomSource = (bytes: Uint8Array) => void;

/** Fills `bytes`; throws EngineError if the source left or made them all zero. */
export function fillRandom(bytes: Uint8Array, random: RandomSource): void {
  bytes.fill(0);
  random(bytes);
  if (bytesAreZero(bytes) === 1) throw new EngineError('the random source returned nothing but zero bytes');
}

/** Bytes that hold the order and 64 surplus bits, so that a reduction is uniform to within 2^−64 (FIPS 186-5, A.2.1). */
export function surplusLength(orderBits: number): number {
  return Math.ceil((orderBits + 64) / 8);
}
