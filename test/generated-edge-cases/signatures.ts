// Edge cases of verification and of deterministic signing.

import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import type { SignCase, VerifyCase } from './cases.ts';
import * as ref from './reference.ts';

const { N, P, G, hex, mod, invert, multiply } = ref;
const MESSAGE = new TextEncoder().encode('edge cases on P-256');
const DIGEST = Uint8Array.from(createHash('sha256').update(MESSAGE).digest());
const E = ref.bitsToInteger(DIGEST);
const D = mod(BigInt(`0x${createHash('sha256').update('a private key for edge cases').digest('hex')}`), N);

type Affine = NonNullable<ref.Point>;

function point(k: bigint): Affine {
  const result = multiply(k, G);
  if (result === undefined) throw new Error('the point at infinity is no public key');
  return result;
}

/** The answer of two implementations, which must agree. */
function answer(q: Affine, digest: Uint8Array, r: bigint, s: bigint): boolean {
  const own = ref.verify(q, digest, r, s);
  const fits = r < 2n ** 256n && s < 2n ** 256n;
  const signature = fits ? Buffer.concat([ref.toBytes(r), ref.toBytes(s)]) : undefined;
  const options = { prehash: false, lowS: false, format: 'compact' } as const;
  const other = signature !== undefined && nobleVerify(Uint8Array.from(signature), digest, q, options);
  if (own !== other) throw new Error(`the references disagree on r ${r}, s ${s}`);
  return own;
}

function nobleVerify(
  signature: Uint8Array,
  digest: Uint8Array,
  q: Affine,
  options: NonNullable<Parameters<typeof p256.verify>[3]>,
): boolean {
  try {
    return p256.verify(signature, digest, ref.uncompressed(q), options);
  } catch {
    return false;
  }
}

/** In both forms, where the numbers fit into the fixed-width one. */
function* verification(name: string, q: Affine, r: bigint, s: bigint): Iterable<VerifyCase> {
  const common = { op: 'verify', publicKey: hex(ref.uncompressed(q)), data: hex(MESSAGE) } as const;
  const expected = answer(q, DIGEST, r, s);
  const der = hex(ref.encodeDer(r, s));
  yield { ...common, name: `${name}, DER`, algorithm: 'SHA256withECDSA', signature: der, expected };
  if (r >= 2n ** 256n || s >= 2n ** 256n) return;
  const signature = hex(Uint8Array.from([...ref.toBytes(r), ...ref.toBytes(s)]));
  yield { ...common, name: `${name}, P1363`, algorithm: 'SHA256withECDSAinP1363Format', signature, expected };
}

const RIM: Readonly<Record<string, bigint>> = {
  '0': 0n,
  '1': 1n,
  '2': 2n,
  '(n-1)/2': (N - 1n) / 2n,
  '(n+1)/2': (N + 1n) / 2n,
  'n-1': N - 1n,
  n: N,
  'n+1': N + 1n,
  p: P,
  '2^256-1': 2n ** 256n - 1n,
  '2^256': 2n ** 256n,
};

/** r and s at the rim of their range under an ordinary key: none of them is right. */
function* rim(): Iterable<VerifyCase> {
  for (const [rName, r] of Object.entries(RIM)) {
    for (const [sName, s] of Object.entries(RIM)) yield* verification(`r = ${rName}, s = ${sName}`, point(D), r, s);
  }
}

/** The first x from a start on that belongs to a point. */
function nextOnCurve(from: bigint, step: bigint): Affine {
  for (let x = from; ; x += step) {
    const found = ref.lift(x, false);
    if (found !== undefined) return found;
  }
}

/** r and s chosen first, the key made to fit: all of them are right, and their shifts by n are not. */
function* chosen(): Iterable<VerifyCase> {
  const nonces: Readonly<Record<string, Affine>> = {
    'smallest r': nextOnCurve(1n, 1n),
    'r just below n': nextOnCurve(N - 1n, -1n),
    'x just above n': nextOnCurve(N + 1n, 1n),
    'x just below p': nextOnCurve(P - 1n, -1n),
    'r of 31 bytes': nextOnCurve(2n ** 247n, 1n),
    'r with the top bit': nextOnCurve(2n ** 255n, 1n),
  };
  const values = [1n, 2n, (N - 1n) / 2n, (N + 1n) / 2n, N - 2n, N - 1n, 2n ** 127n, 2n ** 247n];
  for (const [name, nonce] of Object.entries(nonces)) {
    const r = mod(nonce.x, N);
    for (const s of values) {
      const q = ref.recover(nonce, r, s, DIGEST);
      if (q === undefined) continue;
      yield* verification(`${name}, s = ${s.toString(16)}`, q, r, s);
      yield* verification(`${name}, s = ${s.toString(16)}, negated`, q, r, N - s);
    }
    const q = ref.recover(nonce, r, 2n, DIGEST);
    if (q === undefined) continue;
    yield* verification(`${name}, r + n`, q, r + N, 2n);
    yield* verification(`${name}, s + n`, q, r, 2n + N);
    yield* verification(`${name}, x for r`, q, nonce.x, 2n);
    yield* verification(`${name}, n - r`, q, N - r, 2n);
  }
}

