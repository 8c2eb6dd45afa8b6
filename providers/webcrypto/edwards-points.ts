// Whether octets are an Edwards point (RFC 8032, sections 5.1.3 and 5.2.3): engines import any bytes of the right length.

interface EdwardsEquation {
  readonly p: bigint;
  /** a·x² + y² = 1 + d·x²·y² */
  readonly a: bigint;
  readonly d: bigint;
}

function equationOf(curve: string): EdwardsEquation {
  if (curve === 'Ed448') {
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

/** True for the canonical encoding of a point of Ed25519 or Ed448, at the right length. For public keys only. */
export function isEdwardsPointVartime(curve: string, octets: Uint8Array): boolean {
  const { p, a, d } = equationOf(curve);
  const last = octets[octets.length - 1] ?? 0;
  let y = BigInt(last & 0x7f);
  for (let i = octets.length - 2; i >= 0; i--) y = (y << 8n) | BigInt(octets[i] ?? 0);
  if (y >= p) return false;
  const y2 = (y * y) % p;
  // x² = (1 − y²) / (a − d·y²), and u/v is a square exactly if u·v is.
  const numerator = (1n - y2 + p) % p;
  const denominator = (((a - d * y2) % p) + p) % p;
  if (numerator === 0n) return last >> 7 === 0;
  if (denominator === 0n) return false;
  return powerVartime((numerator * denominator) % p, (p - 1n) / 2n, p) === 1n;
}
