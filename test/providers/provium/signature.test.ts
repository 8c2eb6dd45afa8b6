import { createPrivateKey, createPublicKey, sign as nodeSign, verify as nodeVerify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableHashes } from '../../../providers/provium/hashing.ts';
import type { EcPrivateKey, EcPublicKey } from '../../../providers/provium/keys.ts';
import {
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  KeyDestroyedError,
  ProviderError,
  SignatureError,
} from '../../../spi/errors.ts';
import { ECGenParameterSpec, EdDSAParameterSpec, RawKeySpec } from '../../../spi/key-specs.ts';
import { ECDSA_HASHES } from '../../../spi/names.ts';
import type { ServiceContext, SignOptions } from '../../../spi/service.ts';
import { bytes, context, hex, provider, spi, text } from './support.ts';

interface Rfc6979 {
  vectors: {
    secgName: string;
    d: string;
    qx: string;
    qy: string;
    cases: { hash: string; message: string; r: string; s: string }[];
  }[];
}
const rfc6979 = JSON.parse(
  readFileSync(new URL('../../vectors/rfc/rfc6979-ecdsa.json', import.meta.url), 'utf8'),
) as Rfc6979;
const p256 = rfc6979.vectors.find(({ secgName }) => secgName === 'secp256r1');
if (p256 === undefined) throw new Error('the vectors of P-256 are missing');

const factory = spi('KeyFactory', 'EC');
const privateKey = factory.generatePrivate(new RawKeySpec(bytes(p256.d), { curve: 'P-256' })) as EcPrivateKey;
const publicKey = factory.generatePublic(
  new RawKeySpec(bytes(`04${p256.qx}${p256.qy}`), { curve: 'P-256' }),
) as EcPublicKey;
const N = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

/** SHA1 and SHA3-256 as MessageDigest and node:crypto name them. */
const nodeHash = (hash: string) => hash.toLowerCase().replace('/', '-');

function signWith(algorithm: string, data: Uint8Array, options: SignOptions = {}, from: ServiceContext = context) {
  const signature = spi('Signature', algorithm, { context: from });
  signature.initSign(privateKey, options);
  signature.update(data);
  return signature.sign();
}

function verifyWith(algorithm: string, data: Uint8Array, value: Uint8Array) {
  const signature = spi('Signature', algorithm);
  signature.initVerify(publicKey, {});
  signature.update(data);
  return signature.verify(value);
}

describe('ECDSA with deterministic nonces', () => {
  it.each(p256.cases)('gives the values of RFC 6979 for $hash over "$message"', ({ hash, message, r, s }) => {
    const algorithm = `${hash.replace('-', '')}withECDSAinP1363Format`;
    expect(hex(signWith(algorithm, text(message), { nonce: 'deterministic' }))).toBe(r + s);
    const fromContext = { ...context, nonce: 'deterministic' } as const;
    expect(hex(signWith(algorithm, text(message), {}, fromContext))).toBe(r + s);
    const portable = spi('Signature', algorithm, { provider: provider({ hashing: portableHashes() }) });
    expect(hex(portable.signOnce?.(privateKey, text(message), { nonce: 'deterministic' }) ?? bytes(''))).toBe(r + s);
    expect(verifyWith(algorithm, text(message), bytes(r + s))).toBe(true);
  });

  it('takes another hash for the nonce, and needs one where the message is not hashed', () => {
    const [sample] = p256.cases.filter(({ hash, message }) => hash === 'SHA-256' && message === 'sample');
    const digest = spi('MessageDigest', 'SHA-256');
    digest.update(text('sample'));
    const raw = signWith('NONEwithECDSAinP1363Format', digest.digest(), {
      nonce: 'deterministic',
      nonceHash: 'sha256',
    });
    expect(hex(raw)).toBe(`${sample?.r}${sample?.s}`);
    const other = signWith('SHA256withECDSAinP1363Format', text('sample'), { nonceHash: 'SHA-512' });
    expect(hex(other)).not.toBe(hex(raw));
    expect(signWith('SHA256withECDSAinP1363Format', text('sample'), { nonceHash: 'SHA-512' })).toEqual(other);
    expect(verifyWith('SHA256withECDSAinP1363Format', text('sample'), other)).toBe(true);
    expect(() => signWith('NONEwithECDSA', text('x'), { nonce: 'deterministic' })).toThrow(
      InvalidAlgorithmParameterError,
    );
  });
});

