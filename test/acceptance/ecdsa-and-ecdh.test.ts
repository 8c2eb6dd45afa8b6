// What OpenJDK's tests of its EC provider ask, asked of our façades in our words: docs/acceptance.md has the table.

import { createECDH, createHash, createPublicKey, verify as nodeVerify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CURVES, type CurveName, createEngines, signDigestWithNonceUnchecked } from '../../engines/index.ts';
import {
  ECGenParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  EdDSAParameterSpec,
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  JwkKeySpec,
  KeyAgreement,
  KeyFactory,
  type KeyPair,
  KeyPairGenerator,
  type KeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  Signature,
  SignatureError,
  X509EncodedKeySpec,
} from '../../index.ts';
import { SERVED } from './engine-variants.ts';
import { atWidth, integer, inverse, leftmost, modulo } from './integers.ts';

const PROVIDERS = ['Provium', 'OpenSSL'];
const HASHES = [
  'SHA1',
  'SHA224',
  'SHA256',
  'SHA384',
  'SHA512',
  'SHA512/256',
  'SHA3-224',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
];
const text = (data: string): Uint8Array => new TextEncoder().encode(data);
const orderOf = (curve: CurveName): bigint => BigInt(`0x${CURVES[curve].n}`);
const widthOf = (curve: CurveName): number => Math.ceil(CURVES[curve].orderBits / 8);

function generate(curve: string, provider = 'Provium'): KeyPair {
  return KeyPairGenerator.getInstance('EC', provider).initialize(new ECGenParameterSpec(curve)).generateKeyPair();
}

