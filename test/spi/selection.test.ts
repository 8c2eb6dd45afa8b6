import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecurityContext } from '../../spi/context.ts';
import {
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidParameterError,
  NoSuchAlgorithmError,
  ProviderError,
  ProviumError,
  SignatureError,
} from '../../spi/errors.ts';
import { KeyPairGenerator } from '../../spi/key-pair-generator.ts';
import { defineProvider } from '../../spi/provider.ts';
import { keyPairGeneratorService, signatureService } from '../../spi/service-helpers.ts';
import { Signature } from '../../spi/signature.ts';
import {
  ALGORITHM,
  bytes,
  FakePrivateKey,
  FakePublicKey,
  FakeSignature,
  fakeProvider,
  string,
  thrownBy,
} from './fakes.ts';

type Behaviour =
  | 'ok'
  | 'unsupported'
  | 'throws'
  | 'invalid-key'
  | 'no-options'
  | 'junk-answer'
  | 'odd-throw'
  | 'promise';
const behaviours: readonly Behaviour[] = [
  'ok',
  'unsupported',
  'throws',
  'invalid-key',
  'no-options',
  'junk-answer',
  'odd-throw',
  'promise',
];

function behave(name: string, behaviour: Behaviour) {
  switch (behaviour) {
    case 'ok':
      return fakeProvider(name);
    case 'unsupported':
      return fakeProvider(name, { supportsKey: () => 'not this kind' });
    case 'junk-answer':
      return fakeProvider(name, { supportsKey: () => 1 as never });
    case 'no-options':
      return fakeProvider(name, { supportsOptions: () => 'no options' });
    case 'promise':
      return fakeProvider(name, { newInstance: () => promising(name) });
    default:
      return fakeProvider(name, {
        init: () => {
          if (behaviour === 'throws') throw new TypeError('broken');
          if (behaviour === 'odd-throw') throw undefined;
          throw new InvalidKeyError('not this key');
        },
      });
  }
}

/** Gives a promise where nothing should be given. */
function promising(name: string): FakeSignature {
  return Object.assign(new FakeSignature(name), { initSign: () => Promise.reject(new Error('later')) });
}

const CLASSES: Readonly<Record<Behaviour, unknown>> = {
  ok: undefined,
  unsupported: InvalidKeyError,
  'junk-answer': InvalidKeyError,
  'no-options': InvalidAlgorithmParameterError,
  throws: ProviderError,
  'odd-throw': ProviderError,
  promise: ProviderError,
  'invalid-key': InvalidKeyError,
};
const SKIPS = new Set<Behaviour>(['unsupported', 'junk-answer', 'no-options']);

