// What the tests of this folder share.

import { SECP256R1 } from '../../engines/curves.ts';
import type { ECOperations } from '../../engines/ec-operations.ts';
import { completeMultipliers } from '../../engines/multipliers/complete-multipliers.ts';
import { resolveBase, resolveDouble, resolvePoint } from '../../engines/multipliers/multiplier.ts';
import { P256_COMB, P256_WINDOW } from '../../engines/multipliers/p256-jacobian-multipliers.ts';
import { P256_SCALARS } from '../../engines/points/p256-scalars.ts';
import { composeOperations } from '../../engines/portable-operations.ts';
import { P256_MONTGOMERY } from '../../fields/portable/p256-montgomery.ts';
import { P256_POLYNOMIAL } from '../../fields/portable/p256-polynomial.ts';

const shared = { curve: SECP256R1, scalars: P256_SCALARS };
const polynomial = completeMultipliers(P256_POLYNOMIAL, SECP256R1);
const montgomery = completeMultipliers(P256_MONTGOMERY, SECP256R1);

/** Every composition of built-in parts, by name. */
export const COMPOSITIONS: Readonly<Record<string, ECOperations>> = {
  'Jacobian comb and windows, Montgomery field': composeOperations({
    ...shared,
    field: P256_MONTGOMERY,
    base: resolveBase(P256_COMB),
    point: resolvePoint(P256_WINDOW),
    double: resolveDouble(P256_WINDOW, 'secp256r1'),
  }),
  'complete comb and windows, polynomial field': composeOperations({
    ...shared,
    field: P256_POLYNOMIAL,
    base: resolveBase(polynomial.comb),
    point: resolvePoint(polynomial.window),
    double: resolveDouble(polynomial.window, 'secp256r1'),
  }),
  'complete ladder, Montgomery field': composeOperations({
    ...shared,
    field: P256_MONTGOMERY,
    base: resolveBase(montgomery.comb),
    point: resolvePoint(montgomery.ladder),
    double: resolveDouble(montgomery.window, 'secp256r1'),
  }),
};

export const N = BigInt(`0x${SECP256R1.n}`);
export const P = BigInt(`0x${SECP256R1.p}`);

export function toBytes(value: bigint, length = 32): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex'));
}

export function toBigInt(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}