/** The two multiples cancel, coincide, or the key is a small multiple of the generator. */
function* multiples(): Iterable<VerifyCase> {
  const ks = [1n, 2n, 3n, 16n, N - 1n, D];
  for (const k of ks) {
    const nonce = point(k);
    const r = mod(nonce.x, N);
    // e + r·d = 0: u1·G + u2·Q is infinity for every s.
    const cancelling = point(mod(-E * invert(r, N), N));
    for (const s of new Set([1n, k, N - 1n]))
      yield* verification(`u1·G = -u2·Q, r of ${k}, s = ${s}`, cancelling, r, s);
    // e = r·d: u1·G = u2·Q, and s chosen so that their sum is the point of the nonce.
    const doubling = point(E * invert(r, N));
    const s = mod(2n * E * invert(k, N), N);
    yield* verification(`u1·G = u2·Q, r of ${k}`, doubling, r, s);
    yield* verification(`u1·G = u2·Q, r of ${k}, s negated`, doubling, r, N - s);
    yield* verification(`u1·G = u2·Q, r of ${k}, s + 1`, doubling, r, s + 1n);
  }
  for (const d of [1n, 2n, 3n, 4n, 15n, 16n, 17n, N - 1n, N - 2n, N - 3n]) {
    for (const k of [1n, 2n, 16n, N - 1n, D]) {
      const { r, s } = ref.signWithNonce(d, k, DIGEST);
      yield* verification(`Q = ${d}·G, k = ${k}`, point(d), r, s);
      yield* verification(`Q = ${d}·G, k = ${k}, other key`, point(N - d), r, s);
    }
  }
}

/** Every kind of damage to the DER form; the strict reading of the reference says what is left of it. */
function* damagedDer(): Iterable<VerifyCase> {
  const { r, s } = ref.signWithNonce(D, ref.deterministicNonce(D, DIGEST, 'sha256'), DIGEST);
  const good = [...ref.encodeDer(r, s)];
  const rLength = good[3] as number;
  const headers = [0, 1, 2, 3, 4 + rLength, 5 + rLength];
  const [first, second] = [good.slice(2, 4 + rLength), good.slice(4 + rLength)];
  const sequence = (...parts: number[][]) => [0x30, parts.flat().length, ...parts.flat()];
  const integer = (content: readonly number[]) => [2, content.length, ...content];
  const damaged: [string, number[]][] = [
    ['none', good],
    ['empty', []],
    ['empty sequence', [0x30, 0]],
    ['one integer', sequence(first)],
    ['three integers', sequence(first, second, [2, 1, 1])],
    ['NULL behind', sequence(first, second, [5, 0])],
    ['halves swapped', sequence(second, first)],
    ['long form of the length', [0x30, 0x81, ...good.slice(1)]],
    ['longer form of the length', [0x30, 0x82, 0, ...good.slice(1)]],
    ['longest form of the length', [0x30, 0x84, 0, 0, 0, ...good.slice(1)]],
    ['indefinite length', [0x30, 0x80, ...good.slice(2), 0, 0]],
    ['long form inside', sequence([2, 0x81, ...first.slice(1)], second)],
    ['zero before r', sequence(integer([0, ...first.slice(2)]), second)],
    ['zero before s', sequence(first, integer([0, ...second.slice(2)]))],
    ['r negative', sequence(integer([0x80, ...first.slice(3)]), second)],
    ['s negative', sequence(first, integer([0xff, ...second.slice(2)]))],
    ['r empty', sequence(integer([]), second)],
    ['s empty', sequence(first, integer([]))],
    ['r as octets', sequence([4, ...first.slice(1)], second)],
    ['r as enumerated', sequence([10, ...first.slice(1)], second)],
    ['set instead of sequence', [0x31, ...good.slice(1)]],
    ['sequence of primitive form', [0x10, ...good.slice(1)]],
    ['wrapped once more', sequence(good)],
    ['wrapped in octets', [4, good.length, ...good]],
    ['twice', [...good, ...good]],
    ['zero behind', [...good, 0]],
    ['zeros behind', [...good, 0, 0]],
    ['zero in front', [0, ...good]],
    ['length one short', [0x30, (good[1] as number) - 1, ...good.slice(2)]],
    ['length one long', [0x30, (good[1] as number) + 1, ...good.slice(2)]],
    ['P1363 instead', [...ref.toBytes(r), ...ref.toBytes(s)]],
    ['huge length', [0x30, 0x84, 0xff, 0xff, 0xff, 0xff, ...good.slice(2)]],
    ['length of eight bytes', [0x30, 0x88, 0, 0, 0, 0, 0, 0, 0, good[1] as number, ...good.slice(2)]],
  ];
  for (let length = 1; length < good.length; length++) damaged.push([`cut to ${length}`, good.slice(0, length)]);
  for (const at of headers) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = [...good];
      changed[at] = (changed[at] as number) ^ (1 << bit);
      damaged.push([`bit ${bit} of byte ${at} flipped`, changed]);
    }
  }
  for (const [name, bytes] of damaged) yield damagedCase(name, Uint8Array.from(bytes), 'SHA256withECDSA');
  const fixed = [...ref.toBytes(r), ...ref.toBytes(s)];
  const fixedWidth: [string, number[]][] = [
    ['none', fixed],
    ['empty', []],
    ['DER instead', good],
    ['zero behind', [...fixed, 0]],
    ['zero in front', [0, ...fixed]],
    ['zeros in front of both', [0, ...fixed.slice(0, 32), 0, ...fixed.slice(32)]],
    ['one half', fixed.slice(0, 32)],
    ['twice', [...fixed, ...fixed]],
    ...[1, 31, 33, 62, 63].map((length): [string, number[]] => [`cut to ${length}`, fixed.slice(0, length)]),
  ];
  for (const [name, bytes] of fixedWidth) {
    yield damagedCase(name, Uint8Array.from(bytes), 'SHA256withECDSAinP1363Format');
  }
}

