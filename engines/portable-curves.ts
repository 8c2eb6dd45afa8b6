// The portable parts of every curve: coordinate fields, scalars and fast multipliers, each built at its first use and
// shared by the process. Nothing in them depends on a context.

import type { Element, Field } from '../fields/field.ts';
import { P256_POLYNOMIAL } from '../fields/portable/p256-polynomial.ts';
import { bytesFromHex } from './curves.ts';
import type { CurveRow, ScalarOperations } from './ec-operations.ts';
import { FIELD as SECP256K1, jacobianKernel as secp256k1Kernel } from './generated/secp256k1-kernel.generated.ts';
import { FIELD as P384, jacobianKernel as secp384r1Kernel } from './generated/secp384r1-kernel.generated.ts';
import { FIELD as P521, jacobianKernel as secp521r1Kernel } from './generated/secp521r1-kernel.generated.ts';
import { jacobianKernel } from './multipliers/jacobian-kernel.ts';
import type { JacobianMultipliers } from './multipliers/jacobian-tables.ts';
import { type HotField, LimbCodec, wholeField } from './multipliers/limb-codec.ts';
import { RuntimeField } from './multipliers/runtime-field.ts';
import { montgomeryScalars } from './points/montgomery-scalars.ts';
import { P256_SCALARS } from './points/p256-scalars.ts';

interface GeneratedCurve {
  readonly field: HotField<Element<string>>;
  kernel(curve: CurveRow, codec: LimbCodec): JacobianMultipliers;
}

/** Curves whose field is generated; all others have the modulus in memory. */
export const GENERATED_CURVES: Readonly<Record<string, GeneratedCurve>> = {
  secp384r1: { field: P384 as HotField<Element<string>>, kernel: secp384r1Kernel },
  secp521r1: { field: P521 as HotField<Element<string>>, kernel: secp521r1Kernel },
  secp256k1: { field: SECP256K1 as HotField<Element<string>>, kernel: secp256k1Kernel },
};

function cached<T>(build: (curve: CurveRow) => T): (curve: CurveRow) => T {
  const built = new WeakMap<CurveRow, T>();
  return (curve) => {
    let value = built.get(curve);
    if (value === undefined) {
      value = build(curve);
      built.set(curve, value);
    }
    return value;
  };
}

/** The domain of runtimeField. */
export function runtimeDomain(name: string): string {
  return `${name}/run-time`;
}

/** The coordinate field with the modulus in memory. */
export const runtimeField = cached((curve) => new RuntimeField(runtimeDomain(curve.name), bytesFromHex(curve.p)));

/** The generated coordinate field, where there is one. */
export const generatedField = cached((curve) => {
  const hot = GENERATED_CURVES[curve.name]?.field;
  return hot === undefined ? undefined : wholeField(hot, new LimbCodec(runtimeField(curve), hot));
});

/** An independent field for the oracle: never the one that fast multipliers work on, where there are two. */
export function oracleField(curve: CurveRow): Field<string> {
  return curve.name === 'secp256r1' ? (P256_POLYNOMIAL as Field<string>) : runtimeField(curve);
}

export const scalarsOf: (curve: CurveRow) => ScalarOperations = cached((curve) =>
  curve.name === 'secp256r1' ? P256_SCALARS : montgomeryScalars(curve),
);

/** Comb and windows in Jacobian coordinates, for every curve but secp256r1, which has its own. */
export const jacobianMultipliers: (curve: CurveRow) => JacobianMultipliers = cached((curve) => {
  const generated = GENERATED_CURVES[curve.name];
  const field = runtimeField(curve);
  if (generated === undefined) return jacobianKernel(curve, new LimbCodec(field, field), field);
  return generated.kernel(curve, new LimbCodec(field, generated.field));
});
