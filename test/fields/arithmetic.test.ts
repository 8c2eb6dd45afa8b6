import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnyElement,
  bytesOf,
  CASES,
  decode,
  edgeValues,
  encode,
  inverseMod,
  mod,
  PRODUCTS,
  randomSource,
} from './support.ts';

describe.each(CASES)('$row.name in exact doubles', ({ row, field, p }) => {
  const { width, count } = row.backends.ts;
  const all = (1n << BigInt(8 * field.byteLength)) - 1n;
  const edges = edgeValues(p, field.byteLength, width, count);
  const anyValue = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: all }));
  const binary = [
    ['add', (a: bigint, b: bigint) => a + b],
    ['sub', (a: bigint, b: bigint) => a - b],
    ['mul', (a: bigint, b: bigint) => a * b],
  ] as const;
  const unary = [
    ['copy', (a: bigint) => a],
    ['neg', (a: bigint) => -a],
    ['square', (a: bigint) => a * a],
  ] as const;

  it('names its domain, its modulus and its residue field', () => {
    expect(field.domain).toBe(`${row.name}/${row.backends.ts.representation}`);
    expect(field.residueField).toBe(`${row.name}/residue`);
    expect(BigInt(`0x${field.modulus}`)).toBe(p);
    expect(field.limbCount).toBe(count);
  });

  it('reads any byte string and gives back its canonical residue', () => {
    for (const value of edges) expect(decode(field, encode(field, value))).toBe(value % p);
  });

  it('agrees with BigInt on every pair of edge values', () => {
    const out = field.create();
    const wrong: string[] = [];
    const elements = edges.map((value) => encode(field, value));
    elements.forEach((a, i) => {
      const b = elements[(i * 7 + 3) % elements.length]!;
      const y = edges[(i * 7 + 3) % elements.length]!;
      for (const [name, exact] of binary) {
        field[name](out, a, b);
        if (decode(field, out) !== mod(exact(edges[i]!, y), p)) wrong.push(`${name} ${edges[i]} ${y}`);
      }
      for (const [name, exact] of unary) {
        field[name](out, a);
        if (decode(field, out) !== mod(exact(edges[i]!), p)) wrong.push(`${name} ${edges[i]}`);
      }
      if (field.isZero(a) !== Number(edges[i]! % p === 0n)) wrong.push(`isZero ${edges[i]}`);
      if (field.equals(a, b) !== Number(edges[i]! % p === y % p)) wrong.push(`equals ${edges[i]} ${y}`);
    });
    expect(wrong).toEqual([]);
  });

  it('agrees with BigInt on random products, squares and multiples', () => {
    const random = randomSource(1 + row.name.length);
    const out = field.create();
    let wrong = 0;
    for (let i = 0; i < PRODUCTS; i++) {
      const x = random(8 * field.byteLength);
      const y = random(8 * field.byteLength);
      const a = encode(field, x);
      field.mul(out, a, encode(field, y));
      if (decode(field, out) !== (x * y) % p) wrong++;
      if (i % 4 > 0) continue;
      field.square(out, a);
      if (decode(field, out) !== (x * x) % p) wrong++;
      field.mulSmall(out, a, Number(y & 0xffffn));
      if (decode(field, out) !== (x * (y & 0xffffn)) % p) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it('keeps the axioms of a field', () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyValue, (x, y, z) => {
        const [a, b, c] = [encode(field, x), encode(field, y), encode(field, z)];
        const [l, r, t] = [field.create(), field.create(), field.create()];
        field.add(l, b, c);
        field.mul(l, a, l);
        field.mul(r, a, b);
        field.mul(t, a, c);
        field.add(r, r, t);
        expect(field.equals(l, r)).toBe(1);
        field.mul(l, a, b);
        field.mul(l, l, c);
        field.mul(r, b, c);
        field.mul(r, r, a);
        expect(field.equals(l, r)).toBe(1);
        field.neg(l, a);
        field.add(l, l, a);
        expect(field.isZero(l)).toBe(1);
        field.one(l);
        field.mul(l, l, a);
        expect(field.equals(l, a)).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it('inverts, and gives 0 for 0', () => {
    const out = field.create();
    for (const value of [0n, 1n, 2n, p - 1n, p, all, ...edges.slice(-3)]) {
      field.invert(out, encode(field, value));
      expect(decode(field, out)).toBe(inverseMod(value, p));
    }
  });

  it('inverts random elements, in constant and in variable time', () => {
    const random = randomSource(5);
    const out = field.create();
    const product = field.create();
    const one = encode(field, 1n);
    for (let i = 0; i < PRODUCTS / 15; i++) {
      const a = encode(field, (random(8 * field.byteLength) % (p - 1n)) + 1n);
      for (const invert of [field.invert, field.invertVartime]) {
        invert(out, a);
        field.mul(product, out, a);
        expect(field.equals(product, one)).toBe(1);
      }
    }
    field.invertVartime(out, encode(field, 0n));
    expect(field.isZero(out)).toBe(1);
  });

  it('stays right through a chain of 1,000 random operations', () => {
    const random = randomSource(77);
    const elements = [1n, 2n, 3n, p - 1n].map((value) => encode(field, value));
    const values = [1n, 2n, 3n, p - 1n];
    for (let step = 0; step < 1000; step++) {
      const [i, j, k, what] = [2, 2, 2, 3].map((bits) => Number(random(bits))) as [number, number, number, number];
      const [out, a, b] = [elements[i]!, elements[j]!, elements[k]!];
      const [x, y] = [values[j]!, values[k]!];
      const set = (value: bigint): void => {
        values[i] = mod(value, p);
      };
      if (what < 2) {
        field.add(out, a, b);
        set(x + y);
      } else if (what < 4) {
        field.sub(out, a, b);
        set(x - y);
      } else if (what === 4) {
        field.neg(out, a);
        set(-x);
      } else if (what === 5) {
        field.mulSmall(out, a, 0xffff);
        set(x * 0xffffn);
      } else if (what === 6) {
        field.square(out, a);
        set(x * x);
      } else {
        field.mul(out, a, b);
        set(x * y);
      }
    }
    expect(elements.map((element) => decode(field, element))).toEqual(values);
  });

  it('gives the same result when the destination is an operand', () => {
    const [x, y] = [p - 5n, p >> 2n];
    for (const [name, exact] of binary) {
      const a = encode(field, x);
      field[name](a, a, encode(field, y));
      expect(decode(field, a)).toBe(mod(exact(x, y), p));
      const b = encode(field, y);
      field[name](b, encode(field, x), b);
      expect(decode(field, b)).toBe(mod(exact(x, y), p));
      const c = encode(field, x);
      field[name](c, c, c);
      expect(decode(field, c)).toBe(mod(exact(x, x), p));
    }
    const d = encode(field, x);
    field.invert(d, d);
    expect(decode(field, d)).toBe(inverseMod(x, p));
  });

  it('selects and swaps by a bit', () => {
    const [a, b, out] = [encode(field, 5n), encode(field, p - 7n), field.create()];
    for (const bit of [0, 1]) {
      field.select(out, a, b, bit);
      expect(decode(field, out)).toBe(bit === 1 ? p - 7n : 5n);
    }
    field.swap(a, b, 0);
    expect([decode(field, a), decode(field, b)]).toEqual([5n, p - 7n]);
    field.swap(a, b, 1);
    expect([decode(field, a), decode(field, b)]).toEqual([p - 7n, 5n]);
    field.swap(a, a, 1);
    expect(decode(field, a)).toBe(p - 7n);
  });

  it('multiplies lazy sums up to the number of terms it states, at both ends of the limb bounds', () => {
    const { productTerms, squareTerms, carryTerms } = field;
    const out = field.create();
    const wide = (terms: number, sign: number): AnyElement => {
      const sum = field.create();
      const part = extreme(sign);
      for (let i = 0; i < terms; i++) field.addLazy(sum, sum, part);
      return sum;
    };
    // The limbs at the end of the bound that addition guarantees, in its own balanced form.
    const extreme = (sign: number): AnyElement => {
      const element = field.create();
      element.fill(sign * 2 ** (width - 1));
      element[count - 1] = sign * Math.floor(1.5 * 2 ** (row.form.power - width * (count - 1) - 1));
      return element;
    };
    const value = (element: AnyElement): bigint =>
      element.reduce((sum, limb, i) => sum + (BigInt(limb) << BigInt(width * i)), 0n);
    const montgomery = row.backends.ts.representation === 'montgomery';
    const rInverse = montgomery ? inverseMod(1n << BigInt(width * count), p) : 1n;
    const plain = (element: AnyElement): bigint => mod(value(element) * rInverse, p);
    for (const sign of [1, -1]) {
      for (let x = 1; x <= productTerms; x++) {
        const [a, b] = [wide(x, sign), wide(Math.floor(productTerms / x), 1)];
        field.mul(out, a, b);
        expect(decode(field, out)).toBe((plain(a) * plain(b)) % p);
      }
      const a = wide(squareTerms, sign);
      field.square(out, a);
      expect(decode(field, out)).toBe(plain(a) ** 2n % p);
      const sum = wide(carryTerms, sign);
      const expected = plain(sum);
      field.carry(sum, sum);
      expect(decode(field, sum)).toBe(expected);
      const difference = field.create();
      field.subLazy(difference, extreme(sign), extreme(-sign));
      expect(plain(difference)).toBe(mod(2n * plain(extreme(sign)), p));
    }
  });

  it('raises to public powers', () => {
    const out = field.create();
    const a = encode(field, 3n);
    field.powPublic(out, a, bytesOf(0x0123456789n, 5));
    let expected = 1n;
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 8; j++) expected = (expected * expected) % p;
      for (let j = 0; j < bytesOf(0x0123456789n, 5)[i]!; j++) expected = (expected * 3n) % p;
    }
    expect(decode(field, out)).toBe(expected);
  });
});
