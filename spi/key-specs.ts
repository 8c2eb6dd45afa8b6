// Key material and parameters as values: what key factories, generators and façades take and give.
// Every constructor copies the caller's bytes.

import { encodePem } from './encoding/pem.ts';
import { InvalidParameterError } from './errors.ts';

function copyOf(bytes: Uint8Array, what: string): Uint8Array {
  if (!(bytes instanceof Uint8Array)) {
    throw new InvalidParameterError(`${what} must be a Uint8Array, got ${bytes === null ? 'null' : typeof bytes}.`);
  }
  return Uint8Array.from(bytes);
}

/** Base of all forms of key material. */
export abstract class KeySpec {
  abstract readonly format: string;
}
export type KeySpecClass<S extends KeySpec = KeySpec> = abstract new (...args: never[]) => S;

/** SubjectPublicKeyInfo, DER (RFC 5280, RFC 5480, RFC 8410). */
export class X509EncodedKeySpec extends KeySpec {
  override readonly format = 'X.509';
  readonly encoded: Uint8Array;
  constructor(encoded: Uint8Array) {
    super();
    this.encoded = copyOf(encoded, 'An X.509 encoded key');
  }
}

/** PrivateKeyInfo or OneAsymmetricKey, DER (RFC 5208, RFC 5958); SEC1 ECPrivateKey is accepted where EC is asked for. */
export class PKCS8EncodedKeySpec extends KeySpec {
  override readonly format = 'PKCS#8';
  readonly encoded: Uint8Array;
  constructor(encoded: Uint8Array) {
    super();
    this.encoded = copyOf(encoded, 'A PKCS#8 encoded key');
  }
}

function passphraseOf(passphrase: Uint8Array): Uint8Array {
  const bytes = copyOf(passphrase, 'A passphrase');
  if (bytes.length === 0) throw new InvalidParameterError('A passphrase has at least one byte.');
  return bytes;
}

/**
 * EncryptedPrivateKeyInfo, DER (RFC 5958), with its passphrase: for every key factory, which opens it with node:crypto
 * before the provider sees the key. `getKeySpec(key, new PassphraseEncryption(…))` makes one.
 */
export class EncryptedPKCS8KeySpec extends KeySpec {
  override readonly format = 'encrypted PKCS#8';
  readonly encoded: Uint8Array;
  readonly passphrase: Uint8Array;
  constructor(encoded: Uint8Array, options: { readonly passphrase: Uint8Array }) {
    super();
    this.encoded = copyOf(encoded, 'An encrypted PKCS#8 key');
    this.passphrase = passphraseOf(options.passphrase);
  }

  /** The same as PEM text, `ENCRYPTED PRIVATE KEY`. */
  get pem(): string {
    return encodePem('ENCRYPTED PRIVATE KEY', this.encoded);
  }
}

/**
 * How `getKeySpec` encrypts a private key: PBES2 (RFC 8018) with PBKDF2-HMAC-SHA-256, 16 bytes of salt, AES-256-CBC.
 * Fewer than 100,000 or more than 10,000,000 iterations are refused.
 */
export class PassphraseEncryption {
  readonly passphrase: Uint8Array;
  readonly iterations: number;
  constructor(passphrase: Uint8Array, options: { readonly iterations?: number } = {}) {
    this.passphrase = passphraseOf(passphrase);
    this.iterations = options.iterations ?? 600_000;
    if (!Number.isSafeInteger(this.iterations) || this.iterations < 100_000 || this.iterations > 10_000_000) {
      throw new InvalidParameterError('Encryption of a key takes 100,000 to 10,000,000 iterations.');
    }
  }
}

/** ECPrivateKey, DER (SEC 1, RFC 5915). */
export class Sec1EncodedKeySpec extends KeySpec {
  override readonly format = 'SEC1';
  readonly encoded: Uint8Array;
  /** Needed where the encoding does not name its curve. */
  readonly curve: string | undefined;
  constructor(encoded: Uint8Array, options: { readonly curve?: string } = {}) {
    super();
    this.encoded = copyOf(encoded, 'A SEC1 encoded key');
    this.curve = options.curve;
  }
}

