// Recodings of scalars.

import { bytesAreZero, maskFromBit, selectInt } from '../../fields/ct.ts';

const work = new Uint8Array(32);

/**
 * Signed odd digits of k mod n at radix 32, constant time: ±k = Σ (2·digit[i] − 31)·32^i with digits in [0, 31], for
 * 0 ≤ k < n < 2^256, n odd. An even k is replaced by n − k, 0 by 1. Bit 0 of the result: k was even, so the product has
 * to be negated; bit 1: k was 0, so the product is infinity. The digit 2b − 31 is ±(2j + 1) with j = b xor 15 (negative,
 * b < 16) or b − 16. The top digit is always 16, that is +1.
 */
export function recodeSignedOdd(digits: Uint8Array, k: Uint8Array, order: Uint8Array): number {
  const zero = bytesAreZero(k);
  const even = (k[31]! & 1) ^ 1;
  const mask = maskFromBit(even);
  let borrow = 0;
  for (let i = 31; i >= 0; i--) {
    const difference = order[i]! - k[i]! - borrow;
    borrow = (difference >> 8) & 1;
    work[i] = selectInt(k[i]!, difference, mask);
  }
  // k = 0 became n; use 1.
  for (let i = 0; i < 32; i++) work[i] = work[i]! & (zero - 1);
  work[31] = work[31]! | zero;
  // (k + 2^260 − 1)/2 = (k >> 1) + 2^259
  for (let i = 0; i < 51; i++) {
    const bit = 5 * i + 1;
    const at = 31 - (bit >> 3);
    const pair = work[at]! | ((at > 0 ? work[at - 1]! : 0) << 8);
    digits[i] = (pair >> (bit & 7)) & 31;
  }
  digits[51] = 16;
  work.fill(0);
  return even | (zero << 1);
}

/**
 * Width-w NAF of a 256-bit integer: k = Σ naf[i]·2^i, digits odd or 0, |digit| < 2^(w−1). `naf` has 257 entries; the
 * result is the number of entries in use. Variable time.
 */
export function recodeNafVartime(naf: Int8Array, k: Uint8Array, width: number): number {
  const half = 1 << (width - 1);
  naf.fill(0);
  let length = 0;
  let carry = 0;
  let i = 0;
  while (i < 257) {
    if ((bitAt(k, i) ^ carry) === 0) {
      i++;
      continue;
    }
    let window = carry;
    for (let j = 0; j < width; j++) window += bitAt(k, i + j) << j;
    carry = window >= half ? 1 : 0;
    naf[i] = window - (carry << width);
    length = i + 1;
    i += width;
  }
  return length;
}

function bitAt(k: Uint8Array, i: number): number {
  return i < 256 ? (k[31 - (i >> 3)]! >> (i & 7)) & 1 : 0;
}
