// k·G and k·(k·G) of every curve by OpenSSL: the file generated/known-answers.json is written by
// `node test/acceptance/known-answers.ts`.
//
// ECDH of node:crypto gives x alone, so k·(k·G) is the public key of k² mod n; its x is held against ECDH all the same.

import { createECDH, createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { CURVES, type CurveRow } from '../../engines/index.ts';

export interface KnownAnswer {
  /** Big-endian hexadecimal, all at full width; points are x then y. */
  readonly k: string;
  readonly kG: string;
  readonly kkG: string;
}
export type KnownAnswers = Readonly<Record<string, readonly KnownAnswer[]>>;

export const ANSWERS_FILE = new URL('generated/known-answers.json', import.meta.url);

/** Scalars by a hash, so that nobody has to trust a choice, and the two next to the ends of the range. */
function scalarsOf(curve: CurveRow): bigint[] {
  const n = BigInt(`0x${curve.n}`);
  const hashed = [1, 2, 3, 4].map((i) => {
    const wide = [0, 1].map((part) => createHash('sha512').update(`${curve.name} ${i} ${part}`).digest('hex')).join('');
    return (BigInt(`0x${wide}`) % (n - 1n)) + 1n;
  });
  return [...hashed, 2n, n - 2n];
}

function publicKeyOf(curve: CurveRow, k: bigint): Buffer {
  const ecdh = createECDH(curve.name === 'secp256r1' ? 'prime256v1' : curve.name);
  ecdh.setPrivateKey(Buffer.from(hexOf(curve, k), 'hex'));
  return ecdh.getPublicKey();
}

function hexOf(curve: CurveRow, value: bigint): string {
  return value.toString(16).padStart(2 * Math.ceil(curve.orderBits / 8), '0');
}

export function deriveAnswers(): KnownAnswers {
  const answers: Record<string, KnownAnswer[]> = {};
  for (const curve of Object.values(CURVES)) {
    const n = BigInt(`0x${curve.n}`);
    answers[curve.name] = scalarsOf(curve).map((k) => {
      const kG = publicKeyOf(curve, k);
      const kkG = publicKeyOf(curve, (k * k) % n);
      const ecdh = createECDH(curve.name === 'secp256r1' ? 'prime256v1' : curve.name);
      ecdh.setPrivateKey(Buffer.from(hexOf(curve, k), 'hex'));
      const x = kkG.subarray(1, (kkG.length + 1) / 2);
      if (!ecdh.computeSecret(kG).equals(x)) throw new Error(`${curve.name}: OpenSSL contradicts itself`);
      return { k: hexOf(curve, k), kG: kG.toString('hex', 1), kkG: kkG.toString('hex', 1) };
    });
  }
  return answers;
}

if (import.meta.filename === process.argv[1]) {
  writeFileSync(ANSWERS_FILE, `${JSON.stringify(deriveAnswers(), undefined, 2)}\n`);
}
