// Keys between providers: fakes whose keys leave or not, and keys of the platform.

import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AsyncSignature } from '../../spi/async-signature.ts';
import { SecurityContext } from '../../spi/context.ts';
import { AlgorithmDisabledError, InvalidKeyError, KeyDestroyedError, ProviderError } from '../../spi/errors.ts';
import { CryptoKeyPrivateKey, KeyObjectPrivateKey, KeyObjectPublicKey } from '../../spi/foreign-keys.ts';
import { KeyFactory } from '../../spi/key-factory.ts';
import { KeyPairGenerator } from '../../spi/key-pair-generator.ts';
import { type Key, PrivateKey, PublicKey } from '../../spi/keys.ts';
import { defineProvider } from '../../spi/provider.ts';
import { keyFactoryService, keyPairGeneratorService, signatureService } from '../../spi/service-helpers.ts';
import { Signature } from '../../spi/signature.ts';
import { ALGORITHM, bytes } from './fakes.ts';

class Exportable extends PrivateKey {
  override readonly algorithm = 'EC';
  override readonly curve = 'secp256r1';
  override readonly size = 256;
  override readonly format: string | undefined = 'PKCS#8';
  readonly home: string;
  wiped = false;
  constructor(home: string) {
    super();
    this.home = home;
  }
  override get encoded(): Uint8Array | undefined {
    return this.format === undefined ? undefined : bytes('encoded');
  }
  override equals(other: Key): boolean {
    return other === this;
  }
  protected override wipe(): void {
    this.wiped = true;
  }
}
class Opaque extends Exportable {
  override readonly format = undefined;
}
class Public extends PublicKey {
  override readonly algorithm = 'EC';
  override readonly curve = 'secp256r1';
  override readonly size = 256;
  override readonly format = 'X.509';
  override readonly encoded = bytes('public');
  override equals(other: Key): boolean {
    return other === this;
  }
  protected override wipe(): void {}
}

interface Home {
  readonly opaque?: boolean;
  readonly imports?: boolean;
  readonly translate?: (key: Key) => unknown;
}

/** Makes keys of its own, and signs with these only. */
function home(name: string, { opaque = false, imports = true, translate }: Home = {}) {
  const translations: Key[] = [];
  const provider = defineProvider({
    name,
    version: '1',
    services: [
      keyPairGeneratorService({
        algorithm: 'EC',
        newInstance: () => ({
          initialize: () => {},
          generateKeyPair: () => ({
            publicKey: new Public(),
            privateKey: opaque ? new Opaque(name) : new Exportable(name),
          }),
        }),
      }),
      keyFactoryService({
        algorithm: 'EC',
        importsPrivateKeys: imports,
        newInstance: () => ({
          generatePublic: () => new Public(),
          generatePrivate: () => new Exportable(name),
          getKeySpec: (() => ({})) as never,
          translateKey: (key) => {
            translations.push(key);
            if (translate !== undefined) return translate(key) as Key;
            if (key.kind === 'public') return new Public();
            return key instanceof Exportable && key.home === name ? key : new Exportable(name);
          },
        }),
      }),
      signatureService({
        algorithm: ALGORITHM,
        importsPrivateKeys: imports,
        sign: (key) => {
          if (!(key instanceof Exportable) || key.home !== name) throw new InvalidKeyError('a strange key');
          return bytes(name);
        },
        verify: () => true,
      }),
    ],
  });
  return { provider, translations };
}

const generate = (context: SecurityContext, provider: string) =>
  KeyPairGenerator.getInstance('EC', { context, provider }).generateKeyPair();

