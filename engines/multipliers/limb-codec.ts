// What a kernel seldom needs of its field, in loops: bytes in and out, the test for zero. A generated field unrolls
// them too, in twice the text of its products; leaving that out of the program is what keeps its start short.

import type { Element, Field } from '../../fields/field.ts';
import { RuntimeField } from './runtime-field.ts';

/** The operations of a field module that are worth unrolling, with the layout of its limbs. */
export interface HotField<E> {
  readonly domain: string;
  readonly representation: Field<string>['representation'];
  readonly byteLength: number;
  readonly limbCount: number;
  readonly limbWidth: number;
  /** A product of lazy sums of x and y elements is exact for x·y up to this; a square of a sum for up to squareTerms. */
  readonly productTerms: number;
  readonly squareTerms: number;
  create(): E;
  mul(out: E, a: E, b: E): void;
  square(out: E, a: E): void;
  addLazy(out: E, a: E, b: E): void;
  subLazy(out: E, a: E, b: E): void;
  carry(out: E, a: E): void;
  invert(out: E, a: E): void;
  invertVartime(out: E, a: E): void;
}

/**
 * Conversions for elements of the layout of the run-time field of the same modulus. Polynomial elements take one
 * product more: by R² on the way out, by 1 on the way in.
 */
export class LimbCodec {
  readonly #field: RuntimeField;
  readonly #polynomial: boolean;
  readonly #one: Element<string>;
  /** R², and 1, as plain limbs. */
  readonly #entry: Element<string>;
  readonly #unit: Element<string>;
  readonly #work: Element<string>;

  /** Throws RangeError if the layout is not that of the run-time field. */
  constructor(field: RuntimeField, layout: Pick<HotField<never>, 'limbCount' | 'limbWidth' | 'representation'>) {
    const { limbCount, limbWidth } = field;
    if (layout.limbCount !== limbCount || layout.limbWidth !== limbWidth) {
      throw new RangeError(`${field.domain}: the layout is ${limbCount} limbs of ${limbWidth} bits`);
    }
    this.#field = field;
    this.#polynomial = layout.representation === 'polynomial';
    this.#work = field.create();
    this.#unit = field.create();
    this.#unit[0] = 1;
    this.#entry = field.create();
    field.one(this.#entry);
    for (let i = 0; i < limbCount * limbWidth; i++) field.add(this.#entry, this.#entry, this.#entry);
    this.#one = field.create();
    if (this.#polynomial) this.#one[0] = 1;
    else field.one(this.#one);
  }

  one(out: Float64Array): void {
    out.set(this.#one);
  }

  /** Big-endian bytes at `offset`, any value below 2^(8·byteLength), reduced. */
  fromBytes(out: Float64Array, bytes: Uint8Array, offset: number): void {
    const element = out as Element<string>;
    this.#field.fromBytes(element, bytes, offset);
    if (this.#polynomial) this.#field.mul(element, element, this.#unit);
  }

  /** Canonical big-endian bytes at `offset`. */
  toBytes(bytes: Uint8Array, offset: number, a: Float64Array): void {
    const element = a as Element<string>;
    if (!this.#polynomial) {
      this.#field.toBytes(bytes, offset, element);
      return;
    }
    this.#field.mul(this.#work, element, this.#entry);
    this.#field.toBytes(bytes, offset, this.#work);
    this.#work.fill(0);
  }

  /** 1 if a ≡ 0, else 0; limbs carried. */
  isZero(a: Float64Array): number {
    return this.#field.isZero(a as Element<string>);
  }
}

/** The whole contract of a field over the unrolled operations, for complete formulas and validation. */
export function wholeField(hot: HotField<Element<string>>, codec: LimbCodec): Field<string> {
  type E = Element<string>;
  const { limbCount } = hot;
  const work = hot.create();
  const sub = (out: E, a: E, b: E): void => {
    hot.subLazy(out, a, b);
    hot.carry(out, out);
  };
  return {
    domain: hot.domain,
    representation: hot.representation,
    byteLength: hot.byteLength,
    limbCount,
    create: hot.create,
    mul: hot.mul,
    square: hot.square,
    carry: hot.carry,
    invert: hot.invert,
    copy: (out, a) => out.set(a),
    zero: (out) => void out.fill(0),
    one: (out) => codec.one(out),
    add(out, a, b) {
      hot.addLazy(out, a, b);
      hot.carry(out, out);
    },
    sub,
    neg(out, a) {
      for (let i = 0; i < limbCount; i++) out[i] = 0 - a[i]!;
    },
    mulSmall(out, a, factor) {
      const sum = hot.create();
      for (let bit = 15; bit >= 0; bit--) {
        hot.addLazy(sum, sum, sum);
        if ((factor >> bit) & 1) hot.addLazy(sum, sum, a);
        hot.carry(sum, sum);
      }
      out.set(sum);
      sum.fill(0);
    },
    select(out, a, b, bit) {
      for (let i = 0; i < limbCount; i++) out[i] = a[i]! + (b[i]! - a[i]!) * bit;
    },
    swap(a, b, bit) {
      for (let i = 0; i < limbCount; i++) {
        const difference = (b[i]! - a[i]!) * bit;
        a[i] = a[i]! + difference;
        b[i] = b[i]! - difference;
      }
    },
    isZero: (a) => codec.isZero(a),
    equals(a, b) {
      sub(work, a, b);
      const same = codec.isZero(work);
      work.fill(0);
      return same;
    },
    fromBytes: (out, bytes, offset) => codec.fromBytes(out, bytes, offset),
    toBytes: (bytes, offset, a) => codec.toBytes(bytes, offset, a),
  };
}
