// Constant-time inversion by division steps, as WebAssembly on 64-bit integers: what fields/portable/safegcd.ts does,
// with the two rows of a matrix packed in one word each. One loop over the batches; a batch is straight-line code.
//
// Limbs have w ≤ 30 bits. Entries of a matrix are at most 2^w in magnitude, and those of a row add up to at most that
// (Bernstein and Yang, 2019/266, section 8), so a sum u·f + v·g + carry stays below 2^(2w+1), and with a multiple of
// the modulus below 2^(2w+2): no 64-bit integer overflows. Every batch moves d and e at most one modulus from 0.

import { divisionSteps } from '../../portable/safegcd.ts';
import { type Derived, invertVartime, unsignedLimbs } from '../derive.ts';
import { type Code, get, i32, i64, type WasmFunction, type WasmModule } from './encoder.ts';

export interface SafegcdPlan {
  readonly batches: number;
  /** Moduli that the result may be away from 0. */
  readonly spread: number;
  /** Bytes of scratch memory. */
  readonly scratchBytes: number;
}

export function planSafegcd(d: Derived): SafegcdPlan {
  if (d.width > 30) throw new Error(`${d.row.name}: division steps on limbs of ${d.width} bits overflow`);
  const batches = Math.ceil(divisionSteps(d.modulus.toString(2).length) / d.width);
  return { batches, spread: batches + 1, scratchBytes: 4 * 8 * d.count };
}

/**
 * A function (out, a): out = entry·a^−1 within `spread` moduli of 0, limbs below 2^width in magnitude but for the top
 * one, and 0 for 0; a of the contract and between −p and p. Aliasing allowed. The scratch memory is wiped.
 */
