// The program as a process of its own: real streams, real exit codes, and memory that does not grow with the input.

import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../helpers/cli.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { path, remove } = scratchFolder();
afterAll(remove);

const PROGRAM = path('cli.mjs');

beforeAll(async () => {
  await build({
    entryPoints: [join(root, 'cli', 'main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile: PROGRAM,
    tsconfig: join(root, 'tsconfig.json'),
    // package.json's sideEffects speaks of dist.
    ignoreAnnotations: true,
    // commander is CommonJS inside.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
});

function provium(args: readonly string[], options: { input?: Uint8Array; nodeArgs?: readonly string[] } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...(options.nodeArgs ?? []), PROGRAM, ...args], {
    input: options.input ?? Buffer.alloc(0),
    maxBuffer: 1 << 26,
  });
  return { status, stdout, stderr: stderr.toString() };
}

describe('the provium process', () => {
  it('generates, signs and verifies through files and pipes, with the exit codes it promises', () => {
    const made = provium(['keygen', '-a', 'EC', '-o', path('key'), '-p', path('pub')]);
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(statSync(path('key')).mode & 0o777).toBe(0o600);
    const data = Buffer.from('through a pipe');
    const signed = provium(['sign', '-k', path('key')], { input: data });
    expect(signed.status).toBe(0);
    writeFileSync(path('sig'), signed.stdout);
    const verify = ['verify', '-k', path('pub'), '-s', path('sig')];
    expect(provium(verify, { input: data }).status).toBe(0);
    expect(provium(verify, { input: Buffer.from('something else') }).status).toBe(1);
    const wrong = provium(['verify', '-k', path('nothing'), '-s', path('sig')], { input: data });
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toMatch(/^provium: [^\n]+\n$/);
  });

  it('gives all bytes of a large stdout', () => {
    const { stdout, status } = provium(['algorithms', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout.toString()).length).toBeGreaterThan(50);
  });

  it('signs and verifies a huge file in constant memory', () => {
    provium(['keygen', '-a', 'EC', '-o', path('big.key'), '-p', path('big.pub')]);
    const file = openSync(path('big'), 'w');
    ftruncateSync(file, 600_000_000);
    closeSync(file);
    const hook = path('rss.mjs');
    writeFileSync(
      hook,
      `import { writeFileSync } from 'node:fs';
       process.on('exit', () => writeFileSync(${JSON.stringify(path('rss'))}, String(process.resourceUsage().maxRSS)));`,
    );
    for (const args of [
      ['sign', '-k', path('big.key'), '-i', path('big'), '-o', path('big.sig')],
      ['verify', '-k', path('big.pub'), '-i', path('big'), '-s', path('big.sig')],
    ]) {
      expect(provium(args, { nodeArgs: ['--import', hook] })).toMatchObject({ status: 0, stderr: '' });
      expect(Number(readFileSync(path('rss'), 'utf8')) * 1024).toBeLessThan(350_000_000);
    }
  });
});
