// Curves by parameters that the caller gives himself: RFC 6979 on P-192 and on all served curves, ECDH, and refusals.

import { createECDH, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CURVES } from '../../engines/index.ts';
import {
  AlgorithmDisabledError,
  ECGenParameterSpec,
  ECParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  JwkKeySpec,
  KeyAgreement,
  KeyFactory,
  KeyPairGenerator,
  type KeySpecClass,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  SecurityContext,
  Signature,
  X509EncodedKeySpec,
} from '../../index.ts';
import { createProviumProvider } from '../../providers/provium/provider.ts';
import { integer, nonceOf } from '../vectors/nonces.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');

/** SEC 2, 2.2.1 (version 1): secp192r1, which no provider of ours serves by name. */
const P192 = {
  p: bytes('fffffffffffffffffffffffffffffffeffffffffffffffff'),
  a: bytes('fffffffffffffffffffffffffffffffefffffffffffffffc'),
  b: bytes('64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1'),
  gx: bytes('188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012'),
  gy: bytes('07192b95ffc8da78631011ed6b24cdd573f977a11e794811'),
  n: bytes('ffffffffffffffffffffffff99def836146bc9b1b4d22831'),
};
const p192 = new ECParameterSpec(P192);
const factory = KeyFactory.getInstance('EC', 'Provium');

interface Vectors {
  readonly curve: string;
  readonly secgName: string;
  readonly n: string;
  readonly d: string;
  readonly qx: string;
  readonly qy: string;
  readonly cases: readonly Readonly<Record<'hash' | 'message' | 'k' | 'r' | 's', string>>[];
}
const RFC6979 = (
  JSON.parse(readFileSync(new URL('../vectors/rfc/rfc6979-ecdsa.json', import.meta.url), 'utf8')) as {
    readonly vectors: readonly Vectors[];
  }
).vectors;

describe('RFC 6979', () => {
  it('lists five prime curves with five hashes and two messages each', () => {
    expect(RFC6979.map(({ curve }) => curve)).toEqual(['P-192', 'P-224', 'P-256', 'P-384', 'P-521']);
    for (const { cases } of RFC6979) expect(cases).toHaveLength(10);
  });

  it.each(RFC6979)('gives the listed k, r and s through the façades on $curve', ({ secgName, n, d, qx, qy, cases }) => {
    const parameters = secgName === 'secp192r1' ? p192 : new ECGenParameterSpec(secgName);
    const privateKey = factory.generatePrivate(new ECPrivateKeySpec(bytes(d), parameters));
    const publicKey = factory.generatePublic(new ECPublicKeySpec({ x: bytes(qx), y: bytes(qy) }, parameters));
    expect(factory.generatePublic(new ECPrivateKeySpec(bytes(d), parameters)).equals(publicKey)).toBe(true);
    for (const { hash, message, k, r, s } of cases) {
      const algorithm = `${hash.replace('-', '')}withECDSAinP1363Format`;
      const data = new TextEncoder().encode(message);
      const signature = Signature.sign(algorithm, privateKey, data, { nonce: 'deterministic' });
      expect(hex(signature), `${hash} ${message}`).toBe(r + s);
      const digest = createHash(hash.replace('-', '')).update(data).digest();
      expect(nonceOf(signature, digest, integer(bytes(d)), integer(bytes(n)))).toBe(integer(bytes(k)));
      expect(Signature.verify(algorithm, publicKey, data, signature)).toBe(true);
      expect(Signature.verify(algorithm, publicKey, Uint8Array.of(...data, 0), signature)).toBe(false);
    }
  });
});

