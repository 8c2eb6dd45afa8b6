// What the multipliers of Edwards curves ask of the arithmetic of one curve. The arithmetic of each curve is a module of
// its own with static imports of its field, so that the calls inside a group operation stay monomorphic; a multiplier
// makes a few hundred calls through this interface.

/** Extended coordinates x = X/Z, y = Y/Z, xy = T/Z (Hisil, Wong, Carter, Dawson 2008). */
export interface ExtendedPoint {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  readonly t: Float64Array;
}

/** A point as second operand of an addition; what the elements hold differs from curve to curve. */
export interface CachedPoint {
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Not in an affine one. */
  readonly z: Float64Array;
  readonly t: Float64Array;
}

export interface EdwardsArithmetic {
  /** Bytes of an encoded point. */
  readonly byteLength: number;
  /** Bits of the order of the base point. */
  readonly orderBits: number;
  /** Doublings that the cofactor takes. */
  readonly cofactorBits: number;
  /** Integers of one affine table entry. */
  readonly entryInts: number;
  /** The base point, encoded. */
  readonly base: Uint8Array;
  createPoint(): ExtendedPoint;
  createCached(): CachedPoint;
  setIdentity(p: ExtendedPoint): void;
  copy(out: ExtendedPoint, p: ExtendedPoint): void;
  /** p = 2p. Without `withT`, T is left undefined and no addition may follow. */
  double(p: ExtendedPoint, withT: boolean): void;
  /** p = p + c. Complete: no exceptional operands. T as in `double`. */
  add(p: ExtendedPoint, c: CachedPoint, withT: boolean): void;
  /** As `add` for an affine c. */
  addAffine(p: ExtendedPoint, c: CachedPoint, withT: boolean): void;
  /** p must have T. */
  toCached(out: CachedPoint, p: ExtendedPoint): void;
  negateCached(c: CachedPoint): void;
  negate(p: ExtendedPoint): void;
  /** Writes the points as affine entries, one after the other from the start of `table`. Public points only. */
  storeEntries(table: Int32Array, points: readonly ExtendedPoint[]): void;
  /** c = digit·(the first of `count` entries that are its multiples 1 … count). Scans all of them: constant time. */
  selectEntry(c: CachedPoint, table: Int32Array, offset: number, count: number, digit: number): void;
  /** c = ± the entry at `offset`. Variable time. */
  loadEntryVartime(c: CachedPoint, table: Int32Array, offset: number, negative: boolean): void;
  /** The encoding of RFC 8032 at the start of `out`. Constant time. */
  encode(out: Uint8Array, p: ExtendedPoint): void;
  /**
   * The point of an encoding, T included; 0 if there is none. Without `lax`, y has to be below p and x = 0 must not have
   * the sign bit (RFC 8032); with it, both are let through (ZIP 215). Variable time: public inputs only.
   */
  decodeVartime(p: ExtendedPoint, bytes: Uint8Array, lax: boolean): number;
  /** 1 if p is the identity. */
  isIdentity(p: ExtendedPoint): number;
  /** u of the Montgomery curve at that point, little-endian at the width of the field (RFC 7748, 4.1 and 4.2). */
  montgomeryU(out: Uint8Array, p: ExtendedPoint): void;
  /** Clears the intermediate values; whoever handled a secret calls it last. */
  wipe(): void;
}

/**
 * ORs into `out` the eleven integers at `offset` of the entry whose number (from 1) is `index`; entries are `stride`
 * apart. All entries are read.
 */
export function scanEleven(
  out: Int32Array,
  outOffset: number,
  table: Int32Array,
  offset: number,
  stride: number,
  count: number,
  index: number,
): void {
  let r0 = 0;
  let r1 = 0;
  let r2 = 0;
  let r3 = 0;
  let r4 = 0;
  let r5 = 0;
  let r6 = 0;
  let r7 = 0;
  let r8 = 0;
  let r9 = 0;
  let r10 = 0;
  let at = offset;
  for (let j = 1; j <= count; j++) {
    const mask = ((j ^ index) - 1) >> 31;
    r0 |= table[at]! & mask;
    r1 |= table[at + 1]! & mask;
    r2 |= table[at + 2]! & mask;
    r3 |= table[at + 3]! & mask;
    r4 |= table[at + 4]! & mask;
    r5 |= table[at + 5]! & mask;
    r6 |= table[at + 6]! & mask;
    r7 |= table[at + 7]! & mask;
    r8 |= table[at + 8]! & mask;
    r9 |= table[at + 9]! & mask;
    r10 |= table[at + 10]! & mask;
    at += stride;
  }
  out[outOffset] = out[outOffset]! | r0;
  out[outOffset + 1] = out[outOffset + 1]! | r1;
  out[outOffset + 2] = out[outOffset + 2]! | r2;
  out[outOffset + 3] = out[outOffset + 3]! | r3;
  out[outOffset + 4] = out[outOffset + 4]! | r4;
  out[outOffset + 5] = out[outOffset + 5]! | r5;
  out[outOffset + 6] = out[outOffset + 6]! | r6;
  out[outOffset + 7] = out[outOffset + 7]! | r7;
  out[outOffset + 8] = out[outOffset + 8]! | r8;
  out[outOffset + 9] = out[outOffset + 9]! | r9;
  out[outOffset + 10] = out[outOffset + 10]! | r10;
}

/** Reverses bytes, from one order of a number to the other; `out` must not be `bytes`. */
export function reverse(out: Uint8Array, bytes: Uint8Array, length: number): void {
  for (let i = 0; i < length; i++) out[i] = bytes[length - 1 - i]!;
}
