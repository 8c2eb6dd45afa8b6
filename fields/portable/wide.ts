// Byte strings wider than a field element, reduced: hashes modulo a group order (RFC 8032, hedged nonces).

import type { Element, Field } from '../field.ts';

/**
 * out = the big-endian number `bytes`, of any length, modulo p. Time depends on the length only. Allocates two elements
 * and wipes them.
 */
export function fromWideBytes<D extends string>(field: Field<D>, out: Element<D>, bytes: Uint8Array): void {
  const { byteLength } = field;
  const shift = field.create();
  const part = field.create();
  const chunk = new Uint8Array(byteLength);
  // shift = 2^(8·byteLength): all ones, plus one.
  chunk.fill(0xff);
  field.fromBytes(shift, chunk, 0);
  field.one(part);
  field.add(shift, shift, part);
  field.zero(out);
  for (let start = (bytes.length % byteLength || byteLength) - byteLength; start < bytes.length; start += byteLength) {
    chunk.fill(0);
    chunk.set(bytes.subarray(Math.max(start, 0), start + byteLength), Math.max(-start, 0));
    field.fromBytes(part, chunk, 0);
    field.mul(out, out, shift);
    field.add(out, out, part);
  }
  chunk.fill(0);
  part.fill(0);
}