describe('ECDSA against node:crypto', () => {
  const nodePrivate = createPrivateKey({
    key: Buffer.from(privateKey.encoded as Uint8Array),
    format: 'der',
    type: 'pkcs8',
  });
  const nodePublic = createPublicKey({
    key: Buffer.from(publicKey.encoded as Uint8Array),
    format: 'der',
    type: 'spki',
  });
  const hashes = ECDSA_HASHES.filter((hash) => hash !== 'NONE');

  it.each(hashes)('%swithECDSA verifies what the other signed, in both forms', (hash) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (message) => {
        for (const [suffix, dsaEncoding] of [
          ['', 'der'],
          ['inP1363Format', 'ieee-p1363'],
        ] as const) {
          const algorithm = `${hash}withECDSA${suffix}`;
          const ours = signWith(algorithm, message);
          expect(nodeVerify(nodeHash(hash), message, { key: nodePublic, dsaEncoding }, ours)).toBe(true);
          const theirs = nodeSign(nodeHash(hash), message, { key: nodePrivate, dsaEncoding });
          expect(verifyWith(algorithm, message, theirs)).toBe(true);
          theirs[theirs.length - 1] = (theirs[theirs.length - 1] ?? 0) ^ 1;
          expect(verifyWith(algorithm, message, theirs)).toBe(false);
        }
      }),
      { numRuns: 8 },
    );
  });

  it('NONEwithECDSA signs 1 to 64 bytes as they stand, cut to the order', () => {
    for (const length of [1, 20, 31, 32, 33, 48, 64]) {
      const digest = new Uint8Array(length).map((_, i) => 7 * i + 1);
      const signature = signWith('NONEwithECDSA', digest);
      expect(verifyWith('NONEwithECDSA', digest, signature)).toBe(true);
      if (length === 20 || length === 32) {
        const hashed = length === 32 ? 'sha256' : 'sha1';
        const message = text('message');
        const prehashed = spi('MessageDigest', hashed);
        prehashed.update(message);
        const raw = signWith('NONEwithECDSA', prehashed.digest());
        expect(nodeVerify(hashed, message, nodePublic, raw)).toBe(true);
      }
    }
  });

  it.each([0, 65, 200])('NONEwithECDSA refuses %i bytes', (length) => {
    const signature = spi('Signature', 'NONEwithECDSA');
    signature.initSign(privateKey, {});
    signature.update(new Uint8Array(length));
    expect(() => signature.sign()).toThrow(SignatureError);
    signature.update(new Uint8Array(32).fill(1));
    expect(signature.sign().length).toBeGreaterThan(60);
    expect(() => signWith('NONEwithECDSA', new Uint8Array(length))).toThrow(SignatureError);
  });
});

