// From checked parts to KeyObjects. Everything is validated before OpenSSL sees it, and it only sees our own canonical DER:
// Node 22 aborts the process on some keys that it imports and exports again.

import type { KeyObject } from 'node:crypto';
import { decodePoint, encodeUncompressedPoint } from '../../spi/encoding/point.ts';
import { InvalidKeySpecError } from '../../spi/errors.ts';
import type { OpenSslCurve } from './curves.ts';
import { ecPkcs8, ecSpki, okpPkcs8, okpSpki } from './der.ts';
import { EcPrivateKey, EcPublicKey, EdPrivateKey, EdPublicKey, XPrivateKey, XPublicKey } from './keys.ts';
import { nodeCrypto } from './node.ts';
import { isEdwardsPointVartime, type OkpCurve } from './okp.ts';

function publicHandle(spki: Uint8Array, curve: string): KeyObject {
  try {
    return nodeCrypto().createPublicKey({ key: asBuffer(spki), type: 'spki', format: 'der' });
  } catch (cause) {
    throw new InvalidKeySpecError(`OpenSSL refused the ${curve} public key: it is not a point of the curve.`, {
      cause,
    });
  }
}

/** Wipes `pkcs8`. */
function privateHandle(pkcs8: Uint8Array, curve: string): KeyObject {
  try {
    return nodeCrypto().createPrivateKey({ key: asBuffer(pkcs8), type: 'pkcs8', format: 'der' });
  } catch {
    throw new InvalidKeySpecError(`OpenSSL refused the ${curve} private key.`);
  } finally {
    pkcs8.fill(0);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function convert(curve: OpenSslCurve, octets: Uint8Array, form: 'compressed' | 'uncompressed'): Uint8Array {
  return Uint8Array.from(nodeCrypto().ECDH.convertKey(octets, curve.nodeName, undefined, undefined, form) as Buffer);
}

/** The compressed form; left to OpenSSL, since on binary curves the bit is not the parity of y (SEC 1, section 2.3.3). */
export function compressed(curve: OpenSslCurve, point: Uint8Array): Uint8Array {
  return convert(curve, point, 'compressed');
}

/** The uncompressed point of `octets`, which may be compressed; throws InvalidKeySpecError. */
function uncompressed(curve: OpenSslCurve, octets: Uint8Array): Uint8Array {
  const point = decodePoint(octets, curve.fieldBytes, curve.name);
  if (point.form === 'uncompressed') return encodeUncompressedPoint(point.xy);
  try {
    return convert(curve, octets, 'uncompressed');
  } catch (cause) {
    throw new InvalidKeySpecError(`The compressed point is not on ${curve.name}.`, { cause });
  }
}

/** A point in either form. Throws InvalidKeySpecError: form, length, range, equation, order. */
export function importEcPublic(curve: OpenSslCurve, octets: Uint8Array): EcPublicKey {
  const handle = publicHandle(ecSpki(curve, uncompressed(curve, octets)), curve.name);
  if (curve.cofactor !== 1) assertFullOrder(curve, handle);
  return new EcPublicKey(curve, handle);
}

/** On curves with a cofactor: OpenSSL validates the peer completely when it derives. */
function assertFullOrder(curve: OpenSslCurve, publicKey: KeyObject): void {
  const crypto = nodeCrypto();
  const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: curve.nodeName });
  try {
    crypto.diffieHellman({ privateKey, publicKey }).fill(0);
  } catch (cause) {
    throw new InvalidKeySpecError(`The point on ${curve.name} does not have the order of the base point.`, { cause });
  }
}

/** 1 if 1 ≤ scalar < order, both at the same width; constant time. */
function inRange(scalar: Uint8Array, order: Uint8Array): number {
  let borrow = 0;
  let any = 0;
  for (let i = order.length - 1; i >= 0; i--) {
    const digit = scalar[i] ?? 0;
    any |= digit;
    borrow = ((digit - (order[i] ?? 0) - borrow) >> 8) & 1;
  }
  return borrow & (((any - 1) >> 8) + 1);
}

/**
 * A scalar of at most the width of the order, big-endian, and the public point if the encoding had one.
 * Throws InvalidKeySpecError: width, range 1 ≤ d < n, a public point that does not belong to d.
 */
export function importEcPrivate(curve: OpenSslCurve, secret: Uint8Array, octets?: Uint8Array): EcPrivateKey {
  const width = curve.order.length;
  if (secret.length === 0 || secret.length > width) {
    throw new InvalidKeySpecError(`A private scalar on ${curve.name} has ${width} bytes, got ${secret.length}.`);
  }
  const scalar = new Uint8Array(width);
  scalar.set(secret, width - secret.length);
  try {
    if (inRange(scalar, curve.order) === 0) {
      throw new InvalidKeySpecError(`The private scalar on ${curve.name} is not within 1 and n − 1.`);
    }
    const crypto = nodeCrypto();
    const ecdh = crypto.createECDH(curve.nodeName);
    ecdh.setPrivateKey(scalar);
    const point = ecdh.getPublicKey();
    if (octets !== undefined && !point.equals(uncompressed(curve, octets))) {
      throw new InvalidKeySpecError(
        `The public and the private part of the key on ${curve.name} do not belong together.`,
      );
    }
    return new EcPrivateKey(curve, privateHandle(ecPkcs8(curve, scalar, point), curve.name));
  } finally {
    scalar.fill(0);
  }
}

function assertLength(curve: OkpCurve, bytes: Uint8Array, what: string): void {
  if (bytes.length !== curve.keyBytes) {
    throw new InvalidKeySpecError(`A ${curve.name} ${what} key has ${curve.keyBytes} bytes, got ${bytes.length}.`);
  }
}

/** Raw public key. X: length only (RFC 7748 reduces). Ed: canonical and decodable. Throws InvalidKeySpecError. */
export function importOkpPublic(curve: OkpCurve, bytes: Uint8Array): EdPublicKey | XPublicKey {
  assertLength(curve, bytes, 'public');
  if (curve.algorithm === 'EdDSA' && !isEdwardsPointVartime(curve, bytes)) {
    throw new InvalidKeySpecError(`The bytes are not the canonical encoding of a point on ${curve.name}.`);
  }
  const handle = publicHandle(okpSpki(curve, bytes), curve.name);
  return curve.algorithm === 'EdDSA' ? new EdPublicKey(curve, handle) : new XPublicKey(curve, handle);
}

/** Raw private key, and the public one if the encoding had it. Throws InvalidKeySpecError. */
export function importOkpPrivate(curve: OkpCurve, bytes: Uint8Array, octets?: Uint8Array): EdPrivateKey | XPrivateKey {
  assertLength(curve, bytes, 'private');
  const handle = privateHandle(okpPkcs8(curve, bytes), curve.name);
  if (octets !== undefined) {
    const derived = nodeCrypto().createPublicKey(handle).export({ type: 'spki', format: 'der' });
    if (!derived.equals(okpSpki(curve, octets))) {
      throw new InvalidKeySpecError(`The public and the private part of the ${curve.name} key do not belong together.`);
    }
  }
  return curve.algorithm === 'EdDSA' ? new EdPrivateKey(curve, handle) : new XPrivateKey(curve, handle);
}
