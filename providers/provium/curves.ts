// The curves of one context: from a name to the operations on it. Names are resolved by the framework's table.

import type { Engines } from '../../engines/container.ts';
import { CURVES } from '../../engines/curves.ts';
import type { CurveName, ECOperations } from '../../engines/ec-operations.ts';
import { createECDHOperations, type ECDHOperations } from '../../engines/ecdh-operations.ts';
import { createECDSAOperations, type ECDSAOperations } from '../../engines/ecdsa-operations.ts';
import type { HashFunctions } from '../../engines/sources.ts';
import { InvalidAlgorithmParameterError, InvalidKeyError, InvalidKeySpecError } from '../../spi/errors.ts';
import { ECGenParameterSpec, ECParameterSpec } from '../../spi/key-specs.ts';
import { resolveCurve } from '../../spi/names.ts';
import { namedCurveOf, operationsOn } from './explicit-curves.ts';
import { type EcPrivateKey, type EcPublicKey, operationsOf } from './keys.ts';

/** Canonical names of the curves that this provider serves. */
export const SERVED_CURVES = Object.keys(CURVES) as readonly CurveName[];

function serves(curve: string): curve is CurveName {
  return Object.hasOwn(CURVES, curve);
}

/** The canonical name of a served curve by any of its names or OIDs; undefined if there is none. */
export function servedCurve(name: string): CurveName | undefined {
  const curve = resolveCurve(name)?.name;
  return curve !== undefined && serves(curve) ? curve : undefined;
}

/** Looked up when a key is made or an object is initialised, never during an operation. */
export class Curves {
  readonly #engines: Engines;
  readonly #ecdsa = new Map<string, ECDSAOperations>();
  readonly #ecdh = new Map<string, ECDHOperations>();
  /** Of curves by their parameters, as long as a key on them lives. */
  readonly #explicit = new WeakMap<ECOperations, ECDSAOperations>();
  readonly #hashes: HashFunctions;

  /** `hashes` are those that the engines were made with. */
  constructor(engines: Engines, hashes: HashFunctions) {
    this.#engines = engines;
    this.#hashes = hashes;
  }

  /** Throws InvalidKeyError for a curve that is not served. */
  ecdsa(key: EcPublicKey | EcPrivateKey): ECDSAOperations {
    const { curve } = key;
    if (curve === undefined) return this.#explicitEcdsa(operationsOf(key));
    return this.#ecdsa.get(curve) ?? remember(this.#ecdsa, curve, this.#engines.ecdsa(supported(curve)));
  }

  #explicitEcdsa(operations: ECOperations): ECDSAOperations {
    let ecdsa = this.#explicit.get(operations);
    if (ecdsa === undefined) {
      ecdsa = createECDSAOperations(operations, this.#hashes);
      this.#explicit.set(operations, ecdsa);
    }
    return ecdsa;
  }

  /** Throws InvalidKeyError for a curve that is not served. */
  ecdh(key: EcPrivateKey): ECDHOperations {
    const { curve } = key;
    if (curve === undefined) return createECDHOperations(operationsOf(key));
    return this.#ecdh.get(curve) ?? remember(this.#ecdh, curve, this.#engines.ecdh(supported(curve)));
  }

  operations(curve: CurveName): ECOperations {
    return this.#engines.ecOperations(curve);
  }

  /** A curve by name or by parameters. Throws InvalidAlgorithmParameterError for parameters that are refused. */
  operationsFor(parameters: CurveName | ECParameterSpec): ECOperations {
    if (typeof parameters === 'string') return this.#engines.ecOperations(parameters);
    const name = namedCurveOf(parameters);
    return name === undefined ? operationsOn(parameters) : this.#engines.ecOperations(name);
  }

  /** The same for key material. Throws InvalidKeySpecError. */
  resolveParameters(parameters: ECGenParameterSpec | ECParameterSpec): ECOperations {
    if (parameters instanceof ECGenParameterSpec) return this.resolve(parameters.name);
    if (!(parameters instanceof ECParameterSpec)) {
      throw new InvalidKeySpecError('An EC key needs an ECGenParameterSpec or an ECParameterSpec as its parameters.');
    }
    try {
      return this.operationsFor(parameters);
    } catch (cause) {
      if (!(cause instanceof InvalidAlgorithmParameterError)) throw cause;
      throw new InvalidKeySpecError(cause.message, { cause });
    }
  }

  /** By any name or OID, for key material. Throws InvalidKeySpecError. */
  resolve(name: string): ECOperations {
    const curve = servedCurve(name);
    if (curve === undefined) throw new InvalidKeySpecError(`Provium does not serve a curve named ${name}.`);
    return this.#engines.ecOperations(curve);
  }
}

function remember<T>(cache: Map<string, T>, curve: string, operations: T): T {
  cache.set(curve, operations);
  return operations;
}

function supported(curve: string): CurveName {
  if (serves(curve)) return curve;
  throw new InvalidKeyError(`Provium does not serve the curve ${curve}.`);
}
