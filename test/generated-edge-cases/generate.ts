// Writes the edge cases: `node test/generated-edge-cases/generate.ts`. Nothing in them is random.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EdgeCase } from './cases.ts';
import { agreeCases, importCases } from './points.ts';
import { digestCases, verifyCases } from './signatures.ts';

export const FILES: Readonly<Record<string, () => Iterable<EdgeCase>>> = {
  'verify.json': verifyCases,
  'digests.json': digestCases,
  'agree.json': agreeCases,
  'import.json': importCases,
};

/** One case per line. */
export function render(cases: Iterable<EdgeCase>): string {
  return `[\n${[...cases].map((each) => JSON.stringify(each)).join(',\n')}\n]\n`;
}

export function pathOf(file: string): string {
  return fileURLToPath(new URL(`generated/${file}`, import.meta.url));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, cases] of Object.entries(FILES)) writeFileSync(pathOf(file), render(cases()));
}
