// SubjectPublicKeyInfo (RFC 5280), for EC (RFC 5480, named curves only) and for Ed25519, Ed448, X25519, X448 (RFC 8410).

import { InvalidKeySpecError } from '../errors.ts';
import { decodeAlgorithmIdentifier, encodeAlgorithmIdentifier } from './algorithm-identifier.ts';
import { DER, encodeDer, parseDer, wholeOctets } from './der.ts';
import { FixedForms } from './fixed-forms.ts';
import type { EcPublicKeyData, PublicKeyData } from './key-data.ts';

const WHAT = 'The SubjectPublicKeyInfo';
const NO_UNUSED_BITS = Uint8Array.of(0);
const NOTHING = new Uint8Array(0);
const FORMS = /* @__PURE__ */ new FixedForms<PublicKeyData>();

/** Reads a public key of any known algorithm. The point or raw key is a fresh copy. Throws InvalidKeySpecError. */
export function decodeSpki(bytes: Uint8Array): PublicKeyData {
  const known = FORMS.match(bytes);
  if (known !== undefined) return known;
  const key = parseSpki(bytes);
  learn(bytes, key.algorithm, key.curve, isEc(key) ? key.point.length : key.publicKey.length);
  return key;
}

function publicKey(algorithm: PublicKeyData['algorithm'], curve: string, octets: Uint8Array): PublicKeyData {
  return algorithm === 'EC' ? { algorithm, curve, point: octets } : { algorithm, curve, publicKey: octets };
}

/** Takes no key, so that what is learned holds none. */
function learn(bytes: Uint8Array, algorithm: PublicKeyData['algorithm'], curve: string, length: number): void {
  FORMS.learn(
    bytes,
    (fill) => encodeSpki(publicKey(algorithm, curve, new Uint8Array(length).fill(fill))),
    ([octets = NOTHING]) => publicKey(algorithm, curve, octets),
  );
}

function parseSpki(bytes: Uint8Array): PublicKeyData {
  const root = parseDer(bytes, WHAT);
  const [algorithm, subjectKey] = root.children;
  if (root.tag !== DER.sequence || root.children.length !== 2 || algorithm === undefined || subjectKey === undefined) {
    throw new InvalidKeySpecError(`${WHAT} is not a sequence of an algorithm and a key.`);
  }
  const identified = decodeAlgorithmIdentifier(algorithm, WHAT);
  const octets = subjectKey.tag === DER.bitString ? wholeOctets(subjectKey.content) : undefined;
  if (octets === undefined)
    throw new InvalidKeySpecError(`${WHAT} does not hold its key as a bit string of whole bytes.`);
  if (identified.algorithm === 'EC') {
    return { algorithm: 'EC', curve: identified.curve.name, point: octets.slice() };
  }
  const { name, family, fieldBytes } = identified.okp;
  if (octets.length !== fieldBytes) {
    throw new InvalidKeySpecError(`An ${name} public key has ${fieldBytes} bytes, got ${octets.length}.`);
  }
  return { algorithm: family, curve: name, publicKey: octets.slice() };
}

/** Writes a public key; the point goes in as it is. */
export function encodeSpki(key: PublicKeyData): Uint8Array {
  const octets = isEc(key) ? key.point : key.publicKey;
  return encodeDer(
    DER.sequence,
    encodeAlgorithmIdentifier(key.algorithm, key.curve),
    encodeDer(DER.bitString, NO_UNUSED_BITS, octets),
  );
}

function isEc(key: PublicKeyData): key is EcPublicKeyData {
  return key.algorithm === 'EC';
}
