// EC key pairs: private keys uniform in [1, n − 1] from 64 surplus random bits (FIPS 186-5, A.2.1).

import type { CurveName, ECOperations } from '../../engines/ec-operations.ts';
import { generateKeyPair } from '../../engines/ecdh-operations.ts';
import { EngineError } from '../../engines/errors.ts';
import { InvalidAlgorithmParameterError, InvalidParameterError, ProviderError } from '../../spi/errors.ts';
import { type AlgorithmParameterSpec, ECGenParameterSpec, ECParameterSpec } from '../../spi/key-specs.ts';
import type { KeyPair } from '../../spi/keys.ts';
import type { KeyGenerationOptions, KeyPairGeneratorSpi, RandomSource, ServiceContext } from '../../spi/service.ts';
import { type Curves, servedCurve } from './curves.ts';
import { EcPrivateKey, EcPublicKey } from './keys.ts';

const DEFAULT_CURVE = 'secp256r1';

/** The curve that a size in bits stands for; others are asked for by name. */
const CURVE_OF_SIZE: Readonly<Record<number, string>> = {
  224: 'secp224r1',
  256: 'secp256r1',
  384: 'secp384r1',
  521: 'secp521r1',
};

/** The curve asked for, or why there is none. */
export function curveFor(
  parameters: number | AlgorithmParameterSpec | undefined,
): { readonly curve: CurveName | ECParameterSpec } | { readonly fault: string } {
  if (parameters instanceof ECParameterSpec) return { curve: parameters };
  if (parameters !== undefined && typeof parameters !== 'number' && !(parameters instanceof ECGenParameterSpec)) {
    return {
      fault: `EC keys are generated from a size, an ECGenParameterSpec or an ECParameterSpec, not from ${parameters.kind}`,
    };
  }
  const name = typeof parameters === 'number' ? (CURVE_OF_SIZE[parameters] ?? '') : (parameters?.name ?? DEFAULT_CURVE);
  const curve = servedCurve(name);
  if (curve !== undefined) return { curve };
  return {
    fault:
      typeof parameters === 'number' ? `there is no EC curve of ${parameters} bits` : `the curve ${name} is not served`,
  };
}

export class EcKeyPairGenerator implements KeyPairGeneratorSpi {
  readonly #curves: Curves;
  readonly #context: ServiceContext;
  #operations: ECOperations | undefined;
  #random: RandomSource;

  constructor(curves: Curves, context: ServiceContext) {
    this.#curves = curves;
    this.#context = context;
    this.#random = context.random;
  }

  initialize(parameters: number | AlgorithmParameterSpec | undefined, options: KeyGenerationOptions): void {
    this.#operations = undefined;
    const chosen = curveFor(parameters);
    if ('fault' in chosen) {
      const message = `Provium: ${chosen.fault}.`;
      throw typeof parameters === 'number'
        ? new InvalidParameterError(message)
        : new InvalidAlgorithmParameterError(message);
    }
    this.#operations = this.#curves.operationsFor(chosen.curve);
    this.#random = options.random ?? this.#context.random;
  }

  generateKeyPair(): KeyPair<EcPublicKey, EcPrivateKey> {
    const operations = this.#operations ?? this.#curves.operations(DEFAULT_CURVE);
    const scalar = new Uint8Array(operations.scalars.byteLength);
    const point = new Uint8Array(2 * operations.byteLength);
    try {
      generateKeyPair(operations, scalar, point, this.#random);
    } catch (error) {
      scalar.fill(0);
      if (!(error instanceof EngineError)) throw error;
      throw new ProviderError(`Provium could not generate an EC key pair: ${error.message}.`, { cause: error });
    }
    return {
      publicKey: new EcPublicKey(operations, point.slice()),
      privateKey: new EcPrivateKey(operations, scalar, point),
    };
  }
}
