// npm run generate: writes every file of fields/generated from the rows of fields/primes.ts.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRIMES } from '../primes.ts';
import { generateTs } from './ts-module.ts';
import { generateWasm } from './wasm-module.ts';

/** Name and text of every generated file. */
export function generateAll(): Map<string, string> {
  const files = new Map<string, string>();
  for (const row of PRIMES) {
    files.set(`${row.name}.generated.ts`, generateTs(row));
    for (const backend of ['fma', 'simd', 'i64'] as const) {
      if (row.backends[backend] !== undefined) {
        files.set(`${row.name}-${backend}.generated.ts`, generateWasm(row, backend));
      }
    }
  }
  return files;
}

export const GENERATED_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', 'generated');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(GENERATED_FOLDER, { recursive: true });
  const files = generateAll();
  for (const name of readdirSync(GENERATED_FOLDER)) {
    if (name.endsWith('.generated.ts') && !files.has(name)) rmSync(join(GENERATED_FOLDER, name));
  }
  for (const [name, text] of files) writeFileSync(join(GENERATED_FOLDER, name), text);
}
