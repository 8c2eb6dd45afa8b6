// The provider under test, one of its services, and where keys for it come from: itself, else the counterpart.

import {
  AsyncKeyAgreement,
  AsyncKeyFactory,
  AsyncKeyPairGenerator,
  AsyncSignature,
  ECGenParameterSpec,
  type Key,
  KeyAgreement,
  KeyFactory,
  type KeyGenerationOptions,
  type KeyPair,
  KeyPairGenerator,
  type KeySpec,
  type KeySpecClass,
  NamedParameterSpec,
  type PrivateKey,
  type Provider,
  type PublicKey,
  RawKeySpec,
  resolveAlgorithm,
  resolveCurve,
  type SecurityContext,
  Signature,
} from '../index.ts';
import type { GenerationParameters } from '../spi/selection.ts';
import type { AgreementOptions, AnyService, ServiceType, SignOptions, VerifyOptions } from '../spi/service.ts';
import { Fault, NotRun } from './report.ts';

type Maybe<T> = T | Promise<T>;

/** What the façades of both modes have in common. */
export interface SignatureObject {
  initSign(key: PrivateKey, options?: SignOptions): Maybe<unknown>;
  initVerify(key: PublicKey, options?: VerifyOptions): Maybe<unknown>;
  update(data: Uint8Array): unknown;
  sign(): Maybe<Uint8Array>;
  verify(signature: Uint8Array): Maybe<boolean>;
}
export interface AgreementObject {
  init(key: PrivateKey, options?: AgreementOptions): Maybe<unknown>;
  doPhase(key: PublicKey, lastPhase: boolean): Maybe<unknown>;
  generateSecret(): Maybe<Uint8Array>;
}
export interface GeneratorObject {
  initialize(parameters?: GenerationParameters, options?: KeyGenerationOptions): Maybe<unknown>;
  generateKeyPair(): Maybe<KeyPair>;
}
export interface FactoryObject {
  generatePublic(spec: KeySpec): Maybe<PublicKey>;
  generatePrivate(spec: KeySpec): Maybe<PrivateKey>;
  getKeySpec<S extends KeySpec>(key: Key, kind: KeySpecClass<S>): Maybe<S>;
  translateKey(key: Key): Maybe<Key>;
}

export interface From {
  readonly context: SecurityContext;
  readonly provider: Provider;
}

export type Family = 'EC' | 'EdDSA' | 'XDH';

const CURVES_OF: Readonly<Record<Family, readonly string[]>> = {
  EC: ['secp256r1', 'secp384r1', 'secp521r1', 'secp256k1'],
  EdDSA: ['Ed25519', 'Ed448'],
  XDH: ['X25519', 'X448'],
};

/** The name of the curve as a parameter of a generator. */
export function curveSpec(curve: string): ECGenParameterSpec | NamedParameterSpec {
  return resolveCurve(curve)?.family === 'EC' || resolveCurve(curve) === undefined
    ? new ECGenParameterSpec(curve)
    : new NamedParameterSpec(curve);
}

/** The family of keys that an algorithm takes; undefined for names that the test kit does not know. */
function familyOf(algorithm: string): Family | undefined {
  if (/^(EC|ECDH|\w+(\/\w+|-\w+)?withECDSA(inP1363Format)?)$/i.test(algorithm)) return 'EC';
  if (/^(EdDSA|Ed25519|Ed448)$/i.test(algorithm)) return 'EdDSA';
  return /^(XDH|X25519|X448)$/i.test(algorithm) ? 'XDH' : undefined;
}

export class Subject {
  readonly from: From;
  readonly service: AnyService;
  /** The standard name, where there is one. */
  readonly algorithm: string;
  readonly family: Family | undefined;
  /** Providers that are known to work, in order. */
  readonly counterparts: readonly From[];

  constructor(from: From, service: AnyService, counterparts: readonly From[]) {
    this.from = from;
    this.service = service;
    this.algorithm = resolveAlgorithm(service.type, service.algorithm)?.name ?? service.algorithm;
    this.family = familyOf(this.algorithm);
    this.counterparts = counterparts;
  }

  get isAsync(): boolean {
    return this.service.mode === 'async';
  }

  /** The curves that the service claims, or the usual ones of its family where it names none. */
  get curves(): readonly string[] {
    const own = resolveCurve(this.algorithm)?.name;
    if (own !== undefined) return [own];
    const usual = this.family === undefined ? [] : CURVES_OF[this.family];
    const claimed = this.service.attributes.SupportedCurves?.map((name) => resolveCurve(name)?.name ?? name);
    if (claimed === undefined) return usual;
    // The usual ones first: most checks work with the first, and others know those.
    return [...usual.filter((name) => claimed.includes(name)), ...claimed.filter((name) => !usual.includes(name))];
  }

  signature(from: From = this.from): SignatureObject {
    return this.isAsync
      ? AsyncSignature.getInstance(this.algorithm, from)
      : Signature.getInstance(this.algorithm, from);
  }

  agreement(from: From = this.from): AgreementObject {
    return this.isAsync
      ? AsyncKeyAgreement.getInstance(this.algorithm, from)
      : KeyAgreement.getInstance(this.algorithm, from);
  }

