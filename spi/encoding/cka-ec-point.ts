// CKA_EC_POINT of PKCS#11 (v3.1, section 6.3.3): the public key of a token, for authors of token providers. The
// standard wraps the point in an OCTET STRING; tokens give it bare as well, and a bare one may look wrapped (04 is both
// the tag and the prefix of a point). The length decides: no bare form is as long as a wrapped one of the same curve.

import { InvalidKeySpecError } from '../errors.ts';
import { RawKeySpec } from '../key-specs.ts';
import { type CurveNameInfo, resolveCurve } from '../names.ts';
import { DER, encodeDer, parseDer } from './der.ts';
import { decodePoint } from './point.ts';

function curveOf(name: string): CurveNameInfo {
  const curve = resolveCurve(name);
  if (curve === undefined) throw new InvalidKeySpecError(`CKA_EC_POINT: the curve "${name}" is unknown.`);
  return curve;
}

function isBare(octets: Uint8Array, { family, fieldBytes }: CurveNameInfo): boolean {
  if (family !== 'EC') return octets.length === fieldBytes;
  const compressed = octets[0] === 0x02 || octets[0] === 0x03;
  return octets.length === 1 + fieldBytes * (compressed ? 1 : 2);
}

/** The raw public key (a point, compressed ones as they are) in the attribute. Throws InvalidKeySpecError. */
export function decodeCkaEcPoint(attribute: Uint8Array, curve: string): RawKeySpec {
  const row = curveOf(curve);
  let octets = attribute;
  if (!isBare(octets, row)) {
    const node = parseDer(attribute, 'CKA_EC_POINT');
    if (node.tag !== DER.octetString)
      throw new InvalidKeySpecError('CKA_EC_POINT is neither a point nor an OCTET STRING.');
    octets = node.content;
  }
  if (!isBare(octets, row)) {
    throw new InvalidKeySpecError(`CKA_EC_POINT holds ${octets.length} bytes, which are no public key on ${row.name}.`);
  }
  if (row.family === 'EC') decodePoint(octets, row.fieldBytes, row.name);
  return new RawKeySpec(octets, { curve: row.name });
}

/** The attribute in its standard form: the raw public key in an OCTET STRING. The bare key is what CKM_ECDH1_DERIVE takes. */
export function encodeCkaEcPoint(key: RawKeySpec): Uint8Array {
  if (!isBare(key.bytes, curveOf(key.curve))) {
    throw new InvalidKeySpecError(`${key.bytes.length} bytes are no public key on ${key.curve}.`);
  }
  return encodeDer(DER.octetString, key.bytes);
}
