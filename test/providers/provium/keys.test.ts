import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EcPrivateKey, EcPublicKey, pointOf, scalarOf } from '../../../providers/provium/keys.ts';
import { InvalidKeyError, InvalidKeySpecError, KeyDestroyedError } from '../../../spi/errors.ts';
import {
  CompressedRawKeySpec,
  ECGenParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  JwkKeySpec,
  type KeySpec,
  type KeySpecClass,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  UriKeySpec,
  X509EncodedKeySpec,
} from '../../../spi/key-specs.ts';
import { type Key, PrivateKey, PublicKey } from '../../../spi/keys.ts';
import { bytes, context, hex, provider, spi, text } from './support.ts';

const factory = spi('KeyFactory', 'EC');
const D = 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721';
const X = '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6';
const Y = '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299';
const P256 = new ECGenParameterSpec('P-256');

const privateOf = (scalar = D) => factory.generatePrivate(new RawKeySpec(bytes(scalar), { curve: 'P-256' }));
const publicKey = factory.generatePublic(new RawKeySpec(bytes(`04${X}${Y}`), { curve: 'prime256v1' }));
const privateKey = privateOf();

const PUBLIC_FORMS: readonly KeySpecClass[] = [
  X509EncodedKeySpec,
  ECPublicKeySpec,
  RawKeySpec,
  CompressedRawKeySpec,
  JwkKeySpec,
  PemKeySpec,
];
const PRIVATE_FORMS: readonly KeySpecClass[] = [
  PKCS8EncodedKeySpec,
  Sec1EncodedKeySpec,
  ECPrivateKeySpec,
  RawKeySpec,
  JwkKeySpec,
  PemKeySpec,
];

/** A key of some other provider, known by its encoding only. */
function foreign(kind: 'public' | 'private', encoded: Uint8Array | undefined, format: string | undefined): Key {
  const common = { algorithm: 'EC', curve: 'secp256r1', size: 256 } as const;
  class ForeignPublicKey extends PublicKey {
    override readonly algorithm = common.algorithm;
    override readonly curve = common.curve;
    override readonly size = common.size;
    override readonly format = format;
    override get encoded() {
      return encoded?.slice();
    }
    override equals() {
      return false;
    }
    protected override wipe() {}
  }
  class ForeignPrivateKey extends PrivateKey {
    override readonly algorithm = common.algorithm;
    override readonly curve = common.curve;
    override readonly size = common.size;
    override readonly format = format;
    override get encoded() {
      return encoded?.slice();
    }
    override equals() {
      return false;
    }
    protected override wipe() {}
  }
  return kind === 'public' ? new ForeignPublicKey() : new ForeignPrivateKey();
}

