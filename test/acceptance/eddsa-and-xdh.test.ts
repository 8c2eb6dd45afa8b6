// What OpenJDK's tests of EdDSA and XDH ask, asked of our façades in our words: docs/acceptance.md has the table.

import { createPrivateKey, createPublicKey, diffieHellman, sign as nodeSign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  ECGenParameterSpec,
  EdDSAParameterSpec,
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  InvalidParameterError,
  KeyAgreement,
  KeyFactory,
  type KeyPair,
  KeyPairGenerator,
  NamedParameterSpec,
  NoSuchAlgorithmError,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Signature,
  type SignOptions,
  X509EncodedKeySpec,
} from '../../index.ts';

const PROVIDERS = ['Provium', 'OpenSSL'];
const text = (data: string): Uint8Array => new TextEncoder().encode(data);
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (data: Uint8Array | undefined): string => Buffer.from(data ?? []).toString('hex');

interface Curve {
  readonly name: 'Ed25519' | 'Ed448' | 'X25519' | 'X448';
  readonly family: 'EdDSA' | 'XDH';
  readonly oid: string;
  readonly size: number;
  /** SPKI and PKCS#8 up to the key itself (RFC 8410, sections 4 and 7). */
  readonly spki: string;
  readonly pkcs8: string;
  readonly keyBytes: number;
}
const CURVES: readonly Curve[] = [
  {
    name: 'Ed25519',
    family: 'EdDSA',
    oid: '1.3.101.112',
    size: 255,
    spki: '302a300506032b6570032100',
    pkcs8: '302e020100300506032b657004220420',
    keyBytes: 32,
  },
  {
    name: 'Ed448',
    family: 'EdDSA',
    oid: '1.3.101.113',
    size: 448,
    spki: '3043300506032b6571033a00',
    pkcs8: '3047020100300506032b6571043b0439',
    keyBytes: 57,
  },
  {
    name: 'X25519',
    family: 'XDH',
    oid: '1.3.101.110',
    size: 255,
    spki: '302a300506032b656e032100',
    pkcs8: '302e020100300506032b656e04220420',
    keyBytes: 32,
  },
  {
    name: 'X448',
    family: 'XDH',
    oid: '1.3.101.111',
    size: 448,
    spki: '3042300506032b656f033900',
    pkcs8: '3046020100300506032b656f043a0438',
    keyBytes: 56,
  },
];
const EDDSA = CURVES.filter(({ family }) => family === 'EdDSA');
const XDH = CURVES.filter(({ family }) => family === 'XDH');

function generate(name: string, provider = 'Provium'): KeyPair {
  return KeyPairGenerator.getInstance(name, provider).generateKeyPair();
}

const otherOf = (name: string): string =>
  name.endsWith('25519') ? name.replace('25519', '448') : name.replace('448', '25519');

