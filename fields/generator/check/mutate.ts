// npm run mutate [-- --seed N --count N --json]: random edits of the shipped artefacts; fails where one is missed.

import { parseArgs } from 'node:util';
import { artefacts } from './artefacts.ts';
import { mutationRun, type Verdict } from './mutation-run.ts';
import { EDITS } from './wasm-mutate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '240' },
    json: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const mutations = mutationRun(artefacts(), seed, Number(values.count));
const missed = mutations.filter(({ verdict }) => verdict === 'missed');
if (values.json) {
  console.log(JSON.stringify({ schema: 1, seed, mutations }));
} else {
  const verdicts: readonly Verdict[] = ['caught by checkers', 'caught by values', 'equivalent', 'missed'];
  console.log(`${mutations.length} edits, seed ${seed}`);
  console.table(
    Object.fromEntries(
      EDITS.map((edit) => [
        edit,
        Object.fromEntries(
          verdicts.map((verdict) => [
            verdict,
            mutations.filter((m) => m.edit === edit && m.verdict === verdict).length,
          ]),
        ),
      ]),
    ),
  );
  for (const { artefact, fn, edit, at } of missed) console.log(`missed: ${edit} in ${artefact} ${fn}: ${at}`);
}
if (missed.length > 0) process.exitCode = 1;
