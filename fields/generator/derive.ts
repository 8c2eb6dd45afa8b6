// Everything that follows from a row and a limb layout: Montgomery constants, reduction terms, limb contracts.

import type { LimbLayout, PrimeRow } from '../primes.ts';
import { ElementBound, symmetric } from './bounds.ts';

/** factor·2^(width·limb), a part of a sum. */
export interface LimbTerm {
  readonly limb: number;
  readonly factor: bigint;
}

export interface Derived {
  readonly row: PrimeRow;
  readonly layout: LimbLayout;
  readonly modulus: bigint;
  readonly width: number;
  readonly count: number;
  readonly power: number;
  /** Bits of 2^power above the lower limbs: where the top limb is folded. */
  readonly topBits: number;
  readonly byteLength: number;
  /** 2^(width·count) */
  readonly radix: bigint;
  /** −p^−1 mod 2^width, balanced. */
  readonly negativeInverse: bigint;
  /** The modulus as a sum, one term per non-zero signed limb. */
  readonly modulusTerms: readonly LimbTerm[];
  /** What 2^(width·count) is replaced by: coefficient·2^exponent, where that is no sum of whole limbs. */
  readonly wrapTerms: readonly { readonly coefficient: bigint; readonly exponent: number }[];
  /** 2^power − modulus as such a sum: what a multiple of 2^power is replaced by. */
  readonly foldTerms: readonly LimbTerm[];
  /** What 1 is in this representation, and what carries a plain value into it by one product. */
  readonly one: bigint;
  readonly entry: bigint;
  /** Bound of every element that a public operation takes or gives. */
  readonly tight: ElementBound;
}

/** Inverse modulo m by the extended Euclidean algorithm; public values only. */
export function invertVartime(value: bigint, m: bigint): bigint {
  let [r0, r1, t0, t1] = [m, ((value % m) + m) % m, 0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [t0, t1] = [t1, t0 - quotient * t1];
  }
  return ((t0 % m) + m) % m;
}

/** Limbs in [−2^(width−1), 2^(width−1)), the last one takes what is left. */
export function balancedLimbs(value: bigint, width: number, count: number): bigint[] {
  const limbs: bigint[] = [];
  let rest = value;
  for (let i = 0; i < count - 1; i++) {
    const limb = BigInt.asIntN(width, rest);
    limbs.push(limb);
    rest = (rest - limb) >> BigInt(width);
  }
  limbs.push(rest);
  return limbs;
}

/** Limbs in [0, 2^width). */
export function unsignedLimbs(value: bigint, width: number, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => BigInt.asUintN(width, value >> BigInt(width * i)));
}

function solinasTerms(terms: readonly (readonly [number, number])[], width: number): LimbTerm[] {
  const sums = new Map<number, bigint>();
  for (const [coefficient, exponent] of terms) {
    const limb = Math.floor(exponent / width);
    sums.set(limb, (sums.get(limb) ?? 0n) + BigInt(coefficient) * (1n << BigInt(exponent % width)));
  }
  return [...sums].map(([limb, factor]) => ({ limb, factor })).sort((a, b) => a.limb - b.limb);
}

const genericTerms = (value: bigint, width: number, count: number): LimbTerm[] =>
  balancedLimbs(value, width, count)
    .map((factor, limb) => ({ limb, factor }))
    .filter((term) => term.factor !== 0n);

/** The residue between −modulus/2 and modulus/2. */
function centred(value: bigint, modulus: bigint): bigint {
  const residue = value % modulus;
  return 2n * residue > modulus ? residue - modulus : residue;
}

function wrapTerms(row: PrimeRow, extra: number, fold: readonly LimbTerm[], width: number): Derived['wrapTerms'] {
  const plain =
    row.form.kind === 'solinas'
      ? row.form.terms.map(([coefficient, exponent]) => ({ coefficient: -BigInt(coefficient), exponent }))
      : fold.map(({ limb, factor }) => ({ coefficient: factor, exponent: width * limb }));
  return plain.map(({ coefficient, exponent }) => ({ coefficient, exponent: exponent + extra }));
}

/** `shortTop`: results of products are folded at 2^power, and not only where the limbs end. */
export function derive(row: PrimeRow, layout: LimbLayout, shortTop = layout.representation === 'montgomery'): Derived {
  const modulus = BigInt(`0x${row.modulus}`);
  const { width, count } = layout;
  const { power } = row.form;
  const topBits = power - width * (count - 1);
  if (topBits < 1 || topBits > width) throw new Error(`${row.name}: ${count}×${width} bits do not hold 2^${power}`);
  if ((modulus & 1n) === 0n) throw new Error(`${row.name}: the modulus is even`);
  let modulusTerms: LimbTerm[];
  let foldTerms: LimbTerm[];
  if (row.form.kind === 'solinas') {
    const { terms } = row.form;
    modulusTerms = solinasTerms([...terms, [1, power]], width);
    foldTerms = solinasTerms(
      terms.map(([coefficient, exponent]) => [-coefficient, exponent]),
      width,
    );
  } else {
    modulusTerms = genericTerms(modulus, width, count);
    foldTerms = genericTerms((1n << BigInt(power)) - modulus, width, count);
  }
  const sum = (terms: LimbTerm[]): bigint =>
    terms.reduce((total, { limb, factor }) => total + (factor << BigInt(width * limb)), 0n);
  if (sum(modulusTerms) !== modulus || sum(foldTerms) !== (1n << BigInt(power)) - modulus) {
    throw new Error(`${row.name}: the form is not the modulus`);
  }
  const radix = 1n << BigInt(width * count);
  const digit = 1n << BigInt(width);
  const montgomery = layout.representation === 'montgomery';
  const half = 1n << BigInt(width - 1);
  // Slack of 2^−11 below, for carries not yet passed on. A Montgomery product is below the modulus, and one half is
  // added to that; a polynomial one is folded where the limbs end, and its top limb is as wide as the others.
  const lower = symmetric(half + (half >> 11n));
  const top = shortTop
    ? symmetric((3n * (1n << BigInt(topBits - 1))) / 2n)
    : symmetric(half + (half >> (width > 32 ? 11n : 3n)));
  return {
    row,
    layout,
    modulus,
    width,
    count,
    power,
    topBits,
    byteLength: Math.ceil(modulus.toString(2).length / 8),
    radix,
    negativeInverse: BigInt.asIntN(width, digit - invertVartime(modulus, digit)),
    modulusTerms,
    foldTerms,
    wrapTerms: wrapTerms(row, width * count - power, foldTerms, width),
    one: montgomery ? centred(radix, modulus) : 1n,
    entry: montgomery ? centred(radix * radix, modulus) : 1n,
    tight: new ElementBound(
      width,
      Array.from({ length: count }, (_, i) => (i < count - 1 ? lower : top)),
    ),
  };
}
