// Once per run: a file that the test workers append to, printed as the closing line.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOT_TESTED_FILE } from './not-tested.ts';

export function closingLine(notes: string): string | undefined {
  const names = [...new Set(notes.split('\n').filter((name) => name !== ''))].sort();
  return names.length === 0 ? undefined : `not tested here: ${names.join(', ')}`;
}

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'provium-not-tested-'));
  const file = join(folder, 'names');
  writeFileSync(file, '');
  process.env[NOT_TESTED_FILE] = file;
  return () => {
    const line = closingLine(readFileSync(file, 'utf8'));
    rmSync(folder, { recursive: true });
    if (line !== undefined) console.log(line);
  };
}
