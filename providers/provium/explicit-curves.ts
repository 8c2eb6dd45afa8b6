// Curves by parameters of the caller's own: a known curve in disguise, or one that the engines check and then serve.

import { CURVES } from '../../engines/curves.ts';
import type { CurveName, CurveRow, ECOperations } from '../../engines/ec-operations.ts';
import { EngineError } from '../../engines/errors.ts';
import { explicitOperations } from '../../engines/explicit-curve.ts';
import { InvalidAlgorithmParameterError } from '../../spi/errors.ts';
import { ECParameterSpec } from '../../spi/key-specs.ts';

/** Named curves need 66; leading zeros are allowed. */
const MAX_NAMED_BYTES = 256;

const PARTS = ['p', 'a', 'b', 'gx', 'gy', 'n'] as const;

function integer(hex: string): bigint {
  return BigInt(`0x${hex}`);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') || '0';
}

/** True for rows of one and the same curve and base point. */
export function sameCurve(a: CurveRow, b: CurveRow): boolean {
  return a === b || PARTS.every((part) => integer(a[part]) === integer(b[part]));
}

/** The named curve that has these parameters, so that they do not go around what is said of it by name. */
export function namedCurveOf(spec: ECParameterSpec): CurveName | undefined {
  // Numbers without end are refused by the engines, not converted here.
  if (PARTS.some((part) => spec[part].length > MAX_NAMED_BYTES)) return undefined;
  const values = PARTS.map((part) => integer(hexOf(spec[part])));
  const row = Object.values(CURVES).find((curve) => PARTS.every((part, i) => integer(curve[part]) === values[i]));
  return row?.name as CurveName | undefined;
}

/** Checked at the first use. Throws InvalidAlgorithmParameterError with what is wrong. */
export function operationsOn(spec: ECParameterSpec): ECOperations {
  try {
    if (spec.cofactor !== 1) throw new EngineError(`explicit parameters: the cofactor is ${spec.cofactor}, not 1`);
    return explicitOperations(spec);
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    throw new InvalidAlgorithmParameterError(`Provium refuses these ${cause.message}.`, { cause });
  }
}

/** The parameters of a row. */
export function parameterSpecOf(row: CurveRow): ECParameterSpec {
  const [p, a, b, gx, gy, n] = PARTS.map((part) => bytesOf(row[part])) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  return new ECParameterSpec({ p, a, b, gx, gy, n });
}

function bytesOf(hex: string): Uint8Array {
  const out = new Uint8Array(hex.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return out;
}
