// ECDH, X25519 and X448 by deriveBits.

import { IllegalStateError, InvalidAlgorithmParameterError, InvalidKeyError, ProviderError } from '../../spi/errors.ts';
import { NamedParameterSpec } from '../../spi/key-specs.ts';
import type { PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { AgreementOptions, KeyAgreementSpi, RequestedOptions } from '../../spi/service.ts';
import { findCurve, type Purpose, type WebCurve } from './curves.ts';
import { curveOf, handleOf } from './handles.ts';
import { requireForKey, subtle } from './platform.ts';

/** `true`, or why the parameters do not fit; ECDH takes none, XDH a matching NamedParameterSpec. */
export function agreementSupportsOptions(algorithm: string): (options: RequestedOptions) => true | string {
  return (options) => {
    const parameters = options.parameters;
    if (options.use !== 'agree' || parameters === undefined) return true;
    if (algorithm === 'ECDH') return 'ECDH takes no parameters';
    if (!(parameters instanceof NamedParameterSpec))
      return `${algorithm} takes NamedParameterSpec, not ${parameters.kind}`;
    const named = findCurve(parameters.name);
    if (named?.family !== 'XDH') return `${parameters.name} is neither X25519 nor X448`;
    return algorithm === 'XDH' || named.name === algorithm ? true : `${algorithm} does not take ${named.name}`;
  };
}

export class WebCryptoKeyAgreement implements KeyAgreementSpi<'async'> {
  readonly #algorithm: string;
  readonly #purpose: Purpose;
  #own: { readonly key: PrivateKey; readonly curve: WebCurve } | undefined;
  #secret: Uint8Array | undefined;

  constructor(algorithm: string) {
    this.#algorithm = algorithm;
    this.#purpose = algorithm === 'ECDH' ? 'ECDH' : 'XDH';
  }

  async init(key: PrivateKey, options: AgreementOptions): Promise<void> {
    this.reset();
    this.#own = undefined;
    const curve = this.#curveOf(key);
    const reason = agreementSupportsOptions(this.#algorithm)({ use: 'agree', ...options });
    if (reason !== true) throw new InvalidAlgorithmParameterError(`${this.#algorithm} of WebCrypto: ${reason}.`);
    if (options.parameters instanceof NamedParameterSpec && findCurve(options.parameters.name) !== curve) {
      throw new InvalidAlgorithmParameterError(
        `${this.#algorithm}: the parameters name ${options.parameters.name}, but the key is on ${curve.name}.`,
      );
    }
    await requireForKey(curve, this.#purpose);
    await handleOf(key, this.#algorithm, this.#purpose);
    this.#own = { key, curve };
  }

  async doPhase(key: PublicKey): Promise<void> {
    const own = this.#own;
    if (own === undefined) throw new IllegalStateError(`${this.#algorithm} is not initialised.`);
    this.reset();
    const curve = this.#curveOf(key);
    if (curve !== own.curve) {
      throw new InvalidKeyError(
        `${this.#algorithm}: the peer's key is on ${curve.name}, our own on ${own.curve.name}.`,
      );
    }
    const privateHandle = await handleOf(own.key, this.#algorithm, this.#purpose);
    const publicHandle = await handleOf(key, this.#algorithm, this.#purpose);
    this.#secret = await this.#derive(curve, privateHandle, publicHandle);
  }

  async generateSecret(): Promise<Uint8Array> {
    const secret = this.#secret;
    if (secret === undefined) throw new IllegalStateError(`${this.#algorithm}: call doPhase first.`);
    this.#secret = undefined;
    return secret;
  }

  reset(): void {
    this.#secret?.fill(0);
    this.#secret = undefined;
  }

  #curveOf(key: PrivateKey | PublicKey): WebCurve {
    const curve = curveOf(key, this.#algorithm);
    const family = this.#purpose === 'ECDH' ? 'EC' : this.#algorithm;
    if (curve.family === family || curve.name === family) return curve;
    throw new InvalidKeyError(`${this.#algorithm} does not take this ${key.toString()}.`);
  }

  async #derive(curve: WebCurve, privateHandle: CryptoKey, publicHandle: CryptoKey): Promise<Uint8Array> {
    const parameters = { name: privateHandle.algorithm.name, public: publicHandle };
    let secret: Uint8Array;
    try {
      secret = new Uint8Array(await subtle().deriveBits(parameters, privateHandle, 8 * curve.fieldBytes));
    } catch (cause) {
      // The keys fit each other, so that this is the only thing an engine refuses: a peer of small order.
      if ((cause as { readonly name?: unknown } | null)?.name === 'OperationError') throw this.#refused(cause);
      throw new ProviderError(`WebCrypto failed in ${this.#algorithm}.`, { cause });
    }
    let any = 0;
    for (const byte of secret) any |= byte;
    if (any === 0) throw this.#refused(undefined);
    return secret;
  }

  #refused(cause: unknown): InvalidKeyError {
    const details = cause === undefined ? {} : { cause };
    return new InvalidKeyError(`${this.#algorithm}: the peer's key gives no secret (small order).`, details);
  }
}
