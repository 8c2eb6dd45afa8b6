import { describe, expect, it } from 'vitest';
import { isOpenSslAvailable, OpenSslProvider } from '../../../providers/openssl/index.ts';
import { algorithmRows } from '../../../spi/names.ts';
import { type AnyService, SERVICE_TYPES, type ServiceContext, type ServiceType } from '../../../spi/service.ts';

const NOT_SERVED = ['NONEwithECDSA', 'NONEwithECDSAinP1363Format'];

const context: ServiceContext = {
  random: () => undefined,
  customRandom: false,
  nonce: 'hedged',
  engines: {},
  candidates: [],
};

describe('the provider OpenSSL', () => {
  const provider = new OpenSslProvider();

  function service(type: ServiceType, name: string): AnyService | undefined {
    return provider.services.find(
      (candidate) => candidate.type === type && [candidate.algorithm, ...candidate.aliases].includes(name),
    );
  }

  it('is there in Node and says which OpenSSL it is', () => {
    expect(isOpenSslAvailable()).toBe(true);
    expect(provider.name).toBe('OpenSSL');
    expect(provider.version).toBe(process.versions.openssl);
  });

  it.each(SERVICE_TYPES)('serves every %s of the table but signatures of bare digests', (type) => {
    const missing = algorithmRows(type).flatMap(({ name }) => (service(type, name) === undefined ? [name] : []));
    expect(missing).toEqual(type === 'Signature' ? NOT_SERVED : []);
  });

  it('finds services by their OIDs', () => {
    expect(service('Signature', '1.2.840.10045.4.3.2')?.algorithm).toBe('SHA256withECDSA');
    expect(service('KeyFactory', '1.3.101.112')?.algorithm).toBe('Ed25519');
    expect(service('MessageDigest', '2.16.840.1.101.3.4.2.6')?.algorithm).toBe('SHA-512/256');
  });

  it('makes an instance of every service, and one for each call', () => {
    for (const { newInstance, importsPrivateKeys } of provider.services) {
      expect(newInstance(context)).not.toBe(newInstance(context));
      expect(importsPrivateKeys).toBe(true);
    }
  });

  it('tells keys that it cannot use from those that it can', () => {
    const generate = (algorithm: string) => {
      const generator = service('KeyPairGenerator', algorithm);
      if (generator?.type !== 'KeyPairGenerator' || generator.mode !== 'sync')
        throw new Error(`${algorithm} is missing`);
      return generator.newInstance(context).generateKeyPair();
    };
    const ec = generate('EC').publicKey;
    const ed = generate('Ed448').publicKey;
    const x = generate('X25519').publicKey;
    const supports = (type: 'Signature' | 'KeyAgreement', algorithm: string) =>
      [ec, ed, x].map((key) => service(type, algorithm)?.supportsKey(key) === true);
    expect(supports('Signature', 'SHA256withECDSA')).toEqual([true, false, false]);
    expect(supports('Signature', 'EdDSA')).toEqual([false, true, false]);
    expect(supports('Signature', 'Ed25519')).toEqual([false, false, false]);
    expect(supports('KeyAgreement', 'ECDH')).toEqual([true, false, false]);
    expect(supports('KeyAgreement', 'XDH')).toEqual([false, false, true]);
    expect(service('Signature', 'Ed25519')?.supportsKey(ed)).toMatch(/Ed448/);
  });

  it('refuses a random source of the caller and curves that it does not have', () => {
    const generator = service('KeyPairGenerator', 'EC');
    expect(generator?.supportsOptions({ use: 'generate', random: () => undefined })).toMatch(/random source/);
    expect(generator?.supportsOptions({ use: 'generate', size: 255 })).toMatch(/255/);
    expect(generator?.supportsOptions({ use: 'generate', size: 384 })).toBe(true);
    if (generator?.type !== 'KeyPairGenerator' || generator.mode !== 'sync') throw new Error('no generator');
    const own = generator.newInstance({ ...context, customRandom: true });
    expect(() => own.initialize(256, {})).toThrow(/random source/);
    expect(() => own.generateKeyPair()).toThrow(/random source/);
  });
});
