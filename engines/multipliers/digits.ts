// Recodings of scalars.

import { bytesAreZero, maskFromBit, selectInt } from '../../fields/ct.ts';

/** As long as the longest order: 640 bits. */
const work = new Uint8Array(80);

/**
 * Signed odd digits of k mod n at radix 32, constant time: ±k = Σ (2·digit[i] − 31)·32^i with digits in [0, 31], for
 * 0 ≤ k < n, n odd. An even k is replaced by n − k, 0 by 1. Bit 0 of the result: k was even, so the product has to be
 * negated; bit 1: k was 0, so the product is infinity. The digit 2b − 31 is ±(2j + 1) with j = b xor 15 (negative,
 * b < 16) or b − 16. There are ⌊(bits of n − 1)/5⌋ + 1 digits, so that the top one holds what is left of the order, is
 * positive, and is 1 where nothing is left (256 and 521 bits).
 */
export function recodeSignedOdd(digits: Uint8Array, k: Uint8Array, order: Uint8Array): number {
  const width = order.length;
  const zero = bytesAreZero(k);
  const even = (k[width - 1]! & 1) ^ 1;
  const mask = maskFromBit(even);
  let borrow = 0;
  for (let i = width - 1; i >= 0; i--) {
    const difference = order[i]! - k[i]! - borrow;
    borrow = (difference >> 8) & 1;
    work[i] = selectInt(k[i]!, difference, mask);
  }
  // k = 0 became n; use 1.
  for (let i = 0; i < width; i++) work[i] = work[i]! & (zero - 1);
  work[width - 1] = work[width - 1]! | zero;
  // With T = top and u = (k − 1)/2: k = Σ (2·(u's digit) − 31)·32^i for i < T, plus (2·⌊u/32^T⌋ + 1)·32^T.
  const top = digits.length - 1;
  for (let i = 0; i <= top; i++) {
    const bit = 5 * i + 1;
    const at = width - 1 - (bit >> 3);
    const pair = at < 0 ? 0 : work[at]! | ((at > 0 ? work[at - 1]! : 0) << 8);
    digits[i] = (pair >> (bit & 7)) & 31;
  }
  digits[top] = digits[top]! + 16;
  work.fill(0);
  return even | (zero << 1);
}

/**
 * Width-w NAF of an integer of any length: k = Σ naf[i]·2^i, digits odd or 0, |digit| < 2^(w−1). `naf` has one entry
 * more than k has bits; the result is the number of entries in use. Variable time.
 */
export function recodeNafVartime(naf: Int8Array, k: Uint8Array, width: number): number {
  const half = 1 << (width - 1);
  const bits = 8 * k.length;
  const last = k.length - 1;
  naf.fill(0);
  let length = 0;
  let carry = 0;
  let i = 0;
  while (i <= bits) {
    if ((bitAt(k, i, bits, last) ^ carry) === 0) {
      i++;
      continue;
    }
    let window = carry;
    for (let j = 0; j < width; j++) window += bitAt(k, i + j, bits, last) << j;
    carry = window >= half ? 1 : 0;
    naf[i] = window - (carry << width);
    length = i + 1;
    i += width;
  }
  return length;
}

function bitAt(k: Uint8Array, i: number, bits: number, last: number): number {
  return i < bits ? (k[last - (i >> 3)]! >> (i & 7)) & 1 : 0;
}
