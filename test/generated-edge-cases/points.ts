// Edge cases of key agreement and of keys in all encodings. What a damaged encoding means is decided by rule: the one
// encoding of a value is taken, everything else is refused.

import { createHash } from 'node:crypto';
import type { JsonWebKey } from '../../index.ts';
import type { AgreeCase, ImportCase } from './cases.ts';
import * as ref from './reference.ts';

const { N, P, G, hex, multiply, uncompressed, toBytes } = ref;
const D = ref.mod(BigInt(`0x${createHash('sha256').update('a private key for damaged encodings').digest('hex')}`), N);

type Affine = NonNullable<ref.Point>;
const pointOf = (k: bigint): Affine => multiply(k, G) as Affine;
const Q = pointOf(D);

function compressed({ x, y }: Affine): Uint8Array {
  return Uint8Array.from([2 + Number(y & 1n), ...toBytes(x)]);
}

/** x = 0 is on the curve, since b is a square. */
const ZERO_X = ref.lift(0n, false) as Affine;
/** Points with small and large coordinates. */
const SPECIAL: Readonly<Record<string, Affine>> = {
  'x = 0': ZERO_X,
  'x = 0, other y': { x: 0n, y: P - ZERO_X.y },
  G,
  '-G': pointOf(N - 1n),
  '2G': pointOf(2n),
  '3G': pointOf(3n),
  '16G': pointOf(16n),
  '-2G': pointOf(N - 2n),
  ordinary: Q,
};

/** Octets that are no point of the curve. */
function notPoints(): Readonly<Record<string, Uint8Array>> {
  const octets = (prefix: number, x: bigint, y: bigint) => Uint8Array.from([prefix, ...toBytes(x), ...toBytes(y)]);
  const good = uncompressed(Q);
  let noPoint = 1n;
  while (ref.lift(noPoint, false) !== undefined) noPoint++;
  return {
    empty: new Uint8Array(),
    infinity: Uint8Array.of(0),
    'infinity at full width': new Uint8Array(65),
    'all zero behind 04': octets(4, 0n, 0n),
    'y + 1': octets(4, Q.x, Q.y + 1n),
    'x + 1': octets(4, Q.x + 1n, Q.y),
    swapped: octets(4, Q.y, Q.x),
    'x = p': octets(4, P, ZERO_X.y),
    'x = p, compressed': Uint8Array.from([2, ...toBytes(P)]),
    'x all ones': octets(4, 2n ** 256n - 1n, 2n ** 256n - 1n),
    'y = p': octets(4, ZERO_X.x, P),
    'x = 0, y = 0': octets(4, 0n, 0n),
    'on the twist, compressed': Uint8Array.from([2, ...toBytes(noPoint)]),
    'hybrid form, even': octets(6, Q.x, Q.y),
    'hybrid form, odd': octets(7, Q.x, Q.y),
    'prefix 00': octets(0, Q.x, Q.y),
    'prefix 05': octets(5, Q.x, Q.y),
    'no prefix': good.slice(1),
    'compressed prefix on both coordinates': octets(2, Q.x, Q.y),
    'uncompressed prefix on one coordinate': Uint8Array.from([4, ...toBytes(Q.x)]),
    'cut by one': good.slice(0, 64),
    'one more': Uint8Array.from([...good, 0]),
    'compressed, cut by one': compressed(Q).slice(0, 32),
    'compressed, one more': Uint8Array.from([...compressed(Q), 0]),
  };
}

const SCALARS = [1n, 2n, 3n, 15n, 16n, 17n, 2n ** 128n, (N - 1n) / 2n, (N + 1n) / 2n, N - 3n, N - 2n, N - 1n, D];

export function* agreeCases(): Iterable<AgreeCase> {
  for (const [name, peer] of Object.entries(SPECIAL)) {
    for (const k of SCALARS) {
      const secret = multiply(k, peer);
      // Cofactor 1 and k in [1, n − 1]: never infinity.
      const expected = secret === undefined ? null : hex(toBytes(secret.x));
      const common = { op: 'agree', privateKey: hex(toBytes(k)), expected } as const;
      yield { ...common, name: `${k.toString(16)} times ${name}`, peer: hex(uncompressed(peer)) };
      if (k === D) yield { ...common, name: `${name}, compressed`, peer: hex(compressed(peer)) };
    }
  }
  for (const [name, peer] of Object.entries(notPoints())) {
    yield { op: 'agree', name: `peer ${name}`, privateKey: hex(toBytes(D)), peer: hex(peer), expected: null };
  }
}

