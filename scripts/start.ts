// `npm start [-- ARGUMENTS]`: builds what is not yet built and runs the command line program; without arguments its demo.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function run(...args: string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 2);
}

run(join(root, 'scripts', 'build.ts'), '--if-needed');
run(join(root, 'dist', 'cli.js'), ...process.argv.slice(2));
