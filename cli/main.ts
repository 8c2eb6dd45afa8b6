#!/usr/bin/env node
// The entry of the command line program.

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

// A reader that has seen enough (`provium algorithms | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  packageFolder: dirname(dirname(fileURLToPath(import.meta.url))),
});
