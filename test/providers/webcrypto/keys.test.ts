import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AsyncKeyAgreement,
  AsyncKeyFactory,
  AsyncKeyPairGenerator,
  AsyncSignature,
  CompressedRawKeySpec,
  ECGenParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  InvalidParameterError,
  JwkKeySpec,
  KeyDestroyedError,
  type KeySpecClass,
  NamedParameterSpec,
  OpaqueKeyGenParameterSpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../../spi/index.ts';
import { context, EC_CURVES, from, orderedProviumFirst, others, text, web } from './support.ts';

const OKP_CURVES = ['Ed25519', 'Ed448', 'X25519', 'X448'] as const;
const PUBLIC_FORMS: readonly KeySpecClass[] = [X509EncodedKeySpec, JwkKeySpec, PemKeySpec, RawKeySpec];
const PRIVATE_FORMS: readonly KeySpecClass[] = [PKCS8EncodedKeySpec, JwkKeySpec, PemKeySpec, RawKeySpec];

function familyOf(curve: string): 'EC' | 'EdDSA' | 'XDH' {
  return curve.startsWith('secp') ? 'EC' : curve.startsWith('Ed') ? 'EdDSA' : 'XDH';
}

async function pairOn(curve: string, provider = web) {
  const spec = familyOf(curve) === 'EC' ? new ECGenParameterSpec(curve) : new NamedParameterSpec(curve);
  const generator = AsyncKeyPairGenerator.getInstance(familyOf(curve), provider);
  return (await generator.initialize(spec)).generateKeyPair();
}

function factory(curve: string, provider = web) {
  return AsyncKeyFactory.getInstance(familyOf(curve), provider);
}

