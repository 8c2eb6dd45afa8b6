/// <reference lib="esnext.disposable" preserve="true" />
// Keys as the framework sees them: opaque, immutable, destroyable. Providers subclass PublicKey and PrivateKey.

import { KeyDestroyedError } from './errors.ts';

export type KeyAlgorithm = 'EC' | 'EdDSA' | 'XDH' | (string & {});
export type KeyFormat = 'X.509' | 'PKCS#8' | (string & {});

const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** What every key shows: never its secret. */
export interface KeyDescription {
  readonly kind: 'public' | 'private';
  readonly algorithm: string;
  readonly curve: string | undefined;
  readonly size: number | undefined;
}

export abstract class Key {
  abstract readonly kind: 'public' | 'private';
  /** Family: `EC`, `EdDSA`, `XDH`, or a provider's own name. */
  abstract readonly algorithm: KeyAlgorithm;
  /** Canonical curve name (`secp256r1`, `Ed25519` …); undefined where the provider does not know it. */
  abstract readonly curve: string | undefined;
  /** Key size in bits (of the field for curves, 255 or 448 for XDH and EdDSA). */
  abstract readonly size: number | undefined;
  /** `X.509` for SPKI, `PKCS#8`; undefined where the key cannot leave its provider. */
  abstract readonly format: KeyFormat | undefined;
  /** A fresh copy of the DER encoding; undefined where the key cannot leave its provider. Throws KeyDestroyedError. */
  abstract readonly encoded: Uint8Array | undefined;

  #destroyed = false;
  #onDestroy: Set<() => void> | undefined;

  get destroyed(): boolean {
    return this.#destroyed;
  }

  /** Throws KeyDestroyedError once the key is destroyed; every use of a key begins with it. */
  assertUsable(): void {
    if (this.#destroyed)
      throw new KeyDestroyedError(`This ${this.toString()} was destroyed. Import or generate it again.`);
  }

  /** Wipes what the key holds in our memory, and every translation of it; later use fails with KeyDestroyedError. */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    const followers = this.#onDestroy;
    this.#onDestroy = undefined;
    const failures: unknown[] = [];
    for (const action of [() => this.wipe(), ...(followers ?? [])]) {
      try {
        action();
      } catch (error) {
        // One that fails keeps no other from being wiped.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** For the framework: runs `action` when this key is destroyed (at once if it already is). */
  onDestroy(action: () => void): void {
    if (this.#destroyed) action();
    else {
      this.#onDestroy ??= new Set();
      this.#onDestroy.add(action);
    }
  }

  /** Overwrites the secret buffers. */
  protected abstract wipe(): void;

  /** True for a key with the same algorithm, kind and value; time independent of the value for private keys. */
  abstract equals(other: Key): boolean;

  describe(): KeyDescription {
    return { kind: this.kind, algorithm: this.algorithm, curve: this.curve, size: this.size };
  }

  toString(): string {
    const curve = this.curve === undefined ? '' : ` ${this.curve}`;
    const size = this.size === undefined ? '' : ` (${this.size} bits)`;
    return `${this.algorithm} ${this.kind} key${curve}${size}`;
  }

  toJSON(): KeyDescription {
    return this.describe();
  }

  [INSPECT](): string {
    return `[${this.toString()}]`;
  }
}

export abstract class PublicKey extends Key {
  override readonly kind = 'public';
}

export abstract class PrivateKey extends Key {
  override readonly kind = 'private';
}

export interface KeyPair<Pub extends PublicKey = PublicKey, Priv extends PrivateKey = PrivateKey> {
  readonly publicKey: Pub;
  readonly privateKey: Priv;
}
