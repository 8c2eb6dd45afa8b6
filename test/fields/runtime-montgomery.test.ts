import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../fields/field.ts';
import { RuntimeMontgomeryField } from '../../fields/portable/runtime-montgomery.ts';
import { PRIMES } from '../../fields/primes.ts';
import { bytesOf, decode, edgeValues, encode, inverseMod, mod, PRODUCTS, powerMod, randomSource } from './support.ts';

/** SEC 2, 2.3.2; RFC 5639, section 3. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['secp224r1', 'ffffffffffffffffffffffffffffffff000000000000000000000001'],
  ['secp224r1 order', 'ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d'],
  ['brainpoolP256r1', 'a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377'],
  [
    'brainpoolP384r1',
    '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53',
  ],
  [
    'brainpoolP512r1',
    'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3',
  ],
];

const MODULI = [...OTHERS, ...PRIMES.map(({ name, modulus }) => [name, modulus] as const)].map(
  ([name, hex]) => [name, BigInt(`0x${hex}`)] as const,
);

const fieldOf = (p: bigint): RuntimeMontgomeryField<string> =>
  new RuntimeMontgomeryField('test', bytesOf(p, Math.ceil(p.toString(2).length / 8)));

/** Limbs and value of the contract. */
function keepsContract(field: RuntimeMontgomeryField<string>, p: bigint, element: Float64Array): boolean {
  const limit = 2 ** (field.limbWidth - 1) * (1 + 2 ** -8);
  const value = element.reduce((sum, limb, i) => sum + (BigInt(limb) << BigInt(field.limbWidth * i)), 0n);
  return (
    element.subarray(0, -1).every((limb) => Math.abs(limb) <= limit) && 4n * value <= 3n * p && -4n * value <= 3n * p
  );
}

function checkOperations(p: bigint, x: bigint, y: bigint, factor: number): void {
  const field = fieldOf(p);
  const [a, b, out] = [encode(field, x), encode(field, y), field.create()];
  const expectValue = (value: bigint): void => {
    expect(keepsContract(field, p, out)).toBe(true);
    expect(decode(field, out)).toBe(mod(value, p));
  };
  field.mul(out, a, b);
  expectValue(x * y);
  field.square(out, a);
  expectValue(x * x);
  field.add(out, a, b);
  expectValue(x + y);
  field.sub(out, a, b);
  expectValue(x - y);
  field.neg(out, a);
  expectValue(-x);
  field.mulSmall(out, a, factor);
  expectValue(x * BigInt(factor));
  field.select(out, a, b, 1);
  expectValue(y);
  field.mul(a, a, a);
  field.copy(out, a);
  expectValue(x * x);
  expect(field.isZero(b)).toBe(Number(y % p === 0n));
  expect(field.equals(a, b)).toBe(Number(mod(x * x - y, p) === 0n));
  field.swap(a, b, 1);
  expect([decode(field, a), decode(field, b)]).toEqual([y % p, (x * x) % p]);
}

describe.each(MODULI)('a run-time field modulo %s', (_, p) => {
  const field = fieldOf(p);
  const edges = edgeValues(p, field.byteLength, field.limbWidth, field.limbCount);

  it('agrees with BigInt on edge and random values', () => {
    const random = randomSource(3);
    for (let i = 0; i < edges.length; i += 3) checkOperations(p, edges[i]!, edges[(i * 5 + 1) % edges.length]!, 0xffff);
    for (let i = 0; i < 20; i++) {
      checkOperations(p, random(8 * field.byteLength), random(8 * field.byteLength), Number(random(16)));
    }
  });

  it('multiplies and inverts', () => {
    const random = randomSource(4);
    const out = field.create();
    let wrong = 0;
    for (let i = 0; i < PRODUCTS / 5; i++) {
      const [x, y] = [random(8 * field.byteLength), random(8 * field.byteLength)];
      field.mul(out, encode(field, x), encode(field, y));
      if (decode(field, out) !== (x * y) % p) wrong++;
    }
    expect(wrong).toBe(0);
    for (const value of [0n, 1n, 2n, p - 1n, random(600) % p]) {
      field.invert(out, encode(field, value));
      expect(decode(field, out)).toBe(inverseMod(value, p));
      field.invertVartime(out, encode(field, value));
      expect(decode(field, out)).toBe(inverseMod(value, p));
    }
    field.powPublic(out, encode(field, 5n), bytesOf(0x123456n, 3));
    expect(decode(field, out)).toBe(powerMod(5n, 0x123456n, p));
  });

  it('stays right through a chain of 1,000 operations', () => {
    const random = randomSource(8);
    const [a, b] = [encode(field, 7n), encode(field, p - 3n)];
    let [x, y] = [7n, p - 3n];
    for (let i = 0; i < 1000; i++) {
      const what = Number(random(2));
      if (what === 0) field.add(a, a, b);
      else if (what === 1) field.sub(a, b, a);
      else if (what === 2) field.mul(a, a, b);
      else field.mulSmall(a, a, 3);
      x = mod([x + y, y - x, x * y, 3n * x][what]!, p);
      field.swap(a, b, 1);
      [x, y] = [y, x];
    }
    expect([decode(field, a), decode(field, b)]).toEqual([x, y]);
    expect(keepsContract(field, p, a)).toBe(true);
  });
});

describe('a run-time field', () => {
  it('takes any odd modulus from 64 to 640 bits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 64, max: 640 }),
        fc.bigInt({ min: 0n, max: (1n << 640n) - 1n }),
        fc.bigInt({ min: 0n, max: (1n << 640n) - 1n }),
        fc.bigInt({ min: 0n, max: (1n << 640n) - 1n }),
        fc.integer({ min: 0, max: 0xffff }),
        (bits, m, x, y, factor) => {
          const p = BigInt.asUintN(bits, m) | (1n << BigInt(bits - 1)) | 1n;
          const all = (1n << BigInt(8 * Math.ceil(bits / 8))) - 1n;
          checkOperations(p, x & all, y & all, factor);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is right at both ends of every limb, for all-ones and barely full moduli of every length', () => {
    for (let bits = 64; bits <= 640; bits++) {
      for (const p of [(1n << BigInt(bits)) - 1n, (1n << BigInt(bits - 1)) + 1n]) {
        const field = fieldOf(p);
        const width = BigInt(field.limbWidth);
        const extreme = field.create();
        const top = ((5n * p) / 7n) >> (width * BigInt(field.limbCount - 1));
        extreme.fill(2 ** (field.limbWidth - 1));
        extreme[field.limbCount - 1] = Number(top) - 1;
        const out = field.create();
        field.mul(out, extreme, extreme);
        const value = (element: Float64Array): bigint =>
          element.reduce((sum, limb, i) => sum + (BigInt(limb) << (width * BigInt(i))), 0n);
        const radix = 1n << (width * BigInt(field.limbCount));
        expect((value(out) * radix - value(extreme) ** 2n) % p).toBe(0n);
        expect(keepsContract(field, p, out)).toBe(true);
      }
    }
  });

  it('refuses what it cannot hold', () => {
    expect(() => fieldOf(1n << 100n)).toThrow(/even/);
    expect(() => fieldOf((1n << 60n) + 1n)).toThrow(/64 to 640/);
    expect(() => fieldOf((1n << 640n) + 1n)).toThrow(/64 to 640/);
  });

  it('implements the contract of a field', () => {
    const field: Field<'mine'> = new RuntimeMontgomeryField('mine', bytesOf((1n << 127n) - 1n, 16));
    expect(field.byteLength).toBe(16);
  });
});
