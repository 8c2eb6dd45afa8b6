// Comb tables of P-256: 26 blocks of sixteen affine points, entry i of block j is (2i + 1)·1024ʲ·P.
//
// That of the generator comes as data: computing it takes 15 to 30 ms while nothing is compiled yet, reading it below 1.

import { create, fromBytes } from '../../fields/portable/p256-montgomery.ts';
import { P256_COMB_BASE64 } from '../generated/p256-comb.generated.ts';
import { createJacobian, double, setAffine, settle, toAffineElements } from '../points/p256-jacobian.ts';
import { ENTRY, storeOddMultiples } from './affine-table.ts';

const ODD = 16;

export const COMB_BLOCKS = 26;
const COMB_INTS = COMB_BLOCKS * ODD * ENTRY;
/** Bytes of memory that a table holds. */
export const COMB_BYTES = COMB_INTS * 4;

export type CombTable = Int32Array;

/** The table of the affine point in `bytes`, x then y. About 1 ms when compiled. */
export function combTable(bytes: Uint8Array): CombTable {
  const table = new Int32Array(COMB_INTS);
  const x = create();
  const y = create();
  const power = createJacobian();
  fromBytes(x, bytes, 0);
  fromBytes(y, bytes, 32);
  const next = { x, y };
  for (let j = 0; j < COMB_BLOCKS; j++) {
    storeOddMultiples(table, j * ODD * ENTRY, ODD, x, y, next);
    // next is 32·P; five doublings more for the next block.
    setAffine(power, x, y);
    for (let i = 0; i < 5; i++) double(power);
    settle(power);
    toAffineElements(x, y, power);
  }
  return table;
}

/** A table as base64 text: every integer as three bytes, little-endian, plus 2^23. */
export function encodeComb(table: CombTable): string {
  let text = '';
  for (const value of table) {
    const shifted = value + 0x800000;
    text += String.fromCharCode(shifted & 255, (shifted >> 8) & 255, shifted >> 16);
  }
  return btoa(text);
}

/** The inverse of encodeComb. */
export function decodeComb(text: string): CombTable {
  const bytes = atob(text);
  const table = new Int32Array(COMB_INTS);
  for (let i = 0; i < COMB_INTS; i++) {
    const at = 3 * i;
    table[i] = (bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16)) - 0x800000;
  }
  return table;
}

let generatorTable: CombTable | undefined;

/** The table of the generator; public, so one for the process. */
export function generatorComb(): CombTable {
  generatorTable ??= decodeComb(P256_COMB_BASE64);
  return generatorTable;
}