describe('keys of WebCrypto', () => {
  it.each([...EC_CURVES, ...OKP_CURVES])(
    'go through every form and through the other providers on %s',
    async (curve) => {
      const { publicKey, privateKey } = await pairOn(curve);
      const ec = familyOf(curve) === 'EC';
      expect([publicKey.curve, publicKey.algorithm, publicKey.format]).toEqual([curve, familyOf(curve), 'X.509']);
      for (const form of ec ? [...PUBLIC_FORMS, CompressedRawKeySpec, ECPublicKeySpec] : PUBLIC_FORMS) {
        const spec = await factory(curve).getKeySpec(publicKey, form);
        expect((await factory(curve).generatePublic(spec)).encoded).toEqual(publicKey.encoded);
        for (const other of others) {
          expect(await factory(curve, other).getKeySpec(publicKey, form)).toEqual(spec);
          expect((await factory(curve, other).generatePublic(spec)).encoded).toEqual(publicKey.encoded);
        }
      }
      for (const form of ec ? [...PRIVATE_FORMS, Sec1EncodedKeySpec, ECPrivateKeySpec] : PRIVATE_FORMS) {
        const spec = await factory(curve).getKeySpec(privateKey, form);
        const again = await factory(curve).generatePrivate(spec);
        expect(again.encoded).toEqual(privateKey.encoded);
        for (const other of others) {
          const theirs = await factory(curve, other).generatePrivate(spec);
          expect(theirs.equals(privateKey)).toBe(true);
          const back = await factory(curve).translateKey(theirs);
          expect(back.encoded).toEqual(privateKey.encoded);
        }
      }
    },
  );

  it('agree with the generators of other providers on what a scalar means', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...EC_CURVES),
        fc.uint8Array({ minLength: 31, maxLength: 31 }),
        async (curve, d) => {
          fc.pre(d.some((byte) => byte !== 0));
          const spec = new ECPrivateKeySpec(d, new ECGenParameterSpec(curve));
          const ours = await factory(curve).generatePrivate(spec);
          const theirs = await factory(curve, from('Provium')).generatePrivate(spec);
          expect(await factory(curve).getKeySpec(ours, JwkKeySpec)).toEqual(
            await factory(curve, from('OpenSSL')).getKeySpec(theirs, JwkKeySpec),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  it('are refused where their parts are wrong', async () => {
    const a = await factory('secp256r1').getKeySpec((await pairOn('secp256r1')).privateKey, JwkKeySpec);
    const b = await factory('secp256r1').getKeySpec((await pairOn('secp256r1')).privateKey, JwkKeySpec);
    const { x, y } = b.jwk as { readonly x: string; readonly y: string };
    const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');
    const curve = 'secp256r1';
    const wrong = [
      new JwkKeySpec({ ...a.jwk, x, y }),
      new RawKeySpec(order, { curve }),
      new RawKeySpec(new Uint8Array(32), { curve }),
      new RawKeySpec(new Uint8Array(31), { curve }),
      new RawKeySpec(new Uint8Array(32).fill(1), { curve: 'secp256k1' }),
    ];
    for (const spec of wrong) await expect(factory(curve).generatePrivate(spec)).rejects.toThrow(InvalidKeySpecError);
    const off = new Uint8Array(65).fill(1);
    off[0] = 4;
    const beyond = Uint8Array.of(4, ...new Uint8Array(64).fill(0xff));
    for (const bytes of [off, beyond, Uint8Array.of(0), Uint8Array.of(2, ...new Uint8Array(32).fill(0xff))]) {
      await expect(factory(curve).generatePublic(new RawKeySpec(bytes, { curve }))).rejects.toThrow(
        InvalidKeySpecError,
      );
    }
  });

  it.each(OKP_CURVES)('are refused where the parts do not belong together on %s', async (curve) => {
    const mine = await factory(curve).getKeySpec((await pairOn(curve)).privateKey, JwkKeySpec);
    const theirs = await factory(curve).getKeySpec((await pairOn(curve)).publicKey, JwkKeySpec);
    const spec = new JwkKeySpec({ ...mine.jwk, x: theirs.jwk.x as string });
    await expect(factory(curve).generatePrivate(spec)).rejects.toThrow(/do not belong together/);
  });

  it('are refused where an Edwards point is not canonical or none', async () => {
    const nonCanonical = Uint8Array.of(0xee, ...new Uint8Array(30).fill(0xff), 0x7f);
    const none = Uint8Array.of(2, ...new Uint8Array(31));
    for (const bytes of [nonCanonical, none, bytes31()]) {
      const spec = new RawKeySpec(bytes, { curve: 'Ed25519' });
      await expect(factory('Ed25519').generatePublic(spec)).rejects.toThrow(InvalidKeySpecError);
      await expect(factory('Ed25519', from('Provium')).generatePublic(spec)).rejects.toThrow(InvalidKeySpecError);
    }
  });

  it('come in sizes, and in the default of the JCA guide', async () => {
    const generator = AsyncKeyPairGenerator.getInstance('EC', web);
    expect((await generator.generateKeyPair()).publicKey.curve).toBe('secp256r1');
    expect((await (await generator.initialize(521)).generateKeyPair()).publicKey.curve).toBe('secp521r1');
    await expect(generator.initialize(224)).rejects.toThrow(InvalidAlgorithmParameterError);
    expect((await AsyncKeyPairGenerator.getInstance('XDH', web).generateKeyPair()).publicKey.curve).toBe('X25519');
    const random = AsyncKeyPairGenerator.getInstance('EC', web).initialize(256, { random() {} });
    await expect(random).rejects.toThrow(/own random source/);
  });
});

function bytes31(): Uint8Array {
  return new Uint8Array(31);
}

describe('keys that cannot be exported', () => {
  it('sign in their provider alone, which a generator without a named provider finds', async () => {
    for (const curve of [...EC_CURVES, 'Ed25519', 'Ed448']) {
      const generator = AsyncKeyPairGenerator.getInstance(familyOf(curve), {
        context: orderedProviumFirst(),
      });
      await generator.initialize(new OpaqueKeyGenParameterSpec(curve));
      expect(generator.provider?.name).toBe('WebCrypto');
      const { publicKey, privateKey } = await generator.generateKeyPair();
      expect([privateKey.encoded, privateKey.format]).toEqual([undefined, undefined]);
      expect((privateKey as unknown as { readonly cryptoKey: CryptoKey }).cryptoKey.extractable).toBe(false);
      const algorithm = familyOf(curve) === 'EC' ? 'SHA256withECDSA' : 'EdDSA';
      const signer = AsyncSignature.getInstance(algorithm, { context });
      await signer.initSign(privateKey);
      expect(signer.provider?.name).toBe('WebCrypto');
      const signature = await signer.update(text('a')).sign();
      for (const other of others) {
        expect(await AsyncSignature.verify(algorithm, publicKey, text('a'), signature, other)).toBe(true);
        const foreign = AsyncSignature.getInstance(algorithm, other).initSign(privateKey);
        await expect(foreign).rejects.toThrow(/cannot leave the provider WebCrypto/);
      }
      await expect(factory(curve).getKeySpec(privateKey, PKCS8EncodedKeySpec)).rejects.toThrow(InvalidKeySpecError);
      privateKey.destroy();
      await expect(signer.initSign(privateKey)).rejects.toThrow(KeyDestroyedError);
    }
  });

  it('serve what they were made for, and say so otherwise', async () => {
    const generator = AsyncKeyPairGenerator.getInstance('EC', web);
    await generator.initialize(new OpaqueKeyGenParameterSpec('P-256', { use: 'agree' }));
    const { privateKey } = await generator.generateKeyPair();
    const signing = AsyncSignature.getInstance('SHA256withECDSA', web).initSign(privateKey);
    await expect(signing).rejects.toThrow(/the CryptoKey is for ECDH, not for ECDSA/);
    const peer = await pairOn('secp256r1', from('Provium'));
    const secret = await agree('ECDH', privateKey, peer.publicKey);
    expect(secret.length).toBe(32);
    const wrong = AsyncKeyPairGenerator.getInstance('XDH', web).initialize(
      new OpaqueKeyGenParameterSpec('X25519', { use: 'sign' }),
    );
    await expect(wrong).rejects.toThrow(InvalidAlgorithmParameterError);
    expect(() => new OpaqueKeyGenParameterSpec('P-256', { use: 'wrap' as 'sign' })).toThrow(InvalidParameterError);
  });

  it('may come from the application as CryptoKeys and are used as they are', async () => {
    const { subtle } = globalThis.crypto;
    const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, false, ['sign', 'verify']);
    const signature = await AsyncSignature.sign('SHA384withECDSA', pair.privateKey, text('a'), web);
    for (const provider of [web, ...others]) {
      expect(await AsyncSignature.verify('SHA384withECDSA', pair.publicKey, text('a'), signature, provider)).toBe(true);
    }
    const unusable = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-384' }, false, ['deriveKey']);
    const agreement = AsyncKeyAgreement.getInstance('ECDH', web);
    await expect(agreement.init(unusable.privateKey)).rejects.toThrow(/usage deriveBits/);
  });
});

describe('agreement of WebCrypto', () => {
  it.each([...EC_CURVES, 'X25519', 'X448'])('gives the secrets of Provium and OpenSSL on %s', async (curve) => {
    const algorithm = familyOf(curve) === 'EC' ? 'ECDH' : curve;
    const mine = await pairOn(curve);
    for (const other of others) {
      const theirs = await pairOn(curve, other);
      const secret = await agree(algorithm, mine.privateKey, theirs.publicKey);
      expect(secret).toEqual(await agree(algorithm, theirs.privateKey, mine.publicKey, other));
      expect(secret).toEqual(await agree(algorithm, theirs.privateKey, mine.publicKey));
    }
  });

  it('refuses peers that give no secret, on other curves, and destroyed keys', async () => {
    const { publicKey, privateKey } = await pairOn('X25519');
    const zero = await factory('X25519').generatePublic(new RawKeySpec(new Uint8Array(32), { curve: 'X25519' }));
    const agreement = AsyncKeyAgreement.getInstance('X25519', web);
    await agreement.init(privateKey);
    await expect(agreement.doPhase(zero)).rejects.toThrow(InvalidKeyError);
    await expect(agreement.doPhase((await pairOn('X448')).publicKey)).rejects.toThrow(InvalidKeyError);
    await agreement.doPhase(publicKey);
    expect((await agreement.generateSecret()).length).toBe(32);
    privateKey.destroy();
    await expect(agreement.doPhase(publicKey)).rejects.toThrow(KeyDestroyedError);
  });

  it('runs many at once with fresh keys', async () => {
    const pairs = await Promise.all(Array.from({ length: 24 }, (_, i) => pairOn(i % 2 === 0 ? 'X25519' : 'secp256r1')));
    await Promise.all(
      pairs.map(async (pair, i) => {
        const peer = pairs[(i + 2) % pairs.length] as (typeof pairs)[number];
        const algorithm = i % 2 === 0 ? 'XDH' : 'ECDH';
        expect(await agree(algorithm, pair.privateKey, peer.publicKey)).toEqual(
          await agree(algorithm, peer.privateKey, pair.publicKey),
        );
      }),
    );
  });
});

type Given = Parameters<AsyncKeyAgreement['init']>[0];
type Peer = Parameters<AsyncKeyAgreement['doPhase']>[0];

async function agree(algorithm: string, privateKey: Given, publicKey: Peer, provider = web): Promise<Uint8Array> {
  const agreement = AsyncKeyAgreement.getInstance(algorithm, provider);
  await agreement.init(privateKey);
  await agreement.doPhase(publicKey);
  return agreement.generateSecret();
}
