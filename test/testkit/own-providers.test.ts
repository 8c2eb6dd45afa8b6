// The providers that come with the package pass the test kit.

import { describe, expect, it } from 'vitest';
import { BUILT_IN_PROVIDERS, builtInProvider } from '../../index.ts';
import { checkProvider } from '../../testkit/index.ts';

describe('The test kit', () => {
  for (const name of BUILT_IN_PROVIDERS) {
    it(`passes the provider ${name} in everything that it claims`, { timeout: 300_000 }, async () => {
      const provider = builtInProvider(name);
      const report = await checkProvider(provider);
      expect(report.rows.filter(({ status }) => status === 'failed')).toEqual([]);
      expect(report.passed).toBe(true);
      const served = new Set(report.rows.filter(({ status }) => status === 'passed').map(({ service }) => service));
      for (const { type, algorithm, mode } of provider.services) {
        expect(served).toContain(`${type}.${algorithm}${mode === 'async' ? ' async' : ''}`);
      }
    });
  }
});
