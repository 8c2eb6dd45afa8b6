// Calls that are given up while a provider is still at work: what it does later must not touch the object.

import { describe, expect, test } from 'vitest';
import { AsyncKeyAgreement } from '../../spi/async-key-agreement.ts';
import { AsyncKeyPairGenerator } from '../../spi/async-key-pair-generator.ts';
import { AsyncSignature } from '../../spi/async-signature.ts';
import { SecurityContext } from '../../spi/context.ts';
import { IllegalStateError, InvalidAlgorithmParameterError, InvalidParameterError } from '../../spi/errors.ts';
import type { Key } from '../../spi/keys.ts';
import { defineProvider } from '../../spi/provider.ts';
import type { SignatureSpi } from '../../spi/service.ts';
import { keyAgreementService, keyPairGeneratorService, signatureService } from '../../spi/service-helpers.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, labelOf, string } from './fakes.ts';

/** A promise to be settled from outside, and whether somebody waits for it. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
const turns = async (count = 5) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Its inits wait for the gate of the key's label, where there is one. */
function gatedProvider(gates: ReadonlyMap<string, ReturnType<typeof gate>>, failing: Set<string>) {
  class Gated implements SignatureSpi<'async'> {
    #key: Key | undefined;
    #parts: string[] = [];
    async initSign(key: Key) {
      await gates.get(labelOf(key))?.opened;
      this.#key = key;
    }
    async initVerify(key: Key) {
      this.#key = key;
    }
    update(data: Uint8Array) {
      this.#parts.push(string(data));
    }
    async sign() {
      const message = this.#parts.splice(0).join('');
      if (failing.delete(message)) throw new Error('failed');
      return bytes(`${labelOf(this.#key as Key)}/${message}`);
    }
    async verify() {
      return true;
    }
    reset() {
      this.#parts = [];
    }
  }
  return defineProvider({
    name: 'Gated',
    version: '1',
    services: [
      signatureService({
        algorithm: ALGORITHM,
        mode: 'async',
        supportsOptions: () => true,
        newInstance: () => new Gated(),
      }),
    ],
  });
}

