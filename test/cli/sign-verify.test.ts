import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, scratchFolder } from '../helpers/cli.ts';

const { path, remove } = scratchFolder();
afterAll(remove);

async function keygen(name: string, ...args: string[]): Promise<{ key: string; pub: string }> {
  const key = path(`${name}.key`);
  const pub = path(`${name}.pub`);
  const result = await cli(['keygen', ...args, '--out', key, '--public-out', pub]);
  expect(result.stderr).toBe('');
  expect(result.code).toBe(0);
  return { key, pub };
}

const DATA = path('data');

beforeAll(() => writeFileSync(DATA, Buffer.alloc(3_000_000, 'provium')));

const ALGORITHMS: readonly (readonly [name: string, keygen: readonly string[], algorithm: string])[] = [
  ['p256', ['--algorithm', 'EC', '--curve', 'secp256r1'], 'SHA256withECDSA'],
  ['p256-raw', ['--algorithm', 'EC', '--curve', 'P-256', '--format', 'der'], 'SHA256withECDSAinP1363Format'],
  ['p384', ['--algorithm', 'ec', '--size', '384', '--format', 'jwk'], 'SHA3-384withECDSA'],
  ['k256', ['--algorithm', 'EC', '--curve', '1.3.132.0.10', '--format', 'sec1'], 'SHA512withECDSA'],
  ['p192', ['--algorithm', 'EC', '--curve', 'prime192v1'], 'SHA1withECDSA'],
  ['ed25519', ['--algorithm', 'Ed25519'], 'Ed25519'],
  ['ed448', ['--algorithm', 'EdDSA', '--curve', 'Ed448', '--format', 'jwk'], 'EdDSA'],
];

