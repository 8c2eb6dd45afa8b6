// Multipliers on complete formulas, for any field: slower, and without a single exceptional case to argue about. They
// are the oracle that every other candidate is compared with. Scalars are any value at the width of the order: k mod n
// is not needed.

import { equalMask } from '../../fields/ct.ts';
import type { Field } from '../../fields/field.ts';
import { bytesFromHex } from '../curves.ts';
import type { CurveRow, PrecomputedPoint } from '../ec-operations.ts';
import { completeFormulas, type ProjectivePoint } from '../points/complete.ts';
import type { CombMultiplier, LadderMultiplier, WindowMultiplier } from './multiplier.ts';

const ENTRIES = 16;

export interface CompleteMultipliers {
  readonly comb: CombMultiplier;
  readonly window: WindowMultiplier;
  readonly ladder: LadderMultiplier;
}

/** Comb, window and ladder over `field`; ids end with the representation. */
export function completeMultipliers<D extends string>(field: Field<D>, curve: CurveRow): CompleteMultipliers {
  const formulas = completeFormulas(field, curve);
  const coordinate = field.byteLength;
  const rowBytes = Math.ceil(curve.n.length / 2 / 4);
  const accumulator = formulas.createPoint();
  const selected = formulas.createPoint();
  const second = formulas.createPoint();
  const table = Array.from({ length: ENTRIES }, formulas.createPoint);
  const scaledR = field.create();
  let combTable: ProjectivePoint<D>[] | undefined;

  const wipe = (): void => {
    for (const p of [accumulator, selected, second]) formulas.setInfinity(p);
    formulas.wipe();
  };
  /** selected = entries[index], reading all. */
  const select = (entries: readonly ProjectivePoint<D>[], index: number): void => {
    formulas.setInfinity(selected);
    for (let j = 0; j < ENTRIES; j++) formulas.select(selected, selected, entries[j]!, equalMask(j, index) & 1);
  };
  /** accumulator = k·P: fixed windows of four bits, an addition for every window. */
  const window = (point: Uint8Array, k: Uint8Array): void => {
    formulas.setInfinity(table[0]!);
    formulas.fromAffine(table[1]!, point);
    for (let j = 2; j < ENTRIES; j++) formulas.add(table[j]!, table[j - 1]!, table[1]!);
    formulas.setInfinity(accumulator);
    for (let i = 0; i < 2 * k.length; i++) {
      for (let j = 0; j < 4; j++) formulas.double(accumulator, accumulator);
      select(table, (k[i >> 1]! >> (4 * (~i & 1))) & 15);
      formulas.add(accumulator, accumulator, selected);
    }
  };
  /** Entry j is the sum of 2^(8·rowBytes·i)·G over the set bits i of j (Lim and Lee, 1994). */
  const generator = (): ProjectivePoint<D>[] => {
    const entries = Array.from({ length: ENTRIES }, formulas.createPoint);
    formulas.setInfinity(entries[0]!);
    const power = formulas.createPoint();
    formulas.fromAffine(power, bytesFromHex(curve.gx + curve.gy));
    for (let bit = 1; bit < ENTRIES; bit *= 2) {
      for (let j = 0; j < bit; j++) formulas.add(entries[bit + j]!, entries[j]!, power);
      for (let i = 0; i < 8 * rowBytes; i++) formulas.double(power, power);
    }
    return entries;
  };
  /** accumulator = k·G. */
  const comb = (k: Uint8Array): void => {
    combTable ??= generator();
    formulas.setInfinity(accumulator);
    for (let bit = 8 * rowBytes - 1; bit >= 0; bit--) {
      let index = 0;
      for (let row = 0; row < 4; row++) {
        // The last row may end above the scalar.
        const at = k.length - 1 - row * rowBytes - (bit >> 3);
        index |= (at < 0 ? 0 : (k[at]! >> (bit & 7)) & 1) << row;
      }
      formulas.double(accumulator, accumulator);
      select(combTable, index);
      formulas.add(accumulator, accumulator, selected);
    }
  };
  const deliver = (out: Uint8Array): number => {
    const finite = formulas.asAffine(out, accumulator);
    wipe();
    return finite;
  };
  /** accumulator = u1·G + u2·Q. */
  const double = (u1: Uint8Array, u2: Uint8Array, q: Uint8Array | PrecomputedPoint): void => {
    window(q instanceof Uint8Array ? q : q.point, u2);
    formulas.copy(second, accumulator);
    comb(u1);
    formulas.add(accumulator, accumulator, second);
  };
  const name = `${curve.name}/complete-${field.representation}`;

  return {
    comb: {
      kind: 'comb',
      id: `${name}/comb`,
      width: 4,
      base: {
        multiplyBase(out, k) {
          comb(k);
          return deliver(out);
        },
      },
    },
    window: {
      kind: 'window',
      id: `${name}/window`,
      width: 4,
      point: {
        multiply(out, point, k) {
          window(point, k);
          return deliver(out);
        },
      },
      double: {
        multiplyDoubleVartime(out, u1, u2, q) {
          double(u1, u2, q);
          return deliver(out);
        },
        matchesVartime(u1, u2, q, r, rPlusOrder) {
          double(u1, u2, q);
          if (field.isZero(accumulator.z) === 1) return 0;
          for (const wanted of rPlusOrder === undefined ? [r] : [r, rPlusOrder]) {
            field.fromBytes(scaledR, wanted, 0);
            field.mul(scaledR, scaledR, accumulator.z);
            if (field.equals(scaledR, accumulator.x) === 1) return 1;
          }
          return 0;
        },
        precompute: (point) => ({ curve: curve.name, point: point.slice(), size: 2 * coordinate }),
      },
    },
    ladder: {
      kind: 'ladder',
      id: `${name}/ladder`,
      point: {
        multiply(out, point, k) {
          // second − accumulator = P throughout: bit 0 gives (2A, A + B), bit 1 gives (A + B, 2B).
          formulas.setInfinity(accumulator);
          formulas.fromAffine(second, point);
          for (let i = 0; i < 8 * k.length; i++) {
            const bit = (k[i >> 3]! >> (~i & 7)) & 1;
            formulas.add(selected, accumulator, second);
            formulas.select(accumulator, accumulator, second, bit);
            formulas.double(accumulator, accumulator);
            formulas.select(second, selected, accumulator, bit);
            formulas.select(accumulator, accumulator, selected, bit);
          }
          return deliver(out);
        },
      },
    },
  };
}
