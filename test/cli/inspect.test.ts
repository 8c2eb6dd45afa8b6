import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { cli, scratchFolder } from '../helpers/cli.ts';

const { path, remove } = scratchFolder();
afterAll(remove);

function spki(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** RFC 7638, computed apart from the program. */
function thumbprint(publicKey: KeyObject): string {
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  return createHash('sha256')
    .update(JSON.stringify(y === undefined ? { crv, kty, x } : { crv, kty, x, y }))
    .digest('base64url');
}

async function inspect(content: string | Uint8Array, ...args: string[]) {
  writeFileSync(path('file'), content);
  const result = await cli(['inspect', path('file'), '--json', ...args]);
  expect(result.stderr).toBe('');
  return result.json<Record<string, unknown>>();
}

const PAIRS = [
  ['EC', 'secp256r1', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['EC', 'secp521r1', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
  ['EdDSA', 'Ed25519', generateKeyPairSync('ed25519')],
  ['EdDSA', 'Ed448', generateKeyPairSync('ed448')],
  ['XDH', 'X25519', generateKeyPairSync('x25519')],
  ['XDH', 'X448', generateKeyPairSync('x448')],
] as const;

describe('provium inspect', () => {
  it.each(PAIRS)(
    'says of both keys of a pair what they are, with the same fingerprints: %s %s',
    async (algorithm, curve, pair) => {
      const { publicKey, privateKey } = pair;
      const expected = {
        algorithm,
        curve,
        fingerprint: createHash('sha256').update(spki(publicKey)).digest('hex'),
        thumbprint: thumbprint(publicKey),
      };
      const what = { public: `${algorithm} public key`, private: `${algorithm} private key` };
      for (const content of [
        spki(publicKey),
        publicKey.export({ type: 'spki', format: 'pem' }),
        JSON.stringify(publicKey.export({ format: 'jwk' })),
      ]) {
        expect(await inspect(content)).toMatchObject({ ...expected, what: what.public });
      }
      for (const content of [
        privateKey.export({ type: 'pkcs8', format: 'der' }),
        privateKey.export({ type: 'pkcs8', format: 'pem' }),
        JSON.stringify(privateKey.export({ format: 'jwk' })),
      ]) {
        expect(await inspect(content)).toMatchObject({ ...expected, what: what.private });
      }
    },
  );

  it('knows curves that only OpenSSL has, and that they have no JWK', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'brainpoolP320r1' });
    const fingerprint = createHash('sha256').update(spki(publicKey)).digest('hex');
    const report = await inspect(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(report).toMatchObject({ curve: 'brainpoolP320r1', size: 320, fingerprint });
    expect(report).not.toHaveProperty('thumbprint');
    expect(await inspect(privateKey.export({ type: 'sec1', format: 'der' }))).toMatchObject({ fingerprint });
  });

  it('opens an encrypted key only with its passphrase', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
    const pem = privateKey.export(options);
    expect((await inspect(pem))['what']).toMatch(/^encrypted private key/);
    writeFileSync(path('passphrase'), 'secret\n');
    const opened = await inspect(pem, '--passphrase-file', path('passphrase'));
    expect(opened).toMatchObject({ curve: 'Ed25519', thumbprint: thumbprint(publicKey) });
  });

  it('takes a raw key with the curve it is told', async () => {
    const { publicKey } = generateKeyPairSync('x25519');
    const raw = spki(publicKey).subarray(-32);
    expect(await inspect(raw, '--curve', 'X25519')).toMatchObject({
      curve: 'X25519',
      thumbprint: thumbprint(publicKey),
    });
    expect((await inspect(raw))['candidates']).toContain('X25519');
  });

  it('tells signatures by their form', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const der = sign('sha256', Buffer.from('x'), privateKey);
    expect((await inspect(der))['what']).toBe('ECDSA signature in DER');
    expect(await inspect(der.toString('hex'))).toMatchObject({ what: 'ECDSA signature in DER', container: 'hex text' });
    expect(await inspect(der.toString('base64'))).toMatchObject({ container: 'base64 text' });
    const raw = sign('sha256', Buffer.from('x'), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    expect((await inspect(raw))['candidates']).toContain('Ed25519');
    const ed448 = sign(null, Buffer.from('x'), generateKeyPairSync('ed448').privateKey);
    expect((await inspect(ed448))['candidates']).toEqual(['Ed448']);
  });

  it('prints for people, for several files at once', async () => {
    const [, , { publicKey, privateKey }] = PAIRS[0];
    writeFileSync(path('a'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(path('b'), privateKey.export({ type: 'sec1', format: 'pem' }));
    const { code, text } = await cli(['inspect', path('a'), path('b')]);
    expect(code).toBe(0);
    expect(text).toContain('EC public key (PEM, SubjectPublicKeyInfo)');
    expect(text).toContain('EC private key (PEM, SEC1 ECPrivateKey)');
    expect(text.split(thumbprint(publicKey)).length).toBe(3);
  });
});
