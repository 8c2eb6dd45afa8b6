// Any order of calls gives what a model of a few lines gives: awaited one by one, and all at once for the asynchronous
// façades, whose calls are queued.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlgorithmParameters } from '../../spi/algorithm-parameters.ts';
import { AsyncKeyAgreement } from '../../spi/async-key-agreement.ts';
import { AsyncKeyFactory } from '../../spi/async-key-factory.ts';
import { AsyncKeyPairGenerator } from '../../spi/async-key-pair-generator.ts';
import { AsyncSignature } from '../../spi/async-signature.ts';
import { SecurityContext } from '../../spi/context.ts';
import { InvalidAlgorithmParameterError, InvalidKeyError, InvalidKeySpecError } from '../../spi/errors.ts';
import { KeyAgreement } from '../../spi/key-agreement.ts';
import { KeyFactory } from '../../spi/key-factory.ts';
import { KeyPairGenerator } from '../../spi/key-pair-generator.ts';
import { ECGenParameterSpec, RawKeySpec } from '../../spi/key-specs.ts';
import type { Key } from '../../spi/keys.ts';
import { MessageDigest } from '../../spi/message-digest.ts';
import { defineProvider } from '../../spi/provider.ts';
import {
  algorithmParametersService,
  keyAgreementService,
  keyFactoryService,
  keyPairGeneratorService,
  messageDigestService,
  signatureService,
} from '../../spi/service-helpers.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, labelOf, string } from './fakes.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Labels with an exclamation mark make the provider fail. */
function refuse(label: string, error: Error): void {
  if (label.includes('!')) throw error;
}

function agreementSpi() {
  let own = '';
  let secret: string | undefined;
  return {
    init(key: Key) {
      refuse(labelOf(key), new InvalidKeyError('bad key'));
      own = labelOf(key);
      secret = undefined;
    },
    doPhase(peer: Key) {
      refuse(labelOf(peer), new InvalidKeyError('bad peer'));
      secret = `${own}+${labelOf(peer)}`;
    },
    generateSecret() {
      const result = secret ?? 'none';
      secret = undefined;
      refuse(result.replace('?', '!'), new Error('failed'));
      return bytes(result);
    },
    reset() {
      secret = undefined;
    },
  };
}

function generatorSpi() {
  let size: unknown = 'default';
  return {
    initialize(parameters: unknown) {
      if (parameters === 13) throw new InvalidAlgorithmParameterError('bad size');
      size = parameters ?? 'default';
    },
    generateKeyPair() {
      if (size === 14) throw new Error('failed');
      return { publicKey: new FakePublicKey(String(size)), privateKey: new FakePrivateKey(String(size)) };
    },
  };
}

const provider = defineProvider({
  name: 'P',
  version: '1',
  services: [
    keyAgreementService({ algorithm: 'ECDH', newInstance: agreementSpi }),
    keyAgreementService({
      algorithm: 'Later',
      mode: 'async',
      newInstance() {
        const spi = agreementSpi();
        return {
          init: async (key) => turn().then(() => spi.init(key)),
          doPhase: async (key) => turn().then(() => spi.doPhase(key)),
          generateSecret: async () => turn().then(() => spi.generateSecret()),
          reset: () => spi.reset(),
        };
      },
    }),
    keyPairGeneratorService({ algorithm: 'EC', newInstance: generatorSpi }),
    keyPairGeneratorService({
      algorithm: 'Later',
      mode: 'async',
      newInstance() {
        const spi = generatorSpi();
        return {
          initialize: async (parameters) => turn().then(() => spi.initialize(parameters)),
          generateKeyPair: async () => turn().then(() => spi.generateKeyPair()),
        };
      },
    }),
    signatureService({
      algorithm: ALGORITHM,
      mode: 'async',
      async newInstance() {
        await turn();
        let label = '';
        let parts: string[] = [];
        return {
          async initSign(key) {
            await turn();
            refuse(labelOf(key), new InvalidKeyError('bad key'));
            label = labelOf(key);
          },
          async initVerify(key) {
            refuse(labelOf(key), new InvalidKeyError('bad key'));
            label = labelOf(key);
          },
          update(data) {
            parts.push(string(data));
          },
          async sign() {
            const message = parts.join('');
            await turn();
            parts = [];
            refuse(message, new Error('failed'));
            return bytes(`${label}/${message}`);
          },
          async verify(signature) {
            const message = parts.join('');
            parts = [];
            await turn();
            return string(signature) === `${label}/${message}`;
          },
          reset() {
            parts = [];
          },
        };
      },
    }),
    messageDigestService({
      algorithm: 'SHA-256',
      newInstance() {
        let parts = '';
        return {
          digestLength: 4,
          update(data) {
            parts += string(data);
          },
          digest() {
            refuse(parts, new Error('failed'));
            const result = bytes(parts.padEnd(4, '.').slice(-4));
            parts = '';
            return result;
          },
          reset() {
            parts = '';
          },
        };
      },
    }),
    algorithmParametersService({
      algorithm: 'EC',
      newInstance() {
        let name = '';
        return {
          init(given) {
            name = given instanceof Uint8Array ? string(given) : (given as ECGenParameterSpec).name;
            refuse(name, new InvalidAlgorithmParameterError('bad'));
          },
          encoded: () => bytes(name),
          parameterSpec: () => new ECGenParameterSpec(name),
          toString: () => name,
        };
      },
    }),
    keyFactoryService({
      algorithm: 'EC',
      importsPrivateKeys: true,
      newInstance() {
        const labelled = (spec: unknown) => {
          const label = string((spec as RawKeySpec).bytes);
          refuse(label, new InvalidKeySpecError('bad'));
          return label;
        };
        return {
          generatePublic: (spec) => new FakePublicKey(labelled(spec)),
          generatePrivate: (spec) => new FakePrivateKey(labelled(spec)),
          getKeySpec: (key) => new RawKeySpec(bytes(labelOf(key)), { curve: 'X' }) as never,
          translateKey: (key) => key,
        };
      },
    }),
  ],
});
const context = new SecurityContext({ providers: [provider] });

