// AlgorithmIdentifier of keys: id-ecPublicKey with a named curve (RFC 5480), or one of the four of RFC 8410.

import { InvalidKeySpecError } from '../errors.ts';
import { curveByOid, type EcCurve, ecCurve, type OkpCurve, okpByOid, okpCurve } from './curves.ts';
import { DER, type DerNode, decodeOid, encodeDer, encodeOid } from './der.ts';

/** id-ecPublicKey. */
const EC_PUBLIC_KEY = '1.2.840.10045.2.1';

export type IdentifiedAlgorithm =
  | { readonly algorithm: 'EC'; readonly curve: EcCurve }
  | { readonly algorithm: 'OKP'; readonly okp: OkpCurve };

/** `what` names the surrounding structure. Throws InvalidKeySpecError. */
export function decodeAlgorithmIdentifier(node: DerNode, what: string): IdentifiedAlgorithm {
  const [id, parameters, ...surplus] = node.children;
  if (node.tag !== DER.sequence || id?.tag !== DER.oid || surplus.length > 0) {
    throw new InvalidKeySpecError(`${what} has a malformed algorithm identifier.`);
  }
  const oid = decodeOid(id);
  if (oid === EC_PUBLIC_KEY) {
    if (parameters?.tag === DER.oid) return { algorithm: 'EC', curve: curveByOid(decodeOid(parameters), what) };
    throw new InvalidKeySpecError(
      parameters?.tag === DER.sequence
        ? `${what} spells out curve parameters; only named curves are accepted (RFC 5480).`
        : `${what} is of an EC key but names no curve.`,
    );
  }
  const okp = okpByOid(oid);
  if (okp === undefined)
    throw new InvalidKeySpecError(`${what} is of an algorithm that is not known here (OID ${oid}).`);
  // RFC 8410, section 3: they must be absent; the NULL that some writers put there is refused as well.
  if (parameters !== undefined) {
    throw new InvalidKeySpecError(`${what} has parameters, which ${okp.name} does not take.`);
  }
  return { algorithm: 'OKP', okp };
}

export function encodeAlgorithmIdentifier(algorithm: 'EC' | 'EdDSA' | 'XDH', curve: string): Uint8Array {
  return algorithm === 'EC'
    ? encodeDer(DER.sequence, encodeOid(EC_PUBLIC_KEY), encodeOid(ecCurve(curve, 'The key').oid))
    : encodeDer(DER.sequence, encodeOid(okpCurve(curve, 'The key').oid));
}
