// `npm run bench -- NAME [--json]`: runs test/bench/NAME.ts, which exports `run(json)`.

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url);
const [name = '', ...options] = process.argv.slice(2);
const file = new URL(`${name}.ts`, folder);

if (!/^[a-z]+$/.test(name) || name === 'main' || !existsSync(file)) {
  const names = readdirSync(fileURLToPath(folder))
    .filter((entry) => /^[a-z]+\.ts$/.test(entry) && entry !== 'main.ts')
    .map((entry) => entry.slice(0, -3));
  process.stderr.write(`usage: npm run bench -- ${names.join('|')} [--json]\n`);
  process.exitCode = 2;
} else {
  const module = (await import(file.href)) as { run?(json: boolean): Promise<void> | void };
  await module.run?.(options.includes('--json'));
}
