// Square roots modulo primes p ≡ 3 mod 4: a^((p + 1)/4).

import type { Element, Field } from '../../fields/field.ts';

/** out = a^((p+1)/4) for the exponent's bits (big-endian bytes, public): a root of a if a is a square. */
export function powerPublic<D extends string>(
  field: Field<D>,
  out: Element<D>,
  a: Element<D>,
  exponent: Uint8Array,
): void {
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
