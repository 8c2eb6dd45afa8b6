// Typed helpers for provider authors: one per service type, with defaults for everything but the work itself.

import { IllegalStateError, InvalidParameterError } from './errors.ts';
import type { Key, PrivateKey, PublicKey } from './keys.ts';
import { attributesAllow, refuseOptions } from './provider.ts';
import type {
  NewInstance,
  Outcome,
  RequestedOptions,
  ServiceAttributes,
  ServiceContext,
  ServiceDefinition,
  ServiceMode,
  ServiceType,
  SignatureSpi,
  SignOptions,
  VerifyOptions,
} from './service.ts';

export interface ServiceInit {
  readonly algorithm: string;
  readonly aliases?: readonly string[];
  readonly attributes?: ServiceAttributes;
  /** Default: false. */
  readonly importsPrivateKeys?: boolean;
  /** Default: what the attributes say. `true`, or the reason why not. */
  supportsKey?(key: Key): true | string;
  /** Default: no options. `true`, or which one cannot be honoured. */
  supportsOptions?(options: RequestedOptions): true | string;
}
export interface InstanceInit<T extends ServiceType, M extends ServiceMode> extends ServiceInit {
  newInstance(context: ServiceContext): NewInstance<T, M>;
}
/** The whole message at once: the framework collects it. At least one of the two. */
export interface OneShotInit<M extends ServiceMode> extends ServiceInit {
  sign?(key: PrivateKey, data: Uint8Array, options: SignOptions): Outcome<M, Uint8Array>;
  verify?(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): Outcome<M, boolean>;
}
type Sync = { readonly mode?: 'sync' };
type Async = { readonly mode: 'async' };

function complete<T extends ServiceType, M extends ServiceMode>(
  type: T,
  init: ServiceInit & { readonly mode?: ServiceMode },
  newInstance: (context: ServiceContext) => NewInstance<T, M>,
): ServiceDefinition<T, M> {
  const attributes = init.attributes ?? {};
  return {
    type,
    algorithm: init.algorithm,
    mode: (init.mode ?? 'sync') as M,
    aliases: init.aliases ?? [],
    attributes,
    importsPrivateKeys: init.importsPrivateKeys ?? false,
    supportsKey: init.supportsKey?.bind(init) ?? ((key) => attributesAllow(attributes, key)),
    supportsOptions: init.supportsOptions?.bind(init) ?? refuseOptions,
    newInstance,
  };
}

function requireInit(type: ServiceType, init: unknown): void {
  if (typeof init !== 'object' || init === null)
    throw new InvalidParameterError(`A ${type} service must be an object.`);
}

function instanceService<T extends ServiceType, M extends ServiceMode>(
  type: T,
  init: InstanceInit<T, M> & { readonly mode?: ServiceMode },
): ServiceDefinition<T, M> {
  requireInit(type, init);
  if (typeof init.newInstance !== 'function') {
    throw new InvalidParameterError(`The ${type} ${init.algorithm}: newInstance must be a function.`);
  }
  return complete(type, init, (context) => init.newInstance(context));
}

export function signatureService(
  init: Sync & (InstanceInit<'Signature', 'sync'> | OneShotInit<'sync'>),
): ServiceDefinition<'Signature', 'sync'>;
export function signatureService(
  init: Async & (InstanceInit<'Signature', 'async'> | OneShotInit<'async'>),
): ServiceDefinition<'Signature', 'async'>;
export function signatureService<M extends ServiceMode>(
  init: { readonly mode?: ServiceMode } & (InstanceInit<'Signature', M> | OneShotInit<M>),
): ServiceDefinition<'Signature', M> {
  requireInit('Signature', init);
  if ('newInstance' in init) return instanceService('Signature', init);
  const where = `The Signature ${init.algorithm}`;
  for (const field of ['sign', 'verify'] as const) {
    if (init[field] !== undefined && typeof init[field] !== 'function') {
      throw new InvalidParameterError(`${where}: ${field} must be a function.`);
    }
  }
  if (init.sign === undefined && init.verify === undefined) {
    throw new InvalidParameterError(`${where}: newInstance, sign or verify is missing.`);
  }
  const able: ServiceInit & { readonly mode?: ServiceMode } = {
    ...init,
    supportsKey(key) {
      if (init[key.kind === 'private' ? 'sign' : 'verify'] === undefined) {
        return key.kind === 'private' ? 'it only verifies' : 'it only signs';
      }
      return init.supportsKey?.(key) ?? attributesAllow(init.attributes ?? {}, key);
    },
    ...(init.supportsOptions === undefined
      ? {}
      : { supportsOptions: (options) => init.supportsOptions?.(options) ?? true }),
  };
  return complete('Signature', able, () => new OneShotSignature(init) as unknown as NewInstance<'Signature', M>);
}

