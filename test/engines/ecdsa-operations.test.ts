import { createHash, createPublicKey, generateKeyPairSync, sign as nodeSign, verify as nodeVerify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CurveRow, ECOperations } from '../../engines/ec-operations.ts';
import { createECDHOperations, generateKeyPair } from '../../engines/ecdh-operations.ts';
import { createECDSAOperations, signDigestWithNonceUnchecked } from '../../engines/ecdsa-operations.ts';
import { leftmostBits, type NonceSource, nonceSequence } from '../../engines/nonces.ts';
import { surplusLength } from '../../engines/sources.ts';
import { HASHES } from './hashes.ts';
import { COMPOSITIONS, fromHex, hex, N, toBigInt, toBytes } from './helpers.ts';

const operations = Object.values(COMPOSITIONS)[0]!;
const ecdsa = createECDSAOperations(operations, HASHES);
const random = (bytes: Uint8Array): void => {
  globalThis.crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
};
const MODES: readonly NonceSource[] = [
  { mode: 'hedged', random },
  { mode: 'deterministic', hash: 'SHA-256' },
  { mode: 'random', random },
];
const privateKey = fromHex('c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721');
const publicKey = new Uint8Array(64);
operations.multiplyBase(publicKey, privateKey);

const nodeKey = (point: Uint8Array) =>
  createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: Buffer.from(point.subarray(0, 32)).toString('base64url'),
      y: Buffer.from(point.subarray(32)).toString('base64url'),
    },
    format: 'jwk',
  });
const sha = (hash: string, message: Uint8Array): Uint8Array => HASHES.digest(hash, message);

interface DeterministicCase {
  readonly hash: string;
  readonly message: string;
  readonly k: string;
  readonly r: string;
  readonly s: string;
}
const rfc6979 = JSON.parse(readFileSync(new URL('../vectors/rfc/rfc6979-ecdsa.json', import.meta.url), 'utf8')) as {
  vectors: { curve: string; n: string; d: string; cases: DeterministicCase[] }[];
};

/** Just enough of a curve for the nonce functions: an order of any length, by BigInt. */
function orderOnly(nHex: string): ECOperations {
  const n = BigInt(`0x${nHex}`);
  const byteLength = nHex.length / 2;
  const write = (out: Uint8Array, value: bigint): void => out.set(toBytes(value, byteLength));
  const scalars = {
    byteLength,
    order: toBytes(n, byteLength),
    reduce: (out: Uint8Array, wide: Uint8Array) => write(out, toBigInt(wide) % n),
    reduceNonZero: (out: Uint8Array, wide: Uint8Array) => write(out, (toBigInt(wide) % (n - 1n)) + 1n),
    isValid: (a: Uint8Array) => (toBigInt(a) > 0n && toBigInt(a) < n ? 1 : 0),
  };
  const curve = { name: 'test', orderBits: n.toString(2).length };
  return { curve: curve as unknown as CurveRow, scalars } as unknown as ECOperations;
}

describe('RFC 6979', () => {
  for (const { curve, n, d, cases } of rfc6979.vectors) {
    it.each(cases)(`derives the nonce of ${curve} with $hash for "$message"`, ({ hash, message, k }) => {
      const order = orderOnly(n);
      const nonce = new Uint8Array(n.length / 2);
      const digest = sha(hash, Buffer.from(message));
      nonceSequence(order, HASHES, { mode: 'deterministic', hash }, fromHex(d), digest).next(nonce);
      expect(hex(nonce)).toBe(k);
    });
  }

  const p256 = rfc6979.vectors.find(({ curve }) => curve === 'P-256')!;
  it.each(p256.cases)('signs on P-256 with $hash for "$message"', ({ hash, message, k, r, s }) => {
    const digest = sha(hash, Buffer.from(message));
    const out = new Uint8Array(64);
    ecdsa.signDigest(out, digest, fromHex(p256.d), { mode: 'deterministic', hash });
    expect(hex(out)).toBe(r + s);
    expect(ecdsa.verifyDigestVartime(out, digest, publicKey)).toBe(1);
    out.fill(0);
    expect(signDigestWithNonceUnchecked(operations, out, digest, fromHex(p256.d), fromHex(k))).toBe(1);
    expect(hex(out)).toBe(r + s);
  });

  it('reduces a digest of the order or more before it enters the nonce', () => {
    const value = N + 5n;
    const nonce = new Uint8Array(32);
    const same = new Uint8Array(32);
    const source = { mode: 'deterministic', hash: 'SHA-256' } as const;
    nonceSequence(operations, HASHES, source, privateKey, toBytes(value)).next(nonce);
    nonceSequence(operations, HASHES, source, privateKey, toBytes(5n)).next(same);
    expect(hex(nonce)).toBe(hex(same));
  });

  it('goes on to a different nonce when asked again', () => {
    const sequence = nonceSequence(operations, HASHES, MODES[1]!, privateKey, toBytes(1n));
    const first = new Uint8Array(32);
    const second = new Uint8Array(32);
    sequence.next(first);
    sequence.next(second);
    expect(hex(first)).not.toBe(hex(second));
  });
});