/** The outcome of a call: its value, or the class of its error. */
async function outcome(call: () => unknown): Promise<unknown> {
  try {
    const value = await call();
    return value instanceof Uint8Array ? string(value) : typeof value === 'object' ? 'ok' : value;
  } catch (error) {
    return (error as Error).constructor.name;
  }
}

const label = fc.constantFrom('a', 'b', 'bad!', 'late?');

type AgreementCall = ['init', string] | ['phase', string, boolean] | ['secret'];
const agreementCalls = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.tuple(fc.constant('init' as const), label) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('phase' as const), label, fc.constantFrom(true, true, true, false)) },
    { weight: 4, arbitrary: fc.tuple(fc.constant('secret' as const)) },
  ),
  { maxLength: 20 },
);

/** Where a rejection resets, a call out of order takes the computed secret with it. */
function agreementModel(calls: readonly AgreementCall[], rejectionResets: boolean): unknown[] {
  let key: string | undefined;
  let secret: string | undefined;
  const failed = (name: string) => {
    secret = undefined;
    return name;
  };
  return calls.map((call) => {
    if (call[0] === 'init') {
      secret = undefined;
      key = call[1].includes('!') ? undefined : call[1];
      return key === undefined ? 'InvalidKeyError' : 'ok';
    }
    const misuse = () => (rejectionResets ? failed('IllegalStateError') : 'IllegalStateError');
    if (key === undefined) return misuse();
    if (call[0] === 'phase') {
      if (secret !== undefined || !call[2]) return misuse();
      if (call[1].includes('!')) return failed('InvalidKeyError');
      secret = `${key}+${call[1]}`;
      return 'ok';
    }
    if (secret === undefined) return misuse();
    const result = secret;
    secret = undefined;
    return result.includes('?') ? 'ProviderError' : result;
  });
}

function callAgreement(agreement: KeyAgreement | AsyncKeyAgreement, call: AgreementCall): unknown {
  if (call[0] === 'init') return agreement.init(new FakePrivateKey(call[1]));
  return call[0] === 'phase' ? agreement.doPhase(new FakePublicKey(call[1]), call[2]) : agreement.generateSecret();
}

