// Wycheproof: the parameters of the prime-order curves. Seen from outside they show in names, OIDs and small multiples.

import { ECGenParameterSpec, ECPublicKeySpec, JwkKeySpec, RawKeySpec } from '../../../index.ts';
import { resolveCurve } from '../../../spi/names.ts';
import { attempt, atWidth, bytesOf, type Entry, hex, must, mustEqual, type VectorCase, Wrong } from '../case.ts';
import { integer } from '../nonces.ts';
import type { Subject } from '../subject.ts';

type Parameters = Readonly<Record<'name' | 'oid' | 'p' | 'n' | 'a' | 'b' | 'gx' | 'gy', string>> & {
  readonly tcId: number;
  readonly h: number;
};

function width(value: bigint, bytes: number): Uint8Array {
  const fixed = atWidth(value.toString(16), bytes);
  if (fixed === undefined) throw new Wrong('it does not fit');
  return fixed;
}

/** The contents of an OBJECT IDENTIFIER with tag and length (X.690, 8.19); all here are short. */
function encodeOid(oid: string): string {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number);
  const octets = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 127];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128)) groups.unshift((more & 127) | 128);
    return groups;
  });
  return hex(Uint8Array.of(6, octets.length, ...octets));
}

function checkCurve(curve: Parameters, subject: Subject): 'passed' {
  const row = resolveCurve(curve.name);
  must(row !== undefined, 'the curve has no row');
  mustEqual(row.oid, curve.oid, 'the OID');
  must(curve.h === 1, 'the cofactor is not 1');
  mustEqual(subject.encodedParameters(curve.name), encodeOid(curve.oid), 'the encoded parameters');
  const [p, n, gx, gy] = [curve.p, curve.n, curve.gx, curve.gy].map((text) => integer(bytesOf(text))) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const scalar = (value: bigint) => new RawKeySpec(width(value, row.orderBytes), { curve: curve.name });
  const coordinates = (value: bigint) => {
    const { jwk } = subject.exportKey(subject.importPrivate('EC', scalar(value)), JwkKeySpec);
    return [jwk.x, jwk.y].map((text) => integer(Uint8Array.from(Buffer.from(text ?? '', 'base64url'))));
  };
  // 1·G is the generator, (n − 1)·G its negative; n is no scalar: that fixes G, p and n, and with 2·G also a and b.
  const points: readonly (readonly [bigint, readonly bigint[]])[] = [
    [1n, [gx, gy]],
    [n - 1n, [gx, p - gy]],
  ];
  for (const [k, expected] of points) {
    const own = attempt(() => coordinates(k));
    // Curves without a JWK name are compared by their public keys below.
    if (own !== undefined) mustEqual(own.join(), expected.join(), `${k === 1n ? '1' : 'n − 1'} times G`);
    const [x, y] = expected as [bigint, bigint];
    const point = { x: width(x, row.fieldBytes), y: width(y, row.fieldBytes) };
    subject.importPublic('EC', new ECPublicKeySpec(point, new ECGenParameterSpec(curve.oid)));
  }
  must(attempt(() => subject.importPrivate('EC', scalar(n))) === undefined, 'n is taken for a scalar');
  return 'passed';
}

export function* curveParameters(data: Buffer, _entry: Entry, subject: Subject): Iterable<VectorCase> {
  const { testGroups } = JSON.parse(data.toString('utf8')) as {
    readonly testGroups: readonly { readonly tests: readonly Parameters[] }[];
  };
  for (const curve of testGroups.flatMap(({ tests }) => tests)) {
    const id = `${curve.tcId} ${curve.name}`;
    const skip =
      subject.lacks('KeyFactory', 'EC', curve.name) ?? subject.lacks('AlgorithmParameters', 'EC', curve.name);
    if (skip !== undefined) yield { id, skip };
    else yield { id, run: () => checkCurve(curve, subject) };
  }
}
