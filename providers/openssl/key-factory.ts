// Keys from every form and back. Encodings are read and checked here before OpenSSL sees any part of them.

import { encodePrivateJwk, encodePublicJwk, isPrivateJwk } from '../../spi/encoding/jwk.ts';
import type { PrivateKeyData, PublicKeyData } from '../../spi/encoding/key-data.ts';
import { encodePem } from '../../spi/encoding/pem.ts';
import { PEM_LABELS } from '../../spi/encoding/pem-keys.ts';
import { InvalidKeyError, InvalidKeySpecError } from '../../spi/errors.ts';
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
import type { Key, PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { KeyFactorySpi } from '../../spi/service.ts';
import { findCurve } from './curves.ts';
import { readPrivate, readPrivateSpec, readPublicSpec, readSpki, wipePrivate } from './decode.ts';
import { compressed, importEcPrivate, importEcPublic, importOkpPrivate, importOkpPublic } from './import.ts';
import { isOwnKey, type OpenSslKey, type OpenSslPrivateKey } from './keys.ts';
import { nodeCrypto } from './node.ts';
import { findOkp } from './okp.ts';

/** `EC`, `EdDSA`, `XDH`, or one curve of the latter two. */
export class OpenSslKeyFactory implements KeyFactorySpi {
  readonly #algorithm: string;

  constructor(algorithm: string) {
    this.#algorithm = algorithm;
  }

  generatePublic(spec: KeySpec): PublicKey {
    if (isPrivateSpec(spec)) return this.#publicOf(spec);
    const data = readPublicSpec(spec);
    this.#assertServed(data);
    return data.algorithm === 'EC'
      ? importEcPublic(ecRow(data.curve), data.point)
      : importOkpPublic(okpRow(data.curve), data.publicKey);
  }

  /** The public key that belongs to a private one. */
  #publicOf(spec: KeySpec): PublicKey {
    const secret = this.generatePrivate(spec) as OpenSslPrivateKey;
    try {
      const spki = nodeCrypto().createPublicKey(secret.handle).export({ type: 'spki', format: 'der' });
      return this.generatePublic(new X509EncodedKeySpec(spki));
    } finally {
      secret.destroy();
    }
  }

  generatePrivate(spec: KeySpec): PrivateKey {
    const data = readPrivateSpec(spec);
    try {
      this.#assertServed(data);
      return data.algorithm === 'EC'
        ? importEcPrivate(ecRow(data.curve), data.scalar, data.publicPoint)
        : importOkpPrivate(okpRow(data.curve), data.privateKey, data.publicKey);
    } finally {
      wipePrivate(data);
    }
  }

  getKeySpec<S extends KeySpec>(key: Key, kind: KeySpecClass<S>): S {
    const own = this.#own(key);
    const spec = own.kind === 'public' ? publicSpec(own.encoded, kind) : privateSpec(own, kind);
    if (spec instanceof kind) return spec;
    throw new InvalidKeySpecError(`This ${key.toString()} has no form ${kind.name} in OpenSSL.`);
  }

  translateKey(key: Key): Key {
    try {
      return this.#own(key);
    } catch (cause) {
      if (!(cause instanceof InvalidKeySpecError)) throw cause;
      throw new InvalidKeyError(`OpenSSL cannot take this ${key.toString()}: ${cause.message}`, { cause });
    }
  }

  /** The key itself if it is ours, else one of ours with the same value. */
  #own(key: Key): OpenSslKey {
    key.assertUsable();
    if (isOwnKey(key)) {
      this.#assertServed(key);
      return key;
    }
    const encoded = key.encoded;
    if (encoded === undefined) throw new InvalidKeyError(`This ${key.toString()} cannot leave its provider.`);
    try {
      const own =
        key.kind === 'public'
          ? this.generatePublic(new X509EncodedKeySpec(encoded))
          : this.generatePrivate(new PKCS8EncodedKeySpec(encoded));
      return own as OpenSslKey;
    } finally {
      encoded.fill(0);
    }
  }

  #assertServed({ algorithm, curve }: { readonly algorithm: string; readonly curve: string }): void {
    if (algorithm !== this.#algorithm && curve !== this.#algorithm) {
      throw new InvalidKeySpecError(`The KeyFactory ${this.#algorithm} does not take a key on ${curve}.`);
    }
  }
}

