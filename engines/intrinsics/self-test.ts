// The host's test of a candidate: known answers first, then comparison with the oracle at edge and random scalars.

import { bytesAreZero, bytesEqual } from '../../fields/ct.ts';
import type { Field } from '../../fields/field.ts';
import { bytesFromHex } from '../curves.ts';
import type { CurveName, CurveRow, ECOperations } from '../ec-operations.ts';
import { EngineError } from '../errors.ts';
import { KNOWN_POINTS } from '../generated/known-points.generated.ts';
import type { BaseMultiplication, DoubleMultiplication, PointMultiplication } from '../multipliers/multiplier.ts';

/** `known`: published results only; `full`: also compared with the oracle. */
export type TestDepth = 'known' | 'full';

interface KnownAnswer {
  readonly k: string;
  readonly point: string;
}

/** secp256r1: from the point multiplication tables that NIST's test suite for the curves gave out; others: OpenSSL. */
const KNOWN: Readonly<Record<CurveName, KnownAnswer>> = {
  ...KNOWN_POINTS,
  secp256r1: {
    k: '000000000000000000000000000000000000000000000000018ebbb95eed0e13',
    point:
      '339150844ec15234807fe862a86be77977dbfb3ae3d96f4c22795513aeaab82f' +
      'b1c14ddfdc8ec1b2583f51e85a5eb3a155840f2034730e9b5ada38b674336a21',
  },
};

const RANDOM_SCALARS = 3;

/** An oracle's scalars and answers, kept for the next candidate: on large fields they take most of the time. */
interface Answers {
  readonly scalars: readonly Uint8Array[];
  readonly points: Map<string, Answer>;
}

interface Answer {
  readonly finite: number;
  readonly point: Uint8Array;
}

const remembered = new WeakMap<ECOperations, Answers>();

function answersOf(oracle: ECOperations): Answers {
  let answers = remembered.get(oracle);
  if (answers === undefined) {
    answers = { scalars: scalars(oracle), points: new Map() };
    remembered.set(oracle, answers);
  }
  return answers;
}

/** What `compute` writes for these inputs of the oracle, computed once. */
function answer(oracle: ECOperations, key: string, compute: (out: Uint8Array) => number): Answer {
  const { points } = answersOf(oracle);
  let result = points.get(key);
  if (result === undefined) {
    const point = new Uint8Array(2 * oracle.byteLength);
    result = { finite: compute(point), point };
    points.set(key, result);
  }
  return result;
}

/** The i-th scalar times the generator. */
function baseAnswer(oracle: ECOperations, i: number): Answer {
  return answer(oracle, `base ${i}`, (out) => oracle.multiplyBase(out, answersOf(oracle).scalars[i]!));
}

/** The i-th scalar times the known point. */
function pointAnswer(oracle: ECOperations, i: number, point: Uint8Array): Answer {
  return answer(oracle, `point ${i}`, (out) => oracle.multiply(out, point, answersOf(oracle).scalars[i]!));
}

/** The sum of two answers. */
function joined(oracle: ECOperations, a: Answer, b: Answer): Answer {
  if (a.finite === 0) return b;
  if (b.finite === 0) return a;
  const point = new Uint8Array(a.point.length);
  return { finite: oracle.add(point, a.point, b.point), point };
}

/** Scalars at which carries, recodings and exceptional additions show, all below n, and some random ones. */
function scalars(oracle: ECOperations): Uint8Array[] {
  const { scalars: field } = oracle;
  const width = field.byteLength;
  const small = (value: number): Uint8Array => {
    const out = new Uint8Array(width);
    out[width - 1] = value;
    return out;
  };
  const negated = (k: Uint8Array): Uint8Array => {
    const out = new Uint8Array(width);
    field.negate(out, k);
    return out;
  };
  const reduced = (bytes: Uint8Array): Uint8Array => {
    const out = new Uint8Array(width);
    field.reduce(out, bytes);
    return out;
  };
  const power = new Uint8Array(width + 1);
  power[0] = 1;
  const out = [small(0), small(1), small(2), small(31), small(32), negated(small(1)), negated(small(2))];
  // 2^bits mod n is where a last incomplete addition of a comb would double.
  out.push(reduced(power), negated(reduced(power)), reduced(new Uint8Array(width).fill(0xff)));
  for (let i = 0; i < RANDOM_SCALARS; i++) {
    out.push(reduced(globalThis.crypto.getRandomValues(new Uint8Array(width + 8))));
  }
  return out;
}

