import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { cli, scratchFolder } from '../helpers/cli.ts';

const { path, remove } = scratchFolder();
afterAll(remove);

interface Row {
  readonly group: string;
  readonly name: string;
  readonly candidate: string;
  readonly unit: string;
  readonly median: number;
  readonly outcome: string;
  readonly detail: string | null;
}

describe('provium providers and algorithms', () => {
  it('list the built-in providers in their order', async () => {
    const { code, text } = await cli(['providers']);
    expect(code).toBe(0);
    expect(text).toMatch(/^1 {2}Provium .*\n2 {2}OpenSSL /);
    const rows = (await cli(['providers', '--json'])).json<{ name: string; services: number }[]>();
    expect(rows.map(({ name }) => name)).toEqual(['Provium', 'OpenSSL']);
    expect(rows.every(({ services }) => services > 0)).toBe(true);
  });

  it('list an algorithm once, with everyone who serves it', async () => {
    const rows = (await cli(['algorithms', 'signature', '--json'])).json<
      { type: string; algorithm: string; aliases: string[]; providers: { name: string }[] }[]
    >();
    const row = rows.find(({ algorithm }) => algorithm === 'SHA256withECDSA');
    expect(row?.providers.map(({ name }) => name)).toEqual(['Provium', 'OpenSSL']);
    expect(row?.aliases).toContain('1.2.840.10045.4.3.2');
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['Signature']));
    const own = (await cli(['algorithms', '--provider', 'OpenSSL'])).text;
    expect(own).toContain('X448');
    expect(own).not.toContain('Provium');
  });

  it('are configured by a file', async () => {
    writeFileSync(path('config.json'), JSON.stringify({ providers: ['OpenSSL'] }));
    const rows = (await cli(['providers', '--json', '--config', path('config.json')])).json<{ name: string }[]>();
    expect(rows.map(({ name }) => name)).toEqual(['OpenSSL']);
    const made = await cli(['keygen', '-a', 'EC', '-o', path('k'), '--json', '--config', path('config.json')]);
    expect(made.json()).toMatchObject({ provider: 'OpenSSL' });
  });
});

describe('provium capabilities and explain', () => {
  it('say what the machine can do', async () => {
    const report = (await cli(['capabilities', '--json'])).json<{
      capabilities: Record<string, { present: boolean }>;
      engines: { provider: string; curve: string }[];
    }>();
    expect(Object.keys(report.capabilities)).toEqual(['wasm', 'wasm-simd', 'wasm-fma', 'threads']);
    expect(report.engines).toContainEqual(expect.objectContaining({ provider: 'Provium', curve: 'secp256r1' }));
    const { text, code } = await cli(['capabilities']);
    expect(code).toBe(0);
    expect(text).toMatch(/wasm-simd +(yes|no)/);
  });

  it('show what PROVIUM_DISABLE takes away', async () => {
    vi.stubEnv('PROVIUM_DISABLE', 'wasm-simd');
    writeFileSync(path('own.json'), JSON.stringify({ providers: ['Provium'] }));
    const { text } = await cli(['capabilities', '--config', path('own.json')]);
    vi.unstubAllEnvs();
    expect(text).toMatch(/wasm-simd +no +disabled by PROVIUM_DISABLE/);
  });

  it('explain who is taken, who is not, and why', async () => {
    expect((await cli(['keygen', '-a', 'EC', '-c', 'secp192r1', '-o', path('p192')])).code).toBe(0);
    const explain = ['explain', 'signature', 'SHA256withECDSA', '--key', path('p192')];
    const explanation = (await cli([...explain, '--json'])).json<{
      chosen: string;
      candidates: { provider: string; taken: boolean; reason: string }[];
    }>();
    expect(explanation.chosen).toBe('OpenSSL');
    const skipped = explanation.candidates.find(({ provider }) => provider === 'Provium');
    expect(skipped).toMatchObject({ taken: false });
    expect(skipped?.reason).toMatch(/secp192r1|curve/);
    const { text } = await cli(explain);
    expect(text).toMatch(/Provium: skipped/);
    expect(text).toMatch(/OpenSSL: taken/);
  });
});

describe('provium selftest', () => {
  it('passes for the built-in providers and reports in the common form', async () => {
    const { code, ...result } = await cli(['selftest', '--json']);
    const report = result.json<{ schema: number; machine: object; rows: Row[] }>();
    expect(report.rows.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(code).toBe(0);
    expect(report.schema).toBe(1);
    expect(new Set(report.rows.map(({ candidate }) => candidate))).toEqual(new Set(['Provium', 'OpenSSL']));
    const known = report.rows.filter(({ name, outcome }) => name.endsWith('known answer') && outcome === 'passed');
    expect(known.map(({ name }) => name)).toContain('X25519: known answer');
    expect(known.length).toBeGreaterThan(20);
    for (const row of report.rows) expect(row.unit).toBe('ms');
  });

  it('fails with exit code 1 for a provider that is wrong', async () => {
    // Its digest is a constant, and its verification says yes to everything.
    const spi = new URL('../../spi/index.ts', import.meta.url).href;
    writeFileSync(
      path('liar.ts'),
      `import { defineProvider, messageDigestService } from '${spi}';
       export default defineProvider({
         name: 'Liar', version: '1', info: '',
         services: [messageDigestService({
           algorithm: 'SHA-256',
           newInstance: () => ({ digestLength: 32, update() {}, digest: () => new Uint8Array(32), reset() {} }),
         })],
       });`,
    );
    const { code, text } = await cli(['selftest', '--provider', path('liar.ts')]);
    expect(code).toBe(1);
    expect(text).toMatch(/failed +Liar +SHA-256: known answer/);
  });
});

describe('without a command', () => {
  it('signs the README and has two providers verify it', async () => {
    const { code, text, stderr } = await cli([]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(text).toMatch(/Provium verified the signature: valid/);
    expect(text).toMatch(/OpenSSL verified the signature: valid/);
    const key = /^ {2}(\S+key\.pem)$/m.exec(text)?.[1] ?? '';
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(key, 'utf8')).toContain('BEGIN PRIVATE KEY');
  });

  it('signs the file that is the only argument', async () => {
    writeFileSync(path('letter.txt'), 'a letter');
    const { code, text } = await cli([path('letter.txt')]);
    expect(code).toBe(0);
    const signature = /^ {2}(\S+letter\.txt\.sig)$/m.exec(text)?.[1] ?? '';
    const pub = /^ {2}(\S+pub\.pem)$/m.exec(text)?.[1] ?? '';
    const verify = [
      'verify',
      '-a',
      'SHA256withECDSA',
      '--key',
      pub,
      '--in',
      path('letter.txt'),
      '--signature',
      signature,
    ];
    expect((await cli(verify)).code).toBe(0);
  });
});
