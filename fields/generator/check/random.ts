// A seeded source of choices (xorshift32), so that a run of edits can be repeated.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e37_79b9) | 0 || 1;
  }

  next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** Between two integers: often an end, else anything between. */
  between(low: bigint, high: bigint): bigint {
    const choice = this.below(6);
    if (choice === 0) return low;
    if (choice === 1) return high;
    let value = 0n;
    for (let i = 0; i < 4; i++) value = (value << 30n) | BigInt(this.below(2 ** 30));
    return low + (value % (high - low + 1n));
  }
}
