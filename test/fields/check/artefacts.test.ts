import { describe, expect, it } from 'vitest';
import { artefacts, check } from '../../../fields/generator/check/artefacts.ts';

describe('every shipped module keeps its secrets and its bounds', () => {
  it.each(artefacts().map((artefact) => [artefact.title, artefact] as const))('%s', (_, artefact) => {
    expect(artefact.contracts.length).toBeGreaterThan(15);
    expect(check(artefact)).toEqual([]);
  });
});
