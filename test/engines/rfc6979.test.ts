import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createECDSAOperations, createEngines, type ECDSAOperations, explicitOperations } from '../../engines/index.ts';
import { HASHES } from './hashes.ts';
import { fromHex, hex } from './helpers.ts';

interface Vector {
  readonly curve: string;
  readonly secgName: string;
  readonly d: string;
  readonly qx: string;
  readonly qy: string;
  readonly cases: readonly {
    readonly hash: string;
    readonly message: string;
    readonly k: string;
    readonly r: string;
    readonly s: string;
  }[];
}

const { vectors } = JSON.parse(readFileSync(new URL('../vectors/rfc/rfc6979-ecdsa.json', import.meta.url), 'utf8')) as {
  readonly vectors: readonly Vector[];
};

/** SEC 2 version 1, 2.5.2, which version 2 dropped: a curve by explicit parameters. */
const SECP192R1 = {
  p: fromHex('fffffffffffffffffffffffffffffffeffffffffffffffff'),
  a: fromHex('fffffffffffffffffffffffffffffffefffffffffffffffc'),
  b: fromHex('64210519e59c80e70fa7e9ab72243049feb8deecc146b9b1'),
  gx: fromHex('188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012'),
  gy: fromHex('07192b95ffc8da78631011ed6b24cdd573f977a11e794811'),
  n: fromHex('ffffffffffffffffffffffff99def836146bc9b1b4d22831'),
};

const engines = createEngines({ hashes: HASHES });
const operationsOf = (name: string): ECDSAOperations =>
  name === 'secp192r1' ? createECDSAOperations(explicitOperations(SECP192R1), HASHES) : engines.ecdsa(name);

describe.each(vectors.map((vector) => [vector.curve, vector] as const))('RFC 6979 on %s', (_, vector) => {
  const ecdsa = operationsOf(vector.secgName);
  const d = fromHex(vector.d);
  const publicKey = fromHex(vector.qx + vector.qy);

  it('gives the public key of the appendix', () => {
    const point = new Uint8Array(publicKey.length);
    ecdsa.operations.multiplyBase(point, d);
    expect(hex(point)).toBe(hex(publicKey));
  });

  it.each(vector.cases)('gives the signature of "$message" with $hash', ({ hash, message, r, s }) => {
    const digest = new Uint8Array(createHash(hash.toLowerCase().replace('sha-', 'sha')).update(message).digest());
    const signature = new Uint8Array(ecdsa.signatureLength);
    ecdsa.signDigest(signature, digest, d, { mode: 'deterministic', hash });
    expect(hex(signature)).toBe(r + s);
    expect(ecdsa.verifyDigestVartime(signature, digest, publicKey)).toBe(1);
  });
});
