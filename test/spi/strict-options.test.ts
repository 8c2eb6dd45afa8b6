// No option is ever ignored: what a call does not know, or cannot use at this place, it refuses.

import { describe, expect, test } from 'vitest';
import { AlgorithmParameters } from '../../spi/algorithm-parameters.ts';
import { AsyncKeyAgreement } from '../../spi/async-key-agreement.ts';
import { AsyncKeyFactory } from '../../spi/async-key-factory.ts';
import { AsyncKeyPairGenerator } from '../../spi/async-key-pair-generator.ts';
import { AsyncSignature } from '../../spi/async-signature.ts';
import { SecurityContext } from '../../spi/context.ts';
import { ConfigurationError, InvalidAlgorithmParameterError, InvalidParameterError } from '../../spi/errors.ts';
import { KeyAgreement } from '../../spi/key-agreement.ts';
import { KeyFactory } from '../../spi/key-factory.ts';
import { KeyPairGenerator } from '../../spi/key-pair-generator.ts';
import { RawKeySpec } from '../../spi/key-specs.ts';
import { MessageDigest } from '../../spi/message-digest.ts';
import { defineProvider } from '../../spi/provider.ts';
import {
  keyAgreementService,
  keyFactoryService,
  keyPairGeneratorService,
  messageDigestService,
} from '../../spi/service-helpers.ts';
import { Signature } from '../../spi/signature.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, fakeProvider, thrownBy } from './fakes.ts';

const key = new FakePrivateKey('k');
const publicKey = new FakePublicKey('k');

const others = defineProvider({
  name: 'Others',
  version: '1',
  services: [
    keyAgreementService({
      algorithm: 'ECDH',
      supportsOptions: () => true,
      newInstance: () => ({ init() {}, doPhase() {}, generateSecret: () => bytes('s'), reset() {} }),
    }),
    keyPairGeneratorService({
      algorithm: 'EC',
      supportsOptions: () => true,
      newInstance: () => ({ initialize() {}, generateKeyPair: () => ({ publicKey, privateKey: key }) }),
    }),
    messageDigestService({
      algorithm: 'SHA-256',
      newInstance: () => ({ digestLength: 1, update() {}, digest: () => bytes('d'), reset() {} }),
    }),
  ],
});
const context = new SecurityContext({ providers: [fakeProvider('A', { supportsOptions: () => true }), others] });

const factories = new SecurityContext({
  providers: [
    defineProvider({
      name: 'F',
      version: '1',
      services: [
        keyFactoryService({
          algorithm: 'EC',
          newInstance: () => ({
            generatePublic: () => publicKey,
            generatePrivate: () => key,
            getKeySpec: () => new RawKeySpec(bytes('k'), { curve: 'X' }) as never,
            translateKey: (own) => own,
          }),
        }),
      ],
    }),
  ],
});

describe('getInstance', () => {
  const facades: readonly [string, (from: never) => unknown][] = [
    ['Signature', (from) => Signature.getInstance(ALGORITHM, from)],
    ['KeyAgreement', (from) => KeyAgreement.getInstance('ECDH', from)],
    ['KeyPairGenerator', (from) => KeyPairGenerator.getInstance('EC', from)],
    ['KeyFactory', (from) => KeyFactory.getInstance('EC', from)],
    ['MessageDigest', (from) => MessageDigest.getInstance('SHA-256', from)],
    ['AlgorithmParameters', (from) => AlgorithmParameters.getInstance('EC', from)],
    ['AsyncSignature', (from) => AsyncSignature.getInstance(ALGORITHM, from)],
    ['AsyncKeyAgreement', (from) => AsyncKeyAgreement.getInstance('ECDH', from)],
    ['AsyncKeyPairGenerator', (from) => AsyncKeyPairGenerator.getInstance('EC', from)],
    ['AsyncKeyFactory', (from) => AsyncKeyFactory.getInstance('EC', from)],
  ];
  test.each(facades)('of %s refuses an unknown member and a provider of no kind', (_, getInstance) => {
    expect(() => getInstance({ context, provder: 'A' } as never)).toThrow(InvalidParameterError);
    expect(() => getInstance({ context, provder: 'A' } as never)).toThrow('provder');
    expect(() => getInstance({ context, nonce: 'random' } as never)).toThrow('nonce');
    for (const provider of ['', 3, null, {}]) {
      expect(() => getInstance({ context, provider } as never), String(provider)).toThrow(InvalidParameterError);
    }
    for (const from of [3, true, Symbol('s'), [], null, () => 'A']) {
      expect(() => getInstance(from as never)).toThrow(InvalidParameterError);
    }
  });
});

