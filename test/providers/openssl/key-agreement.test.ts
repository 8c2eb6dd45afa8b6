import * as crypto from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { curves } from '../../../providers/openssl/curves.ts';
import {
  agreementSupportsOptions,
  EcdhKeyAgreement,
  XdhKeyAgreement,
} from '../../../providers/openssl/key-agreement.ts';
import { OpenSslKeyFactory } from '../../../providers/openssl/key-factory.ts';
import { EcKeyPairGenerator, OkpKeyPairGenerator } from '../../../providers/openssl/key-pair-generator.ts';
import { IllegalStateError, InvalidKeyError } from '../../../spi/errors.ts';
import { ECGenParameterSpec, NamedParameterSpec, RawKeySpec } from '../../../spi/key-specs.ts';

function ecPair(curve: string) {
  const generator = new EcKeyPairGenerator();
  generator.initialize(new ECGenParameterSpec(curve), {});
  return generator.generateKeyPair();
}

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

describe('ECDH of OpenSSL', () => {
  it.each(curves().map((curve) => [curve.name, curve] as const))(
    'agrees both ways and with the ECDH class on %s',
    (name, curve) => {
      const factory = new OpenSslKeyFactory('EC');
      const a = ecPair(name);
      const b = ecPair(name);
      const secrets = [
        [a.privateKey, b.publicKey],
        [b.privateKey, a.publicKey],
      ].map(([own, peer]) => {
        const agreement = new EcdhKeyAgreement('ECDH');
        agreement.init(own as typeof a.privateKey, {});
        agreement.doPhase(peer as typeof a.publicKey);
        return agreement.generateSecret();
      });
      expect(secrets[0]).toEqual(secrets[1]);
      expect(secrets[0]?.length).toBe(curve.fieldBytes);
      const ecdh = crypto.createECDH(curve.nodeName);
      ecdh.setPrivateKey(factory.getKeySpec(a.privateKey, RawKeySpec).bytes);
      const theirs = ecdh.computeSecret(factory.getKeySpec(b.publicKey, RawKeySpec).bytes);
      expect(Buffer.from(secrets[0] ?? []).equals(theirs)).toBe(true);
    },
  );

  it('refuses a peer on another curve and keeps its own key', () => {
    const own = ecPair('secp256r1');
    const agreement = new EcdhKeyAgreement('ECDH');
    agreement.init(own.privateKey, {});
    expect(() => agreement.doPhase(ecPair('secp256k1').publicKey)).toThrow(InvalidKeyError);
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
    agreement.doPhase(own.publicKey);
    expect(agreement.generateSecret().length).toBe(32);
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
  });
});

describe('X25519 and X448 of OpenSSL', () => {
  it('compute the examples of RFC 7748, section 6', () => {
    for (const [name, privateKey, publicKey, secret] of [
      [
        'X25519',
        '77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a',
        'de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f',
        '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742',
      ],
      [
        'X448',
        '9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b',
        '3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b43027d8b972fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609',
        '07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282bb60c0b56fd2464c335543936521c24403085d59a449a5037514a879d',
      ],
    ] as const) {
      const factory = new OpenSslKeyFactory(name);
      const agreement = new XdhKeyAgreement(name);
      agreement.init(factory.generatePrivate(new RawKeySpec(hex(privateKey), { curve: name })), {});
      agreement.doPhase(factory.generatePublic(new RawKeySpec(hex(publicKey), { curve: name })));
      expect(Buffer.from(agreement.generateSecret()).toString('hex')).toBe(secret);
    }
  });

  it('refuse in doPhase a peer that gives an all-zero secret', () => {
    for (const name of ['X25519', 'X448'] as const) {
      const factory = new OpenSslKeyFactory(name);
      const agreement = new XdhKeyAgreement('XDH');
      agreement.init(new OkpKeyPairGenerator(name).generateKeyPair().privateKey, {});
      const width = name === 'X25519' ? 32 : 56;
      for (const u of [0, 1]) {
        const bytes = new Uint8Array(width);
        bytes[0] = u;
        const peer = factory.generatePublic(new RawKeySpec(bytes, { curve: name }));
        expect(() => agreement.doPhase(peer)).toThrow(InvalidKeyError);
      }
    }
  });

  it('refuse the keys of the other curve and parameters that do not fit', () => {
    const x448 = new OkpKeyPairGenerator('X448').generateKeyPair();
    const x25519 = new OkpKeyPairGenerator('X25519').generateKeyPair();
    expect(() => new XdhKeyAgreement('X25519').init(x448.privateKey, {})).toThrow(InvalidKeyError);
    const agreement = new XdhKeyAgreement('XDH');
    agreement.init(x448.privateKey, { parameters: new NamedParameterSpec('x448') });
    expect(() => agreement.doPhase(x25519.publicKey)).toThrow(InvalidKeyError);
    expect(() => agreement.init(x448.privateKey, { parameters: new NamedParameterSpec('X25519') })).toThrow(/X25519/);
    expect(agreementSupportsOptions('ECDH')({ use: 'agree', parameters: new NamedParameterSpec('X448') })).toMatch(
      /no/,
    );
    expect(agreementSupportsOptions('X448')({ use: 'agree', parameters: new NamedParameterSpec('X25519') })).toMatch(
      /not/,
    );
  });
});
