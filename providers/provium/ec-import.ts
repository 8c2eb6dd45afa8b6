// From any form of EC key material to validated keys. All checks of keys are here, and are made once.

import type { ECOperations } from '../../engines/ec-operations.ts';
import { decodePrivateJwk, decodePublicJwk, isPrivateJwk } from '../../spi/encoding/jwk.ts';
import { type PrivateKeyData, type PublicKeyData, scalarAtWidth } from '../../spi/encoding/key-data.ts';
import { decodePemKey } from '../../spi/encoding/pem-keys.ts';
import { decodePrivateDer } from '../../spi/encoding/pkcs8.ts';
import { decodePoint, encodeUncompressedPoint } from '../../spi/encoding/point.ts';
import { decodeSec1 } from '../../spi/encoding/sec1.ts';
import { decodeSpki } from '../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../spi/errors.ts';
import {
  ECPrivateKeySpec,
  ECPublicKeySpec,
  JwkKeySpec,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../spi/key-specs.ts';
import type { Curves } from './curves.ts';
import { EcPrivateKey, EcPublicKey } from './keys.ts';

/** `operations` where the caller's own spec says by itself which curve it is on. */
type KeyMaterial = { readonly operations?: ECOperations } & (
  | { readonly kind: 'public'; readonly key: PublicKeyData }
  | { readonly kind: 'private'; readonly key: PrivateKeyData }
);

/** Affine coordinates of SEC 1 octets on the curve. Throws InvalidKeySpecError for whatever is not a public key. */
function validPoint(operations: ECOperations, octets: Uint8Array): Uint8Array {
  const { byteLength, curve } = operations;
  const read = decodePoint(octets, byteLength, curve.name);
  if (read.form === 'uncompressed') {
    if (operations.isOnCurve(read.xy) === 1) return read.xy;
    throw new InvalidKeySpecError(`The coordinates are not those of a point on ${curve.name}.`);
  }
  const xy = new Uint8Array(2 * byteLength);
  if (operations.decompressVartime(xy, read.x, read.parity) === 1) return xy;
  throw new InvalidKeySpecError(`No point on ${curve.name} has this x coordinate.`);
}

function publicKeyOf(curves: Curves, data: PublicKeyData, known: ECOperations | undefined): EcPublicKey {
  if (data.algorithm !== 'EC') throw wrongFamily(data.curve);
  const operations = known ?? curves.resolve(data.curve);
  return new EcPublicKey(operations, validPoint(operations, data.point));
}

function wrongFamily(curve: string): InvalidKeySpecError {
  return new InvalidKeySpecError(`This is a key for ${curve}, not an EC key; use a KeyFactory for ${curve}.`);
}

/** Takes over the scalar of `data`, which is wiped where it is refused. */
function privateKeyOf(curves: Curves, data: PrivateKeyData, known?: ECOperations): EcPrivateKey {
  if (data.algorithm !== 'EC') {
    data.privateKey.fill(0);
    throw wrongFamily(data.curve);
  }
  try {
    const operations = known ?? curves.resolve(data.curve);
    if (operations.scalars.isValid(data.scalar) === 0) {
      throw new InvalidKeySpecError(`A private scalar on ${data.curve} is between 1 and n − 1; this one is not.`);
    }
    if (data.publicPoint === undefined) return new EcPrivateKey(operations, data.scalar);
    const stated = validPoint(operations, data.publicPoint);
    const point = new Uint8Array(stated.length);
    operations.multiplyBase(point, data.scalar);
    if (!point.every((byte, i) => byte === stated[i])) {
      throw new InvalidKeySpecError(`The public key inside does not belong to the private key (${data.curve}).`);
    }
    return new EcPrivateKey(operations, data.scalar, point);
  } catch (error) {
    data.scalar.fill(0);
    throw error;
  }
}

/** Both coordinates at full width behind the prefix of an uncompressed point. */
function coordinates(operations: ECOperations, spec: ECPublicKeySpec): Uint8Array {
  const { byteLength, curve } = operations;
  const xy = new Uint8Array(2 * byteLength);
  for (const [index, coordinate] of [spec.x, spec.y].entries()) {
    const surplus = Math.max(coordinate.length - byteLength, 0);
    if (coordinate.subarray(0, surplus).some((byte) => byte !== 0)) {
      throw new InvalidKeySpecError(`A coordinate on ${curve.name} has at most ${byteLength} bytes.`);
    }
    const significant = coordinate.subarray(surplus);
    xy.set(significant, (index + 1) * byteLength - significant.length);
  }
  return encodeUncompressedPoint(xy);
}

/** Reads what tells by itself whether it is public or private; undefined for the forms that do not. */
function selfDescribing(curves: Curves, spec: KeySpec): KeyMaterial | undefined {
  if (spec instanceof X509EncodedKeySpec) return { kind: 'public', key: decodeSpki(spec.encoded) };
  if (spec instanceof PKCS8EncodedKeySpec) return { kind: 'private', key: decodePrivateDer(spec.encoded) };
  if (spec instanceof Sec1EncodedKeySpec) {
    const curve = spec.curve === undefined ? undefined : curves.resolve(spec.curve).curve.name;
    return { kind: 'private', key: decodeSec1(spec.encoded, curve) };
  }
  if (spec instanceof PemKeySpec) return decodePemKey(spec.pem, spec.passphrase);
  if (spec instanceof JwkKeySpec) {
    return isPrivateJwk(spec.jwk)
      ? { kind: 'private', key: decodePrivateJwk(spec.jwk) }
      : { kind: 'public', key: decodePublicJwk(spec.jwk) };
  }
  if (spec instanceof ECPublicKeySpec) {
    const operations = curves.resolveParameters(spec.parameters);
    const key = { algorithm: 'EC', curve: operations.curve.name, point: coordinates(operations, spec) } as const;
    return { kind: 'public', key, operations };
  }
  if (spec instanceof ECPrivateKeySpec) {
    const operations = curves.resolveParameters(spec.parameters);
    const { curve, scalars } = operations;
    const scalar = scalarAtWidth(spec.scalar, scalars.byteLength, curve.name);
    const key = { algorithm: 'EC', curve: curve.name, scalar, publicPoint: undefined } as const;
    return { kind: 'private', key, operations };
  }
  return undefined;
}

function unsupported(spec: KeySpec, wanted: string): InvalidKeySpecError {
  const form = spec?.format ?? typeof spec;
  return new InvalidKeySpecError(`Provium makes no ${wanted} EC key from key material of the form "${form}".`);
}

/** The public key of any supported spec; of a private one, the public key that belongs to it. Throws InvalidKeySpecError. */
export function importPublicKey(curves: Curves, spec: KeySpec): EcPublicKey {
  if (spec instanceof RawKeySpec) {
    const operations = curves.resolve(spec.curve);
    return new EcPublicKey(operations, validPoint(operations, spec.bytes));
  }
  const material = selfDescribing(curves, spec);
  if (material === undefined) throw unsupported(spec, 'public');
  if (material.kind === 'public') return publicKeyOf(curves, material.key, material.operations);
  const secret = privateKeyOf(curves, material.key, material.operations);
  try {
    return secret.publicKey();
  } finally {
    secret.destroy();
  }
}

/** The private key of any supported spec. Throws InvalidKeySpecError. */
export function importPrivateKey(curves: Curves, spec: KeySpec): EcPrivateKey {
  if (spec instanceof RawKeySpec) {
    const { curve, scalars } = curves.resolve(spec.curve);
    if (spec.bytes.length !== scalars.byteLength) {
      throw new InvalidKeySpecError(
        `A raw private key on ${curve.name} has ${scalars.byteLength} bytes, got ${spec.bytes.length}.`,
      );
    }
    const scalar = new Uint8Array(spec.bytes);
    return privateKeyOf(curves, { algorithm: 'EC', curve: curve.name, scalar, publicPoint: undefined });
  }
  const material = selfDescribing(curves, spec);
  if (material === undefined) throw unsupported(spec, 'private');
  if (material.kind === 'private') return privateKeyOf(curves, material.key, material.operations);
  throw new InvalidKeySpecError('This key material holds a public key, not a private one.');
}
