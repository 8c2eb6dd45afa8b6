// P-256 in plain BigInt, written for the tests: slow, simple, and independent of the engines. SEC 1, FIPS 186-5, RFC 6979.

import { createHmac } from 'node:crypto';

export const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
export const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Affine; undefined is the point at infinity. */
export type Point = { readonly x: bigint; readonly y: bigint } | undefined;

export const G = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

export function mod(a: bigint, m: bigint): bigint {
  const rest = a % m;
  return rest < 0n ? rest + m : rest;
}

function power(base: bigint, exponent: bigint, m: bigint): bigint {
  let result = 1n;
  for (let [b, e] = [mod(base, m), exponent]; e > 0n; [b, e] = [(b * b) % m, e >> 1n]) {
    if ((e & 1n) === 1n) result = (result * b) % m;
  }
  return result;
}

/** By Euclid; of 0 it is 0. */
export function invert(a: bigint, m: bigint): bigint {
  let [r, s, x, y] = [mod(a, m), m, 1n, 0n];
  if (r === 0n) return 0n;
  while (s !== 0n) {
    const q = r / s;
    [r, s] = [s, r - q * s];
    [x, y] = [y, x - q * y];
  }
  return mod(x, m);
}

function isOnCurve(x: bigint, y: bigint): boolean {
  return x >= 0n && x < P && y >= 0n && y < P && mod(y * y - (x * x * x - 3n * x + B), P) === 0n;
}

/** The point with this x and this parity of y; undefined if there is none. */
export function lift(x: bigint, odd: boolean): Point {
  if (x >= P) return undefined;
  const root = power(x * x * x - 3n * x + B, (P + 1n) / 4n, P);
  if (!isOnCurve(x, root)) return undefined;
  return { x, y: ((root & 1n) === 1n) === odd ? root : P - root };
}

function add(a: Point, b: Point): Point {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (a.x === b.x && mod(a.y + b.y, P) === 0n) return undefined;
  const slope = a.x === b.x ? (3n * a.x * a.x - 3n) * invert(2n * a.y, P) : (b.y - a.y) * invert(mod(b.x - a.x, P), P);
  const x = mod(slope * slope - a.x - b.x, P);
  return { x, y: mod(slope * (a.x - x) - a.y, P) };
}

/** X/Z², Y/Z³; Z = 0 is infinity. */
interface Jacobian {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

function double({ x, y, z }: Jacobian): Jacobian {
  const yy = (y * y) % P;
  const s = (4n * x * yy) % P;
  const zz = (z * z) % P;
  const m = (3n * (x - zz) * (x + zz)) % P;
  const x3 = mod(m * m - 2n * s, P);
  return { x: x3, y: mod(m * (s - x3) - 8n * yy * yy, P), z: (2n * y * z) % P };
}

function addAffine(a: Jacobian, b: NonNullable<Point>): Jacobian {
  if (a.z === 0n) return { ...b, z: 1n };
  const zz = (a.z * a.z) % P;
  const h = mod(b.x * zz - a.x, P);
  const r = mod(b.y * zz * a.z - a.y, P);
  if (h === 0n) return r === 0n ? double(a) : { x: 1n, y: 1n, z: 0n };
  const hh = (h * h) % P;
  const hhh = (h * hh) % P;
  const v = (a.x * hh) % P;
  const x = mod(r * r - hhh - 2n * v, P);
  return { x, y: mod(r * (v - x) - a.y * hhh, P), z: (a.z * h) % P };
}

export function multiply(k: bigint, a: Point): Point {
  if (a === undefined) return undefined;
  let sum: Jacobian = { x: 1n, y: 1n, z: 0n };
  for (const bit of mod(k, N).toString(2)) {
    sum = double(sum);
    if (bit === '1') sum = addAffine(sum, a);
  }
  if (sum.z === 0n) return undefined;
  const inverse = invert(sum.z, P);
  return { x: mod(sum.x * inverse * inverse, P), y: mod(sum.y * inverse * inverse * inverse, P) };
}

export function toBytes(value: bigint, width = 32): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * width, '0'), 'hex'));
}

export function toInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** The leftmost 256 bits of a digest. */
export function bitsToInteger(digest: Uint8Array): bigint {
  return toInteger(digest.subarray(0, 32));
}

export function verify(q: Point, digest: Uint8Array, r: bigint, s: bigint): boolean {
  if (q === undefined || r < 1n || r >= N || s < 1n || s >= N) return false;
  const w = invert(s, N);
  const point = add(multiply(bitsToInteger(digest) * w, G), multiply(r * w, q));
  return point !== undefined && mod(point.x, N) === r;
}

/** The public key under which (r, s) is right for the digest, R being the point of the nonce. */
export function recover(nonce: Point, r: bigint, s: bigint, digest: Uint8Array): Point {
  const inverse = invert(r, N);
  return add(multiply(s * inverse, nonce), multiply(-bitsToInteger(digest) * inverse, G));
}

export function signWithNonce(d: bigint, k: bigint, digest: Uint8Array): { readonly r: bigint; readonly s: bigint } {
  const r = mod(multiply(k, G)?.x ?? 0n, N);
  return { r, s: mod(invert(k, N) * (bitsToInteger(digest) + r * d), N) };
}

/** The first nonce of RFC 6979, section 3.2, with an HMAC of the hash named. */
export function deterministicNonce(d: bigint, digest: Uint8Array, hash: 'sha256' | 'sha512'): bigint {
  const mac = (key: Uint8Array, ...parts: Uint8Array[]) =>
    Uint8Array.from(createHmac(hash, key).update(Buffer.concat(parts)).digest());
  const size = hash === 'sha256' ? 32 : 64;
  const seed = [toBytes(d), toBytes(bitsToInteger(digest) % N)];
  let v: Uint8Array = new Uint8Array(size).fill(1);
  let key: Uint8Array = new Uint8Array(size);
  for (const mark of [0, 1]) {
    key = mac(key, v, Uint8Array.of(mark), ...seed);
    v = mac(key, v);
  }
  for (;;) {
    v = mac(key, v);
    const k = toInteger(v.subarray(0, 32));
    if (k > 0n && k < N) return k;
    key = mac(key, v, Uint8Array.of(0));
    v = mac(key, v);
  }
}

/** The one DER encoding of (r, s); both may be anything from 0 on. */
export function encodeDer(r: bigint, s: bigint): Uint8Array {
  const integers = [r, s].map((value) => {
    const digits = value.toString(16);
    const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
    const padded = (bytes[0] as number) > 127 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(2, padded.length), padded]);
  });
  const body = Buffer.concat(integers);
  return Uint8Array.from(Buffer.concat([Buffer.of(0x30, body.length), body]));
}

/** (r, s) of strict DER; undefined for everything else: it must be what the encoder writes. */
export function decodeDer(bytes: Uint8Array): { readonly r: bigint; readonly s: bigint } | undefined {
  const first = bytes[3] ?? 0;
  const second = bytes[5 + first] ?? 0;
  const r = toInteger(bytes.subarray(4, 4 + first));
  const s = toInteger(bytes.subarray(6 + first, 6 + first + second));
  return Buffer.compare(encodeDer(r, s), bytes) === 0 ? { r, s } : undefined;
}

export function uncompressed({ x, y }: NonNullable<Point>): Uint8Array {
  return Uint8Array.from([4, ...toBytes(x), ...toBytes(y)]);
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function unhex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}
