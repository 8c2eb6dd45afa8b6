// Signing with a known nonce, which only our own engines do, and reading a nonce back out of a signature.

import { createEngines, type Engines, signDigestWithNonceUnchecked } from '../../engines/index.ts';
import { resolveCurve } from '../../spi/names.ts';
import { hex } from './case.ts';

let engines: Engines | undefined;

export interface NonceInput {
  readonly digest: Uint8Array;
  readonly privateKey: Uint8Array;
  readonly nonce: Uint8Array;
}

/** r then s; undefined where the provider has no such door. */
export function signWithNonce(provider: string, curve: string, input: NonceInput): Uint8Array | undefined {
  if (provider !== 'Provium') return undefined;
  engines ??= createEngines();
  const operations = engines.ecOperations(resolveCurve(curve)?.name ?? curve);
  const out = new Uint8Array(2 * operations.scalars.byteLength);
  const made = signDigestWithNonceUnchecked(operations, out, input.digest, input.privateKey, input.nonce);
  return made === 1 ? out : new Uint8Array();
}

export function integer(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${hex(bytes)}`);
}

function modulo(a: bigint, n: bigint): bigint {
  const rest = a % n;
  return rest < 0n ? rest + n : rest;
}

/** Inverse modulo a prime, by Euclid. */
function inverse(a: bigint, n: bigint): bigint {
  let [r, s, x, y] = [modulo(a, n), n, 1n, 0n];
  while (s !== 0n) {
    const q = r / s;
    [r, s] = [s, r - q * s];
    [x, y] = [y, x - q * y];
  }
  return modulo(x, n);
}

/** The leftmost bits of a digest as a number (FIPS 186-5, section 6.4.1). */
function digestInteger(digest: Uint8Array, orderBits: number): bigint {
  const surplus = digest.length * 8 - orderBits;
  return surplus > 0 ? integer(digest) >> BigInt(surplus) : integer(digest);
}

/** k = (z + r·d) / s mod n: the nonce of a signature by whoever knows the key. */
export function nonceOf(signature: Uint8Array, digest: Uint8Array, d: bigint, n: bigint): bigint {
  const half = signature.length / 2;
  const r = integer(signature.subarray(0, half));
  const s = integer(signature.subarray(half));
  const z = digestInteger(digest, n.toString(2).length);
  return modulo((z + r * d) * inverse(s, n), n);
}
