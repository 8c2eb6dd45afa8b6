import { afterEach, describe, expect, it, vi } from 'vitest';
import { builtInProvider, builtInProviders } from '../../../index.ts';
import { createProviumProvider } from '../../../providers/provium/provider.ts';
import { isWebCryptoAvailable, WebCryptoProvider } from '../../../providers/webcrypto/index.ts';
import {
  AsyncKeyPairGenerator,
  AsyncSignature,
  ECGenParameterSpec,
  KeyFactory,
  NoSuchAlgorithmError,
  NoSuchProviderError,
  ProviderError,
  SecurityContext,
  Signature,
} from '../../../spi/index.ts';
import { text } from './support.ts';

afterEach(() => vi.unstubAllGlobals());

/** A platform whose generateKey throws for what `lacks` names. */
function platform(lacks: (name: string) => Error | undefined) {
  const { crypto } = globalThis;
  const asked: string[] = [];
  const subtle = new Proxy(crypto.subtle, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]) => {
        const algorithm = given[0] as { readonly name?: string; readonly namedCurve?: string };
        const name = algorithm.namedCurve ?? algorithm.name ?? '';
        if (member === 'generateKey') {
          asked.push(name);
          const failure = lacks(name);
          if (failure !== undefined) throw failure;
        }
        return (value as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
  vi.stubGlobal('crypto', { subtle, getRandomValues: crypto.getRandomValues.bind(crypto) });
  return asked;
}

const unknownCurve = (): DOMException => new DOMException('no such curve', 'NotSupportedError');

function contextOfBoth(): SecurityContext {
  return new SecurityContext({ providers: [new WebCryptoProvider(), createProviumProvider()] });
}

describe('what the platform lacks', () => {
  it('is asked for once, skipped with the reason, and served by the next provider', async () => {
    const asked = platform((name) => (name === 'Ed25519' || name === 'P-521' ? unknownCurve() : undefined));
    const context = contextOfBoth();
    for (let i = 0; i < 3; i++) {
      const generator = AsyncKeyPairGenerator.getInstance('Ed25519', { context });
      const { privateKey } = await generator.generateKeyPair();
      expect(generator.provider?.name).toBe('Provium');
      const signer = AsyncSignature.getInstance('Ed25519', { context });
      await signer.initSign(privateKey);
      expect(signer.provider?.name).toBe('Provium');
    }
    expect(asked.filter((name) => name === 'Ed25519').length).toBe(1);
    const alone = AsyncKeyPairGenerator.getInstance('EC', { context, provider: 'WebCrypto' });
    await expect(alone.initialize(new ECGenParameterSpec('P-521'))).rejects.toThrow(
      /the WebCrypto of this platform has no ECDSA on secp521r1/,
    );
    const { privateKey } = await AsyncKeyPairGenerator.getInstance('Ed25519', { context }).generateKeyPair();
    const service = context.getProvider('WebCrypto')?.service('Signature', 'Ed25519', 'async');
    expect(service?.supportsKey(privateKey)).toBe('the WebCrypto of this platform has no Ed25519');
  });

  it('is not taken for granted from a failure that is no answer: it is asked again', async () => {
    let broken = true;
    platform(() => (broken ? new DOMException('busy', 'OperationError') : undefined));
    const from = { context: contextOfBoth(), provider: 'WebCrypto' };
    await expect(AsyncKeyPairGenerator.getInstance('EC', from).initialize(256)).rejects.toThrow(ProviderError);
    broken = false;
    const generator = await AsyncKeyPairGenerator.getInstance('EC', from).initialize(256);
    expect((await generator.generateKeyPair()).publicKey.curve).toBe('secp256r1');
  });

  it('includes WebCrypto itself on pages that are not secure', async () => {
    const context = contextOfBoth();
    const { privateKey } = await AsyncKeyPairGenerator.getInstance('EC', { context }).generateKeyPair();
    vi.stubGlobal('crypto', { getRandomValues: globalThis.crypto.getRandomValues.bind(globalThis.crypto) });
    expect(isWebCryptoAvailable()).toBe(false);
    expect(() => builtInProvider('WebCrypto')).toThrow(NoSuchProviderError);
    const signer = AsyncSignature.getInstance('SHA256withECDSA', { context });
    await signer.initSign(privateKey);
    expect(signer.provider?.name).toBe('Provium');
    for (const algorithm of ['EC', 'XDH']) {
      const generator = AsyncKeyPairGenerator.getInstance(algorithm, { context });
      await generator.generateKeyPair();
      expect(generator.provider?.name).toBe('Provium');
    }
  });
});

describe('the built-in provider WebCrypto', () => {
  it('comes by configuration in Node, and by itself where there is no node:crypto', async () => {
    const context = await SecurityContext.fromConfig({ providers: ['WebCrypto', 'Provium'] });
    expect(context.getProviders().map(({ name }) => name)).toEqual(['WebCrypto', 'Provium']);
    expect(builtInProviders().map(({ name }) => name)).toEqual(['Provium', 'OpenSSL']);
    vi.resetModules();
    const fresh = await import('../../../index.ts');
    vi.stubGlobal('process', Object.create(process, { getBuiltinModule: { value: undefined } }));
    expect(fresh.builtInProviders().map(({ name }) => name)).toEqual(['Provium', 'WebCrypto']);
  });

  it('serves the asynchronous façades only, and the error says so', async () => {
    const context = new SecurityContext({ providers: [new WebCryptoProvider()] });
    const { publicKey } = await AsyncKeyPairGenerator.getInstance('EC', { context }).generateKeyPair();
    expect(() => Signature.verify('SHA256withECDSA', publicKey, text('a'), text('b'), { context })).toThrow(
      /AsyncSignature/,
    );
    expect(() => KeyFactory.getInstance('EC', { context })).toThrow(NoSuchAlgorithmError);
  });

  it('serves at once through the default wiring of a context', async () => {
    const context = new SecurityContext({ providers: [builtInProvider('WebCrypto')] });
    const { publicKey, privateKey } = await AsyncKeyPairGenerator.getInstance('EC', { context }).generateKeyPair();
    const signature = await AsyncSignature.sign('SHA256withECDSA', privateKey, text('a'), { context });
    expect(await AsyncSignature.verify('SHA256withECDSA', publicKey, text('a'), signature, { context })).toBe(true);
  });
});
