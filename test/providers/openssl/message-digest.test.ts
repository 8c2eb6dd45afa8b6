import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DIGESTS } from '../../../providers/openssl/digests.ts';
import { OpenSslMessageDigest } from '../../../providers/openssl/message-digest.ts';

/** FIPS 180-4 and FIPS 202 examples: the message "abc". */
const ABC: Readonly<Record<string, string>> = {
  'SHA-1': 'a9993e364706816aba3e25717850c26c9cd0d89d',
  'SHA-256': 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  'SHA-512/256': '53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23',
  'SHA3-256': '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
  SHAKE256:
    '483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4',
};

describe('message digests of OpenSSL', () => {
  it.each(Object.entries(ABC))('hash "abc" by %s as the standard says', (algorithm, expected) => {
    const row = DIGESTS.find((candidate) => candidate.algorithm === algorithm);
    if (row === undefined) throw new Error(`${algorithm} is missing`);
    const digest = new OpenSslMessageDigest(row);
    digest.update(new TextEncoder().encode('abc'));
    expect(Buffer.from(digest.digest()).toString('hex')).toBe(expected);
  });

  it.each(DIGESTS.map((row) => [row.algorithm, row] as const))(
    'have the length they say and start anew: %s',
    (_, row) => {
      const digest = new OpenSslMessageDigest(row);
      const options = row.outputLength === undefined ? undefined : { outputLength: row.outputLength };
      const empty = createHash(row.nodeName, options).digest();
      digest.update(Uint8Array.of(1, 2));
      expect(digest.digest().length).toBe(row.length);
      expect(digest.digestLength).toBe(row.length);
      expect(empty.equals(digest.digest())).toBe(true);
      digest.update(Uint8Array.of(3));
      digest.reset();
      expect(empty.equals(digest.digest())).toBe(true);
    },
  );
});
