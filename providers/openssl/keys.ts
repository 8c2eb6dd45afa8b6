// Keys around KeyObjects. What is inside OpenSSL cannot be wiped from here: destroying a key lets go of it.

import type { KeyObject } from 'node:crypto';
import { DER, parseDer } from '../../spi/encoding/der.ts';
import { InvalidKeyError, ProviderError } from '../../spi/errors.ts';
import { type Key, PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { OpenSslCurve } from './curves.ts';
import { nodeCrypto } from './node.ts';
import type { OkpCurve, OkpName } from './okp.ts';

/** A fresh copy without Buffer's prototype. */
function encodingOf(handle: KeyObject): Uint8Array {
  const encoded =
    handle.type === 'public'
      ? handle.export({ type: 'spki', format: 'der' })
      : handle.export({ type: 'pkcs8', format: 'der' });
  const copy = Uint8Array.from(encoded);
  encoded.fill(0);
  return copy;
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && nodeCrypto().timingSafeEqual(a, b);
}

/** The scalar or seed inside a PKCS#8 encoding, as a fresh copy; undefined if there is none. */
function secretOf(pkcs8: Uint8Array): Uint8Array | undefined {
  const inner = parseDer(pkcs8, 'A private key').children[2];
  if (inner?.tag !== DER.octetString) return undefined;
  const content = parseDer(inner.content, 'A private key');
  const octets = content.tag === DER.sequence ? content.children[1] : content;
  return octets?.tag === DER.octetString ? Uint8Array.from(octets.content) : undefined;
}

function gone(): never {
  throw new ProviderError('A key of OpenSSL has lost its handle without being destroyed.');
}

abstract class OwnPublicKey extends PublicKey {
  override readonly format = 'X.509';
  #handle: KeyObject | undefined;

  constructor(handle: KeyObject) {
    super();
    this.#handle = handle;
  }

  /** For this provider only. */
  get handle(): KeyObject {
    this.assertUsable();
    return this.#handle ?? gone();
  }

  override get encoded(): Uint8Array {
    return encodingOf(this.handle);
  }

  protected override wipe(): void {
    this.#handle = undefined;
  }

  override equals(other: Key): boolean {
    this.assertUsable();
    if (this === other) return true;
    if (other.kind !== 'public' || other.algorithm !== this.algorithm) return false;
    other.assertUsable();
    return sameBytes(this.encoded, other.encoded);
  }
}

abstract class OwnPrivateKey extends PrivateKey {
  override readonly format = 'PKCS#8';
  #handle: KeyObject | undefined;

  constructor(handle: KeyObject) {
    super();
    this.#handle = handle;
  }

  /** For this provider only. */
  get handle(): KeyObject {
    this.assertUsable();
    return this.#handle ?? gone();
  }

  override get encoded(): Uint8Array {
    return encodingOf(this.handle);
  }

  protected override wipe(): void {
    this.#handle = undefined;
  }

  /** Compares the secrets in constant time, whichever provider the other key is from. */
  override equals(other: Key): boolean {
    this.assertUsable();
    if (this === other) return true;
    if (other.kind !== 'private' || other.algorithm !== this.algorithm || other.curve !== this.curve) return false;
    other.assertUsable();
    const theirs = other.encoded;
    if (theirs === undefined) return false;
    const encoded = this.encoded;
    const a = secretOf(encoded);
    const b = secretOf(theirs);
    const same = sameBytes(a, b);
    for (const bytes of [encoded, theirs, a, b]) bytes?.fill(0);
    return same;
  }
}

export class EcPublicKey extends OwnPublicKey {
  override readonly algorithm = 'EC';
  readonly row: OpenSslCurve;
  constructor(row: OpenSslCurve, handle: KeyObject) {
    super(handle);
    this.row = row;
  }
  override get curve(): string {
    return this.row.name;
  }
  override get size(): number {
    return this.row.fieldBits;
  }
}

export class EcPrivateKey extends OwnPrivateKey {
  override readonly algorithm = 'EC';
  readonly row: OpenSslCurve;
  constructor(row: OpenSslCurve, handle: KeyObject) {
    super(handle);
    this.row = row;
  }
  override get curve(): string {
    return this.row.name;
  }
  override get size(): number {
    return this.row.fieldBits;
  }
}

abstract class OkpPublicKey extends OwnPublicKey {
  readonly row: OkpCurve;
  constructor(row: OkpCurve, handle: KeyObject) {
    super(handle);
    this.row = row;
  }
  override get curve(): OkpName {
    return this.row.name;
  }
  override get size(): number {
    return this.row.size;
  }
}

abstract class OkpPrivateKey extends OwnPrivateKey {
  readonly row: OkpCurve;
  constructor(row: OkpCurve, handle: KeyObject) {
    super(handle);
    this.row = row;
  }
  override get curve(): OkpName {
    return this.row.name;
  }
  override get size(): number {
    return this.row.size;
  }
}

export class EdPublicKey extends OkpPublicKey {
  override readonly algorithm = 'EdDSA';
}

export class EdPrivateKey extends OkpPrivateKey {
  override readonly algorithm = 'EdDSA';
}

export class XPublicKey extends OkpPublicKey {
  override readonly algorithm = 'XDH';
}

export class XPrivateKey extends OkpPrivateKey {
  override readonly algorithm = 'XDH';
}

type OpenSslPublicKey = EcPublicKey | EdPublicKey | XPublicKey;
export type OpenSslPrivateKey = EcPrivateKey | EdPrivateKey | XPrivateKey;
export type OpenSslKey = OpenSslPublicKey | OpenSslPrivateKey;

/** True for keys of this provider. */
export function isOwnKey(key: Key): key is OpenSslKey {
  return key instanceof OwnPublicKey || key instanceof OwnPrivateKey;
}

/** The key as one of ours and usable; throws InvalidKeyError, KeyDestroyedError. */
export function requireKey<K extends OpenSslKey>(key: Key, kind: new (...args: never[]) => K, algorithm: string): K {
  if (!(key instanceof kind)) {
    throw new InvalidKeyError(
      `${algorithm} of OpenSSL does not take this ${key.toString()}. Translate it with the KeyFactory of OpenSSL first.`,
    );
  }
  key.assertUsable();
  return key;
}

/** The key if the algorithm is its family's or names its curve; throws InvalidKeyError. */
export function requireOkp<K extends { readonly curve: OkpName; readonly algorithm: string }>(
  key: K,
  algorithm: string,
): K {
  if (algorithm !== key.algorithm && algorithm !== key.curve) {
    throw new InvalidKeyError(`${algorithm} does not take a key on ${key.curve}.`);
  }
  return key;
}
