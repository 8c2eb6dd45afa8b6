// JSON Web Keys (RFC 7517): EC (RFC 7518, full-width members) and OKP (RFC 8037), and thumbprints (RFC 7638).

import { InvalidKeySpecError } from '../errors.ts';
import type { JsonWebKey } from '../key-specs.ts';
import { decodeBase64Url, encodeBase64Url } from './base64.ts';
import { curveByJwkName, ecCurve, okpCurve } from './curves.ts';
import type { PrivateKeyData, PublicKeyData } from './key-data.ts';
import { encodeUncompressedPoint } from './point.ts';

const UNCOMPRESSED = 0x04;

function malformed(reason: string): never {
  throw new InvalidKeySpecError(`The JWK ${reason}.`);
}

/** The bytes of one member, which must be `width` long. */
function member(jwk: JsonWebKey, name: 'x' | 'y' | 'd', width: number): Uint8Array {
  const text = jwk[name];
  if (typeof text !== 'string') malformed(`has no member "${name}"`);
  const bytes = decodeBase64Url(text) ?? malformed(`has a member "${name}" that is not base64url`);
  if (bytes.length !== width) {
    bytes.fill(0);
    malformed(`has ${bytes.length} bytes in "${name}" where ${width} belong`);
  }
  return bytes;
}

/** Family, curve and public part, the same for public and private keys. */
function publicPart(jwk: JsonWebKey): PublicKeyData {
  const { kty, crv } = jwk;
  if (kty !== 'EC' && kty !== 'OKP') malformed('is neither of type "EC" nor "OKP"');
  if (typeof crv !== 'string') malformed('names no curve ("crv")');
  const curve = curveByJwkName(kty, crv);
  if (curve === undefined) malformed(`of type ${kty} names a curve that is not known here`);
  if (curve.family !== 'EC') {
    return { algorithm: curve.family, curve: curve.name, publicKey: member(jwk, 'x', curve.fieldBytes) };
  }
  const xy = new Uint8Array(2 * curve.fieldBytes);
  xy.set(member(jwk, 'x', curve.fieldBytes));
  xy.set(member(jwk, 'y', curve.fieldBytes), curve.fieldBytes);
  return { algorithm: 'EC', curve: curve.name, point: encodeUncompressedPoint(xy) };
}

/** True if the JWK has a private part. */
export function isPrivateJwk(jwk: JsonWebKey): boolean {
  return jwk.d !== undefined;
}

/** Reads the public part; a private part is not looked at. Throws InvalidKeySpecError. */
export function decodePublicJwk(jwk: JsonWebKey): PublicKeyData {
  return publicPart(jwk);
}

/** Reads a private JWK; its public part is required, as RFC 7518 and RFC 8037 say. Throws InvalidKeySpecError. */
export function decodePrivateJwk(jwk: JsonWebKey): PrivateKeyData {
  const key = publicPart(jwk);
  if (key.algorithm === 'EC') {
    const scalar = member(jwk, 'd', ecCurve(key.curve, 'The JWK').orderBytes);
    return { algorithm: 'EC', curve: key.curve, scalar, publicPoint: key.point };
  }
  return { ...key, privateKey: member(jwk, 'd', okpCurve(key.curve, 'The JWK').fieldBytes) };
}

/** Writes a public JWK; an EC point must be uncompressed. Throws InvalidKeySpecError where JOSE has no such curve. */
export function encodePublicJwk(key: PublicKeyData): JsonWebKey {
  if (key.algorithm !== 'EC') return { kty: 'OKP', crv: key.curve, x: encodeBase64Url(key.publicKey) };
  const { jwkName, fieldBytes } = ecCurve(key.curve, 'The key');
  if (jwkName === undefined) throw new InvalidKeySpecError(`Keys on ${key.curve} have no JWK form.`);
  if (key.point[0] !== UNCOMPRESSED || key.point.length !== 1 + 2 * fieldBytes) {
    throw new InvalidKeySpecError('A JWK is written from an uncompressed point.');
  }
  return {
    kty: 'EC',
    crv: jwkName,
    x: encodeBase64Url(key.point.subarray(1, 1 + fieldBytes)),
    y: encodeBase64Url(key.point.subarray(1 + fieldBytes)),
  };
}

/** Writes a private JWK; the public part must be there. Throws InvalidKeySpecError. */
export function encodePrivateJwk(key: PrivateKeyData): JsonWebKey {
  const publicPart = key.algorithm === 'EC' ? key.publicPoint : key.publicKey;
  if (publicPart === undefined) throw new InvalidKeySpecError('A private JWK needs its public key.');
  return key.algorithm === 'EC'
    ? {
        ...encodePublicJwk({ algorithm: 'EC', curve: key.curve, point: publicPart }),
        d: encodeBase64Url(key.scalar),
      }
    : {
        ...encodePublicJwk({ algorithm: key.algorithm, curve: key.curve, publicKey: publicPart }),
        d: encodeBase64Url(key.privateKey),
      };
}

/** The text whose hash is the thumbprint of RFC 7638: required public members only, in order, without white space. */
export function jwkThumbprintInput(jwk: JsonWebKey): string {
  const { kty, crv, x, y } = encodePublicJwk(publicPart(jwk));
  return JSON.stringify(kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x });
}

/** The thumbprint as base64url; `hash` is SHA-256 unless agreed otherwise. */
export function jwkThumbprint(jwk: JsonWebKey, hash: (data: Uint8Array) => Uint8Array): string {
  return encodeBase64Url(hash(new TextEncoder().encode(jwkThumbprintInput(jwk))));
}