export function emitSafegcd(
  module: WasmModule,
  name: string,
  d: Derived,
  scratch: number,
  exported = true,
): WasmFunction {
  const { width, count, modulus } = d;
  const { batches } = planSafegcd(d);
  const fn = module.function(name, ['i32', 'i32'], [], exported);
  const local = (): number => fn.local('i64');
  const [z, f, g, top, bottom, swap, odd, x] = Array.from({ length: 8 }, local) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [u, v, q, r, carry, carry2, digit, digit2, sum] = Array.from({ length: 9 }, local) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const constant = (value: number | bigint): Code => i64.const(BigInt(value));
  const vectorAt = (index: number, limb: number): number => scratch + 8 * (count * index + limb);
  const load = (index: number, limb: number): Code => i64.load(i32.const(0), vectorAt(index, limb));
  const store = (index: number, limb: number, value: Code): void => {
    fn.emit(i64.store(i32.const(0), value, vectorAt(index, limb)));
  };
  const [F, G, D, E] = [0, 1, 2, 3];
  const mask = constant((1n << BigInt(width)) - 1n);
  const shifted = (value: Code): Code => i64.shrS(value, constant(width));
  const modulusLimbs = unsignedLimbs(modulus, width, count);
  const entryLimbs = unsignedLimbs(((d.entry % modulus) + modulus) % modulus, width, count);
  const digitBase = 1n << BigInt(width);
  const negativeInverse = digitBase - invertVartime(modulus, digitBase);

  for (let i = 0; i < count; i++) {
    store(F, i, constant(modulusLimbs[i]!));
    store(G, i, i64.load(get(1), 8 * i));
    store(D, i, constant(0));
    store(E, i, constant(entryLimbs[i]!));
  }
  // z = −δ
  fn.set(z, constant(-1));
  const rounds = fn.local('i32');
  fn.set(rounds, i32.const(0));
  fn.loopWhile(
    () => {
      fn.set(f, load(F, 0));
      fn.set(g, load(G, 0));
      fn.set(top, constant(1));
      fn.set(bottom, constant(1n << 32n));
      for (let step = 0; step < width; step++) divisionStep();
      unpack(u, v, top);
      unpack(q, r, bottom);
      applyToPair();
      applyModulo();
      fn.set(rounds, i32.add(get(rounds), i32.const(1)));
    },
    () => i32.ltU(get(rounds), i32.const(batches)),
  );
  // f is 1 or −1 now (or the modulus, where a is 0 and so is d): its sign is that of its top limb.
  fn.set(swap, i64.shrS(load(F, count - 1), constant(63)));
  for (let i = 0; i < count; i++) {
    fn.emit(i64.store(get(0), i64.sub(i64.xor(load(D, i), get(swap)), get(swap)), 8 * i));
  }
  for (let index = 0; index < 4; index++) for (let i = 0; i < count; i++) store(index, i, constant(0));
  return fn;

  /**
   * (δ, f, g) becomes (1 − δ, g, (g − f)/2) where δ > 0 and g is odd, else (1 + δ, f, (g + (g mod 2)·f)/2). Rows of
   * the matrix likewise, but that the other row is doubled where g is halved. Written for a short dependent chain.
   */
  function divisionStep(): void {
    fn.set(odd, i64.sub(constant(0), i64.and(get(g), constant(1))));
    fn.set(swap, i64.and(i64.shrS(get(z), constant(63)), get(odd)));
    pairStep(f, g);
    fn.set(g, i64.shrS(get(g), constant(1)));
    pairStep(top, bottom);
    fn.set(top, i64.shl(get(top), constant(1)));
    fn.set(z, i64.sub(i64.xor(get(z), get(swap)), i64.add(get(swap), constant(1))));
  }

  /** (a, b) becomes (b, b − a) where swap, else (a, b + a) where odd, else stays. */
  function pairStep(a: number, b: number): void {
    fn.set(x, i64.and(i64.xor(get(a), get(b)), get(swap)));
    fn.set(b, i64.add(i64.sub(get(b), get(swap)), i64.xor(i64.and(get(a), get(odd)), get(swap))));
    fn.set(a, i64.xor(get(a), get(x)));
  }

  /** A row low + high·2^32 with signed entries. */
  function unpack(low: number, high: number, row: number): void {
    fn.set(low, i64.shrS(i64.shl(get(row), constant(32)), constant(32)));
    fn.set(high, i64.shrS(i64.sub(get(row), get(low)), constant(32)));
  }

  function combination(a: number, b: number, first: number, second: number, limb: number): Code {
    return i64.add(i64.mul(get(a), load(first, limb)), i64.mul(get(b), load(second, limb)));
  }

  /** (f, g) = matrix·(f, g) / 2^width, exactly. */
  function applyToPair(): void {
    fn.set(carry, shifted(combination(u, v, F, G, 0)));
    fn.set(carry2, shifted(combination(q, r, F, G, 0)));
    for (let i = 1; i < count; i++) {
      fn.set(carry, i64.add(get(carry), combination(u, v, F, G, i)));
      fn.set(carry2, i64.add(get(carry2), combination(q, r, F, G, i)));
      store(F, i - 1, i64.and(get(carry), mask));
      store(G, i - 1, i64.and(get(carry2), mask));
      fn.set(carry, shifted(get(carry)));
      fn.set(carry2, shifted(get(carry2)));
    }
    store(F, count - 1, get(carry));
    store(G, count - 1, get(carry2));
  }

  /** (d, e) = matrix·(d, e) / 2^width modulo p. */
  function applyModulo(): void {
    const start = (to: number, multiple: number, a: number, b: number): void => {
      fn.set(sum, combination(a, b, D, E, 0));
      fn.set(multiple, i64.and(i64.mul(get(sum), constant(negativeInverse)), mask));
      fn.set(to, shifted(i64.add(get(sum), i64.mul(get(multiple), constant(modulusLimbs[0]!)))));
    };
    start(carry, digit, u, v);
    start(carry2, digit2, q, r);
    for (let i = 1; i < count; i++) {
      const next = (to: number, multiple: number, a: number, b: number): void => {
        const reduced = i64.mul(get(multiple), constant(modulusLimbs[i]!));
        fn.set(to, i64.add(i64.add(get(to), combination(a, b, D, E, i)), reduced));
      };
      next(carry, digit, u, v);
      next(carry2, digit2, q, r);
      store(D, i - 1, i64.and(get(carry), mask));
      store(E, i - 1, i64.and(get(carry2), mask));
      fn.set(carry, shifted(get(carry)));
      fn.set(carry2, shifted(get(carry2)));
    }
    store(D, count - 1, get(carry));
    store(E, count - 1, get(carry2));
  }
}
