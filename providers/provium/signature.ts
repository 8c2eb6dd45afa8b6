// ECDSA (FIPS 186-5): one class for all hash functions, for both forms of signatures.

import type { ECDSAOperations } from '../../engines/ecdsa-operations.ts';
import { EngineError } from '../../engines/errors.ts';
import type { NonceSource } from '../../engines/nonces.ts';
import { decodeEcdsaDer, encodeEcdsaDer } from '../../spi/encoding/ecdsa-der.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidKeyError, ProviderError } from '../../spi/errors.ts';
import { ECGenParameterSpec } from '../../spi/key-specs.ts';
import type { PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { RequestedOptions, ServiceContext, SignatureSpi, SignOptions, VerifyOptions } from '../../spi/service.ts';
import { type Curves, servedCurve } from './curves.ts';
import { type DigestInput, HashedInput, RawInput } from './digest-input.ts';
import { type Hashing, type HashRow, hashRow } from './hashing.ts';
import { EcPrivateKey, EcPublicKey, scalarOf } from './keys.ts';
import type { VerificationPoints } from './verification-points.ts';

/** One ECDSA service: the hash (none for NONEwithECDSA) and the form of its signatures. */
export interface EcdsaRow {
  readonly algorithm: string;
  readonly hash: HashRow | undefined;
  readonly form: 'DER' | 'P1363';
}

/** Longest input of NONEwithECDSA where the order is shorter. */
const MAX_RAW_DIGEST = 64;

/** What all signature objects of one context share. */
export interface EcdsaParts {
  readonly curves: Curves;
  readonly hashing: Hashing;
  readonly points: VerificationPoints;
}

/** The hash for the nonces of RFC 6979; HMAC is not defined over extendable functions. */
function nonceHash(row: EcdsaRow, name: string | undefined): HashRow | string {
  if (name === undefined) return row.hash ?? `${row.algorithm} needs options.nonceHash for deterministic nonces`;
  const hash = hashRow(name);
  if (hash === undefined || hash.name === 'SHAKE256')
    return `options.nonceHash "${name}" is not a hash function for HMAC`;
  return hash;
}

/** `true`, or which option of the caller cannot be honoured. */
export function ecdsaSupports(row: EcdsaRow, options: RequestedOptions): true | string {
  if (options.use !== 'sign' && options.use !== 'verify') return `${row.algorithm} serves signatures only`;
  const { parameters } = options;
  if (parameters !== undefined) {
    if (!(parameters instanceof ECGenParameterSpec)) return `${row.algorithm} takes no ${parameters.kind}`;
    if (servedCurve(parameters.name) === undefined) return `the curve ${parameters.name} is not served`;
  }
  if (options.use === 'verify') {
    return options.criteria === undefined || `verification criteria do not apply to ${row.algorithm}`;
  }
  if (options.nonceHash !== undefined && options.nonce !== undefined && options.nonce !== 'deterministic') {
    return 'options.nonceHash goes with deterministic nonces only';
  }
  if (options.nonce === 'deterministic' && options.random !== undefined) {
    return 'options.random has no use with deterministic nonces';
  }
  if (options.nonce === 'deterministic' || options.nonceHash !== undefined) {
    const hash = nonceHash(row, options.nonceHash);
    if (typeof hash === 'string') return hash;
  }
  return true;
}

interface Signing {
  readonly key: EcPrivateKey;
  readonly ecdsa: ECDSAOperations;
  readonly nonce: NonceSource;
  readonly lowS: boolean;
}

interface Verifying {
  readonly key: EcPublicKey;
  readonly ecdsa: ECDSAOperations;
  readonly lowS: boolean;
}

export class EcdsaSignature implements SignatureSpi {
  readonly #row: EcdsaRow;
  readonly #parts: EcdsaParts;
  readonly #context: ServiceContext;
  #signing: Signing | undefined;
  #verifying: Verifying | undefined;
  #input: DigestInput | undefined;

  constructor(row: EcdsaRow, parts: EcdsaParts, context: ServiceContext) {
    this.#row = row;
    this.#parts = parts;
    this.#context = context;
  }

  initSign(key: PrivateKey, options: SignOptions): void {
    this.#forget();
    this.#signing = this.#prepareSigning(key, options);
    this.#input = this.#inputFor(this.#signing.ecdsa);
  }

  initVerify(key: PublicKey, options: VerifyOptions): void {
    this.#forget();
    this.#verifying = this.#prepareVerifying(key, options);
    this.#input = this.#inputFor(this.#verifying.ecdsa);
  }

  update(data: Uint8Array): void {
    if (this.#input === undefined) throw this.#notInitialised('initSign or initVerify');
    this.#input.update(data);
  }

  sign(): Uint8Array {
    if (this.#signing === undefined || this.#input === undefined) throw this.#notInitialised('initSign');
    return this.#signDigest(this.#signing, this.#input.finish());
  }

  verify(signature: Uint8Array): boolean {
    if (this.#verifying === undefined || this.#input === undefined) throw this.#notInitialised('initVerify');
    return this.#verifyDigest(this.#verifying, this.#input.finish(), signature);
  }

  signOnce(key: PrivateKey, data: Uint8Array, options: SignOptions): Uint8Array {
    const signing = this.#prepareSigning(key, options);
    return this.#signDigest(signing, this.#digestOnce(signing.ecdsa, data));
  }

  verifyOnce(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): boolean {
    const verifying = this.#prepareVerifying(key, options);
    return this.#verifyDigest(verifying, this.#digestOnce(verifying.ecdsa, data), signature);
  }

  reset(): void {
    this.#input?.reset();
  }

  #forget(): void {
    this.reset();
    this.#signing = undefined;
    this.#verifying = undefined;
    this.#input = undefined;
  }

  #notInitialised(missing: string): IllegalStateError {
    return new IllegalStateError(`${this.#row.algorithm} is not initialised for this: call ${missing} first.`);
  }

  #inputFor(ecdsa: ECDSAOperations): DigestInput {
    const { hash } = this.#row;
    if (hash !== undefined) return new HashedInput(this.#parts.hashing, hash);
    return new RawInput(Math.max(MAX_RAW_DIGEST, ecdsa.operations.scalars.byteLength));
  }

  #digestOnce(ecdsa: ECDSAOperations, data: Uint8Array): Uint8Array {
    const { hash } = this.#row;
    if (hash !== undefined) return this.#parts.hashing.digest(hash, data);
    const input = this.#inputFor(ecdsa);
    input.update(data);
    return input.finish();
  }

  #checkOptions(options: RequestedOptions, curve: string | undefined): void {
    const fault = ecdsaSupports(this.#row, options);
    if (fault !== true) throw new InvalidAlgorithmParameterError(`Provium ${this.#row.algorithm}: ${fault}.`);
    const { parameters } = options as SignOptions;
    if (parameters instanceof ECGenParameterSpec && servedCurve(parameters.name) !== curve) {
      throw new InvalidAlgorithmParameterError(
        `The parameters are those of ${parameters.name}, the key is on ${curve ?? 'another curve'}.`,
      );
    }
  }

  #prepareSigning(key: PrivateKey, options: SignOptions): Signing {
    if (!(key instanceof EcPrivateKey)) throw this.#wrongKey('private', key);
    key.assertUsable();
    const ecdsa = this.#parts.curves.ecdsa(key);
    this.#checkOptions({ use: 'sign', ...options }, key.curve);
    return { key, ecdsa, nonce: this.#nonceSource(options), lowS: options.lowS === true };
  }

  #prepareVerifying(key: PublicKey, options: VerifyOptions): Verifying {
    if (!(key instanceof EcPublicKey)) throw this.#wrongKey('public', key);
    key.assertUsable();
    const ecdsa = this.#parts.curves.ecdsa(key);
    this.#checkOptions({ use: 'verify', ...options }, key.curve);
    return { key, ecdsa, lowS: options.lowS === true };
  }

  #wrongKey(kind: string, key: unknown): InvalidKeyError {
    const got = key instanceof EcPublicKey || key instanceof EcPrivateKey ? key.toString() : typeof key;
    return new InvalidKeyError(`${this.#row.algorithm} of Provium needs an EC ${kind} key of Provium, got ${got}.`);
  }

  #nonceSource(options: SignOptions): NonceSource {
    const random = options.random ?? this.#context.random;
    const mode = options.nonce ?? (options.nonceHash === undefined ? this.#context.nonce : 'deterministic');
    if (mode !== 'deterministic') return { mode, random };
    const hash = nonceHash(this.#row, options.nonceHash);
    if (typeof hash === 'string') throw new InvalidAlgorithmParameterError(`Provium: ${hash}.`);
    return { mode, hash: hash.name };
  }

  #signDigest({ key, ecdsa, nonce, lowS }: Signing, digest: Uint8Array): Uint8Array {
    const rs = new Uint8Array(ecdsa.signatureLength);
    try {
      ecdsa.signDigest(rs, digest, scalarOf(key), nonce, lowS);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new ProviderError(`${this.#row.algorithm} of Provium failed: ${error.message}.`, { cause: error });
    }
    return this.#row.form === 'DER' ? encodeEcdsaDer(rs) : rs;
  }

  #verifyDigest({ key, ecdsa, lowS }: Verifying, digest: Uint8Array, signature: Uint8Array): boolean {
    let rs = signature;
    if (this.#row.form === 'DER') {
      rs = new Uint8Array(ecdsa.signatureLength);
      if (!decodeEcdsaDer(rs, signature, rs.length / 2)) return false;
    } else if (signature.length !== ecdsa.signatureLength) return false;
    const point = this.#parts.points.pointFor(key, ecdsa.operations);
    return ecdsa.verifyDigestVartime(rs, digest, point, lowS) === 1;
  }
}