describe.each(MODES)('nonce mode $mode', (source) => {
  it('makes signatures that OpenSSL accepts, and with lowS only low ones', () => {
    const key = nodeKey(publicKey);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (message, lowS) => {
        const out = new Uint8Array(64);
        const digest = sha('SHA-256', message);
        ecdsa.signDigest(out, digest, privateKey, source, lowS);
        expect(nodeVerify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, out)).toBe(true);
        expect(ecdsa.verifyDigestVartime(out, digest, publicKey, lowS)).toBe(1);
        if (lowS) expect(toBigInt(out.subarray(32))).toBeLessThanOrEqual(N >> 1n);
      }),
      { numRuns: 25 },
    );
  });

  it('spreads top and low bits of its nonces evenly', () => {
    const k = new Uint8Array(32);
    const rounds = 4000;
    const top = new Array<number>(16).fill(0);
    const low = new Array<number>(16).fill(0);
    for (let i = 0; i < rounds; i++) {
      const digest = createHash('sha256').update(String(i)).digest();
      nonceSequence(operations, HASHES, source, privateKey, digest).next(k);
      expect(operations.scalars.isValid(k)).toBe(1);
      top[k[0]! >> 4]!++;
      low[k[31]! & 15]!++;
    }
    // χ² with 15 degrees of freedom: above 60 has a chance of 2·10⁻⁷.
    const chiSquare = (counts: readonly number[]): number =>
      counts.reduce((sum, count) => sum + (count - rounds / 16) ** 2 / (rounds / 16), 0);
    expect(chiSquare(top)).toBeLessThan(60);
    expect(chiSquare(low)).toBeLessThan(60);
  });
});

describe('nonces of any order', () => {
  it('never come from fewer than 64 bits more than the order has, in the hedged and the random mode', () => {
    // With 521 bits one SHA-512 block would leave the top nine bits zero (CVE-2024-31497).
    const p521 = rfc6979.vectors.find(({ curve }) => curve === 'P-521')!;
    const order = orderOnly(p521.n);
    expect(surplusLength(521)).toBe(74);
    for (const source of [MODES[0]!, MODES[2]!]) {
      const k = new Uint8Array(66);
      let high = 0;
      for (let i = 0; i < 400; i++) {
        nonceSequence(order, HASHES, source, fromHex(p521.d), toBytes(BigInt(i))).next(k);
        high += k[0]! & 1;
      }
      // 400 fair coins: outside 120…280 has a chance below 10⁻¹⁵.
      expect(high).toBeGreaterThan(120);
      expect(high).toBeLessThan(280);
    }
  });

  it('hedged nonces follow the documented construction', () => {
    const hedge = new Uint8Array(32).map((_, i) => i + 1);
    const digest = sha('SHA-512', Buffer.from('x'));
    const source: NonceSource = { mode: 'hedged', random: (bytes) => bytes.set(hedge) };
    const sequence = nonceSequence(operations, HASHES, source, privateKey, digest);
    const k = new Uint8Array(32);
    for (const counter of [0, 1]) {
      sequence.next(k);
      const input = Buffer.concat([
        Buffer.from('Provium ECDSA hedged nonce 1\0secp256r1\0'),
        Buffer.from([0, 0, 0, counter]),
        privateKey,
        hedge,
        Buffer.from([0, 0, 0, 64]),
        digest,
      ]);
      const block = createHash('sha512').update(input).digest().subarray(0, 40);
      expect(toBigInt(k)).toBe((toBigInt(block) % (N - 1n)) + 1n);
    }
  });

  it('differ for the same digest in the hedged mode and coincide in the deterministic one', () => {
    const digest = sha('SHA-256', Buffer.from('x'));
    const [a, b] = [new Uint8Array(64), new Uint8Array(64)];
    ecdsa.signDigest(a, digest, privateKey, MODES[0]!);
    ecdsa.signDigest(b, digest, privateKey, MODES[0]!);
    expect(hex(a)).not.toBe(hex(b));
    ecdsa.signDigest(a, digest, privateKey, MODES[1]!);
    ecdsa.signDigest(b, digest, privateKey, MODES[1]!);
    expect(hex(a)).toBe(hex(b));
  });

  it('are refused when the random source fills with zeros', () => {
    const zeros = (bytes: Uint8Array): void => {
      bytes.fill(0);
    };
    for (const mode of ['hedged', 'random'] as const) {
      expect(() => ecdsa.signDigest(new Uint8Array(64), toBytes(1n), privateKey, { mode, random: zeros })).toThrow(
        'nothing but zero bytes',
      );
    }
    expect(() => generateKeyPair(operations, new Uint8Array(32), new Uint8Array(64), zeros)).toThrow('zero bytes');
  });
});