describe('KeyAgreement', () => {
  test('follows its model', async () => {
    await fc.assert(
      fc.asyncProperty(agreementCalls, async (calls) => {
        const agreement = KeyAgreement.getInstance('ECDH', { context });
        const results: unknown[] = [];
        for (const call of calls) results.push(await outcome(() => callAgreement(agreement, call)));
        expect(results).toEqual(agreementModel(calls, false));
      }),
    );
  });

  test.each(['ECDH', 'Later'])('asynchronous by %s: follows its model, awaited and all at once', async (algorithm) => {
    await fc.assert(
      fc.asyncProperty(agreementCalls, async (calls) => {
        const expected = agreementModel(calls, true);
        const awaited = AsyncKeyAgreement.getInstance(algorithm, { context });
        const results: unknown[] = [];
        for (const call of calls) results.push(await outcome(() => callAgreement(awaited, call)));
        expect(results).toEqual(expected);
        const queued = [1, 2].map(() => AsyncKeyAgreement.getInstance(algorithm, { context }));
        // Two objects fed in turns do not meet.
        const both = calls.flatMap((call) => queued.map((each) => outcome(() => callAgreement(each, call))));
        expect(await Promise.all(both)).toEqual(expected.flatMap((value) => [value, value]));
      }),
      { numRuns: 60 },
    );
  });
});

describe('KeyPairGenerator', () => {
  type Call = ['initialize', number | undefined] | ['generate'];
  const calls = fc.array(
    fc.oneof(
      fc.tuple(fc.constant('initialize' as const), fc.constantFrom(undefined, 256, 384, 13, 14, 0, -1, 0.5)),
      fc.tuple(fc.constant('generate' as const)),
    ),
    { maxLength: 15 },
  );
  const model = (list: readonly Call[]) => {
    let size: number | undefined;
    return list.map((call) => {
      if (call[0] === 'generate') return size === 14 ? 'ProviderError' : String(size ?? 'default');
      const [, asked] = call;
      size = undefined;
      if (asked === 13) return 'InvalidAlgorithmParameterError';
      if (asked !== undefined && (asked <= 0 || !Number.isInteger(asked))) return 'InvalidParameterError';
      size = asked;
      return 'ok';
    });
  };
  const make = async (generator: KeyPairGenerator | AsyncKeyPairGenerator, call: Call) => {
    if (call[0] === 'initialize') return generator.initialize(call[1]);
    const { publicKey, privateKey } = await generator.generateKeyPair();
    expect(labelOf(publicKey)).toBe(labelOf(privateKey));
    return labelOf(privateKey);
  };

  test('follows its model', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (list) => {
        const generator = KeyPairGenerator.getInstance('EC', { context });
        const results: unknown[] = [];
        for (const call of list) results.push(await outcome(() => make(generator, call)));
        expect(results).toEqual(model(list));
      }),
    );
  });

  test.each(['EC', 'Later'])('asynchronous by %s: follows its model, all at once', async (algorithm) => {
    await fc.assert(
      fc.asyncProperty(calls, async (list) => {
        const generator = AsyncKeyPairGenerator.getInstance(algorithm, { context });
        expect(await Promise.all(list.map((call) => outcome(() => make(generator, call))))).toEqual(model(list));
      }),
      { numRuns: 60 },
    );
  });
});

