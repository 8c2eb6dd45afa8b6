// Selection and its explanation: one function asks a candidate; the façades stop at the first that takes, explain goes on.

import { asProviumError, defusePromise, describeThrown } from './checks.ts';
import {
  AlgorithmDisabledError,
  type CandidateFailure,
  ConfigurationError,
  type ErrorCode,
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  InvalidParameterError,
  KeyDestroyedError,
  NoSuchAlgorithmError,
  NoSuchProviderError,
  ProviderError,
  ProviumError,
  SignatureError,
} from './errors.ts';
import type { AlgorithmParameterSpec } from './key-specs.ts';
import type { Key, PrivateKey, PublicKey } from './keys.ts';
import type { Use } from './options.ts';
import type { Provider } from './provider.ts';
import type {
  AgreementOptions,
  AnyService,
  KeyAgreementSpi,
  KeyGenerationOptions,
  KeyPairGeneratorSpi,
  RequestedOptions,
  ServiceContext,
  ServiceType,
  SignatureSpi,
  SignOptions,
  VerifyOptions,
} from './service.ts';
import { routeOf, type TranslationContext, translateKey, translateKeyAsync } from './translation.ts';

/** One service of one provider, as a candidate. */
export interface Offer {
  readonly provider: Provider;
  readonly service: AnyService;
}

/** The candidates of one getInstance, in order. */
export interface Candidates {
  readonly type: ServiceType;
  readonly algorithm: string;
  /** For the synchronous façades. */
  readonly sync: readonly Offer[];
  /** For the asynchronous façades: both modes. */
  readonly all: readonly Offer[];
  /** Those that serve the name but may not here, for explanations. */
  readonly excluded: readonly CandidateFailure[];
}

/** Why a candidate does not serve. */
export class Refusal {
  readonly reason: string;
  readonly code: ErrorCode;
  /** True: it was not asked to initialise. */
  readonly skipped: boolean;
  readonly error: unknown;
  constructor(code: ErrorCode, reason: string, skipped: boolean, error?: unknown) {
    this.code = code;
    this.reason = reason;
    this.skipped = skipped;
    this.error = error;
  }
}

/** A candidate that took the key. */
export interface Bound<S> {
  readonly spi: S;
  readonly offer: Offer;
  /** The key as this provider has it. */
  readonly key: Key | undefined;
}

export type GenerationParameters = number | AlgorithmParameterSpec | undefined;

/** What an init wants: the use, the key, the explicit options. */
export interface Wish {
  readonly use: Use;
  readonly key: Key | undefined;
  readonly options: object | undefined;
  /** For key generation. */
  readonly parameters: GenerationParameters;
}

const NO_OPTIONS = Object.freeze({});

function requested(wish: Wish): RequestedOptions | undefined {
  if (wish.use === 'generate') {
    const { parameters } = wish;
    if (parameters === undefined && wish.options === undefined) return undefined;
    const about = typeof parameters === 'number' ? { size: parameters } : { parameters };
    return { use: 'generate', ...wish.options, ...about };
  }
  return wish.options === undefined ? undefined : ({ use: wish.use, ...wish.options } as RequestedOptions);
}

function ask(question: () => unknown, code: ErrorCode, otherwise: string): Refusal | undefined {
  let answer: unknown;
  try {
    answer = question();
  } catch (error) {
    return new Refusal('ERR_PROVIDER', describeThrown(error), true, error);
  }
  if (answer === true) return undefined;
  defusePromise(answer);
  return new Refusal(code, typeof answer === 'string' && answer !== '' ? answer : otherwise, true);
}