function isPrivateSpec(spec: KeySpec): boolean {
  if (spec instanceof JwkKeySpec) return isPrivateJwk(spec.jwk);
  // Text with both keys means the private one, as it does everywhere.
  if (spec instanceof PemKeySpec) return spec.pem.includes('PRIVATE KEY-----');
  return [PKCS8EncodedKeySpec, Sec1EncodedKeySpec, ECPrivateKeySpec].some((Kind) => spec instanceof Kind);
}

function ecRow(name: string) {
  const row = findCurve(name);
  if (row === undefined) throw new InvalidKeySpecError(`OpenSSL has no curve ${name}.`);
  return row;
}

function okpRow(name: string) {
  const row = findOkp(name);
  if (row === undefined) throw new InvalidKeySpecError(`OpenSSL has no curve ${name}.`);
  return row;
}

function publicSpec(encoded: Uint8Array, kind: KeySpecClass): KeySpec | undefined {
  if (kind === X509EncodedKeySpec) return new X509EncodedKeySpec(encoded);
  if (kind === PemKeySpec) return new PemKeySpec(encodePem(PEM_LABELS.spki, encoded));
  return publicPartSpec(readSpki(encoded), kind);
}

function publicPartSpec(data: PublicKeyData, kind: KeySpecClass): KeySpec | undefined {
  const { curve } = data;
  if (kind === JwkKeySpec) return new JwkKeySpec(encodePublicJwk(data));
  if (data.algorithm !== 'EC') {
    return kind === RawKeySpec ? new RawKeySpec(data.publicKey, { curve }) : undefined;
  }
  if (kind === RawKeySpec) return new RawKeySpec(data.point, { curve, encoding: 'uncompressed' });
  if (kind === CompressedRawKeySpec) return new CompressedRawKeySpec(compressed(ecRow(curve), data.point), { curve });
  if (kind !== ECPublicKeySpec) return undefined;
  const xy = data.point.subarray(1);
  const half = xy.length / 2;
  return new ECPublicKeySpec({ x: xy.subarray(0, half), y: xy.subarray(half) }, new ECGenParameterSpec(curve));
}

function privateSpec(key: OpenSslPrivateKey, kind: KeySpecClass): KeySpec | undefined {
  const encoded = key.encoded;
  try {
    if (kind === PKCS8EncodedKeySpec) return new PKCS8EncodedKeySpec(encoded);
    if (kind === PemKeySpec) return new PemKeySpec(encodePem(PEM_LABELS.pkcs8, encoded));
    if (kind === Sec1EncodedKeySpec) return sec1Spec(key);
    const data = readPrivate(encoded);
    try {
      return privatePartSpec(data, key, kind);
    } finally {
      wipePrivate(data);
    }
  } finally {
    encoded.fill(0);
  }
}

function sec1Spec(key: OpenSslPrivateKey): Sec1EncodedKeySpec | undefined {
  if (key.algorithm !== 'EC') return undefined;
  const sec1 = key.handle.export({ type: 'sec1', format: 'der' });
  try {
    return new Sec1EncodedKeySpec(sec1, { curve: key.curve });
  } finally {
    sec1.fill(0);
  }
}

function privatePartSpec(data: PrivateKeyData, key: OpenSslPrivateKey, kind: KeySpecClass): KeySpec | undefined {
  const { curve } = data;
  if (data.algorithm === 'EC') {
    if (kind === RawKeySpec) return new RawKeySpec(data.scalar, { curve });
    if (kind === ECPrivateKeySpec) return new ECPrivateKeySpec(data.scalar, new ECGenParameterSpec(curve));
    return kind === JwkKeySpec ? new JwkKeySpec(encodePrivateJwk(data)) : undefined;
  }
  if (kind === RawKeySpec) return new RawKeySpec(data.privateKey, { curve });
  if (kind !== JwkKeySpec) return undefined;
  const open = readSpki(nodeCrypto().createPublicKey(key.handle).export({ type: 'spki', format: 'der' }));
  return open.algorithm === 'EC' ? undefined : new JwkKeySpec(encodePrivateJwk({ ...data, publicKey: open.publicKey }));
}
