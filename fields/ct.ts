// Branch-free primitives on 32-bit integers and on byte strings. Bits are the numbers 0 and 1, masks are 0 and −1.

/** 1 → −1 (all ones), 0 → 0. */
export function maskFromBit(bit: number): number {
  return -bit | 0;
}

/** −1 if a = b, else 0; 32-bit integers. */
export function equalMask(a: number, b: number): number {
  const x = a ^ b;
  return ~((x | -x) >> 31);
}

/** b where the mask is −1, a where it is 0. */
export function selectInt(a: number, b: number, mask: number): number {
  return a ^ ((a ^ b) & mask);
}

/** 1 if all bytes are zero. */
export function bytesAreZero(a: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits |= a[i]!;
  return ((bits - 1) >> 31) & 1;
}

/** 1 if the strings are equal; lengths are public. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return 0;
  let bits = 0;
  for (let i = 0; i < a.length; i++) bits |= a[i]! ^ b[i]!;
  return ((bits - 1) >> 31) & 1;
}

/** 1 if a < b as big-endian integers of the same length. */
export function bytesLess(a: Uint8Array, b: Uint8Array): number {
  let borrow = 0;
  for (let i = a.length - 1; i >= 0; i--) borrow = ((a[i]! - b[i]! - borrow) >> 8) & 1;
  return borrow;
}
