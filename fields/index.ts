// Public face of `provium/fields`.

export type { Element, Field } from './field.ts';
export { P256_MONTGOMERY, type P256Montgomery } from './portable/p256-montgomery.ts';
export { P256_ORDER, type P256Order } from './portable/p256-order-montgomery.ts';
export { P256_POLYNOMIAL, type P256Polynomial } from './portable/p256-polynomial.ts';
export type { Backend, LimbLayout, PrimeForm, PrimeRow, Representation } from './primes.ts';
export { PRIMES } from './primes.ts';
export { type ReferenceField, referenceField } from './reference.ts';
