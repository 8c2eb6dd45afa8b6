// The façade KeyPairGenerator.

import { asProviumError, defusePromise, kindOf } from './checks.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import { InvalidAlgorithmParameterError, InvalidParameterError, ProviderError } from './errors.ts';
import { AlgorithmParameterSpec, ECGenParameterSpec, NamedParameterSpec } from './key-specs.ts';
import { type KeyPair, PrivateKey, PublicKey } from './keys.ts';
import { type KeyPairAlgorithm, type Open, resolveAlgorithm, resolveCurve } from './names.ts';
import { explicitOptions } from './options.ts';
import type { AlgorithmPolicy } from './policy.ts';
import type { Provider } from './provider.ts';
import {
  type Bound,
  type Candidates,
  consider,
  Failures,
  type GenerationParameters,
  Refusal,
  select,
  type Wish,
} from './selection.ts';
import type { KeyGenerationOptions, KeyPairGeneratorSpi } from './service.ts';
import { adoptKey } from './translation.ts';

/** Checks the argument of `initialize` and what the policy says of it. */
export function generationWish(
  algorithm: string,
  parameters: GenerationParameters,
  options: KeyGenerationOptions | undefined,
  policy: AlgorithmPolicy,
  framework: readonly string[] = [],
): Wish {
  if (typeof parameters === 'number') {
    if (!Number.isInteger(parameters) || parameters <= 0) {
      throw new InvalidParameterError('A key size must be a whole number of bits above 0.');
    }
  } else if (parameters !== undefined && !(parameters instanceof AlgorithmParameterSpec)) {
    throw new InvalidAlgorithmParameterError(
      `Key parameters must be a size or an AlgorithmParameterSpec, got ${kindOf(parameters)}.`,
    );
  }
  const curve = curveAsked(parameters);
  // What the parameters leave open is checked on the key pair.
  if (curve !== undefined) {
    const { family, name, size } = curve;
    policy.assertUse('generate', 'KeyPairGenerator', algorithm, { algorithm: family, curve: name, size });
  }
  const explicit = explicitOptions('generate', options, undefined, framework);
  return { use: 'generate', key: undefined, options: explicit, parameters };
}

function curveAsked(parameters: GenerationParameters) {
  const named = parameters instanceof ECGenParameterSpec || parameters instanceof NamedParameterSpec;
  return named ? resolveCurve(parameters.name) : undefined;
}

/** A key pair of the declared kinds and of what was asked for, owned by its provider. Throws ProviderError. */
export function checkedKeyPair(value: unknown, bound: Bound<unknown>, wish: Wish, policy: AlgorithmPolicy): KeyPair {
  const { provider, service } = bound.offer;
  const fail = (what: string): never => {
    throw new ProviderError(`The provider ${provider.name} gave ${what} for a key pair.`);
  };
  const pair = typeof value === 'object' && value !== null ? (value as Partial<KeyPair>) : fail(kindOf(value));
  const { publicKey, privateKey } = pair;
  if (!(publicKey instanceof PublicKey)) return fail(`${kindOf(publicKey)} as the public key`);
  if (!(privateKey instanceof PrivateKey)) return fail(`${kindOf(privateKey)} as the private key`);
  const asked =
    curveAsked(wish.parameters) ?? resolveCurve(resolveAlgorithm(service.type, service.algorithm)?.name ?? '');
  for (const key of [publicKey, privateKey]) {
    if (asked !== undefined && key.curve !== undefined && resolveCurve(key.curve) !== asked) {
      privateKey.destroy();
      return fail(`a key on ${key.curve} where ${asked.name} was asked for`);
    }
  }
  if (publicKey.curve !== undefined && privateKey.curve !== undefined && publicKey.curve !== privateKey.curve) {
    privateKey.destroy();
    return fail(`keys on ${publicKey.curve} and on ${privateKey.curve}`);
  }
  const { parameters } = wish;
  if (typeof parameters === 'number' && privateKey.size !== undefined && privateKey.size !== parameters) {
    privateKey.destroy();
    return fail(`a key of ${privateKey.size} bits where ${parameters} were asked for`);
  }
  try {
    policy.assertUse('generate', 'KeyPairGenerator', service.algorithm, privateKey);
  } catch (error) {
    privateKey.destroy();
    throw error;
  }
  adoptKey(publicKey, provider);
  adoptKey(privateKey, provider);
  return { publicKey, privateKey };
}

/** Makes key pairs. Where nothing is initialised: secp256r1 for EC, 255 bits for the rest. */
export class KeyPairGenerator {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  #bound: Bound<KeyPairGeneratorSpi> | undefined;
  #wish: Wish | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Binds no provider yet. Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<KeyPairAlgorithm>, from?: From): KeyPairGenerator {
    const context = contextOf(from);
    return new KeyPairGenerator(algorithm, context, context.candidates('KeyPairGenerator', algorithm, from, 'sync'));
  }

  /** The provider that serves; undefined until an init has succeeded. */
  get provider(): Provider | undefined {
    return this.#bound?.offer.provider;
  }

  /** Goes on to the next provider where one does not support what is asked, not where it fails at run time. */
  initialize(parameters?: GenerationParameters, options?: KeyGenerationOptions): this {
    this.#bound = undefined;
    this.#wish = undefined;
    const selection = this.#context.selection;
    const wish = generationWish(this.algorithm, parameters, options, selection.policy);
    this.#bound = select<KeyPairGeneratorSpi>(this.#candidates, wish, selection);
    this.#wish = wish;
    return this;
  }

  /** A fresh pair at every call. Throws ProviderError. */
  generateKeyPair(): KeyPair {
    if (this.#bound === undefined) this.initialize();
    const bound = this.#bound as Bound<KeyPairGeneratorSpi> | undefined;
    const wish = this.#wish;
    if (bound === undefined || wish === undefined) throw new ProviderError('No provider is bound.');
    const selection = this.#context.selection;
    try {
      return generate(bound, wish, selection.policy);
    } catch (error) {
      const { offer } = bound;
      if (selection.failover !== 'always') throw asProviumError(error, offer.provider.name, 'generateKeyPair');
      return this.#goOn(bound, wish, error);
    }
  }

  /** `failover: 'always'`: the candidates behind the one that failed. */
  #goOn(failed: Bound<KeyPairGeneratorSpi>, wish: Wish, error: unknown): KeyPair {
    const selection = this.#context.selection;
    const failures = new Failures();
    failures.addError(failed.offer, error, 'generateKeyPair');
    const offers = this.#candidates.sync;
    for (const offer of offers.slice(offers.indexOf(failed.offer) + 1)) {
      const bound = consider<KeyPairGeneratorSpi>(offer, wish, selection);
      if (bound instanceof Refusal) {
        failures.add(offer, bound);
        continue;
      }
      try {
        const pair = generate(bound, wish, selection.policy);
        this.#bound = bound;
        return pair;
      } catch (next) {
        failures.addError(offer, next, 'generateKeyPair');
      }
    }
    throw failures.toError(`KeyPairGenerator ${this.algorithm}`);
  }

  toString(): string {
    return `KeyPairGenerator object: ${this.algorithm}<${this.#bound === undefined ? 'not initialized' : 'initialized'}>`;
  }
}

function generate(bound: Bound<KeyPairGeneratorSpi>, wish: Wish, policy: AlgorithmPolicy): KeyPair {
  const pair: unknown = bound.spi.generateKeyPair();
  defusePromise(pair);
  return checkedKeyPair(pair, bound, wish, policy);
}