describe.each(EDDSA)('$name signatures', ({ name }) => {
  const { publicKey, privateKey } = generate(name);
  /** Pure, prehashed, and with contexts of every length that matters. */
  const MODES: readonly EdDSAParameterSpec[] = [false, true].flatMap((prehash) => [
    new EdDSAParameterSpec({ prehash }),
    ...[1, 100, 255].map((length) => new EdDSAParameterSpec({ prehash, context: new Uint8Array(length).fill(7) })),
  ]);
  const SIZES = [0, 1, 31, 32, 33, 63, 64, 65, 111, 112, 128, 1000];

  it('verify for every size of message in every mode, and only in the mode they were made in', () => {
    for (const [at, parameters] of MODES.entries()) {
      for (const size of SIZES) {
        const data = new Uint8Array(size).fill(size);
        const signature = Signature.sign(name, privateKey, data, { parameters });
        expect(Signature.verify(name, publicKey, data, signature, { parameters })).toBe(true);
        expect(Signature.verify('EdDSA', publicKey, data, signature, { parameters })).toBe(true);
        const another = MODES[(at + 1) % MODES.length];
        expect(Signature.verify(name, publicKey, data, signature, { parameters: another })).toBe(false);
      }
    }
  });

  it('cover the empty message, with and without an update', () => {
    for (const provider of PROVIDERS) {
      const object = Signature.getInstance(name, provider).initSign(privateKey);
      const signatures = [object.sign(), object.update(new Uint8Array(0)).sign()];
      expect(signatures[1]).toEqual(signatures[0]);
      const node = createPrivateKey({ key: Buffer.from(privateKey.encoded ?? []), format: 'der', type: 'pkcs8' });
      expect(hex(signatures[0])).toBe(nodeSign(null, new Uint8Array(0), node).toString('hex'));
      expect(Signature.verify(name, publicKey, new Uint8Array(0), signatures[0] as Uint8Array)).toBe(true);
    }
  });

  it('refuse unknown names, wrong keys, contexts that are too long and parameters of others', () => {
    expect(() => Signature.getInstance(`${name}ph`)).toThrow(NoSuchAlgorithmError);
    expect(() => KeyPairGenerator.getInstance('Ed')).toThrow(NoSuchAlgorithmError);
    expect(() => Signature.getInstance('')).toThrow(NoSuchAlgorithmError);
    for (const provider of PROVIDERS) {
      const object = Signature.getInstance(name, provider);
      expect(() => object.initSign(undefined as never)).toThrow(InvalidKeyError);
      expect(() => object.initVerify(privateKey as never)).toThrow(InvalidKeyError);
      expect(() => object.initSign(publicKey as never)).toThrow(InvalidKeyError);
      for (const wrong of [otherOf(name), 'X25519', 'EC']) {
        expect(() => object.initSign(generate(wrong).privateKey)).toThrow(InvalidKeyError);
        expect(() => object.initVerify(generate(wrong).publicKey)).toThrow(InvalidKeyError);
      }
      expect(() => object.update(text('no init'))).toThrow(IllegalStateError);
      const parameters = new ECGenParameterSpec('P-256');
      expect(() => object.initSign(privateKey, { parameters })).toThrow(InvalidAlgorithmParameterError);
    }
    expect(() => new EdDSAParameterSpec({ context: new Uint8Array(256) })).toThrow(InvalidParameterError);
    expect(() => new EdDSAParameterSpec({ context: new Uint8Array(500) })).toThrow(InvalidParameterError);
    expect(() => new EdDSAParameterSpec({ context: 'text' as never })).toThrow(InvalidParameterError);
  });

  it('take parameters before and after the init, keep them over a new init, and refuse them amid a message', () => {
    const parameters = new EdDSAParameterSpec({ prehash: true, context: text('context') });
    const early = Signature.getInstance(name, 'Provium').setParameter(parameters).initSign(privateKey);
    const late = Signature.getInstance(name, 'Provium').initSign(privateKey).setParameter(parameters);
    const expected = Signature.sign(name, privateKey, text('m'), { parameters });
    expect(early.update(text('m')).sign()).toEqual(expected);
    expect(late.update(text('m')).sign()).toEqual(expected);
    // After the signature and after another init they are still in force.
    expect(early.update(text('m')).sign()).toEqual(expected);
    expect(early.initSign(privateKey).update(text('m')).sign()).toEqual(expected);
    expect(early.initVerify(publicKey).update(text('m')).verify(expected)).toBe(true);
    early.update(text('m'));
    expect(() => early.setParameter(new EdDSAParameterSpec())).toThrow(IllegalStateError);
    expect(early.verify(expected)).toBe(true);
    early.setParameter(new EdDSAParameterSpec());
    expect(early.update(text('m')).verify(expected)).toBe(false);
  });

  it('come from one object as often as it is used, in turns with verification', () => {
    for (const provider of PROVIDERS) {
      const object = Signature.getInstance(name, provider);
      for (let round = 0; round < 5; round++) {
        const data = text(`round ${round}`);
        const signature = object.initSign(privateKey).update(data).sign();
        expect(object.update(data).sign()).toEqual(signature);
        object.initVerify(publicKey);
        expect(object.update(data).verify(signature)).toBe(true);
        expect(object.update(text('another')).verify(signature)).toBe(false);
        expect(object.update(data).verify(signature.slice(1))).toBe(false);
        expect(object.update(data).verify(signature)).toBe(true);
      }
    }
  });
});

