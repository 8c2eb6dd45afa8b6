// The contract of every prime field and every group-order field, in every backend.
//
// A field is a module of plain functions over one limb type; the interface below describes such a module. Hot code
// imports the functions of one concrete module statically and never calls through this interface, so that each call
// site stays monomorphic. Elements are branded: those of different fields or domains do not mix.

declare const DOMAIN: unique symbol;

/** Limbs of one element; `D` names field and representation, e.g. `p256/montgomery`. Little-endian limb order. */
export type Element<D extends string> = Float64Array & { readonly [DOMAIN]: D };

/**
 * All operations are branch-free in the values of elements, allocate nothing (but `create`), and take any element
 * that this module produced, unless a function's contract block says otherwise. Destination first; aliasing allowed.
 */
export interface Field<D extends string> {
  readonly domain: D;
  readonly representation: 'polynomial' | 'montgomery';
  /** Width of the canonical big-endian encoding. */
  readonly byteLength: number;
  readonly limbCount: number;
  create(): Element<D>;
  copy(out: Element<D>, a: Element<D>): void;
  zero(out: Element<D>): void;
  one(out: Element<D>): void;
  /** Same value with limbs of bound 1, so that further sums may follow. */
  carry(out: Element<D>, a: Element<D>): void;
  /** May leave limbs uncarried: the module says how many sums a product takes. */
  add(out: Element<D>, a: Element<D>, b: Element<D>): void;
  sub(out: Element<D>, a: Element<D>, b: Element<D>): void;
  neg(out: Element<D>, a: Element<D>): void;
  mul(out: Element<D>, a: Element<D>, b: Element<D>): void;
  square(out: Element<D>, a: Element<D>): void;
  /** `a` times a small non-negative integer (below 2^16), not secret. */
  mulSmall(out: Element<D>, a: Element<D>, factor: number): void;
  /** Inverse; of 0 it is 0. */
  invert(out: Element<D>, a: Element<D>): void;
  /** out = bit ? b : a, for bit 0 or 1. */
  select(out: Element<D>, a: Element<D>, b: Element<D>, bit: number): void;
  /** Swaps a and b if bit is 1. */
  swap(a: Element<D>, b: Element<D>, bit: number): void;
  /** 1 if a ≡ 0, else 0. */
  isZero(a: Element<D>): number;
  equals(a: Element<D>, b: Element<D>): number;
  /** Big-endian bytes at `offset`, any value below 2^(8·byteLength), reduced. */
  fromBytes(out: Element<D>, bytes: Uint8Array, offset: number): void;
  /** Canonical big-endian bytes at `offset`. */
  toBytes(bytes: Uint8Array, offset: number, a: Element<D>): void;
}