describe.each(SERVED)('all services together on %s', (curve) => {
  const pairs = PROVIDERS.map((provider) => ({ provider, ...generate(curve, provider) }));

  it('carry keys in every form from each provider to each other', () => {
    for (const { provider, publicKey, privateKey } of pairs) {
      const from = KeyFactory.getInstance('EC', provider);
      for (const to of PROVIDERS.map((name) => KeyFactory.getInstance('EC', name))) {
        for (const kind of [PKCS8EncodedKeySpec, Sec1EncodedKeySpec, RawKeySpec, ECPrivateKeySpec]) {
          const spec: KeySpec = from.getKeySpec<KeySpec>(privateKey, kind);
          expect(to.generatePrivate(spec).equals(privateKey)).toBe(true);
        }
        for (const kind of [X509EncodedKeySpec, RawKeySpec, ECPublicKeySpec]) {
          const spec: KeySpec = from.getKeySpec<KeySpec>(publicKey, kind);
          expect(to.generatePublic(spec).equals(publicKey)).toBe(true);
        }
      }
    }
  });

  it('verify by each provider what the other signed, with every hash in both forms', () => {
    for (const { provider, publicKey, privateKey } of pairs) {
      for (const algorithm of HASHES.flatMap((hash) => [`${hash}withECDSA`, `${hash}withECDSAinP1363Format`])) {
        const signature = Signature.sign(algorithm, privateKey, text(algorithm), { provider });
        for (const verifier of PROVIDERS) {
          const options = { provider: verifier };
          expect(Signature.verify(algorithm, publicKey, text(algorithm), signature, options)).toBe(true);
          expect(Signature.verify(algorithm, publicKey, text('another'), signature, options)).toBe(false);
        }
      }
    }
  });

  it('agree on one secret, whoever computes it', () => {
    const [a, b] = pairs;
    if (a === undefined || b === undefined) throw new Error('a provider is missing');
    const secrets = PROVIDERS.flatMap((provider) => [
      KeyAgreement.getInstance('ECDH', provider).init(a.privateKey).doPhase(b.publicKey, true).generateSecret(),
      KeyAgreement.getInstance('ECDH', provider).init(b.privateKey).doPhase(a.publicKey, true).generateSecret(),
    ]);
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
    expect(secrets[0]).toHaveLength(Math.ceil(CURVES[curve].fieldBits / 8));
  });

  it.each(PROVIDERS)('refuse private numbers below 1 and above n − 1 in every form: %s', (provider) => {
    const n = orderOf(curve);
    const width = widthOf(curve);
    const factory = KeyFactory.getInstance('EC', provider);
    const good = generate(curve);
    const pkcs8 = KeyFactory.getInstance('EC', 'Provium').getKeySpec(good.privateKey, PKCS8EncodedKeySpec).encoded;
    const own = KeyFactory.getInstance('EC', 'Provium').getKeySpec(good.privateKey, RawKeySpec).bytes;
    const at = Buffer.from(pkcs8).indexOf(own);
    expect(at).toBeGreaterThan(0);
    for (const value of [0n, n, n + 1n, (1n << BigInt(8 * width)) - 1n]) {
      const scalar = atWidth(value, width);
      const inside = Uint8Array.from(pkcs8);
      inside.set(scalar, at);
      const specs = [
        new RawKeySpec(scalar, { curve }),
        new ECPrivateKeySpec(scalar, new ECGenParameterSpec(curve)),
        new PKCS8EncodedKeySpec(inside),
      ];
      for (const spec of specs) expect(() => factory.generatePrivate(spec)).toThrow(InvalidKeySpecError);
    }
    for (const value of [1n, n - 1n]) {
      const spec = new RawKeySpec(atWidth(value, width), { curve });
      const signature = Signature.sign('SHA256withECDSA', factory.generatePrivate(spec), text('edge'), { provider });
      const peer = factory.generatePublic(new ECPrivateKeySpec(spec.bytes, new ECGenParameterSpec(curve)));
      expect(Signature.verify('SHA256withECDSA', peer, text('edge'), signature)).toBe(true);
    }
  });

  it.each(PROVIDERS)('refuse public points that are off the curve or on another one: %s', (provider) => {
    const factory = KeyFactory.getInstance('EC', provider);
    const parameters = new ECGenParameterSpec(curve);
    const { x, y } = KeyFactory.getInstance('EC', 'Provium').getKeySpec(generate(curve).publicKey, ECPublicKeySpec);
    const p = BigInt(`0x${CURVES[curve].p}`);
    const width = x.length;
    const flipped = y.map((byte, i) => (i === width - 1 ? byte ^ 1 : byte));
    const wrong = [
      { x, y: flipped },
      { x: y, y: x },
      { x: new Uint8Array(width), y: new Uint8Array(width) },
      { x: atWidth(p, width), y },
      { x, y: atWidth(p, width) },
      { x: Uint8Array.of(1, ...x), y },
    ];
    for (const point of wrong) {
      expect(() => factory.generatePublic(new ECPublicKeySpec(point, parameters))).toThrow(InvalidKeySpecError);
    }
    for (const other of SERVED.filter((name) => name !== curve)) {
      const spec = new ECPublicKeySpec({ x, y }, new ECGenParameterSpec(other));
      expect(() => factory.generatePublic(spec)).toThrow(InvalidKeySpecError);
    }
  });

  it('sign with a known nonce what integers and OpenSSL say, with every hash in P1363 form', () => {
    const operations = createEngines().ecOperations(curve);
    const n = orderOf(curve);
    const width = widthOf(curve);
    const draw = (label: string): bigint =>
      modulo(BigInt(`0x${createHash('sha512').update(label).digest('hex').repeat(2)}`), n - 1n) + 1n;
    const name = curve === 'secp256r1' ? 'prime256v1' : curve;
    for (const hash of HASHES) {
      const [d, k] = [draw(`${curve} ${hash} key`), draw(`${curve} ${hash} nonce`)];
      const digest = Uint8Array.from(createHash(hash.replace('SHA512/256', 'SHA512-256')).update('a message').digest());
      const ecdh = createECDH(name);
      ecdh.setPrivateKey(Buffer.from(atWidth(k, width)));
      const octets = ecdh.getPublicKey();
      const r = modulo(integer(octets.subarray(1, (octets.length + 1) / 2)), n);
      const s = modulo(inverse(k, n) * (leftmost(digest, CURVES[curve].orderBits) + r * d), n);
      const out = new Uint8Array(2 * width);
      expect(signDigestWithNonceUnchecked(operations, out, digest, atWidth(d, width), atWidth(k, width))).toBe(1);
      expect(out).toEqual(Uint8Array.of(...atWidth(r, width), ...atWidth(s, width)));

      const algorithm = `${hash}withECDSAinP1363Format`;
      const factory = KeyFactory.getInstance('EC', 'Provium');
      const peer = factory.generatePublic(new ECPrivateKeySpec(atWidth(d, width), new ECGenParameterSpec(curve)));
      expect(Signature.verify(algorithm, peer, text('a message'), out, { provider: 'Provium' })).toBe(true);
      const key = createPublicKey({ key: Buffer.from(peer.encoded ?? []), format: 'der', type: 'spki' });
      const nodeHash = hash.replace('SHA512/256', 'SHA512-256');
      expect(nodeVerify(nodeHash, text('a message'), { key, dsaEncoding: 'ieee-p1363' }, out)).toBe(true);
    }
  });
});

