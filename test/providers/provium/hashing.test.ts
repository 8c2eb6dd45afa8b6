import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  HASHES,
  Hmac,
  hashFunctions,
  hashRow,
  platformHashing,
  portableHashes,
} from '../../../providers/provium/hashing.ts';
import { hex, provider, spi, text } from './support.ts';

const node = (name: string) =>
  createHash(hashRow(name)?.nodeName ?? '', name === 'SHAKE256' ? { outputLength: 64 } : undefined);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each([
  ['of the platform', platformHashing()],
  ['without a platform', portableHashes()],
])('hash functions %s', (_name, hashing) => {
  it.each(HASHES)('$name gives the same as node:crypto, one-shot, for secrets and in pieces', (hash) => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), (parts) => {
        const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
        const expected = node(hash.name).update(whole).digest('hex');
        expect(hex(hashing.digest(hash, whole))).toBe(expected);
        expect(hex(hashing.digestSecret(hash, whole))).toBe(expected);
        const state = hashing.create(hash);
        for (const part of parts) state.update(part);
        expect(hex(state.digest())).toBe(expected);
        expect(expected.length).toBe(2 * hash.length);
      }),
      { numRuns: 20 },
    );
  });

  it.each(HASHES.filter(({ name }) => name !== 'SHAKE256'))('HMAC over $name is that of node:crypto', (hash) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), (key, message) => {
        const expected = createHmac(hash.nodeName, key).update(message).digest('hex');
        const mac = new Hmac(hashing, hash, key);
        expect(hex(mac.of(message))).toBe(expected);
        expect(hex(mac.of(message.subarray(0, 3), message.subarray(3)))).toBe(expected);
        expect(hex(hashFunctions(hashing).hmac(hash.name, key, message))).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('results share no memory', () => {
    const sha256 = hashRow('SHA-256') as (typeof HASHES)[number];
    const first = hashing.digest(sha256, text('a'));
    const copy = first.slice();
    hashing.digest(sha256, text('b'));
    expect(first).toEqual(copy);
    expect(first.buffer.byteLength).toBe(32);
  });
});

describe('the choice of hash functions', () => {
  it('falls back where there is no node:crypto', () => {
    expect(platformHashing().source).toBe('node:crypto');
    vi.stubGlobal('process', { getBuiltinModule: () => undefined });
    expect(platformHashing().source).toBe('@noble/hashes');
    vi.stubGlobal('process', undefined);
    expect(platformHashing().source).toBe('@noble/hashes');
  });

  it('works on a node:crypto without one-shot hashing', async () => {
    const { hash: _hash, ...older } = await import('node:crypto');
    vi.stubGlobal('process', { getBuiltinModule: () => older });
    const hashing = platformHashing();
    for (const row of HASHES) {
      expect(hex(hashing.digest(row, text('abc')))).toBe(node(row.name).update('abc').digest('hex'));
    }
  });

  it('an unknown hash function is an error', () => {
    expect(() => hashFunctions(portableHashes()).digest('MD5', text('x'))).toThrow(/MD5/);
    expect(hashRow('MD5')).toBeUndefined();
  });
});

describe('MessageDigest', () => {
  it.each(HASHES)('$name digests, starts anew afterwards and can be reset', ({ name, length }) => {
    const digest = spi('MessageDigest', name);
    const expected = (data: string) => node(name).update(data).digest('hex');
    expect(digest.digestLength).toBe(length);
    expect(hex(digest.digest())).toBe(expected(''));
    digest.update(text('ab'));
    digest.update(text('c'));
    expect(hex(digest.digest())).toBe(expected('abc'));
    digest.update(text('dropped'));
    digest.reset();
    digest.update(text('x'));
    expect(hex(digest.digest())).toBe(expected('x'));
  });

  it('does not keep what it was fed', () => {
    const digest = spi('MessageDigest', 'SHA-256');
    const data = text('abc');
    digest.update(data);
    data.fill(0);
    expect(hex(digest.digest())).toBe(node('SHA-256').update('abc').digest('hex'));
  });

  it('is found by alias and OID', () => {
    for (const name of ['sha-256', 'SHA256', '2.16.840.1.101.3.4.2.1', 'OID.2.16.840.1.101.3.4.2.1']) {
      expect(provider().service('MessageDigest', name)?.algorithm).toBe('SHA-256');
    }
  });
});