describe('Selection', () => {
  test('binds the first that takes, as explain says, and one error lists all where none does', () => {
    const key = new FakePrivateKey('k');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...behaviours), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (list, withOptions) => {
          const providers = list.map((behaviour, i) => behave(`P${i}`, behaviour));
          const context = new SecurityContext({ providers });
          const takes = (behaviour: Behaviour) => behaviour === 'ok' || (behaviour === 'no-options' && !withOptions);
          const expected = list.findIndex(takes);
          const options = withOptions ? { lowS: true } : undefined;
          const explanation = context.explain('Signature', ALGORITHM, key, options);
          expect(explanation.candidates.map(({ taken }) => taken)).toEqual(list.map(takes));
          const signature = Signature.getInstance(ALGORITHM, { context });
          if (expected >= 0) {
            expect(signature.initSign(key, options).provider?.name).toBe(`P${expected}`);
            expect(explanation.chosen).toBe(`P${expected}`);
            return;
          }
          const error = thrownBy(() => signature.initSign(key, options));
          expect(error).toBeInstanceOf(ProviumError);
          expect((error as ProviumError).errors.map(({ provider }) => provider)).toEqual(list.map((_, i) => `P${i}`));
          const byOptions = list.every((each) => SKIPS.has(each)) && list.includes('no-options');
          expect(error).toBeInstanceOf(byOptions ? InvalidAlgorithmParameterError : CLASSES[list[0] as Behaviour]);
          expect(explanation.chosen).toBeUndefined();
          expect(signature.provider).toBeUndefined();
        },
      ),
    );
  });

  test('getInstance asks nobody, and each init selects afresh over the candidates of that moment', () => {
    const asked: string[] = [];
    const only = (name: string, label: string) =>
      fakeProvider(name, {
        init: (key) => {
          asked.push(name);
          if ((key as FakePrivateKey).label !== label) throw new InvalidKeyError('another key');
        },
      });
    const context = new SecurityContext({ providers: [only('A', 'a'), only('B', 'b')] });
    const signature = Signature.getInstance(ALGORITHM, { context });
    expect(asked).toEqual([]);
    expect(signature.provider).toBeUndefined();
    expect(signature.initSign(new FakePrivateKey('b')).provider?.name).toBe('B');
    expect(() => signature.initSign(new FakePrivateKey('c'))).toThrow(InvalidKeyError);
    expect(signature.provider).toBeUndefined();
    context.removeProvider('A');
    expect(signature.initSign(new FakePrivateKey('a')).provider?.name).toBe('A');
  });

  test('a query filters and ranks, a preference comes before the order, a named provider is exactly that one', () => {
    const context = new SecurityContext({ providers: ['A', 'B', 'C'].map((name) => fakeProvider(name)) });
    const chosen = (query?: string, provider?: string) =>
      Signature.getInstance(ALGORITHM, { context, query, provider }).initSign(new FakePrivateKey('k')).provider?.name;
    expect(chosen('provider=B')).toBe('B');
    expect(chosen('?provider=c')).toBe('C');
    expect(chosen('provider!=A')).toBe('B');
    expect(() => chosen('provider=Z')).toThrow(NoSuchAlgorithmError);
    context.setPreferred({ SHA2ECDSA: 'C' });
    expect(chosen()).toBe('C');
    expect(chosen('?provider=B')).toBe('B');
    context.setDefaultQuery('provider=A');
    expect(chosen()).toBe('A');
    expect(chosen('-provider')).toBe('C');
    expect(chosen(undefined, 'B')).toBe('B');
  });

  test('a name that only asynchronous providers serve is refused with the façade to use', () => {
    const later = signatureService({ algorithm: ALGORITHM, mode: 'async', sign: async () => bytes('x') });
    const context = new SecurityContext({
      providers: [defineProvider({ name: 'L', version: '1', services: [later] })],
    });
    expect(() => Signature.getInstance(ALGORITHM, { context })).toThrow(/AsyncSignature/);
    expect(() => Signature.getInstance('SHA256withECDSAx', { context })).toThrow(/Did you mean SHA256withECDSA\?/);
    expect(() => Signature.getInstance(ALGORITHM, { context: new SecurityContext() })).toThrow(/import "provium"/);
  });

  test('one-shots go on after a failure, and verify never after false', () => {
    const make = (name: string, answer: () => unknown) =>
      defineProvider({
        name,
        version: '1',
        services: [signatureService({ algorithm: ALGORITHM, sign: answer as never, verify: answer as never })],
      });
    const key = new FakePrivateKey('k');
    const peer = new FakePublicKey('k');
    const fails = make('F', () => {
      throw new Error('offline');
    });
    const good = make('G', () => bytes('signature'));
    const signing = new SecurityContext({ providers: [fails, make('J', () => 'junk'), good] });
    expect(string(Signature.sign(ALGORITHM, key, bytes('m'), { context: signing }))).toBe('signature');
    const verify = (...answers: (() => unknown)[]) =>
      Signature.verify(ALGORITHM, peer, bytes('m'), bytes('s'), {
        context: new SecurityContext({ providers: answers.map((answer, i) => make(`P${i}`, answer)) }),
      });
    expect(
      verify(
        () => false,
        () => true,
      ),
    ).toBe(false);
    expect(
      verify(
        () => 1,
        () => false,
        () => true,
      ),
    ).toBe(false);
    expect(
      verify(
        () => 'true',
        () => true,
      ),
    ).toBe(true);
    expect(
      verify(
        () => {
          throw new SignatureError('malformed');
        },
        () => true,
      ),
    ).toBe(false);
    expect(() =>
      verify(
        () => ({}),
        () => Promise.reject(new Error('x')),
      ),
    ).toThrow(ProviderError);
  });

  test('key generation goes on where a size is not supported, and fails closed at a failure at run time', () => {
    const make = (name: string, error: Error | undefined) =>
      defineProvider({
        name,
        version: '1',
        services: [
          keyPairGeneratorService({
            algorithm: 'EC',
            newInstance: () => ({
              initialize: () => {
                if (error !== undefined) throw error;
              },
              generateKeyPair: () => ({ publicKey: new FakePublicKey(name), privateKey: new FakePrivateKey(name) }),
            }),
          }),
        ],
      });
    const unsupported = make('U', new InvalidParameterError('no such size'));
    const offline = make('O', new Error('offline'));
    const good = make('G', undefined);
    const generate = (failover: 'always' | 'unsupported', ...providers: (typeof good)[]) =>
      KeyPairGenerator.getInstance('EC', { context: new SecurityContext({ providers, failover }) })
        .initialize(256)
        .generateKeyPair().privateKey as FakePrivateKey;
    expect(generate('unsupported', unsupported, good).label).toBe('G');
    expect(() => generate('unsupported', offline, good)).toThrow(ProviderError);
    expect(generate('always', offline, good).label).toBe('G');
  });

  test('a random source that gives only zeros is a ProviderError', () => {
    const { random } = new SecurityContext({ random: () => {} }).services;
    expect(() => random(new Uint8Array(16).fill(7))).toThrow(ProviderError);
    expect(() => random(new Uint8Array(4))).not.toThrow();
    const own = new Uint8Array(32);
    new SecurityContext().services.random(own);
    expect(own.some((byte) => byte !== 0)).toBe(true);
  });

  test('options that are unknown or malformed are refused before anybody is asked', () => {
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    const signature = Signature.getInstance(ALGORITHM, { context });
    for (const options of [
      { nonces: 'random' },
      { nonce: 'none' },
      { lowS: 1 },
      { random: 3 },
      { parameters: {} },
      { criteria: 'strict' },
    ]) {
      expect(() => signature.initSign(new FakePrivateKey('k'), options as never)).toThrow(
        InvalidAlgorithmParameterError,
      );
      expect(signature.provider).toBeUndefined();
    }
  });
});
