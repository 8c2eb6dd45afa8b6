// The curves of one context: from a name to the operations on it. Names are resolved by the framework's table.

import type { Engines } from '../../engines/container.ts';
import { CURVES } from '../../engines/curves.ts';
import type { CurveName, ECOperations } from '../../engines/ec-operations.ts';
import type { ECDHOperations } from '../../engines/ecdh-operations.ts';
import type { ECDSAOperations } from '../../engines/ecdsa-operations.ts';
import { InvalidKeyError, InvalidKeySpecError } from '../../spi/errors.ts';
import { resolveCurve } from '../../spi/names.ts';

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

  constructor(engines: Engines) {
    this.#engines = engines;
  }

  /** Throws InvalidKeyError for a curve that is not served. */
  ecdsa(curve: string): ECDSAOperations {
    return this.#ecdsa.get(curve) ?? remember(this.#ecdsa, curve, this.#engines.ecdsa(supported(curve)));
  }

  /** Throws InvalidKeyError for a curve that is not served. */
  ecdh(curve: string): ECDHOperations {
    return this.#ecdh.get(curve) ?? remember(this.#ecdh, curve, this.#engines.ecdh(supported(curve)));
  }

  operations(curve: CurveName): ECOperations {
    return this.#engines.ecOperations(curve);
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
