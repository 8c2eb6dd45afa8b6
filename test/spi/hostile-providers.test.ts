// Providers that break their contract: every one is answered by an error of this library, and nothing is spoiled.

import { describe, expect, test } from 'vitest';
import { AlgorithmParameters } from '../../spi/algorithm-parameters.ts';
import { AsyncSignature } from '../../spi/async-signature.ts';
import { SecurityContext } from '../../spi/context.ts';
import { InvalidKeyError, ProviderError, ProviumError } from '../../spi/errors.ts';
import { KeyFactory } from '../../spi/key-factory.ts';
import { KeyPairGenerator } from '../../spi/key-pair-generator.ts';
import { X509EncodedKeySpec } from '../../spi/key-specs.ts';
import type { Key } from '../../spi/keys.ts';
import { MessageDigest } from '../../spi/message-digest.ts';
import { defineProvider } from '../../spi/provider.ts';
import type { AnyService } from '../../spi/service.ts';
import {
  algorithmParametersService,
  keyFactoryService,
  keyPairGeneratorService,
  messageDigestService,
  signatureService,
} from '../../spi/service-helpers.ts';
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

function contextOf(...services: AnyService[]): SecurityContext {
  return new SecurityContext({ providers: [defineProvider({ name: 'Odd', version: '1', services })] });
}

const rejection = () => Promise.reject(new Error('rejected inside the provider'));
const key = new FakePrivateKey('k');
const publicKey = new FakePublicKey('k');

describe('A provider that gives promises from a synchronous service', () => {
  test('update: ProviderError, and the object is as freshly initialised', () => {
    let broken = true;
    class Later extends FakeSignature {
      override update(data: Uint8Array): never {
        return (broken ? rejection() : super.update(data)) as never;
      }
    }
    const context = contextOf(signatureService({ algorithm: ALGORITHM, newInstance: () => new Later('Odd') }));
    const signature = Signature.getInstance(ALGORITHM, { context }).initSign(key);
    expect(() => signature.update(bytes('a'))).toThrow(ProviderError);
    expect(() => Signature.sign(ALGORITHM, key, bytes('a'), { context })).toThrow(ProviderError);
    expect(() => Signature.verify(ALGORITHM, publicKey, bytes('a'), bytes('s'), { context })).toThrow(ProviderError);
    broken = false;
    expect(string(signature.update(bytes('b')).sign())).toBe('Odd/k/b');
  });

  test('instances of every type: ProviderError, no unhandled rejection', () => {
    const context = contextOf(
      signatureService({ algorithm: ALGORITHM, newInstance: rejection as never }),
      keyFactoryService({ algorithm: 'EC', newInstance: rejection as never }),
      keyPairGeneratorService({ algorithm: 'EC', newInstance: rejection as never }),
      messageDigestService({ algorithm: 'SHA-256', newInstance: rejection as never }),
      algorithmParametersService({ algorithm: 'EC', newInstance: rejection as never }),
    );
    const from = { context };
    expect(() => Signature.getInstance(ALGORITHM, from).initSign(key)).toThrow(ProviderError);
    expect(() => KeyFactory.getInstance('EC', from).generatePublic(new X509EncodedKeySpec(bytes('x')))).toThrow(
      ProviderError,
    );
    expect(() => KeyPairGenerator.getInstance('EC', from).generateKeyPair()).toThrow(ProviderError);
    expect(() => MessageDigest.digest('SHA-256', bytes('x'), from)).toThrow(ProviderError);
    expect(() => AlgorithmParameters.getInstance('EC', from).init(bytes('x'))).toThrow(ProviderError);
  });

  test('digests and parameters: ProviderError', () => {
    const context = contextOf(
      messageDigestService({
        algorithm: 'SHA-256',
        newInstance: () => ({ digestLength: 1, update: rejection as never, digest: rejection as never, reset() {} }),
      }),
      algorithmParametersService({
        algorithm: 'EC',
        newInstance: () => ({ init() {}, encoded: rejection as never, parameterSpec: rejection as never }),
      }),
    );
    const digest = MessageDigest.getInstance('SHA-256', { context });
    expect(() => digest.update(bytes('x'))).toThrow(ProviderError);
    expect(() => digest.digest()).toThrow(ProviderError);
    const parameters = AlgorithmParameters.getInstance('EC', { context }).init(bytes('x'));
    expect(() => parameters.encoded).toThrow(ProviderError);
    expect(() => parameters.getParameterSpec()).toThrow(ProviderError);
  });
});

