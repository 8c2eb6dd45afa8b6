// What the codecs ask of the table of names: curves by OID, by canonical name, by JWK name.

import { InvalidKeySpecError } from '../errors.ts';
import { CURVES, type CurveNameInfo, resolveCurve } from '../names.ts';

/** A short Weierstrass curve. */
export interface EcCurve extends CurveNameInfo {
  readonly family: 'EC';
}

/** Ed25519, Ed448, X25519 or X448: both halves of a key are `fieldBytes` long. */
export interface OkpCurve extends CurveNameInfo {
  readonly family: 'EdDSA' | 'XDH';
}

function isEc(curve: CurveNameInfo): curve is EcCurve {
  return curve.family === 'EC';
}

function isOkp(curve: CurveNameInfo): curve is OkpCurve {
  return curve.family !== 'EC';
}

/** The named curve of an OID; `what` names the input in the error. Throws InvalidKeySpecError. */
export function curveByOid(oid: string, what: string): EcCurve {
  const curve = resolveCurve(oid);
  if (curve !== undefined && isEc(curve)) return curve;
  throw new InvalidKeySpecError(`${what} names a curve that is not known here (OID ${oid}).`);
}

/** By canonical name. Throws InvalidKeySpecError. */
export function ecCurve(name: string, what: string): EcCurve {
  const curve = resolveCurve(name);
  if (curve !== undefined && isEc(curve)) return curve;
  throw new InvalidKeySpecError(`${what} is on a curve that is not known here: ${name}.`);
}

export function okpByOid(oid: string): OkpCurve | undefined {
  const curve = resolveCurve(oid);
  return curve !== undefined && isOkp(curve) ? curve : undefined;
}

/** By canonical name. Throws InvalidKeySpecError. */
export function okpCurve(name: string, what: string): OkpCurve {
  const curve = resolveCurve(name);
  if (curve !== undefined && isOkp(curve)) return curve;
  throw new InvalidKeySpecError(`${what} is of an algorithm that is not known here: ${name}.`);
}

/** By the `crv` of a JWK of the given `kty`; case matters. */
export function curveByJwkName(kty: 'EC' | 'OKP', crv: string): EcCurve | OkpCurve | undefined {
  const curve = CURVES.find((row) => row.jwkName === crv);
  if (curve === undefined || (curve.family === 'EC') !== (kty === 'EC')) return undefined;
  return isEc(curve) || isOkp(curve) ? curve : undefined;
}
