import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Element, Field } from '../../fields/field.ts';
import { limbsToBytes, modulusFromHex, reduceBytes } from '../../fields/portable/limbs24.ts';
import { P256_MONTGOMERY } from '../../fields/portable/p256-montgomery.ts';
import { P256_ORDER } from '../../fields/portable/p256-order-montgomery.ts';
import { P256_POLYNOMIAL } from '../../fields/portable/p256-polynomial.ts';
import { referenceField } from './reference.ts';

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const FULL = 2n ** 256n - 1n;

type AnyField = Field<string>;
type AnyElement = Element<string>;

interface Row {
  readonly name: string;
  readonly field: AnyField;
  readonly m: bigint;
  /** Largest product of limb bounds that a multiplication takes. */
  readonly room: number;
}
const FIELDS: readonly Row[] = [
  { name: 'P-256 prime, Montgomery', field: P256_MONTGOMERY as AnyField, m: P, room: 12 },
  { name: 'P-256 prime, polynomial', field: P256_POLYNOMIAL as AnyField, m: P, room: 12 },
  { name: 'P-256 order, Montgomery', field: P256_ORDER as AnyField, m: N, room: 11 },
];

const bytesOf = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const integerOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

interface FieldItem {
  readonly name: string;
  readonly modulus: string;
  readonly op: string;
  readonly a: string;
  readonly b?: string;
}
const reported = JSON.parse(readFileSync(new URL('../cases/reported.json', import.meta.url), 'utf8')) as {
  id: string;
  input: { items: FieldItem[] };
  expect: { items: { name: string; value: string }[] };
}[];
const R38 = reported.find(({ id }) => id === 'R38')!;