describe('A provider that throws', () => {
  const odd: readonly unknown[] = [null, undefined, 0, 'text', Symbol('s'), Object.create(null), new Proxy({}, {})];
  test.each(odd.map((thrown) => [thrown === null ? 'null' : typeof thrown, thrown]))(
    '%s: ProviderError with it as the cause',
    (_, thrown) => {
      class Throwing extends FakeSignature {
        override sign(): never {
          throw thrown;
        }
      }
      const context = contextOf(signatureService({ algorithm: ALGORITHM, newInstance: () => new Throwing('Odd') }));
      const error = thrownBy(() => Signature.getInstance(ALGORITHM, { context }).initSign(key).sign());
      expect(error).toBeInstanceOf(ProviderError);
      expect((error as ProviderError).cause).toBe(thrown);
    },
  );

  test('from its questions: it is passed over, and key generation fails closed', () => {
    const ask = () => {
      throw null;
    };
    const context = contextOf(
      signatureService({ algorithm: ALGORITHM, supportsKey: ask, newInstance: () => new FakeSignature('Odd') }),
      keyPairGeneratorService({
        algorithm: 'EC',
        supportsOptions: ask,
        newInstance: () => ({ initialize() {}, generateKeyPair: () => ({ publicKey, privateKey: key }) }),
      }),
    );
    context.addProvider(fakeProvider('B'));
    const generator = (name: string) =>
      defineProvider({
        name,
        version: '1',
        services: [
          keyPairGeneratorService({
            algorithm: 'EC',
            newInstance: () => ({ initialize() {}, generateKeyPair: () => ({ publicKey, privateKey: key }) }),
          }),
        ],
      });
    context.addProvider(generator('C'));
    expect(Signature.getInstance(ALGORITHM, { context }).initSign(key).provider?.name).toBe('B');
    const make = KeyPairGenerator.getInstance('EC', { context });
    expect(() => make.initialize(256)).toThrow(ProviderError);
    expect(make.provider).toBeUndefined();
  });

  test('another error than its own in a verification: it is the answer, nobody else is asked', () => {
    let asked = 0;
    const context = contextOf(
      signatureService({
        algorithm: ALGORITHM,
        verify() {
          throw new InvalidKeyError('not this key');
        },
      }),
    );
    context.addProvider(
      fakeProvider('B', {
        init: () => {
          asked++;
        },
      }),
    );
    const verify = () => Signature.verify(ALGORITHM, publicKey, bytes('m'), bytes('s'), { context });
    expect(verify).toThrow(InvalidKeyError);
    expect(asked).toBe(0);
  });

  test('another error than its own in an asynchronous verification: the same', async () => {
    const context = contextOf(
      signatureService({
        algorithm: ALGORITHM,
        mode: 'async',
        async verify() {
          throw new InvalidKeyError('not this key');
        },
      }),
    );
    context.addProvider(fakeProvider('B'));
    const verify = AsyncSignature.verify(ALGORITHM, publicKey, bytes('m'), bytes('s'), { context });
    await expect(verify).rejects.toThrow(InvalidKeyError);
  });
});

describe('A provider that keeps or changes what it is given', () => {
  test('gets a message and a signature of its own, also in one-shots', () => {
    const kept: Uint8Array[] = [];
    const context = contextOf(
      signatureService({
        algorithm: ALGORITHM,
        sign(_, data) {
          kept.push(data);
          data.fill(0);
          return bytes('s');
        },
        verify(_, data, signature) {
          kept.push(data, signature);
          data.fill(0);
          signature.fill(0);
          return true;
        },
      }),
    );
    const message = bytes('message');
    const given = bytes('signature');
    Signature.sign(ALGORITHM, key, message, { context });
    Signature.getInstance(ALGORITHM, { context }).initSign(key).update(message).sign();
    Signature.verify(ALGORITHM, publicKey, message, given, { context });
    Signature.getInstance(ALGORITHM, { context }).initVerify(publicKey).update(message).verify(given);
    for (const buffer of kept) buffer.fill(0xff);
    expect(kept).toHaveLength(6);
    expect(string(message)).toBe('message');
    expect(string(given)).toBe('signature');
  });

  test('gives a signature that it keeps: the caller has its own', () => {
    const own = bytes('xxxsignaturexxx');
    const context = contextOf(signatureService({ algorithm: ALGORITHM, sign: () => own.subarray(3, 12) }));
    const signature = Signature.sign(ALGORITHM, key, bytes('m'), { context });
    expect(string(signature)).toBe('signature');
    expect(signature.buffer).not.toBe(own.buffer);
    own.fill(0);
    expect(string(signature)).toBe('signature');
  });
});

