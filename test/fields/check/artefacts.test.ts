import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { artefacts, check } from '../../../fields/generator/check/artefacts.ts';
import { checkPortable, PORTABLE } from '../../../fields/generator/check/portable.ts';

describe('every shipped module keeps its secrets and its bounds', () => {
  it.each(artefacts().map((artefact) => [artefact.title, artefact] as const))('%s', (_, artefact) => {
    expect(artefact.contracts.length).toBeGreaterThan(15);
    expect(check(artefact)).toEqual([]);
  });
});

describe('every hand-written portable module keeps its secrets', () => {
  it('is listed', () => {
    const folder = new URL('../../../fields/portable/', import.meta.url);
    expect(PORTABLE.map(({ name }) => `${name}.ts`).sort()).toEqual(readdirSync(folder).sort());
  });

  it.each(PORTABLE.map((module) => [module.name, module] as const))('%s', (_, module) => {
    expect(checkPortable(module)).toEqual([]);
  });
});
