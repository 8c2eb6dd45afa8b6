// The bounds of a WebAssembly module, derived from its bytes and the contract of its inputs: words do not overflow
// where their value matters, doubles are zero or normal and exact, results keep the contract.

import {
  addDoubles,
  BoundRefusal,
  type Double,
  double,
  doubleOfInteger,
  doubleOfPattern,
  fuse,
  least,
  most,
  multiplyDoubles,
  type Numeric,
  normalised,
  patternOf,
  signedWord,
  type Word,
  word,
  wordOperation,
} from './numbers.ts';
import { Refusal } from './wasm-decode.ts';
import type { WasmDomain } from './wasm-machine.ts';

const wordOf = (x: Numeric, bits: 32 | 64, what: string): Word => {
  const pattern = x.kind === 'word' ? x : patternOf(x, what);
  if (pattern.bits !== bits) throw new Refusal(`${what}: a word of ${pattern.bits} bits`);
  return pattern;
};
/** One double per word, so that what is known of one use of a value is known of the others. */
const converted = new WeakMap<Word, Double>();
function doubleFrom(x: Numeric, what: string): Double {
  if (x.kind === 'double') return x;
  const known = converted.get(x) ?? doubleOfPattern(x, what);
  converted.set(x, known);
  return known;
}

/** The 64-bit word with these 32-bit lanes. */
export function pair(a: Word, b: Word): Word {
  const [x, y] = [normalised(a, false), normalised(b, false)];
  if (x === undefined || y === undefined) {
    return { kind: 'word', bits: 64, low: -(1n << 63n), high: (1n << 63n) - 1n, parts: [a, b] };
  }
  return { ...word(x.low + (y.low << 32n), x.high + (y.high << 32n), 64), parts: [a, b] };
}

/** Both, where a mask chooses. */
function either(a: Numeric, b: Numeric, mask: Word, what: string): Numeric {
  if (mask.low < -1n || mask.high > 0n) throw new BoundRefusal(`${what}: a mask in [${mask.low}, ${mask.high}]`);
  if (a.kind === 'word' && b.kind === 'word') {
    const [x, y] = [signedWord(a, what), signedWord(b, what)];
    return word(least([x.low, y.low]), most([x.high, y.high]), a.bits);
  }
  const [x, y] = [doubleFrom(a, what), doubleFrom(b, what)];
  return double(least([x.low, y.low]), most([x.high, y.high]), Math.min(x.zeros, y.zeros));
}

export class BoundsDomain implements WasmDomain<Numeric> {
  constant(value: bigint, bits: 32 | 64): Numeric {
    return word(value, value, bits);
  }

  constantOf(value: Numeric): bigint | undefined {
    return value.kind === 'word' && value.low === value.high ? BigInt.asUintN(value.bits, value.low) : undefined;
  }

  refuseControl(_value: Numeric, what: string): Refusal {
    return new Refusal(`${what} depends on a value that is no constant`);
  }

  low32(value: Numeric): Numeric {
    if (value.kind === 'word' && value.parts !== undefined) return value.parts[0];
    const { low, high } = wordOf(value, 64, 'low half');
    return word(low, high, 32);
  }

  byteOf(value: Numeric): Numeric {
    return wordOperation('and', wordOf(value, 64, 'byte'), word(255n, 255n, 64));
  }

  apply(operation: string, operands: readonly Numeric[]): Numeric {
    const [a, b, c] = operands;
    if (a === undefined) throw new Refusal(`${operation}: no operand`);
    switch (operation) {
      case 'i32.wrap_i64':
        return this.low32(a);
      case 'i32.high':
        if (a.kind === 'word' && a.parts !== undefined) return a.parts[1];
        if (a.kind === 'word' && a.low === a.high) return word(a.low >> 32n, a.low >> 32n, 32);
        return word(-(1n << 31n), (1n << 31n) - 1n, 32);
      case 'i64.extend_i32_u': {
        const x = normalised(wordOf(a, 32, operation), false);
        return x === undefined ? word(0n, (1n << 32n) - 1n, 64) : word(x.low, x.high, 64);
      }
      case 'i64.extend_i32_s': {
        const x = signedWord(wordOf(a, 32, operation), operation);
        return word(x.low, x.high, 64);
      }
      case 'i64.pair':
        return pair(wordOf(a, 32, operation), wordOf(b!, 32, operation));
      case 'f64.convert_i32_u': {
        const x = normalised(wordOf(a, 32, operation), false);
        if (x === undefined) throw new BoundRefusal(`${operation}: a word that wraps`);
        return doubleOfInteger(x.low, x.high);
      }
      case 'i32.bitselect':
      case 'i64.bitselect': {
        const bits = operation === 'i32.bitselect' ? 32 : 64;
        return either(a, b!, signedWord(wordOf(c!, bits, operation), operation), operation);
      }
      case 'f64.add':
      case 'f64.sub':
        return addDoubles(
          doubleFrom(a, operation),
          doubleFrom(b!, operation),
          operation === 'f64.add' ? 1n : -1n,
          operation,
        );
      case 'f64.mul':
        return multiplyDoubles(doubleFrom(a, operation), doubleFrom(b!, operation), operation);
      case 'f64.relaxed_madd':
        return fuse(doubleFrom(a, operation), doubleFrom(b!, operation), doubleFrom(c!, operation), operation);
    }
    if (operation === 'i32.lt_u') {
      const [x, y] = [this.constantOf(a), this.constantOf(b!)];
      if (x === undefined || y === undefined) return word(0n, 1n, 32);
      return word(x < y ? 1n : 0n, x < y ? 1n : 0n, 32);
    }
    const bits = operation.startsWith('i32.') ? 32 : 64;
    const name = operation.slice(4);
    const second = wordOf(b!, b!.kind === 'word' && name.startsWith('sh') ? b!.bits : bits, operation);
    return wordOperation(name, wordOf(a, bits, operation), second);
  }
}
