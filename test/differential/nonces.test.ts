// Nonces read back out of signatures with the known private key: every bit at the top and at the bottom is fair.

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KeyFactory, RawKeySpec, Signature, type SignOptions } from '../../index.ts';
import { N } from '../generated-edge-cases/reference.ts';
import { integer, nonceOf } from '../vectors/nonces.ts';

const SIGNATURES = process.env['PROVIUM_TEST_TIER'] === 'ci' ? 4000 : 600;
const BITS = 10;
/** Six standard deviations of a fair coin: a right implementation fails once in some ten million runs of all tests. */
const ALLOWED = 6 * Math.sqrt(SIGNATURES / 4);

const scalar = Uint8Array.from(createHash('sha256').update('a private key whose nonces are counted').digest());
const privateKey = KeyFactory.getInstance('EC', 'Provium').generatePrivate(new RawKeySpec(scalar, { curve: 'P-256' }));

function noncesOf(mode: SignOptions['nonce'], lowS: boolean): bigint[] {
  const object = Signature.getInstance('SHA256withECDSAinP1363Format', 'Provium').initSign(privateKey, {
    nonce: mode,
    lowS,
  });
  return Array.from({ length: SIGNATURES }, (_, i) => {
    // Random nonces must be fair even where the message is always the same.
    const data = new TextEncoder().encode(mode === 'deterministic' ? `message ${i}` : 'the same message');
    const digest = Uint8Array.from(createHash('sha256').update(data).digest());
    return nonceOf(object.update(data).sign(), digest, integer(scalar), N);
  });
}

describe.each(['hedged', 'deterministic', 'random'] as const)('the nonces of the mode %s', (mode) => {
  const nonces = noncesOf(mode, false);

  it('are in range and never come twice', () => {
    expect(nonces.every((k) => k > 0n && k < N)).toBe(true);
    expect(new Set(nonces).size).toBe(SIGNATURES);
  });

  it.each(Array.from({ length: BITS }, (_, bit) => bit))('have a fair bit %i at the bottom', (bit) => {
    const ones = nonces.filter((k) => (k >> BigInt(bit)) % 2n === 1n).length;
    expect(Math.abs(ones - SIGNATURES / 2)).toBeLessThan(ALLOWED);
  });

  it.each(Array.from({ length: BITS }, (_, bit) => bit))('have a fair bit %i below the top', (bit) => {
    const ones = nonces.filter((k) => (k >> BigInt(255 - bit)) % 2n === 1n).length;
    // n is 2^256 − 2^224 + …, so the bits below the top are fair to one part in 2^32.
    expect(Math.abs(ones - SIGNATURES / 2)).toBeLessThan(ALLOWED);
  });

  it('fill the whole range evenly', () => {
    const buckets = new Array<number>(16).fill(0);
    for (const k of nonces) {
      const at = Number((k * 16n) / N);
      buckets[at] = (buckets[at] as number) + 1;
    }
    const mean = SIGNATURES / 16;
    for (const count of buckets) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
  });
});

describe('low s', () => {
  it('negates s and leaves the nonce what it was, up to its sign', () => {
    const usual = noncesOf('deterministic', false).slice(0, 50);
    const low = noncesOf('deterministic', true).slice(0, 50);
    for (const [i, k] of low.entries()) expect([usual[i], N - (usual[i] as bigint)]).toContain(k);
  });
});