describe('leftmostBits', () => {
  it('cuts and pads as FIPS 186-5 says, at orders of whole and of broken bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 90 }), fc.integer({ min: 8, max: 640 }), (data, bits) => {
        const surplus = 8 * data.length - bits;
        const wanted = surplus > 0 ? toBigInt(data) >> BigInt(surplus) : toBigInt(data);
        const got = leftmostBits(data, bits);
        expect(got.length).toBe(Math.ceil(bits / 8));
        expect(toBigInt(got)).toBe(wanted);
      }),
    );
  });
});

describe('verification', () => {
  const digest = sha('SHA-256', Buffer.from('message'));
  const signature = new Uint8Array(64);
  ecdsa.signDigest(signature, digest, privateKey, MODES[1]!);
  const pair = (r: bigint, s: bigint): Uint8Array => Uint8Array.from([...toBytes(r), ...toBytes(s)]);
  const r = toBigInt(signature.subarray(0, 32));
  const s = toBigInt(signature.subarray(32));

  it('accepts what OpenSSL signs, by the bare and the prepared key', () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = keys.publicKey.export({ format: 'jwk' });
    const point = Uint8Array.from([...Buffer.from(x!, 'base64url'), ...Buffer.from(y!, 'base64url')]);
    const prepared = operations.precompute(point);
    for (let i = 0; i < 20; i++) {
      const message = Buffer.from(`message ${i}`);
      const made = nodeSign('sha256', message, { key: keys.privateKey, dsaEncoding: 'ieee-p1363' });
      expect(ecdsa.verifyDigestVartime(made, sha('SHA-256', message), point)).toBe(1);
      expect(ecdsa.verifyDigestVartime(made, sha('SHA-256', message), prepared)).toBe(1);
      expect(ecdsa.verifyDigestVartime(made, digest, prepared)).toBe(0);
    }
  });

  it.each([
    ['r = 0', pair(0n, s)],
    ['s = 0', pair(r, 0n)],
    ['r = n', pair(N, s)],
    ['s = n', pair(r, N)],
    ['r + n, s', pair((r + N) & (2n ** 256n - 1n), s)],
    ['both zero', pair(0n, 0n)],
    ['all ones', new Uint8Array(64).fill(255)],
    ['s swapped with r', pair(s, r)],
    ['another r', pair(r ^ 1n, s)],
    ['too short', signature.subarray(1)],
    ['too long', Uint8Array.from([...signature, 0])],
    ['empty', new Uint8Array(0)],
  ])('refuses %s', (_, bad) => {
    expect(ecdsa.verifyDigestVartime(bad, digest, publicKey)).toBe(0);
  });

  it('accepts the negated s unless low s is demanded', () => {
    const high = s > N >> 1n ? pair(r, s) : pair(r, N - s);
    const low = s > N >> 1n ? pair(r, N - s) : pair(r, s);
    expect(ecdsa.verifyDigestVartime(high, digest, publicKey)).toBe(1);
    expect(ecdsa.verifyDigestVartime(high, digest, publicKey, true)).toBe(0);
    expect(ecdsa.verifyDigestVartime(low, digest, publicKey, true)).toBe(1);
  });
});

