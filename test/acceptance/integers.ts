// Plain integer arithmetic for expected values: big-endian bytes, residues, inverses.

export function integer(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

export function atWidth(value: bigint, width: number): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * width, '0'), 'hex'));
}

export function modulo(value: bigint, m: bigint): bigint {
  return ((value % m) + m) % m;
}

/** Modulo a prime, by Fermat. */
export function inverse(value: bigint, prime: bigint): bigint {
  let [result, square] = [1n, modulo(value, prime)];
  for (let exponent = prime - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent % 2n === 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

/** The leftmost bits of a digest as an integer (FIPS 186-5, 6.4.1). */
export function leftmost(digest: Uint8Array, bits: number): bigint {
  const surplus = 8 * digest.length - bits;
  return surplus > 0 ? integer(digest) >> BigInt(surplus) : integer(digest);
}