function compare(what: string, got: Uint8Array, finite: number, wanted: Uint8Array, wantedFinite: number): void {
  if (finite !== wantedFinite || bytesEqual(got, wanted) === 0) throw new EngineError(`${what} gives a wrong point`);
}

function known(curve: CurveRow): { k: Uint8Array; point: Uint8Array } {
  const answer = KNOWN[curve.name as CurveName];
  if (answer === undefined) throw new EngineError(`no known answer for ${curve.name}`);
  const { k, point } = answer;
  return { k: bytesFromHex(k), point: bytesFromHex(point) };
}

/** Throws EngineError if the multiplication of the generator is wrong. */
export function testBase(tested: BaseMultiplication, oracle: ECOperations, depth: TestDepth): void {
  const { k, point } = known(oracle.curve);
  const got = new Uint8Array(point.length);
  compare('multiplication of the generator', got, tested.multiplyBase(got, k), point, 1);
  if (depth === 'known') return;
  for (const [i, scalar] of answersOf(oracle).scalars.entries()) {
    const wanted = baseAnswer(oracle, i);
    compare('multiplication of the generator', got, tested.multiplyBase(got, scalar), wanted.point, wanted.finite);
  }
}

/** Throws EngineError if the multiplication of any point is wrong. */
export function testPoint(tested: PointMultiplication, oracle: ECOperations, depth: TestDepth): void {
  const { k, point } = known(oracle.curve);
  const G = bytesFromHex(oracle.curve.gx + oracle.curve.gy);
  const got = new Uint8Array(point.length);
  compare('multiplication of a point', got, tested.multiply(got, G, k), point, 1);
  if (depth === 'known') return;
  for (const [i, scalar] of answersOf(oracle).scalars.entries()) {
    const wanted = pointAnswer(oracle, i, point);
    compare('multiplication of a point', got, tested.multiply(got, point, scalar), wanted.point, wanted.finite);
  }
}

/** Throws EngineError if the double multiplication or its comparison is wrong. */
export function testDouble(tested: DoubleMultiplication, oracle: ECOperations, depth: TestDepth): void {
  const { curve, scalars: field } = oracle;
  const { k, point } = known(curve);
  const width = field.byteLength;
  const G = bytesFromHex(curve.gx + curve.gy);
  const got = new Uint8Array(point.length);
  const what = 'double multiplication';
  // u1 + u2 = k
  const u1 = new Uint8Array(width);
  const u2 = new Uint8Array(width).fill(0x5a);
  field.negate(u1, u2);
  field.add(u1, u1, k);
  compare(what, got, tested.multiplyDoubleVartime(got, u1, u2, G), point, 1);
  const r = point.subarray(0, width);
  const wrong = r.slice();
  wrong[width - 1]! ^= 1;
  if (tested.matchesVartime(u1, u2, G, r, undefined) !== 1) {
    throw new EngineError(`${what} refuses a right comparison`);
  }
  if (tested.matchesVartime(u1, u2, G, wrong, undefined) !== 0) {
    throw new EngineError(`${what} accepts a wrong comparison`);
  }
  if (depth === 'known') return;
  const all = answersOf(oracle).scalars;
  const prepared = tested.precompute(point);
  for (const [i, a] of all.entries()) {
    const b = all[(i * 5 + 1) % all.length]!;
    const wanted = joined(oracle, baseAnswer(oracle, i), pointAnswer(oracle, all.indexOf(b), point));
    compare(what, got, tested.multiplyDoubleVartime(got, a, b, point), wanted.point, wanted.finite);
    compare(what, got, tested.multiplyDoubleVartime(got, a, b, prepared), wanted.point, wanted.finite);
  }
  // Terms that coincide, cancel or are infinite.
  const zero = all[0]!;
  const opposite = new Uint8Array(width);
  field.negate(opposite, k);
  const special = [
    [k, k],
    [k, opposite],
    [zero, zero],
    [zero, k],
    [k, zero],
  ] as const;
  for (const [i, [a, b]] of special.entries()) {
    const wanted = answer(oracle, `special ${i}`, (out) => oracle.multiplyDoubleVartime(out, a, b, G));
    compare(what, got, tested.multiplyDoubleVartime(got, a, b, G), wanted.point, wanted.finite);
    if (wanted.finite === 0 && tested.matchesVartime(a, b, G, zero, undefined) !== 0) {
      throw new EngineError(`${what} takes infinity for a point`);
    }
  }
  testWrappedX(tested, oracle);
}

