// EdDSA and XDH keys from and to all forms of key material, and from other providers.

import { InvalidKeyError, InvalidKeySpecError } from '../../spi/errors.ts';
import { type KeySpec, type KeySpecClass, PKCS8EncodedKeySpec, X509EncodedKeySpec } from '../../spi/key-specs.ts';
import type { Key } from '../../spi/keys.ts';
import type { KeyFactorySpi } from '../../spi/service.ts';
import { curvesOf, type OkpAlgorithm, type OkpCurves } from './okp-curves.ts';
import { exportOkpKey } from './okp-export.ts';
import { importOkpPrivateKey, importOkpPublicKey } from './okp-import.ts';
import { isOkpPrivate, isOkpPublic, type OkpPrivate, type OkpPublic } from './okp-keys.ts';

export class OkpKeyFactory implements KeyFactorySpi {
  readonly #algorithm: OkpAlgorithm;
  readonly #curves: OkpCurves;

  constructor(algorithm: OkpAlgorithm, curves: OkpCurves) {
    this.#algorithm = algorithm;
    this.#curves = curves;
  }

  generatePublic(spec: KeySpec): OkpPublic {
    return importOkpPublicKey(this.#curves, this.#algorithm, spec);
  }

  generatePrivate(spec: KeySpec): OkpPrivate {
    return importOkpPrivateKey(this.#curves, this.#algorithm, spec);
  }

  getKeySpec<S extends KeySpec>(key: Key, kind: KeySpecClass<S>): S {
    if (this.#isOwn(key)) return exportOkpKey(key, kind);
    let translated: OkpPublic | OkpPrivate;
    try {
      translated = this.translateKey(key);
    } catch (cause) {
      throw new InvalidKeySpecError('Provium cannot read this key, so it has no form to give.', { cause });
    }
    try {
      return exportOkpKey(translated, kind);
    } finally {
      translated.destroy();
    }
  }

  translateKey(key: Key): OkpPublic | OkpPrivate {
    key.assertUsable();
    if (this.#isOwn(key)) return key;
    const { encoded } = key;
    if (encoded === undefined) throw new InvalidKeyError(`This ${key.toString()} cannot leave its provider.`);
    try {
      if (key.kind === 'public' && key.format === 'X.509') return this.generatePublic(new X509EncodedKeySpec(encoded));
      if (key.kind === 'private' && key.format === 'PKCS#8') return this.#privateKey(encoded);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'it cannot be read';
      throw new InvalidKeyError(`This ${key.toString()} is no valid ${this.#algorithm} key of Provium: ${reason}`, {
        cause,
      });
    } finally {
      if (key.kind === 'private') encoded.fill(0);
    }
    throw new InvalidKeyError(
      `Provium reads X.509 and PKCS#8 keys; this ${key.toString()} has the form ${key.format}.`,
    );
  }

  #isOwn(key: Key): key is OkpPublic | OkpPrivate {
    return (isOkpPublic(key) || isOkpPrivate(key)) && curvesOf(this.#algorithm).includes(key.curve);
  }

  #privateKey(encoded: Uint8Array): OkpPrivate {
    const spec = new PKCS8EncodedKeySpec(encoded);
    try {
      return this.generatePrivate(spec);
    } finally {
      spec.encoded.fill(0);
    }
  }
}