describe('provium sign and verify', () => {
  it.each(ALGORITHMS)('sign a file and verify it: %s', async (name, args, algorithm) => {
    const { key, pub } = await keygen(name, ...args);
    const out = path(`${name}.sig`);
    const signed = await cli(['sign', '--algorithm', algorithm, '--key', key, '--in', DATA, '--out', out]);
    expect(signed).toMatchObject({ code: 0, stderr: '', text: '' });
    const verify = ['verify', '--algorithm', algorithm, '--key', pub, '--in', DATA, '--signature', out];
    expect(await cli(verify)).toMatchObject({ code: 0, stderr: '', text: 'The signature is valid.\n' });
    const other = path('other');
    writeFileSync(other, 'something else');
    const wrong = await cli(verify.map((arg) => (arg === DATA ? other : arg)));
    expect(wrong).toMatchObject({ code: 1, stderr: '', text: 'The signature is NOT valid.\n' });
  });

  it('read stdin and write stdout', async () => {
    const { key, pub } = await keygen('stdin', '--algorithm', 'EC');
    const data = Buffer.from('from a pipe');
    const signed = await cli(['sign', '--key', key], { stdin: data });
    expect(signed.code).toBe(0);
    expect(signed.stdout[0]).toBe(0x30);
    writeFileSync(path('stdin.sig'), signed.stdout);
    expect((await cli(['verify', '--key', pub, '--signature', path('stdin.sig')], { stdin: data })).code).toBe(0);
    writeFileSync(path('piped'), data);
    const bySignature = ['verify', '--key', pub, '--in', path('piped'), '--signature', '-'];
    expect((await cli(bySignature, { stdin: signed.stdout })).code).toBe(0);
    const byKey = ['verify', '--key', '-', '--in', path('piped'), '--signature', path('stdin.sig')];
    expect((await cli(byKey, { stdin: readFileSync(pub) })).code).toBe(0);
  });

  it('write base64 on a terminal, and hex or base64 where that is asked for', async () => {
    const { key, pub } = await keygen('encodings', '--algorithm', 'Ed25519');
    const onTerminal = await cli(['sign', '--key', key], { stdin: Buffer.from('x'), tty: true });
    expect(onTerminal.text).toMatch(/^[A-Za-z0-9+/]{86}==\n$/);
    for (const encoding of ['hex', 'base64']) {
      const signed = await cli(['sign', '--key', key, '--encoding', encoding], { stdin: Buffer.from('x') });
      writeFileSync(path('encoded.sig'), signed.stdout);
      const verify = ['verify', '--key', pub, '--signature', path('encoded.sig'), '--encoding', encoding];
      expect((await cli(verify, { stdin: Buffer.from('x') })).code).toBe(0);
      expect((await cli(verify.slice(0, -2), { stdin: Buffer.from('x') })).code).toBe(1);
    }
  });

  it('print JSON', async () => {
    const { key, pub } = await keygen('json', '--algorithm', 'EC');
    const signed = (await cli(['sign', '--key', key, '--in', DATA, '--json'])).json<Record<string, unknown>>();
    expect(signed).toMatchObject({ algorithm: 'SHA256withECDSA', provider: 'Provium' });
    writeFileSync(path('json.sig'), Buffer.from(String(signed['signature']), 'hex'));
    const verified = await cli(['verify', '--key', pub, '--in', DATA, '--signature', path('json.sig'), '--json']);
    expect(verified.json()).toEqual({ valid: true, algorithm: 'SHA256withECDSA', provider: 'Provium' });
  });

  it('use exactly the provider asked for', async () => {
    const { key, pub } = await keygen('provider', '--algorithm', 'EC');
    for (const provider of ['Provium', 'OpenSSL', 'openssl']) {
      const args = ['--key', key, '--in', DATA, '--json', '--provider', provider];
      const signed = (await cli(['sign', ...args])).json<{ provider: string; signature: string }>();
      expect(signed.provider.toLowerCase()).toBe(provider.toLowerCase());
      writeFileSync(path('provider.sig'), Buffer.from(signed.signature, 'hex'));
      const verify = ['verify', '--key', pub, '--in', DATA, '--signature', path('provider.sig')];
      expect((await cli([...verify, '--provider', 'Provium'])).code).toBe(0);
      expect((await cli([...verify, '--provider', 'OpenSSL'])).code).toBe(0);
    }
  });

  it('honour the options of signatures, or say who cannot', async () => {
    const { key } = await keygen('options', '--algorithm', 'EC');
    const sign = ['sign', '--key', key, '--in', DATA, '--nonce', 'deterministic', '--encoding', 'hex'];
    const [a, b] = [await cli(sign), await cli(sign)];
    expect(a.code).toBe(0);
    expect(a.text).toBe(b.text);
    const refused = await cli([...sign, '--provider', 'OpenSSL']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/deterministic/);
    expect((await cli(['sign', '--key', key, '--in', DATA, '--low-s'])).code).toBe(0);
  });

  it('refuse to write a signature over a private key', async () => {
    const { key, pub } = await keygen('overwrite', '--algorithm', 'EC');
    const before = readFileSync(key);
    const refused = await cli(['sign', '--key', key, '--in', DATA, '--out', key]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/private key/);
    expect(readFileSync(key).equals(before)).toBe(true);
    expect((await cli(['sign', '--key', key, '--in', DATA, '--out', pub])).code).toBe(0);
  });
});

