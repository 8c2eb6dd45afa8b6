// The engines of one curve in every composition worth comparing, all from the public constructor.

import { CAPABILITIES, createEngines, type ECOperations } from '../../engines/index.ts';

export const SERVED = createEngines().curves;

export interface Variant {
  readonly name: string;
  readonly operations: ECOperations;
}

const PORTABLE = [...CAPABILITIES];

/**
 * What serves by default (kernels included, once there are any), then every field with the best portable multipliers
 * on it; where a curve has one field only, the complete formulas and the ladder stand in for the second.
 */
export function variantsOf(curve: string): Variant[] {
  const usual = createEngines();
  const fields = usual.explain(curve).field.map(({ id }) => id);
  const variants: Variant[] = [{ name: 'default', operations: usual.ecOperations(curve) }];
  const taken = usual.explain(curve);
  const kernel = taken.base.some((decision) => decision.taken && decision.kind === 'curve');
  for (const field of fields) {
    const served = taken.field.some((decision) => decision.taken && decision.id === field);
    if (served && !kernel) continue;
    const engines = createEngines({ policy: { deny: PORTABLE, curves: { [curve]: { field } } } });
    variants.push({ name: field, operations: engines.ecOperations(curve) });
  }
  if (variants.length === 1) {
    const words = { base: `${curve}/complete-comb`, point: `${curve}/ladder` };
    const engines = createEngines({ policy: { deny: PORTABLE, curves: { [curve]: words } } });
    variants.push({ name: 'complete formulas', operations: engines.ecOperations(curve) });
  }
  return variants;
}
