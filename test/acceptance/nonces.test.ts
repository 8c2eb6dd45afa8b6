// Nonces read back out of signatures with the known key. An order longer than the hash is where bias crept in elsewhere
// (CVE-2024-31497: nine zero bits at the top on P-521), so every curve served is looked at, secp521r1 in depth.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CURVES, type CurveName } from '../../engines/index.ts';
import { KeyFactory, type PrivateKey, ProviderError, RawKeySpec, Signature, type SignOptions } from '../../index.ts';
import { integer, nonceOf } from '../vectors/nonces.ts';
import { SERVED } from './engine-variants.ts';

const CI = process.env['PROVIUM_TEST_TIER'] === 'ci';
const ALGORITHM = 'SHA256withECDSAinP1363Format';
const sha256 = (data: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(data).digest());
const message = (i: number): Uint8Array => new TextEncoder().encode(`message ${i}`);

interface Signer {
  readonly n: bigint;
  readonly d: bigint;
  readonly privateKey: PrivateKey;
}

function signerOn(curve: CurveName): Signer {
  const n = BigInt(`0x${CURVES[curve].n}`);
  const width = Math.ceil(CURVES[curve].orderBits / 8);
  const wide = createHash('sha512').update(`counted nonces on ${curve}`).digest('hex').repeat(2);
  const d = (BigInt(`0x${wide}`) % (n - 1n)) + 1n;
  const scalar = Uint8Array.from(Buffer.from(d.toString(16).padStart(2 * width, '0'), 'hex'));
  const privateKey = KeyFactory.getInstance('EC', 'Provium').generatePrivate(new RawKeySpec(scalar, { curve }));
  return { n, d, privateKey };
}

function nonces({ n, d, privateKey }: Signer, messages: readonly Uint8Array[], options: SignOptions): bigint[] {
  const object = Signature.getInstance(ALGORITHM, 'Provium').initSign(privateKey, options);
  return messages.map((data) => nonceOf(object.update(data).sign(), sha256(data), d, n));
}

/** Six standard deviations of a fair coin: a right implementation fails once in some hundred million counts. */
function expectFair(ones: number, throws: number, what: string): void {
  expect(Math.abs(ones - throws / 2), what).toBeLessThan(6 * Math.sqrt(throws / 4));
}

/** Bits that are fair to far less than can be seen: all where n begins with ones, else the lower half. */
function fairBits(n: bigint): number[] {
  const bits = n.toString(2).length;
  const top = /^1{32}/.test(n.toString(2)) ? Array.from({ length: 16 }, (_, i) => bits - 1 - i) : [];
  return [...top, ...Array.from({ length: 16 }, (_, i) => i), bits >> 1, (bits >> 1) - 1];
}

function expectUnbiased(values: readonly bigint[], n: bigint): void {
  expect(values.every((k) => k > 0n && k < n)).toBe(true);
  expect(new Set(values).size).toBe(values.length);
  for (const bit of fairBits(n)) {
    const ones = values.filter((k) => (k >> BigInt(bit)) % 2n === 1n).length;
    expectFair(ones, values.length, `bit ${bit}`);
  }
  const buckets = new Array<number>(16).fill(0);
  for (const k of values) {
    const at = Number((k * 16n) / n);
    buckets[at] = (buckets[at] as number) + 1;
  }
  const mean = values.length / 16;
  // Chi-squared with 15 degrees of freedom: above 75 with a probability of some 10^-9.
  const chi = buckets.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
  expect(chi).toBeLessThan(75);
}

describe.runIf(SERVED.includes('secp521r1'))('the nonces on secp521r1', () => {
  const count = CI ? 20_000 : 400;
  const messages = Array.from({ length: count }, (_, i) => message(i));

  it.each(['hedged', 'deterministic', 'random'] as const)(
    'are unbiased in the mode %s, at the top as at the bottom',
    { timeout: 1_200_000 },
    (nonce) => {
      const signer = signerOn('secp521r1');
      expectUnbiased(nonces(signer, messages, { nonce }), signer.n);
    },
  );
});

describe.each(SERVED)('the nonces on %s', (curve) => {
  const signer = signerOn(curve);

  it.each(['hedged', 'random'] as const)('differ per call for one message in the mode %s, without bias', (nonce) => {
    const messages = Array.from({ length: CI ? 2000 : 160 }, () => message(0));
    expectUnbiased(nonces(signer, messages, { nonce }), signer.n);
  });

  it('are refused by all modes that draw when the random source gives nothing but zeros', () => {
    for (const nonce of ['hedged', 'random'] as const) {
      const object = Signature.getInstance(ALGORITHM, 'Provium').initSign(signer.privateKey, {
        nonce,
        random: () => {},
      });
      expect(() => object.update(message(1)).sign()).toThrow(ProviderError);
    }
  });

  it('of the hedged mode differ for different messages even if the random source always gives the same', () => {
    const random = (bytes: Uint8Array) => void bytes.fill(0x5a);
    const messages = Array.from({ length: 40 }, (_, i) => message(i));
    const seen = nonces(signer, messages, { nonce: 'hedged', random });
    expect(new Set(seen).size).toBe(messages.length);
    // For the same message they are the same: no worse than deterministic.
    expect(nonces(signer, messages.slice(0, 3), { nonce: 'hedged', random })).toEqual(seen.slice(0, 3));
    expect(nonces(signer, messages.slice(0, 3), { nonce: 'hedged' })).not.toEqual(seen.slice(0, 3));
  });

  it('of the hedged mode depend on the private key', () => {
    const random = (bytes: Uint8Array) => void bytes.fill(0x5a);
    const other = { ...signer, d: 2n };
    const width = Math.ceil(CURVES[curve].orderBits / 8);
    const two = new Uint8Array(width);
    two[width - 1] = 2;
    const privateKey = KeyFactory.getInstance('EC', 'Provium').generatePrivate(new RawKeySpec(two, { curve }));
    const options: SignOptions = { nonce: 'hedged', random };
    expect(integer(two)).toBe(other.d);
    expect(nonces({ ...other, privateKey }, [message(0)], options)).not.toEqual(nonces(signer, [message(0)], options));
  });
});
