// Values as terms, equal terms with equal numbers: two texts that store the same terms compute the same.

import type { JsAlgebra } from './js-evaluate.ts';
import { word, wordOperation } from './numbers.ts';
import { Refusal } from './wasm-decode.ts';
import type { WasmDomain } from './wasm-machine.ts';

const COMMUTES = /(^|\.)(add|mul|and|or|xor|\+|\*|&|\||\^)$/;

export interface Term {
  readonly id: number;
  readonly constant?: bigint;
  readonly bits?: 32 | 64;
}

/** A table of terms, for both sides of a comparison. */
export class Terms implements WasmDomain<Term>, JsAlgebra<Term> {
  readonly #ids = new Map<string, Term>();

  term(key: string, extra: Omit<Term, 'id'> = {}): Term {
    const known = this.#ids.get(key) ?? { id: this.#ids.size, ...extra };
    this.#ids.set(key, known);
    return known;
  }

  constant(value: bigint, bits: 32 | 64): Term {
    const constant = BigInt.asIntN(bits, value);
    return this.term(`${constant}i${bits}`, { constant, bits });
  }

  constantOf(value: Term): bigint | undefined {
    return value.constant === undefined ? undefined : BigInt.asUintN(value.bits ?? 64, value.constant);
  }

  refuseControl(_value: Term, what: string): Refusal {
    return new Refusal(`${what} is no constant`);
  }

  low32(value: Term): Term {
    return value.constant === undefined ? this.term(`low ${value.id}`) : this.constant(value.constant, 32);
  }

  byteOf(value: Term): Term {
    return this.term(`byte ${value.id}`);
  }

  apply(operation: string, operands: readonly Term[]): Term {
    const [a, b] = operands;
    if (a?.constant !== undefined && b?.constant !== undefined && a.bits !== undefined && a.bits === b.bits) {
      if (operation === 'i32.lt_u') return this.constant(this.constantOf(a)! < this.constantOf(b)! ? 1n : 0n, 32);
      if (/^i(32|64)\.(add|sub|mul|and|or|xor|shl|shr_u|shr_s)$/.test(operation)) {
        const [x, y] = [word(a.constant, a.constant, a.bits), word(b.constant, b.constant, b.bits)];
        return this.constant(wordOperation(operation.slice(4), x, y).low, a.bits);
      }
    }
    if (operation === 'i64.extend_i32_u' && a?.constant !== undefined) return this.constant(this.constantOf(a)!, 64);
    let ids = operands.map(({ id }) => id);
    if (COMMUTES.test(operation)) ids.sort((x, y) => x - y);
    if (operation === 'f64.relaxed_madd') ids = [...ids.slice(0, 2).sort((x, y) => x - y), ids[2]!];
    return this.term(`${operation} ${ids.join(' ')}`);
  }

  literal(value: number): Term {
    return this.term(`${Object.is(value, -0) ? '-0' : value}`);
  }

  binary(operator: string, a: Term, b: Term): Term {
    return this.apply(operator, [a, b]);
  }
}
