// Portable engines of every short Weierstrass curve against node:crypto and @noble/curves, where that has the curve:
// `node test/bench/curves.ts [--json]`. One process, slices of 0.1 s in turn, 5 rounds, medians; operations per second.
//
// node:crypto works on key objects that are ready; its signing and verifying include a hash of 32 bytes.

import { createECDH, createPrivateKey, createPublicKey, hash, randomFillSync, sign, verify } from 'node:crypto';
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createEngines, detectCapabilities, generateKeyPair } from '../../engines/index.ts';
import { HASHES } from '../engines/hashes.ts';
import { privateKeyDer, publicKeyDer } from '../engines/key-objects.ts';

const ROUNDS = 5;
const SLICE_MS = 100;
const NOBLE = {
  secp256r1: p256,
  secp384r1: p384,
  secp521r1: p521,
  secp256k1,
  brainpoolP256r1,
  brainpoolP384r1,
  brainpoolP512r1,
} as const;

const engines = createEngines({ capabilities: detectCapabilities('wasm'), hashes: HASHES });
const random = (bytes: Uint8Array): void => {
  randomFillSync(bytes);
};

type Run = (() => unknown) | undefined;
interface Row {
  readonly name: string;
  readonly runs: readonly [ours: Run, node: Run, noble: Run];
}

const message = new Uint8Array(32).fill(7);
const digest = hash('sha256', message, 'buffer');

function rowsOf(curve: string): Row[] {
  const operations = engines.ecOperations(curve);
  const ecdsa = engines.ecdsa(curve);
  const ecdh = engines.ecdh(curve);
  const { row, scalars, byteLength } = { row: operations.curve, ...operations };
  const privateKey = new Uint8Array(scalars.byteLength);
  const publicKey = new Uint8Array(2 * byteLength);
  generateKeyPair(operations, privateKey, publicKey, random);
  const encoded = Buffer.concat([Uint8Array.of(4), publicKey]);
  const nodePrivate = createPrivateKey({
    key: privateKeyDer(row, privateKey, publicKey),
    format: 'der',
    type: 'sec1',
  });
  const nodePublic = createPublicKey({ key: publicKeyDer(row, publicKey), format: 'der', type: 'spki' });
  const signature = new Uint8Array(ecdsa.signatureLength);
  ecdsa.signDigest(signature, digest, privateKey, { mode: 'hedged', random });
  const signed = signature.slice();
  const [k, Q, secret] = [privateKey.slice(), publicKey.slice(), new Uint8Array(byteLength)];
  const noble = Object.hasOwn(NOBLE, curve) ? NOBLE[curve as keyof typeof NOBLE] : undefined;
  const options = { prehash: false, lowS: false };
  const ecdhName = curve === 'secp256r1' ? 'prime256v1' : curve;
  const agreement = createECDH(ecdhName);
  agreement.setPrivateKey(privateKey);
  const generation = createECDH(ecdhName);
  const prepared = operations.precompute(publicKey);
  const check = [
    verify('sha256', message, { key: nodePublic, dsaEncoding: 'ieee-p1363' }, signed),
    ecdsa.verifyDigestVartime(signed, digest, publicKey) === 1,
    ecdsa.verifyDigestVartime(signed, digest, prepared) === 1,
    noble === undefined || noble.verify(signed, digest, encoded, options),
  ];
  if (check.includes(false)) throw new Error(`${curve}: the three do not agree: ${check.join()}`);
  return [
    {
      name: 'keygen',
      runs: [
        () => generateKeyPair(operations, k, Q, random),
        () => generation.generateKeys(),
        noble && (() => noble.keygen()),
      ],
    },
    {
      name: 'sign',
      runs: [
        () => ecdsa.signDigest(signature, digest, privateKey, { mode: 'hedged', random }),
        () => sign('sha256', message, { key: nodePrivate, dsaEncoding: 'ieee-p1363' }),
        noble && (() => noble.sign(digest, privateKey, options)),
      ],
    },
    {
      name: 'verify',
      runs: [
        () => ecdsa.verifyDigestVartime(signed, digest, publicKey),
        () => verify('sha256', message, { key: nodePublic, dsaEncoding: 'ieee-p1363' }, signed),
        noble && (() => noble.verify(signed, digest, encoded, options)),
      ],
    },
    {
      name: 'verify, prepared',
      runs: [() => ecdsa.verifyDigestVartime(signed, digest, prepared), undefined, undefined],
    },
    {
      name: 'agree',
      runs: [
        () => ecdh.agree(secret, privateKey, publicKey),
        () => agreement.computeSecret(encoded),
        noble && (() => noble.getSharedSecret(privateKey, encoded)),
      ],
    },
  ];
}

/** Operations per second over one slice. */
function slice(run: () => unknown): number {
  const start = performance.now();
  let count = 0;
  let elapsed = 0;
  while (elapsed < SLICE_MS) {
    run();
    count++;
    elapsed = performance.now() - start;
  }
  return (1000 * count) / elapsed;
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const rows = engines.curves
  .filter((curve) => wanted.length === 0 || wanted.includes(curve))
  .flatMap((curve) => rowsOf(curve).map((row) => ({ curve, ...row, samples: row.runs.map((): number[] => []) })));
for (let round = 0; round < ROUNDS; round++) {
  for (const { runs, samples } of rows) {
    for (const [i, run] of runs.entries()) if (run !== undefined) samples[i]?.push(slice(run));
  }
}
const report = rows.map(({ curve, name, samples }) => {
  const [ours, node, noble] = samples.map((values) => values.sort((a, b) => a - b)[values.length >> 1]);
  return { curve, name, unit: 'ops/s', ours, node, noble };
});
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ schema: 1, machine: `Node ${process.version} ${process.arch}`, rows: report }));
} else {
  const cell = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(0)).padStart(8);
  for (const { curve, name, ours, node, noble } of report) {
    console.log(curve.padEnd(16), name.padEnd(17), cell(ours), 'node', cell(node), 'noble', cell(noble));
  }
}