describe('A call that was given up', () => {
  test('does not bring an old key back when its instance is ready late', async () => {
    const gates = new Map<string, ReturnType<typeof gate>>();
    const context = new SecurityContext({ providers: [gatedProvider(gates, new Set(['fails']))] });
    const signature = AsyncSignature.getInstance(ALGORITHM, { context });
    await signature.initSign(new FakePrivateKey('old'));
    await expect(signature.update(bytes('fails')).sign()).rejects.toThrow('failed');
    const late = gate();
    gates.set('old', late);
    const controller = new AbortController();
    const given = signature.update(bytes('old data')).sign({ signal: controller.signal });
    await turns();
    controller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    await signature.initSign(new FakePrivateKey('new'));
    late.open();
    await turns();
    expect(string(await signature.update(bytes('m')).sign())).toBe('new/m');
  });

  test('does not bind the key of an init that was given up', async () => {
    const late = gate();
    const context = new SecurityContext({ providers: [gatedProvider(new Map([['old', late]]), new Set())] });
    const signature = AsyncSignature.getInstance(ALGORITHM, { context });
    const controller = new AbortController();
    const given = signature.initSign(new FakePrivateKey('old'), { signal: controller.signal });
    await turns();
    controller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    late.open();
    await turns();
    await expect(signature.sign()).rejects.toThrow(IllegalStateError);
    expect(() => signature.update(bytes('m'))).toThrow(IllegalStateError);
    expect(signature.provider).toBeUndefined();
  });

  test('an init with a signal that is none leaves no old key', async () => {
    const context = new SecurityContext({ providers: [gatedProvider(new Map(), new Set())] });
    const signature = AsyncSignature.getInstance(ALGORITHM, { context });
    await signature.initSign(new FakePrivateKey('old'));
    for (const signal of ['now', null, {}]) {
      const init = signature.initSign(new FakePrivateKey('new'), { signal: signal as never });
      await expect(init).rejects.toThrow(InvalidParameterError);
      await expect(signature.sign()).rejects.toThrow(IllegalStateError);
    }
  });

  test('calls that take a signal alone refuse other options', async () => {
    const context = new SecurityContext({ providers: [gatedProvider(new Map(), new Set())] });
    const signature = await AsyncSignature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
    const sign = signature.sign({ nonce: 'deterministic' } as never);
    await expect(sign).rejects.toThrow(InvalidAlgorithmParameterError);
    await expect(sign).rejects.toThrow('There is no option nonce here');
    await expect(signature.sign(3 as never)).rejects.toThrow(InvalidAlgorithmParameterError);
    expect(string(await signature.update(bytes('m')).sign())).toBe('k/m');
  });

  test('a one-shot asks no further provider', async () => {
    const late = gate();
    const asked: string[] = [];
    const provider = (name: string, sign: () => Promise<Uint8Array>) =>
      defineProvider({
        name,
        version: '1',
        services: [
          signatureService({
            algorithm: ALGORITHM,
            mode: 'async',
            sign() {
              asked.push(name);
              return sign();
            },
          }),
        ],
      });
    const context = new SecurityContext({
      providers: [
        provider('A', async () => {
          await late.opened;
          throw new Error('failed late');
        }),
        provider('B', async () => bytes('B')),
      ],
    });
    const controller = new AbortController();
    const { signal } = controller;
    const given = AsyncSignature.sign(ALGORITHM, new FakePrivateKey('k'), bytes('m'), { context, signal });
    await turns();
    controller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    late.open();
    await turns();
    expect(asked).toEqual(['A']);
  });

  test('a late phase of an agreement gives no secret', async () => {
    const late = gate();
    let phases = 0;
    const provider = defineProvider({
      name: 'A',
      version: '1',
      services: [
        keyAgreementService({
          algorithm: 'ECDH',
          mode: 'async',
          newInstance: () => ({
            async init() {},
            async doPhase() {
              phases++;
              if (phases === 1) await late.opened;
            },
            async generateSecret() {
              return bytes('secret');
            },
            reset() {},
          }),
        }),
      ],
    });
    const context = new SecurityContext({ providers: [provider] });
    const agreement = await AsyncKeyAgreement.getInstance('ECDH', { context }).init(new FakePrivateKey('k'));
    const controller = new AbortController();
    const given = agreement.doPhase(new FakePublicKey('p'), true, { signal: controller.signal });
    await turns();
    controller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    late.open();
    await turns();
    await expect(agreement.generateSecret()).rejects.toThrow(IllegalStateError);
    await agreement.doPhase(new FakePublicKey('p'));
    expect(string(await agreement.generateSecret())).toBe('secret');
  });

  test('a late initialisation of a generator does not replace the next one', async () => {
    const late = gate();
    const provider = defineProvider({
      name: 'A',
      version: '1',
      services: [
        keyPairGeneratorService({
          algorithm: 'EC',
          mode: 'async',
          newInstance() {
            let size: unknown;
            return {
              async initialize(parameters) {
                if (parameters === 256) await late.opened;
                size = parameters;
              },
              async generateKeyPair() {
                const label = String(size);
                return { publicKey: new FakePublicKey(label), privateKey: new FakePrivateKey(label) };
              },
            };
          },
        }),
      ],
    });
    const context = new SecurityContext({ providers: [provider] });
    const generator = AsyncKeyPairGenerator.getInstance('EC', { context });
    const controller = new AbortController();
    const given = generator.initialize(256, { signal: controller.signal });
    await turns();
    controller.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    await generator.initialize(521);
    late.open();
    await turns();
    expect(labelOf((await generator.generateKeyPair()).privateKey)).toBe('521');
  });
});