describe('EC keys', () => {
  it.each(PUBLIC_FORMS)('public keys go out and come in as %o', (form) => {
    const spec = factory.getKeySpec(publicKey, form);
    expect(spec).toBeInstanceOf(form);
    const back = factory.generatePublic(spec);
    expect(back).not.toBe(publicKey);
    expect(back.equals(publicKey)).toBe(true);
    expect(hex(pointOf(back as EcPublicKey))).toBe(X + Y);
  });

  it.each(PRIVATE_FORMS)('private keys go out and come in as %o', (form) => {
    const spec = factory.getKeySpec(privateKey, form);
    expect(spec).toBeInstanceOf(form);
    const back = factory.generatePrivate(spec);
    expect(back.equals(privateKey)).toBe(true);
    expect(hex(scalarOf(back as EcPrivateKey))).toBe(D);
  });

  it.each(PRIVATE_FORMS.filter((form) => form !== RawKeySpec))('the public key is derived from %o', (form) => {
    expect(factory.generatePublic(factory.getKeySpec(privateKey, form)).equals(publicKey)).toBe(true);
  });

  it('forms of the other kind are refused', () => {
    for (const form of PUBLIC_FORMS.filter((kind) => !PRIVATE_FORMS.includes(kind))) {
      expect(() => factory.getKeySpec(privateKey, form)).toThrow(InvalidKeySpecError);
      expect(() => factory.generatePrivate(factory.getKeySpec(publicKey, form))).toThrow(InvalidKeySpecError);
    }
    for (const form of [PKCS8EncodedKeySpec, Sec1EncodedKeySpec, ECPrivateKeySpec, UriKeySpec]) {
      expect(() => factory.getKeySpec<KeySpec>(publicKey, form)).toThrow(InvalidKeySpecError);
    }
    expect(() => factory.generatePublic(new UriKeySpec('pkcs11:object=k'))).toThrow(InvalidKeySpecError);
    expect(() => factory.generatePrivate(new UriKeySpec('pkcs11:object=k'))).toThrow(InvalidKeySpecError);
    expect(() => factory.generatePublic(new RawKeySpec(bytes(D), { curve: 'P-256' }))).toThrow(InvalidKeySpecError);
  });

  it('random keys round trip through every form and agree with node:crypto on the public key', () => {
    for (let i = 0; i < 10; i++) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const pkcs8 = Uint8Array.from(pair.privateKey.export({ format: 'der', type: 'pkcs8' }));
      const spki = Uint8Array.from(pair.publicKey.export({ format: 'der', type: 'spki' }));
      const key = factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8)) as EcPrivateKey;
      expect(key.encoded).toEqual(pkcs8);
      const bare = factory.generatePrivate(new ECPrivateKeySpec(scalarOf(key), P256)) as EcPrivateKey;
      expect(bare.publicKey().encoded).toEqual(spki);
      expect(factory.generatePublic(new PKCS8EncodedKeySpec(pkcs8)).encoded).toEqual(spki);
      const again = createPrivateKey({ key: Buffer.from(bare.encoded as Uint8Array), format: 'der', type: 'pkcs8' });
      expect(again.equals(pair.privateKey)).toBe(true);
    }
  });

  it('scalars and coordinates may lack or have zeros in front where they are numbers', () => {
    const one = factory.generatePrivate(new ECPrivateKeySpec(bytes('01'), P256));
    expect(one.equals(factory.generatePrivate(new ECPrivateKeySpec(bytes(`${'00'.repeat(40)}01`), P256)))).toBe(true);
    expect(() => factory.generatePrivate(new RawKeySpec(bytes('01'), { curve: 'P-256' }))).toThrow(InvalidKeySpecError);
    const padded = new ECPublicKeySpec({ x: bytes(`00${X}`), y: bytes(Y) }, P256);
    expect(factory.generatePublic(padded).equals(publicKey)).toBe(true);
    const wide = new ECPublicKeySpec({ x: bytes(`01${X}`), y: bytes(Y) }, P256);
    expect(() => factory.generatePublic(wide)).toThrow(InvalidKeySpecError);
  });

  it('refuse a curve that is not served, an OKP key, and material that is not valid', () => {
    const raw = (curve: string) => new RawKeySpec(bytes(D), { curve });
    expect(() => factory.generatePrivate(raw('secp521r1'))).toThrow(InvalidKeySpecError);
    expect(() => factory.generatePrivate(raw('nonsense'))).toThrow(InvalidKeySpecError);
    const { privateKey: other, publicKey: open } = generateKeyPairSync('ed25519');
    const pkcs8 = new PKCS8EncodedKeySpec(other.export({ format: 'der', type: 'pkcs8' }));
    const spki = new X509EncodedKeySpec(open.export({ format: 'der', type: 'spki' }));
    expect(() => factory.generatePrivate(pkcs8)).toThrow(/Ed25519/);
    expect(() => factory.generatePublic(spki)).toThrow(/Ed25519/);
  });

  it('take no point that is off the curve', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (xy) => {
        const spec = new RawKeySpec(Uint8Array.from([4, ...xy]), { curve: 'P-256' });
        expect(() => factory.generatePublic(spec)).toThrow(InvalidKeySpecError);
      }),
    );
  });

  it('say what they are and never what they hold', () => {
    const shown = [
      String(privateKey),
      `${privateKey}`,
      JSON.stringify(privateKey),
      inspect(privateKey, { depth: 10, showHidden: true }),
      inspect({ nested: [privateKey] }, { depth: 10 }),
      Object.entries(privateKey).join(),
      JSON.stringify({ ...privateKey }),
    ];
    for (const value of shown) {
      expect(value.toLowerCase()).not.toContain(D.slice(0, 12));
      expect(value).not.toContain(bytes(D).subarray(0, 5).join());
    }
    expect(String(privateKey)).toBe('EC private key secp256r1 (256 bits)');
    expect(inspect(publicKey)).toBe('[EC public key secp256r1 (256 bits)]');
    expect(privateKey).toMatchObject({
      algorithm: 'EC',
      format: 'PKCS#8',
      curve: 'secp256r1',
      size: 256,
      kind: 'private',
    });
  });

  it('hand out fresh copies', () => {
    const first = privateKey.encoded;
    first?.fill(0);
    expect(privateKey.encoded).not.toEqual(first);
    publicKey.encoded?.fill(0);
    expect(hex(publicKey.encoded ?? bytes(''))).toContain(X);
    const input = bytes(`04${X}${Y}`);
    const key = factory.generatePublic(new RawKeySpec(input, { curve: 'P-256' }));
    input.fill(0);
    expect(key.equals(publicKey)).toBe(true);
  });

  it('are equal by value, kind and curve', () => {
    expect(privateKey.equals(privateOf())).toBe(true);
    expect(privateKey.equals(privateOf(`${D.slice(0, -2)}22`))).toBe(false);
    expect(privateKey.equals(publicKey)).toBe(false);
    expect(publicKey.equals(privateKey)).toBe(false);
    expect(publicKey.equals(factory.generatePublic(new RawKeySpec(bytes(`02${X}`), { curve: 'P-256' })))).toBe(false);
    expect(publicKey.equals(foreign('public', publicKey.encoded, 'X.509'))).toBe(true);
    expect(publicKey.equals(foreign('public', bytes('3000'), 'X.509'))).toBe(false);
    expect(publicKey.equals(foreign('public', undefined, undefined))).toBe(false);
    expect(privateKey.equals(foreign('private', privateKey.encoded, 'PKCS#8'))).toBe(true);
    expect(privateKey.equals(foreign('private', bytes('3000'), 'PKCS#8'))).toBe(false);
    expect(privateKey.equals(foreign('private', undefined, undefined))).toBe(false);
  });

  it('destroy wipes the memory, and every later use fails', () => {
    const key = privateOf() as EcPrivateKey;
    const point = key.publicKey();
    const memory = scalarOf(key);
    expect(hex(memory)).toBe(D);
    key.destroy();
    key.destroy();
    expect(key.destroyed).toBe(true);
    expect(hex(memory)).toBe('00'.repeat(32));
    const uses: (() => unknown)[] = [
      () => key.encoded,
      () => key.equals(key),
      () => privateKey.equals(key),
      () => key.publicKey(),
      () => scalarOf(key),
      () => factory.getKeySpec(key, RawKeySpec),
      () => factory.translateKey(key),
      () => spi('KeyAgreement', 'ECDH').init(key, {}),
    ];
    for (const use of uses) expect(use).toThrow(KeyDestroyedError);
    expect(String(key)).toBe('EC private key secp256r1 (256 bits)');
    expect(point.equals(publicKey)).toBe(true);
    point.destroy();
    expect(() => pointOf(point)).toThrow(KeyDestroyedError);
  });
});

