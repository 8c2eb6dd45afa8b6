// Short forms for provider authors: a one-shot `sign(key, data)` and `verify(key, data, signature)` become a whole
// Signature service, because the framework buffers the message.

import { IllegalStateError } from './errors.ts';
import type { AlgorithmParameterSpec, KeySpec, KeySpecClass } from './key-specs.ts';
import type { Key, KeyPair, PrivateKey, PublicKey } from './keys.ts';
import { defineService, type ServiceInput } from './provider.ts';
import type {
  AlgorithmParametersSpi,
  KeyAgreementSpi,
  KeyFactorySpi,
  KeyGenerationOptions,
  KeyPairGeneratorSpi,
  MessageDigestSpi,
  Outcome,
  ServiceContext,
  ServiceDefinition,
  ServiceMode,
  ServiceType,
  SignatureSpi,
  SignOptions,
  VerifyOptions,
} from './service.ts';

type Common<T extends ServiceType, M extends ServiceMode> = Omit<ServiceInput<T, M>, 'newInstance'>;

export interface SimpleSignature<M extends ServiceMode> extends Common<'Signature', M> {
  readonly sign?: (key: PrivateKey, data: Uint8Array, options: SignOptions) => Outcome<M, Uint8Array>;
  readonly verify?: (
    key: PublicKey,
    data: Uint8Array,
    signature: Uint8Array,
    options: VerifyOptions,
  ) => Outcome<M, boolean>;
}

/** Collects a message; `take` gives it whole and starts anew. */
class MessageBuffer {
  #chunks: Uint8Array[] = [];
  #length = 0;

  add(data: Uint8Array): void {
    this.#chunks.push(data.slice());
    this.#length += data.length;
  }

  take(): Uint8Array {
    const only = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    const whole = only ?? new Uint8Array(this.#length);
    if (only === undefined) {
      let offset = 0;
      for (const chunk of this.#chunks) {
        whole.set(chunk, offset);
        offset += chunk.length;
      }
    }
    this.clear();
    return whole;
  }

  clear(): void {
    this.#chunks = [];
    this.#length = 0;
  }
}

class BufferedSignature<M extends ServiceMode> implements SignatureSpi<M> {
  readonly #service: SimpleSignature<M>;
  readonly #message = new MessageBuffer();
  #signing: { readonly key: PrivateKey; readonly options: SignOptions } | undefined;
  #verifying: { readonly key: PublicKey; readonly options: VerifyOptions } | undefined;

  constructor(service: SimpleSignature<M>) {
    this.#service = service;
  }

  #ready(): Outcome<M, void> {
    this.#message.clear();
    return (this.#service.mode === 'async' ? Promise.resolve() : undefined) as Outcome<M, void>;
  }

