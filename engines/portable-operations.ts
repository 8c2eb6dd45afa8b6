// ECOperations composed of a field and one multiplier per role: what is common to all compositions.

import { bytesAreZero, bytesLess } from '../fields/ct.ts';
import type { Field } from '../fields/field.ts';
import { bytesFromHex } from './curves.ts';
import type { CurveRow, ECOperations, PrecomputedPoint, ScalarOperations } from './ec-operations.ts';
import { EngineError } from './errors.ts';
import type { BaseMultiplication, DoubleMultiplication, PointMultiplication } from './multipliers/multiplier.ts';
import { completeFormulas } from './points/complete.ts';
import { squareRootVartime } from './points/square-root.ts';

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

/** `out` gets `bytes` at its own width; 0 if the value does not fit. */
function resize(out: Uint8Array, bytes: Uint8Array): number {
  const surplus = bytes.length - out.length;
  if (surplus === 0) {
    out.set(bytes);
    return 1;
  }
  out.fill(0);
  out.set(bytes.subarray(Math.max(surplus, 0)), Math.max(-surplus, 0));
  return surplus <= 0 ? 1 : bytesAreZero(bytes.subarray(0, surplus));
}

/** Binds the parts into operations; every function checks lengths and reduces scalars where the contract says so. */
export function composeOperations<D extends string>(parts: Composition<D>): ECOperations {
  const { curve, field, scalars, base, point: variable, double } = parts;
  const width = scalars.byteLength;
  const coordinate = field.byteLength;
  const p = bytesFromHex(curve.p);
  const squareRoot = squareRootVartime(field, p);
  const formulas = completeFormulas(field, curve);
  const left = formulas.createPoint();
  const right = formulas.createPoint();
  const bElement = field.create();
  field.fromBytes(bElement, bytesFromHex(curve.b), 0);
  const aElement = field.create();
  field.fromBytes(aElement, bytesFromHex(curve.a), 0);
  const t = field.create();
  const s = field.create();
  const y = field.create();
  const reduced = new Uint8Array(width);
  const reduced2 = new Uint8Array(width);
  const sum = new Uint8Array(width);
  const wantedX = new Uint8Array(coordinate);
  const wrappedX = new Uint8Array(coordinate);
  const affine = new Uint8Array(2 * coordinate);

  const checkLength = (bytes: Uint8Array, length: number, what: string): void => {
    if (bytes.length !== length) throw new EngineError(`${what} must have ${length} bytes, got ${bytes.length}`);
  };
  const checkPoint = (q: Uint8Array | PrecomputedPoint): void => {
    if (q instanceof Uint8Array) checkLength(q, 2 * coordinate, 'a point');
    else if (q.curve !== curve.name)
      throw new EngineError(`a point prepared for ${q.curve} was given to ${curve.name}`);
  };
  /** t = x³ + ax + b for x in s. */
  const rightSide = (): void => {
    field.square(t, s);
    field.add(t, t, aElement);
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
      // p and n may have different lengths, and r may even be above p where n is.
      if (resize(wantedX, r) === 0 || bytesLess(wantedX, p) === 0) return 0;
      const wraps =
        addBytes(sum, r, scalars.order) === 0 && resize(wrappedX, sum) === 1 && bytesLess(wrappedX, p) === 1;
      return double.matchesVartime(reduced, reduced2, q, wantedX, wraps ? wrappedX : undefined);
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
      squareRoot(y, t);
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
