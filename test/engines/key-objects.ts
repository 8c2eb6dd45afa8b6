// Raw keys in the encodings that node:crypto reads: SEC 1 (RFC 5915) and SPKI (RFC 5480).

import type { CurveRow } from '../../engines/ec-operations.ts';

function der(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Uint8Array.of(tag, ...length), body]);
}

function oid(text: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [40 * first + second];
  for (const arc of rest) {
    const groups = [arc & 127];
    for (let high = arc >>> 7; high > 0; high >>>= 7) groups.unshift((high & 127) | 128);
    bytes.push(...groups);
  }
  return der(6, Uint8Array.from(bytes));
}

const uncompressed = (point: Uint8Array): Uint8Array => der(3, Uint8Array.of(0, 4), point);

export function privateKeyDer(curve: CurveRow, privateKey: Uint8Array, point: Uint8Array): Buffer {
  return Buffer.from(
    der(0x30, der(2, Uint8Array.of(1)), der(4, privateKey), der(0xa0, oid(curve.oid)), der(0xa1, uncompressed(point))),
  );
}

export function publicKeyDer(curve: CurveRow, point: Uint8Array): Buffer {
  return Buffer.from(der(0x30, der(0x30, oid('1.2.840.10045.2.1'), oid(curve.oid)), uncompressed(point)));
}
