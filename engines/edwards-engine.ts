// The parts of one Edwards curve put together: arithmetic, scalars, multipliers. Tables are public, so one per process.

import { EDWARDS_CURVES, type EdwardsCurveName, type EdwardsCurveRow } from './edwards-curves.ts';
import { ED25519_COMB_BASE64 } from './generated/ed25519-comb.generated.ts';
import { type EdwardsMultipliers, edwardsMultipliers } from './multipliers/edwards-multipliers.ts';
import type { EdwardsArithmetic } from './points/edwards.ts';
import { type EdwardsScalars, edwardsScalars } from './points/edwards-scalars.ts';
import { edwards448 } from './points/edwards448.ts';
import { edwards25519 } from './points/edwards25519.ts';

export interface EdwardsEngine {
  readonly curve: EdwardsCurveRow;
  readonly arithmetic: EdwardsArithmetic;
  readonly scalars: EdwardsScalars;
  readonly multipliers: EdwardsMultipliers;
}

const engines = new Map<EdwardsCurveName, EdwardsEngine>();

function build(name: EdwardsCurveName): EdwardsEngine {
  const curve = EDWARDS_CURVES[name];
  switch (name) {
    case 'Ed25519': {
      const arithmetic = edwards25519();
      const scalars = edwardsScalars(curve.order);
      return { curve, arithmetic, scalars, multipliers: edwardsMultipliers(arithmetic, 2, ED25519_COMB_BASE64) };
    }
    case 'Ed448': {
      const arithmetic = edwards448();
      const scalars = edwardsScalars(curve.order);
      return { curve, arithmetic, scalars, multipliers: edwardsMultipliers(arithmetic, 4) };
    }
  }
}

/** The engine of a curve, built when it is first asked for. */
export function edwardsEngine(name: EdwardsCurveName): EdwardsEngine {
  let engine = engines.get(name);
  if (engine === undefined) {
    engine = build(name);
    engines.set(name, engine);
  }
  return engine;
}
