// Public face of `provium/fields`: the prime fields and order fields, in exact doubles and as WebAssembly.
//
// Every namespace below is a module of plain functions that implements Field; elements of one do not mix with those of
// another.

export type { Element, Field } from './field.ts';
export * as curve448 from './generated/curve448.generated.ts';
export * as curve448Order from './generated/curve448-order.generated.ts';
export * as curve25519 from './generated/curve25519.generated.ts';
export * as curve25519Order from './generated/curve25519-order.generated.ts';
export * as p256 from './generated/p256.generated.ts';
export * as p256Order from './generated/p256-order.generated.ts';
export * as p384 from './generated/p384.generated.ts';
export * as p384Order from './generated/p384-order.generated.ts';
export * as p521 from './generated/p521.generated.ts';
export * as p521Order from './generated/p521-order.generated.ts';
export * as secp256k1 from './generated/secp256k1.generated.ts';
export * as secp256k1Order from './generated/secp256k1-order.generated.ts';
export { P256_MONTGOMERY, type P256Montgomery } from './portable/p256-montgomery.ts';
export { P256_ORDER, type P256Order } from './portable/p256-order-montgomery.ts';
export { P256_POLYNOMIAL, type P256Polynomial } from './portable/p256-polynomial.ts';
export { RuntimeMontgomeryField } from './portable/runtime-montgomery.ts';
export { divisionSteps, Safegcd, type SafegcdParameters } from './portable/safegcd.ts';
export { fromWideBytes } from './portable/wide.ts';
export type { Backend, LimbLayout, PrimeForm, PrimeRow, Representation } from './primes.ts';
export { PRIMES } from './primes.ts';
export {
  instantiateField,
  type WasmElement,
  type WasmField,
  type WasmFieldFunctions,
  type WasmFieldSource,
} from './wasm/wasm-field.ts';