/** The questions that need no instance: does the service take this kind of key and these options. */
function eligibility(offer: Offer, wish: Wish, { policy }: TranslationContext): Refusal | undefined {
  const { service } = offer;
  const { key } = wish;
  if (key !== undefined) {
    // The caller may have asked by an alias of the provider's own, which no policy knows.
    if (!policy.isEmpty && wish.use !== 'generate') {
      const entry = policy.deniedUse(wish.use, service.type, service.algorithm, key);
      if (entry !== undefined) {
        return new Refusal('ERR_ALGORITHM_DISABLED', `forbidden by disabledAlgorithms "${entry}"`, true);
      }
    }
    const refusal = keyRefusal(offer, key);
    if (refusal !== undefined) return refusal;
  }
  const options = requested(wish);
  if (options === undefined) return undefined;
  return ask(() => service.supportsOptions(options), 'ERR_INVALID_ALGORITHM_PARAMETER', 'it cannot honour the options');
}

export function keyRefusal({ service }: Offer, key: Key): Refusal | undefined {
  let answer: unknown;
  try {
    answer = service.supportsKey(key);
  } catch (error) {
    return new Refusal('ERR_PROVIDER', describeThrown(error), true, error);
  }
  if (answer === true) return undefined;
  defusePromise(answer);
  const reason = typeof answer === 'string' && answer !== '' ? answer : `it does not take this ${key.toString()}`;
  return new Refusal('ERR_INVALID_KEY', reason, true);
}

function refusalOf(error: unknown, provider: Provider, what: string): Refusal {
  const known = asProviumError(error, provider.name, what);
  return new Refusal(known.code, describeThrown(error), false, error);
}

/** The key as the candidate's provider has it, or why it cannot have it. */
export function keyFor(offer: Offer, key: Key, context: TranslationContext): Key | Refusal {
  const route = routeOf(key, offer.provider, offer.service.importsPrivateKeys);
  if (route.how === 'direct') return key;
  if (route.how === 'refused') return new Refusal('ERR_INVALID_KEY', route.reason, true);
  try {
    const translated = translateKey(key, offer.provider, context);
    return translated === key ? key : (keyRefusal(offer, translated) ?? translated);
  } catch (error) {
    return new Refusal(asProviumError(error, '', '').code, describeThrown(error), true, error);
  }
}

export async function keyForAsync(offer: Offer, key: Key, context: TranslationContext): Promise<Key | Refusal> {
  const route = routeOf(key, offer.provider, offer.service.importsPrivateKeys);
  if (route.how === 'direct') return key;
  if (route.how === 'refused') return new Refusal('ERR_INVALID_KEY', route.reason, true);
  try {
    const translated = await translateKeyAsync(key, offer.provider, context);
    return translated === key ? key : (keyRefusal(offer, translated) ?? translated);
  } catch (error) {
    return new Refusal(asProviumError(error, '', '').code, describeThrown(error), true, error);
  }
}

export type AnySpi = SignatureSpi | KeyAgreementSpi | KeyPairGeneratorSpi;
type AnyAsyncSpi = SignatureSpi<'async'> | KeyAgreementSpi<'async'> | KeyPairGeneratorSpi<'async'>;

/** Runs the init that the wish is about; what it returns is for the asynchronous case. */
function initialise(spi: AnySpi | AnyAsyncSpi, wish: Wish, key: Key | undefined): unknown {
  const options = wish.options ?? NO_OPTIONS;
  switch (wish.use) {
    case 'sign':
      return (spi as SignatureSpi).initSign(key as PrivateKey, options as SignOptions);
    case 'verify':
      return (spi as SignatureSpi).initVerify(key as PublicKey, options as VerifyOptions);
    case 'agree':
      return (spi as KeyAgreementSpi).init(key as PrivateKey, options as AgreementOptions);
    case 'generate':
      return (spi as KeyPairGeneratorSpi).initialize(wish.parameters, options as KeyGenerationOptions);
  }
}

/** A new instance of a synchronous service. Throws what the provider throws, and ProviderError for a promise. */
export function instanceOf<S>({ provider, service }: Offer, services: ServiceContext): S {
  const spi: unknown = service.newInstance(services);
  if (defusePromise(spi)) throw new ProviderError(`The provider ${provider.name} gave a promise for an instance.`);
  return spi as S;
}

