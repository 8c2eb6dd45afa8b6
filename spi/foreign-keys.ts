// Keys of the platform (Node's KeyObject, WebCrypto's CryptoKey) as keys of the framework, recognised by shape.

import { InvalidKeyError } from './errors.ts';
import { Key, PrivateKey, PublicKey } from './keys.ts';
import { foldName, resolveCurve } from './names.ts';

/** The part of Node's KeyObject that is used. */
export interface KeyObjectLike {
  readonly type: string;
  readonly asymmetricKeyType?: string | undefined;
  readonly asymmetricKeyDetails?: { readonly namedCurve?: string | undefined } | undefined;
  export(options: never): unknown;
  equals?(other: never): boolean;
}
/** The part of WebCrypto's CryptoKey that is used. */
export interface CryptoKeyLike {
  readonly type: string;
  readonly extractable: boolean;
  readonly algorithm: { readonly name: string };
  readonly usages: readonly string[];
}

export function isKeyObject(value: unknown): value is KeyObjectLike {
  if (typeof value !== 'object' || value === null) return false;
  const key = value as Partial<KeyObjectLike>;
  return (
    (key.type === 'public' || key.type === 'private') &&
    typeof key.asymmetricKeyType === 'string' &&
    typeof key.export === 'function'
  );
}
export function isCryptoKey(value: unknown): value is CryptoKeyLike {
  if (typeof value !== 'object' || value === null) return false;
  const key = value as Partial<CryptoKeyLike>;
  return (
    typeof key.extractable === 'boolean' && typeof key.algorithm?.name === 'string' && typeof key.type === 'string'
  );
}

interface Identity {
  readonly algorithm: string;
  readonly curve: string | undefined;
  readonly size: number | undefined;
}

function identityOf(family: string, curve: string | undefined): Identity {
  const row = resolveCurve(curve ?? family);
  if (row !== undefined) return { algorithm: row.family, curve: row.name, size: row.size };
  return {
    algorithm: foldName(family) === 'ec' || family === 'ECDSA' || family === 'ECDH' ? 'EC' : family,
    curve,
    size: undefined,
  };
}

function keyObjectIdentity(key: KeyObjectLike): Identity {
  return identityOf(key.asymmetricKeyType ?? 'unknown', key.asymmetricKeyDetails?.namedCurve);
}

