// Hashing inside signatures is never looked up: a MessageDigest provider that lies, even at position 1, changes nothing.

import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createProviumProvider } from '../../../providers/provium/provider.ts';
import { SecurityContext } from '../../../spi/context.ts';
import { KeyPairGenerator } from '../../../spi/key-pair-generator.ts';
import { MessageDigest } from '../../../spi/message-digest.ts';
import { algorithmRows, ECDSA_HASHES } from '../../../spi/names.ts';
import { defineProvider } from '../../../spi/provider.ts';
import type { AnyService } from '../../../spi/service.ts';
import { Signature } from '../../../spi/signature.ts';
import { hex, text } from './support.ts';

const LENGTHS: Readonly<Record<string, number>> = { 'SHA-1': 20, 'SHA-512': 64, SHAKE256: 64, 'SHA3-512': 64 };

let asked = 0;
const liar = defineProvider({
  name: 'Liar',
  version: '1',
  services: algorithmRows('MessageDigest').map(({ name }): AnyService => {
    const digestLength = LENGTHS[name] ?? (/384/.test(name) ? 48 : /224/.test(name) ? 28 : 32);
    return {
      type: 'MessageDigest',
      algorithm: name,
      mode: 'sync',
      aliases: [],
      attributes: {},
      importsPrivateKeys: false,
      supportsKey: () => true,
      supportsOptions: () => true,
      newInstance: () => ({
        digestLength,
        update: () => {},
        digest: () => {
          asked++;
          return new Uint8Array(digestLength);
        },
        reset: () => {},
      }),
    };
  }),
});

describe('with a lying MessageDigest provider at position 1', () => {
  const honest = new SecurityContext({ providers: [createProviumProvider()] });
  const context = new SecurityContext({ providers: [liar, createProviumProvider()] });

  it('MessageDigest lies', () => {
    expect(MessageDigest.getInstance('SHA-256', { context }).update(text('a')).digest()).toEqual(new Uint8Array(32));
    expect(asked).toBe(1);
  });

  it.each(ECDSA_HASHES.filter((hash) => hash !== 'NONE'))('%swithECDSA is what it was', (hash) => {
    const before = asked;
    const algorithm = `${hash}withECDSA`;
    const { privateKey, publicKey } = KeyPairGenerator.getInstance('EC', { context }).generateKeyPair();
    const options = { nonce: 'deterministic' } as const;
    const expected = Signature.sign(algorithm, privateKey, text('message'), { ...options, context: honest });
    expect(hex(Signature.sign(algorithm, privateKey, text('message'), { ...options, context }))).toBe(hex(expected));
    const hedged = Signature.sign(algorithm, privateKey, text('message'), { context });
    expect(Signature.verify(algorithm, publicKey, text('message'), hedged, { context })).toBe(true);
    expect(Signature.verify(algorithm, publicKey, text('another'), hedged, { context })).toBe(false);
    const node = createPublicKey({ key: Buffer.from(publicKey.encoded ?? []), format: 'der', type: 'spki' });
    expect(verify(hash.toLowerCase().replace('/', '-'), text('message'), node, hedged)).toBe(true);
    expect(asked).toBe(before);
  });
});
