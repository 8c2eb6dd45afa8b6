// The group operations of every curve served: compositions against each other in a long walk, and against OpenSSL.

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CURVES, type CurveName } from '../../engines/index.ts';
import { SERVED, variantsOf } from './engine-variants.ts';
import { ANSWERS_FILE, deriveAnswers, type KnownAnswers } from './known-answers.ts';

const CI = process.env['PROVIUM_TEST_TIER'] === 'ci';
const seed = Number(process.env['PROVIUM_TEST_SEED'] ?? randomInt(2 ** 31));
console.info(`ECOperations walk: PROVIUM_TEST_SEED=${seed}`);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** xorshift32: enough to draw test scalars, and the same on every machine. */
function generator(start: number): () => number {
  let state = start || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Curves with one field only take their slow complete formulas as the second opinion. */
function roundsOf(curve: CurveName, fields: number): number {
  if (CI) return fields > 1 ? 10_000 : 2_000;
  return curve === 'secp256r1' ? 200 : fields > 1 ? 100 : 30;
}

describe.each(SERVED)('the group operations on %s', (name) => {
  const variants = variantsOf(name);
  const [first, ...others] = variants;
  if (first === undefined) throw new Error('there is no composition');
  const row = CURVES[name];
  const G = fromHex(row.gx + row.gy);

  it('are compared in at least two compositions', () => {
    expect(others.length).toBeGreaterThan(0);
  });

  it('stay together over a walk of random multiples and sums', { timeout: 3_600_000 }, () => {
    const fields = others.filter((variant) => variant.name !== 'complete formulas').length + 1;
    const next = generator(seed ^ name.length ^ row.fieldBits);
    let point: Uint8Array = G;
    let previous: Uint8Array = G;
    for (let round = 0; round < roundsOf(name, fields); round++) {
      const k = Uint8Array.from({ length: first.operations.scalars.byteLength }, () => next() >>> 16);
      const partner = next() % 2 === 0 ? previous : G;
      const results = variants.map(({ operations }) => {
        const multiple = new Uint8Array(G.length);
        const sum = new Uint8Array(G.length);
        const finite = operations.multiply(multiple, point, k);
        return { finite, multiple, sum, summed: operations.add(sum, multiple, partner) };
      });
      const [expected, ...rest] = results;
      if (expected === undefined) throw new Error('there is no result');
      for (const [i, result] of rest.entries()) {
        expect(result, `seed ${seed}, round ${round}, ${others[i]?.name}`).toEqual(expected);
      }
      expect(first.operations.isOnCurve(expected.sum)).toBe(expected.summed);
      const restart = next() % 10 === 0 || expected.finite === 0 || expected.summed === 0;
      previous = restart ? G : expected.multiple;
      point = restart ? G : expected.sum;
    }
  });

  it('agree on multiples of the base point and on sums of two multiples', { timeout: 3_600_000 }, () => {
    const next = generator(~seed ^ row.orderBits);
    const draw = () => Uint8Array.from({ length: first.operations.scalars.byteLength }, () => next() >>> 16);
    for (let round = 0; round < Math.ceil(roundsOf(name, 1) / 4); round++) {
      const [u1, u2] = [draw(), draw()];
      const results = variants.map(({ operations }) => {
        const base = new Uint8Array(G.length);
        const double = new Uint8Array(G.length);
        operations.multiplyBase(base, u1);
        operations.multiplyDoubleVartime(double, u1, u2, base);
        return hex(base) + hex(double);
      });
      expect(new Set(results).size, `seed ${seed}, round ${round}`).toBe(1);
    }
  });
});

describe('the known answers', () => {
  const answers = JSON.parse(readFileSync(ANSWERS_FILE, 'utf8')) as KnownAnswers;

  it('are those that OpenSSL gives today', () => {
    expect(answers).toEqual(deriveAnswers());
  });

  it('name every curve that is served', () => {
    expect(Object.keys(answers)).toEqual(expect.arrayContaining([...SERVED]));
  });

  it.each(SERVED)('of %s come out in every composition', (name) => {
    for (const { name: variant, operations } of variantsOf(name)) {
      for (const { k, kG, kkG } of answers[name] ?? []) {
        const out = new Uint8Array(kG.length / 2);
        expect(operations.multiplyBase(out, fromHex(k))).toBe(1);
        expect(hex(out), variant).toBe(kG);
        expect(operations.multiply(out, out.slice(), fromHex(k))).toBe(1);
        expect(hex(out), variant).toBe(kkG);
      }
    }
  });
});
