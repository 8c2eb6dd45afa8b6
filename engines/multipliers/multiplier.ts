// The sealed family of point multipliers: a closed union, told apart by `kind`, one object per role. All of them take
// and give fixed-width big-endian bytes; `resolveBase`, `resolvePoint` and `resolveDouble` are the only places that
// look at `kind`, once per curve and context, never per operation.

import type { ECOperations, PrecomputedPoint } from '../ec-operations.ts';
import { EngineError } from '../errors.ts';

export type MultiplierRole = 'base' | 'point' | 'double';
export type MultiplierKind = PointMultiplier['kind'];

/** out = k·G for 0 ≤ k < n; 0 and zero bytes for infinity. Constant time. */
export interface BaseMultiplication {
  multiplyBase(out: Uint8Array, k: Uint8Array): number;
}
/** out = k·P for a valid affine P and 0 ≤ k < n; 0 and zero bytes for infinity. Constant time. */
export interface PointMultiplication {
  multiply(out: Uint8Array, point: Uint8Array, k: Uint8Array): number;
}
/** u1·G + u2·Q for 0 ≤ u1, u2 < n. Variable time: public inputs only. */
export interface DoubleMultiplication {
  multiplyDoubleVartime(out: Uint8Array, u1: Uint8Array, u2: Uint8Array, q: Uint8Array | PrecomputedPoint): number;
  /** 1 if the x coordinate is r, or r + n (`rPlusOrder`, absent where that is not below p). */
  matchesVartime(
    u1: Uint8Array,
    u2: Uint8Array,
    q: Uint8Array | PrecomputedPoint,
    r: Uint8Array,
    rPlusOrder: Uint8Array | undefined,
  ): number;
  precompute(point: Uint8Array): PrecomputedPoint;
}

/** Doublings between additions of multiples from a table of the point. */
export interface WindowMultiplier {
  readonly kind: 'window';
  readonly id: string;
  /** Bits of a digit. */
  readonly width: number;
  readonly point?: PointMultiplication;
  readonly double?: DoubleMultiplication;
}
/** Additions only, from tables of a fixed point. */
export interface CombMultiplier {
  readonly kind: 'comb';
  readonly id: string;
  readonly width: number;
  readonly base: BaseMultiplication;
}
/** One doubling and one addition per bit, whatever the bit. */
export interface LadderMultiplier {
  readonly kind: 'ladder';
  readonly id: string;
  readonly point: PointMultiplication;
}
/** Hands whole operations to a `curve` candidate. */
export interface KernelMultiplier {
  readonly kind: 'kernel';
  readonly id: string;
  readonly operations: ECOperations;
}
/** The door for third parties: a plain object whose results are checked for shape. */
export interface ForeignMultiplier {
  readonly kind: 'foreign';
  readonly id: string;
  readonly implementation: ForeignImplementation;
}
export type PointMultiplier =
  | WindowMultiplier
  | CombMultiplier
  | LadderMultiplier
  | KernelMultiplier
  | ForeignMultiplier;

/**
 * What a third party writes: any of the three, on fresh big-endian byte strings at full width. Points are affine x then
 * y; `undefined` stands for infinity. `multiplyBase` and `multiply` see secrets and have to run in constant time.
 */
export interface ForeignImplementation {
  multiplyBase?(k: Uint8Array): Uint8Array | undefined;
  multiply?(point: Uint8Array, k: Uint8Array): Uint8Array | undefined;
  multiplyDouble?(u1: Uint8Array, u2: Uint8Array, q: Uint8Array): Uint8Array | undefined;
}

function unable(multiplier: { readonly id: string; readonly kind: string }, role: MultiplierRole): EngineError {
  return new EngineError(`multiplier ${multiplier.id} (${multiplier.kind}) does not serve the role ${role}`);
}

function unreachable(multiplier: never): never {
  throw new EngineError(`unknown kind of multiplier: ${JSON.stringify(multiplier)}`);
}

/** Copies a foreign result; throws EngineError if it is not 2·byteLength bytes or undefined. */
function accept(out: Uint8Array, result: unknown, id: string): number {
  if (result === undefined) {
    out.fill(0);
    return 0;
  }
  if (!(result instanceof Uint8Array) || result.length !== out.length) {
    throw new EngineError(`foreign multiplier ${id} must return ${out.length} bytes or undefined`);
  }
  out.set(result);
  return 1;
}

export function resolveBase(multiplier: PointMultiplier): BaseMultiplication {
  switch (multiplier.kind) {
    case 'comb':
      return multiplier.base;
    case 'kernel':
      return multiplier.operations;
    case 'foreign': {
      const { id, implementation } = multiplier;
      if (implementation.multiplyBase === undefined) throw unable(multiplier, 'base');
      return { multiplyBase: (out, k) => accept(out, implementation.multiplyBase?.(k.slice()), id) };
    }
    case 'window':
    case 'ladder':
      throw unable(multiplier, 'base');
    default:
      return unreachable(multiplier);
  }
}

export function resolvePoint(multiplier: PointMultiplier): PointMultiplication {
  switch (multiplier.kind) {
    case 'window':
      if (multiplier.point === undefined) throw unable(multiplier, 'point');
      return multiplier.point;
    case 'ladder':
      return multiplier.point;
    case 'kernel':
      return multiplier.operations;
    case 'foreign': {
      const { id, implementation } = multiplier;
      if (implementation.multiply === undefined) throw unable(multiplier, 'point');
      return { multiply: (out, point, k) => accept(out, implementation.multiply?.(point.slice(), k.slice()), id) };
    }
    case 'comb':
      throw unable(multiplier, 'point');
    default:
      return unreachable(multiplier);
  }
}

export function resolveDouble(multiplier: PointMultiplier, curve: string): DoubleMultiplication {
  switch (multiplier.kind) {
    case 'window':
      if (multiplier.double === undefined) throw unable(multiplier, 'double');
      return multiplier.double;
    case 'kernel':
      return multiplier.operations;
    case 'foreign':
      return foreignDouble(multiplier, curve);
    case 'comb':
    case 'ladder':
      throw unable(multiplier, 'double');
    default:
      return unreachable(multiplier);
  }
}

function foreignDouble(multiplier: ForeignMultiplier, curve: string): DoubleMultiplication {
  const { id, implementation } = multiplier;
  if (implementation.multiplyDouble === undefined) throw unable(multiplier, 'double');
  const affine = (q: Uint8Array | PrecomputedPoint): Uint8Array => (q instanceof Uint8Array ? q : q.point).slice();
  const run = (out: Uint8Array, u1: Uint8Array, u2: Uint8Array, q: Uint8Array | PrecomputedPoint): number =>
    accept(out, implementation.multiplyDouble?.(u1.slice(), u2.slice(), affine(q)), id);
  return {
    multiplyDoubleVartime: run,
    matchesVartime(u1, u2, q, r, rPlusOrder) {
      const out = new Uint8Array(2 * r.length);
      if (run(out, u1, u2, q) === 0) return 0;
      const same = (wanted: Uint8Array): boolean => wanted.every((byte, i) => byte === out[i]);
      return same(r) || (rPlusOrder !== undefined && same(rPlusOrder)) ? 1 : 0;
    },
    precompute: (point) => ({ curve, point: point.slice(), size: point.length }),
  };
}
