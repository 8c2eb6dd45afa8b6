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
import { type EcPrivateKey, EcPublicKey, pointOf, scalarOf } from './keys.ts';

/** Makes one form of a key. */
type Exporter<K> = (key: K) => KeySpec;

function publicData(key: EcPublicKey) {
  return { algorithm: 'EC', curve: key.curve, point: encodeUncompressedPoint(pointOf(key)) } as const;
}

function privateData(key: EcPrivateKey) {
  const publicPoint = publicData(key.publicKey()).point;
  return { algorithm: 'EC', curve: key.curve, scalar: scalarOf(key), publicPoint } as const;
}

/** Wraps secret bytes, which the spec copies, and wipes them. */
function wrap<S extends KeySpec>(Kind: new (bytes: Uint8Array) => S, bytes: Uint8Array): S {
  const spec = new Kind(bytes);
  bytes.fill(0);
  return spec;
}

const PUBLIC_FORMS = new Map<KeySpecClass, Exporter<EcPublicKey>>([
  [X509EncodedKeySpec, (key) => new X509EncodedKeySpec(encodeSpki(publicData(key)))],
  [RawKeySpec, (key) => new RawKeySpec(publicData(key).point, { curve: key.curve, encoding: 'uncompressed' })],
  [CompressedRawKeySpec, (key) => new CompressedRawKeySpec(encodeCompressedPoint(pointOf(key)), { curve: key.curve })],
  [JwkKeySpec, (key) => new JwkKeySpec(encodePublicJwk(publicData(key)))],
  [PemKeySpec, (key) => new PemKeySpec(encodePemPublicKey(publicData(key)))],
  [
    ECPublicKeySpec,
    (key) => {
      const point = pointOf(key);
      const half = point.length / 2;
      const xy = { x: point.subarray(0, half), y: point.subarray(half) };
      return new ECPublicKeySpec(xy, new ECGenParameterSpec(key.curve));
    },
  ],
]);

const PRIVATE_FORMS = new Map<KeySpecClass, Exporter<EcPrivateKey>>([
  [PKCS8EncodedKeySpec, (key) => wrap(PKCS8EncodedKeySpec, encodePkcs8(privateData(key)))],
  [Sec1EncodedKeySpec, (key) => wrap(Sec1EncodedKeySpec, encodeSec1(privateData(key)))],
  [RawKeySpec, (key) => new RawKeySpec(scalarOf(key), { curve: key.curve })],
  [JwkKeySpec, (key) => new JwkKeySpec(encodePrivateJwk(privateData(key)))],
  [PemKeySpec, (key) => new PemKeySpec(encodePemPrivateKey(privateData(key)))],
  [ECPrivateKeySpec, (key) => new ECPrivateKeySpec(scalarOf(key), new ECGenParameterSpec(key.curve))],
]);

/** A key in the form of the class `kind`. Throws InvalidKeySpecError where the key has no such form. */
export function exportKey<S extends KeySpec>(key: EcPublicKey | EcPrivateKey, kind: KeySpecClass<S>): S {
  key.assertUsable();
  const spec =
    key instanceof EcPublicKey ? PUBLIC_FORMS.get(kind)?.(key) : PRIVATE_FORMS.get(kind)?.(key as EcPrivateKey);
  if (spec instanceof kind) return spec;
  const name = typeof kind === 'function' ? kind.name : String(kind);
  throw new InvalidKeySpecError(`An ${key.toString()} has no form ${name}.`);
}