function damagedCase(name: string, signature: Uint8Array, algorithm: string): VerifyCase {
  const isDer = algorithm === 'SHA256withECDSA';
  const half = (from: number) => ref.toInteger(signature.subarray(from, from + 32));
  const read = isDer ? ref.decodeDer(signature) : signature.length === 64 ? { r: half(0), s: half(32) } : undefined;
  const expected = read !== undefined && answer(point(D), DIGEST, read.r, read.s);
  const publicKey = hex(ref.uncompressed(point(D)));
  const form = isDer ? 'DER' : 'P1363';
  return {
    name: `${form} damage: ${name}`,
    op: 'verify',
    publicKey,
    algorithm,
    data: hex(MESSAGE),
    signature: hex(signature),
    expected,
  };
}

export function* verifyCases(): Iterable<VerifyCase> {
  yield* rim();
  yield* chosen();
  yield* multiples();
  yield* damagedDer();
}

const DIGESTS: Readonly<Record<string, Uint8Array>> = {
  zero: new Uint8Array(32),
  one: ref.toBytes(1n),
  'n-1': ref.toBytes(N - 1n),
  n: ref.toBytes(N),
  'n+1': ref.toBytes(N + 1n),
  p: ref.toBytes(P),
  'all ones': new Uint8Array(32).fill(255),
  'one byte': Uint8Array.of(1),
  'one zero byte': Uint8Array.of(0),
  '20 bytes': new Uint8Array(20).fill(255),
  '31 bytes': new Uint8Array(31).fill(255),
  '33 bytes': Uint8Array.from([...ref.toBytes(N), 1]),
  '48 bytes, zeros in front': Uint8Array.from([...new Uint8Array(40), ...new Uint8Array(8).fill(9)]),
  '64 bytes, n in front': Uint8Array.from([...ref.toBytes(N), ...new Uint8Array(32).fill(7)]),
  '64 bytes': new Uint8Array(64).fill(255),
};

/** Digests as they stand, around n and of other lengths than n: verified and signed deterministically. */
export function* digestCases(): Iterable<VerifyCase | SignCase> {
  for (const [name, digest] of Object.entries(DIGESTS)) {
    for (const d of [1n, D, N - 1n]) {
      for (const nonceHash of ['sha256', 'sha512'] as const) {
        const k = ref.deterministicNonce(d, digest, nonceHash);
        const { r, s } = ref.signWithNonce(d, k, digest);
        const signature = hex(Uint8Array.from([...ref.toBytes(r), ...ref.toBytes(s)]));
        if (nonceHash === 'sha256' && digest.length === 32) compareWithNoble(d, digest, signature);
        const algorithm = 'NONEwithECDSAinP1363Format';
        const common = { algorithm, data: hex(digest) };
        const title = `digest ${name}, key ${d === D ? 'ordinary' : d === 1n ? '1' : 'n-1'}, ${nonceHash}`;
        const hash = nonceHash === 'sha256' ? 'SHA-256' : 'SHA-512';
        yield {
          ...common,
          name: title,
          op: 'sign',
          privateKey: hex(ref.toBytes(d)),
          nonceHash: hash,
          expected: signature,
        };
        const publicKey = hex(ref.uncompressed(point(d)));
        const expected = answer(point(d), digest, r, s);
        yield { ...common, name: title, op: 'verify', publicKey, signature, expected };
      }
    }
  }
}

function compareWithNoble(d: bigint, digest: Uint8Array, signature: string) {
  const other = p256.sign(digest, ref.toBytes(d), { prehash: false, lowS: false, format: 'compact' });
  if (hex(other) !== signature) throw new Error('the references disagree on a deterministic signature');
}
