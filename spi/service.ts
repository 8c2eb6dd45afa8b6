// What a provider implements: one small interface per service type, in a synchronous and an asynchronous form.
// The façades check arguments and state before a call arrives here, and check the result after it.

import type { AlgorithmParameterSpec, KeySpec, KeySpecClass } from './key-specs.ts';
import type { Key, KeyPair, PrivateKey, PublicKey } from './keys.ts';

export const SERVICE_TYPES = [
  'Signature',
  'KeyAgreement',
  'KeyPairGenerator',
  'KeyFactory',
  'MessageDigest',
  'AlgorithmParameters',
] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];
export type ServiceMode = 'sync' | 'async';

/** Fills the whole array with random bytes. */
export type RandomSource = (bytes: Uint8Array) => void;
export type NonceMode = 'hedged' | 'deterministic' | 'random';
export type VerificationCriteria = 'rfc8032' | 'strict' | 'cofactored' | 'zip215';

export interface SignOptions {
  readonly nonce?: NonceMode | undefined;
  /** Hash of RFC 6979 for NONEwithECDSA, by its MessageDigest name. */
  readonly nonceHash?: string | undefined;
  readonly random?: RandomSource | undefined;
  readonly lowS?: boolean | undefined;
  readonly parameters?: AlgorithmParameterSpec | undefined;
}
export interface VerifyOptions {
  /** Refuse signatures whose s is above half the order. */
  readonly lowS?: boolean | undefined;
  readonly criteria?: VerificationCriteria | undefined;
  readonly parameters?: AlgorithmParameterSpec | undefined;
}
export interface KeyGenerationOptions {
  readonly random?: RandomSource | undefined;
}
export interface AgreementOptions {
  readonly parameters?: AlgorithmParameterSpec | undefined;
}

/** Handed to `supportsOptions`: what the caller explicitly asked for, and for what use. */
export type RequestedOptions =
  | ({ readonly use: 'sign' } & SignOptions)
  | ({ readonly use: 'verify' } & VerifyOptions)
  | ({ readonly use: 'agree' } & AgreementOptions)
  | ({ readonly use: 'generate' } & KeyGenerationOptions & {
        readonly size?: number | undefined;
        readonly parameters?: AlgorithmParameterSpec | undefined;
      });

/** Sync gives T, async gives Promise<T>. */
export type Outcome<M extends ServiceMode, T> = M extends 'sync' ? T : Promise<T>;

/** One object serves one façade object; calls never overlap. After sign or verify it is as freshly initialised. */
export interface SignatureSpi<M extends ServiceMode = 'sync'> {
  initSign(key: PrivateKey, options: SignOptions): Outcome<M, void>;
  initVerify(key: PublicKey, options: VerifyOptions): Outcome<M, void>;
  /** Must not keep `data`. */
  update(data: Uint8Array): void;
  sign(): Outcome<M, Uint8Array>;
  verify(signature: Uint8Array): Outcome<M, boolean>;
  /** Optional fast path of the one-shots; same results as init, update, sign. */
  signOnce?(key: PrivateKey, data: Uint8Array, options: SignOptions): Outcome<M, Uint8Array>;
  verifyOnce?(key: PublicKey, data: Uint8Array, signature: Uint8Array, options: VerifyOptions): Outcome<M, boolean>;
  /** Throws away what was fed, keeps the key. */
  reset(): void;
}

export interface KeyAgreementSpi<M extends ServiceMode = 'sync'> {
  init(key: PrivateKey, options: AgreementOptions): Outcome<M, void>;
  /** Computes; throws InvalidKeyError for a peer that is refused. */
  doPhase(key: PublicKey): Outcome<M, void>;
  /** The secret as fresh bytes; afterwards as freshly initialised. */
  generateSecret(): Outcome<M, Uint8Array>;
  /** Throws away a computed secret, keeps the key. */
  reset(): void;
}

export interface KeyPairGeneratorSpi<M extends ServiceMode = 'sync'> {
  /** `undefined`: the algorithm's default. */
  initialize(parameters: number | AlgorithmParameterSpec | undefined, options: KeyGenerationOptions): Outcome<M, void>;
  generateKeyPair(): Outcome<M, KeyPair>;
}

