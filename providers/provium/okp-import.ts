// From any form of EdDSA and XDH key material to validated keys. All checks of keys are here, and are made once.

import { EDWARDS_CURVES, isEdwardsCurve, isMontgomeryCurve, MONTGOMERY_CURVES } from '../../engines/edwards-curves.ts';
import { bytesEqual } from '../../fields/ct.ts';
import { decodePrivateJwk, decodePublicJwk, isPrivateJwk } from '../../spi/encoding/jwk.ts';
import type { PrivateKeyData, PublicKeyData } from '../../spi/encoding/key-data.ts';
import { decodePemKey } from '../../spi/encoding/pem-keys.ts';
import { decodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { decodeSpki } from '../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../spi/errors.ts';
import {
  JwkKeySpec,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  X509EncodedKeySpec,
} from '../../spi/key-specs.ts';
import { curvesOf, type OkpAlgorithm, type OkpCurves, type OkpName, okpCurveName } from './okp-curves.ts';
import { EdPrivateKey, EdPublicKey, type OkpPrivate, type OkpPublic, XPrivateKey, XPublicKey } from './okp-keys.ts';

const RAW_LENGTH: Readonly<Record<OkpName, number>> = {
  Ed25519: EDWARDS_CURVES.Ed25519.byteLength,
  Ed448: EDWARDS_CURVES.Ed448.byteLength,
  X25519: MONTGOMERY_CURVES.X25519.byteLength,
  X448: MONTGOMERY_CURVES.X448.byteLength,
};

type KeyMaterial =
  | { readonly kind: 'public'; readonly key: PublicKeyData }
  | { readonly kind: 'private'; readonly key: PrivateKeyData };

/** The name if the service serves that curve. Throws InvalidKeySpecError. */
function servedBy(algorithm: OkpAlgorithm, curve: string): OkpName {
  const name = okpCurveName(curve);
  if (name !== undefined && curvesOf(algorithm).includes(name)) return name;
  throw new InvalidKeySpecError(
    `The KeyFactory ${algorithm} makes keys for ${curvesOf(algorithm).join(' and ')}, not for ${curve}.`,
  );
}

function checkLength(curve: OkpName, bytes: Uint8Array, kind: string): void {
  const width = RAW_LENGTH[curve];
  if (bytes.length !== width) {
    throw new InvalidKeySpecError(`A raw ${kind} key of ${curve} has ${width} bytes, got ${bytes.length}.`);
  }
}

function publicKeyOf(curves: OkpCurves, curve: OkpName, bytes: Uint8Array, zip215 = false): OkpPublic {
  if (isMontgomeryCurve(curve)) {
    if (zip215) throw new InvalidKeySpecError(`The encoding zip215 is one of Ed25519, not of ${curve}.`);
    checkLength(curve, bytes, 'public');
    return new XPublicKey(curve, Uint8Array.from(bytes));
  }
  if (zip215 && curve !== 'Ed25519') {
    throw new InvalidKeySpecError(`The encoding zip215 is one of Ed25519, not of ${curve}.`);
  }
  const operations = curves.eddsa(curve);
  checkLength(curve, bytes, 'public');
  const decoded = operations.decodePublicKey(bytes, zip215);
  if (decoded !== undefined) return new EdPublicKey(decoded, zip215);
  throw new InvalidKeySpecError(
    zip215
      ? 'The bytes stand for no point of Ed25519.'
      : `The bytes are not the canonical encoding of a point of ${curve} (RFC 8032).`,
  );
}

/** Takes over `secret`, which is wiped where it is refused. */
function privateKeyOf(
  curves: OkpCurves,
  curve: OkpName,
  secret: Uint8Array,
  stated: Uint8Array | undefined,
): OkpPrivate {
  try {
    checkLength(curve, secret, 'private');
    const key = isEdwardsCurve(curve)
      ? new EdPrivateKey(curves.eddsa(curve), secret)
      : new XPrivateKey(curves.xdh(curve), secret);
    if (stated !== undefined && bytesEqual(stated, key.publicBytes()) === 0) {
      throw new InvalidKeySpecError(`The public key inside does not belong to the private key (${curve}).`);
    }
    return key;
  } catch (error) {
    secret.fill(0);
    throw error;
  }
}

/** Reads what tells by itself whether it is public or private; undefined for the forms that do not. */
function selfDescribing(spec: KeySpec): KeyMaterial | undefined {
  if (spec instanceof X509EncodedKeySpec) return { kind: 'public', key: decodeSpki(spec.encoded) };
  if (spec instanceof PKCS8EncodedKeySpec) return { kind: 'private', key: decodePkcs8(spec.encoded) };
  if (spec instanceof PemKeySpec) return decodePemKey(spec.pem, spec.passphrase);
  if (spec instanceof JwkKeySpec) {
    return isPrivateJwk(spec.jwk)
      ? { kind: 'private', key: decodePrivateJwk(spec.jwk) }
      : { kind: 'public', key: decodePublicJwk(spec.jwk) };
  }
  return undefined;
}

function fromPrivateData(curves: OkpCurves, algorithm: OkpAlgorithm, data: PrivateKeyData): OkpPrivate {
  const secret = data.algorithm === 'EC' ? data.scalar : data.privateKey;
  let curve: OkpName;
  try {
    curve = servedBy(algorithm, data.curve);
  } catch (error) {
    secret.fill(0);
    throw error;
  }
  return privateKeyOf(curves, curve, secret, data.algorithm === 'EC' ? undefined : data.publicKey);
}

function unsupported(algorithm: OkpAlgorithm, spec: KeySpec, wanted: string): InvalidKeySpecError {
  const form = spec?.format ?? typeof spec;
  return new InvalidKeySpecError(
    `Provium makes no ${wanted} ${algorithm} key from key material of the form "${form}".`,
  );
}

/** The public key of any supported spec; of a private one, the public key that belongs to it. Throws InvalidKeySpecError. */
export function importOkpPublicKey(curves: OkpCurves, algorithm: OkpAlgorithm, spec: KeySpec): OkpPublic {
  if (spec instanceof RawKeySpec) {
    return publicKeyOf(curves, servedBy(algorithm, spec.curve), spec.bytes, spec.encoding === 'zip215');
  }
  const material = selfDescribing(spec);
  if (material === undefined) throw unsupported(algorithm, spec, 'public');
  if (material.kind === 'public') {
    const { key } = material;
    const curve = servedBy(algorithm, key.curve);
    return publicKeyOf(curves, curve, key.algorithm === 'EC' ? key.point : key.publicKey);
  }
  const secret = fromPrivateData(curves, algorithm, material.key);
  try {
    return secret.publicKey();
  } finally {
    secret.destroy();
  }
}

/** The private key of any supported spec. Throws InvalidKeySpecError. */
export function importOkpPrivateKey(curves: OkpCurves, algorithm: OkpAlgorithm, spec: KeySpec): OkpPrivate {
  if (spec instanceof RawKeySpec) {
    if (spec.encoding === 'zip215') throw new InvalidKeySpecError('The encoding zip215 is one of public keys.');
    return privateKeyOf(curves, servedBy(algorithm, spec.curve), Uint8Array.from(spec.bytes), undefined);
  }
  const material = selfDescribing(spec);
  if (material === undefined) throw unsupported(algorithm, spec, 'private');
  if (material.kind === 'private') return fromPrivateData(curves, algorithm, material.key);
  throw new InvalidKeySpecError('This key material holds a public key, not a private one.');
}