/** A fresh, initialised instance. Throws what the provider throws, and ProviderError for a promise. */
export function begin(offer: Offer, wish: Wish, key: Key | undefined, context: TranslationContext): AnySpi {
  const spi = instanceOf<AnySpi>(offer, context.services);
  const result = initialise(spi, wish, key);
  if (result !== undefined && defusePromise(result)) {
    throw new ProviderError(`The provider ${offer.provider.name} gave a promise for a synchronous init.`);
  }
  return spi;
}

export async function beginAsync(
  offer: Offer,
  wish: Wish,
  key: Key | undefined,
  context: TranslationContext,
): Promise<AnyAsyncSpi> {
  const spi = (await offer.service.newInstance(context.services)) as AnyAsyncSpi;
  await initialise(spi, wish, key);
  return spi;
}

/** Asks one candidate: the initialised instance, or why not. */
export function consider<S>(offer: Offer, wish: Wish, context: TranslationContext): Bound<S> | Refusal {
  const refusal = eligibility(offer, wish, context);
  if (refusal !== undefined) return refusal;
  const key = wish.key === undefined ? undefined : keyFor(offer, wish.key, context);
  if (key instanceof Refusal) return key;
  try {
    return { spi: begin(offer, wish, key, context) as S, offer, key };
  } catch (error) {
    return refusalOf(error, offer.provider, 'its init');
  }
}

/** As consider, for services of both modes. */
export async function considerAsync<S>(
  offer: Offer,
  wish: Wish,
  context: TranslationContext,
): Promise<Bound<S> | Refusal> {
  const refusal = eligibility(offer, wish, context);
  if (refusal !== undefined) return refusal;
  const key = wish.key === undefined ? undefined : await keyForAsync(offer, wish.key, context);
  if (key instanceof Refusal) return key;
  try {
    return { spi: (await beginAsync(offer, wish, key, context)) as S, offer, key };
  } catch (error) {
    return refusalOf(error, offer.provider, 'its init');
  }
}

/** The questions alone, for services that answer later. */
export function considerWithoutInit(offer: Offer, wish: Wish, context: TranslationContext): Refusal | undefined {
  const refusal = eligibility(offer, wish, context);
  if (refusal !== undefined || wish.key === undefined) return refusal;
  const route = routeOf(wish.key, offer.provider, offer.service.importsPrivateKeys);
  return route.how === 'refused' ? new Refusal('ERR_INVALID_KEY', route.reason, true) : undefined;
}

const CLASSES: Readonly<Record<ErrorCode, new (...args: ConstructorParameters<typeof ProviumError>) => ProviumError>> =
  {
    ERR_NO_SUCH_ALGORITHM: NoSuchAlgorithmError,
    ERR_NO_SUCH_PROVIDER: NoSuchProviderError,
    ERR_INVALID_KEY: InvalidKeyError,
    ERR_INVALID_KEY_SPEC: InvalidKeySpecError,
    ERR_INVALID_ALGORITHM_PARAMETER: InvalidAlgorithmParameterError,
    ERR_INVALID_PARAMETER: InvalidParameterError,
    ERR_SIGNATURE: SignatureError,
    ERR_ILLEGAL_STATE: IllegalStateError,
    ERR_KEY_DESTROYED: KeyDestroyedError,
    ERR_PROVIDER: ProviderError,
    ERR_CONFIGURATION: ConfigurationError,
    ERR_ALGORITHM_DISABLED: AlgorithmDisabledError,
  };

/** The attempts of one selection, kept only when one fails. */
export class Failures {
  readonly #list: { readonly offer: Offer; readonly refusal: Refusal }[] = [];

  add(offer: Offer, refusal: Refusal): void {
    this.#list.push({ offer, refusal });
  }

  addError(offer: Offer, error: unknown, what: string): void {
    this.add(offer, refusalOf(error, offer.provider, what));
  }

