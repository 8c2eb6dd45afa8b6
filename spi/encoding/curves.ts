// What the codecs ask about curves: widths, OIDs and JWK names.

import { InvalidKeySpecError } from '../errors.ts';

export interface EcCurve {
  readonly algorithm: 'EC';
  readonly name: string;
  readonly oid: string;
  readonly jwkName: string | undefined;
  readonly fieldBytes: number;
  readonly orderBytes: number;
}

export interface OkpCurve {
  readonly algorithm: 'EdDSA' | 'XDH';
  readonly name: string;
  readonly oid: string;
  readonly keyLength: number;
}

function ec(name: string, oid: string, bytes: number, jwkName?: string): EcCurve {
  return { algorithm: 'EC', name, oid, jwkName, fieldBytes: bytes, orderBytes: bytes };
}

const EC_CURVES: readonly EcCurve[] = [
  ec('secp256r1', '1.2.840.10045.3.1.7', 32, 'P-256'),
  ec('secp384r1', '1.3.132.0.34', 48, 'P-384'),
  ec('secp521r1', '1.3.132.0.35', 66, 'P-521'),
  ec('secp256k1', '1.3.132.0.10', 32, 'secp256k1'),
  ec('secp224r1', '1.3.132.0.33', 28),
  ec('brainpoolP256r1', '1.3.36.3.3.2.8.1.1.7', 32),
  ec('brainpoolP384r1', '1.3.36.3.3.2.8.1.1.11', 48),
  ec('brainpoolP512r1', '1.3.36.3.3.2.8.1.1.13', 64),
];

const OKP_CURVES: readonly OkpCurve[] = [
  { algorithm: 'EdDSA', name: 'Ed25519', oid: '1.3.101.112', keyLength: 32 },
  { algorithm: 'EdDSA', name: 'Ed448', oid: '1.3.101.113', keyLength: 57 },
  { algorithm: 'XDH', name: 'X25519', oid: '1.3.101.110', keyLength: 32 },
  { algorithm: 'XDH', name: 'X448', oid: '1.3.101.111', keyLength: 56 },
];

/** The named curve of an OID; `what` names the input in the error. Throws InvalidKeySpecError. */
export function curveByOid(oid: string, what: string): EcCurve {
  const curve = EC_CURVES.find((row) => row.oid === oid);
  if (curve === undefined) throw new InvalidKeySpecError(`${what} names a curve that is not known here (OID ${oid}).`);
  return curve;
}

/** By canonical name. Throws InvalidKeySpecError. */
export function ecCurve(name: string, what: string): EcCurve {
  const curve = EC_CURVES.find((row) => row.name === name);
  if (curve === undefined) throw new InvalidKeySpecError(`${what} is on a curve that is not known here: ${name}.`);
  return curve;
}

export function okpByOid(oid: string): OkpCurve | undefined {
  return OKP_CURVES.find((row) => row.oid === oid);
}

/** By canonical name. Throws InvalidKeySpecError. */
export function okpCurve(name: string, what: string): OkpCurve {
  const curve = OKP_CURVES.find((row) => row.name === name);
  if (curve === undefined) throw new InvalidKeySpecError(`${what} is of an algorithm that is not known here: ${name}.`);
  return curve;
}

/** By the `crv` of a JWK of the given `kty`; case matters. */
export function curveByJwkName(kty: 'EC' | 'OKP', crv: string): EcCurve | OkpCurve | undefined {
  return kty === 'EC' ? EC_CURVES.find((row) => row.jwkName === crv) : OKP_CURVES.find((row) => row.name === crv);
}
