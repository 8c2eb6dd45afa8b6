// ECOperations composed of a field and one multiplier per role: what is common to all compositions.

import { bytesLess } from '../fields/ct.ts';
import type { Field } from '../fields/field.ts';
import { bytesFromHex } from './curves.ts';
import type { CurveRow, ECOperations, PrecomputedPoint, ScalarOperations } from './ec-operations.ts';
import { EngineError } from './errors.ts';
import type { BaseMultiplication, DoubleMultiplication, PointMultiplication } from './multipliers/multiplier.ts';
import { completeFormulas } from './points/complete.ts';
import { powerPublic } from './points/square-root.ts';

export interface Composition<D extends string> {
  readonly curve: CurveRow;
  readonly field: Field<D>;
  readonly scalars: ScalarOperations;
  readonly base: BaseMultiplication;
  readonly point: PointMultiplication;
  readonly double: DoubleMultiplication;
}

function addBytes(out: Uint8Array, a: Uint8Array, b: Uint8Array): number {
  let c = 0;
  for (let i = out.length - 1; i >= 0; i--) {
    c += a[i]! + b[i]!;
    out[i] = c;
    c >>= 8;
  }
  return c;
}

/** (p + 1)/4 as bytes, for p ≡ 3 mod 4. */
function rootExponent(p: Uint8Array): Uint8Array {
  const one = new Uint8Array(p.length);
  one[p.length - 1] = 1;
  const sum = new Uint8Array(p.length);
  const carry = addBytes(sum, p, one);
  return sum.map((byte, i) => (byte >> 2) | ((i > 0 ? sum[i - 1]! : carry) << 6));
}

/** Binds the parts into operations; every function checks lengths and reduces scalars where the contract says so. */
export function composeOperations<D extends string>(parts: Composition<D>): ECOperations {
  const { curve, field, scalars, base, point: variable, double } = parts;
  const width = scalars.byteLength;
  const coordinate = field.byteLength;
  const p = bytesFromHex(curve.p);
  const exponent = rootExponent(p);
  const formulas = completeFormulas(field, bytesFromHex(curve.b));
  const left = formulas.createPoint();
  const right = formulas.createPoint();
  const bElement = field.create();
  field.fromBytes(bElement, bytesFromHex(curve.b), 0);
  const three = field.create();
  const t = field.create();
  const s = field.create();
  const y = field.create();
  const reduced = new Uint8Array(width);
  const reduced2 = new Uint8Array(width);
  const rPlusOrder = new Uint8Array(width);
  const affine = new Uint8Array(2 * coordinate);
  field.one(three);
  field.mulSmall(three, three, 3);

  const checkLength = (bytes: Uint8Array, length: number, what: string): void => {
    if (bytes.length !== length) throw new EngineError(`${what} must have ${length} bytes, got ${bytes.length}`);
  };
  const checkPoint = (q: Uint8Array | PrecomputedPoint): void => {
    if (q instanceof Uint8Array) checkLength(q, 2 * coordinate, 'a point');
    else if (q.curve !== curve.name)
      throw new EngineError(`a point prepared for ${q.curve} was given to ${curve.name}`);
  };
  /** t = x³ − 3x + b for x in s. */
  const rightSide = (): void => {
    field.square(t, s);
    field.sub(t, t, three);
    field.carry(t, t);
    field.mul(t, t, s);
    field.add(t, t, bElement);
    field.carry(t, t);
  };

  return {
    curve,
    byteLength: coordinate,
    scalars,
    multiplyBase(out, k) {
      checkLength(out, 2 * coordinate, 'the result');
      scalars.reduce(reduced, k);
      const finite = base.multiplyBase(out, reduced);
      reduced.fill(0);
      return finite;
    },
    multiply(out, point, k) {
      checkLength(out, 2 * coordinate, 'the result');
      checkLength(point, 2 * coordinate, 'a point');
      scalars.reduce(reduced, k);
      const finite = variable.multiply(out, point, reduced);
      reduced.fill(0);
      return finite;
    },
    multiplyDoubleVartime(out, u1, u2, q) {
      checkLength(out, 2 * coordinate, 'the result');
      checkPoint(q);
      scalars.reduce(reduced, u1);
      scalars.reduce(reduced2, u2);
      return double.multiplyDoubleVartime(out, reduced, reduced2, q);
    },
    matchesVartime(u1, u2, q, r) {
      checkPoint(q);
      checkLength(r, width, 'r');
      scalars.reduce(reduced, u1);
      scalars.reduce(reduced2, u2);
      const fits = addBytes(rPlusOrder, r, scalars.order) === 0 && bytesLess(rPlusOrder, p) === 1;
      return double.matchesVartime(reduced, reduced2, q, r, fits ? rPlusOrder : undefined);
    },
    precompute(point) {
      checkLength(point, 2 * coordinate, 'a point');
      return double.precompute(point);
    },
    add(out, a, b) {
      checkLength(out, 2 * coordinate, 'the result');
      checkLength(a, 2 * coordinate, 'a point');
      checkLength(b, 2 * coordinate, 'a point');
      formulas.fromAffine(left, a);
      formulas.fromAffine(right, b);
      formulas.add(left, left, right);
      return formulas.asAffine(out, left);
    },
    isOnCurve(point) {
      if (point.length !== 2 * coordinate) return 0;
      const inRange = bytesLess(point.subarray(0, coordinate), p) & bytesLess(point.subarray(coordinate), p);
      field.fromBytes(s, point, 0);
      rightSide();
      field.fromBytes(y, point, coordinate);
      field.square(y, y);
      return inRange & field.equals(y, t);
    },
    decompressVartime(out, x, parity) {
      checkLength(out, 2 * coordinate, 'the result');
      checkLength(x, coordinate, 'an x coordinate');
      if (bytesLess(x, p) === 0) return 0;
      field.fromBytes(s, x, 0);
      rightSide();
      powerPublic(field, y, t, exponent);
      field.square(s, y);
      if (field.equals(s, t) === 0) return 0;
      field.toBytes(affine, coordinate, y);
      if ((affine[2 * coordinate - 1]! & 1) !== parity) field.neg(y, y);
      field.toBytes(affine, coordinate, y);
      affine.set(x);
      // y = 0 has no odd twin.
      if ((affine[2 * coordinate - 1]! & 1) !== parity) return 0;
      out.set(affine);
      return 1;
    },
  };
}