  /**
   * For one-shots: what a bound candidate threw in its work. Signing goes on after any failure, verifying only where the
   * provider failed: any other error is the answer, and thrown.
   */
  addOperation(offer: Offer, error: unknown, use: 'sign' | 'verify'): void {
    const known = asProviumError(error, offer.provider.name, use);
    if (use === 'verify' && !(known instanceof ProviderError)) throw known;
    this.addError(offer, error, use);
  }

  /** One error: the class is that of the first candidate; options that nobody honours come first where all skipped. */
  toError(what: string, decisive?: Refusal): ProviumError {
    const first = this.#list[0];
    if (first === undefined) return new NoSuchAlgorithmError(`${what}: there is no candidate.`);
    const skipped = this.#list.every(({ refusal }) => refusal.skipped);
    const byOptions = skipped
      ? this.#list.find(({ refusal }) => refusal.code === 'ERR_INVALID_ALGORITHM_PARAMETER')
      : undefined;
    const refusal = decisive ?? (byOptions ?? first).refusal;
    const errors = this.#list.map(({ offer, refusal: { reason, error } }) => ({
      provider: offer.provider.name,
      algorithm: offer.service.algorithm,
      reason,
      ...(error === undefined ? {} : { error }),
    }));
    const reasons = errors.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ');
    return new CLASSES[refusal.code](`${what}: no provider could. ${reasons}.`, {
      errors,
      ...(refusal.error === undefined ? {} : { cause: refusal.error }),
    });
  }
}

/** True for a failure that says "not supported" rather than "did not work". */
function isUnsupported(refusal: Refusal): boolean {
  // A question that fails is no answer: a token that is offline may throw there.
  return (
    (refusal.skipped && refusal.code !== 'ERR_PROVIDER') ||
    refusal.code === 'ERR_INVALID_ALGORITHM_PARAMETER' ||
    refusal.code === 'ERR_INVALID_PARAMETER' ||
    refusal.code === 'ERR_NO_SUCH_ALGORITHM'
  );
}

/** Key generation goes on only where a candidate does not support what is asked, unless told otherwise. */
function stopsAt(refusal: Refusal, wish: Wish, failover: Failover): boolean {
  return wish.use === 'generate' && failover !== 'always' && !isUnsupported(refusal);
}

/** `unsupported`: key generation fails closed at a failure at run time. */
export type Failover = 'unsupported' | 'always';

export interface SelectionContext extends TranslationContext {
  readonly failover: Failover;
}

function whatOf(candidates: Candidates, wish: Wish): string {
  const key = wish.key === undefined ? '' : ` with ${wish.key.toString()}`;
  return `${candidates.type} ${candidates.algorithm}, ${wish.use}${key}`;
}

/** The first candidate that takes. Throws one error that lists them all. */
export function select<S>(candidates: Candidates, wish: Wish, context: SelectionContext): Bound<S> {
  let failures: Failures | undefined;
  for (const offer of candidates.sync) {
    const outcome = consider<S>(offer, wish, context);
    if (!(outcome instanceof Refusal)) return outcome;
    failures ??= new Failures();
    failures.add(offer, outcome);
    if (stopsAt(outcome, wish, context.failover)) throw failures.toError(whatOf(candidates, wish), outcome);
  }
  throw (failures ?? new Failures()).toError(whatOf(candidates, wish));
}

export async function selectAsync<S>(candidates: Candidates, wish: Wish, context: SelectionContext): Promise<Bound<S>> {
  const failures = new Failures();
  for (const offer of candidates.all) {
    const outcome = await considerAsync<S>(offer, wish, context);
    if (!(outcome instanceof Refusal)) return outcome;
    failures.add(offer, outcome);
    if (stopsAt(outcome, wish, context.failover)) throw failures.toError(whatOf(candidates, wish), outcome);
  }
  throw failures.toError(whatOf(candidates, wish));
}
