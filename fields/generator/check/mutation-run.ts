// Random edits of shipped artefacts, each of which must be caught: by the checkers, or by a value test, or be shown to
// compute the same as the original. What is neither is missed.

import type { FunctionContract } from './artefact-contract.ts';
import { type Artefact, check } from './artefacts.ts';
import { differs } from './differential.ts';
import { computesTheSame } from './equivalence.ts';
import { mutateJs } from './js-mutate.ts';
import { Random } from './random.ts';
import { EDITS, type Edit, mutateWasm } from './wasm-mutate.ts';

export type Verdict = 'caught by checkers' | 'caught by values' | 'equivalent' | 'missed';

export interface Mutation {
  readonly artefact: string;
  readonly fn: string;
  readonly edit: Edit;
  readonly at: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Predicates tell two values apart only where they are near 0. */
const rounds = (fn: FunctionContract): number => (fn.result ? 4000 : 300);

function attempt(artefact: Artefact, edit: Edit, random: Random): Mutation | undefined {
  const readers = artefact.contracts.filter(({ operands }) => operands.some(({ reads }) => reads));
  const fn = random.pick(readers);
  if (fn === undefined) return undefined;
  const secret = fn.operands.findIndex(({ reads }) => reads);
  let edited: Uint8Array | string;
  let at: string;
  let changed: Artefact;
  if (artefact.kind === 'wasm') {
    const result = mutateWasm(artefact.bytes, fn.name, edit, secret, random);
    if (result === undefined) return undefined;
    ({ bytes: edited, at } = result);
    changed = { ...artefact, bytes: edited };
  } else {
    const result = mutateJs(artefact.source, fn.name, edit, fn.operands[secret]!.name, random);
    if (result === undefined) return undefined;
    ({ text: edited, at } = result);
    changed = { ...artefact, source: edited };
  }
  const verdict = (of: Verdict, reason: string): Mutation => ({
    artefact: artefact.title,
    fn: fn.name,
    edit,
    at,
    verdict: of,
    reason,
  });
  const [finding] = check(changed, fn.name);
  if (finding !== undefined) return verdict('caught by checkers', `${finding.kind}: ${finding.message}`);
  if (differs(artefact, edited, fn, random, rounds(fn))) return verdict('caught by values', 'another output');
  if (computesTheSame(artefact, edited, fn)) return verdict('equivalent', 'the same terms are stored');
  return verdict('missed', '');
}

/** `count` edits of the artefacts, as many of every kind. */
export function mutationRun(artefacts: readonly Artefact[], seed: number, count: number): Mutation[] {
  const random = new Random(seed);
  const mutations: Mutation[] = [];
  for (let tries = 0; mutations.length < count; tries++) {
    if (tries > 100 * count) throw new Error('no place for the edits');
    const edit = EDITS[mutations.length % EDITS.length]!;
    const artefact = random.pick(artefacts);
    const mutation = artefact && attempt(artefact, edit, random);
    if (mutation !== undefined) mutations.push(mutation);
  }
  return mutations;
}
