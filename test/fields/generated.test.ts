import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GENERATED_FOLDER, generateAll } from '../../fields/generator/generate.ts';

it('regenerates every file byte for byte, in less than 20 seconds', { timeout: 20_000 }, () => {
  const files = generateAll();
  const present = readdirSync(GENERATED_FOLDER).filter((name) => name.endsWith('.generated.ts'));
  expect(present.sort()).toEqual([...files.keys()].sort());
  const stale = [...files].filter(([name, text]) => readFileSync(join(GENERATED_FOLDER, name), 'utf8') !== text);
  expect(stale.map(([name]) => name)).toEqual([]);
});
