// Private keys under a passphrase: written and read at the façades, for every provider and family.

import { createPrivateKey } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AsyncKeyFactory,
  EncryptedPKCS8KeySpec,
  InvalidKeySpecError,
  InvalidParameterError,
  KeyFactory,
  KeyPairGenerator,
  PassphraseEncryption,
  PemKeySpec,
  Security,
} from '../../index.ts';

const passphrase = new TextEncoder().encode('correct horse');
/** As few iterations as are allowed: the default is tried once. */
const quick = new PassphraseEncryption(passphrase, { iterations: 100_000 });

const FAMILIES = ['EC', 'Ed25519', 'Ed448', 'X25519', 'X448'].flatMap((algorithm) =>
  Security.getProviders(`KeyPairGenerator.${algorithm}`).map(({ name }) => [algorithm, name] as const),
);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(FAMILIES)('an encrypted %s key of %s', (algorithm, provider) => {
  const { privateKey, publicKey } = KeyPairGenerator.getInstance(algorithm, provider).generateKeyPair();
  const factory = KeyFactory.getInstance(algorithm, provider);
  const sealed = factory.getKeySpec(privateKey, quick);

  it('is read back by its own factory and by that of any provider', () => {
    expect(factory.generatePrivate(sealed).equals(privateKey)).toBe(true);
    expect(KeyFactory.getInstance(algorithm).generatePrivate(sealed).equals(privateKey)).toBe(true);
    expect(factory.generatePrivate(new PemKeySpec(sealed.pem, { passphrase })).equals(privateKey)).toBe(true);
  });

  it('is read by node:crypto to the same key', () => {
    const opened = createPrivateKey({ key: sealed.pem, passphrase: Buffer.from(passphrase) });
    expect(KeyFactory.getInstance(algorithm, provider).translateKey(opened).equals(privateKey)).toBe(true);
  });

  it('is read where node:crypto wrote it', () => {
    const plain = createPrivateKey({ key: Buffer.from(privateKey.encoded ?? []), format: 'der', type: 'pkcs8' });
    const der = plain.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'correct horse' });
    expect(factory.generatePrivate(new EncryptedPKCS8KeySpec(der, { passphrase })).equals(privateKey)).toBe(true);
  });

  it('differs at every writing and does not open with another passphrase', () => {
    expect(factory.getKeySpec(privateKey, quick).encoded).not.toEqual(sealed.encoded);
    const wrong = new EncryptedPKCS8KeySpec(sealed.encoded, { passphrase: passphrase.subarray(1) });
    expect(() => factory.generatePrivate(wrong)).toThrow(InvalidKeySpecError);
  });

  it('goes through the asynchronous factory too', async () => {
    const async = AsyncKeyFactory.getInstance(algorithm, provider);
    const spec = await async.getKeySpec(privateKey, quick);
    expect((await async.generatePrivate(spec)).equals(privateKey)).toBe(true);
  });

  it('has no public counterpart', () => {
    expect(() => factory.getKeySpec(publicKey as never, quick)).toThrow(InvalidKeySpecError);
  });
});

describe('encryption under a passphrase', () => {
  const { privateKey } = KeyPairGenerator.getInstance('EC').generateKeyPair();
  const factory = KeyFactory.getInstance('EC');

  it('takes 600,000 iterations of HMAC-SHA-256 and AES-256-CBC unless told otherwise', () => {
    const hex = Buffer.from(factory.getKeySpec(privateKey, new PassphraseEncryption(passphrase)).encoded).toString(
      'hex',
    );
    expect(hex).toContain('02030927c0'); // 600000
    expect(hex).toContain('06082a864886f70d0209'); // hmacWithSHA256
    expect(hex).toContain('060960864801650304012a'); // aes256-CBC
    const other = factory.getKeySpec(privateKey, new PassphraseEncryption(passphrase, { iterations: 150_000 }));
    expect(Buffer.from(other.encoded).toString('hex')).toContain('02030249f0');
    expect(factory.generatePrivate(other).equals(privateKey)).toBe(true);
  });

  it.each([0, 1, 99_999, 10_000_001, 1.5, Number.NaN])('refuses %d iterations', (iterations) => {
    expect(() => new PassphraseEncryption(passphrase, { iterations })).toThrow(InvalidParameterError);
  });

  it('refuses an empty passphrase, a string, and the class without a passphrase', () => {
    expect(() => new PassphraseEncryption(new Uint8Array(0))).toThrow(InvalidParameterError);
    expect(() => new PassphraseEncryption('secret' as never)).toThrow(InvalidParameterError);
    expect(() => factory.getKeySpec(privateKey, EncryptedPKCS8KeySpec)).toThrow(/PassphraseEncryption/);
  });

  it('says so where there is no node:crypto', () => {
    vi.stubGlobal('process', undefined);
    expect(() => factory.getKeySpec(privateKey, quick)).toThrow(/cannot be written here: that needs node:crypto/);
  });

  it('leaves nothing of a destroyed key', () => {
    const { privateKey: gone } = KeyPairGenerator.getInstance('EC').generateKeyPair();
    gone.destroy();
    expect(() => factory.getKeySpec(gone, quick)).toThrow(/destroyed/);
  });
});
