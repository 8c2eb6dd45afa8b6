// Ed25519, Ed448, X25519 and X448 of one context, and which of them a service name means.

import type { Engines } from '../../engines/container.ts';
import type { EdDSAOperations } from '../../engines/eddsa-operations.ts';
import {
  EDWARDS_CURVES,
  type EdwardsCurveName,
  isEdwardsCurve,
  isMontgomeryCurve,
  MONTGOMERY_CURVES,
  type MontgomeryCurveName,
} from '../../engines/edwards-curves.ts';
import type { XDHOperations } from '../../engines/xdh-operations.ts';
import { resolveCurve } from '../../spi/names.ts';

export type OkpName = EdwardsCurveName | MontgomeryCurveName;
export type EddsaAlgorithm = 'EdDSA' | EdwardsCurveName;
export type XdhAlgorithm = 'XDH' | MontgomeryCurveName;
/** The name of a service: a family, or one curve of it. */
export type OkpAlgorithm = EddsaAlgorithm | XdhAlgorithm;

const EDWARDS_NAMES = Object.keys(EDWARDS_CURVES) as EdwardsCurveName[];
const MONTGOMERY_NAMES = Object.keys(MONTGOMERY_CURVES) as MontgomeryCurveName[];

export const EDDSA_ALGORITHMS: readonly EddsaAlgorithm[] = ['EdDSA', ...EDWARDS_NAMES];
export const XDH_ALGORITHMS: readonly XdhAlgorithm[] = ['XDH', ...MONTGOMERY_NAMES];

/** The curves that a service serves, the default first. */
export function curvesOf(algorithm: OkpAlgorithm): readonly OkpName[] {
  if (algorithm === 'EdDSA') return EDWARDS_NAMES;
  return algorithm === 'XDH' ? MONTGOMERY_NAMES : [algorithm];
}

/** The family of keys that a service takes. */
export function familyOf(algorithm: OkpAlgorithm): 'EdDSA' | 'XDH' {
  return algorithm === 'EdDSA' || isEdwardsCurve(algorithm) ? 'EdDSA' : 'XDH';
}

/** The canonical name by any name or OID; undefined for a curve of another kind. */
export function okpCurveName(name: string): OkpName | undefined {
  const curve = resolveCurve(name)?.name;
  return curve !== undefined && (isEdwardsCurve(curve) || isMontgomeryCurve(curve)) ? curve : undefined;
}

/** Looked up when a key is made or an object is initialised, never during an operation. */
export class OkpCurves {
  readonly #engines: Engines;

  constructor(engines: Engines) {
    this.#engines = engines;
  }

  eddsa(curve: EdwardsCurveName): EdDSAOperations {
    return this.#engines.eddsa(curve);
  }

  xdh(curve: MontgomeryCurveName): XDHOperations {
    return this.#engines.xdh(curve);
  }
}
