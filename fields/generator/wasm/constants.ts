// Constants of a module in linear memory: one 16-byte slot each, the same value in both lanes.

import { bytes64, type Code } from './encoder.ts';

export class ConstantPool {
  readonly base: number;
  readonly #words: bigint[] = [];

  constructor(base: number) {
    this.base = base;
  }

  /** Address of a 64-bit pattern. */
  address(word: bigint): number {
    const pattern = BigInt.asUintN(64, word);
    const index = this.#words.indexOf(pattern);
    return this.base + 16 * (index >= 0 ? index : this.#words.push(pattern) - 1);
  }

  /** Address of the first of patterns that lie one behind another. */
  addressOfRow(words: readonly bigint[]): number {
    const patterns = words.map((word) => BigInt.asUintN(64, word));
    for (let start = 0; start + patterns.length <= this.#words.length; start++) {
      if (patterns.every((pattern, i) => this.#words[start + i] === pattern)) return this.base + 16 * start;
    }
    const start = this.#words.length;
    this.#words.push(...patterns);
    return this.base + 16 * start;
  }

  get end(): number {
    return this.base + 16 * this.#words.length;
  }

  bytes(): Code {
    return this.#words.flatMap((word) => [...bytes64(word), ...bytes64(word)]);
  }
}
