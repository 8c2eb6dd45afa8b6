// Every kind of constraint at every door: façades of both kinds, one-shots, translation, import, generation.

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  AlgorithmDisabledError,
  AsyncKeyAgreement,
  AsyncKeyFactory,
  AsyncKeyPairGenerator,
  AsyncSignature,
  builtInProvider,
  builtInProviders,
  ECGenParameterSpec,
  type FromOptions,
  KeyAgreement,
  KeyFactory,
  KeyPairGenerator,
  SecurityContext,
  Signature,
  X509EncodedKeySpec,
} from '../../index.ts';
import { bytes } from './fakes.ts';

// The same objects in every context: keys of another provider would have to be imported first.
const providers = builtInProviders();
const free = new SecurityContext({ providers });
const pair = (curve: string) =>
  KeyPairGenerator.getInstance('EC', { context: free }).initialize(new ECGenParameterSpec(curve)).generateKeyPair();
const P256 = pair('secp256r1');
const P384 = pair('secp384r1');
const message = bytes('m');
const signature = (keys: typeof P256) => Signature.sign('SHA256withECDSA', keys.privateKey, message, { context: free });
const signatures = new Map([P256, P384].map((keys) => [keys, signature(keys)]));
const encoded = (keys: typeof P256) => new X509EncodedKeySpec(keys.publicKey.encoded as Uint8Array);
const platform = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

type Door = (from: FromOptions, keys: typeof P256) => unknown;
const DOORS: Readonly<Record<string, Door>> = {
  'sign: Signature': (from, { privateKey }) => Signature.getInstance('SHA256withECDSA', from).initSign(privateKey),
  'sign: one-shot': (from, { privateKey }) => Signature.sign('SHA256withECDSA', privateKey, message, { ...from }),
  'sign: AsyncSignature': (from, { privateKey }) =>
    AsyncSignature.getInstance('SHA256withECDSA', from).initSign(privateKey),
  'sign: asynchronous one-shot': (from, { privateKey }) =>
    AsyncSignature.sign('SHA256withECDSA', privateKey, message, { ...from }),
  'verify: Signature': (from, { publicKey }) => Signature.getInstance('SHA256withECDSA', from).initVerify(publicKey),
  'verify: one-shot': (from, keys) =>
    Signature.verify('SHA256withECDSA', keys.publicKey, message, signatures.get(keys) as Uint8Array, { ...from }),
  'verify: AsyncSignature': (from, { publicKey }) =>
    AsyncSignature.getInstance('SHA256withECDSA', from).initVerify(publicKey),
  'verify: asynchronous one-shot': (from, keys) =>
    AsyncSignature.verify('SHA256withECDSA', keys.publicKey, message, signatures.get(keys) as Uint8Array, { ...from }),
  'agree: KeyAgreement': (from, { privateKey }) => KeyAgreement.getInstance('ECDH', from).init(privateKey),
  'agree: AsyncKeyAgreement': (from, { privateKey }) => AsyncKeyAgreement.getInstance('ECDH', from).init(privateKey),
  'generate: KeyPairGenerator': (from, { publicKey }) =>
    KeyPairGenerator.getInstance('EC', from).initialize(new ECGenParameterSpec(publicKey.curve ?? '')),
  'generate: by size': (from, { publicKey }) =>
    KeyPairGenerator.getInstance('EC', from)
      .initialize(publicKey.size as number)
      .generateKeyPair(),
  'generate: AsyncKeyPairGenerator': (from, { publicKey }) =>
    AsyncKeyPairGenerator.getInstance('EC', from).initialize(new ECGenParameterSpec(publicKey.curve ?? '')),
  'import: KeyFactory': (from, keys) => KeyFactory.getInstance('EC', from).generatePublic(encoded(keys)),
  'import: AsyncKeyFactory': (from, keys) => AsyncKeyFactory.getInstance('EC', from).generatePublic(encoded(keys)),
  'import: translateKey': (from, { privateKey }) => KeyFactory.getInstance('EC', from).translateKey(privateKey),
  'import: asynchronous translateKey': (from, { publicKey }) =>
    AsyncKeyFactory.getInstance('EC', from).translateKey(publicKey),
};