describe('misuse', () => {
  it('is refused: private keys out of range, wrong lengths', () => {
    const out = new Uint8Array(64);
    for (const bad of [toBytes(0n), toBytes(N), new Uint8Array(31).fill(1), new Uint8Array(33)]) {
      expect(() => ecdsa.signDigest(out, toBytes(1n), bad, MODES[1]!)).toThrow('a private key on secp256r1');
      expect(() => createECDHOperations(operations).agree(new Uint8Array(32), bad, publicKey)).toThrow('private key');
    }
    expect(() => ecdsa.signDigest(new Uint8Array(63), toBytes(1n), privateKey, MODES[1]!)).toThrow('64 bytes');
    expect(signDigestWithNonceUnchecked(operations, out, toBytes(1n), privateKey, toBytes(0n))).toBe(0);
    expect(signDigestWithNonceUnchecked(operations, out, toBytes(1n), privateKey, toBytes(N))).toBe(0);
  });
});

describe('key pairs and agreement', () => {
  it('both sides get the same secret, and it is x of the product', () => {
    const ecdh = createECDHOperations(operations);
    const [a, b] = [new Uint8Array(32), new Uint8Array(32)];
    const [A, B] = [new Uint8Array(64), new Uint8Array(64)];
    generateKeyPair(operations, a, A, random);
    generateKeyPair(operations, b, B, random);
    expect([operations.isOnCurve(A), operations.scalars.isValid(a)]).toEqual([1, 1]);
    const [one, other] = [new Uint8Array(32), new Uint8Array(32)];
    expect([ecdh.agree(one, a, B), ecdh.agree(other, b, A)]).toEqual([1, 1]);
    expect(hex(one)).toBe(hex(other));
    const product = new Uint8Array(64);
    operations.multiplyBase(product, toBytes((toBigInt(a) * toBigInt(b)) % N));
    expect(hex(one)).toBe(hex(product.subarray(0, 32)));
  });

  it('reduce 64 surplus bits to a private key', () => {
    const fill = (bytes: Uint8Array): void => {
      bytes.fill(0xa7);
    };
    const key = new Uint8Array(32);
    generateKeyPair(operations, key, new Uint8Array(64), fill);
    expect(toBigInt(key)).toBe((toBigInt(new Uint8Array(40).fill(0xa7)) % (N - 1n)) + 1n);
  });
});

describe('arithmetic modulo the order', () => {
  const { scalars } = operations;
  const value = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    fc.constantFrom(0n, 1n, N - 1n, N, N + 1n, N >> 1n, (N >> 1n) + 1n, 2n ** 256n - 1n),
  );
  it('agrees with BigInt', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const out = toBytes(a);
        scalars.add(out, out, toBytes(b));
        expect(toBigInt(out)).toBe((a + b) % N);
        scalars.multiply(out, toBytes(a), toBytes(b));
        expect(toBigInt(out)).toBe((a * b) % N);
        scalars.negate(out, toBytes(a));
        expect(toBigInt(out)).toBe((2n * N - a) % N);
        scalars.reduce(out, toBytes(a * b, 64));
        expect(toBigInt(out)).toBe((a * b) % N);
        scalars.reduceNonZero(out, toBytes(a * b, 64));
        expect(toBigInt(out)).toBe(((a * b) % (N - 1n)) + 1n);
        scalars.invert(out, toBytes(a));
        expect((toBigInt(out) * a) % N).toBe(a % N === 0n ? 0n : 1n);
        expect(scalars.isValid(toBytes(a))).toBe(a > 0n && a < N ? 1 : 0);
        expect(scalars.isZero(toBytes(a))).toBe(a === 0n ? 1 : 0);
        expect(scalars.isHigh(toBytes(a))).toBe(a > N >> 1n ? 1 : 0);
      }),
      { numRuns: 200 },
    );
  });
});
