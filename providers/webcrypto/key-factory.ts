// Keys from every form and back. Encodings are read and checked here before the platform sees any part of them.

import { encodePrivateJwk, encodePublicJwk } from '../../spi/encoding/jwk.ts';
import type { PrivateKeyData, PublicKeyData } from '../../spi/encoding/key-data.ts';
import { encodePem } from '../../spi/encoding/pem.ts';
import { PEM_LABELS } from '../../spi/encoding/pem-keys.ts';
import { decodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { encodeCompressedPoint } from '../../spi/encoding/point.ts';
import { encodeSec1 } from '../../spi/encoding/sec1.ts';
import { decodeSpki } from '../../spi/encoding/spki.ts';
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
import { algorithmFor, type EcWebCurve, mainPurpose, type OkpWebCurve, usagesOf } from './curves.ts';
import { readPrivateSpec, readPublicSpec, requireCurve, wipePrivate } from './decode.ts';
import { isWebKey, type WebKey } from './handles.ts';
import {
  assertEdwards,
  importEcPrivate,
  importOkpPrivate,
  importPublic,
  publicPartOf,
  requireForImport,
} from './import.ts';
import { source, subtle } from './platform.ts';

/** `EC`, `EdDSA`, `XDH`, or one curve of the latter two. */
export class WebCryptoKeyFactory implements KeyFactorySpi<'async'> {
  readonly #algorithm: string;

  constructor(algorithm: string) {
    this.#algorithm = algorithm;
  }

  async generatePublic(spec: KeySpec): Promise<PublicKey> {
    const data = readPublicSpec(spec);
    this.#assertServed(data);
    const curve = requireCurve(data.curve);
    await requireForImport(curve);
    return importPublic(curve, data);
  }

  async generatePrivate(spec: KeySpec): Promise<PrivateKey> {
    const data = readPrivateSpec(spec);
    try {
      this.#assertServed(data);
      const curve = requireCurve(data.curve);
      await requireForImport(curve);
      return data.algorithm === 'EC'
        ? await importEcPrivate(curve as EcWebCurve, data)
        : await importOkpPrivate(curve as OkpWebCurve, data);
    } finally {
      wipePrivate(data);
    }
  }

  async getKeySpec<S extends KeySpec>(key: Key, kind: KeySpecClass<S>): Promise<S> {
    const own = await this.#own(key);
    const encoded = own.encoded;
    if (encoded === undefined) {
      throw new InvalidKeySpecError(`This ${key.toString()} cannot be exported: it has no form ${kind.name}.`);
    }
    try {
      const spec = own.kind === 'public' ? publicSpec(encoded, kind) : await privateSpec(encoded, kind);
      if (spec instanceof kind) return spec;
    } finally {
      encoded.fill(0);
    }
    throw new InvalidKeySpecError(`This ${key.toString()} has no form ${kind.name} in WebCrypto.`);
  }

  async translateKey(key: Key): Promise<Key> {
    try {
      return await this.#own(key);
    } catch (cause) {
      if (!(cause instanceof InvalidKeySpecError)) throw cause;
      throw new InvalidKeyError(`WebCrypto cannot take this ${key.toString()}: ${cause.message}`, { cause });
    }
  }

  /** The key itself if it is around a CryptoKey, else one of ours with the same value. */
  async #own(key: Key): Promise<WebKey> {
    key.assertUsable();
    const encoded = key.encoded;
    if (isWebKey(key)) {
      const curve = requireCurve(key.curve ?? 'without a name');
      this.#assertServed({ algorithm: key.algorithm, curve: curve.name });
      if (key.kind === 'public' && encoded !== undefined) {
        const data = decodeSpki(encoded);
        if (data.algorithm !== 'EC') assertEdwards(curve, data.publicKey);
      }
      encoded?.fill(0);
      return key;
    }
    if (encoded === undefined) throw new InvalidKeyError(`This ${key.toString()} cannot leave its provider.`);
    try {
      const own =
        key.kind === 'public'
          ? await this.generatePublic(new X509EncodedKeySpec(encoded))
          : await this.generatePrivate(pkcs8Spec(encoded));
      return own as WebKey;
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

function pkcs8Spec(encoded: Uint8Array): PKCS8EncodedKeySpec {
  return new PKCS8EncodedKeySpec(encoded);
}

function publicSpec(encoded: Uint8Array, kind: KeySpecClass): KeySpec | undefined {
  if (kind === X509EncodedKeySpec) return new X509EncodedKeySpec(encoded);
  if (kind === PemKeySpec) return new PemKeySpec(encodePem(PEM_LABELS.spki, encoded));
  return publicPartSpec(decodeSpki(encoded), kind);
}

function publicPartSpec(data: PublicKeyData, kind: KeySpecClass): KeySpec | undefined {
  const { curve } = data;
  if (kind === JwkKeySpec) return new JwkKeySpec(encodePublicJwk(data));
  if (data.algorithm !== 'EC') {
    return kind === RawKeySpec ? new RawKeySpec(data.publicKey, { curve }) : undefined;
  }
  const xy = data.point.subarray(1);
  if (kind === RawKeySpec) return new RawKeySpec(data.point, { curve, encoding: 'uncompressed' });
  if (kind === CompressedRawKeySpec) return new CompressedRawKeySpec(encodeCompressedPoint(xy), { curve });
  if (kind !== ECPublicKeySpec) return undefined;
  const half = xy.length / 2;
  return new ECPublicKeySpec({ x: xy.subarray(0, half), y: xy.subarray(half) }, new ECGenParameterSpec(curve));
}

async function privateSpec(encoded: Uint8Array, kind: KeySpecClass): Promise<KeySpec | undefined> {
  if (kind === PKCS8EncodedKeySpec) return new PKCS8EncodedKeySpec(encoded);
  if (kind === PemKeySpec) return new PemKeySpec(encodePem(PEM_LABELS.pkcs8, encoded));
  const data = decodePkcs8(encoded);
  try {
    return await privatePartSpec(data, kind, encoded);
  } finally {
    wipePrivate(data);
  }
}

async function privatePartSpec(
  data: PrivateKeyData,
  kind: KeySpecClass,
  encoded: Uint8Array,
): Promise<KeySpec | undefined> {
  const { curve } = data;
  if (data.algorithm !== 'EC') {
    if (kind === RawKeySpec) return new RawKeySpec(data.privateKey, { curve });
    if (kind !== JwkKeySpec) return undefined;
    return new JwkKeySpec(encodePrivateJwk({ ...data, publicKey: data.publicKey ?? (await publicOf(curve, encoded)) }));
  }
  if (kind === RawKeySpec) return new RawKeySpec(data.scalar, { curve });
  if (kind === ECPrivateKeySpec) return new ECPrivateKeySpec(data.scalar, new ECGenParameterSpec(curve));
  if (kind === JwkKeySpec) {
    return new JwkKeySpec(
      encodePrivateJwk({ ...data, publicPoint: data.publicPoint ?? (await publicOf(curve, encoded)) }),
    );
  }
  if (kind !== Sec1EncodedKeySpec) return undefined;
  const sec1 = encodeSec1(data);
  try {
    return new Sec1EncodedKeySpec(sec1, { curve });
  } finally {
    sec1.fill(0);
  }
}

/** The public octets of an encoded private key that does not hold them. */
async function publicOf(name: string, encoded: Uint8Array): Promise<Uint8Array> {
  const curve = requireCurve(name);
  const purpose = mainPurpose(curve);
  const usages = usagesOf(purpose, 'private');
  const handle = await subtle().importKey('pkcs8', source(encoded), algorithmFor(curve, purpose), true, usages);
  return publicPartOf(curve, handle);
}
