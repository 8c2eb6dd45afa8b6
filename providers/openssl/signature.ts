// ECDSA and EdDSA by node:crypto, called in its fastest way: bare KeyObjects, one-shot for a single chunk, DER as it comes.

import type { KeyObject, Sign, SigningOptions, Verify } from 'node:crypto';
import { decodeEcdsaDer, encodeEcdsaDer } from '../../spi/encoding/ecdsa-der.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, ProviderError } from '../../spi/errors.ts';
import { type AlgorithmParameterSpec, ECGenParameterSpec, EdDSAParameterSpec } from '../../spi/key-specs.ts';
import type { PrivateKey, PublicKey } from '../../spi/keys.ts';
import type {
  NonceMode,
  RequestedOptions,
  ServiceContext,
  SignatureSpi,
  SignOptions,
  VerifyOptions,
} from '../../spi/service.ts';
import { findCurve, type OpenSslCurve } from './curves.ts';
import { EcPrivateKey, EcPublicKey, EdPrivateKey, EdPublicKey, requireKey, requireOkp } from './keys.ts';
import { honoursContext, nodeCrypto, ownCriteria, plain } from './node.ts';

export type EcdsaFormat = 'der' | 'p1363';

/** What of the context decides whether OpenSSL may sign. */
export type SigningContext = Pick<ServiceContext, 'nonce' | 'customRandom'>;

/** Chunks above this are handed to OpenSSL at once instead of being copied. */
const COPY_LIMIT = 16_384;

const NOTHING = new Uint8Array(0);

export const OWN_RANDOM = 'OpenSSL draws from its own random source; a source of your own cannot be used';

/** `true`, or the option of ECDSA that node:crypto has no way to honour. */
export function ecdsaSupportsOptions(options: RequestedOptions): true | string {
  if (options.use !== 'sign' && options.use !== 'verify') return true;
  if (options.parameters !== undefined && !(options.parameters instanceof ECGenParameterSpec)) {
    return `ECDSA takes ECGenParameterSpec, not ${options.parameters.kind}`;
  }
  if (options.use === 'verify') {
    return options.criteria === undefined ? true : 'criteria are an option of EdDSA, not of ECDSA';
  }
  if (options.random !== undefined) return OWN_RANDOM;
  if (options.nonceHash !== undefined) return 'node:crypto has no deterministic nonces, so nonceHash has no meaning';
  return nonceReason(options.nonce);
}

function nonceReason(nonce: NonceMode | undefined): true | string {
  if (nonce === 'deterministic') return 'node:crypto has no deterministic nonces (RFC 6979)';
  if (nonce === 'random')
    return 'OpenSSL always mixes the key and the digest into the nonce; purely random ones are not to be had';
  return true;
}

/** `true`, or the option of EdDSA that node:crypto has no way to honour. */
export function eddsaSupportsOptions(algorithm: string): (options: RequestedOptions) => true | string {
  return (options) => {
    if (options.use !== 'sign' && options.use !== 'verify') return true;
    if (options.lowS !== undefined) return 'lowS is an option of ECDSA, not of EdDSA';
    if (options.use === 'sign') {
      if (options.random !== undefined) return 'EdDSA is deterministic and takes no random source';
      if (options.nonceHash !== undefined) return 'nonceHash is an option of ECDSA, not of EdDSA';
      if (options.nonce !== undefined && options.nonce !== 'deterministic') return 'EdDSA is deterministic';
    } else if (options.criteria !== undefined) {
      // `EdDSA` is asked before the key is known; the init asks again with the curve.
      const own = ownCriteria(algorithm === 'Ed448' ? 'Ed448' : 'Ed25519');
      if (own === undefined) return 'OpenSSL verifies Ed448 by criteria of its own';
      if (options.criteria !== own) return `OpenSSL verifies by the criteria ${own} only, not ${options.criteria}`;
    }
    return eddsaParameterReason(algorithm, options.parameters);
  };
}

function eddsaParameterReason(algorithm: string, parameters: AlgorithmParameterSpec | undefined): true | string {
  if (parameters === undefined) return true;
  if (!(parameters instanceof EdDSAParameterSpec)) return `EdDSA takes EdDSAParameterSpec, not ${parameters.kind}`;
  if (parameters.prehash) return 'node:crypto has no Ed25519ph and Ed448ph';
  if (parameters.context === undefined) return true;
  if (parameters.context.length === 0) {
    return algorithm === 'Ed448' ? true : 'node:crypto takes an empty context for none, which is not Ed25519ctx';
  }
  return honoursContext() ? true : 'node:crypto of this Node version ignores contexts of EdDSA';
}

function refuse(reason: true | string, algorithm: string): void {
  if (reason !== true) throw new InvalidAlgorithmParameterError(`${algorithm} of OpenSSL: ${reason}.`);
}

interface Signing {
  readonly key: EcPrivateKey;
  readonly lowS: boolean;
}
interface Verifying {
  readonly key: EcPublicKey;
  readonly lowS: boolean;
}

