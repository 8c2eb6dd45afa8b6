// ECDH (SP 800-56A, 5.7.1.2): the secret is the x coordinate at the width of the field, no key derivation.

import type { ECDHOperations } from '../../engines/ecdh-operations.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidKeyError } from '../../spi/errors.ts';
import type { PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { AgreementOptions, KeyAgreementSpi } from '../../spi/service.ts';
import type { Curves } from './curves.ts';
import { EcPrivateKey, EcPublicKey, onSameCurve, pointOf, scalarOf } from './keys.ts';

export class EcdhKeyAgreement implements KeyAgreementSpi {
  readonly #curves: Curves;
  #key: EcPrivateKey | undefined;
  #ecdh: ECDHOperations | undefined;
  #secret: Uint8Array | undefined;

  constructor(curves: Curves) {
    this.#curves = curves;
  }

  init(key: PrivateKey, options: AgreementOptions): void {
    this.reset();
    this.#key = undefined;
    if (options.parameters !== undefined) throw new InvalidAlgorithmParameterError('ECDH takes no parameters.');
    if (!(key instanceof EcPrivateKey)) {
      throw new InvalidKeyError(`ECDH of Provium needs an EC private key of Provium, got ${describe(key)}.`);
    }
    key.assertUsable();
    this.#ecdh = this.#curves.ecdh(key);
    this.#key = key;
  }

  doPhase(key: PublicKey): void {
    this.reset();
    const own = this.#key;
    const ecdh = this.#ecdh;
    if (own === undefined || ecdh === undefined)
      throw new IllegalStateError('ECDH is not initialised: call init first.');
    if (!(key instanceof EcPublicKey)) {
      throw new InvalidKeyError(`ECDH of Provium needs an EC public key of Provium, got ${describe(key)}.`);
    }
    if (!onSameCurve(key, own)) {
      const [ours, theirs] = [own, key].map(({ curve }) => curve ?? 'a curve by its parameters');
      throw new InvalidKeyError(`The private key is on ${ours}, the public key on ${theirs}; they must be the same.`);
    }
    const secret = new Uint8Array(ecdh.secretLength);
    if (ecdh.agree(secret, scalarOf(own), pointOf(key)) === 0) {
      throw new InvalidKeyError('The agreement with this public key gives no secret.');
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
}

/** What kind of thing a wrong key is; never its value. */
function describe(key: unknown): string {
  return key instanceof Object && 'describe' in key ? String(key) : typeof key;
}
