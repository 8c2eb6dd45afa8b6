import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SecurityContext, setBuiltInProviders } from '../../spi/context.ts';
import { AlgorithmDisabledError, ConfigurationError } from '../../spi/errors.ts';
import { Signature } from '../../spi/signature.ts';
import { ALGORITHM, FakePrivateKey, fakeProvider } from './fakes.ts';

const FAKES = new URL('fakes.ts', import.meta.url).href;

describe('Configuration', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'provium-config-'));
    writeFileSync(
      join(folder, 'module.mjs'),
      `import { fakeProvider } from ${JSON.stringify(FAKES)};\nexport default ({ name }) => fakeProvider(name);\n`,
    );
    writeFileSync(join(folder, 'none.mjs'), 'export default 3;\n');
    setBuiltInProviders((name) => (name === 'A' || name === 'B' ? fakeProvider(name) : undefined));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('an object fills a context', async () => {
    const context = await SecurityContext.fromConfig({
      providers: ['A', { name: 'B' }],
      preferred: { 'Signature.SHA256withECDSA': 'B' },
      disabledAlgorithms: ['SHA1'],
      nonce: 'deterministic',
      failover: 'always',
    });
    expect(context.getProviders().map(({ name }) => name)).toEqual(['A', 'B']);
    expect(context.services.nonce).toBe('deterministic');
    expect(context.failover).toBe('always');
    const signature = Signature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
    expect(signature.provider?.name).toBe('B');
    expect(() => Signature.getInstance('SHA1withECDSA', { context })).toThrow(AlgorithmDisabledError);
  });

  test('every fault is a ConfigurationError with its path', async () => {
    const faults: readonly [object, RegExp][] = [
      [{ provider: [] }, /provider: there is no such setting/],
      [{ providers: 'A' }, /providers/],
      [{ providers: [1] }, /providers\[0\]/],
      [{ providers: ['A', 'a'] }, /providers\[1\].*twice|providers\[1\].*cannot be loaded/],
      [{ providers: [{ name: 'Z' }] }, /providers\[0\]\.name/],
      [{ providers: ['A', './absent.mjs'] }, /providers\[1\].*cannot be loaded/],
      [{ preferred: { 'Signature.X': 3 } }, /preferred\.Signature\.X/],
      [{ defaultQuery: 'a,,b' }, /defaultQuery/],
      [{ disabledAlgorithms: ['SHA1 never'] }, /disabledAlgorithms.*never/],
      [{ engines: { prefers: [] } }, /engines\.prefers/],
      [{ nonce: 'fixed' }, /nonce/],
      [{ failover: true }, /failover/],
    ];
    for (const [configuration, message] of faults) {
      const loading = SecurityContext.fromConfig(configuration);
      await expect(loading, JSON.stringify(configuration)).rejects.toThrow(ConfigurationError);
      await expect(loading).rejects.toThrow(message);
    }
  });

  test('a fault leaves a configured context as it was', async () => {
    const context = new SecurityContext({ providers: [fakeProvider('C')] });
    await expect(context.configure({ providers: ['A'], nonce: 'x' })).rejects.toThrow(ConfigurationError);
    expect(context.getProvider('C')?.name).toBe('C');
    await context.configure({ providers: ['A'] });
    expect(context.getProviders().map(({ name }) => name)).toEqual(['A']);
  });

  test('a file is read by path or URL, and must be there and be JSON', async () => {
    const file = join(folder, 'provium.json');
    writeFileSync(file, JSON.stringify({ providers: ['B'], nonce: 'random' }));
    for (const source of [file, pathToFileURL(file)]) {
      const context = await SecurityContext.fromConfig(source);
      expect(context.getProviders().map(({ name }) => name)).toEqual(['B']);
    }
    writeFileSync(join(folder, 'bad.json'), '{');
    await expect(SecurityContext.fromConfig(join(folder, 'bad.json'))).rejects.toThrow(/is not JSON/);
    await expect(SecurityContext.fromConfig(join(folder, 'absent.json'))).rejects.toThrow(/cannot be read/);
  });

  test('a module that exports no provider is refused', async () => {
    const file = join(folder, 'none.json');
    writeFileSync(file, JSON.stringify({ providers: [{ module: './none.mjs' }] }));
    await expect(SecurityContext.fromConfig(file)).rejects.toThrow(/providers\[0\]\.module: .*exports no provider/);
  });
});
