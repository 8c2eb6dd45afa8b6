// Complete formulas for a = 0 and for any a: algorithms 1, 3, 7 and 9 of Renes, Costello, Batina (2016). Those for
// a = −3, and all that does not depend on a, are in complete.ts.

import type { Element, Field } from '../../fields/field.ts';

export interface Coordinates<D extends string> {
  readonly x: Element<D>;
  readonly y: Element<D>;
  readonly z: Element<D>;
}

/** Intermediate values and the result (X3, Y3, Z3), which the caller copies and wipes. */
export interface Scratch<D extends string> {
  readonly t0: Element<D>;
  readonly t1: Element<D>;
  readonly t2: Element<D>;
  readonly t3: Element<D>;
  readonly t4: Element<D>;
  readonly t5: Element<D>;
  readonly X3: Element<D>;
  readonly Y3: Element<D>;
  readonly Z3: Element<D>;
}

export interface GroupLaw<D extends string> {
  /** The scratch's result = p + q. */
  add(p: Coordinates<D>, q: Coordinates<D>): void;
  /** The scratch's result = 2p. */
  double(p: Coordinates<D>): void;
}

/** For any a; b3 = 3b. */
export function generalLaw<D extends string>(
  field: Field<D>,
  scratch: Scratch<D>,
  a: Element<D>,
  b3: Element<D>,
): GroupLaw<D> {
  const { t0, t1, t2, t3, t4, t5, X3, Y3, Z3 } = scratch;
  const { add, sub } = carried(field);
  return {
    // Algorithm 1: 12M + 3m_a + 2m_3b.
    add({ x: X1, y: Y1, z: Z1 }, { x: X2, y: Y2, z: Z2 }) {
      field.mul(t0, X1, X2); // 1
      field.mul(t1, Y1, Y2); // 2
      field.mul(t2, Z1, Z2); // 3
      add(t3, X1, Y1); // 4
      add(t4, X2, Y2); // 5
      field.mul(t3, t3, t4); // 6
      add(t4, t0, t1); // 7
      sub(t3, t3, t4); // 8
      add(t4, X1, Z1); // 9
      add(t5, X2, Z2); // 10
      field.mul(t4, t4, t5); // 11
      add(t5, t0, t2); // 12
      sub(t4, t4, t5); // 13
      add(t5, Y1, Z1); // 14
      add(X3, Y2, Z2); // 15
      field.mul(t5, t5, X3); // 16
      add(X3, t1, t2); // 17
      sub(t5, t5, X3); // 18
      field.mul(Z3, a, t4); // 19
      field.mul(X3, b3, t2); // 20
      add(Z3, X3, Z3); // 21
      sub(X3, t1, Z3); // 22
      add(Z3, t1, Z3); // 23
      field.mul(Y3, X3, Z3); // 24
      add(t1, t0, t0); // 25
      add(t1, t1, t0); // 26
      field.mul(t2, a, t2); // 27
      field.mul(t4, b3, t4); // 28
      add(t1, t1, t2); // 29
      sub(t2, t0, t2); // 30
      field.mul(t2, a, t2); // 31
      add(t4, t4, t2); // 32
      field.mul(t0, t1, t4); // 33
      add(Y3, Y3, t0); // 34
      field.mul(t0, t5, t4); // 35
      field.mul(X3, t3, X3); // 36
      sub(X3, X3, t0); // 37
      field.mul(t0, t3, t1); // 38
      field.mul(Z3, t5, Z3); // 39
      add(Z3, Z3, t0); // 40
    },
    // Algorithm 3: 8M + 3S + 3m_a + 2m_3b.
    double({ x: X, y: Y, z: Z }) {
      field.square(t0, X); // 1
      field.square(t1, Y); // 2
      field.square(t2, Z); // 3
      field.mul(t3, X, Y); // 4
      add(t3, t3, t3); // 5
      field.mul(Z3, X, Z); // 6
      add(Z3, Z3, Z3); // 7
      field.mul(X3, a, Z3); // 8
      field.mul(Y3, b3, t2); // 9
      add(Y3, X3, Y3); // 10
      sub(X3, t1, Y3); // 11
      add(Y3, t1, Y3); // 12
      field.mul(Y3, X3, Y3); // 13
      field.mul(X3, t3, X3); // 14
      field.mul(Z3, b3, Z3); // 15
      field.mul(t2, a, t2); // 16
      sub(t3, t0, t2); // 17
      field.mul(t3, a, t3); // 18
      add(t3, t3, Z3); // 19
      add(Z3, t0, t0); // 20
      add(t0, Z3, t0); // 21
      add(t0, t0, t2); // 22
      field.mul(t0, t0, t3); // 23
      add(Y3, Y3, t0); // 24
      field.mul(t2, Y, Z); // 25
      add(t2, t2, t2); // 26
      field.mul(t0, t2, t3); // 27
      sub(X3, X3, t0); // 28
      field.mul(Z3, t2, t1); // 29
      add(Z3, Z3, Z3); // 30
      add(Z3, Z3, Z3); // 31
    },
  };
}

