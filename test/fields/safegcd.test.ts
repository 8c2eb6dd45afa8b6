import { describe, expect, it } from 'vitest';
import { balancedLimbs, invertVartime } from '../../fields/generator/derive.ts';
import { divisionSteps, Safegcd } from '../../fields/portable/safegcd.ts';
import { mod, randomSource } from './support.ts';

function inverter(p: bigint, width: number): { run(a: bigint, vartime?: boolean): bigint; spread: number } {
  const bits = p.toString(2).length;
  const count = Math.ceil((bits + 2) / width);
  const digit = 1n << BigInt(width);
  const safegcd = new Safegcd({
    width,
    bits,
    modulus: balancedLimbs(p, width, count).map(Number),
    entry: balancedLimbs(1n, width, count).map(Number),
    negativeInverse: Number(BigInt.asIntN(width, digit - invertVartime(p, digit))),
  });
  return {
    spread: safegcd.spread,
    run(a, vartime = false) {
      const limbs = Float64Array.from(balancedLimbs(a, width, count).map(Number));
      if (vartime) safegcd.invertVartime(limbs, limbs);
      else safegcd.invert(limbs, limbs);
      return limbs.reduce((sum, limb, i) => sum + (BigInt(limb) << BigInt(width * i)), 0n);
    },
  };
}

describe('inversion by division steps', () => {
  it('takes the number of steps of the paper', () => {
    // Theorem 11.2 at 256, 45 and 521 bits.
    expect(divisionSteps(256)).toBe(741);
    expect(divisionSteps(45)).toBe(134);
    expect(divisionSteps(521)).toBe(1505);
  });

  it('inverts every residue of small odd moduli, and gives 0 for 0', () => {
    for (const p of [3n, 5n, 17n, 101n, 257n]) {
      const { run } = inverter(p, 8);
      for (let a = 1n - p; a < p; a++) {
        const expected = invertVartime(a, p);
        expect(mod(run(a), p)).toBe(a % p === 0n ? 0n : expected);
        expect(mod(run(a, true), p)).toBe(a % p === 0n ? 0n : expected);
      }
    }
  });

  it.each([8, 13, 20, 23, 24])('stays within its spread with limbs of %i bits', (width) => {
    const random = randomSource(width);
    for (const bits of [64, 255, 256, 384, 640]) {
      const p = random(bits) | (1n << BigInt(bits - 1)) | 1n;
      const { run, spread } = inverter(p, width);
      for (let i = 0; i < 20; i++) {
        const a = random(bits) % p;
        if (gcd(a, p) !== 1n) continue;
        const inverse = run(a);
        expect(mod(inverse * a, p)).toBe(1n);
        expect(inverse < BigInt(spread) * p && inverse > -BigInt(spread) * p).toBe(true);
        expect(mod(run(a, true) * a, p)).toBe(1n);
      }
    }
  });
});

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}
