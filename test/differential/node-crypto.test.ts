// Operations drawn at random, each done by the façades and by node:crypto side by side.

import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  sign as nodeSign,
  verify as nodeVerify,
} from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CompressedRawKeySpec,
  type JsonWebKey,
  JwkKeySpec,
  KeyAgreement,
  KeyFactory,
  KeyPairGenerator,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  type PrivateKey,
  type PublicKey,
  RawKeySpec,
  Sec1EncodedKeySpec,
  Signature,
  type SignOptions,
  X509EncodedKeySpec,
} from '../../index.ts';

const OPERATIONS = process.env['PROVIUM_TEST_TIER'] === 'ci' ? 2000 : 240;
/** Signing, verification, agreement, generation, import, export. */
const SHARE = OPERATIONS / 6;

const DIGESTS = ['SHA1', 'SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA3-256', 'SHA3-512'] as const;
const FORMS = ['der', 'ieee-p1363'] as const;
const curve = 'secp256r1';

const digest = fc.constantFrom(...DIGESTS);
const form = fc.constantFrom(...FORMS);
const message = fc.uint8Array({ maxLength: 300 });
const provider = fc.constantFrom('Provium', 'OpenSSL');
const nonce = fc.constantFrom<NonNullable<SignOptions['nonce']>>('hedged', 'deterministic', 'random');
/** 32 bytes that are a scalar: the first byte is neither all zero nor all ones in all of them. */
const scalar = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes[0] !== 255 && bytes.some((byte) => byte !== 0));

function algorithmName(hash: string, format: (typeof FORMS)[number]): string {
  return `${hash}withECDSA${format === 'der' ? '' : 'inP1363Format'}`;
}

interface Pair {
  readonly publicKey: PublicKey;
  readonly privateKey: PrivateKey;
  readonly nodePublic: KeyObject;
  readonly nodePrivate: KeyObject;
}

/** One scalar in the façades and in node:crypto, which computes the public key by itself. */
function pairOf(secret: Uint8Array, from: string): Pair {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(secret);
  const octets = ecdh.getPublicKey();
  const part = (from: number) => octets.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) };
  const factory = KeyFactory.getInstance('EC', from);
  return {
    publicKey: factory.generatePublic(new RawKeySpec(octets, { curve })),
    privateKey: factory.generatePrivate(new RawKeySpec(secret, { curve })),
    nodePublic: createPublicKey({ key: jwk, format: 'jwk' }),
    nodePrivate: createPrivateKey({ key: { ...jwk, d: Buffer.from(secret).toString('base64url') }, format: 'jwk' }),
  };
}

function property<T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (...values: T) => void,
) {
  fc.assert(fc.property(...arbitraries, check), { numRuns: Math.ceil(SHARE) });
}

