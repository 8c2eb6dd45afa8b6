// Runs a program exactly on integers: the reference that every backend must match limb for limb. Tests only.

import { roundedQuotient } from './bounds.ts';
import type { Program } from './ir.ts';
import { type Domain, type Inputs, ProgramError, walk } from './walk.ts';

export const EXACT_DOMAIN: Domain<bigint> = {
  constant: (value) => value,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  bitwise: (op, a, b) => (op === 'and' ? a & b : op === 'or' ? a | b : a ^ b),
  divide(a, shift) {
    const quotient = a >> BigInt(shift);
    if (quotient << BigInt(shift) !== a) throw new ProgramError(`${a} is not a multiple of 2^${shift}`);
    return quotient;
  },
  round: (a, width) => roundedQuotient(a, width) << BigInt(width),
  remainder(a, rounded, width) {
    const rest = a - rounded;
    if (2n * (rest < 0n ? -rest : rest) > 1n << BigInt(width)) throw new ProgramError(`${rest} is no remainder`);
    return rest;
  },
  assertMultiple(a, shift) {
    if (BigInt.asUintN(shift, a) !== 0n) throw new ProgramError(`${a} is not a multiple of 2^${shift}`);
    return a;
  },
  choose: (a, b, mask) => (mask === 0n ? a : b),
  mask: (a, bits) => a & ((1n << BigInt(bits)) - 1n),
  shiftRight: (a, shift) => a >> BigInt(shift),
  mulHigh: (a, b, width) => roundedQuotient(a * b, width),
  mulLow: (a, b, high, width) => a * b - (high << BigInt(width)),
  floatOf: (a) => a,
  toInt: (a) => a,
  fits: (value) => value,
  assert(a, low, high) {
    if (a < low || a > high) throw new ProgramError(`${a} is outside [${low}, ${high}]`);
    return a;
  },
};

export interface Interpretation {
  readonly operands: Readonly<Record<string, readonly bigint[]>>;
  readonly bytes: readonly bigint[];
  readonly result: bigint | undefined;
}

export function interpret(program: Program, inputs: Inputs<bigint>): Interpretation {
  return walk(program, EXACT_DOMAIN, inputs);
}

/** Σ limbᵢ·2^(width·i) */
export function limbValue(limbs: readonly bigint[], width: number): bigint {
  return limbs.reduce((total, limb, i) => total + (limb << BigInt(width * i)), 0n);
}
