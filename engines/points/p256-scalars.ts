// Arithmetic modulo the order of P-256 on 32 big-endian bytes, over the order field. Constant time; scratch is wiped.

import { bytesAreZero, bytesLess } from '../../fields/ct.ts';
import { CARRY, LIMBS, limbsToBytes, modulusFromHex, RADIX, reduceBytes } from '../../fields/portable/limbs24.ts';
import * as field from '../../fields/portable/p256-order-montgomery.ts';
import { bytesFromHex, SECP256R1 } from '../curves.ts';
import type { ScalarOperations } from '../ec-operations.ts';

const BYTES = 32;
const ORDER = bytesFromHex(SECP256R1.n);
/** (n + 1) / 2: the least high value. */
const HALF = bytesFromHex('7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a9');
const ORDER_MINUS_ONE = modulusFromHex(SECP256R1.n.slice(0, -1).concat('0'));
const a = field.create();
const b = field.create();
const wide = new Float64Array(LIMBS);

function deliver(out: Uint8Array): void {
  field.toBytes(out, 0, a);
  field.zero(a);
  field.zero(b);
}

export const P256_SCALARS: ScalarOperations = {
  byteLength: BYTES,
  order: ORDER,
  reduce(out, bytes) {
    reduceBytes(wide, bytes, field.MODULUS);
    limbsToBytes(out, 0, wide);
    wide.fill(0);
  },
  reduceNonZero(out, bytes) {
    reduceBytes(wide, bytes, ORDER_MINUS_ONE);
    let c = 1;
    for (let i = 0; i < LIMBS; i++) {
      const limb = wide[i]! + c;
      c = Math.floor(limb * CARRY);
      wide[i] = limb - c * RADIX;
    }
    limbsToBytes(out, 0, wide);
    wide.fill(0);
  },
  add(out, x, y) {
    field.fromBytes(a, x, 0);
    field.fromBytes(b, y, 0);
    field.add(a, a, b);
    deliver(out);
  },
  multiply(out, x, y) {
    field.fromBytes(a, x, 0);
    field.fromBytes(b, y, 0);
    field.mul(a, a, b);
    deliver(out);
  },
  negate(out, x) {
    field.fromBytes(a, x, 0);
    field.neg(a, a);
    deliver(out);
  },
  invert(out, x) {
    field.fromBytes(a, x, 0);
    field.invert(a, a);
    deliver(out);
  },
  isValid(x) {
    return bytesLess(x, ORDER) & (bytesAreZero(x) ^ 1);
  },
  isZero: bytesAreZero,
  isHigh(x) {
    return bytesLess(x, HALF) ^ 1;
  },
};