  generator(): GeneratorObject {
    return this.isAsync
      ? AsyncKeyPairGenerator.getInstance(this.algorithm, this.from)
      : KeyPairGenerator.getInstance(this.algorithm, this.from);
  }

  factory(): FactoryObject {
    return (
      this.isAsync
        ? AsyncKeyFactory.getInstance(this.algorithm, this.from)
        : KeyFactory.getInstance(this.algorithm, this.from)
    ) as FactoryObject;
  }

  /** The first counterpart that serves this algorithm. Throws NotRun. */
  counterpart(type: ServiceType = this.service.type, algorithm: string = this.algorithm): From {
    const found = this.counterparts.find(({ provider }) => provider.service(type, algorithm, 'sync') !== undefined);
    if (found === undefined) throw new NotRun(`no counterpart serves ${type} ${algorithm}`);
    return found;
  }

  /** The provider's own service for keys of the curve, in the mode of this service or in any for an asynchronous one. */
  ownKeyService(type: 'KeyPairGenerator' | 'KeyFactory', curve: string): AnyService | undefined {
    const { provider } = this.from;
    const family = resolveCurve(curve)?.family ?? this.family;
    for (const name of [family, curve]) {
      if (name === undefined) continue;
      const found =
        provider.service(type, name, 'sync') ?? (this.isAsync ? provider.service(type, name, 'async') : undefined);
      const claimed = found?.attributes.SupportedCurves;
      if (found === undefined) continue;
      if (claimed === undefined || claimed.some((one) => resolveCurve(one)?.name === curve || one === curve))
        return found;
    }
    return undefined;
  }

  /** Fresh keys on the curve, of the provider if it makes some, else of the counterpart. Throws NotRun. */
  async keys(curve: string): Promise<KeyPair> {
    const own = this.ownKeyService('KeyPairGenerator', curve);
    if (own !== undefined) return generate(own.algorithm, own.mode === 'async', curve, this.from);
    return this.foreignKeys(curve);
  }

  async foreignKeys(curve: string): Promise<KeyPair> {
    const family = resolveCurve(curve)?.family;
    if (family === undefined) throw new NotRun(`no counterpart makes keys on ${curve}`);
    const errors: unknown[] = [];
    for (const from of this.counterparts) {
      try {
        return await generate(family, false, curve, from);
      } catch (error) {
        errors.push(error);
      }
    }
    throw new NotRun(`no counterpart makes keys on ${curve}`);
  }

  /** A key from raw bytes, of the first counterpart that takes them. Throws NotRun. */
  async rawKey(kind: 'public' | 'private', curve: string, bytes: Uint8Array): Promise<Key> {
    const family = resolveCurve(curve)?.family ?? curve;
    for (const from of this.counterparts) {
      try {
        const factory = KeyFactory.getInstance(family, from);
        const spec = new RawKeySpec(bytes, { curve });
        return kind === 'public' ? factory.generatePublic(spec) : factory.generatePrivate(spec);
      } catch {
        // The next one may take it.
      }
    }
    throw new NotRun(`no counterpart takes this ${kind} key on ${curve}`);
  }

  /** Why the service cannot be given the key; undefined if it can. */
  refusal(key: Key, foreign: boolean): string | undefined {
    const answer: unknown = this.service.supportsKey(key);
    if (answer !== true) return typeof answer === 'string' ? answer : 'supportsKey gave no reason';
    if (foreign && key.kind === 'private' && !this.service.importsPrivateKeys) return 'it does not import private keys';
    return undefined;
  }

  /** The first curve on which the service takes keys of this kind, with keys. Throws NotRun, Fault. */
  async usableKeys(kind: Key['kind']): Promise<{ readonly curve: string; readonly pair: KeyPair }> {
    const reasons: string[] = [];
    for (const curve of this.curves) {
      const foreign = this.ownKeyService('KeyPairGenerator', curve) === undefined;
      const pair = await this.keys(curve);
      const reason = this.refusal(kind === 'private' ? pair.privateKey : pair.publicKey, foreign);
      if (reason === undefined) return { curve, pair };
      reasons.push(`${curve}: ${reason}`);
    }
    if (reasons.length > 0) throw new NotRun(`it takes no ${kind} key (${reasons.join('; ')})`);
    throw new NotRun(`the test kit knows no keys for ${this.service.algorithm}`);
  }
}

async function generate(algorithm: string, isAsync: boolean, curve: string, from: From): Promise<KeyPair> {
  const generator = isAsync
    ? AsyncKeyPairGenerator.getInstance(algorithm, from)
    : KeyPairGenerator.getInstance(algorithm, from);
  await generator.initialize(curveSpec(curve));
  return generator.generateKeyPair();
}

/** The option as the service sees it must be declined or honoured; any other answer is a fault. */
export function supports(service: AnyService, options: Parameters<AnyService['supportsOptions']>[0]): boolean {
  const answer: unknown = service.supportsOptions(options);
  if (answer === true) return true;
  if (typeof answer === 'string' && answer !== '') return false;
  throw new Fault(`supportsOptions gave ${typeof answer} for ${Object.keys(options).join(', ')}, not true or a reason`);
}