// DER, written by hand so that every part can be damaged.

type Der = readonly number[];
const tlv = (tag: number, ...parts: readonly Der[]): Der => {
  const body = parts.flat();
  const length = body.length < 128 ? [body.length] : [0x81, body.length];
  return [tag, ...length, ...body];
};
const EC_OID = [6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const P256_OID = [6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const ALGORITHM = tlv(0x30, EC_OID, P256_OID);
const INNER_SCALAR = tlv(4, [...toBytes(D)]);
const INNER_PUBLIC = tlv(0xa1, tlv(3, [0, ...uncompressed(Q)]));

const spki = (octets: Uint8Array, algorithm: Der = ALGORITHM) => tlv(0x30, algorithm, tlv(3, [0, ...octets]));
const sec1 = (...optional: readonly Der[]) => tlv(0x30, [2, 1, 1], INNER_SCALAR, ...optional);
const pkcs8 = (inner: Der, ...more: readonly Der[]) => tlv(0x30, [2, 1, 0], ALGORITHM, tlv(4, inner), ...more);

type Binary = 'spki' | 'pkcs8' | 'sec1';
const GOOD: Readonly<Record<Binary, Der>> = {
  spki: spki(uncompressed(Q)),
  pkcs8: pkcs8(sec1(INNER_PUBLIC)),
  sec1: sec1(tlv(0xa0, P256_OID), INNER_PUBLIC),
};

function binary(format: Binary, name: string, key: Der, good: boolean): ImportCase {
  const isPublic = format === 'spki';
  const value = isPublic ? hex(uncompressed(Q)) : hex(toBytes(D));
  return {
    name: `${format}: ${name}`,
    op: 'import',
    kind: isPublic ? 'public' : 'private',
    format,
    key: hex(Uint8Array.from(key)),
    expected: good ? value : null,
  };
}

/** Length in the next longer form. */
function longerLength(der: Der): Der {
  return (der[1] as number) < 128
    ? [der[0] as number, 0x81, ...der.slice(1)]
    : [der[0] as number, 0x82, 0, ...der.slice(2)];
}

function* damagedBinary(): Iterable<ImportCase> {
  for (const format of ['spki', 'pkcs8', 'sec1'] as const) {
    const good = GOOD[format];
    yield binary(format, 'good', good, true);
    for (let length = 0; length < good.length; length++)
      yield binary(format, `cut to ${length}`, good.slice(0, length), false);
    yield binary(format, 'zero behind', [...good, 0], false);
    yield binary(format, 'twice', [...good, ...good], false);
    yield binary(format, 'longer form of the length', longerLength(good), false);
    yield binary(format, 'indefinite length', [0x30, 0x80, ...good.slice(good[1] === 0x81 ? 3 : 2), 0, 0], false);
    yield binary(format, 'wrapped once more', tlv(0x30, good), false);
    yield binary(format, 'set', [0x31, ...good.slice(1)], false);
    // Every tag, length, OID and value: no single changed bit leaves this key; the few that leave a key are named below.
    for (let at = 0; at < good.length; at++) {
      const changed = [...good];
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      if (!isOtherForm(format, changed)) yield binary(format, `bit ${at % 8} of byte ${at}`, changed, false);
    }
  }
}

/** PKCS #8 with version 1 instead of 0 is the newer form of the same key. */
function isOtherForm(format: Binary, changed: Der): boolean {
  return format === 'pkcs8' && changed[3] === 2 && changed[4] === 1 && changed[5] === 1;
}

function* rewrittenBinary(): Iterable<ImportCase> {
  for (const [name, octets] of Object.entries(notPoints())) yield binary('spki', `point ${name}`, spki(octets), false);
  for (const [name, point] of Object.entries(SPECIAL)) {
    const expected = hex(uncompressed(point));
    yield { ...binary('spki', `point ${name}`, spki(uncompressed(point)), true), expected };
    yield { ...binary('spki', `point ${name}, compressed`, spki(compressed(point)), true), expected };
  }
  yield binary('spki', 'one unused bit', tlv(0x30, ALGORITHM, tlv(3, [1, ...uncompressed(Q)])), false);
  yield binary('spki', 'eight unused bits', tlv(0x30, ALGORITHM, tlv(3, [8, ...uncompressed(Q)])), false);
  yield binary('spki', 'no parameters', spki(uncompressed(Q), tlv(0x30, EC_OID)), false);
  yield binary('spki', 'NULL parameters', spki(uncompressed(Q), tlv(0x30, EC_OID, [5, 0])), false);
  yield binary('spki', 'a third field', tlv(0x30, ALGORITHM, tlv(3, [0, ...uncompressed(Q)]), [5, 0]), false);
  yield binary('pkcs8', 'without the public key', pkcs8(sec1()), true);
  yield binary('pkcs8', 'with the curve inside', pkcs8(sec1(tlv(0xa0, P256_OID), INNER_PUBLIC)), true);
  yield binary('pkcs8', 'NULL parameters', tlv(0x30, [2, 1, 0], tlv(0x30, EC_OID, [5, 0]), tlv(4, sec1())), false);
  yield binary('sec1', 'without the public key', sec1(tlv(0xa0, P256_OID)), true);
  yield binary('sec1', 'fields swapped', sec1(INNER_PUBLIC, tlv(0xa0, P256_OID)), false);
  for (const [name, k] of Object.entries({ zero: 0n, n: N, 'n+1': N + 1n, 'all ones': 2n ** 256n - 1n })) {
    const inner = tlv(0x30, [2, 1, 1], tlv(4, [...toBytes(k)]));
    yield binary('pkcs8', `scalar ${name}`, pkcs8(inner), false);
  }
  for (const k of SCALARS) {
    const inner = tlv(0x30, [2, 1, 1], tlv(4, [...toBytes(k)]));
    yield { ...binary('pkcs8', `scalar ${k.toString(16)}`, pkcs8(inner), true), expected: hex(toBytes(k)) };
  }
  const foreign = tlv(0xa1, tlv(3, [0, ...uncompressed(pointOf(5n))]));
  yield binary('pkcs8', 'the public key of another', pkcs8(sec1(foreign)), false);
}

const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

function* jwks(): Iterable<ImportCase> {
  const x = url(toBytes(Q.x));
  const y = url(toBytes(Q.y));
  const d = url(toBytes(D));
  const make = (name: string, key: JsonWebKey, good: boolean): ImportCase => {
    const kind = 'd' in key ? 'private' : 'public';
    const value = kind === 'private' ? hex(toBytes(D)) : hex(uncompressed(Q));
    return { name: `jwk: ${name}`, op: 'import', kind, format: 'jwk', key, expected: good ? value : null };
  };
  const base = { kty: 'EC', crv: 'P-256', x, y };
  yield make('public', base, true);
  yield make('private', { ...base, d }, true);
  yield make('unknown members', { ...base, kid: 'a', other: 1 }, true);
  for (const [member, value] of Object.entries({ x, y, d })) {
    const damaged: Readonly<Record<string, unknown>> = {
      'cut by one character': value.slice(0, -1),
      'one byte short': url(Buffer.from(value, 'base64url').subarray(1)),
      'one zero more': url(Buffer.concat([Buffer.of(0), Buffer.from(value, 'base64url')])),
      padded: `${value}=`,
      'with a space': `${value.slice(0, 10)} ${value.slice(10)}`,
      'with a line end': `${value}\n`,
      'with a dot': `${value.slice(0, -1)}.`,
      empty: '',
      'a number': 7,
      null: null,
      zero: url(new Uint8Array(32)),
      'all ones': url(new Uint8Array(32).fill(255)),
    };
    for (const [name, bad] of Object.entries(damaged)) {
      yield make(`${member} ${name}`, { ...base, d, [member]: bad } as JsonWebKey, false);
    }
  }
  yield make('no x', { kty: 'EC', crv: 'P-256', y }, false);
  yield make('no y', { kty: 'EC', crv: 'P-256', x }, false);
  yield make('no crv', { kty: 'EC', x, y }, false);
  yield make('no kty', { crv: 'P-256', x, y }, false);
  yield make('kty OKP', { ...base, kty: 'OKP' }, false);
  yield make('kty in lower case', { ...base, kty: 'ec' }, false);
  yield make('another curve', { ...base, crv: 'P-384' }, false);
  yield make('an unknown curve', { ...base, crv: 'P-255' }, false);
  yield make('x and y swapped', { ...base, x: y, y: x }, false);
  yield make('d of another', { ...base, d: url(toBytes(D - 1n)) }, false);
}

function* pems(): Iterable<ImportCase> {
  const body = Buffer.from(GOOD.spki).toString('base64');
  const lines = (body.match(/.{1,64}/g) ?? []).join('\n');
  const text = (label: string, content = lines, end = label) =>
    `-----BEGIN ${label}-----\n${content}\n-----END ${end}-----\n`;
  const good = text('PUBLIC KEY');
  const make = (name: string, key: string, isGood: boolean): ImportCase => ({
    name: `pem: ${name}`,
    op: 'import',
    kind: 'public',
    format: 'pem',
    key,
    expected: isGood ? hex(uncompressed(Q)) : null,
  });
  yield make('good', good, true);
  yield make('CRLF', good.replaceAll('\n', '\r\n'), true);
  yield make('no line end at the end', good.trimEnd(), true);
  yield make('empty', '', false);
  yield make('no content', text('PUBLIC KEY', ''), false);
  yield make('no end', good.split('-----END')[0] ?? '', false);
  yield make('no begin', good.split('\n').slice(1).join('\n'), false);
  yield make('labels differ', text('PUBLIC KEY', lines, 'PRIVATE KEY'), false);
  yield make('label in lower case', text('public key'), false);
  yield make('another label', text('CERTIFICATE'), false);
  yield make('four hyphens', good.replace('-----BEGIN', '----BEGIN'), false);
  yield make('a letter outside base64', good.replace(body.slice(8, 12), '****'), false);
  yield make('url alphabet', good.replace(lines, '_-_-'.repeat(31)), false);
  yield make('one character short', text('PUBLIC KEY', lines.slice(0, -1)), false);
  yield make('padding in the middle', text('PUBLIC KEY', `${lines.slice(0, 20)}=${lines.slice(21)}`), false);
  yield make('content cut', text('PUBLIC KEY', lines.slice(0, 60)), false);
  yield make('a byte more', text('PUBLIC KEY', Buffer.from([...GOOD.spki, 0]).toString('base64')), false);
  yield make('DER instead', Buffer.from(GOOD.spki).toString('latin1'), false);
}

function* raws(): Iterable<ImportCase> {
  const common = { op: 'import', format: 'raw' } as const;
  for (const [name, octets] of Object.entries(notPoints())) {
    yield { ...common, name: `raw: point ${name}`, kind: 'public', key: hex(octets), expected: null };
  }
  for (const [name, point] of Object.entries(SPECIAL)) {
    const expected = hex(uncompressed(point));
    yield { ...common, name: `raw: ${name}`, kind: 'public', key: expected, expected };
    yield { ...common, name: `raw: ${name}, compressed`, kind: 'public', key: hex(compressed(point)), expected };
  }
  const scalars: Readonly<Record<string, Uint8Array>> = {
    empty: new Uint8Array(),
    zero: toBytes(0n),
    n: toBytes(N),
    'n+1': toBytes(N + 1n),
    'all ones': toBytes(2n ** 256n - 1n),
    '31 bytes': toBytes(D).slice(1),
    '33 bytes': Uint8Array.from([0, ...toBytes(D)]),
    '64 bytes': new Uint8Array(64).fill(1),
  };
  for (const [name, octets] of Object.entries(scalars)) {
    yield { ...common, name: `raw: scalar ${name}`, kind: 'private', key: hex(octets), expected: null };
  }
  for (const k of SCALARS) {
    const value = hex(toBytes(k));
    yield { ...common, name: `raw: scalar ${k.toString(16)}`, kind: 'private', key: value, expected: value };
  }
}

export function* importCases(): Iterable<ImportCase> {
  yield* damagedBinary();
  yield* rewrittenBinary();
  yield* jwks();
  yield* pems();
  yield* raws();
}
