// Files go both ways between this program and the `openssl` tool.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { cli, scratchFolder } from '../helpers/cli.ts';
import { notTestedHere } from '../helpers/not-tested.ts';

const { path, remove } = scratchFolder();
afterAll(remove);

const present = spawnSync('openssl', ['version']).status === 0;
if (!present) notTestedHere('openssl tool');

function openssl(...args: string[]): Buffer {
  return execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The tool's exit code says whether the signature is right. */
function opensslVerifies(...args: string[]): boolean {
  return spawnSync('openssl', args, { stdio: 'ignore' }).status === 0;
}

async function run(...args: string[]): Promise<void> {
  const { code, stderr } = await cli(args);
  expect(stderr).toBe('');
  expect(code).toBe(0);
}

const DATA = path('data');
writeFileSync(DATA, Buffer.alloc(100_000, 'provium'));

/** Names of the curve for us and for the tool; the hash for both. */
const CURVES = [
  ['secp256r1', 'prime256v1', 'SHA256withECDSA', 'sha256'],
  ['secp384r1', 'secp384r1', 'SHA3-384withECDSA', 'sha3-384'],
  ['secp521r1', 'secp521r1', 'SHA512withECDSA', 'sha512'],
  ['secp256k1', 'secp256k1', 'SHA256withECDSA', 'sha256'],
  ['brainpoolP384r1', 'brainpoolP384r1', 'SHA384withECDSA', 'sha384'],
] as const;

const EDWARDS = ['Ed25519', 'Ed448'] as const;
const MONTGOMERY = ['X25519', 'X448'] as const;

describe.runIf(present)('provium and the openssl tool', () => {
  it.each(CURVES)('read each other’s keys and signatures on %s', async (curve, name, algorithm, hash) => {
    const [key, pub, sig] = [path('our.key'), path('our.pub'), path('our.sig')];
    await run('keygen', '--algorithm', 'EC', '--curve', curve, '--out', key, '--public-out', pub, '--force');
    await run('sign', '--algorithm', algorithm, '--key', key, '--in', DATA, '--out', sig);
    expect(openssl('dgst', `-${hash}`, '-verify', pub, '-signature', sig, DATA).toString()).toMatch(/Verified OK/);
    expect(openssl('ec', '-in', key, '-pubout').equals(readFileSync(pub))).toBe(true);

    const [theirKey, theirPub, theirSig] = [path('their.key'), path('their.pub'), path('their.sig')];
    writeFileSync(theirKey, openssl('ecparam', '-name', name, '-genkey', '-noout'));
    writeFileSync(theirPub, openssl('ec', '-in', theirKey, '-pubout'));
    writeFileSync(theirSig, openssl('dgst', `-${hash}`, '-sign', theirKey, DATA));
    await run('verify', '--algorithm', algorithm, '--key', theirPub, '--in', DATA, '--signature', theirSig);
    await run('sign', '--algorithm', algorithm, '--key', theirKey, '--in', DATA, '--out', path('mixed.sig'));
    expect(opensslVerifies('dgst', `-${hash}`, '-verify', theirPub, '-signature', path('mixed.sig'), DATA)).toBe(true);
    expect(opensslVerifies('dgst', `-${hash}`, '-verify', pub, '-signature', path('mixed.sig'), DATA)).toBe(false);
  });

  it.each(EDWARDS)('read each other’s keys and signatures: %s', async (name) => {
    const [key, pub, sig] = [path('ed.key'), path('ed.pub'), path('ed.sig')];
    await run('keygen', '--algorithm', name, '--out', key, '--public-out', pub, '--force');
    await run('sign', '--key', key, '--in', DATA, '--out', sig);
    const verify = ['pkeyutl', '-verify', '-pubin', '-inkey', pub, '-rawin', '-in', DATA, '-sigfile', sig];
    expect(opensslVerifies(...verify)).toBe(true);
    // EdDSA is deterministic: the tool signs the same.
    expect(openssl('pkeyutl', '-sign', '-inkey', key, '-rawin', '-in', DATA).equals(readFileSync(sig))).toBe(true);
    writeFileSync(path('their.ed'), openssl('genpkey', '-algorithm', name));
    writeFileSync(path('their.edpub'), openssl('pkey', '-in', path('their.ed'), '-pubout'));
    writeFileSync(sig, openssl('pkeyutl', '-sign', '-inkey', path('their.ed'), '-rawin', '-in', DATA));
    await run('verify', '--key', path('their.edpub'), '--in', DATA, '--signature', sig);
  });

  it.each([
    ...CURVES.map(([curve, name]) => [curve, name] as const),
    ...MONTGOMERY.map((name) => [name, name] as const),
  ])('agree on the same secret: %s', async (curve, name) => {
    const [key, pub] = [path('dh.key'), path('dh.pub')];
    const isEc = !curve.startsWith('X');
    const algorithm = isEc ? ['EC', '--curve', curve] : [curve];
    await run('keygen', '--algorithm', ...algorithm, '--out', key, '--public-out', pub, '--force');
    const generate = isEc ? ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${name}`] : ['-algorithm', name];
    writeFileSync(path('dh.their'), openssl('genpkey', ...generate));
    writeFileSync(path('dh.theirpub'), openssl('pkey', '-in', path('dh.their'), '-pubout'));
    await run('derive', '--key', key, '--peer', path('dh.theirpub'), '--out', path('secret'));
    const theirs = openssl('pkeyutl', '-derive', '-inkey', path('dh.their'), '-peerkey', pub);
    expect(readFileSync(path('secret')).equals(theirs)).toBe(true);
  });

  it('reads keys that the tool encrypted', async () => {
    openssl(
      'genpkey',
      '-algorithm',
      'EC',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-aes256',
      '-pass',
      'pass:secret',
      '-out',
      path('e.pem'),
    );
    writeFileSync(path('passphrase'), 'secret\n');
    const pub = openssl('pkey', '-in', path('e.pem'), '-passin', 'pass:secret', '-pubout');
    writeFileSync(path('e.pub'), pub);
    await run(
      'sign',
      '--key',
      path('e.pem'),
      '--passphrase-file',
      path('passphrase'),
      '--in',
      DATA,
      '--out',
      path('e.sig'),
    );
    expect(opensslVerifies('dgst', '-sha256', '-verify', path('e.pub'), '-signature', path('e.sig'), DATA)).toBe(true);
  });
});
