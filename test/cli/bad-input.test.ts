import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, scratchFolder } from '../helpers/cli.ts';

const { path, remove } = scratchFolder();
afterAll(remove);

const KEY = path('key.pem');
const PUB = path('pub.pem');
const DATA = path('data');
const SIG = path('sig');
const RSA = path('rsa.pem');
const EMPTY = path('empty');
const JUNK = path('junk');
const FOLDER = path('folder');
const BIG = path('big');
const CUT = path('cut.pem');
const MIXED = path('mixed.jwk');
const CERTIFICATE = path('certificate.pem');
const ENCRYPTED = path('encrypted.pem');
const WRONG = path('wrong-passphrase');

beforeAll(async () => {
  expect((await cli(['keygen', '--algorithm', 'EC', '--out', KEY, '--public-out', PUB])).code).toBe(0);
  writeFileSync(DATA, 'data');
  expect((await cli(['sign', '--key', KEY, '--in', DATA, '--out', SIG])).code).toBe(0);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
  writeFileSync(RSA, rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(EMPTY, '');
  writeFileSync(JUNK, Buffer.from([0xff, 0xfe, 0, 1, 2, 3]));
  mkdirSync(FOLDER);
  writeFileSync(BIG, Buffer.alloc(3 << 20));
  writeFileSync(CUT, '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMG\n');
  const a = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const b = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  writeFileSync(MIXED, JSON.stringify({ ...a, d: b.d }));
  writeFileSync(CERTIFICATE, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'right' } as const;
  writeFileSync(ENCRYPTED, privateKey.export(options));
  writeFileSync(WRONG, 'wrong\n');
});

/** Everything that ends with exit code 2: the arguments, and what the one line on stderr must say. */
const WRONG_CALLS: readonly (readonly [title: string, args: () => string[], says: RegExp])[] = [
  ['an unknown command', () => ['frobnicate'], /unknown command/],
  ['an unknown option', () => ['sign', '--key', KEY, '--frobnicate'], /unknown option/],
  ['an option without its value', () => ['sign', '--key'], /argument missing/],
  ['a required option left out', () => ['sign', '--in', DATA], /--key/],
  ['too many arguments', () => ['providers', 'x'], /too many arguments/],
  ['a format that does not exist', () => ['keygen', '--algorithm', 'EC', '--format', 'xml'], /Allowed choices/],
  ['a size that is no number', () => ['keygen', '--algorithm', 'EC', '--size', '256.5'], /whole number/],
  ['a size without a curve', () => ['keygen', '--algorithm', 'EC', '--size', '255'], /255/],
  ['a curve and a size', () => ['keygen', '--algorithm', 'EC', '--size', '256', '--curve', 'P-256'], /exclude/],
  ['an unknown curve', () => ['keygen', '--algorithm', 'EC', '--curve', 'secp257r1'], /secp257r1/],
  ['an unknown algorithm of keys', () => ['keygen', '--algorithm', 'RSA'], /RSA/],
  ['an unknown provider', () => ['keygen', '--algorithm', 'EC', '--provider', 'Nobody'], /Provium, OpenSSL/],
  ['a provider module that does not exist', () => ['providers', '--provider', './no.js'], /cannot load/],
  ['a configuration that does not exist', () => ['providers', '--config', path('no.json')], /no\.json/],
  ['a configuration that is not one', () => ['providers', '--config', JUNK], /junk/],
  ['a key file that does not exist', () => ['sign', '--key', path('no.pem')], /no such file/],
  ['a folder for a key', () => ['sign', '--key', FOLDER], /folder/],
  ['an empty key file', () => ['sign', '--key', EMPTY], /no key/],
  ['a key file of no known form', () => ['sign', '--key', JUNK], /no key/],
  ['a key file that is far too big', () => ['sign', '--key', BIG], /more than/],
  ['PEM that is cut off', () => ['sign', '--key', CUT], /END/],
  ['PEM without a key', () => ['sign', '--key', CERTIFICATE], /no key/],
  ['a key of another kind of algorithm', () => ['sign', '--key', RSA, '--in', DATA], /rsa\.pem/],
  ['a JWK whose parts do not belong together', () => ['sign', '--key', MIXED, '--in', DATA], /mixed\.jwk/],
  ['an encrypted key without its passphrase', () => ['sign', '--key', ENCRYPTED, '--in', DATA], /--passphrase-file/],
  [
    'an encrypted key with a wrong passphrase',
    () => ['sign', '--key', ENCRYPTED, '--in', DATA, '--passphrase-file', WRONG],
    /passphrase/,
  ],
  ['a public key for signing', () => ['sign', '--key', PUB, '--in', DATA], /holds a public key/],
  ['a private key for verifying', () => ['verify', '--key', KEY, '--in', DATA, '--signature', SIG], /private key/],
  ['data that do not exist', () => ['sign', '--key', KEY, '--in', path('no')], /no such file/],
  ['data that are a folder', () => ['sign', '--key', KEY, '--in', FOLDER], /folder/],
  [
    'an algorithm that the key does not fit',
    () => ['sign', '--algorithm', 'Ed25519', '--key', KEY, '--in', DATA],
    /key/i,
  ],
  [
    'an unknown signature algorithm',
    () => ['sign', '--algorithm', 'MD5withRSA', '--key', KEY, '--in', DATA],
    /MD5withRSA/,
  ],
  ['key and data both from stdin', () => ['sign', '--key', '-'], /stdin/],
  [
    'a signature that is not hex',
    () => ['verify', '--key', PUB, '--in', DATA, '-s', SIG, '--encoding', 'hex'],
    /not hex/,
  ],
  ['an output in a folder that does not exist', () => ['sign', '--key', KEY, '--in', DATA, '--out', path('x/y')], /y/],
  ['a context that is not hex', () => ['sign', '--key', KEY, '--in', DATA, '--context', 'zz'], /hex/],
  ['a peer that is the private key', () => ['derive', '--key', KEY, '--peer', KEY], /private key/],
  ['a secret as JSON', () => ['derive', '--key', KEY, '--peer', PUB, '--json'], /--out/],
  ['a private key and JSON on one stdout', () => ['keygen', '--algorithm', 'EC', '--json'], /--out/],
  ['the same file for both keys', () => ['keygen', '-a', 'EC', '-o', path('s'), '-p', path('s')], /same/],
  ['a key URI that nobody serves', () => ['sign', '--key', 'pkcs11:token=x', '--in', DATA], /no provider/],
  ['a service type that does not exist', () => ['algorithms', 'Cipher'], /Signature/],
  ['an algorithm to explain that nobody has', () => ['explain', 'Signature', 'MD5withRSA'], /MD5withRSA/],
  ['nothing to inspect', () => ['inspect'], /missing required argument/],
  ['a file to inspect that is neither key nor signature', () => ['inspect', JUNK], /no key and no signature/],
  ['PEM to inspect that holds no key', () => ['inspect', CERTIFICATE], /CERTIFICATE/],
];

describe('a wrong call or input ends with exit code 2 and one clear line on stderr:', () => {
  it.each(WRONG_CALLS)('%s', async (_title, args, says) => {
    const { code, stderr, text } = await cli(args());
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/^provium: [^\n]+\n$/);
    expect(stderr).not.toMatch(/unexpected failure/);
    expect(code).toBe(2);
    expect(text).toBe('');
  });

  it('leaves nothing behind when the public key cannot be written', async () => {
    const out = path('half.key');
    const { code } = await cli(['keygen', '--algorithm', 'EC', '--out', out, '--public-out', path('x/y')]);
    expect(code).toBe(2);
    expect(existsSync(out)).toBe(false);
  });

  it('names a file that it may not read', async () => {
    const locked = path('locked.pem');
    writeFileSync(locked, 'x');
    chmodSync(locked, 0);
    const { code, stderr } = await cli(['sign', '--key', locked, '--in', DATA]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/locked\.pem/);
  });
});

describe('help', () => {
  it('has the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await cli(['--version'])).toMatchObject({ code: 0, text: `${version}\n`, stderr: '' });
  });

  it.each([
    [],
    ['keygen'],
    ['sign'],
    ['verify'],
    ['derive'],
    ['inspect'],
    ['providers'],
    ['algorithms'],
    ['capabilities'],
    ['explain'],
    ['selftest'],
    ['demo'],
  ])('is printed for provium %s and is no error', async (...command) => {
    const { code, text, stderr } = await cli([...command, '--help']);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(text).toMatch(/^Usage: provium/);
    if (command.length > 0) for (const option of ['--json', '--provider', '--config']) expect(text).toContain(option);
  });
});
