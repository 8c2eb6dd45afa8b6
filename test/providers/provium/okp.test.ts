// EdDSA and XDH of the provider: services, keys in all forms, criteria, against node:crypto and the RFCs.

import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  sign as nodeSign,
  verify as nodeVerify,
  randomBytes,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OpenSslProvider } from '../../../providers/openssl/index.ts';
import { portableHashes } from '../../../providers/provium/hashing.ts';
import {
  type EdPrivateKey,
  EdPublicKey,
  type OkpPrivate,
  type OkpPublic,
} from '../../../providers/provium/okp-keys.ts';
import {
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  InvalidParameterError,
  KeyDestroyedError,
  ProviderError,
} from '../../../spi/errors.ts';
import {
  ECGenParameterSpec,
  EdDSAParameterSpec,
  JwkKeySpec,
  type KeySpecClass,
  NamedParameterSpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../../spi/key-specs.ts';
import type { VerifyOptions } from '../../../spi/service.ts';
import { rfc8032 } from '../../engines/edwards-support.ts';
import { bytes, context, hex, provider, spi, text } from './support.ts';

type Name = 'Ed25519' | 'Ed448' | 'X25519' | 'X448';
const NAMES: readonly Name[] = ['Ed25519', 'Ed448', 'X25519', 'X448'];
const EDDSA = ['Ed25519', 'Ed448'] as const;
const XDH = ['X25519', 'X448'] as const;
const family = (name: Name) => (name.startsWith('Ed') ? 'EdDSA' : 'XDH');

const generate = (name: Name) =>
  spi('KeyPairGenerator', name).generateKeyPair() as { publicKey: OkpPublic; privateKey: OkpPrivate };
const nodePrivate = (key: OkpPrivate): KeyObject =>
  createPrivateKey({ key: Buffer.from(key.encoded), format: 'der', type: 'pkcs8' });
const nodePublic = (key: OkpPublic): KeyObject =>
  createPublicKey({ key: Buffer.from(key.encoded!), format: 'der', type: 'spki' });

describe('key pair generators', () => {
  it.each([
    ['EdDSA', undefined, 'Ed25519'],
    ['EdDSA', 448, 'Ed448'],
    ['EdDSA', new NamedParameterSpec('1.3.101.113'), 'Ed448'],
    ['Ed448', undefined, 'Ed448'],
    ['Ed25519', 255, 'Ed25519'],
    ['XDH', undefined, 'X25519'],
    ['XDH', new NamedParameterSpec('x448'), 'X448'],
    ['X448', new ECGenParameterSpec('X448'), 'X448'],
  ] as const)('%s makes keys for what %s means', (algorithm, parameters, curve) => {
    const generator = spi('KeyPairGenerator', algorithm);
    generator.initialize(parameters, {});
    const { publicKey, privateKey } = generator.generateKeyPair();
    expect([publicKey.curve, privateKey.curve]).toEqual([curve, curve]);
    expect(publicKey.algorithm).toBe(family(curve));
    expect(publicKey.size).toBe(curve.endsWith('25519') ? 255 : 448);
    expect((privateKey as OkpPrivate).publicKey().equals(publicKey)).toBe(true);
  });

  it('refuse what they do not make, and say so before', () => {
    const service = provider().service('KeyPairGenerator', 'Ed25519');
    expect(service?.supportsOptions({ use: 'generate', size: 448 })).toMatch(/448/);
    expect(service?.supportsOptions({ use: 'generate', parameters: new NamedParameterSpec('Ed448') })).toMatch(/Ed448/);
    expect(service?.supportsOptions({ use: 'generate', parameters: new EdDSAParameterSpec() })).toMatch(/EdDSAParam/);
    expect(service?.supportsOptions({ use: 'generate', random: () => {} })).toBe(true);
    expect(() => spi('KeyPairGenerator', 'XDH').initialize(256, {})).toThrow(InvalidParameterError);
    const wrong = new NamedParameterSpec('Ed25519');
    expect(() => spi('KeyPairGenerator', 'X25519').initialize(wrong, {})).toThrow(InvalidAlgorithmParameterError);
  });

  it('take the random source they are given', () => {
    const generator = spi('KeyPairGenerator', 'X25519');
    generator.initialize(undefined, { random: (target) => target.fill(7) });
    const raw = spi('KeyFactory', 'X25519').getKeySpec(generator.generateKeyPair().privateKey, RawKeySpec);
    expect(raw.bytes).toEqual(new Uint8Array(32).fill(7));
    generator.initialize(undefined, { random: () => {} });
    expect(() => generator.generateKeyPair()).toThrow(ProviderError);
  });
});

describe.each(NAMES)('keys for %s', (name) => {
  const factory = spi('KeyFactory', name);
  const { publicKey, privateKey } = generate(name);
  const PUBLIC: readonly KeySpecClass[] = [X509EncodedKeySpec, RawKeySpec, JwkKeySpec, PemKeySpec];
  const PRIVATE: readonly KeySpecClass[] = [PKCS8EncodedKeySpec, RawKeySpec, JwkKeySpec, PemKeySpec];

  it('go through every form and come back equal', () => {
    for (const kind of PUBLIC) {
      const again = factory.generatePublic(factory.getKeySpec(publicKey, kind));
      expect(again.equals(publicKey)).toBe(true);
    }
    for (const kind of PRIVATE) {
      const again = factory.generatePrivate(factory.getKeySpec(privateKey, kind)) as OkpPrivate;
      expect(again.equals(privateKey)).toBe(true);
      expect(again.publicKey().equals(publicKey)).toBe(true);
    }
    expect(() => factory.getKeySpec(privateKey, Sec1EncodedKeySpec)).toThrow(InvalidKeySpecError);
    expect(() => factory.getKeySpec(publicKey, PKCS8EncodedKeySpec)).toThrow(InvalidKeySpecError);
  });

  it('are the same to node:crypto', () => {
    const jwk = nodePrivate(privateKey).export({ format: 'jwk' });
    expect(factory.getKeySpec(privateKey, JwkKeySpec).jwk).toEqual(jwk);
    expect(hex(publicKey.encoded!)).toBe(
      createPublicKey(nodePrivate(privateKey)).export({ format: 'der', type: 'spki' }).toString('hex'),
    );
    const der = nodePrivate(privateKey).export({ format: 'der', type: 'pkcs8' });
    expect(hex(privateKey.encoded)).toBe(der.toString('hex'));
    const pem = String(nodePrivate(privateKey).export({ format: 'pem', type: 'pkcs8' }));
    expect(factory.generatePrivate(new PemKeySpec(pem)).equals(privateKey)).toBe(true);
    expect(factory.generatePublic(new PemKeySpec(pem)).equals(publicKey)).toBe(true);
  });

  it('are translated from and to the provider OpenSSL', () => {
    const openssl = new OpenSslProvider().service('KeyFactory', name)?.newInstance(context) as typeof factory;
    for (const key of [publicKey, privateKey]) {
      const theirs = openssl.translateKey(key);
      expect(theirs).not.toBe(key);
      expect(key.equals(theirs)).toBe(true);
      expect(factory.translateKey(theirs).equals(key)).toBe(true);
      expect(factory.translateKey(key)).toBe(key);
    }
    const spec = factory.getKeySpec(openssl.translateKey(publicKey), RawKeySpec);
    expect(factory.generatePublic(spec).equals(publicKey)).toBe(true);
  });

  it('differ from other keys', () => {
    const other = generate(name);
    expect(publicKey.equals(other.publicKey)).toBe(false);
    expect(privateKey.equals(other.privateKey)).toBe(false);
    expect(publicKey.equals(privateKey)).toBe(false);
  });

  it('are refused by the factory of another curve, and of wrong length', () => {
    const foreign = spi('KeyFactory', NAMES[(NAMES.indexOf(name) + 1) % 4]!);
    expect(() => foreign.generatePublic(factory.getKeySpec(publicKey, X509EncodedKeySpec))).toThrow(
      InvalidKeySpecError,
    );
    expect(() => foreign.generatePrivate(factory.getKeySpec(privateKey, PKCS8EncodedKeySpec))).toThrow(
      InvalidKeySpecError,
    );
    expect(() => foreign.translateKey(publicKey)).toThrow(InvalidKeyError);
    expect(() => spi('KeyFactory', 'EC').translateKey(publicKey)).toThrow(InvalidKeyError);
    const raw = new RawKeySpec(new Uint8Array(31), { curve: name });
    expect(() => factory.generatePublic(raw)).toThrow(InvalidKeySpecError);
    expect(() => factory.generatePrivate(raw)).toThrow(InvalidKeySpecError);
    expect(() => factory.generatePrivate(factory.getKeySpec(publicKey, X509EncodedKeySpec))).toThrow(
      InvalidKeySpecError,
    );
    expect(() => factory.generatePublic(new Sec1EncodedKeySpec(new Uint8Array(1)))).toThrow(InvalidKeySpecError);
  });

  it('show no secret and work no more once destroyed', () => {
    const pair = generate(name);
    expect(String(pair.privateKey)).toBe(`${family(name)} private key ${name} (${publicKey.size} bits)`);
    pair.privateKey.destroy();
    pair.publicKey.destroy();
    expect(() => pair.privateKey.encoded).toThrow(KeyDestroyedError);
    expect(() => pair.privateKey.publicKey()).toThrow(KeyDestroyedError);
    expect(() => pair.publicKey.encoded).toThrow(KeyDestroyedError);
    expect(() => factory.getKeySpec(pair.privateKey, RawKeySpec)).toThrow(KeyDestroyedError);
  });
});

describe.each(EDDSA)('Signature %s', (name) => {
  it('agrees with node:crypto on 200 keys, message by message', () => {
    const signer = spi('Signature', 'EdDSA');
    const verifier = spi('Signature', name);
    for (let round = 0; round < 200; round++) {
      const { publicKey, privateKey } = generate(name);
      const message = new Uint8Array(randomBytes(3 * round));
      signer.initSign(privateKey, {});
      signer.update(message.subarray(0, round));
      signer.update(message.subarray(round));
      const signature = signer.sign();
      expect(hex(signature)).toBe(nodeSign(null, message, nodePrivate(privateKey)).toString('hex'));
      expect(nodeVerify(null, message, nodePublic(publicKey), signature)).toBe(true);
      verifier.initVerify(publicKey, {});
      verifier.update(message);
      expect(verifier.verify(signature)).toBe(true);
      verifier.update(message);
      verifier.update(Uint8Array.of(1));
      expect(verifier.verify(signature)).toBe(false);
    }
  });

  it('gives the values of RFC 8032 in every mode, at once, in pieces and without node:crypto', () => {
    for (const portable of [false, true]) {
      const options = portable ? { provider: provider({ hashing: portableHashes() }) } : {};
      const factory = spi('KeyFactory', name, options);
      const signer = spi('Signature', name, options);
      for (const [scheme, vectors] of Object.entries(rfc8032())) {
        if (!scheme.startsWith(name)) continue;
        for (const vector of vectors) {
          const prehash = scheme.endsWith('ph');
          const given = vector.context === '' ? {} : { context: bytes(vector.context) };
          const parameters = new EdDSAParameterSpec({ prehash, ...given });
          const raw = new RawKeySpec(bytes(vector.secretKey), { curve: name });
          const key = factory.generatePrivate(raw) as EdPrivateKey;
          const message = bytes(vector.message);
          const once = signer.signOnce?.(key, message, { parameters });
          expect(hex(once!)).toBe(vector.signature);
          signer.initSign(key, { parameters });
          for (const byte of message) signer.update(Uint8Array.of(byte));
          expect(hex(signer.sign())).toBe(vector.signature);
          const verify = (options: VerifyOptions) =>
            signer.verifyOnce?.(key.publicKey(), message, bytes(vector.signature), options);
          expect(verify({ parameters })).toBe(true);
          expect(verify({ parameters: new EdDSAParameterSpec({ prehash: !prehash, ...given }) })).toBe(false);
        }
      }
    }
  });

  it('returns false for signatures of any wrong form', () => {
    const { publicKey, privateKey } = generate(name);
    const verifier = spi('Signature', name);
    const signature = verifier.signOnce!(privateKey, text('m'), {});
    const forms = [new Uint8Array(0), signature.subarray(1), Uint8Array.of(...signature, 0), signature.map((b) => ~b)];
    for (const form of forms) expect(verifier.verifyOnce?.(publicKey, text('m'), form, {})).toBe(false);
    expect(verifier.verifyOnce?.(publicKey, text('m'), signature, {})).toBe(true);
  });

  it('does not keep what it is fed, and forgets it on reset', () => {
    const { publicKey, privateKey } = generate(name);
    const signer = spi('Signature', name);
    signer.initSign(privateKey, {});
    const piece = text('piece');
    signer.update(piece);
    piece.fill(0);
    expect(spi('Signature', name).verifyOnce?.(publicKey, text('piece'), signer.sign(), {})).toBe(true);
    signer.update(text('thrown away'));
    signer.reset();
    signer.update(text('kept'));
    expect(spi('Signature', name).verifyOnce?.(publicKey, text('kept'), signer.sign(), {})).toBe(true);
  });

  it('refuses options of ECDSA, foreign parameters and wrong keys', () => {
    const { publicKey, privateKey } = generate(name);
    const signer = spi('Signature', name);
    const service = provider().service('Signature', name);
    const wrong = [
      { lowS: true },
      { nonce: 'hedged' },
      { nonceHash: 'SHA-256' },
      { random: () => {} },
      { parameters: new ECGenParameterSpec('P-256') },
    ] as const;
    for (const options of wrong) {
      expect(service?.supportsOptions({ use: 'sign', ...options })).toBeTypeOf('string');
      expect(() => signer.initSign(privateKey, options)).toThrow(InvalidAlgorithmParameterError);
    }
    expect(service?.supportsOptions({ use: 'sign', nonce: 'deterministic' })).toBe(true);
    expect(service?.supportsOptions({ use: 'verify', criteria: 'strict' })).toBe(true);
    expect(service?.supportsOptions({ use: 'agree' })).toBeTypeOf('string');
    const other = generate(name === 'Ed25519' ? 'Ed448' : 'Ed25519');
    expect(() => signer.initSign(other.privateKey, {})).toThrow(InvalidKeyError);
    expect(() => signer.initVerify(other.publicKey, {})).toThrow(InvalidKeyError);
    expect(() => signer.initVerify(generate('X25519').publicKey, {})).toThrow(InvalidKeyError);
    expect(() => signer.initSign(publicKey as never, {})).toThrow(InvalidKeyError);
    expect(() => signer.update(text('m'))).toThrow(IllegalStateError);
    expect(() => signer.sign()).toThrow(IllegalStateError);
    expect(() => signer.verify(new Uint8Array(64))).toThrow(IllegalStateError);
    expect(service?.supportsKey(publicKey)).toBe(true);
    expect(service?.supportsKey(other.publicKey)).toMatch(/Ed/);
  });

  it('refuses a key that was destroyed after the init', () => {
    const { privateKey } = generate(name);
    const signer = spi('Signature', name);
    signer.initSign(privateKey, {});
    signer.update(text('m'));
    privateKey.destroy();
    expect(() => signer.sign()).toThrow(KeyDestroyedError);
  });
});

describe('criteria of verification', () => {
  const factory = spi('KeyFactory', 'Ed25519');
  const identity = bytes(`01${'00'.repeat(31)}`);
  const forged = Uint8Array.of(...identity, ...new Uint8Array(32));

  it('are those asked for', () => {
    const key = factory.generatePublic(new RawKeySpec(identity, { curve: 'Ed25519' }));
    const verify = (options: VerifyOptions) => spi('Signature', 'EdDSA').verifyOnce?.(key, text('m'), forged, options);
    expect(verify({})).toBe(true);
    expect(verify({ criteria: 'rfc8032' })).toBe(true);
    expect(verify({ criteria: 'strict' })).toBe(false);
    expect(verify({ criteria: 'cofactored' })).toBe(true);
    expect(verify({ criteria: 'zip215' })).toBe(true);
  });

  it('zip215 take keys that are not canonical, and such keys serve for nothing else', () => {
    const point = bytes(`ee${'ff'.repeat(30)}7f`);
    expect(() => factory.generatePublic(new RawKeySpec(point, { curve: 'Ed25519' }))).toThrow(InvalidKeySpecError);
    for (const octets of [point, identity]) {
      const key = factory.generatePublic(new RawKeySpec(octets, { curve: 'Ed25519', encoding: 'zip215' }));
      expect(key).toBeInstanceOf(EdPublicKey);
      expect([key.encoded, key.format]).toEqual([undefined, undefined]);
      const verify = (options: VerifyOptions) =>
        spi('Signature', 'Ed25519').verifyOnce?.(key, text('m'), forged, options);
      expect(verify({ criteria: 'zip215' })).toBe(true);
      for (const criteria of [undefined, 'rfc8032', 'strict', 'cofactored'] as const) {
        expect(() => verify({ criteria })).toThrow(InvalidKeyError);
      }
      const raw = factory.getKeySpec(key, RawKeySpec);
      expect([hex(raw.bytes), raw.encoding]).toEqual([hex(octets), 'zip215']);
      expect(() => factory.getKeySpec(key, X509EncodedKeySpec)).toThrow(InvalidKeySpecError);
      expect(key.equals(factory.generatePublic(raw))).toBe(true);
      expect(() => factory.generatePrivate(raw)).toThrow(InvalidKeySpecError);
    }
    const canonical = factory.generatePublic(new RawKeySpec(identity, { curve: 'Ed25519' }));
    const lax = factory.generatePublic(new RawKeySpec(identity, { curve: 'Ed25519', encoding: 'zip215' }));
    expect(canonical.equals(lax)).toBe(false);
  });

  it('zip215 are not those of Ed448', () => {
    const { publicKey } = generate('Ed448');
    const verifier = spi('Signature', 'EdDSA');
    expect(() => verifier.initVerify(publicKey, { criteria: 'zip215' })).toThrow(InvalidAlgorithmParameterError);
    expect(provider().service('Signature', 'Ed448')?.supportsOptions({ use: 'verify', criteria: 'zip215' })).toMatch(
      /zip215/,
    );
    for (const curve of ['Ed448', 'X25519']) {
      const raw = new RawKeySpec(new Uint8Array(curve === 'Ed448' ? 57 : 32), { curve, encoding: 'zip215' });
      expect(() => spi('KeyFactory', curve).generatePublic(raw)).toThrow(InvalidKeySpecError);
    }
  });
});

describe.each(XDH)('KeyAgreement %s', (name) => {
  it('agrees with node:crypto on 200 pairs', () => {
    const agreement = spi('KeyAgreement', 'XDH');
    for (let round = 0; round < 200; round++) {
      const own = generate(name);
      // One overload per type.
      const peer = name === 'X25519' ? generateKeyPairSync('x25519') : generateKeyPairSync('x448');
      const spki = peer.publicKey.export({ format: 'der', type: 'spki' });
      agreement.init(own.privateKey, {});
      agreement.doPhase(spi('KeyFactory', name).generatePublic(new X509EncodedKeySpec(spki)));
      const secret = agreement.generateSecret();
      const theirs = diffieHellman({ privateKey: peer.privateKey, publicKey: nodePublic(own.publicKey) });
      expect(hex(secret)).toBe(theirs.toString('hex'));
    }
  });

  it('refuses an all-zero secret, keys of other curves and calls out of order', () => {
    const agreement = spi('KeyAgreement', name);
    const { publicKey, privateKey } = generate(name);
    expect(() => agreement.doPhase(publicKey)).toThrow(IllegalStateError);
    agreement.init(privateKey, {});
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
    const width = name === 'X25519' ? 32 : 56;
    const zero = spi('KeyFactory', name).generatePublic(new RawKeySpec(new Uint8Array(width), { curve: name }));
    expect(() => agreement.doPhase(zero)).toThrow(InvalidKeyError);
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
    const other = generate(name === 'X25519' ? 'X448' : 'X25519');
    expect(() => agreement.doPhase(other.publicKey)).toThrow(InvalidKeyError);
    expect(() => agreement.doPhase(generate('Ed25519').publicKey)).toThrow(InvalidKeyError);
    expect(() => agreement.init(other.privateKey, {})).toThrow(InvalidKeyError);
    expect(() => agreement.init(privateKey, { parameters: new NamedParameterSpec(name) })).toThrow(
      InvalidAlgorithmParameterError,
    );
    agreement.init(privateKey, {});
    agreement.doPhase(publicKey);
    agreement.reset();
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
    agreement.doPhase(publicKey);
    expect(agreement.generateSecret()).toHaveLength(width);
  });
});
