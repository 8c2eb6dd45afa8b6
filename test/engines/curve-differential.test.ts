// Against node:crypto, 200 operations of every kind on every curve: keys, agreement, our signatures there, theirs here.

import { createHash, createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CURVES } from '../../engines/curves.ts';
import { createEngines, generateKeyPair } from '../../engines/index.ts';
import { HASHES } from './hashes.ts';
import { hex } from './helpers.ts';
import { privateKeyDer, publicKeyDer } from './key-objects.ts';
import { Reference } from './reference.ts';

const ROUNDS = 200;
/** By their names here and there; longer and shorter than the orders. */
const HASH_NAMES = ['SHA-1', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-512'] as const;
const engines = createEngines({ hashes: HASHES });
const random = (bytes: Uint8Array): void => {
  bytes.set(randomBytes(bytes.length));
};

describe.each(Object.values(CURVES).map((row) => [row.name, row] as const))('%s', (name, row) => {
  it(`agrees with node:crypto in ${ROUNDS} keys, secrets and signatures each way`, () => {
    const operations = engines.ecOperations(name);
    const ecdsa = engines.ecdsa(name);
    const ecdh = engines.ecdh(name);
    const reference = new Reference(row);
    const { width, coordinate } = reference;
    let peer = reference.point(1n);
    for (let round = 0; round < ROUNDS; round++) {
      const d = new Uint8Array(width);
      const point = new Uint8Array(2 * coordinate);
      generateKeyPair(operations, d, point, random);
      const context = `round ${round}, d = ${hex(d)}`;
      expect(hex(point), context).toBe(reference.multiple(BigInt(`0x${hex(d)}`)));
      const secret = new Uint8Array(coordinate);
      expect(ecdh.agree(secret, d, peer)).toBe(1);
      expect(hex(secret), context).toBe(reference.agree(d, peer));
      peer = point;

      const hash = HASH_NAMES[round % HASH_NAMES.length]!;
      const nodeHash = hash.toLowerCase().replace(/^sha-/, 'sha');
      const message = randomBytes(round);
      const digest = new Uint8Array(createHash(nodeHash).update(message).digest());
      const signature = new Uint8Array(ecdsa.signatureLength);
      const nonce =
        round % 2 === 0 ? ({ mode: 'hedged', random } as const) : ({ mode: 'deterministic', hash: 'SHA-256' } as const);
      ecdsa.signDigest(signature, digest, d, nonce, round % 3 === 0);
      const dsaEncoding = 'ieee-p1363';
      const publicKey = createPublicKey({ key: publicKeyDer(row, point), format: 'der', type: 'spki' });
      expect(verify(nodeHash, message, { key: publicKey, dsaEncoding }, signature), context).toBe(true);
      const privateKey = createPrivateKey({ key: privateKeyDer(row, d, point), format: 'der', type: 'sec1' });
      const theirs = new Uint8Array(sign(nodeHash, message, { key: privateKey, dsaEncoding }));
      expect(ecdsa.verifyDigestVartime(theirs, digest, point), context).toBe(1);
      theirs[round % theirs.length]! ^= 1 << (round & 7);
      expect(ecdsa.verifyDigestVartime(theirs, digest, point), context).toBe(0);
    }
  });
});
