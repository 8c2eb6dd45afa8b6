// Wrong types, empty, huge, cut and trailing input: a clear typed error, nothing lost, no hang, and the object works after it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AlgorithmParameters,
  IllegalStateError,
  InvalidKeyError,
  InvalidKeySpecError,
  InvalidParameterError,
  type JsonWebKey,
  JwkKeySpec,
  KeyAgreement,
  KeyDestroyedError,
  KeyFactory,
  KeyPairGenerator,
  type KeySpec,
  MessageDigest,
  NoSuchAlgorithmError,
  NoSuchProviderError,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  ProviumError,
  RawKeySpec,
  Sec1EncodedKeySpec,
  Security,
  Signature,
  X509EncodedKeySpec,
} from '../../index.ts';

const ALGORITHM = 'SHA256withECDSA';
const DATA = new TextEncoder().encode('what is signed');
const NOT_BYTES: readonly unknown[] = [
  undefined,
  null,
  'text',
  7,
  7n,
  true,
  [1, 2, 3],
  {},
  { length: 3, 0: 1 },
  new ArrayBuffer(8),
  new Uint16Array(4),
  () => DATA,
  Promise.resolve(DATA),
];
const NOT_KEYS: readonly unknown[] = [undefined, null, 'key', 7, {}, [], new Uint8Array(32), { algorithm: 'EC' }];

/** What the action throws; a test that expects an error fails if there is none. */
function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** An error of ours that says something. */
function expectClear(error: unknown) {
  expect(error).toBeInstanceOf(ProviumError);
  expect((error as ProviumError).message.length).toBeGreaterThan(15);
}

