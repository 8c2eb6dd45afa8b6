// Keys of EdDSA and XDH: validated once, when they are made; a seed or scalar never leaves except by export.

import type { EdDSAOperations, EdDSAPublicKey } from '../../engines/eddsa-operations.ts';
import type { EdwardsCurveName, MontgomeryCurveName } from '../../engines/edwards-curves.ts';
import type { XDHOperations } from '../../engines/xdh-operations.ts';
import { bytesEqual } from '../../fields/ct.ts';
import { decodePkcs8, encodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { decodeSpki, encodeSpki } from '../../spi/encoding/spki.ts';
import { ProviderError } from '../../spi/errors.ts';
import { type Key, PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { OkpName } from './okp-curves.ts';

let readPublic: (key: OkpPublicKey) => Uint8Array;
let readSecret: (key: OkpPrivateKey) => Uint8Array;
let readDecoded: (key: EdPublicKey) => EdDSAPublicKey;

const SIZE: Readonly<Record<OkpName, number>> = { Ed25519: 255, Ed448: 448, X25519: 255, X448: 448 };

abstract class OkpPublicKey extends PublicKey {
  abstract override readonly algorithm: 'EdDSA' | 'XDH';
  override readonly curve: OkpName;
  override readonly size: number;
  readonly #bytes: Uint8Array;

  static {
    readPublic = (key) => key.#bytes;
  }

  /** `bytes` become the key's own. */
  constructor(curve: OkpName, bytes: Uint8Array) {
    super();
    this.curve = curve;
    this.size = SIZE[curve];
    this.#bytes = bytes;
  }

  override get format(): 'X.509' | undefined {
    return 'X.509';
  }

  override get encoded(): Uint8Array | undefined {
    this.assertUsable();
    return encodeSpki({ algorithm: this.algorithm, curve: this.curve, publicKey: this.#bytes });
  }

  override equals(other: Key): boolean {
    this.assertUsable();
    if (other === this) return true;
    if (other.kind !== 'public' || other.algorithm !== this.algorithm) return false;
    other.assertUsable();
    if (other instanceof OkpPublicKey) {
      return other.curve === this.curve && other.format === this.format && bytesEqual(other.#bytes, this.#bytes) === 1;
    }
    const { encoded } = other;
    return other.format === this.format && encoded !== undefined && this.#isEncodedBy(encoded);
  }

  #isEncodedBy(encoded: Uint8Array): boolean {
    try {
      const key = decodeSpki(encoded);
      return key.algorithm !== 'EC' && key.curve === this.curve && bytesEqual(key.publicKey, this.#bytes) === 1;
    } catch {
      return false;
    }
  }

  protected override wipe(): void {
    this.#bytes.fill(0);
  }
}

export class EdPublicKey extends OkpPublicKey {
  override readonly algorithm = 'EdDSA';
  declare readonly curve: EdwardsCurveName;
  /** True for a key that was imported for the criteria `zip215`, and serves under them only. */
  readonly zip215: boolean;
  readonly #decoded: EdDSAPublicKey;

  static {
    readDecoded = (key) => key.#decoded;
  }

  constructor(decoded: EdDSAPublicKey, zip215: boolean) {
    super(decoded.curve, decoded.bytes);
    this.zip215 = zip215;
    this.#decoded = decoded;
  }

  /** A key for zip215 stays in this provider: an encoding would not say what it is for. */
  override get format(): 'X.509' | undefined {
    return this.zip215 ? undefined : super.format;
  }

  override get encoded(): Uint8Array | undefined {
    this.assertUsable();
    return this.zip215 ? undefined : super.encoded;
  }
}

export class XPublicKey extends OkpPublicKey {
  override readonly algorithm = 'XDH';
  declare readonly curve: MontgomeryCurveName;

  /** `bytes` is a u-coordinate at its width; any will do, and it is kept as it is. */
  constructor(curve: MontgomeryCurveName, bytes: Uint8Array) {
    super(curve, bytes);
  }
}

abstract class OkpPrivateKey extends PrivateKey {
  abstract override readonly algorithm: 'EdDSA' | 'XDH';
  override readonly format = 'PKCS#8';
  override readonly curve: OkpName;
  override readonly size: number;
  readonly #secret: Uint8Array;
  #open: Uint8Array | undefined;

  static {
    readSecret = (key) => key.#secret;
  }

  /** Both become the key's own; `open` is the public key, where it is known already. */
  constructor(curve: OkpName, secret: Uint8Array, open: Uint8Array | undefined) {
    super();
    this.curve = curve;
    this.size = SIZE[curve];
    this.#secret = secret;
    this.#open = open;
  }

  protected abstract derive(secret: Uint8Array): Uint8Array;

  /** The public key as bytes: the key's own memory, not to be kept or changed. Computed when it is first asked for. */
  publicBytes(): Uint8Array {
    this.assertUsable();
    this.#open ??= this.derive(this.#secret);
    return this.#open;
  }

  /** PKCS#8, version 1 as RFC 8410 has it. Wipe it after use. */
  override get encoded(): Uint8Array {
    this.assertUsable();
    const { algorithm, curve } = this;
    return encodePkcs8({ algorithm, curve, privateKey: this.#secret, publicKey: undefined });
  }

  override equals(other: Key): boolean {
    this.assertUsable();
    if (other === this) return true;
    if (other.kind !== 'private' || other.algorithm !== this.algorithm) return false;
    other.assertUsable();
    if (other instanceof OkpPrivateKey) {
      return other.curve === this.curve && bytesEqual(other.#secret, this.#secret) === 1;
    }
    const { encoded } = other;
    if (other.format !== this.format || encoded === undefined) return false;
    const equal = this.#isEncodedBy(encoded);
    encoded.fill(0);
    return equal;
  }

  #isEncodedBy(encoded: Uint8Array): boolean {
    try {
      const key = decodePkcs8(encoded);
      if (key.algorithm === 'EC') return false;
      const equal = key.curve === this.curve && bytesEqual(key.privateKey, this.#secret) === 1;
      key.privateKey.fill(0);
      return equal;
    } catch {
      return false;
    }
  }

  protected override wipe(): void {
    this.#secret.fill(0);
    this.#open?.fill(0);
  }
}

export class EdPrivateKey extends OkpPrivateKey {
  override readonly algorithm = 'EdDSA';
  declare readonly curve: EdwardsCurveName;
  readonly #operations: EdDSAOperations;

  /** `seed` has the length of the curve. */
  constructor(operations: EdDSAOperations, seed: Uint8Array, publicKey?: Uint8Array) {
    super(operations.curve.name, seed, publicKey);
    this.#operations = operations;
  }

  protected override derive(seed: Uint8Array): Uint8Array {
    return this.#operations.derivePublicKey(seed);
  }

  publicKey(): EdPublicKey {
    const decoded = this.#operations.decodePublicKey(this.publicBytes());
    if (decoded === undefined) throw new ProviderError(`The derived ${this.curve} public key does not decode.`);
    return new EdPublicKey(decoded, false);
  }
}

export class XPrivateKey extends OkpPrivateKey {
  override readonly algorithm = 'XDH';
  declare readonly curve: MontgomeryCurveName;
  readonly #operations: XDHOperations;

  /** `secret` has the length of the curve; it is clamped when it is used, and kept as it is. */
  constructor(operations: XDHOperations, secret: Uint8Array, publicKey?: Uint8Array) {
    super(operations.curve.name, secret, publicKey);
    this.#operations = operations;
  }

  protected override derive(secret: Uint8Array): Uint8Array {
    const out = new Uint8Array(secret.length);
    this.#operations.derivePublicKey(out, secret);
    return out;
  }

  publicKey(): XPublicKey {
    return new XPublicKey(this.curve, this.publicBytes().slice());
  }
}

export type OkpPublic = EdPublicKey | XPublicKey;
export type OkpPrivate = EdPrivateKey | XPrivateKey;

export function isOkpPublic(key: unknown): key is OkpPublic {
  return key instanceof EdPublicKey || key instanceof XPublicKey;
}

export function isOkpPrivate(key: unknown): key is OkpPrivate {
  return key instanceof EdPrivateKey || key instanceof XPrivateKey;
}

/** The raw public key: the key's own memory, not to be kept or changed. Throws KeyDestroyedError. */
export function publicBytesOf(key: OkpPublic): Uint8Array {
  key.assertUsable();
  return readPublic(key);
}

/** The seed or scalar: the key's own memory, not to be kept or changed. Throws KeyDestroyedError. */
export function secretBytesOf(key: OkpPrivate): Uint8Array {
  key.assertUsable();
  return readSecret(key);
}

/** What verification takes. Throws KeyDestroyedError. */
export function decodedOf(key: EdPublicKey): EdDSAPublicKey {
  key.assertUsable();
  return readDecoded(key);
}
