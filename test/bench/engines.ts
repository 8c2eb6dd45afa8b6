// Portable P-256 engines against @noble/curves: `node test/bench/engines.ts [--json]`.
//
// One process, keys ready on both sides, slices of 0.1 s in turn, 11 rounds, medians. Below the façades: no hashing of
// messages, no DER. The public façades are measured elsewhere.

import { createHash, hash, randomFillSync } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { createEngines, detectCapabilities, generateKeyPair } from '../../engines/index.ts';

const ROUNDS = 11;
const SLICE_NS = 1e8;

const name = (algorithm: string): string => algorithm.toLowerCase().replace('sha-', 'sha');
const digestOf = (algorithm: string, data: Uint8Array): Uint8Array => hash(name(algorithm), data, 'buffer');
/** HMAC (RFC 2104) by one-shot hashes: half the time of createHmac. */
function hmac(algorithm: string, key: Uint8Array, data: Uint8Array): Uint8Array {
  const block = algorithm === 'SHA-512' ? 128 : 64;
  const inner = new Uint8Array(block + data.length).fill(0x36, 0, block);
  const outer = new Uint8Array(block + key.length).fill(0x5c, 0, block);
  for (let i = 0; i < key.length; i++) {
    inner[i] = inner[i]! ^ key[i]!;
    outer[i] = outer[i]! ^ key[i]!;
  }
  inner.set(data, block);
  outer.set(digestOf(algorithm, inner), block);
  return digestOf(algorithm, outer);
}
const engines = createEngines({ capabilities: detectCapabilities('wasm'), hashes: { digest: digestOf, hmac } });
const operations = engines.ecOperations('secp256r1');
const ecdsa = engines.ecdsa('secp256r1');
const ecdh = engines.ecdh('secp256r1');
const random = (bytes: Uint8Array): void => {
  randomFillSync(bytes);
};
const privateKey = new Uint8Array(32);
const publicKey = new Uint8Array(64);
generateKeyPair(operations, privateKey, publicKey, random);
const [freshPrivate, freshPublic] = [new Uint8Array(32), new Uint8Array(64)];
const prepared = operations.precompute(publicKey);
const noblePublic = p256.getPublicKey(privateKey, false);
const digest = new Uint8Array(createHash('sha256').update('message').digest());
const signature = new Uint8Array(64);
const fixed = p256.sign(digest, privateKey, { prehash: false, lowS: false });
const secret = new Uint8Array(32);

const nobleSign = (): unknown => p256.sign(digest, privateKey, { prehash: false, lowS: false });
const nobleVerify = (): unknown => p256.verify(fixed, digest, noblePublic, { prehash: false, lowS: false });
const rows: readonly (readonly [name: string, ours: () => unknown, peer: () => unknown])[] = [
  ['keygen', () => generateKeyPair(operations, freshPrivate, freshPublic, random), () => p256.keygen()],
  ['sign, hedged', () => ecdsa.signDigest(signature, digest, privateKey, { mode: 'hedged', random }), nobleSign],
  [
    'sign, deterministic',
    () => ecdsa.signDigest(signature, digest, privateKey, { mode: 'deterministic', hash: 'SHA-256' }),
    nobleSign,
  ],
  ['verify, fresh key', () => ecdsa.verifyDigestVartime(fixed, digest, publicKey), nobleVerify],
  ['verify, prepared key', () => ecdsa.verifyDigestVartime(fixed, digest, prepared), nobleVerify],
  ['agree', () => ecdh.agree(secret, privateKey, publicKey), () => p256.getSharedSecret(privateKey, noblePublic)],
];

function slice(run: () => unknown): number {
  const start = process.hrtime.bigint();
  let count = 0;
  let elapsed = 0;
  while (elapsed < SLICE_NS) {
    run();
    count++;
    elapsed = Number(process.hrtime.bigint() - start);
  }
  return elapsed / count / 1000;
}

const samples = rows.map(() => ({ ours: [] as number[], peer: [] as number[] }));
for (let round = 0; round < ROUNDS; round++) {
  for (const [i, [, ours, peer]] of rows.entries()) {
    samples[i]!.ours.push(slice(ours));
    samples[i]!.peer.push(slice(peer));
  }
}
const sorted = (values: number[]): number[] => values.sort((a, b) => a - b);
const median = (values: number[]): number => sorted(values)[values.length >> 1]!;
const report = rows.map(([row], i) => {
  const { ours, peer } = samples[i]!;
  const [mine, theirs] = [median(ours), median(peer)];
  return {
    group: 'engines',
    name: `P-256 ${row}`,
    candidate: 'portable',
    unit: 'µs',
    median: mine,
    low: ours[0]!,
    high: ours.at(-1)!,
    peer: theirs,
    ratio: theirs / mine,
  };
});
if (process.argv.includes('--json')) {
  const machine = `Node ${process.version} ${process.arch}`;
  console.log(JSON.stringify({ schema: 1, machine, rows: report }));
} else {
  for (const row of report) {
    console.log(
      row.name.padEnd(28),
      `${row.median.toFixed(1)} µs`.padStart(10),
      `noble ${row.peer.toFixed(1)} µs`.padStart(16),
      `${row.ratio.toFixed(1)} ×`.padStart(8),
    );
  }
}
