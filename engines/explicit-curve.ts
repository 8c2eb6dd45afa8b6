// Curves of a caller's own, from explicit parameters: validated once, then served by the kernel with the modulus in
// memory. SEC 1 version 2, section 3.1.1.2.1, without the cofactor: orders are prime here.
//
// Parameters are public, so BigInt and variable time are in order in this file.

import type { CurveRow, ECOperations } from './ec-operations.ts';
import { EngineError } from './errors.ts';
import { resolveBase, resolveDouble, resolvePoint } from './multipliers/multiplier.ts';
import { jacobianMultipliers, runtimeField, scalarsOf } from './portable-curves.ts';
import { composeOperations } from './portable-operations.ts';

/** y² = x³ + ax + b over GF(p), base point (gx, gy) of prime order n, cofactor 1: unsigned big-endian, any length. */
export interface ExplicitCurve {
  readonly p: Uint8Array;
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  readonly gx: Uint8Array;
  readonly gy: Uint8Array;
  readonly n: Uint8Array;
}

const MAX_EXPLICIT_BITS = 640;
const MIN_EXPLICIT_BITS = 64;
/** Wrongly takes a composite for a prime with a probability below 4^−64, whoever chose it. */
const ROUNDS = 64;
/** SEC 1: the order must not divide p^k − 1 for k below this. */
const EMBEDDING_DEGREES = 100;

