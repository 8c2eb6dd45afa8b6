// The canonical encodings that are handed to OpenSSL: written here from checked parts, so that it only ever parses our own DER.

import { DER, encodeDer, encodeOid } from '../../spi/encoding/der.ts';
import type { OpenSslCurve } from './curves.ts';
import type { OkpCurve } from './okp.ts';

const EC_PUBLIC_KEY = '1.2.840.10045.2.1';
/** [1] of ECPrivateKey, RFC 5915. */
const PUBLIC_KEY_TAG = 0xa1;
const ZERO = Uint8Array.of(0);
const ONE = Uint8Array.of(1);

function ecAlgorithm(curve: OpenSslCurve): Uint8Array {
  return encodeDer(DER.sequence, encodeOid(EC_PUBLIC_KEY), encodeOid(curve.oid));
}

function okpAlgorithm(curve: OkpCurve): Uint8Array {
  return encodeDer(DER.sequence, encodeOid(curve.oid));
}

function spki(algorithm: Uint8Array, key: Uint8Array): Uint8Array {
  return encodeDer(DER.sequence, algorithm, encodeDer(DER.bitString, ZERO, key));
}

/** Wipes `inner`. */
function pkcs8(algorithm: Uint8Array, inner: Uint8Array): Uint8Array {
  const octets = encodeDer(DER.octetString, inner);
  const out = encodeDer(DER.sequence, encodeDer(DER.integer, ZERO), algorithm, octets);
  octets.fill(0);
  inner.fill(0);
  return out;
}

/** SubjectPublicKeyInfo of an EC point. RFC 5480. */
export function ecSpki(curve: OpenSslCurve, point: Uint8Array): Uint8Array {
  return spki(ecAlgorithm(curve), point);
}

/** PrivateKeyInfo with the public point inside; the scalar has the width of the order. RFC 5208, RFC 5915. */
export function ecPkcs8(curve: OpenSslCurve, scalar: Uint8Array, point: Uint8Array): Uint8Array {
  const secret = encodeDer(DER.octetString, scalar);
  const publicKey = encodeDer(PUBLIC_KEY_TAG, encodeDer(DER.bitString, ZERO, point));
  const inner = encodeDer(DER.sequence, encodeDer(DER.integer, ONE), secret, publicKey);
  secret.fill(0);
  return pkcs8(ecAlgorithm(curve), inner);
}

/** SubjectPublicKeyInfo of a raw 25519 or 448 key. RFC 8410. */
export function okpSpki(curve: OkpCurve, key: Uint8Array): Uint8Array {
  return spki(okpAlgorithm(curve), key);
}

/** PrivateKeyInfo of a raw 25519 or 448 key. RFC 8410. */
export function okpPkcs8(curve: OkpCurve, key: Uint8Array): Uint8Array {
  return pkcs8(okpAlgorithm(curve), encodeDer(DER.octetString, key));
}
