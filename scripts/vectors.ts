// `npm run vectors [-- --json] [-- --provider NAME]`: every vector file against every provider. Exit 1 if one is wrong.

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    provider: { type: 'string', multiple: true, default: ['Provium', 'OpenSSL'] },
  },
});

// Node strips types but not decorators, so the sources are loaded the way the tests load them.
const path = fileURLToPath(new URL('../test/vectors/report.ts', import.meta.url));
const { module } = await runnerImport<typeof import('../test/vectors/report.ts')>(path, {
  configFile: false,
  logLevel: 'error',
});
process.exitCode = module.report({ json: values.json, providers: values.provider });
