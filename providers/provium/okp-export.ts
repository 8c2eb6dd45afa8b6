// From validated EdDSA and XDH keys to every form of key material.

import { encodePrivateJwk, encodePublicJwk } from '../../spi/encoding/jwk.ts';
import { encodePemPrivateKey, encodePemPublicKey } from '../../spi/encoding/pem-keys.ts';
import { encodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { encodeSpki } from '../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../spi/errors.ts';
import {
  JwkKeySpec,
  type KeySpec,
  type KeySpecClass,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  X509EncodedKeySpec,
} from '../../spi/key-specs.ts';
import { EdPublicKey, isOkpPublic, type OkpPrivate, type OkpPublic, publicBytesOf, secretBytesOf } from './okp-keys.ts';

/** Makes one form of a key. */
type Exporter<K> = (key: K) => KeySpec;

function publicData(key: OkpPublic) {
  return { algorithm: key.algorithm, curve: key.curve, publicKey: publicBytesOf(key) } as const;
}

function privateData(key: OkpPrivate) {
  return {
    algorithm: key.algorithm,
    curve: key.curve,
    privateKey: secretBytesOf(key),
    publicKey: undefined,
  } as const;
}

function isForZip215(key: OkpPublic): boolean {
  return key instanceof EdPublicKey && key.zip215;
}

const PUBLIC_FORMS = new Map<KeySpecClass, Exporter<OkpPublic>>([
  [X509EncodedKeySpec, (key) => new X509EncodedKeySpec(encodeSpki(publicData(key)))],
  [JwkKeySpec, (key) => new JwkKeySpec(encodePublicJwk(publicData(key)))],
  [PemKeySpec, (key) => new PemKeySpec(encodePemPublicKey(publicData(key)))],
]);

const PRIVATE_FORMS = new Map<KeySpecClass, Exporter<OkpPrivate>>([
  [
    PKCS8EncodedKeySpec,
    (key) => {
      const encoded = encodePkcs8(privateData(key));
      const spec = new PKCS8EncodedKeySpec(encoded);
      encoded.fill(0);
      return spec;
    },
  ],
  [RawKeySpec, (key) => new RawKeySpec(secretBytesOf(key), { curve: key.curve })],
  [JwkKeySpec, (key) => new JwkKeySpec(encodePrivateJwk({ ...privateData(key), publicKey: key.publicBytes() }))],
  [PemKeySpec, (key) => new PemKeySpec(encodePemPrivateKey(privateData(key)))],
]);

function publicSpec(key: OkpPublic, kind: KeySpecClass): KeySpec | undefined {
  if (kind === RawKeySpec) {
    const encoding = isForZip215(key) ? ({ encoding: 'zip215' } as const) : {};
    return new RawKeySpec(publicBytesOf(key), { curve: key.curve, ...encoding });
  }
  // The other forms would not say that the key serves under zip215 only.
  return isForZip215(key) ? undefined : PUBLIC_FORMS.get(kind)?.(key);
}

/** A key in the form of the class `kind`. Throws InvalidKeySpecError where the key has no such form. */
export function exportOkpKey<S extends KeySpec>(key: OkpPublic | OkpPrivate, kind: KeySpecClass<S>): S {
  key.assertUsable();
  const spec = isOkpPublic(key) ? publicSpec(key, kind) : PRIVATE_FORMS.get(kind)?.(key);
  if (spec instanceof kind) return spec;
  const name = typeof kind === 'function' ? kind.name : String(kind);
  throw new InvalidKeySpecError(`An ${key.toString()} has no form ${name}.`);
}
