// A row → the programs of one of its WebAssembly backends.

import type { LimbLayout, PrimeRow } from '../primes.ts';
import { derive } from './derive.ts';
import { FieldBounds } from './field-bounds.ts';
import { IntegerFoldPrograms, ScaledFoldPrograms } from './folds.ts';
import { MontgomeryPrograms, type WasmBackend, type WasmPrograms } from './integers.ts';

export interface WasmField {
  readonly backend: WasmBackend;
  readonly programs: WasmPrograms;
  readonly bounds: FieldBounds;
}

/** The programs of a row in a layout, which may be another than the row's own. */
export function wasmField(row: PrimeRow, backend: WasmBackend, layout?: LimbLayout): WasmField {
  const chosen = layout ?? row.backends[backend];
  if (chosen === undefined) throw new Error(`${row.name} has no layout for ${backend}`);
  const derived = derive(row, chosen);
  let programs: WasmPrograms;
  if (chosen.representation === 'montgomery') programs = new MontgomeryPrograms(derived, backend);
  else if (backend === 'fma') programs = new ScaledFoldPrograms(derived, backend);
  else if (backend === 'i64') programs = new IntegerFoldPrograms(derived, backend);
  else throw new Error(`${row.name}: no polynomial programs for ${backend}`);
  const { width, tight } = derived;
  const bounds = new FieldBounds({ width, tight, mul: programs.mul(), square: programs.square() });
  return { backend, programs, bounds };
}
