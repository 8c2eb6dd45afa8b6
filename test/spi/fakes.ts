// Fake providers and keys: no cryptography, only what the framework sees.

import type { Key } from '../../spi/keys.ts';
import { PrivateKey, PublicKey } from '../../spi/keys.ts';
import { defineProvider, type Provider } from '../../spi/provider.ts';
import type { AnyService, RequestedOptions, SignatureSpi } from '../../spi/service.ts';

export const ALGORITHM = 'SHA256withECDSA';

export class FakePrivateKey extends PrivateKey {
  override readonly algorithm = 'EC';
  override readonly curve: string | undefined = undefined;
  override readonly size: number | undefined = undefined;
  override readonly format = undefined;
  override readonly encoded = undefined;
  readonly label: string;
  constructor(label: string) {
    super();
    this.label = label;
  }
  override equals(other: Key): boolean {
    return other === this;
  }
  protected override wipe(): void {}
}

export class FakePublicKey extends PublicKey {
  override readonly algorithm = 'EC';
  override readonly curve: string | undefined = undefined;
  override readonly size: number | undefined = undefined;
  override readonly format = undefined;
  override readonly encoded = undefined;
  readonly label: string;
  constructor(label: string) {
    super();
    this.label = label;
  }
  override equals(other: Key): boolean {
    return other === this;
  }
  protected override wipe(): void {}
}

export function labelOf(key: Key): string {
  return key instanceof FakePrivateKey || key instanceof FakePublicKey ? key.label : '';
}

const text = new TextEncoder();

/** Signs by giving its name, the key's label and the message as text; the signature verifies if it is equal. */
export class FakeSignature implements SignatureSpi {
  readonly #name: string;
  readonly #init: (key: Key) => void;
  #key: Key | undefined;
  #parts: string[] = [];

  constructor(name: string, init: (key: Key) => void = () => {}) {
    this.#name = name;
    this.#init = init;
  }

  initSign(key: PrivateKey): void {
    this.#start(key);
  }
  initVerify(key: PublicKey): void {
    this.#start(key);
  }
  #start(key: Key): void {
    this.#init(key);
    this.#key = key;
    this.#parts = [];
  }
  update(data: Uint8Array): void {
    this.#parts.push(new TextDecoder().decode(data));
  }
  sign(): Uint8Array {
    const message = this.#parts.join('');
    this.#parts = [];
    return text.encode(`${this.#name}/${labelOf(this.#key as Key)}/${message}`);
  }
  verify(signature: Uint8Array): boolean {
    return new TextDecoder().decode(this.sign()) === new TextDecoder().decode(signature);
  }
  reset(): void {
    this.#parts = [];
  }
}

export interface FakeService {
  readonly algorithm?: string;
  readonly aliases?: readonly string[];
  readonly supportsKey?: (key: Key) => true | string;
  readonly supportsOptions?: (options: RequestedOptions) => true | string;
  readonly init?: (key: Key) => void;
  readonly newInstance?: () => SignatureSpi;
}

export function fakeService(name: string, fake: FakeService = {}): AnyService {
  return {
    type: 'Signature',
    algorithm: fake.algorithm ?? ALGORITHM,
    mode: 'sync',
    aliases: fake.aliases ?? [],
    attributes: {},
    importsPrivateKeys: false,
    supportsKey: fake.supportsKey ?? (() => true),
    supportsOptions: fake.supportsOptions ?? (() => true),
    newInstance: fake.newInstance ?? (() => new FakeSignature(name, fake.init)),
  };
}

export function fakeProvider(name: string, fake: FakeService = {}): Provider {
  return defineProvider({ name, version: '1', services: [fakeService(name, fake)] });
}

export const bytes = (message: string): Uint8Array => text.encode(message);
export const string = (data: Uint8Array): string => new TextDecoder().decode(data);

/** What a call throws. */
export function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
