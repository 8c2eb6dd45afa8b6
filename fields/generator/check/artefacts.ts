// The artefacts that ship: every generated module, with the contracts that its checkers are given.

import { readFileSync } from 'node:fs';
import { PRIMES, type PrimeRow } from '../../primes.ts';
import { decodeBase64 } from '../../wasm/wasm-field.ts';
import { contracts } from '../contract.ts';
import type { Derived } from '../derive.ts';
import { doubleField } from '../ts-module.ts';
import { wasmField } from '../wasm-field.ts';
import { type FunctionContract, functionContracts } from './artefact-contract.ts';
import { checkJs, GENERATED_TAINT } from './js-check.ts';
import { checkWasm, type Finding, type WasmBackend } from './wasm-check.ts';

interface Common {
  readonly title: string;
  readonly row: PrimeRow;
  readonly contracts: readonly FunctionContract[];
  /** Limbs of the modulus, for values that are zero without looking so. */
  readonly modulus: readonly bigint[];
  readonly width: number;
  /** Limbs of ±1 and of what 1 is in this representation. */
  readonly units: readonly (readonly bigint[])[];
}

export interface WasmArtefact extends Common {
  readonly kind: 'wasm';
  readonly backend: WasmBackend;
  readonly heapBase: number;
  readonly bytes: Uint8Array;
}

export interface TextArtefact extends Common {
  readonly kind: 'text';
  readonly source: string;
}

export type Artefact = WasmArtefact | TextArtefact;

const generated = (name: string): string =>
  readFileSync(new URL(`../../generated/${name}.generated.ts`, import.meta.url), 'utf8');

function field(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`a generated module without ${pattern}`);
  return found;
}

function balanced(value: bigint, width: number, count: number): bigint[] {
  let rest = value;
  return Array.from({ length: count }, (_, i) => {
    const limb = i === count - 1 ? rest : BigInt.asIntN(width, rest);
    rest = (rest - limb) >> BigInt(width);
    return limb;
  });
}

function units({ modulus, one, width, count }: Derived): bigint[][] {
  return [1n, -1n, one, -one, one - modulus, modulus - one].map((value) => balanced(value, width, count));
}

function textArtefact(row: PrimeRow): TextArtefact {
  const { derived, programs, bounds } = doubleField(row);
  return {
    kind: 'text',
    title: `${row.name} ts`,
    row,
    source: generated(row.name),
    width: derived.width,
    units: units(derived),
    modulus: balanced(derived.modulus, derived.width, derived.count),
    contracts: functionContracts({
      contracts: contracts(programs, bounds),
      tight: derived.tight,
      productTerms: bounds.productTerms,
      squareTerms: bounds.squareTerms,
      byteLength: derived.byteLength,
    }),
  };
}

function wasmArtefact(row: PrimeRow, backend: WasmBackend): WasmArtefact {
  const { programs, bounds } = wasmField(row, backend);
  const text = generated(`${row.name}-${backend}`);
  return {
    kind: 'wasm',
    title: `${row.name} ${backend}`,
    row,
    backend,
    heapBase: Number(field(text, /heapBase: (\d+)/)),
    bytes: decodeBase64(field(text, /wasm: '([^']+)'/)),
    width: programs.d.width,
    units: units(programs.d),
    modulus: balanced(programs.d.modulus, programs.d.width, programs.d.count),
    contracts: functionContracts({
      contracts: contracts(programs, bounds),
      tight: programs.d.tight,
      productTerms: bounds.productTerms,
      squareTerms: bounds.squareTerms,
      byteLength: programs.d.byteLength,
    }),
  };
}

export function artefacts(rows: readonly PrimeRow[] = PRIMES): Artefact[] {
  return rows.flatMap((row) => [
    textArtefact(row),
    ...(['fma', 'simd', 'i64'] as const)
      .filter((backend) => row.backends[backend] !== undefined)
      .map((backend) => wasmArtefact(row, backend)),
  ]);
}

/** What is wrong with an artefact; empty where nothing is. */
export function check(artefact: Artefact, one?: string): Finding[] {
  if (artefact.kind === 'wasm') {
    return checkWasm(artefact.bytes, artefact.backend, artefact.heapBase, artefact.contracts, one);
  }
  return checkJs(
    {
      source: artefact.source,
      contracts: artefact.contracts,
      taint: GENERATED_TAINT,
      publicFunctions: ['createInverter'],
    },
    one,
  );
}
