// Encrypted private keys on the command line, both ways with the `openssl` tool.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { cli, scratchFolder } from '../helpers/cli.ts';
import { notTestedHere } from '../helpers/not-tested.ts';

const { path, remove } = scratchFolder();
afterAll(remove);

const present = spawnSync('openssl', ['version']).status === 0;
if (!present) notTestedHere('openssl tool (encrypted keys)');

const PASS = path('pass');
const WRONG = path('wrong');
const EMPTY = path('empty');
const DATA = path('data');
writeFileSync(PASS, 'correct horse\nonly the first line counts\n');
writeFileSync(WRONG, 'battery staple\n');
writeFileSync(EMPTY, '\n');
writeFileSync(DATA, 'some data');

async function run(...args: string[]): Promise<void> {
  const { code, stderr } = await cli(args);
  expect(stderr).toBe('');
  expect(code).toBe(0);
}

function openssl(...args: string[]): Buffer {
  return execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

describe('keygen with a passphrase file', () => {
  it('writes a key that every command reads with it, and none without or with another', async () => {
    const [key, pub, sig] = [path('key.pem'), path('pub.pem'), path('sig')];
    await run('keygen', '-a', 'EC', '--passphrase-file', PASS, '--out', key, '--public-out', pub);
    expect(readFileSync(key, 'utf8')).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    const sign = ['sign', '-a', 'SHA256withECDSA', '--key', key, '--in', DATA, '--out', sig];
    await run(...sign, '--passphrase-file', PASS);
    await run('verify', '-a', 'SHA256withECDSA', '--key', pub, '--in', DATA, '--signature', sig);
    await run('derive', '-a', 'ECDH', '--key', key, '--passphrase-file', PASS, '--peer', pub, '--out', path('secret'));
    const seen = await cli(['inspect', key, '--passphrase-file', PASS, '--json']);
    expect(seen.text).toContain('secp256r1');
    for (const extra of [[], ['--passphrase-file', WRONG]]) {
      const { code, stderr } = await cli([...sign, ...extra, '--force']);
      expect(code).toBe(2);
      expect(stderr).toMatch(/passphrase/);
    }
  });

  it('tells in JSON that the key is encrypted', async () => {
    const { json } = await cli(['keygen', '-a', 'EC', '--passphrase-file', PASS, '--out', path('json.key'), '--json']);
    expect(json<{ encrypted: boolean }>().encrypted).toBe(true);
  });

  it.each(['jwk', 'raw', 'sec1'])(
    'refuses the format %s, which has no encrypted form, and writes nothing',
    async (format) => {
      const out = path(`no-${format}`);
      const { code, stderr } = await cli(['keygen', '-a', 'EC', '-f', format, '--passphrase-file', PASS, '--out', out]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/cannot be encrypted; use pem or der/);
      expect(() => statSync(out)).toThrow();
    },
  );

  it('refuses an empty passphrase', async () => {
    const { code, stderr } = await cli(['keygen', '-a', 'EC', '--passphrase-file', EMPTY, '--out', path('none')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/passphrase is empty/);
  });
});

describe.runIf(present)('encrypted keys and the openssl tool', () => {
  it.each(['EC', 'Ed25519', 'X25519'])('open each other’s: %s', async (algorithm) => {
    const [ours, pub] = [path(`ours-${algorithm}`), path(`ours-${algorithm}.pub`)];
    await run('keygen', '-a', algorithm, '--passphrase-file', PASS, '--out', ours, '--public-out', pub);
    expect(openssl('pkey', '-in', ours, '-passin', `file:${PASS}`, '-pubout').equals(readFileSync(pub))).toBe(true);

    const theirs = path(`theirs-${algorithm}`);
    const cipher = ['-v2', 'aes-256-cbc', '-v2prf', 'hmacWithSHA512', '-iter', '5000', '-passout', `file:${PASS}`];
    const plain = path(`plain-${algorithm}`);
    writeFileSync(plain, openssl('pkey', '-in', ours, '-passin', `file:${PASS}`));
    writeFileSync(theirs, openssl('pkcs8', '-topk8', '-in', plain, ...cipher));
    const shown = await Promise.all(
      [ours, theirs].map(async (file) => {
        const { code, json } = await cli(['inspect', file, '--passphrase-file', PASS, '--json']);
        expect(code).toBe(0);
        return { ...json<Record<string, unknown>>(), file: undefined };
      }),
    );
    expect(shown[1]).toEqual(shown[0]);
  });

  it('as DER open too', async () => {
    const der = path('key.der');
    await run('keygen', '-a', 'EC', '-c', 'secp256r1', '-f', 'der', '--passphrase-file', PASS, '--out', der);
    const plain = openssl('pkcs8', '-inform', 'DER', '-in', der, '-passin', `file:${PASS}`);
    expect(plain.toString()).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });
});