function integer(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Miller–Rabin with random bases (FIPS 186-5, B.3.1). Variable time. */
function isProbablePrimeVartime(value: bigint): boolean {
  if (value < 4n) return value > 1n;
  if ((value & 1n) === 0n) return false;
  let odd = value - 1n;
  let twos = 0;
  while ((odd & 1n) === 0n) {
    odd >>= 1n;
    twos++;
  }
  const bytes = new Uint8Array(Math.ceil(bitLength(value) / 8) + 8);
  for (let round = 0; round < ROUNDS; round++) {
    const base = (integer(globalThis.crypto.getRandomValues(bytes)) % (value - 3n)) + 2n;
    let x = power(base, odd, value);
    if (x === 1n || x === value - 1n) continue;
    let composite = true;
    for (let i = 1; i < twos && composite; i++) {
      x = (x * x) % value;
      composite = x !== value - 1n;
    }
    if (composite) return false;
  }
  return true;
}

interface Parameters {
  readonly p: bigint;
  readonly a: bigint;
  readonly b: bigint;
  readonly gx: bigint;
  readonly gy: bigint;
  readonly n: bigint;
}

/** Whether n·G is infinity, by plain Jacobian double-and-add with every exceptional case told apart. */
function annihilatesVartime({ p, a, gx, gy, n }: Parameters): boolean {
  const mod = (value: bigint): bigint => ((value % p) + p) % p;
  let [X, Y, Z] = [1n, 1n, 0n];
  const double = (): void => {
    const yy = mod(Y * Y);
    const s = mod(4n * X * yy);
    const m = mod(3n * X * X + a * Z ** 4n);
    const x3 = mod(m * m - 2n * s);
    [X, Y, Z] = [x3, mod(m * (s - x3) - 8n * yy * yy), mod(2n * Y * Z)];
  };
  for (let i = bitLength(n) - 1; i >= 0; i--) {
    double();
    if (((n >> BigInt(i)) & 1n) === 0n) continue;
    if (Z === 0n) {
      [X, Y, Z] = [gx, gy, 1n];
      continue;
    }
    const zz = mod(Z * Z);
    const h = mod(gx * zz - X);
    const r = mod(gy * zz * Z - Y);
    if (h === 0n) {
      if (r === 0n) double();
      else Z = 0n;
      continue;
    }
    const hh = mod(h * h);
    const v = mod(X * hh);
    const x3 = mod(r * r - hh * h - 2n * v);
    [X, Y, Z] = [x3, mod(r * (v - x3) - Y * hh * h), mod(Z * h)];
  }
  return Z === 0n;
}

/** The first thing wrong with the parameters, or undefined. */
function faultOf({ p, a, b, gx, gy, n }: Parameters): string | undefined {
  for (const [name, value] of [
    ['the prime', p],
    ['the order', n],
  ] as const) {
    const bits = bitLength(value);
    if (bits < MIN_EXPLICIT_BITS || bits > MAX_EXPLICIT_BITS) {
      return `${name} has ${bits} bits; ${MIN_EXPLICIT_BITS} to ${MAX_EXPLICIT_BITS} are served`;
    }
  }
  if (a >= p || b >= p) return 'a coefficient is not below the prime';
  if (gx >= p || gy >= p) return 'a coordinate of the base point is not below the prime';
  if (n === p) return 'the order equals the prime: the curve is anomalous';
  // Hasse: |n − (p + 1)| ≤ 2√p. A prime in that range leaves no room for a cofactor.
  const trace = p + 1n - n;
  if (trace * trace > 4n * p) return 'the order is too far from the prime: the cofactor is not 1';
  if ((4n * a ** 3n + 27n * b ** 2n) % p === 0n) return 'the discriminant is 0: the curve is singular';
  if ((gy ** 2n - gx ** 3n - a * gx - b) % p !== 0n) return 'the base point is not on the curve';
  if (!isProbablePrimeVartime(p)) return 'the modulus of the field is not a prime';
  if (!isProbablePrimeVartime(n)) return 'the order is not a prime';
  let embedding = 1n;
  for (let k = 1; k < EMBEDDING_DEGREES; k++) {
    embedding = (embedding * p) % n;
    if (embedding === 1n) return `its embedding degree is ${k}: discrete logarithms are easy`;
  }
  if (!annihilatesVartime({ p, a, b, gx, gy, n })) return 'the order is not that of the base point';
  return undefined;
}

const validated = new Map<string, CurveRow>();
const MAX_REMEMBERED = 64;

/**
 * Checks that p and n are probable primes of 64 to 640 bits, that the curve is not singular, anomalous or of a small
 * embedding degree, that the base point is on it, that its order is n and the cofactor 1. Equal parameters are checked
 * once. The row's name is `explicit-` and the beginning of the curve's parameters. Takes 20 to 500 ms. Throws
 * EngineError saying what is wrong.
 */
export function validateExplicitCurve(curve: ExplicitCurve): CurveRow {
  const { p, a, b, gx, gy, n } = curve;
  for (const [name, bytes] of Object.entries({ p, a, b, gx, gy, n })) {
    if (!(bytes instanceof Uint8Array) || bytes.length > 2 * MAX_EXPLICIT_BITS) {
      throw new EngineError(`explicit parameters: ${name} must be a Uint8Array, big-endian`);
    }
  }
  const values: Parameters = {
    p: integer(p),
    a: integer(a),
    b: integer(b),
    gx: integer(gx),
    gy: integer(gy),
    n: integer(n),
  };
  const key = Object.values(values)
    .map((value) => value.toString(16))
    .join(' ');
  const known = validated.get(key);
  if (known !== undefined) return known;
  const fault = faultOf(values);
  if (fault !== undefined) throw new EngineError(`explicit parameters: ${fault}`);
  const [fieldBits, orderBits] = [bitLength(values.p), bitLength(values.n)];
  const hex = (value: bigint, bits: number): string => value.toString(16).padStart(2 * Math.ceil(bits / 8), '0');
  const row: CurveRow = {
    name: `explicit-${fieldBits}-${values.n.toString(16).slice(-16)}${values.b.toString(16).slice(-16)}`,
    oid: '',
    aliases: [],
    p: hex(values.p, fieldBits),
    a: hex(values.a, fieldBits),
    kindOfA: values.a === values.p - 3n ? 'minus-three' : values.a === 0n ? 'zero' : 'general',
    b: hex(values.b, fieldBits),
    gx: hex(values.gx, fieldBits),
    gy: hex(values.gy, fieldBits),
    n: hex(values.n, orderBits),
    cofactor: 1,
    fieldBits,
    orderBits,
  };
  // A caller who makes up curves without end must not fill the memory.
  if (validated.size >= MAX_REMEMBERED) validated.clear();
  validated.set(key, row);
  return row;
}

const built = new WeakMap<CurveRow, ECOperations>();

/**
 * The operations of a curve given by its parameters, for createECDSAOperations and createECDHOperations; the same object
 * for the same parameters. Throws EngineError as validateExplicitCurve does.
 */
export function explicitOperations(curve: ExplicitCurve): ECOperations {
  const row = validateExplicitCurve(curve);
  let operations = built.get(row);
  if (operations === undefined) {
    const { comb, window } = jacobianMultipliers(row);
    operations = composeOperations({
      curve: row,
      field: runtimeField(row),
      scalars: scalarsOf(row),
      base: resolveBase(comb),
      point: resolvePoint(window),
      double: resolveDouble(window, row.name),
    });
    built.set(row, operations);
  }
  return operations;
}
