// Holds the JavaScript of a field's module against the contracts of its functions: secrets in all of it, bounds in the
// straight-line functions that have a contract.

import { aliasings, type FunctionContract } from './artefact-contract.ts';
import { boundsOfFunction } from './js-bounds.ts';
import { functionsOf, type JsFunction, moduleNames, parseSource } from './js-source.ts';
import { secretsOfFunction, type TaintContract } from './js-taint.ts';
import type { Finding } from './wasm-check.ts';
import { Refusal } from './wasm-decode.ts';

/** What generated modules hold that is public: offsets, public exponents and factors, module state. */
export const GENERATED_TAINT: Omit<TaintContract, 'callees' | 'moduleNames'> & { readonly foreign: readonly string[] } =
  {
    publicNames: new Set(['offset', 'factor', 'exponent', 'Array', 'undefined']),
    publicArrays: new Set(['exponent']),
    foreign: ['from', 'invert', 'invertVartime'],
  };

/** Functions whose time may depend on their operands say so by their names. */
const declaresVartime = (name: string): boolean => /Vartime/.test(name);

export interface JsArtefact {
  readonly source: string;
  readonly contracts: readonly FunctionContract[];
  readonly taint: Omit<TaintContract, 'callees' | 'moduleNames'> & { readonly foreign: readonly string[] };
  /** Functions that handle no secret: what builds tables of constants. */
  readonly publicFunctions?: readonly string[];
}

/** What is wrong with the module, by function; empty where nothing is. */
export function checkJs(artefact: JsArtefact, one?: string): Finding[] {
  const findings: Finding[] = [];
  const attempt = (name: string, run: () => void): void => {
    try {
      run();
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      findings.push({ name, kind: cause.name, message: cause.message });
    }
  };
  let functions: JsFunction[] = [];
  let names = new Set<string>();
  attempt('module', () => {
    const { program } = parseSource(artefact.source);
    functions = functionsOf(program);
    names = moduleNames(program);
  });
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  const callees = new Set([...byName.keys(), ...artefact.taint.foreign]);
  for (const fn of functions) {
    if (one !== undefined && one !== fn.name) continue;
    if (declaresVartime(fn.name) || artefact.publicFunctions?.includes(fn.name) === true) continue;
    attempt(fn.name, () => {
      secretsOfFunction(fn, { ...artefact.taint, callees, moduleNames: names });
    });
  }
  for (const contract of artefact.contracts) {
    if (one !== undefined && one !== contract.name) continue;
    attempt(`${contract.name} ${contract.variant}`.trim(), () => {
      const fn = byName.get(contract.name);
      if (fn === undefined) throw new Refusal(`no function ${contract.name}`);
      for (const classes of aliasings(contract.operands)) boundsOfFunction(fn, contract, classes);
    });
  }
  return findings;
}
