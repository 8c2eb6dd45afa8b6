// Square roots modulo odd primes: a^((p + 1)/4) for p ≡ 3 mod 4, Cipolla's algorithm otherwise. Public values only.

import type { Element, Field } from '../../fields/field.ts';

/** out = a^exponent (big-endian bytes, public). */
function powerPublic<D extends string>(field: Field<D>, out: Element<D>, a: Element<D>, exponent: Uint8Array): void {
  const result = field.create();
  field.one(result);
  for (const byte of exponent) {
    for (let i = 7; i >= 0; i--) {
      field.square(result, result);
      if (((byte >> i) & 1) === 1) field.mul(result, result, a);
    }
  }
  field.copy(out, result);
}

/** (p + 1)/2^shift as bytes of the same length, for shift 1 or 2. */
function halvedSuccessor(p: Uint8Array, shift: number): Uint8Array {
  const sum = p.slice();
  let carry = 1;
  for (let i = p.length - 1; i >= 0; i--) {
    carry += p[i]!;
    sum[i] = carry;
    carry >>= 8;
  }
  return sum.map((byte, i) => (byte >> shift) | ((i > 0 ? sum[i - 1]! : carry) << (8 - shift)));
}

/** out = a root of a if there is one; out² = a tells. Variable time: public inputs only. Aliasing is not allowed. */
export type SquareRoot<D extends string> = (out: Element<D>, a: Element<D>) => void;

/** For the odd prime p, big-endian. */
export function squareRootVartime<D extends string>(field: Field<D>, p: Uint8Array): SquareRoot<D> {
  if ((p.at(-1)! & 3) === 3) {
    const exponent = halvedSuccessor(p, 2);
    return (out, a) => powerPublic(field, out, a, exponent);
  }
  return (out, a) => cipolla(field, out, a, p);
}

/**
 * (t + ω)^((p + 1)/2) for ω² = t² − a not a square: a root of a, if a is a square (Cipolla 1903; Crandall and Pomerance,
 * Prime Numbers, algorithm 2.3.9). The least t that serves is taken.
 */
function cipolla<D extends string>(field: Field<D>, out: Element<D>, a: Element<D>, p: Uint8Array): void {
  const exponent = halvedSuccessor(p, 1);
  const t = field.create();
  const one = field.create();
  const square = field.create();
  const test = field.create();
  field.one(one);
  for (;;) {
    field.add(t, t, one);
    field.carry(t, t);
    field.square(square, t);
    field.sub(square, square, a);
    field.carry(square, square);
    if (field.isZero(square) === 1) {
      field.copy(out, t);
      return;
    }
    // s^((p + 1)/2) is s if s is a square, and −s if not.
    powerPublic(field, test, square, exponent);
    if (field.equals(test, square) === 0) break;
  }
  // (u + vω) raised, starting from 1.
  const u = field.create();
  const v = field.create();
  const uu = field.create();
  const vv = field.create();
  field.one(u);
  for (const byte of exponent) {
    for (let i = 7; i >= 0; i--) {
      // (u² + v²ω²) + 2uvω
      field.square(uu, u);
      field.square(vv, v);
      field.mul(vv, vv, square);
      field.mul(v, u, v);
      field.add(v, v, v);
      field.carry(v, v);
      field.add(u, uu, vv);
      field.carry(u, u);
      if (((byte >> i) & 1) === 0) continue;
      // (ut + vω²) + (u + vt)ω
      field.mul(uu, u, t);
      field.mul(vv, v, square);
      field.mul(v, v, t);
      field.add(v, v, u);
      field.carry(v, v);
      field.add(u, uu, vv);
      field.carry(u, u);
    }
  }
  field.copy(out, u);
}