describe.each(['Provium', 'OpenSSL'])('%s', (provider) => {
  const { publicKey, privateKey } = KeyPairGenerator.getInstance('EC', provider).initialize(256).generateKeyPair();
  const factory = KeyFactory.getInstance('EC', provider);
  const signature = Signature.sign(ALGORITHM, privateKey, DATA, { provider });

  it('refuses data that are no bytes, and loses nothing of what was fed before', () => {
    const signer = Signature.getInstance(ALGORITHM, provider).initSign(privateKey);
    const verifier = Signature.getInstance(ALGORITHM, provider).initVerify(publicKey);
    for (const bad of NOT_BYTES) {
      signer.update(DATA.subarray(0, 5));
      const error = thrownBy(() => signer.update(bad as Uint8Array));
      expectClear(error);
      expect(error).toBeInstanceOf(InvalidParameterError);
      signer.update(DATA.subarray(5));
      expect(verifier.update(DATA).verify(signer.sign())).toBe(true);
    }
  });

  it('refuses a signature that is no bytes, and verifies the next', () => {
    const verifier = Signature.getInstance(ALGORITHM, provider).initVerify(publicKey);
    for (const bad of NOT_BYTES) {
      expectClear(thrownBy(() => verifier.update(DATA).verify(bad as Uint8Array)));
      expectClear(thrownBy(() => Signature.verify(ALGORITHM, publicKey, DATA, bad as Uint8Array, { provider })));
      verifier.initVerify(publicKey);
      expect(verifier.update(DATA).verify(signature)).toBe(true);
    }
  });

  it('answers false to signatures of any bytes and any length, and verifies the next', () => {
    const verifier = Signature.getInstance(ALGORITHM, provider).initVerify(publicKey);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(signature.length - 1).map((n) => signature.slice(0, n)),
    );
    fc.assert(
      fc.property(bytes, (bad) => {
        expect(verifier.update(DATA).verify(bad)).toBe(false);
        expect(verifier.update(DATA).verify(signature)).toBe(true);
      }),
    );
    const trailing = Uint8Array.from([...signature, 0]);
    expect(verifier.update(DATA).verify(trailing)).toBe(false);
    expect(verifier.update(DATA).verify(new Uint8Array(1_000_000).fill(0x30))).toBe(false);
  });

  it('refuses what is no key of the right kind, and is not left with an old one', () => {
    const object = Signature.getInstance(ALGORITHM, provider);
    for (const bad of [...NOT_KEYS, publicKey]) {
      object.initSign(privateKey);
      expect(thrownBy(() => object.initSign(bad as never))).toBeInstanceOf(InvalidKeyError);
      expect(thrownBy(() => object.sign())).toBeInstanceOf(IllegalStateError);
    }
    for (const bad of [...NOT_KEYS, privateKey]) {
      object.initVerify(publicKey);
      expect(thrownBy(() => object.initVerify(bad as never))).toBeInstanceOf(InvalidKeyError);
      expect(thrownBy(() => object.verify(signature))).toBeInstanceOf(IllegalStateError);
    }
    expect(object.initVerify(publicKey).update(DATA).verify(signature)).toBe(true);
  });

  it('refuses peers that are none, and agrees with the next', () => {
    const agreement = KeyAgreement.getInstance('ECDH', provider).init(privateKey);
    const expected = agreement.doPhase(publicKey, true).generateSecret();
    for (const bad of [...NOT_KEYS, privateKey]) {
      expectClear(thrownBy(() => agreement.doPhase(bad as never, true)));
      expect(thrownBy(() => agreement.generateSecret())).toBeInstanceOf(IllegalStateError);
      expect(agreement.doPhase(publicKey, true).generateSecret()).toEqual(expected);
    }
  });

  it('refuses a destroyed key by its own error', () => {
    const pair = KeyPairGenerator.getInstance('EC', provider).initialize(256).generateKeyPair();
    const object = Signature.getInstance(ALGORITHM, provider).initSign(pair.privateKey).update(DATA);
    pair.privateKey.destroy();
    expect(thrownBy(() => object.sign())).toBeInstanceOf(KeyDestroyedError);
    expect(thrownBy(() => object.initSign(pair.privateKey))).toBeInstanceOf(KeyDestroyedError);
    expect(thrownBy(() => pair.privateKey.encoded)).toBeInstanceOf(KeyDestroyedError);
    expect(object.initSign(privateKey).update(DATA).sign().length).toBeGreaterThan(60);
  });

  it('refuses keys of any bytes in every form by the error for key material', () => {
    const kinds: readonly ((bytes: Uint8Array) => KeySpec)[] = [
      (bytes) => new X509EncodedKeySpec(bytes),
      (bytes) => new PKCS8EncodedKeySpec(bytes),
      (bytes) => new Sec1EncodedKeySpec(bytes),
      (bytes) => new PemKeySpec(Buffer.from(bytes).toString('latin1')),
      (bytes) => new RawKeySpec(bytes, { curve: 'P-256' }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 150 }), (kind, bytes) => {
        expect(thrownBy(() => factory.generatePublic(kind(bytes)))).toBeInstanceOf(InvalidKeySpecError);
        // 32 random bytes are a private key all the same.
        if (bytes.length !== 32)
          expect(thrownBy(() => factory.generatePrivate(kind(bytes)))).toBeInstanceOf(InvalidKeySpecError);
      }),
      { numRuns: 300 },
    );
    expect(factory.generatePublic(new X509EncodedKeySpec(publicKey.encoded as Uint8Array)).equals(publicKey)).toBe(
      true,
    );
  });

  it('refuses JWKs of any members by the error for key material', () => {
    const jwk = factory.getKeySpec(privateKey, JwkKeySpec).jwk;
    const member = fc.constantFrom('kty', 'crv', 'x', 'y', 'd');
    fc.assert(
      fc.property(member, fc.anything(), (name, value) => {
        fc.pre(value !== jwk[name] && !(name === 'd' && value === undefined));
        const error = thrownBy(() => factory.generatePrivate(new JwkKeySpec({ ...jwk, [name]: value } as JsonWebKey)));
        expect(error).toBeInstanceOf(InvalidKeySpecError);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses deep and huge encodings at once', () => {
    const nested = new Uint8Array(200_000);
    for (let i = 0; i < nested.length; i += 4) nested.set([0x30, 0x82, 0xff, 0xff], i);
    const huge = new Uint8Array(5_000_000).fill(0x30);
    for (const bytes of [nested, huge]) {
      expect(thrownBy(() => factory.generatePublic(new X509EncodedKeySpec(bytes)))).toBeInstanceOf(InvalidKeySpecError);
      expect(thrownBy(() => factory.generatePrivate(new PKCS8EncodedKeySpec(bytes)))).toBeInstanceOf(
        InvalidKeySpecError,
      );
    }
    const text = `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(5_000_000)}\n-----END PUBLIC KEY-----\n`;
    expect(thrownBy(() => factory.generatePublic(new PemKeySpec(text)))).toBeInstanceOf(InvalidKeySpecError);
  });

  it('signs and verifies the empty message, and an update without bytes', () => {
    const object = Signature.getInstance(ALGORITHM, provider).initSign(privateKey);
    const none = object.sign();
    expect(Signature.verify(ALGORITHM, publicKey, new Uint8Array(), none, { provider })).toBe(true);
    expect(object.initVerify(publicKey).update(new Uint8Array()).verify(none)).toBe(true);
    expect(object.update(DATA).verify(none)).toBe(false);
  });

  it('takes a message of 100 megabytes in pieces without keeping it', () => {
    const piece = new Uint8Array(1 << 20).fill(1);
    const object = Signature.getInstance(ALGORITHM, provider).initSign(privateKey);
    for (let i = 0; i < 4; i++) object.update(piece);
    const before = process.memoryUsage();
    let most = 0;
    for (let i = 4; i < 100; i++) {
      object.update(piece);
      const { rss, arrayBuffers, heapUsed } = process.memoryUsage();
      most = Math.max(most, rss - before.rss, arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed);
    }
    const result = object.sign();
    // A copy of the message would be 96 MB.
    expect(most).toBeLessThan(40 * 2 ** 20);
    object.initVerify(publicKey);
    for (let i = 0; i < 100; i++) object.update(piece);
    expect(object.verify(result)).toBe(true);
    for (let i = 0; i < 99; i++) object.update(piece);
    expect(object.verify(result)).toBe(false);
  });
});

describe('names and arguments', () => {
  const FACADES = { Signature, KeyAgreement, KeyPairGenerator, KeyFactory, MessageDigest, AlgorithmParameters };

  it.each(Object.entries(FACADES))('%s refuses names that nobody serves, and names that are none', (_, facade) => {
    for (const name of ['', ' ', 'SHA257withECDSA', '../..', '__proto__', 'constructor', 'x'.repeat(100_000)]) {
      expect(thrownBy(() => facade.getInstance(name))).toBeInstanceOf(NoSuchAlgorithmError);
    }
    for (const bad of [undefined, null, 7, {}, [], Symbol('name')]) {
      expectClear(thrownBy(() => facade.getInstance(bad as unknown as string)));
    }
  });

  it('a provider that is not there is refused by its own error', () => {
    for (const name of ['Nobody', '__proto__']) {
      expect(thrownBy(() => Signature.getInstance(ALGORITHM, name))).toBeInstanceOf(NoSuchProviderError);
    }
    for (const bad of ['', 7, true, [], Symbol('name')]) {
      expectClear(thrownBy(() => Signature.getInstance(ALGORITHM, bad as unknown as string)));
    }
  });

  it('sizes and curves that nobody serves are refused, and the generator works after it', () => {
    const generator = KeyPairGenerator.getInstance('EC');
    for (const bad of [0, -1, 1.5, Number.NaN, 7, 1e9, '256', null, {}]) {
      expectClear(thrownBy(() => generator.initialize(bad as number)));
    }
    expect(generator.initialize(256).generateKeyPair().publicKey.size).toBe(256);
  });

  it('options that nobody knows, or of the wrong type, are refused', () => {
    const { privateKey } = KeyPairGenerator.getInstance('EC').initialize(256).generateKeyPair();
    const object = Signature.getInstance(ALGORITHM);
    for (const bad of [{ nonce: 'fixed' }, { lowS: 1 }, { random: 7 }, { nonse: 'random' }, 7, 'random']) {
      expectClear(thrownBy(() => object.initSign(privateKey, bad as never)));
      expect(thrownBy(() => object.sign())).toBeInstanceOf(IllegalStateError);
    }
    expect(object.initSign(privateKey).update(DATA).sign().length).toBeGreaterThan(60);
  });

  it('a digest refuses what is no bytes and keeps what it has', () => {
    const digest = MessageDigest.getInstance('SHA-256');
    const expected = digest.update(DATA).digest();
    for (const bad of NOT_BYTES) {
      digest.update(DATA);
      expectClear(thrownBy(() => digest.update(bad as Uint8Array)));
      expect(digest.digest()).toEqual(expected);
    }
  });

  it('no message of an error shows bytes of a private key', () => {
    const { privateKey } = KeyPairGenerator.getInstance('EC').initialize(256).generateKeyPair();
    const encoded = privateKey.encoded as Uint8Array;
    const scalar = Buffer.from(encoded.subarray(36, 68));
    const bad = new PKCS8EncodedKeySpec(Uint8Array.from([...encoded, 0]));
    for (const { name } of Security.getProviders()) {
      const error = thrownBy(() => KeyFactory.getInstance('EC', name).generatePrivate(bad)) as Error;
      expect(error).toBeInstanceOf(InvalidKeySpecError);
      for (let at: unknown = error; at instanceof Error; at = at.cause) {
        for (const form of ['hex', 'base64', 'base64url'] as const) {
          expect(`${at.message}${at.stack}`).not.toContain(scalar.toString(form).slice(0, 12));
        }
      }
    }
  });
});
