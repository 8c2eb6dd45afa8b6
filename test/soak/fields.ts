// `npm run soak [-- --seconds N] [--seed N]`: every program of every field and backend against the interpreter and BigInt,
// on limbs anywhere in their bounds, until the time is up. Ends with exit code 1 at the first difference.

import { parseArgs } from 'node:util';
import type { ElementBound } from '../../fields/generator/bounds.ts';
import { interpret, limbValue } from '../../fields/generator/interpret.ts';
import { BACKENDS, type BackendCase, type RunInputs } from '../fields/backends.ts';
import { inverseMod, mod, randomSource } from '../fields/support.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, seed: { type: 'string', default: String(Date.now()) } },
});
const seed = Number(values.seed);
const random = randomSource(seed);
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error(`--seconds must be a positive number, got ${values.seconds}`);
const end = Date.now() + 1000 * seconds;
process.stdout.write(`seed ${seed}\n`);

/** Limbs at an end of their bound in one of four, anywhere in it otherwise. */
function limbsIn(bound: ElementBound): bigint[] {
  return bound.limbs.map(({ low, high }) => {
    const kind = random(3);
    if (kind === 0n) return low;
    if (kind === 1n) return high;
    return low + (random(64) % (high - low + 1n));
  });
}

function round(backend: BackendCase): number {
  const { width, modulus: p, radix, entry } = backend.d;
  const perR = entry === 1n ? 1n : inverseMod(radix, p);
  let runs = 0;
  for (const { program, inputs } of backend.contracts) {
    const factor = random(16);
    const lanes: RunInputs[] = Array.from({ length: backend.lanes }, () => ({
      operands: { a: limbsIn(inputs), b: limbsIn(inputs) },
      scalars: { bit: random(1), factor },
      bytes: program.bytes?.role === 'in' ? Array.from({ length: backend.d.byteLength }, () => random(8)) : [],
    }));
    backend.run(program, lanes).forEach((run, lane) => {
      runs++;
      const exact = interpret(program, lanes[lane]!);
      const same =
        Object.entries(exact.operands).every(([name, limbs]) => limbs.join() === run.operands[name]!.join()) &&
        (program.bytes?.role !== 'out' || exact.bytes.join() === run.bytes.join()) &&
        exact.result === run.result;
      const value = (limbs: readonly bigint[]): bigint => limbValue(limbs, width);
      const { a, b } = lanes[lane]!.operands;
      const right = program.name !== 'mul' || mod(value(run.operands['out']!) - value(a!) * value(b!) * perR, p) === 0n;
      if (same && right) return;
      throw new Error(`${backend.title} ${program.name}, seed ${seed}: a = ${a?.join()}; b = ${b?.join()}`);
    });
  }
  return runs;
}

let runs = 0;
for (let rounds = 0; Date.now() < end; rounds++) {
  for (const backend of BACKENDS) runs += round(backend);
  if (rounds % 100 === 0 && process.stdout.isTTY) process.stdout.write(`\r${runs} runs`);
}
process.stdout.write(`${runs} runs of ${BACKENDS.length} backends, no difference\n`);