async function isForbidden(door: Door, from: FromOptions, keys: typeof P256): Promise<boolean> {
  try {
    await door(from, keys);
    return false;
  } catch (error) {
    if (error instanceof AlgorithmDisabledError) return true;
    throw error;
  }
}

const POLICIES: readonly [entry: string, forbids: (use: string, keys: typeof P256) => boolean][] = [
  ['EC keySize < 384', (_, keys) => keys === P256],
  ['EC keySize >= 384', (_, keys) => keys === P384],
  ['EC keySize == 256', (_, keys) => keys === P256],
  ['EC keySize != 256', (_, keys) => keys === P384],
  ['EC curve P-256', (_, keys) => keys === P256],
  ['EC curve 1.3.132.0.34', (_, keys) => keys === P384],
  ['secp256r1', (_, keys) => keys === P256],
  ['EC usage sign', (use) => use === 'sign'],
  ['EC usage verify', (use) => use === 'verify'],
  ['EC usage agree', (use) => use === 'agree'],
  ['EC usage generate', (use) => use === 'generate'],
  ['EC usage import', (use) => use === 'import'],
  ['EC usage sign & curve P-384', (use, keys) => use === 'sign' && keys === P384],
  ['ECDSA', (use) => use === 'sign' || use === 'verify'],
  ['SHA256', (use) => use === 'sign' || use === 'verify'],
  ['ECDH', (use) => use === 'agree'],
  ['Signature.EC', (use) => use === 'sign' || use === 'verify'],
  ['KeyPairGenerator.EC', (use) => use === 'generate'],
  ['EC', () => true],
  ['EC denyAfter 2020-01-01', () => true],
  ['EC denyAfter 2999-01-01', () => false],
  ['EC denyAfter 2020-01-01 & denyAfter 2999-01-01', () => false],
  ['EC usage sign & denyAfter 2020-01-01', (use) => use === 'sign'],
];

describe('disabledAlgorithms', () => {
  test.each(POLICIES)('%s, at every door, whoever is asked for', async (entry, forbids) => {
    const context = new SecurityContext({ providers, disabledAlgorithms: [entry] });
    // A provider as an object is bound by the policy too.
    const froms = [{ context }, { context, provider: 'Provium' }, { context, provider: providers[0] as never }];
    for (const [name, door] of Object.entries(DOORS)) {
      for (const keys of [P256, P384]) {
        const expected = forbids(name.split(':')[0] as string, keys);
        for (const from of froms) {
          expect(await isForbidden(door, from, keys), `${name} with ${keys.publicKey.curve}`).toBe(expected);
        }
      }
    }
  });

  test('a peer on a forbidden curve is refused, as is a KeyObject', () => {
    const context = new SecurityContext({ providers: builtInProviders(), disabledAlgorithms: ['EC curve P-256'] });
    expect(() => Signature.getInstance('SHA256withECDSA', { context }).initSign(platform.privateKey)).toThrow(
      AlgorithmDisabledError,
    );
    const agreement = KeyAgreement.getInstance('ECDH', { context }).init(P384.privateKey);
    expect(() => agreement.doPhase(P256.publicKey)).toThrow();
    expect(() => agreement.doPhase(platform.publicKey)).toThrow();
  });

  test('import alone forbids to bring a key of another provider to an operation', () => {
    const context = new SecurityContext({
      providers: [builtInProvider('OpenSSL')],
      disabledAlgorithms: ['EC usage import'],
    });
    expect(() => Signature.sign('SHA256withECDSA', P256.privateKey, message, { context })).toThrow(
      AlgorithmDisabledError,
    );
  });
});
