// Secret and public: a value is a known constant or an unknown that is secret. No branch, address or instruction of
// variable time may meet a secret, whatever the arithmetic does; the machine asks for public constants there.

import { word, wordOperation } from './numbers.ts';
import { Refusal } from './wasm-decode.ts';
import type { WasmDomain } from './wasm-machine.ts';

/** A secret decides a branch, an address or a time. */
export class SecretRefusal extends Refusal {
  override readonly name = 'SecretRefusal';
}

export type Taint =
  | { readonly secret: true }
  | { readonly secret: false; readonly value: bigint; readonly bits: 32 | 64 };

export const SECRET: Taint = { secret: true };

export class TaintDomain implements WasmDomain<Taint> {
  constant(value: bigint, bits: 32 | 64): Taint {
    return { secret: false, value, bits };
  }

  constantOf(value: Taint): bigint | undefined {
    return value.secret ? undefined : BigInt.asUintN(value.bits, value.value);
  }

  refuseControl(_value: Taint, what: string): Refusal {
    return new SecretRefusal(`${what} depends on a secret`);
  }

  low32(value: Taint): Taint {
    return value.secret ? value : this.constant(BigInt.asIntN(32, value.value), 32);
  }

  byteOf(value: Taint): Taint {
    return value;
  }

  apply(operation: string, operands: readonly Taint[]): Taint {
    const [a, b] = operands;
    // Only what counters and addresses need stays known.
    if (a === undefined || a.secret || b === undefined || b.secret || !/^i(32|64)\./.test(operation)) return SECRET;
    if (operation === 'i32.lt_u') return this.constant(this.constantOf(a)! < this.constantOf(b)! ? 1n : 0n, 32);
    if (!/^i(32|64)\.(add|sub|mul|and|or|xor|shl|shr_u|shr_s)$/.test(operation) || a.bits !== b.bits) return SECRET;
    return this.constant(
      wordOperation(operation.slice(4), word(a.value, a.value, a.bits), word(b.value, b.value, b.bits)).low,
      a.bits,
    );
  }
}
