// The bounds of straight-line JavaScript: doubles exact within 2^53 or rounded against a constant, words within 32 bits,
// outputs within the contract.

import type { FunctionContract, Limits } from './artefact-contract.ts';
import { Evaluation, type JsAlgebra } from './js-evaluate.ts';
import type { JsFunction } from './js-source.ts';
import {
  addDoubles,
  BoundRefusal,
  type Double,
  doubleOf,
  doubleOfInteger,
  multiplyDoubles,
  SCALE,
  signedWord,
  type Word,
  word,
  wordOperation,
} from './numbers.ts';
import { Refusal } from './wasm-decode.ts';

const WORD_OPERATORS: Readonly<Record<string, string>> = {
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shl',
  '>>': 'shr_s',
};

export class IntervalAlgebra implements JsAlgebra<Double> {
  readonly #words = new WeakMap<Double, Word>();
  readonly #doubles = new WeakMap<Word, Double>();

  literal(value: number): Double {
    return doubleOf(value);
  }

  binary(operator: string, a: Double, b: Double): Double {
    if (operator === '+') return addDoubles(a, b, 1n, '+');
    if (operator === '-') return addDoubles(a, b, -1n, '-');
    if (operator === '*') return multiplyDoubles(a, b, '*');
    const name = WORD_OPERATORS[operator];
    if (name === undefined) throw new Refusal(`the operator ${operator}`);
    const result = signedWord(wordOperation(name, this.#word(a, operator), this.#word(b, operator)), operator);
    return this.#double(result);
  }

  /** As JavaScript converts an operand of a bit operation, which must be an integer that fits. */
  #word(x: Double, operator: string): Word {
    const known = this.#words.get(x);
    if (known !== undefined) return known;
    if (x.zeros < 0) throw new BoundRefusal(`${operator}: an operand with a fraction`);
    const converted = signedWord(word(x.low >> BigInt(SCALE), x.high >> BigInt(SCALE), 32), operator);
    if (converted.low !== x.low >> BigInt(SCALE)) throw new BoundRefusal(`${operator}: an operand beyond 32 bits`);
    this.#words.set(x, converted);
    this.#doubles.set(converted, x);
    return converted;
  }

  #double(x: Word): Double {
    const known = this.#doubles.get(x);
    if (known !== undefined) return known;
    const value = doubleOfInteger(x.low, x.high);
    this.#doubles.set(x, value);
    this.#words.set(value, x);
    return value;
  }
}

function checkOutput(value: Double | undefined, limits: Limits | undefined, what: string): void {
  if (value === undefined) throw new BoundRefusal(`${what} is not stored`);
  if (value.zeros < 0) throw new BoundRefusal(`${what} may be no integer`);
  const [low, high] = [value.low >> BigInt(SCALE), value.high >> BigInt(SCALE)];
  if (limits !== undefined && (low < limits.low || high > limits.high)) {
    throw new BoundRefusal(`${what}: [${low}, ${high}] leaves the contract [${limits.low}, ${limits.high}]`);
  }
}

/** Throws where the function leaves the bounds of its contract. `classes`: which operands are the same. */
export function boundsOfFunction(fn: JsFunction, contract: FunctionContract, classes: readonly number[]): void {
  const bits = contract.scalars.some(({ name }) => name === 'bit') ? [0, 1] : [0];
  for (const bit of bits) {
    const shared = new Map<number, Map<number, Double>>();
    const arrays = new Map<string, Map<number, Double>>();
    contract.operands.forEach((operand, i) => {
      const array = shared.get(classes[i]!) ?? new Map<number, Double>();
      shared.set(classes[i]!, array);
      arrays.set(operand.name, array);
      if (!operand.reads) return;
      operand.limbs.forEach(({ low, high }, limb) => void array.set(limb, doubleOfInteger(low, high)));
    });
    const bytes = new Map<number, Double>();
    if (contract.bytes !== undefined) arrays.set('bytes', bytes);
    if (contract.bytes === 'in') {
      for (let i = 0; i < contract.byteLength; i++) bytes.set(i, doubleOfInteger(0n, 255n));
    }
    const scalars = new Map(
      contract.scalars.map(({ name, max }) => [name, name === 'bit' ? doubleOf(bit) : doubleOfInteger(0n, max)]),
    );
    const evaluation = new Evaluation(new IntervalAlgebra(), arrays, scalars);
    evaluation.run(fn.body);
    for (const operand of contract.operands) {
      const array = arrays.get(operand.name);
      if (!operand.writes) continue;
      if (array?.size !== operand.limbs.length)
        throw new BoundRefusal(`${operand.name} has other limbs than its contract`);
      operand.limbs.forEach((_, limb) => {
        checkOutput(array.get(limb), contract.output?.[limb], `limb ${limb} of ${operand.name}`);
      });
    }
    if (contract.bytes === 'out') {
      for (let i = 0; i < contract.byteLength; i++) checkOutput(bytes.get(i), undefined, `byte ${i}`);
      if (bytes.size !== contract.byteLength) throw new BoundRefusal('bytes beyond the length');
    }
    if (contract.result) checkOutput(evaluation.result, { low: 0n, high: 1n }, 'the result');
  }
}