describe('node:crypto', () => {
  it('verifies what the façades sign, in every digest, form and nonce mode', () => {
    property([scalar, message, digest, form, nonce, provider], (secret, data, hash, dsaEncoding, mode, from) => {
      const { privateKey, nodePublic, publicKey } = pairOf(secret, from);
      const options: SignOptions = from === 'Provium' ? { nonce: mode } : {};
      const algorithm = algorithmName(hash, dsaEncoding);
      const signature = Signature.getInstance(algorithm, from).initSign(privateKey, options).update(data).sign();
      expect(nodeVerify(hash, data, { key: nodePublic, dsaEncoding }, signature)).toBe(true);
      expect(Signature.verify(algorithm, publicKey, data, signature)).toBe(true);
      const other = Uint8Array.from([...data, 0]);
      expect(nodeVerify(hash, other, { key: nodePublic, dsaEncoding }, signature)).toBe(false);
    });
  });

  it('signs what the façades verify, and agrees with them on signatures with one bit changed', () => {
    property(
      [scalar, message, digest, form, provider, fc.nat(71 * 8)],
      (secret, data, hash, dsaEncoding, from, bit) => {
        const { publicKey, nodePrivate, nodePublic } = pairOf(secret, from);
        const signature = Uint8Array.from(nodeSign(hash, data, { key: nodePrivate, dsaEncoding }));
        const verifier = Signature.getInstance(algorithmName(hash, dsaEncoding), from).initVerify(publicKey);
        expect(verifier.update(data).verify(signature)).toBe(true);
        const at = (bit >> 3) % signature.length;
        signature[at] = (signature[at] as number) ^ (1 << (bit & 7));
        const expected = nodeVerify(hash, data, { key: nodePublic, dsaEncoding }, signature);
        expect(verifier.update(data).verify(signature)).toBe(expected);
      },
    );
  });

  it('agrees on the same secret', () => {
    property([scalar, scalar, provider, provider], (own, other, from, peerFrom) => {
      const a = pairOf(own, from);
      const b = pairOf(other, peerFrom);
      const secret = KeyAgreement.getInstance('ECDH', from)
        .init(a.privateKey)
        .doPhase(b.publicKey, true)
        .generateSecret();
      const expected = diffieHellman({ privateKey: a.nodePrivate, publicKey: b.nodePublic });
      expect(Buffer.from(secret).equals(expected)).toBe(true);
    });
  });

  it('takes the keys that the façades generate', () => {
    property([provider, message, digest], (from, data, hash) => {
      const { publicKey, privateKey } = KeyPairGenerator.getInstance('EC', from).initialize(256).generateKeyPair();
      const nodePrivate = createPrivateKey({ key: Buffer.from(encodedOf(privateKey)), format: 'der', type: 'pkcs8' });
      const spki = createPublicKey(nodePrivate).export({ format: 'der', type: 'spki' });
      expect(spki.equals(encodedOf(publicKey))).toBe(true);
      const signature = nodeSign(hash, data, nodePrivate);
      expect(Signature.verify(`${hash}withECDSA`, publicKey, data, signature)).toBe(true);
    });
  });

  it('writes keys in every form that the façades read', () => {
    property([scalar, provider, fc.nat(7)], (secret, from, which) => {
      const { nodePrivate, nodePublic, privateKey, publicKey } = pairOf(secret, from);
      const factory = KeyFactory.getInstance('EC', from);
      const der = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'spki') =>
        key.export({ format: 'der', type } as { format: 'der'; type: 'spki' }) as Buffer;
      const pem = (key: KeyObject, type: string) => String(key.export({ format: 'pem', type: type as 'spki' }));
      const forms: readonly (() => readonly [KeySpec, PrivateKey | PublicKey])[] = [
        () => [new PKCS8EncodedKeySpec(der(nodePrivate, 'pkcs8')), privateKey],
        () => [new Sec1EncodedKeySpec(der(nodePrivate, 'sec1')), privateKey],
        () => [new PemKeySpec(pem(nodePrivate, 'pkcs8')), privateKey],
        () => [new PemKeySpec(pem(nodePrivate, 'sec1')), privateKey],
        () => [new JwkKeySpec(nodePrivate.export({ format: 'jwk' }) as JsonWebKey), privateKey],
        () => [new X509EncodedKeySpec(der(nodePublic, 'spki')), publicKey],
        () => [new PemKeySpec(pem(nodePublic, 'spki')), publicKey],
        () => [new JwkKeySpec(nodePublic.export({ format: 'jwk' }) as JsonWebKey), publicKey],
      ];
      const [spec, expected] = (forms[which] as () => readonly [KeySpec, PrivateKey | PublicKey])();
      const read = expected.kind === 'private' ? factory.generatePrivate(spec) : factory.generatePublic(spec);
      expect(read.equals(expected)).toBe(true);
    });
  });

  it('reads keys in every form that the façades write', () => {
    property([scalar, provider, fc.nat(6)], (secret, from, which) => {
      const { privateKey, publicKey, nodePrivate, nodePublic } = pairOf(secret, from);
      const factory = KeyFactory.getInstance('EC', from);
      const buffer = (bytes: Uint8Array) => Buffer.from(bytes);
      const forms: readonly (() => KeyObject)[] = [
        () => createPrivateKey({ key: buffer(encodedOf(privateKey)), format: 'der', type: 'pkcs8' }),
        () =>
          createPrivateKey({
            key: buffer(factory.getKeySpec(privateKey, Sec1EncodedKeySpec).encoded),
            format: 'der',
            type: 'sec1',
          }),
        () => createPrivateKey(factory.getKeySpec(privateKey, PemKeySpec).pem),
        () => createPrivateKey({ key: { ...factory.getKeySpec(privateKey, JwkKeySpec).jwk }, format: 'jwk' }),
        () => createPublicKey({ key: buffer(encodedOf(publicKey)), format: 'der', type: 'spki' }),
        () => createPublicKey(factory.getKeySpec(publicKey, PemKeySpec).pem),
        () => createPublicKey({ key: { ...factory.getKeySpec(publicKey, JwkKeySpec).jwk }, format: 'jwk' }),
      ];
      const read = (forms[which] as () => KeyObject)();
      expect(read.equals(read.type === 'private' ? nodePrivate : nodePublic)).toBe(true);
      const compressed = factory.getKeySpec(publicKey, CompressedRawKeySpec).bytes;
      const ecdh = createECDH('prime256v1');
      ecdh.setPrivateKey(secret);
      expect(ecdh.getPublicKey('hex', 'compressed')).toBe(buffer(compressed).toString('hex'));
    });
  });

  it('hashes a message fed in any pieces to the same signature', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 });
    property([scalar, pieces, digest], (secret, parts, hash) => {
      const { privateKey } = pairOf(secret, 'Provium');
      const options = { nonce: 'deterministic' } as const;
      const object = Signature.getInstance(`${hash}withECDSA`, 'Provium').initSign(privateKey, options);
      for (const part of parts) object.update(part);
      const whole = Uint8Array.from(Buffer.concat(parts));
      const signature = object.sign();
      expect(signature).toEqual(object.update(whole).sign());
      const none = Signature.sign('NONEwithECDSA', privateKey, hashOf(hash, whole), {
        ...options,
        nonceHash: hash.replace(/^SHA(?!3-)/, 'SHA-'),
        provider: 'Provium',
      });
      expect(none).toEqual(signature);
    });
  });
});

function encodedOf(key: PrivateKey | PublicKey): Uint8Array {
  if (key.encoded === undefined) throw new Error('the key has no encoding');
  return key.encoded;
}

function hashOf(name: string, data: Uint8Array): Uint8Array {
  return Uint8Array.from(createHash(name).update(data).digest());
}