/** A point by its affine coordinates, big-endian, on a curve by name or by its parameters. */
export class ECPublicKeySpec extends KeySpec {
  override readonly format = 'EC public';
  readonly x: Uint8Array;
  readonly y: Uint8Array;
  readonly parameters: ECGenParameterSpec | ECParameterSpec;
  constructor(
    point: { readonly x: Uint8Array; readonly y: Uint8Array },
    parameters: ECGenParameterSpec | ECParameterSpec,
  ) {
    super();
    this.x = copyOf(point.x, 'The x coordinate');
    this.y = copyOf(point.y, 'The y coordinate');
    this.parameters = parameters;
  }
}

/** A private scalar, big-endian, on a curve by name or by its parameters. */
export class ECPrivateKeySpec extends KeySpec {
  override readonly format = 'EC private';
  readonly scalar: Uint8Array;
  readonly parameters: ECGenParameterSpec | ECParameterSpec;
  constructor(scalar: Uint8Array, parameters: ECGenParameterSpec | ECParameterSpec) {
    super();
    this.scalar = copyOf(scalar, 'The private scalar');
    this.parameters = parameters;
  }
}

/** Uncompressed or compressed points, raw scalars at the width of the order, raw 25519 and 448 keys. */
export class RawKeySpec extends KeySpec {
  override readonly format = 'raw';
  readonly bytes: Uint8Array;
  readonly curve: string;
  /** `compressed` and `uncompressed` matter for export only; `zip215` admits non-canonical Ed25519 points. */
  readonly encoding: 'uncompressed' | 'compressed' | 'zip215' | undefined;
  constructor(
    bytes: Uint8Array,
    options: { readonly curve: string; readonly encoding?: 'uncompressed' | 'compressed' | 'zip215' },
  ) {
    super();
    this.bytes = copyOf(bytes, 'A raw key');
    this.curve = options.curve;
    this.encoding = options.encoding;
  }
}

/** The compressed point form, as a kind for `getKeySpec` and as input. */
export class CompressedRawKeySpec extends RawKeySpec {
  constructor(bytes: Uint8Array, options: { readonly curve: string }) {
    super(bytes, { ...options, encoding: 'compressed' });
  }
}

/** A JSON Web Key (RFC 7517, RFC 7518, RFC 8037). */
export interface JsonWebKey {
  readonly kty?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly d?: string;
  readonly use?: string;
  readonly key_ops?: readonly string[];
  readonly alg?: string;
  readonly kid?: string;
  readonly ext?: boolean;
  readonly [member: string]: unknown;
}
export class JwkKeySpec extends KeySpec {
  override readonly format = 'JWK';
  readonly jwk: JsonWebKey;
  constructor(jwk: JsonWebKey) {
    super();
    if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) {
      throw new InvalidParameterError('A JWK must be an object.');
    }
    this.jwk = Object.freeze({ ...jwk });
  }
}

/** PEM text (RFC 7468): `PUBLIC KEY`, `PRIVATE KEY`, `EC PRIVATE KEY`, `ENCRYPTED PRIVATE KEY`. */
export class PemKeySpec extends KeySpec {
  override readonly format = 'PEM';
  readonly pem: string;
  readonly passphrase: Uint8Array | undefined;
  constructor(pem: string, options: { readonly passphrase?: Uint8Array } = {}) {
    super();
    if (typeof pem !== 'string') throw new InvalidParameterError(`PEM must be a string, got ${typeof pem}.`);
    this.pem = pem;
    this.passphrase = options.passphrase === undefined ? undefined : copyOf(options.passphrase, 'A passphrase');
  }
}

/** A key that a provider finds by a URI (`pkcs11:…`); asynchronous façades only. */
export class UriKeySpec extends KeySpec {
  override readonly format = 'URI';
  readonly uri: string;
  constructor(uri: string) {
    super();
    if (typeof uri !== 'string') throw new InvalidParameterError(`A key URI must be a string, got ${typeof uri}.`);
    this.uri = uri;
  }
}

