// ECDH, X25519 and X448 by `diffieHellman`, the fastest way that node:crypto has.

import type { KeyObject } from 'node:crypto';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidKeyError } from '../../spi/errors.ts';
import { NamedParameterSpec } from '../../spi/key-specs.ts';
import type { PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { AgreementOptions, KeyAgreementSpi, RequestedOptions } from '../../spi/service.ts';
import { EcPrivateKey, EcPublicKey, requireKey, requireOkp, XPrivateKey, XPublicKey } from './keys.ts';
import { nodeCrypto, plain } from './node.ts';
import { findOkp } from './okp.ts';

/** `true`, or why the parameters do not fit; ECDH takes none, XDH a matching NamedParameterSpec. */
export function agreementSupportsOptions(algorithm: string): (options: RequestedOptions) => true | string {
  return (options) => {
    const parameters = options.parameters;
    if (options.use !== 'agree' || parameters === undefined) return true;
    if (algorithm === 'ECDH') return 'ECDH takes no parameters';
    if (!(parameters instanceof NamedParameterSpec))
      return `${algorithm} takes NamedParameterSpec, not ${parameters.kind}`;
    const named = findOkp(parameters.name);
    if (named?.algorithm !== 'XDH') return `${parameters.name} is neither X25519 nor X448`;
    return algorithm === 'XDH' || named.name === algorithm ? true : `${algorithm} does not take ${named.name}`;
  };
}

abstract class Agreement<Priv extends EcPrivateKey | XPrivateKey> implements KeyAgreementSpi {
  protected readonly algorithm: string;
  #key: Priv | undefined;
  #secret: Uint8Array | undefined;

  constructor(algorithm: string) {
    this.algorithm = algorithm;
  }

  protected abstract own(key: PrivateKey): Priv;
  protected abstract peer(key: PublicKey): { readonly curve: string; readonly handle: KeyObject };

  init(key: PrivateKey, options: AgreementOptions): void {
    this.reset();
    this.#key = undefined;
    const own = this.own(key);
    const reason = agreementSupportsOptions(this.algorithm)({ use: 'agree', ...options });
    if (reason !== true) throw new InvalidAlgorithmParameterError(`${this.algorithm} of OpenSSL: ${reason}.`);
    if (options.parameters instanceof NamedParameterSpec && findOkp(options.parameters.name)?.name !== own.curve) {
      throw new InvalidAlgorithmParameterError(
        `${this.algorithm}: the parameters name ${options.parameters.name}, but the key is on ${own.curve}.`,
      );
    }
    this.#key = own;
  }

  doPhase(key: PublicKey): void {
    const own = this.#key;
    if (own === undefined) throw new IllegalStateError(`${this.algorithm} is not initialised.`);
    this.reset();
    const peer = this.peer(key);
    if (peer.curve !== own.curve) {
      throw new InvalidKeyError(`${this.algorithm}: the peer's key is on ${peer.curve}, our own on ${own.curve}.`);
    }
    const handles = { privateKey: own.handle, publicKey: peer.handle };
    try {
      this.#secret = plain(nodeCrypto().diffieHellman(handles));
    } catch (cause) {
      throw new InvalidKeyError(
        `${this.algorithm}: OpenSSL refused the peer's ${peer.curve} key (a point of small order gives an all-zero secret).`,
        { cause },
      );
    }
  }

  generateSecret(): Uint8Array {
    const secret = this.#secret;
    if (secret === undefined) throw new IllegalStateError(`${this.algorithm} has no secret yet: call doPhase first.`);
    this.#secret = undefined;
    return secret;
  }

  reset(): void {
    this.#secret?.fill(0);
    this.#secret = undefined;
  }
}

/** The x-coordinate at the width of the field. SEC 1, section 3.3.1. */
export class EcdhKeyAgreement extends Agreement<EcPrivateKey> {
  protected override own(key: PrivateKey): EcPrivateKey {
    return requireKey(key, EcPrivateKey, this.algorithm);
  }
  protected override peer(key: PublicKey): EcPublicKey {
    return requireKey(key, EcPublicKey, this.algorithm);
  }
}

/** X25519, X448, or `XDH`, which takes the curve from the key. RFC 7748, section 6. */
export class XdhKeyAgreement extends Agreement<XPrivateKey> {
  protected override own(key: PrivateKey): XPrivateKey {
    return requireOkp(requireKey(key, XPrivateKey, this.algorithm), this.algorithm);
  }
  protected override peer(key: PublicKey): XPublicKey {
    return requireKey(key, XPublicKey, this.algorithm);
  }
}