describe.each(FIELDS)('$name', ({ field, m, room }) => {
  const reference = referenceField(m);
  const edges = [0n, 1n, 2n, 3n, m - 2n, m - 1n, m, m + 1n, FULL, 2n ** 255n, 2n ** 24n - 1n, 2n ** 232n - 1n];
  // Digits of 2^23 ± 1 stand at the edge of balancing, ff…ff digits at the edge of carrying.
  const striped = fc
    .array(fc.constantFrom(0n, 1n, 2n ** 23n - 1n, 2n ** 23n, 2n ** 23n + 1n, 2n ** 24n - 1n), {
      minLength: 11,
      maxLength: 11,
    })
    .map((digits) => digits.reduce((sum, digit, i) => sum + (digit << BigInt(24 * i)), 0n) & FULL);
  const value = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: FULL }), striped);
  const load = (a: bigint): AnyElement => {
    const out = field.create();
    field.fromBytes(out, bytesOf(a), 0);
    return out;
  };
  const read = (a: AnyElement): bigint => {
    const bytes = new Uint8Array(field.byteLength + 2);
    field.toBytes(bytes, 1, a);
    expect([bytes[0], bytes.at(-1)]).toEqual([0, 0]);
    return integerOf(bytes.subarray(1, -1));
  };

  it('adds, subtracts, negates, multiplies, squares and scales as BigInt does', () => {
    fc.assert(
      fc.property(value, value, fc.integer({ min: 0, max: 65535 }), (a, b, small) => {
        const x = load(a);
        const y = load(b);
        const out = field.create();
        const check = (wanted: bigint): void => expect(read(out)).toBe(reference.reduce(wanted));
        field.add(out, x, y);
        check(a + b);
        field.sub(out, x, y);
        check(a - b);
        field.neg(out, x);
        check(-a);
        field.mul(out, x, y);
        check(a * b);
        field.square(out, x);
        check(a * a);
        field.mulSmall(out, x, small);
        check(a * BigInt(small));
        field.carry(out, x);
        check(a);
      }),
      { numRuns: 400 },
    );
  });

  it('inverts, and gives 0 for 0', () => {
    fc.assert(
      fc.property(value, (a) => {
        const out = load(a);
        field.invert(out, out);
        expect(read(out)).toBe(reference.invert(a));
      }),
      { numRuns: 150 },
    );
  });

  it('allows the destination to be an operand', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        for (const name of ['add', 'sub', 'mul'] as const) {
          const wanted = field.create();
          field[name](wanted, load(a), load(b));
          const x = load(a);
          field[name](x, x, load(b));
          const y = load(b);
          field[name](y, load(a), y);
          expect([read(x), read(y)]).toEqual([read(wanted), read(wanted)]);
        }
        const x = load(a);
        field.mul(x, x, x);
        expect(read(x)).toBe(reference.mul(a, a));
      }),
      { numRuns: 60 },
    );
  });

  it('takes chains of sums without carries up to the documented bound', () => {
    fc.assert(
      fc.property(value, value, fc.integer({ min: 1, max: room }), fc.boolean(), (a, b, left, negative) => {
        const right = Math.floor(room / left);
        const chain = (start: bigint, terms: number): AnyElement => {
          const out = load(start);
          const term = load(start);
          if (negative) field.neg(out, out);
          for (let i = 1; i < terms; i++) field[negative ? 'sub' : 'add'](out, out, term);
          return out;
        };
        const out = field.create();
        field.mul(out, chain(a, left), chain(b, right));
        expect(read(out)).toBe(reference.reduce(a * b * BigInt(left) * BigInt(right)));
      }),
      { numRuns: 200 },
    );
  });

  it('is exact with every limb at the end of its bound', () => {
    const limb = 2 ** 23 + 1;
    for (const [left, right] of [
      [1, room],
      [3, Math.floor(room / 3)],
    ] as const) {
      for (const signs of [0b11111111111, 0, 0b10101010101, 0b00000111111]) {
        const extreme = (bound: number): { element: AnyElement; integer: bigint } => {
          const element = field.create();
          let integer = 0n;
          for (let i = 0; i < 11; i++) {
            const size = i < 10 ? bound * limb : bound * 2 ** 15;
            element[i] = (signs >> i) & 1 ? size : -size;
            integer += BigInt(element[i]!) << BigInt(24 * i);
          }
          return { element, integer };
        };
        const a = extreme(left);
        const b = extreme(right);
        const product = field.create();
        field.mul(product, a.element, b.element);
        // The same limbs through the domain: a·b as field elements of known values.
        const x = field.create();
        field.carry(x, a.element);
        const y = field.create();
        field.carry(y, b.element);
        const wanted = field.create();
        field.mul(wanted, x, y);
        expect(read(product)).toBe(read(wanted));
        const scale = field.representation === 'montgomery' ? reference.invert(2n ** 264n) : 1n;
        expect(read(product)).toBe(reference.reduce(a.integer * scale * b.integer * scale));
      }
    }
  });

  it('selects and swaps by a bit and tells zero and equality, unreduced values included', () => {
    fc.assert(
      fc.property(value, value, fc.constantFrom(0, 1), (a, b, bit) => {
        const x = load(a);
        const y = load(b);
        const out = field.create();
        field.select(out, x, y, bit);
        expect(read(out)).toBe(reference.reduce(bit ? b : a));
        expect(field.equals(x, y)).toBe(reference.reduce(a - b) === 0n ? 1 : 0);
        expect(field.equals(x, load(a))).toBe(1);
        expect(field.isZero(x)).toBe(reference.reduce(a) === 0n ? 1 : 0);
        field.sub(out, x, load(a));
        expect(field.isZero(out)).toBe(1);
        field.swap(x, y, bit);
        expect([read(x), read(y)]).toEqual([a, b].map((v, i) => reference.reduce(bit ? [b, a][i]! : v)));
      }),
      { numRuns: 100 },
    );
  });

  const modulusName = m === P ? 'P-256.p' : 'P-256.n';
  const items = R38.input.items.filter(({ modulus }) => modulus === modulusName);
  it.each(items)('gives the result of case R38 $name', ({ name, op, a, b }) => {
    const x = load(BigInt(`0x${a}`));
    const y = load(BigInt(`0x${b ?? '0'}`));
    const out = field.create();
    switch (op) {
      case 'add':
        field.add(out, x, y);
        break;
      case 'sub':
        field.sub(out, x, y);
        break;
      case 'mul':
        field.mul(out, x, y);
        break;
      case 'sqr':
        field.square(out, x);
        break;
      case 'inv':
        field.invert(out, x);
        break;
      case 'neg':
        field.neg(out, x);
        break;
      case 'reduce':
        field.copy(out, x);
        break;
      default:
        expect.unreachable(`operation ${op}`);
    }
    expect(read(out)).toBe(BigInt(`0x${R38.expect.items.find((item) => item.name === name)!.value}`));
  });
});

describe('reduction of long integers', () => {
  it.each([
    ['p', P],
    ['n', N],
    ['n − 1', N - 1n],
  ])('agrees with BigInt modulo %s at every length up to 100 bytes', (_, m) => {
    const modulus = modulusFromHex(m.toString(16));
    const out = new Float64Array(11);
    const bytes = new Uint8Array(32);
    const long = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 100 }),
      fc.integer({ min: 1, max: 100 }).map((length) => new Uint8Array(length).fill(255)),
      fc.bigInt({ min: 0n, max: 2n ** 300n }).map((factor) => {
        const text = (factor * m).toString(16);
        return Uint8Array.from(Buffer.from(text.padStart(text.length + (text.length % 2), '0'), 'hex'));
      }),
    );
    fc.assert(
      fc.property(long, (wide) => {
        reduceBytes(out, wide, modulus);
        limbsToBytes(bytes, 0, out);
        expect(integerOf(bytes)).toBe(integerOf(wide) % m);
      }),
      { numRuns: 500 },
    );
  });
});

it('the Montgomery field names the polynomial field of the same prime as its residue field', () => {
  expect(P256_MONTGOMERY.residueField).toBe(P256_POLYNOMIAL);
});