/** Base of parameters for generators, signatures and AlgorithmParameters. */
export abstract class AlgorithmParameterSpec {
  abstract readonly kind: string;
}

/** A curve by any of its names, aliases or OIDs; resolved by the provider. */
export class ECGenParameterSpec extends AlgorithmParameterSpec {
  override readonly kind = 'ECGenParameterSpec';
  readonly name: string;
  constructor(name: string) {
    super();
    if (typeof name !== 'string') throw new InvalidParameterError(`A curve name must be a string, got ${typeof name}.`);
    this.name = name;
  }
}

/**
 * A curve by its parameters: y² = x³ + ax + b over GF(p) with the base point (gx, gy) of prime order n and cofactor 1,
 * all unsigned big-endian. Only for curves of the caller's own choice: encodings that carry parameters are refused.
 * The provider checks them before the first use. Parameters of a curve that it knows by name mean that curve.
 */
export class ECParameterSpec extends AlgorithmParameterSpec {
  override readonly kind = 'ECParameterSpec';
  readonly p: Uint8Array;
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  readonly gx: Uint8Array;
  readonly gy: Uint8Array;
  readonly n: Uint8Array;
  readonly cofactor: number;
  constructor(parameters: {
    readonly p: Uint8Array;
    readonly a: Uint8Array;
    readonly b: Uint8Array;
    readonly gx: Uint8Array;
    readonly gy: Uint8Array;
    readonly n: Uint8Array;
    /** Default: 1; no other is served. */
    readonly cofactor?: number;
  }) {
    super();
    this.p = copyOf(parameters.p, 'The prime p');
    this.a = copyOf(parameters.a, 'The coefficient a');
    this.b = copyOf(parameters.b, 'The coefficient b');
    this.gx = copyOf(parameters.gx, 'The coordinate gx');
    this.gy = copyOf(parameters.gy, 'The coordinate gy');
    this.n = copyOf(parameters.n, 'The order n');
    this.cofactor = parameters.cofactor ?? 1;
  }
}

/** X25519, X448, Ed25519, Ed448 by name or OID. */
export class NamedParameterSpec extends AlgorithmParameterSpec {
  override readonly kind = 'NamedParameterSpec';
  readonly name: string;
  constructor(name: string) {
    super();
    if (typeof name !== 'string') throw new InvalidParameterError(`A name must be a string, got ${typeof name}.`);
    this.name = name;
  }
}

/**
 * For generators: a key pair on the named curve whose private key never leaves its provider (`encoded` is undefined, and only
 * its provider is offered it). Providers whose private keys can leave skip it. Where a key of the provider is bound to one
 * use, `use` chooses; default for EC: to sign. The public key can be exported as ever.
 */
export class OpaqueKeyGenParameterSpec extends AlgorithmParameterSpec {
  override readonly kind = 'OpaqueKeyGenParameterSpec';
  readonly name: string;
  readonly use: 'sign' | 'agree' | undefined;
  constructor(name: string, options: { readonly use?: 'sign' | 'agree' } = {}) {
    super();
    if (typeof name !== 'string') throw new InvalidParameterError(`A curve name must be a string, got ${typeof name}.`);
    const { use } = options;
    if (use !== undefined && use !== 'sign' && use !== 'agree') {
      throw new InvalidParameterError('The use of an opaque key is "sign" or "agree".');
    }
    this.name = name;
    this.use = use;
  }
}

/** RFC 8032: prehash selects Ed25519ph / Ed448ph, a context (at most 255 bytes) Ed25519ctx. */
export class EdDSAParameterSpec extends AlgorithmParameterSpec {
  override readonly kind = 'EdDSAParameterSpec';
  readonly prehash: boolean;
  readonly context: Uint8Array | undefined;
  constructor(options: { readonly prehash?: boolean; readonly context?: Uint8Array } = {}) {
    super();
    this.prehash = options.prehash ?? false;
    this.context = options.context === undefined ? undefined : copyOf(options.context, 'A context');
    if (this.context !== undefined && this.context.length > 255) {
      throw new InvalidParameterError(`A context has at most 255 bytes, got ${this.context.length}.`);
    }
  }
}