export function keyAgreementService(
  init: Sync & InstanceInit<'KeyAgreement', 'sync'>,
): ServiceDefinition<'KeyAgreement', 'sync'>;
export function keyAgreementService(
  init: Async & InstanceInit<'KeyAgreement', 'async'>,
): ServiceDefinition<'KeyAgreement', 'async'>;
export function keyAgreementService<M extends ServiceMode>(init: InstanceInit<'KeyAgreement', M>) {
  return instanceService('KeyAgreement', init);
}

export function keyPairGeneratorService(
  init: Sync & InstanceInit<'KeyPairGenerator', 'sync'>,
): ServiceDefinition<'KeyPairGenerator', 'sync'>;
export function keyPairGeneratorService(
  init: Async & InstanceInit<'KeyPairGenerator', 'async'>,
): ServiceDefinition<'KeyPairGenerator', 'async'>;
export function keyPairGeneratorService<M extends ServiceMode>(init: InstanceInit<'KeyPairGenerator', M>) {
  return instanceService('KeyPairGenerator', init);
}

export function keyFactoryService(
  init: Sync & InstanceInit<'KeyFactory', 'sync'>,
): ServiceDefinition<'KeyFactory', 'sync'>;
export function keyFactoryService(
  init: Async & InstanceInit<'KeyFactory', 'async'>,
): ServiceDefinition<'KeyFactory', 'async'>;
export function keyFactoryService<M extends ServiceMode>(init: InstanceInit<'KeyFactory', M>) {
  return instanceService('KeyFactory', init);
}

export function messageDigestService(
  init: Sync & InstanceInit<'MessageDigest', 'sync'>,
): ServiceDefinition<'MessageDigest', 'sync'> {
  return instanceService('MessageDigest', init);
}

export function algorithmParametersService(
  init: Sync & InstanceInit<'AlgorithmParameters', 'sync'>,
): ServiceDefinition<'AlgorithmParameters', 'sync'> {
  return instanceService('AlgorithmParameters', init);
}

/** Collects the message for a one-shot definition. Gives on what the definition returns, value or promise. */
class OneShotSignature<M extends ServiceMode> implements SignatureSpi<M> {
  readonly #definition: OneShotInit<M>;
  #privateKey: PrivateKey | undefined;
  #publicKey: PublicKey | undefined;
  #signOptions: SignOptions = {};
  #verifyOptions: VerifyOptions = {};
  #parts: Uint8Array[] = [];

  constructor(definition: OneShotInit<M>) {
    this.#definition = definition;
  }

  initSign(key: PrivateKey, options: SignOptions): Outcome<M, void> {
    this.reset();
    this.#privateKey = key;
    this.#publicKey = undefined;
    this.#signOptions = options;
    return undefined as Outcome<M, void>;
  }

  initVerify(key: PublicKey, options: VerifyOptions): Outcome<M, void> {
    this.reset();
    this.#publicKey = key;
    this.#privateKey = undefined;
    this.#verifyOptions = options;
    return undefined as Outcome<M, void>;
  }

  update(data: Uint8Array): void {
    this.#parts.push(Uint8Array.from(data));
  }

  sign(): Outcome<M, Uint8Array> {
    if (this.#privateKey === undefined) throw new IllegalStateError('Not initialised for signing.');
    return this.#sign(this.#privateKey, this.#takeMessage(), this.#signOptions);
  }

  verify(signature: Uint8Array): Outcome<M, boolean> {
    if (this.#publicKey === undefined) throw new IllegalStateError('Not initialised for verification.');
    return this.#verify(this.#publicKey, this.#takeMessage(), Uint8Array.from(signature), this.#verifyOptions);
  }

  /** Definitions may keep or change what they get: it is never the caller's. */
  signOnce(key: PrivateKey, data: Uint8Array, options: SignOptions): Outcome<M, Uint8Array> {
    return this.#sign(key, Uint8Array.from(data), options);
  }

  verifyOnce(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): Outcome<M, boolean> {
    return this.#verify(key, Uint8Array.from(data), Uint8Array.from(signature), options);
  }

  #sign(key: PrivateKey, data: Uint8Array, options: SignOptions): Outcome<M, Uint8Array> {
    if (this.#definition.sign === undefined) throw new IllegalStateError('This service only verifies.');
    return this.#definition.sign(key, data, options);
  }

  #verify(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): Outcome<M, boolean> {
    if (this.#definition.verify === undefined) throw new IllegalStateError('This service only signs.');
    return this.#definition.verify(key, data, signature, options);
  }

  reset(): void {
    for (const part of this.#parts) part.fill(0);
    this.#parts = [];
  }

  #takeMessage(): Uint8Array {
    const parts = this.#parts;
    this.#parts = [];
    const only = parts[0];
    if (only !== undefined && parts.length === 1) return only;
    const message = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      message.set(part, at);
      at += part.length;
      part.fill(0);
    }
    return message;
  }
}