function exported(key: KeyObjectLike, type: 'spki' | 'pkcs8'): Uint8Array {
  try {
    return Uint8Array.from(key.export({ format: 'der', type } as never) as Uint8Array);
  } catch (cause) {
    throw new InvalidKeyError('The KeyObject cannot be exported.', { cause });
  }
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined || a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

/** A public KeyObject. */
export class KeyObjectPublicKey extends PublicKey {
  override readonly algorithm: string;
  override readonly curve: string | undefined;
  override readonly size: number | undefined;
  override readonly format = 'X.509';
  readonly keyObject: KeyObjectLike;

  constructor(keyObject: KeyObjectLike) {
    super();
    ({ algorithm: this.algorithm, curve: this.curve, size: this.size } = keyObjectIdentity(keyObject));
    this.keyObject = keyObject;
  }

  override get encoded(): Uint8Array {
    this.assertUsable();
    return exported(this.keyObject, 'spki');
  }

  override equals(other: Key): boolean {
    return other instanceof PublicKey && other.algorithm === this.algorithm && sameBytes(this.encoded, other.encoded);
  }

  protected override wipe(): void {}
}

/** A private KeyObject; `destroy` lets go of the handle, which does not wipe it. */
export class KeyObjectPrivateKey extends PrivateKey {
  override readonly algorithm: string;
  override readonly curve: string | undefined;
  override readonly size: number | undefined;
  override readonly format = 'PKCS#8';
  #keyObject: KeyObjectLike | undefined;

  constructor(keyObject: KeyObjectLike) {
    super();
    ({ algorithm: this.algorithm, curve: this.curve, size: this.size } = keyObjectIdentity(keyObject));
    this.#keyObject = keyObject;
  }

  get keyObject(): KeyObjectLike {
    this.assertUsable();
    return this.#keyObject as KeyObjectLike;
  }

  override get encoded(): Uint8Array {
    return exported(this.keyObject, 'pkcs8');
  }

  override equals(other: Key): boolean {
    if (!(other instanceof PrivateKey) || other.algorithm !== this.algorithm) return false;
    const [mine, theirs] = [this.encoded, other.encoded];
    const same = sameBytes(mine, theirs);
    mine.fill(0);
    theirs?.fill(0);
    return same;
  }

  protected override wipe(): void {
    this.#keyObject = undefined;
  }
}

function cryptoKeyIdentity(key: CryptoKeyLike): Identity {
  const curve = (key.algorithm as { readonly namedCurve?: string }).namedCurve;
  return identityOf(key.algorithm.name, curve);
}

/** A public CryptoKey; `encoded` is undefined if it is not extractable. */
export class CryptoKeyPublicKey extends PublicKey {
  override readonly algorithm: string;
  override readonly curve: string | undefined;
  override readonly size: number | undefined;
  override readonly format: 'X.509' | undefined;
  readonly cryptoKey: CryptoKeyLike;
  readonly #encoded: Uint8Array | undefined;

  constructor(cryptoKey: CryptoKeyLike, encoded: Uint8Array | undefined) {
    super();
    ({ algorithm: this.algorithm, curve: this.curve, size: this.size } = cryptoKeyIdentity(cryptoKey));
    this.cryptoKey = cryptoKey;
    this.#encoded = encoded;
    this.format = encoded === undefined ? undefined : 'X.509';
  }

  override get encoded(): Uint8Array | undefined {
    this.assertUsable();
    return this.#encoded?.slice();
  }

  override equals(other: Key): boolean {
    this.assertUsable();
    return other === this || (other instanceof PublicKey && sameBytes(this.encoded, other.encoded));
  }

  protected override wipe(): void {}
}

/** A private CryptoKey; opaque unless it is extractable. */
export class CryptoKeyPrivateKey extends PrivateKey {
  override readonly algorithm: string;
  override readonly curve: string | undefined;
  override readonly size: number | undefined;
  override readonly format: 'PKCS#8' | undefined;
  #cryptoKey: CryptoKeyLike | undefined;
  readonly #encoded: Uint8Array | undefined;

  constructor(cryptoKey: CryptoKeyLike, encoded: Uint8Array | undefined) {
    super();
    ({ algorithm: this.algorithm, curve: this.curve, size: this.size } = cryptoKeyIdentity(cryptoKey));
    this.#cryptoKey = cryptoKey;
    this.#encoded = encoded;
    this.format = encoded === undefined ? undefined : 'PKCS#8';
  }

  get cryptoKey(): CryptoKeyLike {
    this.assertUsable();
    return this.#cryptoKey as CryptoKeyLike;
  }

  override get encoded(): Uint8Array | undefined {
    this.assertUsable();
    return this.#encoded?.slice();
  }

  override equals(other: Key): boolean {
    this.assertUsable();
    return other === this || (other instanceof PrivateKey && sameBytes(this.encoded, other.encoded));
  }

  protected override wipe(): void {
    this.#cryptoKey = undefined;
    this.#encoded?.fill(0);
  }
}

type WrappedKeyObject = KeyObjectPublicKey | KeyObjectPrivateKey;
const wrappers = new WeakMap<object, Key>();

function remembered<K extends Key>(handle: object): K | undefined {
  const known = wrappers.get(handle);
  return known === undefined || known.destroyed ? undefined : (known as K);
}

/** One wrapper per KeyObject. */
export function wrapKeyObject(keyObject: KeyObjectLike): WrappedKeyObject {
  const known = remembered<WrappedKeyObject>(keyObject);
  if (known !== undefined) return known;
  const key = keyObject.type === 'private' ? new KeyObjectPrivateKey(keyObject) : new KeyObjectPublicKey(keyObject);
  wrappers.set(keyObject, key);
  return key;
}

/** One wrapper per CryptoKey, with its encoding if it may be exported. Rejects with InvalidKeyError. */
export async function wrapCryptoKey(cryptoKey: CryptoKeyLike): Promise<CryptoKeyPublicKey | CryptoKeyPrivateKey> {
  const known = remembered<CryptoKeyPublicKey | CryptoKeyPrivateKey>(cryptoKey);
  if (known !== undefined) return known;
  if (cryptoKey.type !== 'public' && cryptoKey.type !== 'private') {
    throw new InvalidKeyError(`A CryptoKey of type ${cryptoKey.type} is no public and no private key.`);
  }
  const isPrivate = cryptoKey.type === 'private';
  let encoded: Uint8Array | undefined;
  if (cryptoKey.extractable) {
    try {
      const format = isPrivate ? 'pkcs8' : 'spki';
      encoded = new Uint8Array(await globalThis.crypto.subtle.exportKey(format, cryptoKey as CryptoKey));
    } catch (cause) {
      throw new InvalidKeyError('The CryptoKey cannot be exported.', { cause });
    }
  }
  const key = isPrivate ? new CryptoKeyPrivateKey(cryptoKey, encoded) : new CryptoKeyPublicKey(cryptoKey, encoded);
  wrappers.set(cryptoKey, key);
  return key;
}