describe.each(PROVIDERS)('key agreement of %s', (provider) => {
  const { publicKey, privateKey } = generate('secp256r1');
  const other = generate('secp384r1');

  it('is left without a secret and without a key by an init or a phase that fails', () => {
    const agreement = KeyAgreement.getInstance('ECDH', provider);
    expect(() => agreement.doPhase(publicKey, true)).toThrow(IllegalStateError);
    agreement.init(privateKey);
    expect(() => agreement.doPhase(other.publicKey, true)).toThrow(InvalidKeyError);
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
    // The key is still there: the phase failed, not the init.
    expect(agreement.doPhase(publicKey, true).generateSecret()).toHaveLength(32);
    expect(() => agreement.init(publicKey as never)).toThrow(InvalidKeyError);
    expect(() => agreement.doPhase(publicKey, true)).toThrow(IllegalStateError);
    expect(() => agreement.generateSecret()).toThrow(IllegalStateError);
  });

  it('takes a new key at every init and may be used again and again', () => {
    const agreement = KeyAgreement.getInstance('ECDH', provider).init(other.privateKey);
    expect(agreement.doPhase(other.publicKey, true).generateSecret()).toHaveLength(48);
    agreement.init(privateKey);
    const first = agreement.doPhase(publicKey, true).generateSecret();
    expect(agreement.doPhase(publicKey, true).generateSecret()).toEqual(first);
    expect(first).toHaveLength(32);
  });
});

describe('NONEwithECDSA', () => {
  it.each(SERVED)('signs 48 and 64 bytes out of a larger buffer, in one piece and in many: %s', (curve) => {
    const { publicKey, privateKey } = generate(curve);
    const buffer = Uint8Array.from({ length: 200 }, (_, i) => i);
    for (const length of [1, 20, 48, 64]) {
      const view = buffer.subarray(7, 7 + length);
      const object = Signature.getInstance('NONEwithECDSA').initSign(privateKey);
      const whole = object.update(view).sign();
      for (const byte of view) object.update(Uint8Array.of(byte));
      const pieces = object.sign();
      const verifier = Signature.getInstance('NONEwithECDSA').initVerify(publicKey);
      for (const signature of [whole, pieces]) expect(verifier.update(Buffer.from(view)).verify(signature)).toBe(true);
    }
  });

  it('refuses more than 64 bytes by every way of feeding, 66 on secp521r1, and works after it', () => {
    for (const curve of SERVED) {
      const { publicKey, privateKey } = generate(curve);
      const most = Math.max(64, widthOf(curve));
      const object = Signature.getInstance('NONEwithECDSA').initSign(privateKey);
      const tooLong = new Uint8Array(most + 1).fill(1);
      const feeds = [
        () => object.update(tooLong),
        () => object.update(Buffer.from(tooLong)),
        () => object.update(new Uint8Array(300).subarray(100, 101 + most)),
        () => object.update(tooLong.subarray(0, most)).update(Uint8Array.of(1)),
      ];
      for (const feed of feeds) {
        feed();
        expect(() => object.sign()).toThrow(SignatureError);
      }
      const digest = tooLong.subarray(0, most);
      const signature = object.update(digest).sign();
      expect(Signature.verify('NONEwithECDSA', publicKey, digest, signature)).toBe(true);
      expect(() => Signature.sign('NONEwithECDSA', privateKey, tooLong)).toThrow(SignatureError);
    }
  });
});

