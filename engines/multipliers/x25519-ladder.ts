// The Montgomery ladder of X25519 (RFC 7748, section 5), over u-coordinates alone.
//
// Step comments give the terms of a lazy sum where there is more than one; a product takes sums whose terms multiply to 12, a square a sum of 3.

import { bytesAreZero } from '../../fields/ct.ts';
import * as field from '../../fields/generated/curve25519.generated.ts';
import {
  addLazy,
  copy,
  create,
  mul,
  mulSmall,
  one,
  square,
  swap,
  zero,
} from '../../fields/generated/curve25519.generated.ts';
import type { LadderMultiplier } from './multiplier.ts';

type E = ReturnType<typeof create>;

const BYTES = 32;
const BITS = 255;

const x1 = create();
const x2 = create();
const z2 = create();
const x3 = create();
const z3 = create();
const a = create();
const b = create();
const aa = create();
const bb = create();
const ee = create();
const t = create();

/** sum = p + q and difference = p − q, uncarried. Aliasing allowed. */
function addSubtract(sum: E, difference: E, p: E, q: E): void {
  for (let i = 0; i < field.limbCount; i++) {
    const x = p[i]!;
    const y = q[i]!;
    sum[i] = x + y;
    difference[i] = x - y;
  }
}

/** out = u-coordinate of k·P for P with the u-coordinate `u`, which may be any number of 32 bytes; 0 if out is 0. */
function multiply(out: Uint8Array, u: Uint8Array, k: Uint8Array): number {
  field.fromBytes(x1, u, 0);
  one(x2);
  zero(z2);
  copy(x3, x1);
  one(z3);
  let previous = 0;
  for (let i = BITS - 1; i >= 0; i--) {
    const bit = (k[BYTES - 1 - (i >> 3)]! >> (i & 7)) & 1;
    swap(x2, x3, bit ^ previous);
    swap(z2, z3, bit ^ previous);
    previous = bit;
    addSubtract(a, b, x2, z2); // A (2), B (2)
    square(aa, a); // AA
    square(bb, b); // BB
    addSubtract(x3, z3, x3, z3); // C (2), D (2)
    mul(b, x3, b); // CB (2·2)
    mul(a, z3, a); // DA (2·2)
    addSubtract(x3, z3, a, b); // (2), (2)
    square(x3, x3); // x₃ = (DA + CB)²
    square(z3, z3);
    mul(z3, z3, x1); // z₃ = x₁·(DA − CB)²
    mul(x2, aa, bb); // x₂ = AA·BB
    field.sub(ee, aa, bb); // E
    mulSmall(t, ee, 60833);
    addLazy(t, t, t); // 121666·E = (a24 + 1)·E (2)
    addLazy(t, t, bb); // BB + 121666·E = AA + a24·E (3)
    mul(z2, ee, t); // z₂ = E·(AA + a24·E) (1·3)
  }
  swap(x2, x3, previous);
  swap(z2, z3, previous);
  field.invert(z2, z2);
  mul(x2, x2, z2);
  field.toBytes(out, 0, x2);
  for (const scratch of [x1, x2, z2, x3, z3, a, b, aa, bb, ee, t]) scratch.fill(0);
  return bytesAreZero(out) ^ 1;
}

/** Points are u-coordinates, big-endian; the top bits of k that X25519 does not use have to be clear. Constant time. */
export const X25519_LADDER: LadderMultiplier = { kind: 'ladder', id: 'X25519/ladder', point: { multiply } };
