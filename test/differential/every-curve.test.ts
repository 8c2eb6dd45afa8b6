// At least 200 operations per curve and kind against node:crypto, 2,000 with PROVIUM_TEST_TIER=ci.

import { describe, it } from 'vitest';
import { notTestedHere } from '../helpers/not-tested.ts';
import { CURVES, LACKING, operationsOf, runOperations, runSeed } from './every-curve.ts';

const COUNT = process.env['PROVIUM_TEST_TIER'] === 'ci' ? 2000 : 200;
const seed = runSeed();
console.log(`differential seed: ${seed} (PROVIUM_SEED=${seed} repeats the draws)`);
for (const name of LACKING) notTestedHere(`${name} against node:crypto`);

describe.each(CURVES.map((curve) => ({ curve, name: curve.name })))('Provium and node:crypto on $name', ({ curve }) => {
  it.each(operationsOf(curve))(`agree in ${COUNT} operations of the kind %s`, { timeout: 600_000 }, (operation) => {
    runOperations(curve, operation, COUNT, seed);
  });
});
