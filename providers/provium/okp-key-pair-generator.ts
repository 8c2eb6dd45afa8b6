// EdDSA and XDH key pairs: a private key is a random string of the length of the curve (RFC 8032, RFC 7748).

import { isEdwardsCurve } from '../../engines/edwards-curves.ts';
import { EngineError } from '../../engines/errors.ts';
import { InvalidAlgorithmParameterError, InvalidParameterError, ProviderError } from '../../spi/errors.ts';
import { type AlgorithmParameterSpec, ECGenParameterSpec, NamedParameterSpec } from '../../spi/key-specs.ts';
import type { KeyPair } from '../../spi/keys.ts';
import type {
  KeyGenerationOptions,
  KeyPairGeneratorSpi,
  RandomSource,
  RequestedOptions,
  ServiceContext,
} from '../../spi/service.ts';
import { curvesOf, type OkpAlgorithm, type OkpCurves, type OkpName, okpCurveName } from './okp-curves.ts';
import { EdPrivateKey, EdPublicKey, type OkpPrivate, type OkpPublic, XPrivateKey, XPublicKey } from './okp-keys.ts';

type Parameters = number | AlgorithmParameterSpec | undefined;

const BITS: Readonly<Record<number, readonly OkpName[]>> = { 255: ['Ed25519', 'X25519'], 448: ['Ed448', 'X448'] };

/** The curve among those that the algorithm allows, or why there is none. */
function choose(
  algorithm: OkpAlgorithm,
  parameters: Parameters,
): { readonly curve: OkpName } | { readonly fault: string } {
  const allowed = curvesOf(algorithm);
  if (parameters === undefined) return { curve: allowed[0]! };
  if (typeof parameters === 'number') {
    const curve = allowed.find((name) => BITS[parameters]?.includes(name));
    return curve === undefined ? { fault: `${algorithm} has no keys of ${parameters} bits` } : { curve };
  }
  if (!(parameters instanceof NamedParameterSpec || parameters instanceof ECGenParameterSpec)) {
    return {
      fault: `${algorithm} keys are generated from a size or a NamedParameterSpec, not from ${parameters.kind}`,
    };
  }
  const curve = okpCurveName(parameters.name);
  if (curve !== undefined && allowed.includes(curve)) return { curve };
  return { fault: `${algorithm} means ${allowed.join(' or ')}, not ${parameters.name}` };
}

/** `true`, or which option of the caller cannot be honoured. */
export function okpGenerationSupports(algorithm: OkpAlgorithm, options: RequestedOptions): true | string {
  if (options.use !== 'generate') return 'it generates key pairs only';
  const chosen = choose(algorithm, options.size ?? options.parameters);
  return 'fault' in chosen ? chosen.fault : true;
}

export class OkpKeyPairGenerator implements KeyPairGeneratorSpi {
  readonly #algorithm: OkpAlgorithm;
  readonly #curves: OkpCurves;
  readonly #context: ServiceContext;
  #curve: OkpName;
  #random: RandomSource;

  constructor(algorithm: OkpAlgorithm, curves: OkpCurves, context: ServiceContext) {
    this.#algorithm = algorithm;
    this.#curves = curves;
    this.#context = context;
    this.#curve = curvesOf(algorithm)[0]!;
    this.#random = context.random;
  }

  initialize(parameters: Parameters, options: KeyGenerationOptions): void {
    const chosen = choose(this.#algorithm, parameters);
    if ('fault' in chosen) {
      const Failure = typeof parameters === 'number' ? InvalidParameterError : InvalidAlgorithmParameterError;
      throw new Failure(`Provium: ${chosen.fault}.`);
    }
    this.#curve = chosen.curve;
    this.#random = options.random ?? this.#context.random;
  }

  generateKeyPair(): KeyPair<OkpPublic, OkpPrivate> {
    const curve = this.#curve;
    try {
      return isEdwardsCurve(curve) ? this.#edwards(curve) : this.#montgomery(curve);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const message = `Provium could not generate an ${curve} key pair: ${error.message}.`;
      throw new ProviderError(message, { cause: error });
    }
  }

  #edwards(curve: 'Ed25519' | 'Ed448'): KeyPair<EdPublicKey, EdPrivateKey> {
    const operations = this.#curves.eddsa(curve);
    const seed = new Uint8Array(operations.keyLength);
    const publicKey = operations.generateKeyPair(seed, this.#random);
    const decoded = operations.decodePublicKey(publicKey);
    if (decoded === undefined) throw new EngineError('a derived public key does not decode');
    return {
      publicKey: new EdPublicKey(decoded, false),
      privateKey: new EdPrivateKey(operations, seed, publicKey),
    };
  }

  #montgomery(curve: 'X25519' | 'X448'): KeyPair<XPublicKey, XPrivateKey> {
    const operations = this.#curves.xdh(curve);
    const secret = new Uint8Array(operations.keyLength);
    const publicKey = new Uint8Array(operations.keyLength);
    operations.generateKeyPair(secret, publicKey, this.#random);
    return {
      publicKey: new XPublicKey(curve, publicKey.slice()),
      privateKey: new XPrivateKey(operations, secret, publicKey),
    };
  }
}
