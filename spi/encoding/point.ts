// Points as octets (SEC 1, 2.3.3 and 2.3.4): form and length only, no arithmetic.

import { InvalidKeySpecError } from '../errors.ts';

/** A point as read: both coordinates as x then y, or x and the parity of y. */
export type PointOctets =
  | { readonly form: 'uncompressed'; readonly xy: Uint8Array }
  | { readonly form: 'compressed'; readonly x: Uint8Array; readonly parity: 0 | 1 };

/**
 * Takes the octets of a point on a curve whose coordinates have `byteLength` bytes; the parts are fresh copies.
 * Infinity and the hybrid forms are refused. Throws InvalidKeySpecError.
 */
export function decodePoint(octets: Uint8Array, byteLength: number, curve: string): PointOctets {
  const prefix = octets[0];
  switch (prefix) {
    case 0x04:
      if (octets.length === 1 + 2 * byteLength) return { form: 'uncompressed', xy: new Uint8Array(octets.subarray(1)) };
      break;
    case 0x02:
    case 0x03:
      if (octets.length === 1 + byteLength) {
        return { form: 'compressed', x: new Uint8Array(octets.subarray(1)), parity: prefix === 0x02 ? 0 : 1 };
      }
      break;
    case 0x00:
      throw new InvalidKeySpecError(`The point at infinity is not a public key (${curve}).`);
    case 0x06:
    case 0x07:
      throw new InvalidKeySpecError(`The hybrid point form is not accepted (${curve}); write it uncompressed.`);
    default:
      throw new InvalidKeySpecError(
        `A point on ${curve} starts with 04 (uncompressed) or with 02 or 03 (compressed); these ${octets.length} bytes do not.`,
      );
  }
  throw new InvalidKeySpecError(
    `A point on ${curve} has ${1 + 2 * byteLength} bytes uncompressed or ${1 + byteLength} compressed, got ${octets.length}.`,
  );
}

/** 04, x, y. */
export function encodeUncompressedPoint(xy: Uint8Array): Uint8Array {
  const out = new Uint8Array(1 + xy.length);
  out[0] = 0x04;
  out.set(xy, 1);
  return out;
}

/** 02 or 03 by the parity of y, then x. */
export function encodeCompressedPoint(xy: Uint8Array): Uint8Array {
  const half = xy.length >> 1;
  const out = new Uint8Array(1 + half);
  out[0] = 0x02 | ((xy[xy.length - 1] ?? 0) & 1);
  out.set(xy.subarray(0, half), 1);
  return out;
}
