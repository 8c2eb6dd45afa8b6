import { createECDH, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidParameterError,
  ProviderError,
} from '../../../spi/errors.ts';
import {
  ECGenParameterSpec,
  NamedParameterSpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  X509EncodedKeySpec,
} from '../../../spi/key-specs.ts';
import { bytes, context, hex, spi } from './support.ts';

const factory = spi('KeyFactory', 'EC');
const generate = () => {
  const generator = spi('KeyPairGenerator', 'EC');
  generator.initialize(undefined, {});
  return generator.generateKeyPair();
};

describe('ECDH', () => {
  it('agrees with node:crypto in both directions', () => {
    for (let i = 0; i < 10; i++) {
      const ours = generate();
      const theirs = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const agreement = spi('KeyAgreement', 'ECDH');
      agreement.init(ours.privateKey, {});
      const spki = theirs.publicKey.export({ format: 'der', type: 'spki' });
      agreement.doPhase(factory.generatePublic(new X509EncodedKeySpec(spki)));
      const secret = agreement.generateSecret();
      const expected = diffieHellman({
        privateKey: theirs.privateKey,
        publicKey: createPublicKey({ key: Buffer.from(ours.publicKey.encoded ?? []), format: 'der', type: 'spki' }),
      });
      expect(hex(secret)).toBe(expected.toString('hex'));
    }
  });

  it('is as freshly initialised after generateSecret, and gives fresh bytes', () => {
    const [a, b] = [generate(), generate()];
    const agreement = spi('KeyAgreement', 'ECDH');
    agreement.init(a.privateKey, {});
    agreement.doPhase(b.publicKey);
    const first = agreement.generateSecret();
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
    agreement.doPhase(b.publicKey);
    const second = agreement.generateSecret();
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    agreement.doPhase(b.publicKey);
    agreement.reset();
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
  });

  it('refuses wrong keys, parameters and calls out of order', () => {
    const { privateKey, publicKey } = generate();
    const agreement = spi('KeyAgreement', 'ECDH');
    expect(() => agreement.doPhase(publicKey)).toThrow(IllegalStateError);
    agreement.init(privateKey, {});
    expect(() => agreement.doPhase(privateKey as never)).toThrow(InvalidKeyError);
    const parameters = new ECGenParameterSpec('P-256');
    expect(() => agreement.init(privateKey, { parameters })).toThrow(InvalidAlgorithmParameterError);
    expect(() => agreement.doPhase(publicKey)).toThrow(IllegalStateError);
    expect(() => agreement.init(publicKey as never, {})).toThrow(InvalidKeyError);
  });
});

describe('KeyPairGenerator EC', () => {
  it('makes pairs that belong together, on secp256r1 by default, by size and by any name', () => {
    const generator = spi('KeyPairGenerator', 'EC');
    for (const parameters of [
      undefined,
      256,
      'secp256r1',
      'P-256',
      'NIST P-256',
      'OID.1.2.840.10045.3.1.7',
      'PRIME256V1',
    ]) {
      generator.initialize(typeof parameters === 'string' ? new ECGenParameterSpec(parameters) : parameters, {});
      const { publicKey, privateKey } = generator.generateKeyPair();
      expect(publicKey.curve).toBe('secp256r1');
      const derived = factory.generatePublic(new PKCS8EncodedKeySpec(privateKey.encoded ?? bytes('')));
      expect(derived.equals(publicKey)).toBe(true);
      const node = createPrivateKey({ key: Buffer.from(privateKey.encoded ?? []), format: 'der', type: 'pkcs8' });
      expect(createPublicKey(node).export({ format: 'der', type: 'spki' }).toString('hex')).toBe(
        hex(publicKey.encoded ?? bytes('')),
      );
      publicKey.destroy();
      expect(privateKey.destroyed).toBe(false);
      expect(factory.generatePublic(new PKCS8EncodedKeySpec(privateKey.encoded ?? bytes(''))).equals(derived)).toBe(
        true,
      );
    }
  });

  it('works without initialize', () => {
    expect(spi('KeyPairGenerator', 'EC').generateKeyPair().privateKey.size).toBe(256);
  });

  it('takes its randomness from the call, else from the context', () => {
    const counting = (value: number) => {
      const source = { calls: 0, random: (target: Uint8Array) => void target.fill(value, 0, ++source.calls + 8) };
      return source;
    };
    const ofContext = counting(1);
    const ofCall = counting(2);
    const generator = spi('KeyPairGenerator', 'EC', { context: { ...context, random: ofContext.random } });
    generator.initialize(256, { random: ofCall.random });
    const first = generator.generateKeyPair();
    expect([ofContext.calls, ofCall.calls]).toEqual([0, 1]);
    generator.initialize(256, {});
    const second = generator.generateKeyPair();
    expect([ofContext.calls, ofCall.calls]).toEqual([1, 1]);
    expect(first.privateKey.equals(second.privateKey)).toBe(false);
  });

  it('reduces 320 random bits to 1 … n − 1', () => {
    const n = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
    for (const fill of [0xff, 0x01, 0x80]) {
      const generator = spi('KeyPairGenerator', 'EC');
      generator.initialize(256, { random: (target) => target.fill(fill) });
      const { privateKey, publicKey } = generator.generateKeyPair();
      const wide = BigInt(`0x${fill.toString(16).padStart(2, '0').repeat(40)}`);
      const expected = ((wide % (n - 1n)) + 1n).toString(16).padStart(64, '0');
      expect(hex(factory.getKeySpec(privateKey, RawKeySpec).bytes)).toBe(expected);
      const ecdh = createECDH('prime256v1');
      ecdh.setPrivateKey(expected, 'hex');
      expect(hex(factory.getKeySpec(publicKey, RawKeySpec).bytes)).toBe(ecdh.getPublicKey('hex'));
    }
  });

  it('refuses sizes, curves and sources that are of no use', () => {
    const generator = spi('KeyPairGenerator', 'EC');
    for (const size of [0, 255, 112, 512, Number.NaN]) {
      expect(() => generator.initialize(size, {})).toThrow(InvalidParameterError);
    }
    for (const name of ['secp192r1', 'nonsense', '']) {
      expect(() => generator.initialize(new ECGenParameterSpec(name), {})).toThrow(InvalidAlgorithmParameterError);
    }
    expect(() => generator.initialize(new NamedParameterSpec('X25519'), {})).toThrow(InvalidAlgorithmParameterError);
    generator.initialize(256, { random: () => {} });
    expect(() => generator.generateKeyPair()).toThrow(ProviderError);
  });
});