describe.each(CURVES)('$name keys', ({ name, family, oid, size, spki, pkcs8, keyBytes }) => {
  it('serve the family and the curve by any name, in every provider', () => {
    const { publicKey, privateKey } = generate(name);
    for (const provider of PROVIDERS) {
      for (const algorithm of [name, family, oid, name.toLowerCase(), `OID.${oid}`]) {
        if (algorithm !== family || name.endsWith('25519')) {
          const pair = KeyPairGenerator.getInstance(algorithm, provider).generateKeyPair();
          expect(pair.publicKey.curve).toBe(name);
        }
        const factory = KeyFactory.getInstance(algorithm, provider);
        const spec = new X509EncodedKeySpec(publicKey.encoded ?? new Uint8Array());
        expect(factory.generatePublic(spec).equals(publicKey)).toBe(true);
        const secret = new PKCS8EncodedKeySpec(privateKey.encoded ?? new Uint8Array());
        expect(factory.generatePrivate(secret).equals(privateKey)).toBe(true);
        expect(factory.translateKey(privateKey).algorithm).toBe(family);
      }
      const others = KeyFactory.getInstance(otherOf(name), provider);
      const foreign = new X509EncodedKeySpec(publicKey.encoded ?? new Uint8Array());
      expect(() => others.generatePublic(foreign)).toThrow(InvalidKeySpecError);
      expect(() => others.translateKey(publicKey)).toThrow(InvalidKeyError);
    }
  });

  it('are generated by their size or name, and by no other', () => {
    for (const provider of PROVIDERS) {
      const byFamily = KeyPairGenerator.getInstance(family, provider);
      expect(byFamily.initialize(size).generateKeyPair().publicKey.curve).toBe(name);
      const byName = byFamily.initialize(new NamedParameterSpec(name));
      expect(byName.generateKeyPair().privateKey.size).toBe(size);
      const own = KeyPairGenerator.getInstance(name, provider);
      expect(own.initialize(size).generateKeyPair().publicKey.curve).toBe(name);
      for (const wrong of [size === 255 ? 448 : 255, 256, 224, 521, 1, 2 ** 31]) {
        expect(() => own.initialize(wrong)).toThrow(InvalidAlgorithmParameterError);
      }
      for (const wrong of [0, -1, 25.5, Number.NaN]) expect(() => own.initialize(wrong)).toThrow(InvalidParameterError);
      expect(() => own.initialize(new NamedParameterSpec(otherOf(name)))).toThrow(InvalidAlgorithmParameterError);
      expect(() => own.initialize(new ECGenParameterSpec('P-256'))).toThrow(InvalidAlgorithmParameterError);
    }
  });

  it('are encoded as RFC 8410 says, byte for byte, and read in both versions', () => {
    for (const provider of PROVIDERS) {
      const factory = KeyFactory.getInstance(name, provider);
      const { publicKey, privateKey } = generate(name, provider);
      const open = factory.getKeySpec(publicKey, RawKeySpec).bytes;
      const secret = factory.getKeySpec(privateKey, RawKeySpec).bytes;
      expect(open).toHaveLength(keyBytes);
      expect(secret).toHaveLength(keyBytes);
      expect(hex(factory.getKeySpec(publicKey, X509EncodedKeySpec).encoded)).toBe(spki + hex(open));
      const version1 = bytes(pkcs8 + hex(secret));
      const version2 = Uint8Array.of(...version1, 0x81, keyBytes + 1, 0, ...open);
      version2[1] = (version2[1] as number) + keyBytes + 3;
      version2[4] = 1;
      // Lengths above 127 need another octet: only 25519 keys stay below.
      const encodings = (version2[1] as number) < 128 ? [version1, version2] : [version1];
      for (const encoded of encodings) {
        expect(factory.generatePrivate(new PKCS8EncodedKeySpec(encoded)).equals(privateKey)).toBe(true);
        const trailing = Uint8Array.of(...encoded, 0);
        expect(() => factory.generatePrivate(new PKCS8EncodedKeySpec(trailing))).toThrow(InvalidKeySpecError);
      }
      const short = bytes(spki + hex(open.subarray(1)));
      expect(() => factory.generatePublic(new X509EncodedKeySpec(short))).toThrow(InvalidKeySpecError);
      const raw = new RawKeySpec(open.subarray(1), { curve: name });
      expect(() => factory.generatePublic(raw)).toThrow(InvalidKeySpecError);
      const node = createPublicKey({ key: Buffer.from(spki + hex(open), 'hex'), format: 'der', type: 'spki' });
      expect(node.asymmetricKeyType).toBe(name.toLowerCase());
    }
  });
});