export interface KeyFactorySpi<M extends ServiceMode = 'sync'> {
  generatePublic(spec: KeySpec): Outcome<M, PublicKey>;
  generatePrivate(spec: KeySpec): Outcome<M, PrivateKey>;
  /** Throws InvalidKeySpecError where the key has no such form. */
  getKeySpec<S extends KeySpec>(key: Key, kind: KeySpecClass<S>): Outcome<M, S>;
  /** A key of this provider with the same value; throws InvalidKeyError where it cannot. */
  translateKey(key: Key): Outcome<M, Key>;
}

export interface MessageDigestSpi {
  /** Bytes of output. */
  readonly digestLength: number;
  update(data: Uint8Array): void;
  /** Fresh bytes; afterwards as new. */
  digest(): Uint8Array;
  reset(): void;
}

export interface AlgorithmParametersSpi {
  /** Throws InvalidAlgorithmParameterError. */
  init(parameters: AlgorithmParameterSpec | Uint8Array): void;
  /** The DER encoding (for EC: the OBJECT IDENTIFIER of the named curve). */
  encoded(): Uint8Array;
  parameterSpec(): AlgorithmParameterSpec;
  toString(): string;
}

interface SpiTable<M extends ServiceMode> {
  Signature: SignatureSpi<M>;
  KeyAgreement: KeyAgreementSpi<M>;
  KeyPairGenerator: KeyPairGeneratorSpi<M>;
  KeyFactory: KeyFactorySpi<M>;
  MessageDigest: MessageDigestSpi;
  AlgorithmParameters: AlgorithmParametersSpi;
}
export type SpiOf<T extends ServiceType, M extends ServiceMode> = SpiTable<M>[T];

/** An asynchronous service may start up first; the façades wait for it at the init. */
export type NewInstance<T extends ServiceType, M extends ServiceMode> = M extends 'async'
  ? SpiOf<T, M> | Promise<SpiOf<T, M>>
  : SpiOf<T, M>;

export type AttributeValue = string | number | boolean | readonly string[];
export interface ServiceAttributes {
  readonly [name: string]: AttributeValue | undefined;
  /** Names of key classes or `EC`, `EdDSA`, `XDH`. */
  readonly SupportedKeyClasses?: readonly string[];
  readonly SupportedKeyFormats?: readonly string[];
  readonly SupportedCurves?: readonly string[];
  /** Largest key size in bits. */
  readonly KeySize?: number;
  readonly ImplementedIn?: 'Software' | 'Hardware';
}

/** Choice of engines, as the operator configures it; read by providers that compute on engines of their own. */
export interface EngineSettings {
  readonly prefer?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly curves?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Ids of candidates of third parties that may see secrets. */
  readonly trusted?: readonly string[] | undefined;
  /** Capabilities taken away (`PROVIUM_DISABLE`). */
  readonly disable?: readonly string[] | undefined;
}

/** The part of the surrounding context that a service may use; one object per context, fit as a WeakMap key. */
export interface ServiceContext {
  /** The context's random source (already checked against all-zero fills). */
  readonly random: RandomSource;
  /** True if the caller supplied `random`; providers with a source of their own must then decline. */
  readonly customRandom: boolean;
  /** The context's default nonce mode. */
  readonly nonce: NonceMode;
  readonly engines: EngineSettings;
  /** Engine candidates of third parties, as handed to the context. */
  readonly candidates: readonly unknown[];
}

export interface ServiceDefinition<T extends ServiceType = ServiceType, M extends ServiceMode = ServiceMode> {
  readonly type: T;
  readonly algorithm: string;
  readonly mode: M;
  readonly aliases: readonly string[];
  readonly attributes: ServiceAttributes;
  /** True: private keys of other providers may be translated into this one. Never for a token. */
  readonly importsPrivateKeys: boolean;
  /** `true`, or the reason why not. Must be cheap and must not throw. Asked before and after translation. */
  supportsKey(key: Key): true | string;
  /** `true`, or which option cannot be honoured. */
  supportsOptions(options: RequestedOptions): true | string;
  newInstance(context: ServiceContext): NewInstance<T, M>;
}
/** Distributes over the types, so that a switch on `type` narrows `newInstance`. */
export type AnyService = {
  [T in ServiceType]: ServiceDefinition<T, 'sync'> | ServiceDefinition<T, 'async'>;
}[ServiceType];
