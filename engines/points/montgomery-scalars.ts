// Arithmetic modulo the order of any curve, over the run-time Montgomery field. Constant time; scratch is wiped.
//
// A signature needs five products and an inversion here, which is nothing beside its point multiplication: one module
// with the modulus in memory serves every order, and no program loads code for orders that it does not use.

import { bytesAreZero, bytesLess } from '../../fields/ct.ts';
import type { Element } from '../../fields/field.ts';
import { RuntimeMontgomeryField } from '../../fields/portable/runtime-montgomery.ts';
import { bytesFromHex } from '../curves.ts';
import type { CurveRow, ScalarOperations } from '../ec-operations.ts';
import { ByteReducer } from './byte-reduction.ts';

class MontgomeryScalars implements ScalarOperations {
  readonly byteLength: number;
  readonly order: Uint8Array;
  /** (n + 1)/2: the least high value. */
  readonly #half: Uint8Array;
  readonly #field: RuntimeMontgomeryField<string>;
  readonly #modulo: ByteReducer;
  readonly #moduloLess: ByteReducer;
  readonly #a: Element<string>;
  readonly #b: Element<string>;

  constructor(curve: CurveRow) {
    this.order = bytesFromHex(curve.n);
    this.byteLength = this.order.length;
    // n is odd: n − 1 differs in the last bit alone, and (n + 1)/2 is (n >> 1) + 1.
    const less = this.order.slice();
    less[less.length - 1]! ^= 1;
    this.#modulo = new ByteReducer(this.order);
    this.#moduloLess = new ByteReducer(less);
    this.#half = this.order.map((byte, i) => (byte >> 1) | ((i > 0 ? this.order[i - 1]! : 0) << 7));
    for (let i = this.#half.length - 1; i >= 0; i--) {
      this.#half[i] = this.#half[i]! + 1;
      if (this.#half[i] !== 0) break;
    }
    this.#field = new RuntimeMontgomeryField<string>(`${curve.name}/order`, this.order);
    this.#a = this.#field.create();
    this.#b = this.#field.create();
  }

  reduce(out: Uint8Array, wide: Uint8Array): void {
    this.#modulo.reduce(out, wide, 0);
  }

  reduceNonZero(out: Uint8Array, wide: Uint8Array): void {
    this.#moduloLess.reduce(out, wide, 1);
  }

  add(out: Uint8Array, x: Uint8Array, y: Uint8Array): void {
    this.#load(x, y);
    this.#field.add(this.#a, this.#a, this.#b);
    this.#deliver(out);
  }

  multiply(out: Uint8Array, x: Uint8Array, y: Uint8Array): void {
    this.#load(x, y);
    this.#field.mul(this.#a, this.#a, this.#b);
    this.#deliver(out);
  }

  negate(out: Uint8Array, x: Uint8Array): void {
    this.#field.fromBytes(this.#a, x, 0);
    this.#field.neg(this.#a, this.#a);
    this.#deliver(out);
  }

  invert(out: Uint8Array, x: Uint8Array): void {
    this.#field.fromBytes(this.#a, x, 0);
    this.#field.invert(this.#a, this.#a);
    this.#deliver(out);
  }

  isValid(x: Uint8Array): number {
    return bytesLess(x, this.order) & (bytesAreZero(x) ^ 1);
  }

  isZero(x: Uint8Array): number {
    return bytesAreZero(x);
  }

  isHigh(x: Uint8Array): number {
    return bytesLess(x, this.#half) ^ 1;
  }

  #load(x: Uint8Array, y: Uint8Array): void {
    this.#field.fromBytes(this.#a, x, 0);
    this.#field.fromBytes(this.#b, y, 0);
  }

  #deliver(out: Uint8Array): void {
    this.#field.toBytes(out, 0, this.#a);
    this.#field.zero(this.#a);
    this.#field.zero(this.#b);
  }
}

export function montgomeryScalars(curve: CurveRow): ScalarOperations {
  return new MontgomeryScalars(curve);
}
