// X25519, X448, Ed25519 and Ed448 as rows, and the check of a public Edwards point. RFC 7748, RFC 8032, RFC 8410.

import { nameKey } from '../../spi/names.ts';

export type OkpName = 'Ed25519' | 'Ed448' | 'X25519' | 'X448';

export interface OkpCurve {
  readonly name: OkpName;
  readonly algorithm: 'EdDSA' | 'XDH';
  readonly nodeName: 'ed25519' | 'ed448' | 'x25519' | 'x448';
  readonly oid: string;
  /** What keys report, in bits. */
  readonly size: 255 | 448;
  /** Bytes of a private and of a public key. */
  readonly keyBytes: number;
}

export const OKP_CURVES: readonly OkpCurve[] = [
  { name: 'X25519', algorithm: 'XDH', nodeName: 'x25519', oid: '1.3.101.110', size: 255, keyBytes: 32 },
  { name: 'X448', algorithm: 'XDH', nodeName: 'x448', oid: '1.3.101.111', size: 448, keyBytes: 56 },
  { name: 'Ed25519', algorithm: 'EdDSA', nodeName: 'ed25519', oid: '1.3.101.112', size: 255, keyBytes: 32 },
  { name: 'Ed448', algorithm: 'EdDSA', nodeName: 'ed448', oid: '1.3.101.113', size: 448, keyBytes: 57 },
];

/** The row by name or OID, without regard to case. */
export function findOkp(name: string): OkpCurve | undefined {
  const key = nameKey(name);
  return OKP_CURVES.find((curve) => curve.nodeName === key || curve.oid === key);
}

interface EdwardsEquation {
  readonly p: bigint;
  /** a·x² + y² = 1 + d·x²·y² */
  readonly a: bigint;
  readonly d: bigint;
}

function equationOf(name: OkpName): EdwardsEquation {
  if (name === 'Ed448') {
    const p = 2n ** 448n - 2n ** 224n - 1n;
    return { p, a: 1n, d: p - 39081n };
  }
  const p = 2n ** 255n - 19n;
  return { p, a: p - 1n, d: 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n };
}

function powerVartime(base: bigint, exponent: bigint, p: bigint): bigint {
  let result = 1n;
  for (let square = base % p, left = exponent; left > 0n; left >>= 1n, square = (square * square) % p) {
    if (left & 1n) result = (result * square) % p;
  }
  return result;
}

/**
 * True if the bytes are the canonical encoding of a point of the curve. RFC 8032, sections 5.1.3 and 5.2.3.
 * OpenSSL itself takes any bytes of the right length and reduces y. For public keys only.
 */
export function isEdwardsPointVartime(curve: OkpCurve, key: Uint8Array): boolean {
  if (key.length !== curve.keyBytes) return false;
  const { p, a, d } = equationOf(curve.name);
  const last = key[key.length - 1] ?? 0;
  let y = BigInt(last & 0x7f);
  for (let i = key.length - 2; i >= 0; i--) y = (y << 8n) | BigInt(key[i] ?? 0);
  if (y >= p) return false;
  const y2 = (y * y) % p;
  // x² = (1 − y²) / (a − d·y²)
  const numerator = (1n - y2 + p) % p;
  const denominator = (((a - d * y2) % p) + p) % p;
  if (numerator === 0n) return last >> 7 === 0;
  if (denominator === 0n) return false;
  // u/v is a square exactly if u·v is.
  return powerVartime((numerator * denominator) % p, (p - 1n) / 2n, p) === 1n;
}
