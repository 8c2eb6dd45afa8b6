// ECDSA and EdDSA by sign and verify. WebCrypto takes the whole message at once and knows signatures as r and s at fixed width
// only: messages are collected and DER is converted here.

import { decodeEcdsaDer, encodeEcdsaDer } from '../../spi/encoding/ecdsa-der.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidKeyError, ProviderError } from '../../spi/errors.ts';
import { ECGenParameterSpec, EdDSAParameterSpec } from '../../spi/key-specs.ts';
import type { Key, PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { RequestedOptions, ServiceContext, SignatureSpi, SignOptions, VerifyOptions } from '../../spi/service.ts';
import { type EcWebCurve, findCurve, inRange, type Purpose, type WebCurve } from './curves.ts';
import { curveOf, handleOf } from './handles.ts';
import { requireForKey, source, subtle } from './platform.ts';

/** One algorithm. */
export type Scheme =
  | { readonly algorithm: string; readonly purpose: 'ECDSA'; readonly hash: string; readonly format: 'der' | 'p1363' }
  | { readonly algorithm: string; readonly purpose: 'EdDSA' };

/** What of the context decides whether the platform may sign. */
export type SigningContext = Pick<ServiceContext, 'nonce' | 'customRandom'>;

const NO_NONCE_CONTROL = 'WebCrypto chooses the nonces of ECDSA itself and does not say how; none can be asked for';
const NO_RANDOM = 'WebCrypto draws from its own random source; a source of your own cannot be used';

/** `true`, or the option that WebCrypto has no way to honour. */
export function ecdsaSupportsOptions(options: RequestedOptions): true | string {
  if (options.use !== 'sign' && options.use !== 'verify') return true;
  if (options.parameters !== undefined && !(options.parameters instanceof ECGenParameterSpec)) {
    return `ECDSA takes ECGenParameterSpec, not ${options.parameters.kind}`;
  }
  if (options.use === 'verify') {
    return options.criteria === undefined ? true : 'criteria are an option of EdDSA, not of ECDSA';
  }
  if (options.random !== undefined) return NO_RANDOM;
  return options.nonce === undefined && options.nonceHash === undefined ? true : NO_NONCE_CONTROL;
}

/** `true`, or the option that WebCrypto has no way to honour. */
export function eddsaSupportsOptions(options: RequestedOptions): true | string {
  if (options.use !== 'sign' && options.use !== 'verify') return true;
  if (options.lowS !== undefined) return 'lowS is an option of ECDSA, not of EdDSA';
  if (options.use === 'sign') {
    if (options.random !== undefined) return 'EdDSA takes no random source';
    if (options.nonceHash !== undefined) return 'nonceHash is an option of ECDSA, not of EdDSA';
    if (options.nonce !== undefined)
      return 'WebCrypto does not say whether its EdDSA is deterministic on this platform';
  } else if (options.criteria !== undefined) {
    return 'WebCrypto does not say by which criteria this platform verifies EdDSA';
  }
  const { parameters } = options;
  if (parameters === undefined) return true;
  if (!(parameters instanceof EdDSAParameterSpec)) return `EdDSA takes EdDSAParameterSpec, not ${parameters.kind}`;
  if (parameters.prehash) return 'WebCrypto has no Ed25519ph and Ed448ph';
  return parameters.context === undefined ? true : 'WebCrypto has no contexts of EdDSA on every platform';
}

interface Session {
  readonly use: 'sign' | 'verify';
  readonly key: Key;
  readonly curve: WebCurve;
  readonly lowS: boolean;
}

export class WebCryptoSignature implements SignatureSpi<'async'> {
  readonly #scheme: Scheme;
  readonly #context: SigningContext;
  #session: Session | undefined;
  #parts: Uint8Array[] = [];

  constructor(scheme: Scheme, context: SigningContext) {
    this.#scheme = scheme;
    this.#context = context;
  }

  async initSign(key: PrivateKey, options: SignOptions): Promise<void> {
    await this.#init('sign', key, options);
  }

  async initVerify(key: PublicKey, options: VerifyOptions): Promise<void> {
    await this.#init('verify', key, options);
  }

  update(data: Uint8Array): void {
    this.#parts.push(Uint8Array.from(data));
  }

  async sign(): Promise<Uint8Array> {
    const { key, curve, lowS } = this.#ready('sign');
    const message = this.#takeMessage();
    try {
      const handle = await this.#handle(key);
      const raw = await this.#platform('sign', () => subtle().sign(this.#parameters(curve), handle, source(message)));
      return this.#toWire(new Uint8Array(raw), curve, lowS);
    } finally {
      message.fill(0);
    }
  }

  async verify(signature: Uint8Array): Promise<boolean> {
    const { key, curve, lowS } = this.#ready('verify');
    const message = this.#takeMessage();
    const raw = this.#fromWire(signature, curve, lowS);
    if (raw === undefined) return false;
    const handle = await this.#handle(key);
    return this.#platform('verify', () =>
      subtle().verify(this.#parameters(curve), handle, source(raw), source(message)),
    );
  }

  reset(): void {
    for (const part of this.#parts) part.fill(0);
    this.#parts = [];
  }

  async #init(use: 'sign' | 'verify', key: Key, options: SignOptions | VerifyOptions): Promise<void> {
    this.reset();
    this.#session = undefined;
    const { algorithm, purpose } = this.#scheme;
    const curve = curveOf(key, algorithm);
    const family = purpose === 'ECDSA' ? 'EC' : algorithm;
    if (curve.family !== family && curve.name !== family) {
      throw new InvalidKeyError(`${algorithm} does not take this ${key.toString()}.`);
    }
    const ask = purpose === 'ECDSA' ? ecdsaSupportsOptions : eddsaSupportsOptions;
    const asked = ask({ use, ...options } as RequestedOptions);
    const reason = asked === true && use === 'sign' && purpose === 'ECDSA' ? this.#contextReason() : asked;
    if (reason !== true) throw new InvalidAlgorithmParameterError(`${algorithm} of WebCrypto: ${reason}.`);
    const { parameters } = options;
    if (parameters instanceof ECGenParameterSpec && findCurve(parameters.name) !== curve) {
      throw new InvalidAlgorithmParameterError(
        `${algorithm}: the parameters name ${parameters.name}, but the key is on ${curve.name}.`,
      );
    }
    await requireForKey(curve, purpose);
    await this.#handle(key);
    this.#session = { use, key, curve, lowS: options.lowS === true };
  }

  #contextReason(): true | string {
    if (this.#context.customRandom) return NO_RANDOM;
    return this.#context.nonce === 'hedged' ? true : NO_NONCE_CONTROL;
  }

  #handle(key: Key): Promise<CryptoKey> {
    const { algorithm, purpose } = this.#scheme;
    return handleOf(key, algorithm, purpose satisfies Purpose);
  }

  #ready(use: Session['use']): Session {
    const session = this.#session;
    if (session?.use === use) return session;
    throw new IllegalStateError(`${this.#scheme.algorithm} is not initialised to ${use}.`);
  }

  #parameters(curve: WebCurve): { readonly name: string; readonly hash?: string } {
    return this.#scheme.purpose === 'ECDSA' ? { name: 'ECDSA', hash: this.#scheme.hash } : { name: curve.webName };
  }

  async #platform<T>(use: Session['use'], run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      throw new ProviderError(`WebCrypto failed to ${use} with ${this.#scheme.algorithm}.`, { cause });
    }
  }

  #toWire(raw: Uint8Array, curve: WebCurve, lowS: boolean): Uint8Array {
    if (this.#scheme.purpose === 'EdDSA') return raw;
    const { order } = curve as EcWebCurve;
    if (raw.length !== 2 * order.length) {
      throw new ProviderError(`WebCrypto gave an ECDSA signature of ${raw.length} bytes on ${curve.name}.`);
    }
    if (lowS) {
      const s = raw.subarray(order.length);
      const negated = minus(order, s);
      if (isAbove(s, negated)) s.set(negated);
    }
    return this.#scheme.format === 'der' ? encodeEcdsaDer(raw) : raw;
  }

  /** The form that the platform takes; undefined for what is no signature on this curve. */
  #fromWire(signature: Uint8Array, curve: WebCurve, lowS: boolean): Uint8Array | undefined {
    if (this.#scheme.purpose === 'EdDSA') {
      return signature.length === 2 * curve.fieldBytes ? signature : undefined;
    }
    const { order } = curve as EcWebCurve;
    const width = order.length;
    let raw = signature;
    if (this.#scheme.format === 'der') {
      raw = new Uint8Array(2 * width);
      if (!decodeEcdsaDer(raw, signature, width)) return undefined;
    }
    if (raw.length !== 2 * width) return undefined;
    const s = raw.subarray(width);
    if (inRange(raw.subarray(0, width), order) === 0 || inRange(s, order) === 0) return undefined;
    return lowS && isAbove(s, minus(order, s)) ? undefined : raw;
  }

  #takeMessage(): Uint8Array {
    const parts = this.#parts;
    this.#parts = [];
    const only = parts[0];
    if (only !== undefined && parts.length === 1) return only;
    const message = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      message.set(part, at);
      at += part.length;
      part.fill(0);
    }
    return message;
  }
}

/** a − b at the same width, a ≥ b. */
function minus(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length);
  let borrow = 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const digit = (a[i] ?? 0) - (b[i] ?? 0) - borrow;
    out[i] = digit & 0xff;
    borrow = (digit >> 8) & 1;
  }
  return out;
}

function isAbove(a: Uint8Array, b: Uint8Array): boolean {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
