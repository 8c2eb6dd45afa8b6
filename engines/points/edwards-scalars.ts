// Arithmetic modulo the order L of the base point on little-endian bytes, as RFC 8032 writes scalars. Constant time;
// scratch is wiped.
//
// A signature needs three reductions and one product: the field with the modulus in memory does them, so that no
// program loads code for these orders.

import type { Element } from '../../fields/field.ts';
import { RuntimeMontgomeryField } from '../../fields/portable/runtime-montgomery.ts';
import { bytesFromHex } from '../curves.ts';
import { ByteReducer } from './byte-reduction.ts';
import { reverse } from './edwards.ts';

export interface EdwardsScalars {
  /** out = bytes mod L, for bytes of any length; `out` has the width of an encoded scalar. */
  reduce(out: Uint8Array, bytes: Uint8Array): void;
  /** out = a·b + c mod L for reduced a, b and c. */
  multiplyAdd(out: Uint8Array, a: Uint8Array, b: Uint8Array, c: Uint8Array): void;
  /** True if the number is below L. Variable time: public inputs only. */
  isReducedVartime(bytes: Uint8Array): boolean;
}

/** `orderHex` is L. */
export function edwardsScalars(orderHex: string): EdwardsScalars {
  const bigEndianOrder = bytesFromHex(orderHex);
  const order = bigEndianOrder.slice().reverse();
  const field = new RuntimeMontgomeryField<'edwards-order'>('edwards-order', bigEndianOrder);
  const reducer = new ByteReducer(bigEndianOrder);
  const width = field.byteLength;
  const a = field.create();
  const b = field.create();
  const bigEndian = new Uint8Array(width);
  const load = (out: Element<'edwards-order'>, bytes: Uint8Array): void => {
    reverse(bigEndian, bytes, width);
    field.fromBytes(out, bigEndian, 0);
  };
  const deliver = (out: Uint8Array): void => {
    out.fill(0);
    reverse(out, bigEndian, width);
    bigEndian.fill(0);
  };
  return {
    reduce(out, bytes) {
      const wide = new Uint8Array(bytes.length);
      reverse(wide, bytes, bytes.length);
      reducer.reduce(bigEndian, wide, 0);
      wide.fill(0);
      deliver(out);
    },
    multiplyAdd(out, x, y, z) {
      load(a, x);
      load(b, y);
      field.mul(a, a, b);
      load(b, z);
      field.add(a, a, b);
      field.toBytes(bigEndian, 0, a);
      a.fill(0);
      b.fill(0);
      deliver(out);
    },
    isReducedVartime(bytes) {
      for (let i = bytes.length - 1; i >= 0; i--) {
        const limit = order[i] ?? 0;
        if (bytes[i]! !== limit) return bytes[i]! < limit;
      }
      return false;
    },
  };
}