describe('a curve by its parameters', () => {
  const generator = KeyPairGenerator.getInstance('EC').initialize(p192);
  const pair = generator.generateKeyPair();

  it('is served by Provium', () => {
    expect(generator.provider?.name).toBe('Provium');
    expect(pair.publicKey.size).toBe(192);
    expect(pair.publicKey.curve).toBeUndefined();
    expect(String(pair.privateKey)).toBe('EC private key (192 bits)');
  });

  it('has no encoding, but gives its numbers and its parameters', () => {
    expect(pair.publicKey.encoded).toBeUndefined();
    expect(pair.privateKey.encoded).toBeUndefined();
    const kinds: readonly KeySpecClass[] = [X509EncodedKeySpec, JwkKeySpec, RawKeySpec];
    for (const kind of kinds) {
      expect(() => factory.getKeySpec(pair.publicKey, kind)).toThrow(InvalidKeySpecError);
    }
    expect(() => factory.getKeySpec(pair.privateKey, PKCS8EncodedKeySpec)).toThrow(InvalidKeySpecError);
    const secret = factory.getKeySpec(pair.privateKey, ECPrivateKeySpec);
    const open = factory.getKeySpec(pair.publicKey, ECPublicKeySpec);
    expect(secret.parameters).toEqual(p192);
    expect(factory.generatePrivate(secret).equals(pair.privateKey)).toBe(true);
    expect(factory.generatePublic(open).equals(pair.publicKey)).toBe(true);
    expect(factory.generatePublic(secret).equals(pair.publicKey)).toBe(true);
  });

  it('agrees with OpenSSL on the public key and on the secret', () => {
    const theirs = createECDH('prime192v1');
    theirs.generateKeys();
    const octets = theirs.getPublicKey();
    const peer = factory.generatePublic(
      new ECPublicKeySpec({ x: octets.subarray(1, 25), y: octets.subarray(25) }, p192),
    );
    const agreement = KeyAgreement.getInstance('ECDH').init(pair.privateKey);
    const secret = agreement.doPhase(peer, true).generateSecret();
    const { x, y } = factory.getKeySpec(pair.publicKey, ECPublicKeySpec);
    expect(theirs.computeSecret(Buffer.from([4, ...x, ...y])).equals(secret)).toBe(true);
  });

  it('does not mix with another curve', () => {
    const k1 = KeyPairGenerator.getInstance('EC', 'Provium').initialize(256).generateKeyPair();
    const other = KeyPairGenerator.getInstance('EC', 'Provium').initialize(
      new ECParameterSpec({ ...P192, ...twice() }),
    );
    const peer = other.generateKeyPair();
    const agreement = KeyAgreement.getInstance('ECDH', 'Provium').init(pair.privateKey);
    expect(() => agreement.doPhase(k1.publicKey, true)).toThrow(InvalidKeyError);
    expect(() => agreement.doPhase(peer.publicKey, true)).toThrow(InvalidKeyError);
    expect(peer.publicKey.equals(pair.publicKey)).toBe(false);
  });

  it('by the parameters of a curve with a name is that curve', () => {
    const row = CURVES.secp256k1;
    const part = (text: string) => Uint8Array.of(0, ...bytes(text));
    const spec = new ECParameterSpec({
      p: part(row.p),
      a: part(row.a),
      b: part(row.b),
      gx: part(row.gx),
      gy: part(row.gy),
      n: part(row.n),
    });
    const { publicKey } = KeyPairGenerator.getInstance('EC', 'Provium').initialize(spec).generateKeyPair();
    expect(publicKey.curve).toBe('secp256k1');
    expect(publicKey.encoded).toBeDefined();
  });

  it('obeys a policy on key sizes', () => {
    const provider = createProviumProvider();
    const context = new SecurityContext({ providers: [provider], disabledAlgorithms: ['EC keySize < 224'] });
    const strict = KeyPairGenerator.getInstance('EC', { context }).initialize(p192);
    expect(() => strict.generateKeyPair()).toThrow(AlgorithmDisabledError);
    const spec = new ECPrivateKeySpec(Uint8Array.of(1), p192);
    expect(() => KeyFactory.getInstance('EC', { context }).generatePrivate(spec)).toThrow(AlgorithmDisabledError);
  });

  it.each([
    ['a prime that is none', { p: bytes('fffffffffffffffffffffffffffffffefffffffffffffffd') }],
    ['an order that is none', { n: bytes('ffffffffffffffffffffffff99def836146bc9b1b4d22833') }],
    ['a base point off the curve', { gx: bytes('188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1013') }],
    ['a coefficient of another curve', { b: bytes('64210519e59c80e70fa7e9ab72243049feb8deecc146b9b0') }],
    ['a singular curve', { a: new Uint8Array(1), b: new Uint8Array(1) }],
    ['an order that equals the prime', { n: P192.p }],
    ['a tiny prime', { p: Uint8Array.of(23), a: Uint8Array.of(1), b: Uint8Array.of(1) }],
    ['numbers without end', { p: new Uint8Array(5000).fill(255) }],
    ['nothing', { p: new Uint8Array(0) }],
    ['a cofactor', { cofactor: 4 }],
  ])('is refused with %s', (_what, change) => {
    const spec = new ECParameterSpec({ ...P192, ...change });
    expect(() => KeyPairGenerator.getInstance('EC', 'Provium').initialize(spec)).toThrow(
      InvalidAlgorithmParameterError,
    );
    expect(() => KeyPairGenerator.getInstance('EC').initialize(spec)).toThrow(InvalidAlgorithmParameterError);
    expect(() => factory.generatePrivate(new ECPrivateKeySpec(Uint8Array.of(1), spec))).toThrow(InvalidKeySpecError);
  });

  it('refuses scalars and points that are not on it', () => {
    for (const scalar of [new Uint8Array(24), P192.n, new Uint8Array(24).fill(255)]) {
      expect(() => factory.generatePrivate(new ECPrivateKeySpec(scalar, p192))).toThrow(InvalidKeySpecError);
    }
    const y = P192.gy.map((byte, i) => (i === 23 ? byte ^ 1 : byte));
    expect(() => factory.generatePublic(new ECPublicKeySpec({ x: P192.gx, y }, p192))).toThrow(InvalidKeySpecError);
  });

  it('is not read out of an encoding', () => {
    expect(() => factory.generatePublic(new X509EncodedKeySpec(EXPLICIT_SPKI))).toThrow(InvalidKeySpecError);
    const pem = `-----BEGIN PUBLIC KEY-----\n${Buffer.from(EXPLICIT_SPKI).toString('base64')}\n-----END PUBLIC KEY-----\n`;
    expect(() => KeyFactory.getInstance('EC').generatePublic(new PemKeySpec(pem))).toThrow(InvalidKeySpecError);
  });
});

