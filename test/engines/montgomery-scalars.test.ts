import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURVES } from '../../engines/curves.ts';
import { ByteReducer } from '../../engines/points/byte-reduction.ts';
import { montgomeryScalars } from '../../engines/points/montgomery-scalars.ts';
import { hex, toBigInt, toBytes } from './helpers.ts';

describe.each(Object.values(CURVES).map((row) => [row.name, row] as const))('modulo the order of %s', (_, row) => {
  const scalars = montgomeryScalars(row);
  const n = BigInt(`0x${row.n}`);
  const width = scalars.byteLength;
  const value = fc.oneof(
    fc.bigInt({ min: 0n, max: n - 1n }),
    fc.constantFrom(0n, 1n, 2n, n - 1n, n >> 1n, (n >> 1n) + 1n),
  );
  const out = new Uint8Array(width);
  const bytes = (k: bigint): Uint8Array => toBytes(k, width);
  const result = (): bigint => toBigInt(out);

  it('adds, multiplies, negates and inverts', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        scalars.add(out, bytes(a), bytes(b));
        expect(result()).toBe((a + b) % n);
        scalars.multiply(out, bytes(a), bytes(b));
        expect(result()).toBe((a * b) % n);
        scalars.negate(out, bytes(a));
        expect(result()).toBe((n - a) % n);
        scalars.invert(out, bytes(a));
        expect((result() * a) % n).toBe(a === 0n ? 0n : 1n);
        expect(scalars.isHigh(bytes(a))).toBe(a > (n - 1n) / 2n ? 1 : 0);
        expect(scalars.isZero(bytes(a))).toBe(a === 0n ? 1 : 0);
        expect(scalars.isValid(bytes(a))).toBe(a === 0n ? 0 : 1);
        // In place.
        out.set(bytes(a));
        scalars.multiply(out, out, out);
        expect(result()).toBe((a * a) % n);
      }),
      { numRuns: 60 },
    );
    expect(scalars.isValid(bytes(n))).toBe(0);
    expect(hex(scalars.order)).toBe(row.n);
  });

  it('reduces integers of every length up to twice its own and 16', () => {
    const wide = fc.oneof(
      fc.uint8Array({ minLength: 0, maxLength: 2 * width + 16 }),
      fc.integer({ min: 0, max: 2 * width + 16 }).map((length) => new Uint8Array(length).fill(0xff)),
      fc.constantFrom(bytes(0n), bytes(n), bytes(n - 1n), toBytes(n * n - 1n, 2 * width), toBytes(n * n, 2 * width)),
    );
    fc.assert(
      fc.property(wide, (input) => {
        scalars.reduce(out, input);
        expect(result()).toBe(toBigInt(input) % n);
        scalars.reduceNonZero(out, input);
        expect(result()).toBe((toBigInt(input) % (n - 1n)) + 1n);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the remainder of bytes', () => {
  it('is right for any modulus of 49 to 640 bits, even ones too', () => {
    const modulus = fc
      .integer({ min: 49, max: 640 })
      .chain((bits) => fc.bigInt({ min: 2n ** BigInt(bits - 1), max: 2n ** BigInt(bits) - 1n }));
    fc.assert(
      fc.property(
        modulus,
        fc.uint8Array({ minLength: 0, maxLength: 170 }),
        fc.constantFrom(0, 1),
        (m, input, addend) => {
          const width = Math.ceil(m.toString(2).length / 8) + 1;
          const out = new Uint8Array(width);
          new ByteReducer(toBytes(m, width)).reduce(out, input, addend as 0 | 1);
          expect(toBigInt(out)).toBe((toBigInt(input) % m) + BigInt(addend));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('refuses a modulus that is too short', () => {
    expect(() => new ByteReducer(Uint8Array.of(0, 0, 1, 2, 3, 4, 5, 6))).toThrow(RangeError);
    expect(() => new ByteReducer(new Uint8Array(9))).toThrow(RangeError);
  });
});
