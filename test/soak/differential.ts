// `npm run soak:differential [-- --seconds N]`: every operation on every curve against node:crypto, with a new seed each
// round, until the time is up. Ends with exit code 1 at the first difference; the error names the seed.

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' } } });
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error(`--seconds must be a positive number, got ${values.seconds}`);
const end = Date.now() + 1000 * seconds;

// Node strips types but not decorators, so the sources are loaded the way the tests load them.
const path = fileURLToPath(new URL('../differential/every-curve.ts', import.meta.url));
const { module } = await runnerImport<typeof import('../differential/every-curve.ts')>(path, {
  configFile: false,
  logLevel: 'error',
});
const { CURVES, operationsOf, runOperations, runSeed } = module;

const ROUND = 20;
let operations = 0;
let seed = runSeed();
process.stdout.write(`first seed ${seed}\n`);
while (Date.now() < end) {
  for (const curve of CURVES) {
    for (const operation of operationsOf(curve)) {
      runOperations(curve, operation, ROUND, seed);
      operations += ROUND;
    }
  }
  seed = (seed + 1) | 0;
  if (process.stdout.isTTY) process.stdout.write(`\r${operations} operations`);
}
process.stdout.write(`${operations} operations on ${CURVES.length} curves, no difference\n`);