/** A key on secp192r1 with its parameters, by `openssl ec -param_enc explicit -pubout -outform DER`. */
const EXPLICIT_SPKI = bytes(`
  3082010a3081d306072a8648ce3d02013081c7020101302406072a8648ce3d0101021900fffffffffffffffffffffffffffffffeffffffff
  ffffffff304b0418fffffffffffffffffffffffffffffffefffffffffffffffc041864210519e59c80e70fa7e9ab72243049feb8deecc146
  b9b10315003045ae6fc8422f64ed579528d38120eae12196d5043104188da80eb03090f67cbf20eb43a18800f4ff0afd82ff101207192b95
  ffc8da78631011ed6b24cdd573f977a11e794811021900ffffffffffffffffffffffff99def836146bc9b1b4d2283102010103320004a9d5
  3474b44714c4072d911ccd2d1e166e902267864a3b4f9b89d065e73e44dc806ac4e5e0e8e4f829022f53559e9530`);

/** The same curve with the base point 2·G: another group element, another curve for all purposes. */
function twice(): { readonly gx: Uint8Array; readonly gy: Uint8Array } {
  const ecdh = createECDH('prime192v1');
  ecdh.setPrivateKey(Buffer.from('2'.padStart(48, '0'), 'hex'));
  const octets = ecdh.getPublicKey();
  return { gx: Uint8Array.from(octets.subarray(1, 25)), gy: Uint8Array.from(octets.subarray(25)) };
}
