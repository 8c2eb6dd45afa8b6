// XDH (RFC 7748): the secret is u, little-endian, no key derivation. An all-zero one is refused.

import type { XDHOperations } from '../../engines/xdh-operations.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidKeyError } from '../../spi/errors.ts';
import type { PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { AgreementOptions, KeyAgreementSpi } from '../../spi/service.ts';
import { curvesOf, type OkpCurves, type XdhAlgorithm } from './okp-curves.ts';
import { publicBytesOf, secretBytesOf, XPrivateKey, XPublicKey } from './okp-keys.ts';

export class XdhKeyAgreement implements KeyAgreementSpi {
  readonly #algorithm: XdhAlgorithm;
  readonly #curves: OkpCurves;
  #key: XPrivateKey | undefined;
  #xdh: XDHOperations | undefined;
  #secret: Uint8Array | undefined;

  constructor(algorithm: XdhAlgorithm, curves: OkpCurves) {
    this.#algorithm = algorithm;
    this.#curves = curves;
  }

  init(key: PrivateKey, options: AgreementOptions): void {
    this.reset();
    this.#key = undefined;
    if (options.parameters !== undefined) {
      throw new InvalidAlgorithmParameterError(`${this.#algorithm} takes no parameters.`);
    }
    if (!(key instanceof XPrivateKey) || !curvesOf(this.#algorithm).includes(key.curve)) {
      throw this.#wrongKey('private', key);
    }
    key.assertUsable();
    this.#xdh = this.#curves.xdh(key.curve);
    this.#key = key;
  }

  doPhase(key: PublicKey): void {
    this.reset();
    const own = this.#key;
    const xdh = this.#xdh;
    if (own === undefined || xdh === undefined) {
      throw new IllegalStateError(`${this.#algorithm} is not initialised: call init first.`);
    }
    if (!(key instanceof XPublicKey)) throw this.#wrongKey('public', key);
    if (key.curve !== own.curve) {
      throw new InvalidKeyError(`The private key is for ${own.curve}, the public key for ${key.curve}.`);
    }
    const secret = new Uint8Array(xdh.keyLength);
    if (xdh.agree(secret, secretBytesOf(own), publicBytesOf(key)) === 0) {
      throw new InvalidKeyError('The agreement with this public key gives an all-zero secret; it is of small order.');
    }
    this.#secret = secret;
  }

  generateSecret(): Uint8Array {
    const secret = this.#secret;
    if (secret === undefined) throw new IllegalStateError('There is no secret yet: call doPhase first.');
    this.#secret = undefined;
    this.#key?.assertUsable();
    return secret;
  }

  reset(): void {
    this.#secret?.fill(0);
    this.#secret = undefined;
  }

  #wrongKey(kind: string, key: unknown): InvalidKeyError {
    const wanted = curvesOf(this.#algorithm).join(' or ');
    const got = key instanceof Object && 'describe' in key ? String(key) : typeof key;
    return new InvalidKeyError(`${this.#algorithm} of Provium needs a ${kind} key for ${wanted}, got ${got}.`);
  }
}
