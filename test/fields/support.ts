// What the field tests share: every generated module, edge values, and the BigInt reference.

import type { Element, Field } from '../../fields/field.ts';
import * as curve448 from '../../fields/generated/curve448.generated.ts';
import * as curve448Order from '../../fields/generated/curve448-order.generated.ts';
import * as curve25519 from '../../fields/generated/curve25519.generated.ts';
import * as curve25519Order from '../../fields/generated/curve25519-order.generated.ts';
import * as p256 from '../../fields/generated/p256.generated.ts';
import * as p256Order from '../../fields/generated/p256-order.generated.ts';
import * as p384 from '../../fields/generated/p384.generated.ts';
import * as p384Order from '../../fields/generated/p384-order.generated.ts';
import * as p521 from '../../fields/generated/p521.generated.ts';
import * as p521Order from '../../fields/generated/p521-order.generated.ts';
import * as secp256k1 from '../../fields/generated/secp256k1.generated.ts';
import * as secp256k1Order from '../../fields/generated/secp256k1-order.generated.ts';
import { PRIMES, type PrimeRow } from '../../fields/primes.ts';

/** The tests look at every field in the same way; its brand is no help to them. */
export type AnyElement = Element<string>;

/** What a generated module offers beyond the contract. */
export interface GeneratedField extends Field<string> {
  readonly modulus: string;
  readonly residueField: string;
  readonly productTerms: number;
  readonly squareTerms: number;
  readonly carryTerms: number;
  addLazy(out: AnyElement, a: AnyElement, b: AnyElement): void;
  subLazy(out: AnyElement, a: AnyElement, b: AnyElement): void;
  carry(out: AnyElement, a: AnyElement): void;
  invertVartime(out: AnyElement, a: AnyElement): void;
  powPublic(out: AnyElement, a: AnyElement, exponent: Uint8Array): void;
}

const MODULES: Readonly<Record<string, unknown>> = {
  p256,
  'p256-order': p256Order,
  p384,
  'p384-order': p384Order,
  p521,
  'p521-order': p521Order,
  curve25519,
  'curve25519-order': curve25519Order,
  curve448,
  'curve448-order': curve448Order,
  secp256k1,
  'secp256k1-order': secp256k1Order,
};

export interface Case {
  readonly row: PrimeRow;
  readonly field: GeneratedField;
  readonly p: bigint;
}

export const CASES: readonly Case[] = PRIMES.map((row) => ({
  row,
  field: MODULES[row.name] as GeneratedField,
  p: BigInt(`0x${row.modulus}`),
}));

/** Products per field and backend: few on a developer's machine, 10^5 in continuous integration. */
export const PRODUCTS = process.env['PROVIUM_TEST_TIER'] === 'ci' ? 100_000 : 1_500;

export const mod = (value: bigint, p: bigint): bigint => ((value % p) + p) % p;

export function powerMod(base: bigint, exponent: bigint, p: bigint): bigint {
  let result = 1n;
  let square = mod(base, p);
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result;
}

export const inverseMod = (value: bigint, p: bigint): bigint => powerMod(value, p - 2n, p);

export function bytesOf(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Number((value >> BigInt(8 * (length - 1 - i))) & 255n));
}

export function integerOf(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

export function encode(field: Field<string>, value: bigint): AnyElement {
  const out = field.create();
  field.fromBytes(out, bytesOf(value, field.byteLength), 0);
  return out;
}

export function decode(field: Field<string>, element: AnyElement): bigint {
  const bytes = new Uint8Array(field.byteLength);
  field.toBytes(bytes, 0, element);
  return integerOf(bytes);
}

/** 0, 1, 2, p − 1, p, p + 1, all ones, R, R², and powers of two: everything that fits the encoding. */
export function edgeValues(p: bigint, byteLength: number, width: number, count: number): bigint[] {
  const all = (1n << BigInt(8 * byteLength)) - 1n;
  const r = 1n << BigInt(width * count);
  const values = [0n, 1n, 2n, 3n, p - 2n, p - 1n, p, p + 1n, all, r % p, (r * r) % p, p >> 1n, (p >> 1n) + 1n];
  for (let i = 0; i < 8 * byteLength; i += 7) values.push(1n << BigInt(i), (1n << BigInt(i)) - 1n);
  for (let i = 0; i < count; i++) values.push((((1n << BigInt(width)) - 1n) << BigInt(width * i)) & all);
  return values.filter((value) => value <= all);
}

/** A generator whose sequence depends on its seed alone. */
export function randomSource(seed: number): (bits: number) => bigint {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
    x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
    return (x ^ (x >>> 16)) >>> 0;
  };
  return (bits) => {
    let value = 0n;
    for (let have = 0; have < bits; have += 32) value = (value << 32n) | BigInt(next());
    return BigInt.asUintN(bits, value);
  };
}
