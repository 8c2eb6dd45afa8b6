// Tables for public keys that verify again and again: made once a key has proved worth it, within a memory budget.

import type { ECOperations, PrecomputedPoint } from '../../engines/ec-operations.ts';
import { type EcPublicKey, pointOf } from './keys.ts';

/** A table costs about this many verifications; a key that never comes back must not pay for one. */
const USES_BEFORE_TABLE = 6;

/** Bytes of tables that one context holds at most. */
const BUDGET = 8 * 1024 * 1024;

interface Entry {
  uses: number;
  readonly operations: ECOperations;
  table: PrecomputedPoint | undefined;
}

export class VerificationPoints {
  /** How often each key was used, and its table if it has one; keys are held weakly. */
  #entries = new WeakMap<EcPublicKey, Entry>();
  #bytes = 0;

  /** The form of the key's point that verifies fastest by now. Throws KeyDestroyedError. */
  pointFor(key: EcPublicKey, operations: ECOperations): Uint8Array | PrecomputedPoint {
    const point = pointOf(key);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#entries.set(key, { uses: 1, operations, table: undefined });
      return point;
    }
    if (entry.table !== undefined && entry.operations === operations) return entry.table;
    if (++entry.uses <= USES_BEFORE_TABLE || entry.operations !== operations) return point;
    entry.table = operations.precompute(point);
    this.#bytes += entry.table.size;
    if (this.#bytes > BUDGET) {
      // All at once: keys in steady use get their tables back within a few verifications.
      this.#entries = new WeakMap([[key, entry]]);
      this.#bytes = entry.table.size;
    }
    return entry.table;
  }
}
