// Keys: what they show, and what is left of them once they are destroyed.

import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  AsyncKeyAgreement,
  AsyncSignature,
  builtInProvider,
  ECGenParameterSpec,
  type Key,
  KeyAgreement,
  KeyDestroyedError,
  KeyFactory,
  KeyPairGenerator,
  PKCS8EncodedKeySpec,
  SecurityContext,
  Signature,
} from '../../index.ts';
import { bytes, FakePrivateKey, thrownBy } from './fakes.ts';

const context = new SecurityContext({ providers: [builtInProvider('Provium'), builtInProvider('OpenSSL')] });
const NAMES = ['Provium', 'OpenSSL'] as const;
const make = (provider: string) =>
  KeyPairGenerator.getInstance('EC', { context, provider })
    .initialize(new ECGenParameterSpec('secp256r1'))
    .generateKeyPair();

describe.each(NAMES)('A key of %s', (provider) => {
  test('shows its kind, curve and size and no secret, however it is looked at', () => {
    const { privateKey } = make(provider);
    const jwk = Buffer.from(privateKey.encoded as Uint8Array);
    const secrets = ['hex', 'base64', 'base64url', 'latin1'].map((form) =>
      jwk.subarray(36, 68).toString(form as BufferEncoding),
    );
    const deep = { showHidden: true, depth: 9, maxArrayLength: null, maxStringLength: null } as const;
    const views = [
      String(privateKey),
      `${privateKey}`,
      JSON.stringify({ privateKey }),
      inspect(privateKey),
      inspect({ nested: [privateKey] }, deep),
      Object.entries(privateKey).join(),
      Object.values(Object.getOwnPropertyDescriptors(privateKey)).map(String).join(),
    ];
    for (const view of views) {
      for (const secret of secrets) expect(view).not.toContain(secret.slice(0, 16));
      expect(view).not.toContain(Array.from(jwk.subarray(36, 44)).join(', '));
    }
    expect(JSON.parse(JSON.stringify(privateKey))).toEqual({
      kind: 'private',
      algorithm: 'EC',
      curve: 'secp256r1',
      size: 256,
    });
    expect(inspect(privateKey)).toBe('[EC private key secp256r1 (256 bits)]');
  });

  test('gives a fresh encoding each time', () => {
    const { privateKey, publicKey } = make(provider);
    for (const key of [privateKey, publicKey]) {
      const first = key.encoded as Uint8Array;
      const copy = Uint8Array.from(first);
      first.fill(0);
      expect(key.encoded).toEqual(copy);
    }
  });

  test('fails with KeyDestroyedError at every use once it is destroyed', async () => {
    const { privateKey, publicKey } = make(provider);
    const from = { context };
    const signing = Signature.getInstance('SHA256withECDSA', from).initSign(privateKey).update(bytes('m'));
    const later = await AsyncSignature.getInstance('SHA256withECDSA', from).initSign(privateKey);
    const agreement = KeyAgreement.getInstance('ECDH', from).init(privateKey).doPhase(publicKey);
    privateKey[Symbol.dispose]();
    privateKey.destroy();
    expect(privateKey.destroyed).toBe(true);
    const uses: (() => unknown)[] = [
      () => privateKey.encoded,
      () => privateKey.equals(privateKey),
      () => signing.update(bytes('m')),
      () => signing.sign(),
      () => agreement.generateSecret(),
      () => Signature.sign('SHA256withECDSA', privateKey, bytes('m'), from),
      () => Signature.getInstance('SHA256withECDSA', from).initSign(privateKey),
      () => KeyAgreement.getInstance('ECDH', from).init(privateKey),
      () => KeyFactory.getInstance('EC', from).translateKey(privateKey),
      () => KeyFactory.getInstance('EC', from).getKeySpec(privateKey, PKCS8EncodedKeySpec),
    ];
    for (const use of uses) expect(thrownBy(use), String(use)).toBeInstanceOf(KeyDestroyedError);
    await expect(later.sign()).rejects.toThrow(KeyDestroyedError);
    await expect(AsyncKeyAgreement.getInstance('ECDH', from).init(privateKey)).rejects.toThrow(KeyDestroyedError);
    expect(String(privateKey)).toBe('EC private key secp256r1 (256 bits)');
  });

  test('takes what was made of it along: explicit translations and those of the framework', () => {
    const { privateKey } = make(provider);
    const other = provider === 'Provium' ? 'OpenSSL' : 'Provium';
    const explicit = KeyFactory.getInstance('EC', { context, provider: other }).translateKey(privateKey);
    const signature = Signature.getInstance('SHA256withECDSA', { context, provider: other }).initSign(privateKey);
    expect(explicit.destroyed).toBe(false);
    privateKey.destroy();
    expect(explicit.destroyed).toBe(true);
    expect(thrownBy(() => signature.sign())).toBeInstanceOf(KeyDestroyedError);
  });
});

describe('destroy', () => {
  test('reaches every follower, also where wiping or a follower fails', () => {
    class Failing extends FakePrivateKey {
      protected override wipe(): void {
        throw new Error('cannot be wiped');
      }
    }
    const key: Key = new Failing('k');
    const reached: number[] = [];
    key.onDestroy(() => {
      reached.push(1);
      throw new Error('no matter');
    });
    key.onDestroy(() => reached.push(2));
    expect(() => key.destroy()).toThrow('cannot be wiped');
    expect(reached).toEqual([1, 2]);
    expect(key.destroyed).toBe(true);
    key.destroy();
    key.onDestroy(() => reached.push(3));
    expect(reached).toEqual([1, 2, 3]);
  });
});