describe('object identifiers', () => {
  /** RFC 3279 and 5758; NIST's arc for SHA-3. */
  const SIGNATURES = [
    ['1.2.840.10045.4.1', 'SHA1withECDSA'],
    ['1.2.840.10045.4.3.1', 'SHA224withECDSA'],
    ['1.2.840.10045.4.3.2', 'SHA256withECDSA'],
    ['1.2.840.10045.4.3.3', 'SHA384withECDSA'],
    ['1.2.840.10045.4.3.4', 'SHA512withECDSA'],
    ['2.16.840.1.101.3.4.3.9', 'SHA3-224withECDSA'],
    ['2.16.840.1.101.3.4.3.10', 'SHA3-256withECDSA'],
    ['2.16.840.1.101.3.4.3.11', 'SHA3-384withECDSA'],
    ['2.16.840.1.101.3.4.3.12', 'SHA3-512withECDSA'],
  ] as const;
  const { publicKey, privateKey } = generate('secp256r1');

  it.each(SIGNATURES)('%s means %s, bare and with its prefix', (oid, name) => {
    for (const provider of PROVIDERS) {
      for (const word of [oid, `OID.${oid}`, `oid.${oid}`]) {
        const signature = Signature.sign(word, privateKey, text('named'), { provider });
        expect(Signature.verify(name, publicKey, text('named'), signature, { provider })).toBe(true);
      }
      const other = name === 'SHA256withECDSA' ? 'SHA1withECDSA' : 'SHA256withECDSA';
      const signature = Signature.sign(oid, privateKey, text('named'), { provider });
      expect(Signature.verify(other, publicKey, text('named'), signature, { provider })).toBe(false);
    }
  });

  it.each([
    ['1.2.840.10045.2.1', 'EC', '1.3.132.1.12'],
    ['1.3.101.110', 'XDH', '1.3.101.110'],
    ['1.3.101.111', 'XDH', '1.3.101.111'],
  ])('%s names generator, factory and agreement', (oid, family, agreementOid) => {
    for (const provider of PROVIDERS) {
      const pair = KeyPairGenerator.getInstance(oid, provider).generateKeyPair();
      expect(pair.publicKey.algorithm).toBe(family);
      const spec = new X509EncodedKeySpec(pair.publicKey.encoded ?? new Uint8Array());
      const peer = KeyFactory.getInstance(`OID.${oid}`, provider).generatePublic(spec);
      expect(peer.equals(pair.publicKey)).toBe(true);
      const agreement = KeyAgreement.getInstance(agreementOid, provider).init(pair.privateKey);
      expect(agreement.doPhase(peer, true).generateSecret().length).toBeGreaterThan(31);
    }
  });

  it.each([
    ['1.3.101.112', 'Ed25519'],
    ['1.3.101.113', 'Ed448'],
  ])('%s names generator, factory and signature of %s', (oid, curve) => {
    for (const provider of PROVIDERS) {
      const pair = KeyPairGenerator.getInstance(oid, provider).generateKeyPair();
      expect(pair.publicKey.curve).toBe(curve);
      const spec = new X509EncodedKeySpec(pair.publicKey.encoded ?? new Uint8Array());
      const peer = KeyFactory.getInstance(oid, provider).generatePublic(spec);
      const signature = Signature.sign(oid, pair.privateKey, text('named'), { provider });
      expect(Signature.verify(curve, peer, text('named'), signature, { provider })).toBe(true);
    }
  });
});

describe('parameters of ECDSA signatures', () => {
  const { publicKey, privateKey } = generate('secp256r1');

  it.each(PROVIDERS)('are those of the key or refused, before and after the init: %s', (provider) => {
    const object = Signature.getInstance('SHA256withECDSA', provider);
    object.setParameter(new ECGenParameterSpec('P-256')).initSign(privateKey);
    const signature = object.update(text('data')).sign();
    object.initVerify(publicKey);
    expect(object.update(text('data')).verify(signature)).toBe(true);
    for (const wrong of [new ECGenParameterSpec('secp384r1'), new EdDSAParameterSpec()]) {
      expect(() => object.setParameter(wrong)).toThrow(InvalidAlgorithmParameterError);
      const early = Signature.getInstance('SHA256withECDSA', provider).setParameter(wrong);
      expect(() => early.initSign(privateKey)).toThrow(InvalidAlgorithmParameterError);
    }
    expect(() => object.setParameter({ name: 'P-256' } as never)).toThrow(InvalidAlgorithmParameterError);
    // What was refused changed nothing.
    expect(object.update(text('data')).verify(signature)).toBe(true);
    expect(() => object.update(text('data')).setParameter(new ECGenParameterSpec('P-256'))).toThrow(IllegalStateError);
  });
});

describe('JWK of EC keys', () => {
  it.each(['secp256r1', 'secp384r1', 'secp521r1', 'secp256k1'])('goes between the providers on %s', (curve) => {
    const { privateKey } = generate(curve);
    const { jwk } = KeyFactory.getInstance('EC', 'Provium').getKeySpec(privateKey, JwkKeySpec);
    const other = KeyFactory.getInstance('EC', 'OpenSSL');
    const read = other.generatePrivate(new JwkKeySpec(jwk));
    expect(other.getKeySpec(read, JwkKeySpec).jwk).toEqual(jwk);
  });
});
