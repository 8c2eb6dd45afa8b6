// The façade AlgorithmParameters.

import { asProviumError, checkedBytes, defusePromise, kindOf } from './checks.ts';
import { contextOf, type From, type SecurityContext } from './context.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, ProviderError } from './errors.ts';
import { AlgorithmParameterSpec } from './key-specs.ts';
import type { Open } from './names.ts';
import type { Provider } from './provider.ts';
import { type Candidates, Failures, instanceOf, type Offer } from './selection.ts';
import type { AlgorithmParametersSpi } from './service.ts';

/** Parameters between their names and their encoding. Initialised once. */
export class AlgorithmParameters {
  /** The name as the caller wrote it. */
  readonly algorithm: string;
  readonly #context: SecurityContext;
  readonly #candidates: Candidates;
  #offer: Offer | undefined;
  #spi: AlgorithmParametersSpi | undefined;

  private constructor(algorithm: string, context: SecurityContext, candidates: Candidates) {
    this.algorithm = algorithm;
    this.#context = context;
    this.#candidates = candidates;
  }

  /** Throws NoSuchAlgorithmError, NoSuchProviderError, AlgorithmDisabledError. */
  static getInstance(algorithm: Open<'EC'>, from?: From): AlgorithmParameters {
    const context = contextOf(from);
    return new AlgorithmParameters(
      algorithm,
      context,
      context.candidates('AlgorithmParameters', algorithm, from, 'sync'),
    );
  }

  /** The provider that serves; undefined until an init has succeeded. */
  get provider(): Provider | undefined {
    return this.#offer?.provider;
  }

  /** By a spec or by the DER encoding. Throws InvalidAlgorithmParameterError, IllegalStateError at the second time. */
  init(parameters: AlgorithmParameterSpec | Uint8Array): this {
    if (this.#spi !== undefined) throw new IllegalStateError(`${this.algorithm} parameters are already initialised.`);
    if (!(parameters instanceof AlgorithmParameterSpec) && !(parameters instanceof Uint8Array)) {
      throw new InvalidAlgorithmParameterError(
        `Parameters must be an AlgorithmParameterSpec or bytes, got ${kindOf(parameters)}.`,
      );
    }
    const { services } = this.#context.selection;
    const failures = new Failures();
    for (const offer of this.#candidates.sync) {
      try {
        const spi = instanceOf<AlgorithmParametersSpi>(offer, services);
        const input = parameters instanceof Uint8Array ? Uint8Array.from(parameters) : parameters;
        const result: unknown = spi.init(input);
        if (result !== undefined && defusePromise(result)) throw new TypeError('it gave a promise');
        this.#spi = spi;
        this.#offer = offer;
        return this;
      } catch (error) {
        failures.addError(offer, error, 'init');
      }
    }
    throw failures.toError(`AlgorithmParameters ${this.algorithm}, init`);
  }

  /** Throws IllegalStateError before an init. */
  getParameterSpec(): AlgorithmParameterSpec {
    const spec: unknown = this.#call('getParameterSpec', (spi) => spi.parameterSpec());
    if (spec instanceof AlgorithmParameterSpec) return spec;
    throw new ProviderError(`The provider ${this.#name()} gave ${kindOf(spec)} where parameters must be.`);
  }

  /** The DER encoding. Throws IllegalStateError before an init. */
  get encoded(): Uint8Array {
    return checkedBytes(
      this.#call('encoded', (spi) => spi.encoded()),
      this.#name(),
      'encoded parameters',
    );
  }

  toString(): string {
    if (this.#spi === undefined) return `AlgorithmParameters object: ${this.algorithm}<not initialized>`;
    return String(this.#call('toString', (spi) => spi.toString()));
  }

  #name(): string {
    return this.#offer?.provider.name ?? 'none';
  }

  #call<T>(what: string, call: (spi: AlgorithmParametersSpi) => T): T {
    if (this.#spi === undefined) throw new IllegalStateError(`${this.algorithm} parameters are not initialised.`);
    try {
      const result = call(this.#spi);
      defusePromise(result);
      return result;
    } catch (error) {
      throw asProviumError(error, this.#name(), what);
    }
  }
}
