// The composition root: what an application gets by importing `provium`, and what a configured start does.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  builtInProvider,
  builtInProviders,
  ConfigurationError,
  ECGenParameterSpec,
  InvalidParameterError,
  KeyPairGenerator,
  NoSuchProviderError,
  preload,
  Security,
  SecurityContext,
  Signature,
} from '../index.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'provium-index-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the default context', () => {
  it('has Provium, then OpenSSL, and serves at once', () => {
    expect(Security.getProviders().map(({ name }) => name)).toEqual(['Provium', 'OpenSSL']);
    const { publicKey, privateKey } = KeyPairGenerator.getInstance('EC').generateKeyPair();
    const message = new TextEncoder().encode('hello');
    const signature = Signature.sign('SHA256withECDSA', privateKey, message);
    expect(Signature.verify('SHA256withECDSA', publicKey, message, signature)).toBe(true);
  });

  it('leaves to OpenSSL what only that has', () => {
    const generator = KeyPairGenerator.getInstance('EC').initialize(new ECGenParameterSpec('secp192r1'));
    const { publicKey, privateKey } = generator.generateKeyPair();
    expect(generator.provider?.name).toBe('OpenSSL');
    const message = new Uint8Array(3);
    const signature = Signature.sign('SHA256withECDSAinP1363Format', privateKey, message);
    expect(signature.length).toBe(48);
    expect(Signature.verify('SHA256withECDSAinP1363Format', publicKey, message, signature)).toBe(true);
  });

  it('prepares curves by any of their names and refuses what is none', async () => {
    await preload('secp256r1', 'P-256', 'X25519');
    await expect(preload('no curve')).rejects.toThrow(InvalidParameterError);
  });
});

describe('built-in providers', () => {
  it('are fresh objects for contexts of their own', () => {
    const context = new SecurityContext({ providers: [builtInProvider('OpenSSL')] });
    expect(context.getProviders().map(({ name }) => name)).toEqual(['OpenSSL']);
    expect(builtInProvider('Provium')).not.toBe(builtInProvider('Provium'));
    expect(builtInProviders().map(({ name }) => name)).toEqual(['Provium', 'OpenSSL']);
    expect(() => builtInProvider('Absent' as 'OpenSSL')).toThrow(NoSuchProviderError);
  });

  it('are known to a configuration by name in any case, in its order', async () => {
    const context = await SecurityContext.fromConfig({ providers: ['openssl', 'PROVIUM'] });
    expect(context.getProviders().map(({ name }) => name)).toEqual(['OpenSSL', 'Provium']);
    await expect(
      SecurityContext.fromConfig({ providers: [{ name: 'OpenSSL', options: { fast: true } }] }),
    ).rejects.toThrow(ConfigurationError);
    await expect(SecurityContext.fromConfig({ providers: ['Nobody'] })).rejects.toThrow(ConfigurationError);
  });
});

describe('provium/auto', () => {
  const app = join(folder, 'app.mjs');

  beforeAll(async () => {
    // The application shares the classes with provium/auto, as it does by the package's one chunk.
    await build({
      entryPoints: [join(root, 'auto.ts'), join(root, 'index.ts')],
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      tsconfig: join(root, 'tsconfig.json'),
      // package.json's sideEffects speaks of dist.
      ignoreAnnotations: true,
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'error',
    });
    const index = JSON.stringify(pathToFileURL(join(folder, 'index.mjs')).href);
    writeFileSync(
      app,
      `import { Security } from ${index}; console.log(Security.getProviders().map(({ name }) => name).join());`,
    );
  });

  function start(env: Readonly<Record<string, string>>) {
    const auto = pathToFileURL(join(folder, 'auto.mjs')).href;
    const { PROVIUM_CONFIG: _, ...inherited } = process.env;
    const result = spawnSync(process.execPath, ['--import', auto, app], { env: { ...inherited, ...env } });
    return { status: result.status, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
  }

  it('configures the default context by exactly the file that PROVIUM_CONFIG names', () => {
    const file = join(folder, 'provium.json');
    writeFileSync(file, JSON.stringify({ providers: ['OpenSSL', 'Provium'] }));
    expect(start({ PROVIUM_CONFIG: file })).toEqual({ status: 0, stdout: 'OpenSSL,Provium\n', stderr: '' });
  });

  it.each([
    ['no file is named', {}, /PROVIUM_CONFIG/],
    ['the file does not exist', { PROVIUM_CONFIG: '/nowhere/provium.json' }, /nowhere/],
  ])('stops the application when %s', (_title, env, says) => {
    const { status, stdout, stderr } = start(env);
    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(says);
  });

  it('stops the application when the file has a setting that does not exist', () => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify({ provider: ['OpenSSL'] }));
    const { status, stdout, stderr } = start({ PROVIUM_CONFIG: file });
    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/provider/);
  });
});
