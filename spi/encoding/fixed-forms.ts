// Encodings that differ in nothing but the key: once a form has been read in full, the next key in it is compared and cut
// out. That is some 30 times as fast as parsing, and a secret passes without a branch that depends on it.

interface Form<K> {
  /** The encoding of the zero key. */
  readonly pattern: Uint8Array;
  /** FF where an encoding must equal the pattern, 0 where the key stands. */
  readonly fixed: Uint8Array;
  /** Beginning and end of each part of the key. */
  readonly parts: readonly (readonly [number, number])[];
  readonly make: (parts: readonly Uint8Array[]) => K;
}

/** Attributes make more forms than there are curves; those are not worth keeping. */
const MAX_FORMS = 32;

export class FixedForms<K> {
  readonly #forms = new Map<number, Form<K>[]>();
  #count = 0;

  /** The key, with fresh copies of its parts, if `bytes` has a known form. */
  match(bytes: Uint8Array): K | undefined {
    for (const { pattern, fixed, parts, make } of this.#forms.get(bytes.length) ?? []) {
      let difference = 0;
      for (let i = 0; i < pattern.length; i++) {
        difference |= ((bytes[i] as number) ^ (pattern[i] as number)) & (fixed[i] as number);
      }
      if (difference === 0) return make(parts.map(([start, end]) => new Uint8Array(bytes.subarray(start, end))));
    }
    return undefined;
  }

  /**
   * Learns the form of `bytes`, which have been read and found valid, if it is the one that `encode` writes.
   * `encode` gives the encoding of a key of the same kind whose every byte is `fill`; its parts must not touch.
   */
  learn(bytes: Uint8Array, encode: (fill: number) => Uint8Array, make: Form<K>['make']): void {
    if (this.#count === MAX_FORMS) return;
    const pattern = encode(0);
    const ones = encode(0xff);
    if (pattern.length !== bytes.length) return;
    const fixed = pattern.map((byte, i) => ~(byte ^ (ones[i] as number)));
    const parts: [number, number][] = [];
    for (let i = 0; i < fixed.length; i++) {
      const byte = fixed[i] as number;
      if ((((bytes[i] as number) ^ (pattern[i] as number)) & byte) !== 0) return;
      if (byte !== 0) continue;
      const open = parts.at(-1);
      if (open?.[1] === i) open[1] = i + 1;
      else parts.push([i, i + 1]);
    }
    const sameLength = this.#forms.get(bytes.length) ?? [];
    this.#forms.set(bytes.length, [...sameLength, { pattern, fixed, parts, make }]);
    this.#count++;
  }
}
