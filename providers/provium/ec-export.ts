// From validated EC keys to every form of key material.

import { encodePrivateJwk, encodePublicJwk } from '../../spi/encoding/jwk.ts';
import { encodePemPrivateKey, encodePemPublicKey } from '../../spi/encoding/pem-keys.ts';
import { encodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { encodeCompressedPoint, encodeUncompressedPoint } from '../../spi/encoding/point.ts';
import { encodeSec1 } from '../../spi/encoding/sec1.ts';
import { encodeSpki } from '../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../spi/errors.ts';
import {
  CompressedRawKeySpec,
  ECGenParameterSpec,
  type ECParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  JwkKeySpec,
  type KeySpec,
  type KeySpecClass,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../spi/key-specs.ts';
import { parameterSpecOf } from './explicit-curves.ts';
import { type EcPrivateKey, EcPublicKey, operationsOf, pointOf, scalarOf } from './keys.ts';

/** Makes one form of a key on a curve by name. */
type Exporter<K> = (key: K, curve: string) => KeySpec;

function publicData(key: EcPublicKey, curve: string) {
  return { algorithm: 'EC', curve, point: encodeUncompressedPoint(pointOf(key)) } as const;
}

function privateData(key: EcPrivateKey, curve: string) {
  const publicPoint = publicData(key.publicKey(), curve).point;
  return { algorithm: 'EC', curve, scalar: scalarOf(key), publicPoint } as const;
}

/** Wraps secret bytes, which the spec copies, and wipes them. */
function wrap<S extends KeySpec>(Kind: new (bytes: Uint8Array) => S, bytes: Uint8Array): S {
  const spec = new Kind(bytes);
  bytes.fill(0);
  return spec;
}

/** The curve by its name if it has one, else by its parameters. */
function parametersOf(key: EcPublicKey | EcPrivateKey): ECGenParameterSpec | ECParameterSpec {
  return key.curve === undefined ? parameterSpecOf(operationsOf(key).curve) : new ECGenParameterSpec(key.curve);
}

function publicCoordinates(key: EcPublicKey): ECPublicKeySpec {
  const point = pointOf(key);
  const half = point.length / 2;
  return new ECPublicKeySpec({ x: point.subarray(0, half), y: point.subarray(half) }, parametersOf(key));
}

const PUBLIC_FORMS = new Map<KeySpecClass, Exporter<EcPublicKey>>([
  [X509EncodedKeySpec, (key, curve) => new X509EncodedKeySpec(encodeSpki(publicData(key, curve)))],
  [RawKeySpec, (key, curve) => new RawKeySpec(publicData(key, curve).point, { curve, encoding: 'uncompressed' })],
  [CompressedRawKeySpec, (key, curve) => new CompressedRawKeySpec(encodeCompressedPoint(pointOf(key)), { curve })],
  [JwkKeySpec, (key, curve) => new JwkKeySpec(encodePublicJwk(publicData(key, curve)))],
  [PemKeySpec, (key, curve) => new PemKeySpec(encodePemPublicKey(publicData(key, curve)))],
]);

const PRIVATE_FORMS = new Map<KeySpecClass, Exporter<EcPrivateKey>>([
  [PKCS8EncodedKeySpec, (key, curve) => wrap(PKCS8EncodedKeySpec, encodePkcs8(privateData(key, curve)))],
  [Sec1EncodedKeySpec, (key, curve) => wrap(Sec1EncodedKeySpec, encodeSec1(privateData(key, curve)))],
  [RawKeySpec, (key, curve) => new RawKeySpec(scalarOf(key), { curve })],
  [JwkKeySpec, (key, curve) => new JwkKeySpec(encodePrivateJwk(privateData(key, curve)))],
  [PemKeySpec, (key, curve) => new PemKeySpec(encodePemPrivateKey(privateData(key, curve)))],
]);

function formOf(key: EcPublicKey | EcPrivateKey, kind: KeySpecClass): KeySpec | undefined {
  const isPublic = key instanceof EcPublicKey;
  // The two forms that have room for parameters.
  if (kind === ECPublicKeySpec) return isPublic ? publicCoordinates(key) : undefined;
  if (kind === ECPrivateKeySpec) return isPublic ? undefined : new ECPrivateKeySpec(scalarOf(key), parametersOf(key));
  const { curve } = key;
  if (curve === undefined) return undefined;
  return isPublic ? PUBLIC_FORMS.get(kind)?.(key, curve) : PRIVATE_FORMS.get(kind)?.(key, curve);
}

/** A key in the form of the class `kind`. Throws InvalidKeySpecError where the key has no such form. */
export function exportKey<S extends KeySpec>(key: EcPublicKey | EcPrivateKey, kind: KeySpecClass<S>): S {
  key.assertUsable();
  const spec = formOf(key, kind);
  if (spec instanceof kind) return spec;
  const name = typeof kind === 'function' ? kind.name : String(kind);
  throw new InvalidKeySpecError(`An ${key.toString()} has no form ${name}.`);
}