describe.each(XDH)('$name agreement', ({ name, size, keyBytes }) => {
  const factory = KeyFactory.getInstance(name, 'Provium');
  const { publicKey, privateKey } = generate(name);
  const p = size === 255 ? 2n ** 255n - 19n : 2n ** 448n - 2n ** 224n - 1n;
  const little = (value: bigint): Uint8Array =>
    Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * keyBytes, '0'), 'hex').reverse());
  const peerOf = (u: Uint8Array, provider: string) =>
    KeyFactory.getInstance(name, provider).generatePublic(new RawKeySpec(u, { curve: name }));

  it('is the same by any name, in any provider', () => {
    const peer = generate(name, 'OpenSSL');
    const node = diffieHellman({
      privateKey: createPrivateKey({ key: Buffer.from(privateKey.encoded ?? []), format: 'der', type: 'pkcs8' }),
      publicKey: createPublicKey({ key: Buffer.from(peer.publicKey.encoded ?? []), format: 'der', type: 'spki' }),
    });
    for (const provider of PROVIDERS) {
      for (const algorithm of [name, 'XDH', name.toLowerCase()]) {
        const agreement = KeyAgreement.getInstance(algorithm, provider).init(privateKey);
        expect(hex(agreement.doPhase(peer.publicKey, true).generateSecret())).toBe(node.toString('hex'));
      }
    }
  });

  it('is refused with every point of small order, and left without a secret', () => {
    /** u of the points of orders 1, 2, 4 and 8 (RFC 7748, section 7), also where they are not canonical. */
    const orderEight =
      size === 255
        ? [
            'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
            '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
          ]
        : [];
    const small = [...[0n, 1n, p - 1n, p, p + 1n].map(little), ...orderEight.map(bytes)];
    for (const provider of PROVIDERS) {
      const agreement = KeyAgreement.getInstance(name, provider).init(privateKey);
      for (const u of small) {
        expect(() => agreement.doPhase(peerOf(u, provider), true)).toThrow(InvalidKeyError);
        expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
      }
      expect(agreement.doPhase(publicKey, true).generateSecret()).toHaveLength(keyBytes);
    }
  });

  it('takes a u that is not canonical for what it is modulo p, and keeps its bytes', () => {
    // 2^255 − 19 + 9 and 2^448 − 2^224 − 1 + 5 still fit.
    const base = size === 255 ? 9n : 5n;
    for (const provider of PROVIDERS) {
      const agree = (u: Uint8Array) =>
        hex(
          KeyAgreement.getInstance(name, provider).init(privateKey).doPhase(peerOf(u, provider), true).generateSecret(),
        );
      expect(agree(little(p + base))).toBe(agree(little(base)));
      expect(agree(little(base))).toBe(hex(factory.getKeySpec(publicKey, RawKeySpec).bytes));
      const kept = peerOf(little(p + base), provider);
      expect(hex(kept.encoded).endsWith(hex(little(p + base)))).toBe(true);
      if (size === 255) {
        const masked = little(base);
        masked[31] = 0x80;
        expect(agree(masked)).toBe(agree(little(base)));
      }
    }
  });

  it('refuses keys of the other curve and of other kinds, and forgets the old key with a failed init', () => {
    const other = generate(otherOf(name));
    for (const provider of PROVIDERS) {
      const agreement = KeyAgreement.getInstance(name, provider);
      expect(() => agreement.doPhase(publicKey, true)).toThrow(IllegalStateError);
      agreement.init(privateKey);
      for (const wrong of [other.publicKey, generate('Ed25519').publicKey, generate('EC').publicKey]) {
        expect(() => agreement.doPhase(wrong, true)).toThrow(InvalidKeyError);
        expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
      }
      expect(agreement.doPhase(publicKey, true).generateSecret()).toHaveLength(keyBytes);
      for (const wrong of [other.privateKey, generate('EC').privateKey, publicKey as never]) {
        agreement.init(privateKey);
        expect(() => agreement.init(wrong)).toThrow(InvalidKeyError);
        expect(() => agreement.doPhase(publicKey, true)).toThrow(IllegalStateError);
      }
      const mixed = KeyAgreement.getInstance('XDH', provider).init(privateKey);
      expect(() => mixed.doPhase(other.publicKey, true)).toThrow(InvalidKeyError);
    }
  });
});

describe('options that mean nothing to EdDSA', () => {
  it.each(['lowS', 'nonceHash'] as const)('are refused: %s', (option) => {
    const { privateKey } = generate('Ed25519');
    const options = { [option]: option === 'lowS' ? true : 'SHA-256' } as SignOptions;
    expect(() => Signature.getInstance('Ed25519').initSign(privateKey, options)).toThrow(
      InvalidAlgorithmParameterError,
    );
  });
});