/** A point whose x lies in [n, p) must match r = x − n. */
function testWrappedX(tested: DoubleMultiplication, oracle: ECOperations): void {
  const width = oracle.scalars.byteLength;
  const x = oracle.scalars.order.slice();
  const r = new Uint8Array(width);
  const point = new Uint8Array(2 * oracle.byteLength);
  const bump = (bytes: Uint8Array): void => {
    let at = width - 1;
    while (at >= 0) {
      bytes[at] = bytes[at]! + 1;
      if (bytes[at]! !== 0) return;
      at--;
    }
  };
  // Half of all x are on the curve; p − n is far above 256 wherever n < p.
  for (let tries = 0; tries < 256; tries++) {
    if (oracle.decompressVartime(point, x, 0) === 1) {
      const one = new Uint8Array(width);
      one[width - 1] = 1;
      if (tested.matchesVartime(new Uint8Array(width), one, point, r, x) !== 1) {
        throw new EngineError('double multiplication refuses an x between n and p');
      }
      return;
    }
    bump(x);
    bump(r);
  }
}

/** Throws EngineError if arithmetic modulo the order differs from the oracle's. */
export function testScalars(tested: ECOperations, oracle: ECOperations, depth: TestDepth): void {
  const all = depth === 'full' ? answersOf(oracle).scalars : answersOf(oracle).scalars.slice(-2);
  const width = oracle.scalars.byteLength;
  const got = new Uint8Array(width);
  const wanted = new Uint8Array(width);
  const check = (): void => {
    if (bytesEqual(got, wanted) === 0) throw new EngineError('arithmetic modulo the order is wrong');
  };
  for (const [i, a] of all.entries()) {
    const b = all[(i * 3 + 1) % all.length]!;
    for (const name of ['add', 'multiply'] as const) {
      tested.scalars[name](got, a, b);
      oracle.scalars[name](wanted, a, b);
      check();
    }
    for (const name of ['negate', 'invert', 'reduceNonZero', 'reduce'] as const) {
      tested.scalars[name](got, a);
      oracle.scalars[name](wanted, a);
      check();
    }
  }
}

/** Throws EngineError if the field does not multiply, square, subtract or invert as it must. */
export function testField(field: Field<string>, curve: CurveRow): void {
  const x = field.create();
  const y = field.create();
  const t = field.create();
  const bytes = new Uint8Array(field.byteLength);
  const G = bytesFromHex(curve.gx + curve.gy);
  field.fromBytes(x, G, 0);
  field.fromBytes(y, G, field.byteLength);
  // x³ + ax + b − y² = 0
  const a = field.create();
  field.fromBytes(a, bytesFromHex(curve.a), 0);
  field.square(t, x);
  field.mul(t, t, x);
  field.mul(x, x, a);
  field.add(t, t, x);
  field.carry(t, t);
  field.square(x, y);
  field.sub(t, t, x);
  field.fromBytes(x, bytesFromHex(curve.b), 0);
  field.add(t, t, x);
  field.carry(t, t);
  field.toBytes(bytes, 0, t);
  const inverse = field.create();
  field.invert(inverse, y);
  field.mul(inverse, inverse, y);
  field.one(x);
  if (bytesAreZero(bytes) === 0 || field.isZero(t) === 0 || field.equals(inverse, x) === 0) {
    throw new EngineError(`the field ${field.domain} computes wrongly`);
  }
}
