import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { curves } from '../../../providers/openssl/curves.ts';
import { OpenSslKeyFactory } from '../../../providers/openssl/key-factory.ts';
import { EcKeyPairGenerator, OkpKeyPairGenerator } from '../../../providers/openssl/key-pair-generator.ts';
import { OKP_CURVES } from '../../../providers/openssl/okp.ts';
import { InvalidKeySpecError, KeyDestroyedError } from '../../../spi/errors.ts';
import {
  CompressedRawKeySpec,
  ECGenParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  JwkKeySpec,
  type KeySpecClass,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../../spi/key-specs.ts';

function ecPair(curve: string) {
  const generator = new EcKeyPairGenerator();
  generator.initialize(new ECGenParameterSpec(curve), {});
  return generator.generateKeyPair();
}

function okpPair(name: string) {
  return new OkpKeyPairGenerator(name).generateKeyPair();
}

const PUBLIC_FORMS: readonly KeySpecClass[] = [
  X509EncodedKeySpec,
  PemKeySpec,
  RawKeySpec,
  CompressedRawKeySpec,
  ECPublicKeySpec,
];
const PRIVATE_FORMS: readonly KeySpecClass[] = [
  PKCS8EncodedKeySpec,
  PemKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  ECPrivateKeySpec,
];

describe('EC keys of OpenSSL', () => {
  const factory = new OpenSslKeyFactory('EC');

  it.each(curves().map(({ name }) => name))('pass through every form and back on %s', (name) => {
    const { publicKey, privateKey } = ecPair(name);
    for (const form of PUBLIC_FORMS) {
      expect(factory.generatePublic(factory.getKeySpec(publicKey, form)).equals(publicKey), form.name).toBe(true);
    }
    for (const form of PRIVATE_FORMS) {
      expect(factory.generatePrivate(factory.getKeySpec(privateKey, form)).equals(privateKey), form.name).toBe(true);
    }
  });

  it.each(['secp256r1', 'secp384r1', 'secp521r1', 'secp256k1'])('have a JWK form on %s', (name) => {
    const { publicKey, privateKey } = ecPair(name);
    expect(factory.generatePublic(factory.getKeySpec(publicKey, JwkKeySpec)).equals(publicKey)).toBe(true);
    expect(factory.generatePrivate(factory.getKeySpec(privateKey, JwkKeySpec)).equals(privateKey)).toBe(true);
  });

  it('say that a curve without a JOSE name has no JWK form', () => {
    expect(() => factory.getKeySpec(ecPair('brainpoolP320r1').publicKey, JwkKeySpec)).toThrow(InvalidKeySpecError);
  });

  it('are encoded byte for byte as node:crypto encodes them', () => {
    for (const namedCurve of ['prime256v1', 'secp521r1', 'brainpoolP320r1', 'sect283k1']) {
      const theirs = generateKeyPairSync('ec', { namedCurve });
      const spki = theirs.publicKey.export({ type: 'spki', format: 'der' });
      const pkcs8 = theirs.privateKey.export({ type: 'pkcs8', format: 'der' });
      const sec1 = theirs.privateKey.export({ type: 'sec1', format: 'der' });
      expect(Buffer.from(factory.generatePublic(new X509EncodedKeySpec(spki)).encoded ?? []).equals(spki)).toBe(true);
      const ours = factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      expect(Buffer.from(ours.encoded ?? []).equals(pkcs8)).toBe(true);
      expect(factory.generatePrivate(new Sec1EncodedKeySpec(sec1)).equals(ours)).toBe(true);
    }
  });

  it('get their public part when the encoding leaves it out', () => {
    const { privateKey } = ecPair('secp256r1');
    const scalar = factory.getKeySpec(privateKey, RawKeySpec);
    const again = factory.generatePrivate(scalar);
    expect(again.encoded).toEqual(privateKey.encoded);
  });

  it('are refused when d is 0, n or more', () => {
    for (const curve of curves()) {
      const zero = new Uint8Array(curve.order.length);
      const above = new Uint8Array(curve.order.length).fill(0xff);
      for (const bytes of [zero, curve.order, above]) {
        expect(() => factory.generatePrivate(new RawKeySpec(bytes, { curve: curve.name })), curve.name).toThrow(
          InvalidKeySpecError,
        );
      }
      const last = Uint8Array.from(curve.order);
      last[last.length - 1] = (last[last.length - 1] ?? 0) - 1;
      expect(factory.generatePrivate(new RawKeySpec(last, { curve: curve.name })).curve).toBe(curve.name);
    }
  });

  it('are refused when the point is at infinity, off the curve, hybrid, cut off or out of range', () => {
    for (const curve of curves()) {
      const point = factory.getKeySpec(ecPair(curve.name).publicKey, RawKeySpec).bytes;
      const off = Uint8Array.from(point);
      off[off.length - 1] = (off[off.length - 1] ?? 0) ^ 1;
      const hybrid = Uint8Array.from(point);
      hybrid[0] = 6;
      const range = Uint8Array.from(point).fill(0xff, 1);
      for (const bytes of [Uint8Array.of(0), new Uint8Array(0), off, hybrid, range, point.subarray(0, -1)]) {
        expect(() => factory.generatePublic(new RawKeySpec(bytes, { curve: curve.name })), curve.name).toThrow(
          InvalidKeySpecError,
        );
      }
    }
  });

  it('are refused when the point has a small order', () => {
    // (0, sqrt(b)) has order 2 on a binary curve; b = 1 on sect163k1.
    const point = new Uint8Array(43);
    point[0] = 4;
    point[42] = 1;
    expect(() => factory.generatePublic(new RawKeySpec(point, { curve: 'sect163k1' }))).toThrow(/order/);
  });

  it('are refused when public and private part do not belong together', () => {
    for (const name of ['secp256r1', 'prime239v1']) {
      const a = factory.getKeySpec(ecPair(name).privateKey, PKCS8EncodedKeySpec).encoded;
      const b = factory.getKeySpec(ecPair(name).privateKey, PKCS8EncodedKeySpec).encoded;
      const width = factory.getKeySpec(ecPair(name).publicKey, RawKeySpec).bytes.length;
      const mixed = Uint8Array.of(...a.subarray(0, -width), ...b.subarray(-width));
      expect(() => factory.generatePrivate(new PKCS8EncodedKeySpec(mixed))).toThrow(/belong together/);
    }
  });
});

describe('25519 and 448 keys of OpenSSL', () => {
  it.each(OKP_CURVES.map(({ name }) => name))('pass through every form and back: %s', (name) => {
    const factory = new OpenSslKeyFactory(name);
    const { publicKey, privateKey } = okpPair(name);
    for (const form of [X509EncodedKeySpec, PemKeySpec, RawKeySpec, JwkKeySpec] as KeySpecClass[]) {
      expect(factory.generatePublic(factory.getKeySpec(publicKey, form)).equals(publicKey), form.name).toBe(true);
    }
    for (const form of [PKCS8EncodedKeySpec, PemKeySpec, RawKeySpec, JwkKeySpec] as KeySpecClass[]) {
      expect(factory.generatePrivate(factory.getKeySpec(privateKey, form)).equals(privateKey), form.name).toBe(true);
    }
  });

  it('keep a u-coordinate that is not canonical (RFC 7748)', () => {
    const bytes = new Uint8Array(32).fill(0xff);
    const key = new OpenSslKeyFactory('X25519').generatePublic(new RawKeySpec(bytes, { curve: 'X25519' }));
    expect(key.encoded?.subarray(-32)).toEqual(bytes);
  });

  it('are refused as Edwards points when y is not canonical or no point has it', () => {
    const p25519 = Uint8Array.of(0xed, ...new Uint8Array(30).fill(0xff), 0x7f);
    const negativeZero = Uint8Array.of(1, ...new Uint8Array(30), 0x80);
    const notSquare = Uint8Array.of(2, ...new Uint8Array(31));
    for (const bytes of [p25519, negativeZero, notSquare]) {
      expect(() =>
        new OpenSslKeyFactory('Ed25519').generatePublic(new RawKeySpec(bytes, { curve: 'Ed25519' })),
      ).toThrow(InvalidKeySpecError);
    }
    const ed448 = new Uint8Array(57).fill(0xff);
    expect(() => new OpenSslKeyFactory('Ed448').generatePublic(new RawKeySpec(ed448, { curve: 'Ed448' }))).toThrow(
      InvalidKeySpecError,
    );
  });

  it('are accepted as Edwards points for every key that OpenSSL generates', () => {
    for (const name of ['Ed25519', 'Ed448']) {
      const factory = new OpenSslKeyFactory('EdDSA');
      for (let i = 0; i < 50; i++) {
        const { publicKey } = okpPair(name);
        expect(factory.generatePublic(new X509EncodedKeySpec(publicKey.encoded ?? new Uint8Array())).curve).toBe(name);
      }
    }
  });

  it('are refused by the factory of another curve', () => {
    const spec = new OpenSslKeyFactory('X448').getKeySpec(okpPair('X448').publicKey, X509EncodedKeySpec);
    for (const other of ['X25519', 'EdDSA', 'EC']) {
      expect(() => new OpenSslKeyFactory(other).generatePublic(spec)).toThrow(InvalidKeySpecError);
    }
    expect(new OpenSslKeyFactory('XDH').generatePublic(spec).curve).toBe('X448');
  });
});

describe('every key of OpenSSL', () => {
  it('shows what it is and never what it holds', () => {
    const { privateKey } = ecPair('secp256r1');
    const secret = new OpenSslKeyFactory('EC').getKeySpec(privateKey, RawKeySpec).bytes;
    const shown = [privateKey.toString(), JSON.stringify(privateKey), inspect(privateKey, { showHidden: true })].join();
    expect(shown).toContain('secp256r1');
    expect(shown).not.toContain(Buffer.from(secret).toString('hex'));
    expect(shown).not.toContain('KeyObject');
  });

  it('fails every use once it is destroyed', () => {
    const { publicKey, privateKey } = ecPair('secp256r1');
    for (const key of [publicKey, privateKey]) {
      key.destroy();
      expect(() => key.encoded).toThrow(KeyDestroyedError);
      expect(() => new OpenSslKeyFactory('EC').getKeySpec(key, PemKeySpec)).toThrow(KeyDestroyedError);
      expect(() => new OpenSslKeyFactory('EC').translateKey(key)).toThrow(KeyDestroyedError);
    }
  });

  it('differs from every other key', () => {
    const a = ecPair('secp256r1');
    const b = ecPair('secp256r1');
    expect(a.privateKey.equals(b.privateKey)).toBe(false);
    expect(a.publicKey.equals(b.publicKey)).toBe(false);
    expect(a.publicKey.equals(a.privateKey)).toBe(false);
    expect(a.privateKey.equals(ecPair('secp256k1').privateKey)).toBe(false);
  });

  it('is read by node:crypto in every encoding it writes', () => {
    const factory = new OpenSslKeyFactory('EC');
    const { publicKey, privateKey } = ecPair('secp384r1');
    const pem = factory.getKeySpec(privateKey, PemKeySpec).pem;
    const derived = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' });
    expect(derived.equals(Buffer.from(publicKey.encoded ?? []))).toBe(true);
  });
});
