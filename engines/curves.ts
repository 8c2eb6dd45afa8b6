// Curves as rows of data. Domain parameters: SEC 2 version 2, section 2.4.2; NIST SP 800-186, section 3.2.1.3.

import type { CurveName, CurveRow } from './ec-operations.ts';

export const SECP256R1: CurveRow = {
  name: 'secp256r1',
  oid: '1.2.840.10045.3.1.7',
  aliases: ['P-256', 'prime256v1'],
  p: 'ffffffff00000001000000000000000000000000ffffffffffffffffffffffff',
  a: 'ffffffff00000001000000000000000000000000fffffffffffffffffffffffc',
  b: '5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b',
  gx: '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  gy: '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  n: 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
  cofactor: 1,
  fieldBits: 256,
  orderBits: 256,
};

/** Every curve known by row. */
export const CURVES: Readonly<Record<CurveName, CurveRow>> = { secp256r1: SECP256R1 };

/** Bytes of an even number of hexadecimal digits; for constants. */
export function bytesFromHex(hex: string): Uint8Array {
  const out = new Uint8Array(hex.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return out;
}