describe('ECDSA signature objects', () => {
  it('give the same answer however the message is cut, and keep no reference to it', () => {
    const algorithm = 'SHA256withECDSAinP1363Format';
    fc.assert(
      fc.property(fc.array(fc.nat(1500), { maxLength: 6 }), (lengths) => {
        const whole = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0)).map((_, i) => i);
        const signature = spi('Signature', algorithm);
        signature.initSign(privateKey, { nonce: 'deterministic' });
        let offset = 0;
        for (const length of lengths) {
          const part = whole.slice(offset, offset + length);
          signature.update(part);
          part.fill(0xff);
          offset += length;
        }
        const expected = spi('Signature', algorithm).signOnce?.(privateKey, whole, { nonce: 'deterministic' });
        expect(signature.sign()).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('do not mix the messages of objects used in turn', () => {
    const a = spi('Signature', 'SHA256withECDSA');
    const b = spi('Signature', 'SHA256withECDSA');
    a.initSign(privateKey, {});
    b.initSign(privateKey, {});
    a.update(text('message '));
    b.update(text('other '));
    a.update(text('a'));
    b.update(text('b'));
    expect(verifyWith('SHA256withECDSA', text('other b'), b.sign())).toBe(true);
    expect(verifyWith('SHA256withECDSA', text('message a'), a.sign())).toBe(true);
  });

  it('are as freshly initialised after sign, verify, false and reset', () => {
    const algorithm = 'SHA256withECDSA';
    const signer = spi('Signature', algorithm);
    signer.initSign(privateKey, {});
    signer.update(text('first'));
    signer.sign();
    signer.update(text('dropped'));
    signer.reset();
    signer.update(text('second'));
    const second = signer.sign();
    const verifier = spi('Signature', algorithm);
    verifier.initVerify(publicKey, {});
    verifier.update(text('first'));
    expect(verifier.verify(second)).toBe(false);
    expect(verifier.verify(bytes('3000'))).toBe(false);
    verifier.update(text('second'));
    expect(verifier.verify(second)).toBe(true);
  });

  it('refuse calls out of order', () => {
    const fresh = spi('Signature', 'SHA256withECDSA');
    expect(() => fresh.update(text('x'))).toThrow(IllegalStateError);
    expect(() => fresh.sign()).toThrow(IllegalStateError);
    expect(() => fresh.verify(text('x'))).toThrow(IllegalStateError);
    fresh.initVerify(publicKey, {});
    expect(() => fresh.sign()).toThrow(IllegalStateError);
    fresh.initSign(privateKey, {});
    expect(() => fresh.verify(text('x'))).toThrow(IllegalStateError);
  });

  it('are not left with the old key after an init that failed', () => {
    const signature = spi('Signature', 'SHA256withECDSA');
    signature.initSign(privateKey, {});
    expect(() => signature.initSign(publicKey as never, {})).toThrow(InvalidKeyError);
    expect(() => signature.sign()).toThrow(IllegalStateError);
    signature.initVerify(publicKey, {});
    expect(() => signature.initVerify(privateKey as never, {})).toThrow(InvalidKeyError);
    expect(() => signature.verify(text('x'))).toThrow(IllegalStateError);
  });

  it('stop when the key is destroyed', () => {
    const key = factory.generatePrivate(new RawKeySpec(bytes(p256.d), { curve: 'P-256' }));
    const signature = spi('Signature', 'SHA256withECDSA');
    signature.initSign(key, {});
    key.destroy();
    expect(() => signature.sign()).toThrow(KeyDestroyedError);
    expect(() => signature.initSign(key, {})).toThrow(KeyDestroyedError);
  });

  it('answer false to every mutilated signature, and never throw', () => {
    const message = text('message');
    for (const algorithm of ['SHA256withECDSA', 'SHA256withECDSAinP1363Format']) {
      const good = signWith(algorithm, message);
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(75), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
          fc.integer({ min: -70, max: 8 }),
          (edits, resize) => {
            const bad = new Uint8Array(Math.max(good.length + resize, 0));
            bad.set(good.subarray(0, bad.length));
            for (const [at, flip] of edits) if (at < bad.length) bad[at] = (bad[at] ?? 0) ^ flip;
            expect(verifyWith(algorithm, message, bad)).toBe(hex(bad) === hex(good));
          },
        ),
        { numRuns: 60 },
      );
      expect(verifyWith(algorithm, message, good)).toBe(true);
    }
  });

  it('go on verifying with a key that is used many times', () => {
    const message = text('message');
    const good = signWith('SHA256withECDSA', message);
    const verifier = spi('Signature', 'SHA256withECDSA');
    verifier.initVerify(publicKey, {});
    for (let i = 0; i < 12; i++) {
      verifier.update(message);
      expect(verifier.verify(good)).toBe(true);
      verifier.update(text('another'));
      expect(verifier.verify(good)).toBe(false);
    }
  });
});

describe('ECDSA options', () => {
  const P1363 = 'SHA256withECDSAinP1363Format';

  it('hedged and random nonces differ from one signature to the next, deterministic ones do not', () => {
    const sign = (nonce: 'hedged' | 'random' | 'deterministic') => hex(signWith(P1363, text('m'), { nonce }));
    expect(sign('hedged')).not.toBe(sign('hedged'));
    expect(sign('random')).not.toBe(sign('random'));
    expect(sign('deterministic')).toBe(sign('deterministic'));
    for (const nonce of ['hedged', 'random'] as const) {
      expect(verifyWith(P1363, text('m'), signWith(P1363, text('m'), { nonce }))).toBe(true);
    }
  });

  it('the random source of the call is used, and only it', () => {
    let calls = 0;
    const fixed = (target: Uint8Array) => {
      calls++;
      target.fill(0x5a);
    };
    const sealed: ServiceContext = {
      ...context,
      random: () => {
        throw new Error('not asked for');
      },
    };
    const first = signWith(P1363, text('m'), { random: fixed }, sealed);
    expect(signWith(P1363, text('m'), { random: fixed }, sealed)).toEqual(first);
    expect(calls).toBe(2);
    const another = signWith(P1363, text('n'), { random: fixed }, sealed);
    expect(hex(another).slice(0, 64)).not.toBe(hex(first).slice(0, 64));
    expect(verifyWith(P1363, text('m'), first)).toBe(true);
  });

  it('a random source that gives zeros only is a ProviderError', () => {
    for (const nonce of ['hedged', 'random'] as const) {
      expect(() => signWith(P1363, text('m'), { nonce, random: () => {} })).toThrow(ProviderError);
    }
  });

  it('lowS makes and demands an s of at most half the order', () => {
    const half = BigInt(`0x${N}`) / 2n;
    let high = 0;
    for (let i = 0; i < 16; i++) {
      const message = text(`message ${i}`);
      const plain = signWith(P1363, message, { nonce: 'deterministic' });
      const low = signWith(P1363, message, { nonce: 'deterministic', lowS: true });
      const s = BigInt(`0x${hex(plain).slice(64)}`);
      const isHigh = s > half;
      if (isHigh) high++;
      expect(BigInt(`0x${hex(low).slice(64)}`)).toBe(isHigh ? BigInt(`0x${N}`) - s : s);
      const strict = spi('Signature', P1363);
      strict.initVerify(publicKey, { lowS: true });
      strict.update(message);
      expect(strict.verify(plain)).toBe(!isHigh);
      expect(verifyWith(P1363, message, plain)).toBe(true);
      expect(verifyWith(P1363, message, low)).toBe(true);
    }
    expect(high).toBeGreaterThan(0);
    expect(high).toBeLessThan(16);
  });

  it('parameters must be those of the key', () => {
    const signature = spi('Signature', P1363);
    signature.initSign(privateKey, { parameters: new ECGenParameterSpec('NIST P-256') });
    expect(() => signature.initSign(privateKey, { parameters: new ECGenParameterSpec('secp384r1') })).toThrow(
      InvalidAlgorithmParameterError,
    );
    expect(() => signature.initSign(privateKey, { parameters: new EdDSAParameterSpec() })).toThrow(
      InvalidAlgorithmParameterError,
    );
  });

  it('none is ignored: supportsOptions says why, and init refuses', () => {
    const service = provider().service('Signature', 'SHA256withECDSA');
    const cases = [
      { use: 'verify', criteria: 'strict' },
      { use: 'sign', nonce: 'hedged', nonceHash: 'SHA-256' },
      { use: 'sign', nonce: 'deterministic', random: () => {} },
      { use: 'sign', nonceHash: 'SHAKE256' },
      { use: 'sign', nonceHash: 'MD5' },
      { use: 'sign', parameters: new EdDSAParameterSpec() },
    ] as const;
    for (const options of cases) {
      expect(service?.supportsOptions(options)).toBeTypeOf('string');
      const signature = spi('Signature', 'SHA256withECDSA');
      const init = () =>
        options.use === 'sign' ? signature.initSign(privateKey, options) : signature.initVerify(publicKey, options);
      expect(init).toThrow(InvalidAlgorithmParameterError);
    }
    expect(service?.supportsOptions({ use: 'sign', nonce: 'deterministic', lowS: true })).toBe(true);
    expect(service?.supportsOptions({ use: 'verify', lowS: true })).toBe(true);
  });
});
