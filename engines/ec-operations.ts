// All that protocols see of a curve: fixed-width big-endian bytes in and out, no field element crosses.

/** Names of the short Weierstrass curves known by row. */
export type CurveName =
  | 'secp256r1'
  | 'secp384r1'
  | 'secp521r1'
  | 'secp256k1'
  | 'secp224r1'
  | 'brainpoolP256r1'
  | 'brainpoolP384r1'
  | 'brainpoolP512r1';

/** The curve y² = x³ + ax + b over GF(p), base point G of prime order n, cofactor 1. SEC 2, FIPS 186-5. */
export interface CurveRow {
  /** A CurveName, or a name of its own for explicit parameters. */
  readonly name: string;
  /** Empty for explicit parameters. */
  readonly oid: string;
  /** Other names, for explanations only; the framework has its own table. */
  readonly aliases: readonly string[];
  /** Hexadecimal, full width. */
  readonly p: string;
  readonly a: string;
  /** What formulas and multipliers are chosen by. */
  readonly kindOfA: 'minus-three' | 'zero' | 'general';
  readonly b: string;
  readonly gx: string;
  readonly gy: string;
  readonly n: string;
  readonly cofactor: 1;
  /** Bits of p and of n. */
  readonly fieldBits: number;
  readonly orderBits: number;
}

/** A public point prepared for repeated multiplication; belongs to the operations that made it. */
export interface PrecomputedPoint {
  readonly curve: string;
  /** Affine x then y. */
  readonly point: Uint8Array;
  /** Bytes of memory held. */
  readonly size: number;
}

/** Arithmetic modulo the order n on fixed-width big-endian bytes; constant time; `out` may alias inputs. */
export interface ScalarOperations {
  readonly byteLength: number;
  /** The order. */
  readonly order: Uint8Array;
  /** out = wide mod n; `wide` may have any length up to twice that of n plus 16. */
  reduce(out: Uint8Array, wide: Uint8Array): void;
  /** out = (wide mod (n − 1)) + 1: uniform in [1, n−1] if `wide` has at least 64 surplus bits. */
  reduceNonZero(out: Uint8Array, wide: Uint8Array): void;
  add(out: Uint8Array, a: Uint8Array, b: Uint8Array): void;
  multiply(out: Uint8Array, a: Uint8Array, b: Uint8Array): void;
  negate(out: Uint8Array, a: Uint8Array): void;
  /** Inverse; of 0 it is 0. */
  invert(out: Uint8Array, a: Uint8Array): void;
  /** 1 if 1 ≤ a < n. */
  isValid(a: Uint8Array): number;
  isZero(a: Uint8Array): number;
  /** 1 if a > (n − 1) / 2. */
  isHigh(a: Uint8Array): number;
}

/** One curve in one context: the chosen candidates behind one shape. */
export interface ECOperations {
  readonly curve: CurveRow;
  /** Bytes of one coordinate. */
  readonly byteLength: number;
  readonly scalars: ScalarOperations;
  /** out = k·G as x then y; k any fixed-width integer, reduced mod n. 0 (and out zeroed) if the result is infinity. Constant time. */
  multiplyBase(out: Uint8Array, k: Uint8Array): number;
  /** out = k·P for a valid affine P (x then y); as multiplyBase. Constant time. */
  multiply(out: Uint8Array, point: Uint8Array, k: Uint8Array): number;
  /** out = u1·G + u2·Q. Variable time: public inputs only. */
  multiplyDoubleVartime(out: Uint8Array, u1: Uint8Array, u2: Uint8Array, point: Uint8Array | PrecomputedPoint): number;
  /** 1 if x(u1·G + u2·Q) mod n equals r, without leaving projective coordinates. Variable time: public inputs only. */
  matchesVartime(u1: Uint8Array, u2: Uint8Array, point: Uint8Array | PrecomputedPoint, r: Uint8Array): number;
  precompute(point: Uint8Array): PrecomputedPoint;
  /** out = P + Q for affine points; 0 if infinity. */
  add(out: Uint8Array, p: Uint8Array, q: Uint8Array): number;
  /** 1 if both coordinates are below p and the equation holds (n·Q is not computed: the cofactor is 1). */
  isOnCurve(point: Uint8Array): number;
  /** y for x and the parity of y; 0 if x is not on the curve or not below p. Variable time: public inputs only. */
  decompressVartime(out: Uint8Array, x: Uint8Array, parity: number): number;
}
