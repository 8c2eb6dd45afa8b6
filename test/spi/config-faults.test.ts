// Every setting of a configuration: its effect, and the error at every path.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Provider, SecurityContext, type ServiceContext, Signature } from '../../index.ts';
import { ConfigurationError } from '../../spi/errors.ts';
import { ALGORITHM, FakePrivateKey } from './fakes.ts';

const FAKES = new URL('fakes.ts', import.meta.url).href;
const INDEX = new URL('../../index.ts', import.meta.url).href;
const run = promisify(execFile);

let folder: string;
const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provium-config-faults-'));
  mkdirSync(join(folder, 'deep'));
  write(
    'fake.mjs',
    `import { fakeProvider } from ${JSON.stringify(FAKES)};\nexport default (o) => fakeProvider(o?.name ?? 'Fake');\n`,
  );
  write(
    'later.mjs',
    `import { fakeProvider } from ${JSON.stringify(FAKES)};\nexport default async () => { await null; return fakeProvider('Later'); };\n`,
  );
  write(
    'object.mjs',
    `import { fakeProvider } from ${JSON.stringify(FAKES)};\nexport const provider = fakeProvider('Object');\n`,
  );
  write(
    'class.mjs',
    `import { Provider } from ${JSON.stringify(INDEX)};\n` +
      `export default class extends Provider { constructor(o) { super({ name: o.name, version: '1', services: [] }); } }\n`,
  );
  write('throws.mjs', 'export default () => { throw null; };\n');
  write('rejects.mjs', "export default async () => { throw new Error('no token'); };\n");
  write('nothing.mjs', 'export {};\n');
  write('syntax.mjs', 'export default (;\n');
  write('candidates.mjs', "export const candidates = [{ id: 'mine' }, { id: 'yours' }];\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (configuration: object) =>
  SecurityContext.fromConfig(write(`c${Math.random()}.json`, JSON.stringify(configuration)));

describe('Every setting', () => {
  test('providers: modules from the folder of the file, by function, promise, object and class', async () => {
    const context = await load({
      providers: [
        { module: './fake.mjs', options: { name: 'Named' } },
        './later.mjs',
        './object.mjs',
        { module: './class.mjs', options: { name: 'Class' } },
        { module: pathToFileURL(join(folder, 'fake.mjs')).href },
        'OpenSSL',
        { name: 'provium' },
      ],
    });
    expect(context.getProviders().map(({ name }) => name)).toEqual([
      'Named',
      'Later',
      'Object',
      'Class',
      'Fake',
      'OpenSSL',
      'Provium',
    ]);
  });

  test('providers: none given means the built-in ones, an empty list means none', async () => {
    const names = (context: SecurityContext) => context.getProviders().map(({ name }) => name);
    expect(names(await load({}))).toEqual(['Provium', 'OpenSSL']);
    expect(names(await load({ providers: [] }))).toEqual([]);
  });

  test('preferred, defaultQuery, failover and nonce', async () => {
    const providers = ['./fake.mjs', { module: './fake.mjs', options: { name: 'B' } }];
    const context = await load({ providers, preferred: { SHA2ECDSA: 'B' }, failover: 'always', nonce: 'random' });
    const key = new FakePrivateKey('k');
    expect(Signature.getInstance(ALGORITHM, { context }).initSign(key).provider?.name).toBe('B');
    expect([context.failover, context.services.nonce]).toEqual(['always', 'random']);
    const asked = await load({ providers, defaultQuery: 'provider=B' });
    expect(Signature.getInstance(ALGORITHM, { context: asked }).initSign(key).provider?.name).toBe('B');
    expect(Signature.getInstance(ALGORITHM, { context: asked, query: '-provider' }).initSign(key).provider?.name).toBe(
      'Fake',
    );
  });

  test('engines: all of it reaches the providers', async () => {
    const engines = {
      prefer: ['wasm-simd'],
      deny: ['wasm-fma'],
      curves: { 'P-256': { base: 'comb' } },
      disable: ['wasm-simd'],
      trusted: ['mine'],
    };
    const context = await load({ providers: [], engines: { ...engines, modules: ['./candidates.mjs'] } });
    expect(context.services.engines).toEqual({ ...engines, curves: { secp256r1: { base: 'comb' } } });
    expect(context.services.candidates).toEqual([{ id: 'mine' }, { id: 'yours' }]);
  });
});

describe('Every fault', () => {
  const faults: readonly [string, object, RegExp][] = [
    ['a provider that is a number', { providers: [3] }, /providers\[0\]/],
    ['a provider without a name', { providers: [''] }, /providers\[0\]/],
    ['a provider with both name and module', { providers: [{ name: 'A', module: 'b' }] }, /providers\[0\]/],
    ['an unknown member of a provider', { providers: [{ name: 'Provium', option: 3 }] }, /providers\[0\]/],
    ['options of a built-in provider', { providers: [{ name: 'OpenSSL', options: {} }] }, /providers\[0\].*no options/],
    ['an unknown built-in provider', { providers: [{ name: 'Nobody' }] }, /providers\[0\]\.name/],
    ['a package that is not there', { providers: ['nobody-wrote-this'] }, /providers\[0\].*cannot be loaded/],
    ['a module that throws null', { providers: ['./throws.mjs'] }, /providers\[0\].*made no provider.*null/],
    ['a module that rejects', { providers: ['./rejects.mjs'] }, /providers\[0\].*no token/],
    ['a module without exports', { providers: [{ module: './nothing.mjs' }] }, /providers\[0\]\.module.*exports no/],
    ['a module that does not parse', { providers: ['./syntax.mjs'] }, /providers\[0\].*cannot be loaded/],
    [
      'options of a provider that takes none',
      { providers: [{ module: './object.mjs', options: 1 }] },
      /takes no options/,
    ],
    [
      'a provider twice',
      { providers: ['./fake.mjs', { module: './fake.mjs', options: { name: 'FAKE' } }] },
      /\[1\].*twice/,
    ],
    ['a preference without a provider', { preferred: { 'Signature.X': '' } }, /preferred\.Signature\.X/],
    ['preferences in a list', { preferred: ['A'] }, /preferred/],
    ['a query that is none', { defaultQuery: '=' }, /defaultQuery/],
    ['a constraint that is none', { disabledAlgorithms: ['EC keysize < 3'] }, /disabledAlgorithms.*keysize/],
    ['an algorithm that is a number', { disabledAlgorithms: [3] }, /disabledAlgorithms\[0\]/],
    ['disabled algorithms as text', { disabledAlgorithms: 'EC' }, /disabledAlgorithms/],
    ['a nonce mode that is none', { nonce: 'Hedged' }, /nonce/],
    ['a failover that is none', { failover: 'never' }, /failover/],
    ['engines in a list', { engines: [] }, /engines/],
    ['an unknown setting of engines', { engines: { trust: [] } }, /engines\.trust: there is no such setting/],
    ['a word that is none', { engines: { prefer: [''] } }, /engines\.prefer\[0\]/],
    ['a trusted candidate that is a number', { engines: { trusted: [3] } }, /engines\.trusted\[0\]/],
    ['a curve with a word alone', { engines: { curves: { secp256r1: 'comb' } } }, /engines\.curves\.secp256r1/],
    [
      'a curve that is none',
      { engines: { curves: { secp256: { base: 'comb' } } } },
      /engines\.curves.*no curve secp256/,
    ],
    [
      'a curve twice',
      { engines: { curves: { 'P-256': {}, secp256r1: {} } } },
      /engines\.curves.*secp256r1 comes twice/,
    ],
    ['a role that is none', { engines: { curves: { 'P-256': { bass: 'comb' } } } }, /bass: there is no such setting/],
    ['a module without candidates', { engines: { modules: ['./nothing.mjs'] } }, /engines\.modules\[0\].*no list/],
    ['a module of candidates that is not there', { engines: { modules: ['./no.mjs'] } }, /engines\.modules\[0\]/],
    ['several at once', { nonce: 3, failover: 4 }, /nonce.*; failover/],
  ];
  test.each(faults)('%s', async (_, configuration, message) => {
    const loading = load(configuration);
    await expect(loading).rejects.toThrow(ConfigurationError);
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.toThrow(/^.*\.json: /);
  });

  test.each([
    ['[]'],
    ['null'],
    ['3'],
    ['"text"'],
    ['{"__proto__":{"nonce":"random"}}'],
    ['{"constructor":1}'],
    ['{'],
    [''],
  ])('the file %s', async (text) => {
    await expect(SecurityContext.fromConfig(write('odd.json', text))).rejects.toThrow(ConfigurationError);
  });

  test.each([[null], [undefined], [3], [true], [Symbol('s')], [() => {}]])(
    '%s instead of a configuration',
    async (value) => {
      await expect(SecurityContext.fromConfig(value as never)).rejects.toThrow(ConfigurationError);
    },
  );

  test('names of the prototype in records pollute nothing and mean nothing', async () => {
    const text = '{"providers":[],"preferred":{"__proto__":"B"},"engines":{"curves":{"__proto__":{"base":"comb"}}}}';
    const context = await SecurityContext.fromConfig(write('proto.json', text)).catch((error: unknown) => error);
    if (!(context instanceof SecurityContext)) expect(context).toBeInstanceOf(ConfigurationError);
    expect(({} as Record<string, unknown>)['base']).toBeUndefined();
    if (context instanceof SecurityContext) expect(context.services.engines.curves?.['base']).toBeUndefined();
  });
});

describe('configure', () => {
  test('lets go of the providers that were there, and leaves all as it was after a fault', async () => {
    const left: ServiceContext[] = [];
    class Leaving extends Provider {
      override detach(context: ServiceContext): void {
        left.push(context);
        throw new Error('no matter');
      }
    }
    const old = new Leaving({ name: 'Old', version: '1', services: [] });
    const context = new SecurityContext({ providers: [old] });
    const { services } = context;
    await expect(context.configure({ nonce: 3 })).rejects.toThrow(ConfigurationError);
    expect(context.getProviders()).toEqual([old]);
    expect(left).toEqual([]);
    await context.configure({ providers: ['Provium'] });
    expect(left).toEqual([services]);
    expect(context.getProviders().map(({ name }) => name)).toEqual(['Provium']);
  });

  test('PROVIUM_DISABLE adds to what the configuration takes away, and gives nothing back', async () => {
    const before = process.env['PROVIUM_DISABLE'];
    try {
      process.env['PROVIUM_DISABLE'] = ' wasm-fma,, wasm-simd ';
      const context = await load({ providers: [], engines: { disable: ['wasm'] } });
      expect(context.services.engines.disable).toEqual(['wasm', 'wasm-fma', 'wasm-simd']);
      process.env['PROVIUM_DISABLE'] = '';
      expect((await load({ providers: [], engines: { disable: ['wasm'] } })).services.engines.disable).toEqual([
        'wasm',
      ]);
    } finally {
      if (before === undefined) delete process.env['PROVIUM_DISABLE'];
      else process.env['PROVIUM_DISABLE'] = before;
    }
  });
});

describe('provium/auto', () => {
  const SPI = new URL('../../dist/spi.js', import.meta.url).href;
  const program = "import { Security } from 'provium'; console.log(Security.getProviders().map((p) => p.name).join());";
  const node = (environment: Record<string, string>) =>
    run(process.execPath, ['--import', 'provium/auto', '--input-type=module', '-e', program], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env['PATH'] ?? '', ...environment },
    });

  test('fills the default context by the file before the program runs', async () => {
    write(
      'deep/app.mjs',
      `import { defineProvider } from ${JSON.stringify(SPI)};\n` +
        "export default defineProvider({ name: 'Deep', version: '1', services: [] });\n",
    );
    const file = write('deep/app.json', JSON.stringify({ providers: ['./app.mjs', 'OpenSSL'] }));
    expect((await node({ PROVIUM_CONFIG: file })).stdout.trim()).toBe('Deep,OpenSSL');
  });

  test('stops the start where there is no file or a wrong one', async () => {
    await expect(node({})).rejects.toThrow(/PROVIUM_CONFIG/);
    await expect(node({ PROVIUM_CONFIG: '' })).rejects.toThrow(/PROVIUM_CONFIG/);
    await expect(node({ PROVIUM_CONFIG: join(folder, 'absent.json') })).rejects.toThrow(/cannot be read/);
    const file = write('wrong.json', '{"provider":[]}');
    await expect(node({ PROVIUM_CONFIG: file })).rejects.toThrow(/provider: there is no such setting/);
  });
});
