// The lengths that signatures and secrets may have, where the names say them.

import { CURVES, type CurveNameInfo, foldName } from './names.ts';

let byName: ReadonlyMap<string, CurveNameInfo> | undefined;

/** A curve by its canonical name alone: the fast way for keys, whose names are canonical. */
function curveOf(name: string | undefined): CurveNameInfo | undefined {
  if (name === undefined) return undefined;
  byName ??= new Map(CURVES.map((curve) => [curve.name, curve]));
  return byName.get(name);
}

const p1363 = new Map<string, boolean>();

/** By the name of a service, of which there are few; folding it at every signature would cost more than all the rest. */
function isP1363(algorithm: string): boolean {
  let answer = p1363.get(algorithm);
  if (answer === undefined) {
    answer = foldName(algorithm).endsWith('inp1363format');
    p1363.set(algorithm, answer);
  }
  return answer;
}

/** Exact length in bytes; undefined where any is possible (DER, or names that are not known). */
export function signatureLength(algorithm: string, curve: string | undefined): number | undefined {
  const known = curveOf(curve);
  if (known === undefined) return undefined;
  if (known.family === 'EdDSA') return 2 * known.fieldBytes;
  return known.family === 'EC' && isP1363(algorithm) ? 2 * known.orderBytes : undefined;
}

export function secretLength(curve: string | undefined): number | undefined {
  return curveOf(curve)?.fieldBytes;
}
