// Whether an edited function stores the same terms as the original: then it computes the same for every input.

import type { FunctionContract } from './artefact-contract.ts';
import type { Artefact } from './artefacts.ts';
import { inEveryCase, type Known, KnownJs, KnownWasm } from './cases.ts';
import { Evaluation } from './js-evaluate.ts';
import { functionsOf, parseSource } from './js-source.ts';
import { doubleOfInteger } from './numbers.ts';
import { Terms } from './symbols.ts';
import { WasmCheck } from './wasm-check.ts';
import { Refusal } from './wasm-decode.ts';

function textTerms(terms: Terms, algebra: KnownJs, text: string, fn: FunctionContract): string {
  const input = (name: string, low: bigint, high: bigint): Known => ({
    term: terms.term(name),
    numeric: doubleOfInteger(low, high),
  });
  const found = functionsOf(parseSource(text).program).find(({ name }) => name === fn.name);
  if (found === undefined) throw new Refusal(`no function ${fn.name}`);
  const arrays = new Map<string, Map<number, Known>>();
  for (const { name, reads, limbs } of fn.operands) {
    arrays.set(
      name,
      new Map(reads ? limbs.map(({ low, high }, i) => [i, input(`${name}[${i}]`, low, high)] as const) : []),
    );
  }
  const bytes = new Map<number, Known>();
  if (fn.bytes === 'in') for (let i = 0; i < fn.byteLength; i++) bytes.set(i, input(`byte[${i}]`, 0n, 255n));
  arrays.set('bytes', bytes);
  const scalars = new Map(fn.scalars.map(({ name, max }) => [name, input(name, 0n, max)] as const));
  const evaluation = new Evaluation(algebra, arrays, scalars);
  evaluation.run(found.body);
  const stored = [...arrays].map(([name, array]) => {
    const entries = [...array].sort(([i], [j]) => i - j).map(([i, { term }]) => `${i}:${term.id}`);
    return `${name} ${entries.join()}`;
  });
  return `${stored.join(';')} ${evaluation.result?.term.id}`;
}

export function computesTheSame(artefact: Artefact, edited: Uint8Array | string, fn: FunctionContract): boolean {
  const terms = new Terms();
  try {
    return inEveryCase((assumed) => {
      if (artefact.kind === 'text') {
        const of = (text: string): string => textTerms(terms, new KnownJs(terms, assumed), text, fn);
        return of(artefact.source) === of(edited as string);
      }
      const of = (bytes: Uint8Array): string =>
        new WasmCheck(bytes, artefact.backend, artefact.heapBase).symbols(fn, terms, new KnownWasm(terms, assumed));
      return of(artefact.bytes) === of(edited as Uint8Array);
    });
  } catch (cause) {
    if (cause instanceof Refusal) return false;
    throw cause;
  }
}