/** One ECDSA algorithm: hash (OpenSSL's name) and form of the signature. */
export class EcdsaSignature implements SignatureSpi {
  readonly #algorithm: string;
  readonly #hash: string;
  readonly #format: EcdsaFormat;
  readonly #context: SigningContext;
  #signing: Signing | undefined;
  #verifying: Verifying | undefined;
  #pending: Uint8Array | undefined;
  #stream: Sign | Verify | undefined;

  constructor(algorithm: string, hash: string, format: EcdsaFormat, context: SigningContext) {
    this.#algorithm = algorithm;
    this.#hash = hash;
    this.#format = format;
    this.#context = context;
  }

  initSign(key: PrivateKey, options: SignOptions): void {
    this.#clear();
    this.#signing = this.#forSigning(key, options);
  }

  initVerify(key: PublicKey, options: VerifyOptions): void {
    this.#clear();
    this.#verifying = this.#forVerifying(key, options);
  }

  update(data: Uint8Array): void {
    if (this.#stream === undefined && this.#pending === undefined && data.length <= COPY_LIMIT) {
      this.#pending = Uint8Array.from(data);
      return;
    }
    if (this.#stream === undefined) {
      const crypto = nodeCrypto();
      this.#stream = this.#signing === undefined ? crypto.createVerify(this.#hash) : crypto.createSign(this.#hash);
      if (this.#pending !== undefined) this.#stream.update(this.#pending);
      this.#pending = undefined;
    }
    this.#stream.update(data);
  }

  sign(): Uint8Array {
    const signing = this.#signing;
    if (signing === undefined) throw new IllegalStateError(`${this.#algorithm} is not initialised for signing.`);
    const { data, stream } = this.#take<Sign>();
    const handle = signing.key.handle;
    const der = stream === undefined ? nodeCrypto().sign(this.#hash, data, handle) : stream.sign(handle);
    return this.#finish(der, signing);
  }

  verify(signature: Uint8Array): boolean {
    const verifying = this.#verifying;
    if (verifying === undefined) throw new IllegalStateError(`${this.#algorithm} is not initialised for verification.`);
    const { data, stream } = this.#take<Verify>();
    const handle = verifying.key.handle;
    const der = this.#prepare(signature, verifying);
    if (der === undefined) return false;
    return stream === undefined ? nodeCrypto().verify(this.#hash, data, handle, der) : stream.verify(handle, der);
  }

  signOnce(key: PrivateKey, data: Uint8Array, options: SignOptions): Uint8Array {
    const signing = this.#forSigning(key, options);
    return this.#finish(nodeCrypto().sign(this.#hash, data, signing.key.handle), signing);
  }

  verifyOnce(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): boolean {
    const verifying = this.#forVerifying(key, options);
    const der = this.#prepare(signature, verifying);
    return der !== undefined && nodeCrypto().verify(this.#hash, data, verifying.key.handle, der);
  }

  reset(): void {
    this.#pending?.fill(0);
    this.#pending = undefined;
    this.#stream = undefined;
  }

  #clear(): void {
    this.reset();
    this.#signing = undefined;
    this.#verifying = undefined;
  }

  /** What was fed since the last operation: a stream, or else one chunk at most. The object is as freshly initialised. */
  #take<S extends Sign | Verify>(): { readonly data: Uint8Array; readonly stream: S | undefined } {
    const taken = { data: this.#pending ?? NOTHING, stream: this.#stream as S | undefined };
    this.#pending = undefined;
    this.#stream = undefined;
    return taken;
  }

  #forSigning(key: PrivateKey, options: SignOptions): Signing {
    const own = requireKey(key, EcPrivateKey, this.#algorithm);
    this.#check(own.row, { use: 'sign', ...options });
    refuse(nonceReason(options.nonce ?? this.#context.nonce), this.#algorithm);
    if (this.#context.customRandom) refuse(OWN_RANDOM, this.#algorithm);
    return { key: own, lowS: options.lowS ?? false };
  }

  #forVerifying(key: PublicKey, options: VerifyOptions): Verifying {
    const own = requireKey(key, EcPublicKey, this.#algorithm);
    this.#check(own.row, { use: 'verify', ...options });
    return { key: own, lowS: options.lowS ?? false };
  }

  #check(curve: OpenSslCurve, options: RequestedOptions): void {
    refuse(ecdsaSupportsOptions(options), this.#algorithm);
    const parameters = options.parameters;
    if (parameters instanceof ECGenParameterSpec && findCurve(parameters.name) !== curve) {
      throw new InvalidAlgorithmParameterError(
        `${this.#algorithm}: the parameters name ${parameters.name}, but the key is on ${curve.name}.`,
      );
    }
  }

  /** OpenSSL's DER in the form asked for. */
  #finish(der: Uint8Array, { key, lowS }: Signing): Uint8Array {
    if (this.#format === 'der' && !lowS) return plain(der);
    const { order } = key.row;
    const parts = new Uint8Array(2 * order.length);
    if (!decodeEcdsaDer(parts, der, order.length)) {
      throw new ProviderError(`${this.#algorithm}: OpenSSL made a signature that is not DER.`);
    }
    const raw = lowS ? withLowS(parts, order) : parts;
    return this.#format === 'der' ? encodeEcdsaDer(raw) : raw;
  }

  /** The signature as the DER that OpenSSL takes; undefined if it cannot be right. */
  #prepare(signature: Uint8Array, { key, lowS }: Verifying): Uint8Array | undefined {
    const { order } = key.row;
    if (this.#format === 'der' && !lowS) return signature;
    if (this.#format === 'p1363') {
      if (signature.length !== 2 * order.length || (lowS && isHighS(signature, order))) return undefined;
      return encodeEcdsaDer(signature);
    }
    const raw = new Uint8Array(2 * order.length);
    return decodeEcdsaDer(raw, signature, order.length) && !isHighS(raw, order) ? signature : undefined;
  }
}

function bigIntOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

/** s > (n − 1) / 2; signatures are public, so BigInt may be used. */
function isHighS(raw: Uint8Array, order: Uint8Array): boolean {
  return 2n * bigIntOf(raw.subarray(order.length)) > bigIntOf(order);
}

function withLowS(raw: Uint8Array, order: Uint8Array): Uint8Array {
  if (!isHighS(raw, order)) return raw;
  const out = Uint8Array.from(raw);
  let s = bigIntOf(order) - bigIntOf(raw.subarray(order.length));
  for (let i = out.length - 1; i >= order.length; i--, s >>= 8n) out[i] = Number(s & 255n);
  return out;
}

/** Ed25519, Ed448, or `EdDSA`, which takes the curve from the key. node:crypto has no streaming form, so data are kept. */
export class EddsaSignature implements SignatureSpi {
  readonly #algorithm: string;
  #signing: EdPrivateKey | undefined;
  #verifying: EdPublicKey | undefined;
  #context: Uint8Array | undefined;
  #chunks: Uint8Array[] = [];

  constructor(algorithm: string) {
    this.#algorithm = algorithm;
  }

  initSign(key: PrivateKey, options: SignOptions): void {
    this.#clear();
    const own = this.#forSigning(key, options);
    this.#context = contextOf(options.parameters);
    this.#signing = own;
  }

  initVerify(key: PublicKey, options: VerifyOptions): void {
    this.#clear();
    const own = this.#forVerifying(key, options);
    this.#context = contextOf(options.parameters);
    this.#verifying = own;
  }

  update(data: Uint8Array): void {
    this.#chunks.push(Uint8Array.from(data));
  }

  sign(): Uint8Array {
    const key = this.#signing;
    if (key === undefined) throw new IllegalStateError(`${this.#algorithm} is not initialised for signing.`);
    return plain(nodeCrypto().sign(null, this.#take(), withContext(key.handle, this.#context)));
  }

  verify(signature: Uint8Array): boolean {
    const key = this.#verifying;
    if (key === undefined) throw new IllegalStateError(`${this.#algorithm} is not initialised for verification.`);
    return nodeCrypto().verify(null, this.#take(), withContext(key.handle, this.#context), signature);
  }

  signOnce(key: PrivateKey, data: Uint8Array, options: SignOptions): Uint8Array {
    const own = this.#forSigning(key, options);
    return plain(nodeCrypto().sign(null, data, withContext(own.handle, contextOf(options.parameters))));
  }

  verifyOnce(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): boolean {
    const own = this.#forVerifying(key, options);
    return nodeCrypto().verify(null, data, withContext(own.handle, contextOf(options.parameters)), signature);
  }

  reset(): void {
    for (const chunk of this.#chunks) chunk.fill(0);
    this.#chunks = [];
  }

  #clear(): void {
    this.reset();
    this.#signing = undefined;
    this.#verifying = undefined;
    this.#context = undefined;
  }

  #forSigning(key: PrivateKey, options: SignOptions): EdPrivateKey {
    const own = requireOkp(requireKey(key, EdPrivateKey, this.#algorithm), this.#algorithm);
    refuse(eddsaSupportsOptions(own.curve)({ use: 'sign', ...options }), this.#algorithm);
    return own;
  }

  #forVerifying(key: PublicKey, options: VerifyOptions): EdPublicKey {
    const own = requireOkp(requireKey(key, EdPublicKey, this.#algorithm), this.#algorithm);
    refuse(eddsaSupportsOptions(own.curve)({ use: 'verify', ...options }), this.#algorithm);
    return own;
  }

  /** All data fed since the last operation; nothing is kept. */
  #take(): Uint8Array {
    const chunks = this.#chunks;
    this.#chunks = [];
    if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
    const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }
}

function contextOf(parameters: AlgorithmParameterSpec | undefined): Uint8Array | undefined {
  const context = parameters instanceof EdDSAParameterSpec ? parameters.context : undefined;
  return context === undefined || context.length === 0 ? undefined : context;
}

/** The bare handle where there is no context: the object form is slower. */
function withContext(
  handle: KeyObject,
  context: Uint8Array | undefined,
): KeyObject | ({ key: KeyObject } & SigningOptions & { context: Uint8Array }) {
  return context === undefined ? handle : { key: handle, context };
}