describe('provium keygen', () => {
  it('writes the private key with mode 0600, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      const { key } = await keygen('mode', '--algorithm', 'X25519');
      expect(statSync(key).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(umask);
    }
  });

  it('never overwrites a private key without --force, and then still with mode 0600', async () => {
    const { key } = await keygen('force', '--algorithm', 'EC');
    const before = readFileSync(key);
    const again = ['keygen', '--algorithm', 'EC', '--out', key, '--public-out', path('force2.pub')];
    const refused = await cli(again);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^provium: .*--force.*\n$/);
    expect(readFileSync(key).equals(before)).toBe(true);
    expect(existsSync(path('force2.pub'))).toBe(false);
    chmodSync(key, 0o644);
    expect((await cli([...again, '--force'])).code).toBe(0);
    expect(readFileSync(key).equals(before)).toBe(false);
    expect(statSync(key).mode & 0o777).toBe(0o600);
  });

  it('keeps mode 0600 through links', async () => {
    const target = path('target.key');
    writeFileSync(target, 'x', { mode: 0o644 });
    symlinkSync(target, path('link.key'));
    symlinkSync(path('nothing'), path('dangling.key'));
    for (const name of ['link.key', 'dangling.key']) {
      const args = ['keygen', '--algorithm', 'EC', '--out', path(name)];
      if (name === 'link.key') expect((await cli(args)).code).toBe(2);
      expect((await cli([...args, '--force'])).code).toBe(0);
      expect(statSync(path(name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(path(name), 'utf8')).toContain('PRIVATE KEY');
    }
    expect(readFileSync(target, 'utf8')).toContain('PRIVATE KEY');
  });

  it('writes no public key over a private one', async () => {
    const { key } = await keygen('victim', '--algorithm', 'EC');
    const refused = await cli(['keygen', '--algorithm', 'EC', '--out', path('new.key'), '--public-out', key]);
    expect(refused.code).toBe(2);
    expect(existsSync(path('new.key'))).toBe(false);
  });

  it('writes the private key to stdout as PEM where there is no file', async () => {
    const result = await cli(['keygen', '--algorithm', 'EC']);
    expect(result.text).toMatch(/^-----BEGIN PRIVATE KEY-----\n[\s\S]+-----END PRIVATE KEY-----\n$/);
  });

  it('tells in JSON what it made, and never the secret', async () => {
    const args = ['keygen', '--algorithm', 'EC', '--out', path('j.key'), '--public-out', path('j.pub'), '--json'];
    const result = await cli(args);
    expect(result.json()).toMatchObject({ algorithm: 'EC', curve: 'secp256r1', size: 256, privateKey: path('j.key') });
    expect(result.text).not.toContain('PRIVATE KEY-----');
  });

  it.each([
    ['raw', 'Ed25519', 32],
    ['raw', 'X448', 56],
    ['raw', 'EC', 32],
  ])('writes %s keys of %s', async (format, algorithm, length) => {
    const { key, pub } = await keygen(`raw-${algorithm}`, '--algorithm', algorithm, '--format', format);
    expect(statSync(key).size).toBe(length);
    expect(statSync(pub).size).toBe(algorithm === 'EC' ? 65 : length);
  });
});

describe('provium derive', () => {
  it.each([
    ['ECDH', ['--algorithm', 'EC'], 32],
    ['ECDH', ['--algorithm', 'EC', '--curve', 'secp521r1'], 66],
    ['X25519', ['--algorithm', 'X25519'], 32],
    ['XDH', ['--algorithm', 'X448'], 56],
  ])('gives both sides the same secret: %s with %j', async (algorithm, args, length) => {
    const a = await keygen(`a-${args.join('')}`, ...args);
    const b = await keygen(`b-${args.join('')}`, ...args);
    const derive = (key: string, peer: string, out: string) =>
      cli(['derive', '--algorithm', algorithm, '--key', key, '--peer', peer, '--out', out]);
    expect((await derive(a.key, b.pub, path('1'))).code).toBe(0);
    expect((await derive(b.key, a.pub, path('2'))).code).toBe(0);
    expect(readFileSync(path('1')).equals(readFileSync(path('2')))).toBe(true);
    expect(statSync(path('1')).size).toBe(length);
    expect(statSync(path('1')).mode & 0o777).toBe(0o600);
    const implied = await cli(['derive', '--key', a.key, '--peer', b.pub]);
    expect(implied.stdout.equals(readFileSync(path('1')))).toBe(true);
  });

  it('refuses a peer that is on another curve', async () => {
    const a = await keygen('curve-a', '--algorithm', 'EC');
    const b = await keygen('curve-b', '--algorithm', 'EC', '--curve', 'secp384r1');
    const refused = await cli(['derive', '--key', a.key, '--peer', b.pub]);
    expect(refused.code).toBe(2);
    expect(refused.text).toBe('');
    expect(refused.stderr).toMatch(/^provium: [^\n]+\n$/);
  });
});