  initSign(key: PrivateKey, options: SignOptions): Outcome<M, void> {
    if (this.#service.sign === undefined) throw new IllegalStateError(`${this.#service.algorithm} only verifies here.`);
    this.#signing = { key, options };
    this.#verifying = undefined;
    return this.#ready();
  }

  initVerify(key: PublicKey, options: VerifyOptions): Outcome<M, void> {
    if (this.#service.verify === undefined) throw new IllegalStateError(`${this.#service.algorithm} only signs here.`);
    this.#verifying = { key, options };
    this.#signing = undefined;
    return this.#ready();
  }

  update(data: Uint8Array): void {
    this.#message.add(data);
  }

  sign(): Outcome<M, Uint8Array> {
    const state = this.#signing;
    if (state === undefined || this.#service.sign === undefined)
      throw new IllegalStateError('Not initialised for signing.');
    return this.#service.sign(state.key, this.#message.take(), state.options);
  }

  verify(signature: Uint8Array): Outcome<M, boolean> {
    const state = this.#verifying;
    if (state === undefined || this.#service.verify === undefined) {
      throw new IllegalStateError('Not initialised for verification.');
    }
    return this.#service.verify(state.key, this.#message.take(), signature, state.options);
  }

  reset(): void {
    this.#message.clear();
  }
}

/** A Signature service from `sign` and `verify` functions, or from `newInstance`. */
export function signatureService<M extends ServiceMode = 'sync'>(
  input: SimpleSignature<M> | ServiceInput<'Signature', M>,
): ServiceDefinition<'Signature', M> {
  if ('newInstance' in input) return defineService('Signature', input);
  return defineService('Signature', { ...input, newInstance: () => new BufferedSignature(input) });
}

export interface SimpleKeyAgreement<M extends ServiceMode> extends Common<'KeyAgreement', M> {
  readonly agree: (key: PrivateKey, peer: PublicKey) => Outcome<M, Uint8Array>;
}

class OneShotAgreement implements KeyAgreementSpi<'sync'> {
  readonly #agree: (key: PrivateKey, peer: PublicKey) => Uint8Array;
  #key: PrivateKey | undefined;
  #secret: Uint8Array | undefined;
  constructor(agree: (key: PrivateKey, peer: PublicKey) => Uint8Array) {
    this.#agree = agree;
  }
  init(key: PrivateKey): void {
    this.reset();
    this.#key = key;
  }
  doPhase(peer: PublicKey): void {
    if (this.#key === undefined) throw new IllegalStateError('Not initialised.');
    this.#secret = this.#agree(this.#key, peer);
  }
  generateSecret(): Uint8Array {
    const secret = this.#secret;
    if (secret === undefined) throw new IllegalStateError('No phase was executed.');
    this.#secret = undefined;
    return secret;
  }
  reset(): void {
    this.#secret = undefined;
  }
}

class OneShotAsyncAgreement implements KeyAgreementSpi<'async'> {
  readonly #agree: (key: PrivateKey, peer: PublicKey) => Promise<Uint8Array>;
  #key: PrivateKey | undefined;
  #secret: Uint8Array | undefined;
  constructor(agree: (key: PrivateKey, peer: PublicKey) => Promise<Uint8Array>) {
    this.#agree = agree;
  }
  async init(key: PrivateKey): Promise<void> {
    this.reset();
    this.#key = key;
  }
  async doPhase(peer: PublicKey): Promise<void> {
    if (this.#key === undefined) throw new IllegalStateError('Not initialised.');
    this.#secret = await this.#agree(this.#key, peer);
  }
  async generateSecret(): Promise<Uint8Array> {
    const secret = this.#secret;
    if (secret === undefined) throw new IllegalStateError('No phase was executed.');
    this.#secret = undefined;
    return secret;
  }
  reset(): void {
    this.#secret = undefined;
  }
}

/** A KeyAgreement service from one `agree` function, or from `newInstance`. */
export function keyAgreementService<M extends ServiceMode = 'sync'>(
  input: SimpleKeyAgreement<M> | ServiceInput<'KeyAgreement', M>,
): ServiceDefinition<'KeyAgreement', M> {
  if ('newInstance' in input) return defineService('KeyAgreement', input);
  const agree = input.agree;
  const newInstance: unknown =
    input.mode === 'async'
      ? () => new OneShotAsyncAgreement(agree as SimpleKeyAgreement<'async'>['agree'])
      : () => new OneShotAgreement(agree as SimpleKeyAgreement<'sync'>['agree']);
  return defineService('KeyAgreement', {
    ...input,
    newInstance: newInstance as ServiceInput<'KeyAgreement', M>['newInstance'],
  });
}

export interface SimpleKeyPairGenerator<M extends ServiceMode> extends Common<'KeyPairGenerator', M> {
  readonly generate: (
    parameters: number | AlgorithmParameterSpec | undefined,
    options: KeyGenerationOptions,
    context: ServiceContext,
  ) => Outcome<M, KeyPair>;
}

/** A KeyPairGenerator service from one `generate` function, or from `newInstance`. */
export function keyPairGeneratorService<M extends ServiceMode = 'sync'>(
  input: SimpleKeyPairGenerator<M> | ServiceInput<'KeyPairGenerator', M>,
): ServiceDefinition<'KeyPairGenerator', M> {
  if ('newInstance' in input) return defineService('KeyPairGenerator', input);
  return defineService('KeyPairGenerator', {
    ...input,
    newInstance: (context): KeyPairGeneratorSpi<M> => {
      let parameters: number | AlgorithmParameterSpec | undefined;
      let options: KeyGenerationOptions = {};
      return {
        initialize: (given, requested) => {
          parameters = given;
          options = requested;
          return (input.mode === 'async' ? Promise.resolve() : undefined) as Outcome<M, void>;
        },
        generateKeyPair: () => input.generate(parameters, options, context),
      };
    },
  });
}

/** A KeyFactory service from an object with its four methods, or from `newInstance`. */
export function keyFactoryService<M extends ServiceMode = 'sync'>(
  input: (Common<'KeyFactory', M> & KeyFactorySpi<M>) | ServiceInput<'KeyFactory', M>,
): ServiceDefinition<'KeyFactory', M> {
  if ('newInstance' in input) return defineService('KeyFactory', input);
  const spi: KeyFactorySpi<M> = {
    generatePublic: (spec: KeySpec) => input.generatePublic(spec),
    generatePrivate: (spec: KeySpec) => input.generatePrivate(spec),
    getKeySpec: <S extends KeySpec>(key: Key, kind: KeySpecClass<S>) => input.getKeySpec(key, kind),
    translateKey: (key: Key) => input.translateKey(key),
  };
  return defineService('KeyFactory', { ...input, newInstance: () => spi });
}

/** A MessageDigest service; `newInstance` gives an incremental digest. */
export function messageDigestService(
  input: Omit<ServiceInput<'MessageDigest', 'sync'>, 'mode' | 'newInstance'> & {
    readonly newInstance: () => MessageDigestSpi;
  },
): ServiceDefinition<'MessageDigest', 'sync'> {
  return defineService('MessageDigest', input);
}

/** An AlgorithmParameters service. */
export function algorithmParametersService(
  input: Omit<ServiceInput<'AlgorithmParameters', 'sync'>, 'mode' | 'newInstance'> & {
    readonly newInstance: () => AlgorithmParametersSpi;
  },
): ServiceDefinition<'AlgorithmParameters', 'sync'> {
  return defineService('AlgorithmParameters', input);
}
