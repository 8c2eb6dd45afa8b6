import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURVES, SECP256K1, SECP384R1 } from '../../engines/curves.ts';
import { LimbCodec } from '../../engines/multipliers/limb-codec.ts';
import { GENERATED_CURVES, generatedField, runtimeField } from '../../engines/portable-curves.ts';
import type { Element } from '../../fields/field.ts';
import { toBigInt, toBytes } from './helpers.ts';

const GENERATED = Object.values(CURVES).filter(({ name }) => Object.hasOwn(GENERATED_CURVES, name));

it('there are three generated fields', () => {
  expect(GENERATED.map(({ name }) => name)).toEqual(['secp384r1', 'secp521r1', 'secp256k1']);
});

describe.each(GENERATED.map((row) => [row.name, row] as const))('the field of %s', (_, row) => {
  const field = generatedField(row)!;
  const p = BigInt(`0x${row.p}`);
  const width = field.byteLength;
  const value = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** BigInt(8 * width) - 1n }),
    fc.constantFrom(0n, 1n, p - 1n, p, p + 1n, 2n ** BigInt(8 * width) - 1n),
  );
  const element = (v: bigint): Element<string> => {
    const out = field.create();
    field.fromBytes(out, toBytes(v, width), 0);
    return out;
  };
  const read = (a: Element<string>): bigint => {
    const bytes = new Uint8Array(width + 2).fill(0x5a);
    field.toBytes(bytes, 1, a);
    expect([bytes[0], bytes[width + 1]]).toEqual([0x5a, 0x5a]);
    return toBigInt(bytes.subarray(1, width + 1));
  };
  const mod = (v: bigint): bigint => ((v % p) + p) % p;

  it('keeps the whole contract of a field', () => {
    const out = field.create();
    const check = (wanted: bigint): void => expect(read(out)).toBe(mod(wanted));
    fc.assert(
      fc.property(value, value, fc.integer({ min: 0, max: 65535 }), (v, w, factor) => {
        const [a, b] = [element(v), element(w)];
        expect(read(a)).toBe(mod(v));
        field.add(out, a, b);
        check(v + w);
        field.sub(out, a, b);
        check(v - w);
        field.neg(out, a);
        check(-v);
        field.mul(out, a, b);
        check(v * w);
        field.square(out, a);
        check(v * v);
        field.mulSmall(out, a, factor);
        check(v * BigInt(factor));
        field.invert(out, a);
        field.mul(out, out, a);
        check(mod(v) === 0n ? 0n : 1n);
        expect(field.isZero(a)).toBe(mod(v) === 0n ? 1 : 0);
        expect(field.equals(a, b)).toBe(mod(v) === mod(w) ? 1 : 0);
        expect(field.equals(a, element(mod(v)))).toBe(1);
        for (const bit of [0, 1]) {
          field.select(out, a, b, bit);
          check(bit === 1 ? w : v);
        }
        field.swap(a, b, 0);
        expect([read(a), read(b)]).toEqual([mod(v), mod(w)]);
        field.swap(a, b, 1);
        expect([read(a), read(b)]).toEqual([mod(w), mod(v)]);
        field.one(out);
        check(1n);
        field.copy(out, a);
        check(w);
        field.zero(out);
        check(0n);
        // In place.
        field.mulSmall(a, a, 3);
        field.mul(a, a, a);
        expect(read(a)).toBe(mod(9n * w * w));
      }),
      { numRuns: 120 },
    );
  });
});

it('a layout that is not that of the run-time field is refused', () => {
  const layout = { limbCount: 14, limbWidth: 28, representation: 'montgomery' as const };
  expect(() => new LimbCodec(runtimeField(SECP384R1), layout)).toThrow(RangeError);
  expect(() => new LimbCodec(runtimeField(SECP256K1), layout)).toThrow('secp256k1/run-time');
});
