// Slow BigInt arithmetic modulo a prime: the reference that tests compare with. Never for secrets: its time depends on
// the values.

export interface ReferenceField {
  readonly modulus: bigint;
  /** The representative in [0, modulus). */
  reduce(a: bigint): bigint;
  add(a: bigint, b: bigint): bigint;
  sub(a: bigint, b: bigint): bigint;
  mul(a: bigint, b: bigint): bigint;
  /** Inverse; of 0 it is 0. */
  invert(a: bigint): bigint;
}

export function referenceField(modulus: bigint): ReferenceField {
  const reduce = (a: bigint): bigint => ((a % modulus) + modulus) % modulus;
  return {
    modulus,
    reduce,
    add: (a, b) => reduce(a + b),
    sub: (a, b) => reduce(a - b),
    mul: (a, b) => reduce(a * b),
    invert(a) {
      // Extended Euclid: r = s·a mod modulus throughout.
      let [r, next] = [modulus, reduce(a)];
      let [s, following] = [0n, 1n];
      while (next !== 0n) {
        const quotient = r / next;
        [r, next] = [next, r - quotient * next];
        [s, following] = [following, s - quotient * following];
      }
      return r === 1n ? reduce(s) : 0n;
    },
  };
}
