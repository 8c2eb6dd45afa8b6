import { describe, expect, test } from 'vitest';
import { AsyncSignature } from '../../spi/async-signature.ts';
import { SecurityContext } from '../../spi/context.ts';
import { IllegalStateError, InvalidKeyError, InvalidParameterError, ProviderError } from '../../spi/errors.ts';
import { defineProvider } from '../../spi/provider.ts';
import { signatureService } from '../../spi/service-helpers.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, fakeProvider, labelOf, string } from './fakes.ts';

const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Signs after some turns of the event loop. */
function slowProvider(name: string, log: string[] = [], fail: (message: string) => boolean = () => false) {
  const signature = (key: FakePrivateKey | FakePublicKey, data: Uint8Array) =>
    `${name}/${labelOf(key)}/${string(data)}`;
  return defineProvider({
    name,
    version: '1',
    services: [
      signatureService({
        algorithm: ALGORITHM,
        mode: 'async',
        async sign(key, data) {
          log.push(`start ${string(data)}`);
          await turns(data.length % 4);
          log.push(`end ${string(data)}`);
          if (fail(string(data))) throw new Error('failed half way');
          return bytes(signature(key as FakePrivateKey, data));
        },
        async verify(key, data, given) {
          await turns(2);
          return string(given) === signature(key as FakePublicKey, data);
        },
      }),
    ],
  });
}

describe('AsyncSignature', () => {
  test('calls on one object run in call order and never overlap', async () => {
    const log: string[] = [];
    const context = new SecurityContext({ providers: [slowProvider('S', log)] });
    const signature = AsyncSignature.getInstance(ALGORITHM, { context });
    void signature.initSign(new FakePrivateKey('k'));
    const messages = ['xxx', 'yy', 'z', 'four'];
    const results = messages.map((message) => signature.update(bytes(message)).sign());
    expect((await Promise.all(results)).map(string)).toEqual(messages.map((message) => `S/k/${message}`));
    expect(log).toEqual(messages.flatMap((message) => [`start ${message}`, `end ${message}`]));
  });

  test('takes synchronous and asynchronous providers in order', async () => {
    const context = new SecurityContext({ providers: [fakeProvider('A'), slowProvider('S')] });
    const first = await AsyncSignature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
    expect(first.provider?.name).toBe('A');
    context.removeProvider('A');
    expect(string(await AsyncSignature.sign(ALGORITHM, new FakePrivateKey('k'), bytes('m'), { context }))).toBe(
      'S/k/m',
    );
  });

  test('copies what it is given before it gives a promise', async () => {
    const context = new SecurityContext({ providers: [slowProvider('S')] });
    const data = bytes('message');
    const signing = AsyncSignature.sign(ALGORITHM, new FakePrivateKey('k'), data, { context });
    data.fill(0x78);
    const signature = await signing;
    expect(string(signature)).toBe('S/k/message');
    const verifier = AsyncSignature.getInstance(ALGORITHM, { context });
    void verifier.initVerify(new FakePublicKey('k'));
    const again = bytes('message');
    verifier.update(again);
    again.fill(0);
    const copy = Uint8Array.from(signature);
    const verifying = verifier.verify(copy);
    copy.fill(0);
    expect(await verifying).toBe(true);
  });

  test('a rejection leaves the object as freshly initialised, and later calls run', async () => {
    const context = new SecurityContext({ providers: [slowProvider('S', [], (message) => message === 'bad')] });
    const signature = await AsyncSignature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
    const outcomes = await Promise.allSettled(
      ['bad', 'good', 'bad', 'fine'].map((m) => signature.update(bytes(m)).sign()),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[0] as PromiseRejectedResult).reason).toBeInstanceOf(ProviderError);
    expect(string((outcomes[3] as PromiseFulfilledResult<Uint8Array>).value)).toBe('S/k/fine');
  });

  test('a failed init leaves no key, also for the calls behind it', async () => {
    const refusing = fakeProvider('A', {
      init: (key) => {
        if (labelOf(key) === 'refused') throw new InvalidKeyError('refused');
      },
    });
    const signature = AsyncSignature.getInstance(ALGORITHM, {
      context: new SecurityContext({ providers: [refusing] }),
    });
    await signature.initSign(new FakePrivateKey('k'));
    const failing = signature.initSign(new FakePrivateKey('refused'));
    const behind = signature.update(bytes('m')).sign();
    await expect(failing).rejects.toThrow(InvalidKeyError);
    await expect(behind).rejects.toThrow(IllegalStateError);
    expect(signature.provider).toBeUndefined();
    expect(() => signature.update(bytes('m'))).toThrow(IllegalStateError);
    await expect(signature.sign()).rejects.toThrow(IllegalStateError);
  });

  test('a signal gives up one call; the next one does not wait for it', async () => {
    const hanging = defineProvider({
      name: 'H',
      version: '1',
      services: [
        signatureService({
          algorithm: ALGORITHM,
          mode: 'async',
          sign: (_, data) => (string(data) === 'hang' ? new Promise(() => {}) : Promise.resolve(data)),
        }),
      ],
    });
    const context = new SecurityContext({ providers: [hanging] });
    const signature = await AsyncSignature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
    const abort = new AbortController();
    const first = signature.update(bytes('hang')).sign({ signal: abort.signal });
    const second = signature.update(bytes('next')).sign();
    await turns(2);
    abort.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(string(await second)).toBe('next');
    await expect(signature.sign({ signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    await expect(signature.sign({ signal: {} as never })).rejects.toThrow(InvalidParameterError);
  });

  test('signInto keeps a signature that does not fit', async () => {
    const context = new SecurityContext({ providers: [slowProvider('S')] });
    const signature = await AsyncSignature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
    await expect(signature.update(bytes('m')).signInto(new Uint8Array(2))).rejects.toThrow(InvalidParameterError);
    const target = new Uint8Array(10);
    expect(string(target.subarray(0, await signature.signInto(target)))).toBe('S/k/m');
  });

  test('look-ups while the list changes find one of the providers', async () => {
    const context = new SecurityContext({ providers: [fakeProvider('A'), fakeProvider('B')] });
    const again = fakeProvider('A');
    const change = async () => {
      for (let i = 0; i < 200; i++) {
        context.removeProvider('A');
        await turns(1);
        context.insertProviderAt(again, 1);
        await turns(1);
      }
    };
    const seen = new Set<string | undefined>();
    const look = async () => {
      for (let i = 0; i < 200; i++) {
        const signature = await AsyncSignature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
        seen.add(signature.provider?.name);
        await turns(1);
      }
    };
    await Promise.all([change(), look()]);
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen].filter((name) => name !== 'A' && name !== 'B')).toEqual([]);
    expect(context.getProviders().map(({ name }) => name)).toEqual(['A', 'B']);
  });
});