describe('An init', () => {
  const misplaced = { provider: 'A', query: 'fips=yes', context, signal: new AbortController().signal };

  test.each(Object.entries(misplaced))('refuses %s, which does not belong there', (name, value) => {
    const options = { [name]: value } as never;
    const calls = [
      () => Signature.getInstance(ALGORITHM, { context }).initSign(key, options),
      () => Signature.getInstance(ALGORITHM, { context }).initVerify(publicKey, options),
      () => KeyAgreement.getInstance('ECDH', { context }).init(key, options),
      () => KeyPairGenerator.getInstance('EC', { context }).initialize(256, options),
    ];
    for (const call of calls) {
      const error = thrownBy(call);
      expect(error).toBeInstanceOf(InvalidAlgorithmParameterError);
      expect((error as Error).message).toContain(name);
    }
  });

  test.each(['provider', 'query', 'context'] as const)('refuses %s on the asynchronous façades', async (name) => {
    const options = { [name]: misplaced[name] } as never;
    const signature = AsyncSignature.getInstance(ALGORITHM, { context });
    await expect(signature.initSign(key, options)).rejects.toThrow(InvalidAlgorithmParameterError);
    await expect(signature.initVerify(publicKey, options)).rejects.toThrow(InvalidAlgorithmParameterError);
    const agreement = AsyncKeyAgreement.getInstance('ECDH', { context });
    await expect(agreement.init(key, options)).rejects.toThrow(InvalidAlgorithmParameterError);
    const generator = AsyncKeyPairGenerator.getInstance('EC', { context });
    await expect(generator.initialize(256, options)).rejects.toThrow(InvalidAlgorithmParameterError);
    await expect(generator.generateKeyPair({ random: () => {} } as never)).rejects.toThrow('random');
    const factory = AsyncKeyFactory.getInstance('EC', { context: factories });
    await expect(factory.translateKey(publicKey, options)).rejects.toThrow(InvalidAlgorithmParameterError);
  });

  test('a synchronous one-shot takes no signal, an asynchronous one does', async () => {
    const { signal } = new AbortController();
    expect(() => Signature.sign(ALGORITHM, key, bytes('m'), { context, signal } as never)).toThrow('signal');
    await expect(AsyncSignature.sign(ALGORITHM, key, bytes('m'), { context, signal })).resolves.toBeDefined();
  });

  test('takes nothing from the prototype of its options', () => {
    const asked: object[] = [];
    const own = new SecurityContext({
      providers: [
        fakeProvider('A', {
          supportsOptions: (options) => {
            asked.push({ ...options });
            return true;
          },
        }),
      ],
    });
    const prototype = { nonce: 'random', lowS: true };
    Signature.getInstance(ALGORITHM, { context: own }).initSign(key, Object.create(prototype));
    expect(asked).toEqual([]);
    Signature.getInstance(ALGORITHM, { context: own }).initSign(
      key,
      Object.assign(Object.create(prototype), { lowS: false }),
    );
    expect(asked).toEqual([{ use: 'sign', lowS: false }]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'use'])(
    'refuses an option called %s',
    (name) => {
      const options = JSON.parse(`{ "${name}": "random" }`);
      expect(() => Signature.getInstance(ALGORITHM, { context }).initSign(key, options)).toThrow(
        InvalidAlgorithmParameterError,
      );
    },
  );
});

describe('A context', () => {
  test.each([
    [{ provider: [] }, 'provider: there is no such setting'],
    [{ random: 3 }, 'random'],
    [{ nonce: 'fixed' }, 'nonce'],
    [{ failover: 'sometimes' }, 'failover'],
    [{ engines: { prefers: [] } }, 'engines.prefers: there is no such setting'],
    [{ engines: { trusted: 'all' } }, 'engines.trusted must be a list of strings'],
    [{ engines: { deny: [3] } }, 'engines.deny must be a list of strings'],
    [{ engines: null }, 'engines must be an object'],
    [JSON.parse('{ "__proto__": {} }'), '__proto__: there is no such setting'],
    [{ constructor: 3 }, 'constructor: there is no such setting'],
    [[], 'must be an object'],
    [null, 'must be an object'],
    [3, 'must be an object'],
  ])('made of %j is refused', (options, message) => {
    const error = thrownBy(() => new SecurityContext(options as never));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain(message);
  });

  test('refuses a filter that is none', () => {
    for (const filter of [3, null, true, 'Signature', 'Signature.']) {
      expect(() => context.getProviders(filter as never), String(filter)).toThrow(InvalidParameterError);
    }
  });
});