describe('A provider that calls back', () => {
  test('another object from inside sign: both work', () => {
    const context = new SecurityContext({ providers: [fakeProvider('Inner', { algorithm: 'Inner' })] });
    context.addProvider(
      defineProvider({
        name: 'Outer',
        version: '1',
        services: [
          signatureService({
            algorithm: ALGORITHM,
            sign: (own, data) => Signature.sign('Inner', own, data, { context }),
          }),
        ],
      }),
    );
    expect(string(Signature.sign(ALGORITHM, key, bytes('m'), { context }))).toBe('Inner/k/m');
  });

  test('the same object from inside sign: an error of this library, and the object works afterwards', () => {
    let again: (() => unknown) | undefined;
    class Calling extends FakeSignature {
      override sign(): Uint8Array {
        again?.();
        return super.sign();
      }
    }
    const context = contextOf(signatureService({ algorithm: ALGORITHM, newInstance: () => new Calling('Odd') }));
    const signature = Signature.getInstance(ALGORITHM, { context }).initSign(key);
    for (const call of [
      () => signature.sign(),
      () => signature.update(bytes('x')),
      () => signature.initVerify(publicKey),
      () => signature.verify(bytes('x')),
    ]) {
      signature.initSign(key);
      again = () => {
        again = undefined;
        call();
      };
      const error = thrownBy(() => signature.sign());
      if (error !== undefined) expect(error).toBeInstanceOf(ProviumError);
      signature.initSign(key);
      expect(string(signature.update(bytes('m')).sign())).toBe('Odd/k/m');
    }
  });

  test('itself without end: an error, not the end of the process', () => {
    const context = new SecurityContext();
    context.addProvider(
      defineProvider({
        name: 'Loop',
        version: '1',
        services: [
          signatureService({
            algorithm: ALGORITHM,
            sign: (own, data) => Signature.sign(ALGORITHM, own, data, { context }),
          }),
        ],
      }),
    );
    expect(() => Signature.sign(ALGORITHM, key, bytes('m'), { context })).toThrow(ProviumError);
  });

  test('the registry, removing itself while it signs: the object keeps working', () => {
    const context = new SecurityContext();
    class Leaving extends FakeSignature {
      override sign(): Uint8Array {
        context.removeProvider('Odd');
        return super.sign();
      }
    }
    context.addProvider(
      defineProvider({
        name: 'Odd',
        version: '1',
        services: [signatureService({ algorithm: ALGORITHM, newInstance: () => new Leaving('Odd') })],
      }),
    );
    const signature = Signature.getInstance(ALGORITHM, { context }).initSign(key);
    expect(string(signature.update(bytes('a')).sign())).toBe('Odd/k/a');
    expect(context.getProviders()).toEqual([]);
    expect(string(signature.initSign(key).update(bytes('b')).sign())).toBe('Odd/k/b');
  });
});

describe('A key pair', () => {
  const pair = (publicCurve: string | undefined, privateCurve: string | undefined, size?: number) => {
    class Pub extends FakePublicKey {
      override readonly curve = publicCurve;
    }
    class Priv extends FakePrivateKey {
      override readonly curve = privateCurve;
      override readonly size = size;
      destroyedBy = 0;
      protected override wipe(): void {
        this.destroyedBy++;
      }
    }
    return { publicKey: new Pub('p'), privateKey: new Priv('p') };
  };
  const generator = (made: { publicKey: Key; privateKey: Key }) =>
    KeyPairGenerator.getInstance('EC', {
      context: contextOf(
        keyPairGeneratorService({
          algorithm: 'EC',
          newInstance: () => ({ initialize() {}, generateKeyPair: () => made as never }),
        }),
      ),
    });

  test('of two curves is a ProviderError and destroyed', () => {
    const made = pair('secp256r1', 'secp384r1');
    expect(() => generator(made).generateKeyPair()).toThrow(ProviderError);
    expect(made.privateKey.destroyed).toBe(true);
  });

  test('of another size than asked for is a ProviderError and destroyed', () => {
    const made = pair(undefined, undefined, 256);
    expect(() => generator(made).initialize(384).generateKeyPair()).toThrow(ProviderError);
    expect(made.privateKey.destroyed).toBe(true);
    const right = pair(undefined, undefined, 384);
    expect(generator(right).initialize(384).generateKeyPair().privateKey).toBe(right.privateKey);
  });
});
