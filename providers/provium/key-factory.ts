// EC keys from and to all forms of key material, and from other providers.

import { InvalidKeyError, InvalidKeySpecError } from '../../spi/errors.ts';
import { type KeySpec, type KeySpecClass, PKCS8EncodedKeySpec, X509EncodedKeySpec } from '../../spi/key-specs.ts';
import type { Key } from '../../spi/keys.ts';
import type { KeyFactorySpi } from '../../spi/service.ts';
import type { Curves } from './curves.ts';
import { exportKey } from './ec-export.ts';
import { importPrivateKey, importPublicKey } from './ec-import.ts';
import { EcPrivateKey, EcPublicKey } from './keys.ts';

export class EcKeyFactory implements KeyFactorySpi {
  readonly #curves: Curves;

  constructor(curves: Curves) {
    this.#curves = curves;
  }

  generatePublic(spec: KeySpec): EcPublicKey {
    return importPublicKey(this.#curves, spec);
  }

  generatePrivate(spec: KeySpec): EcPrivateKey {
    return importPrivateKey(this.#curves, spec);
  }

  getKeySpec<S extends KeySpec>(key: Key, kind: KeySpecClass<S>): S {
    if (key instanceof EcPublicKey || key instanceof EcPrivateKey) return exportKey(key, kind);
    let translated: EcPublicKey | EcPrivateKey;
    try {
      translated = this.translateKey(key);
    } catch (cause) {
      throw new InvalidKeySpecError('Provium cannot read this key, so it has no form to give.', { cause });
    }
    try {
      return exportKey(translated, kind);
    } finally {
      translated.destroy();
    }
  }

  translateKey(key: Key): EcPublicKey | EcPrivateKey {
    key.assertUsable();
    if (key instanceof EcPublicKey || key instanceof EcPrivateKey) return key;
    const { encoded } = key;
    if (encoded === undefined) throw new InvalidKeyError(`This ${key.toString()} cannot leave its provider.`);
    try {
      if (key.kind === 'public' && key.format === 'X.509') return this.generatePublic(new X509EncodedKeySpec(encoded));
      if (key.kind === 'private' && key.format === 'PKCS#8') return this.#privateKey(encoded);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'it cannot be read';
      throw new InvalidKeyError(`This ${key.toString()} is no valid EC key of Provium: ${reason}`, { cause });
    } finally {
      if (key.kind === 'private') encoded.fill(0);
    }
    throw new InvalidKeyError(
      `Provium reads X.509 and PKCS#8 keys; this ${key.toString()} has the form ${key.format}.`,
    );
  }

  #privateKey(encoded: Uint8Array): EcPrivateKey {
    const spec = new PKCS8EncodedKeySpec(encoded);
    try {
      return this.generatePrivate(spec);
    } finally {
      spec.encoded.fill(0);
    }
  }
}