describe('AsyncSignature', () => {
  type Call = ['initSign' | 'initVerify', string] | ['update', string] | ['sign'] | ['verify', string];
  const calls = fc.array(
    fc.oneof(
      fc.tuple(fc.constantFrom('initSign' as const, 'initVerify' as const), fc.constantFrom('a', 'b', 'bad!')),
      fc.tuple(fc.constant('update' as const), fc.constantFrom('x', 'y', '!')),
      fc.tuple(fc.constant('sign' as const)),
      fc.tuple(fc.constant('verify' as const), fc.constantFrom('a/', 'a/x', 'b/x', '')),
    ),
    { maxLength: 20 },
  );

  test('follows its model when all calls are made at once and every buffer is overwritten', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (list: readonly Call[]) => {
        let asked = false;
        let bound: { use: string; key: string } | undefined;
        let fed = '';
        const expected = list.map((call) => {
          const message = fed;
          switch (call[0]) {
            case 'initSign':
            case 'initVerify':
              asked = true;
              fed = '';
              bound = call[1].includes('!') ? undefined : { use: call[0], key: call[1] };
              return bound === undefined ? 'InvalidKeyError' : 'ok';
            case 'update':
              if (asked) fed += call[1];
              return asked ? 'ok' : 'IllegalStateError';
            case 'sign':
              fed = '';
              if (bound?.use !== 'initSign') return 'IllegalStateError';
              return message.includes('!') ? 'ProviderError' : `${bound.key}/${message}`;
            default:
              fed = '';
              if (bound?.use !== 'initVerify') return 'IllegalStateError';
              return `${bound.key}/${message}` === call[1];
          }
        });
        const signature = AsyncSignature.getInstance(ALGORITHM, { context });
        const results = list.map((call) =>
          outcome(() => {
            switch (call[0]) {
              case 'initSign':
                return signature.initSign(new FakePrivateKey(call[1]));
              case 'initVerify':
                return signature.initVerify(new FakePublicKey(call[1]));
              case 'update': {
                const data = bytes(call[1]);
                const result = signature.update(data);
                data.fill(0x7a);
                return result;
              }
              case 'sign':
                return signature.sign();
              default: {
                const given = bytes(call[1]);
                const result = signature.verify(given);
                given.fill(0x7a);
                return result;
              }
            }
          }),
        );
        expect(await Promise.all(results)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});

describe('MessageDigest', () => {
  test('follows its model', async () => {
    const call = fc.oneof(
      fc.tuple(fc.constant('update' as const), fc.constantFrom('ab', 'c', '!', '')),
      fc.tuple(fc.constant('digest' as const), fc.constantFrom(undefined, 'de', '!')),
      fc.tuple(fc.constant('reset' as const)),
      fc.tuple(fc.constant('misuse' as const)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (calls) => {
        const digest = MessageDigest.getInstance('SHA-256', { context });
        let fed = '';
        for (const [name, data] of calls) {
          if (name === 'update') {
            fed += data;
            digest.update(bytes(data));
          } else if (name === 'reset') {
            fed = '';
            digest.reset();
          } else if (name === 'misuse') {
            expect(await outcome(() => digest.update('text' as never))).toBe('InvalidParameterError');
            expect(await outcome(() => digest.digest('text' as never))).toBe('InvalidParameterError');
          } else {
            const message = fed + (data ?? '');
            fed = '';
            const expected = message.includes('!') ? 'ProviderError' : message.padEnd(4, '.').slice(-4);
            expect(await outcome(() => digest.digest(data === undefined ? undefined : bytes(data)))).toBe(expected);
          }
        }
        expect(digest.digestLength).toBe(4);
      }),
    );
  });
});

describe('AlgorithmParameters', () => {
  test('is initialised once, after as many failures as there are, and keeps no buffer', async () => {
    const init = fc.tuple(fc.constantFrom('one', 'two', 'bad!'), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(init, { maxLength: 8 }), async (inits) => {
        const parameters = AlgorithmParameters.getInstance('EC', { context });
        let name: string | undefined;
        for (const [given, encoded] of inits) {
          const data = bytes(given);
          const expected =
            name !== undefined ? 'IllegalStateError' : given.includes('!') ? 'InvalidAlgorithmParameterError' : 'ok';
          if (expected === 'ok') name = given;
          expect(await outcome(() => parameters.init(encoded ? data : new ECGenParameterSpec(given)))).toBe(expected);
          data.fill(0);
          expect(await outcome(() => parameters.encoded)).toBe(name ?? 'IllegalStateError');
          expect(await outcome(() => (parameters.getParameterSpec() as ECGenParameterSpec).name)).toBe(
            name ?? 'IllegalStateError',
          );
        }
      }),
    );
  });
});

describe('KeyFactory', () => {
  test('keeps nothing between calls, synchronous or all at once', async () => {
    const call = fc.tuple(
      fc.constantFrom('public' as const, 'private' as const, 'spec' as const, 'none' as const),
      label,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const expected = calls.map(([kind, name]) =>
          kind === 'none' || (kind !== 'spec' && name.includes('!')) ? 'InvalidKeySpecError' : name,
        );
        const run = async (factory: KeyFactory | AsyncKeyFactory, [kind, name]: (typeof calls)[number]) => {
          const spec = kind === 'none' ? (name as never) : new RawKeySpec(bytes(name), { curve: 'X' });
          if (kind === 'spec') {
            const key = new FakePublicKey(name);
            const made =
              factory instanceof KeyFactory
                ? factory.getKeySpec(key, RawKeySpec)
                : await factory.getKeySpec(key, RawKeySpec);
            return string(made.bytes);
          }
          return labelOf(await (kind === 'private' ? factory.generatePrivate(spec) : factory.generatePublic(spec)));
        };
        const factory = KeyFactory.getInstance('EC', { context });
        const results: unknown[] = [];
        for (const each of calls) results.push(await outcome(() => run(factory, each)));
        expect(results).toEqual(expected);
        const later = AsyncKeyFactory.getInstance('EC', { context });
        expect(await Promise.all(calls.map((each) => outcome(() => run(later, each))))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
