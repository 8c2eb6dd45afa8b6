// The million iterations of RFC 7748, section 5.2: `npm run soak:x25519`, or with `-- X448` those of X448. Takes minutes.

import { readFileSync } from 'node:fs';
import { isMontgomeryCurve } from '../engines/edwards-curves.ts';
import { createXDHOperations } from '../engines/xdh-operations.ts';

interface Iterated {
  readonly start: string;
  readonly results: readonly { readonly iterations: number; readonly k: string }[];
}

const name = process.argv[2] ?? 'X25519';
if (!isMontgomeryCurve(name)) throw new Error(`X25519 or X448, not ${name}`);
const file = new URL('../test/vectors/rfc/rfc7748-xdh.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Record<string, { iterated: Iterated }> };
const { start, results } = vectors[name]!.iterated;
const wanted = new Map(results.map(({ iterations, k }) => [iterations, k]));
const last = Math.max(...wanted.keys());
const { agree } = createXDHOperations(name);

let k = Uint8Array.from(Buffer.from(start, 'hex'));
let u = k;
let out = new Uint8Array(k.length);
for (let round = 1; round <= last; round++) {
  agree(out, k, u);
  const spare = u === k ? new Uint8Array(k.length) : u;
  [k, u, out] = [out, k, spare];
  if (round % 50_000 === 0 && process.stderr.isTTY) process.stderr.write(`\r${name}: ${round} of ${last} `);
  const stated = wanted.get(round);
  if (stated === undefined) continue;
  const got = Buffer.from(k).toString('hex');
  console.log(`${name} after ${round}: ${got === stated ? 'as in RFC 7748' : `${got}, but RFC 7748 says ${stated}`}`);
  if (got !== stated) process.exitCode = 1;
}