describe('Translation', () => {
  test('happens once for a key and a provider, and ends with the key', () => {
    const [a, b] = [home('A'), home('B')];
    const context = new SecurityContext({ providers: [a.provider, b.provider] });
    const { privateKey } = generate(context, 'A');
    const signature = Signature.getInstance(ALGORITHM, { context, provider: 'B' });
    for (let i = 0; i < 3; i++) expect(signature.initSign(privateKey).sign()).toEqual(bytes('B'));
    expect(b.translations).toEqual([privateKey]);
    expect(a.translations).toEqual([]);
    const translated = KeyFactory.getInstance('EC', { context, provider: 'B' }).translateKey(privateKey) as Exportable;
    expect(translated.home).toBe('B');
    privateKey.destroy();
    expect(translated.wiped).toBe(true);
    expect(() => signature.sign()).toThrow(KeyDestroyedError);
    expect(() => signature.initSign(privateKey)).toThrow(KeyDestroyedError);
  });

  test('a key that cannot leave is offered to its own provider only', () => {
    const [a, b] = [home('A'), home('B', { opaque: true })];
    const context = new SecurityContext({ providers: [a.provider, b.provider] });
    const { privateKey } = generate(context, 'B');
    expect(Signature.getInstance(ALGORITHM, { context }).initSign(privateKey).provider?.name).toBe('B');
    expect(a.translations).toEqual([]);
    const atA = Signature.getInstance(ALGORITHM, { context, provider: 'A' });
    expect(() => atA.initSign(privateKey)).toThrow(/cannot leave the provider B/);
    const explained = context.explain('Signature', ALGORITHM, privateKey);
    expect(explained.candidates.map(({ taken }) => taken)).toEqual([false, true]);
  });

  test('private keys go only to services that import them, public keys anywhere', () => {
    const [token, soft] = [home('T', { imports: false }), home('S')];
    const context = new SecurityContext({ providers: [token.provider, soft.provider] });
    const { privateKey, publicKey } = generate(context, 'S');
    expect(Signature.getInstance(ALGORITHM, { context }).initSign(privateKey).provider?.name).toBe('S');
    expect(token.translations).toEqual([]);
    expect(Signature.getInstance(ALGORITHM, { context }).initVerify(publicKey).provider?.name).toBe('T');
    const node = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(Signature.getInstance(ALGORITHM, { context }).initSign(node.privateKey).provider?.name).toBe('S');
    expect(token.translations.every(({ kind }) => kind === 'public')).toBe(true);
  });

  test('the policy is asked before a key is translated', () => {
    const [a, b] = [home('A'), home('B')];
    const context = new SecurityContext({
      providers: [a.provider, b.provider],
      disabledAlgorithms: ['KeyFactory.EC usage import'],
    });
    const { privateKey } = generate(context, 'A');
    const signature = Signature.getInstance(ALGORITHM, { context, provider: 'B' });
    expect(() => signature.initSign(privateKey)).toThrow(AlgorithmDisabledError);
    expect(b.translations).toEqual([]);
  });

  test('a translation into something else is a ProviderError', () => {
    for (const junk of [null, {}, new Public(), Promise.reject(new Error('later'))]) {
      const [a, b] = [home('A'), home('B', { translate: () => junk })];
      const context = new SecurityContext({ providers: [a.provider, b.provider] });
      const { privateKey } = generate(context, 'A');
      const signature = Signature.getInstance(ALGORITHM, { context, provider: 'B' });
      expect(() => signature.initSign(privateKey)).toThrow(ProviderError);
    }
  });
});

describe('Keys of the platform', () => {
  const context = new SecurityContext({ providers: [home('A').provider] });

  test('a KeyObject is taken as a key and shows no secret', () => {
    const seen: Key[] = [];
    const { provider } = home('K', {
      translate: (key) => {
        seen.push(key);
        return key.kind === 'public' ? new Public() : new Exportable('K');
      },
    });
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
    const options = { context: new SecurityContext({ providers: [provider] }) };
    Signature.sign(ALGORITHM, privateKey, bytes('m'), options);
    Signature.verify(ALGORITHM, publicKey, bytes('m'), bytes('s'), options);
    const [own, peer] = seen;
    expect(own).toBeInstanceOf(KeyObjectPrivateKey);
    expect(peer).toBeInstanceOf(KeyObjectPublicKey);
    expect(own?.describe()).toEqual({ kind: 'private', algorithm: 'EC', curve: 'secp384r1', size: 384 });
    expect(Buffer.from(own?.encoded ?? [])).toEqual(privateKey.export({ format: 'der', type: 'pkcs8' }));
    expect(Buffer.from(peer?.encoded ?? [])).toEqual(publicKey.export({ format: 'der', type: 'spki' }));
    own?.destroy();
    expect(() => own?.encoded).toThrow(KeyDestroyedError);
  });

  test('a CryptoKey is taken by the asynchronous façades; one that is not extractable stays opaque', async () => {
    const seen: Key[] = [];
    const provider = defineProvider({
      name: 'W',
      version: '1',
      services: [
        signatureService({
          algorithm: ALGORITHM,
          mode: 'async',
          importsPrivateKeys: true,
          sign: async (key, data) => {
            seen.push(key);
            return data;
          },
        }),
      ],
    });
    const options = { context: new SecurityContext({ providers: [provider] }) };
    for (const extractable of [true, false]) {
      const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, extractable, [
        'sign',
      ]);
      await AsyncSignature.sign(ALGORITHM, privateKey, bytes('m'), options);
      const key = seen.at(-1);
      expect(key).toBeInstanceOf(CryptoKeyPrivateKey);
      expect(key?.describe()).toEqual({ kind: 'private', algorithm: 'EC', curve: 'secp256r1', size: 256 });
      expect(key?.format).toBe(extractable ? 'PKCS#8' : undefined);
      expect(key?.encoded === undefined).toBe(!extractable);
      const signature = Signature.getInstance(ALGORITHM, { context });
      expect(() => signature.initSign(privateKey as never)).toThrow(/asynchronous/);
    }
  });

  test('what is no key is refused as such', () => {
    const signature = Signature.getInstance(ALGORITHM, { context });
    for (const junk of [undefined, null, 'key', {}, new Uint8Array(32), { type: 'private' }]) {
      expect(() => signature.initSign(junk as never)).toThrow(InvalidKeyError);
    }
  });
});