/** For a = 0; b3 = 3b. */
export function zeroLaw<D extends string>(field: Field<D>, scratch: Scratch<D>, b3: Element<D>): GroupLaw<D> {
  const { t0, t1, t2, t3, t4, X3, Y3, Z3 } = scratch;
  const { add, sub } = carried(field);
  return {
    // Algorithm 7: 12M + 2m_3b.
    add({ x: X1, y: Y1, z: Z1 }, { x: X2, y: Y2, z: Z2 }) {
      field.mul(t0, X1, X2); // 1
      field.mul(t1, Y1, Y2); // 2
      field.mul(t2, Z1, Z2); // 3
      add(t3, X1, Y1); // 4
      add(t4, X2, Y2); // 5
      field.mul(t3, t3, t4); // 6
      add(t4, t0, t1); // 7
      sub(t3, t3, t4); // 8
      add(t4, Y1, Z1); // 9
      add(X3, Y2, Z2); // 10
      field.mul(t4, t4, X3); // 11
      add(X3, t1, t2); // 12
      sub(t4, t4, X3); // 13
      add(X3, X1, Z1); // 14
      add(Y3, X2, Z2); // 15
      field.mul(X3, X3, Y3); // 16
      add(Y3, t0, t2); // 17
      sub(Y3, X3, Y3); // 18
      add(X3, t0, t0); // 19
      add(t0, X3, t0); // 20
      field.mul(t2, b3, t2); // 21
      add(Z3, t1, t2); // 22
      sub(t1, t1, t2); // 23
      field.mul(Y3, b3, Y3); // 24
      field.mul(X3, t4, Y3); // 25
      field.mul(t2, t3, t1); // 26
      sub(X3, t2, X3); // 27
      field.mul(Y3, Y3, t0); // 28
      field.mul(t1, t1, Z3); // 29
      add(Y3, t1, Y3); // 30
      field.mul(t0, t0, t3); // 31
      field.mul(Z3, Z3, t4); // 32
      add(Z3, Z3, t0); // 33
    },
    // Algorithm 9: 6M + 2S + 1m_3b.
    double({ x: X, y: Y, z: Z }) {
      field.square(t0, Y); // 1
      add(Z3, t0, t0); // 2
      add(Z3, Z3, Z3); // 3
      add(Z3, Z3, Z3); // 4
      field.mul(t1, Y, Z); // 5
      field.square(t2, Z); // 6
      field.mul(t2, b3, t2); // 7
      field.mul(X3, t2, Z3); // 8
      add(Y3, t0, t2); // 9
      field.mul(Z3, t1, Z3); // 10
      add(t1, t2, t2); // 11
      add(t2, t1, t2); // 12
      sub(t0, t0, t2); // 13
      field.mul(Y3, t0, Y3); // 14
      add(Y3, X3, Y3); // 15
      field.mul(t1, X, Y); // 16
      field.mul(X3, t0, t1); // 17
      add(X3, X3, X3); // 18
    },
  };
}

type Sum<D extends string> = (out: Element<D>, u: Element<D>, v: Element<D>) => void;

/** Sums and differences with carried limbs. */
export function carried<D extends string>(field: Field<D>): { readonly add: Sum<D>; readonly sub: Sum<D> } {
  return {
    add(out, u, v) {
      field.add(out, u, v);
      field.carry(out, out);
    },
    sub(out, u, v) {
      field.sub(out, u, v);
      field.carry(out, out);
    },
  };
}
