// What must not reach a signature or another context.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  AlgorithmDisabledError,
  builtInProviders,
  type SecurityContext as Context,
  defineProvider,
  ECGenParameterSpec,
  KeyFactory,
  KeyPairGenerator,
  MessageDigest,
  messageDigestService,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  SecurityContext,
  Signature,
} from '../../index.ts';
import { createProviumProvider } from '../../providers/provium/provider.ts';
import { bytes, FakePrivateKey, fakeProvider, string } from './fakes.ts';

const message = bytes('message');
const deterministic = { nonce: 'deterministic' } as const;
const scalar = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
const HASHES = ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHAKE256'];

/** Every digest is zeros, and counts how often it was asked. */
function zeroDigests() {
  const asked: string[] = [];
  const provider = defineProvider({
    name: 'Zeros',
    version: '1',
    services: HASHES.map((algorithm) =>
      messageDigestService({
        algorithm,
        newInstance: () => ({
          digestLength: 32,
          update() {},
          digest() {
            asked.push(algorithm);
            return new Uint8Array(32);
          },
          reset() {},
        }),
      }),
    ),
  });
  return { provider, asked };
}

const signatureIn = (context: Context): string => {
  const key = KeyFactory.getInstance('EC', { context }).generatePrivate(new RawKeySpec(scalar, { curve: 'P-256' }));
  const signature = Signature.sign('SHA256withECDSA', key, message, { context, ...deterministic });
  return Buffer.from(signature).toString('hex');
};

describe('A foreign digest', () => {
  test('serves applications, and is never asked inside of signatures, nonces and key generation', () => {
    const { provider, asked } = zeroDigests();
    const plain = signatureIn(new SecurityContext({ providers: builtInProviders() }));
    const context = new SecurityContext({ providers: [provider, ...builtInProviders()] });
    expect(signatureIn(context)).toBe(plain);
    for (const curve of ['P-256', 'P-521']) {
      const generator = KeyPairGenerator.getInstance('EC', { context }).initialize(new ECGenParameterSpec(curve));
      const { privateKey, publicKey } = generator.generateKeyPair();
      for (const nonce of ['hedged', 'deterministic', 'random'] as const) {
        const signature = Signature.sign('SHA512withECDSA', privateKey, message, { context, nonce });
        expect(Signature.verify('SHA512withECDSA', publicKey, message, signature, { context })).toBe(true);
      }
    }
    expect(asked).toEqual([]);
    expect(MessageDigest.digest('SHA-256', message, { context })).toEqual(new Uint8Array(32));
    expect(asked).toEqual(['SHA-256']);
    context.removeProvider('Zeros');
    expect(Buffer.from(MessageDigest.digest('SHA-256', message, { context }))).toEqual(
      createHash('sha256').update(message).digest(),
    );
  });
});

describe('Two contexts', () => {
  test('share no provider list, preference, policy, query or default', () => {
    const a = new SecurityContext({
      providers: [fakeProvider('A'), fakeProvider('B')],
      preferred: { SHA256withECDSA: 'B' },
      disabledAlgorithms: ['SHA1'],
      nonce: 'random',
      failover: 'always',
      random: (buffer) => void buffer.fill(1),
    });
    const b = new SecurityContext({ providers: [fakeProvider('A'), fakeProvider('B')] });
    const key = new FakePrivateKey('k');
    const served = (context: Context) =>
      Signature.getInstance('SHA256withECDSA', { context }).initSign(key).provider?.name;
    expect([served(a), served(b)]).toEqual(['B', 'A']);
    a.setDefaultQuery('provider=A');
    expect([served(a), served(b)]).toEqual(['A', 'A']);
    b.removeProvider('A');
    expect([served(a), served(b)]).toEqual(['A', 'B']);
    expect([b.services.nonce, b.failover, b.services.customRandom]).toEqual(['hedged', 'unsupported', false]);
    expect(() => Signature.getInstance('SHA1withECDSA', { context: a })).toThrow(AlgorithmDisabledError);
  });

  test('of one provider object translate for themselves, each by its own policy', () => {
    const provider = createProviumProvider();
    const free = new SecurityContext({ providers: [provider] });
    const strict = new SecurityContext({ providers: [provider], disabledAlgorithms: ['EC usage import'] });
    const other = new SecurityContext({ providers: builtInProviders() });
    const key = KeyFactory.getInstance('EC', { context: other, provider: 'OpenSSL' }).generatePrivate(
      new PKCS8EncodedKeySpec(
        KeyFactory.getInstance('EC', { context: other }).generatePrivate(new RawKeySpec(scalar, { curve: 'P-256' }))
          .encoded as Uint8Array,
      ),
    );
    const sign = (context: Context) => Signature.sign('SHA256withECDSA', key, message, { context });
    expect(sign(free).length).toBeGreaterThan(60);
    expect(() => sign(strict)).toThrow(AlgorithmDisabledError);
    expect(sign(free).length).toBeGreaterThan(60);
    key.destroy();
    expect(() => sign(free)).toThrow('destroyed');
  });

  test('an object keeps the list of its getInstance, whatever happens to the context', async () => {
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    const key = new FakePrivateKey('k');
    const signature = Signature.getInstance('SHA256withECDSA', { context });
    context.removeProvider('A');
    context.addProvider(fakeProvider('B'));
    expect(string(signature.initSign(key).update(message).sign())).toBe('A/k/message');
    await context.configure({ providers: [] });
    expect(string(signature.initSign(key).update(message).sign())).toBe('A/k/message');
  });
});