describe('translateKey', () => {
  it('takes keys of other providers by their encoding, and its own as they are', () => {
    expect(factory.translateKey(privateKey)).toBe(privateKey);
    expect(factory.translateKey(publicKey)).toBe(publicKey);
    const translated = factory.translateKey(foreign('private', privateKey.encoded, 'PKCS#8'));
    expect(translated).toBeInstanceOf(EcPrivateKey);
    expect(translated.equals(privateKey)).toBe(true);
    expect(factory.translateKey(foreign('public', publicKey.encoded, 'X.509'))).toBeInstanceOf(EcPublicKey);
  });

  it('refuses what cannot leave its provider, has another format or is not valid', () => {
    expect(() => factory.translateKey(foreign('private', undefined, undefined))).toThrow(InvalidKeyError);
    expect(() => factory.translateKey(foreign('private', privateKey.encoded, 'RAW'))).toThrow(InvalidKeyError);
    expect(() => factory.translateKey(foreign('private', bytes('3000'), 'PKCS#8'))).toThrow(InvalidKeyError);
    expect(() => factory.getKeySpec(foreign('private', undefined, undefined), RawKeySpec)).toThrow(InvalidKeySpecError);
  });

  it('lets getKeySpec read keys of other providers', () => {
    const spec = factory.getKeySpec(foreign('private', privateKey.encoded, 'PKCS#8'), RawKeySpec);
    expect(hex(spec.bytes)).toBe(D);
  });
});

describe('keys of one context in another', () => {
  it('work all the same', () => {
    const elsewhere = { provider: provider(), context: { ...context } };
    const signer = spi('Signature', 'SHA256withECDSA', elsewhere);
    signer.initSign(privateKey, {});
    signer.update(text('m'));
    const signature = signer.sign();
    const verifier = spi('Signature', 'SHA256withECDSA');
    verifier.initVerify(publicKey, {});
    verifier.update(text('m'));
    expect(verifier.verify(signature)).toBe(true);
  });
});
