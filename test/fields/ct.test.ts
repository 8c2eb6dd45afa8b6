import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesAreZero, bytesEqual, bytesLess, equalMask, maskFromBit, selectInt } from '../../fields/ct.ts';

const int = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)));

it('masks and selections on integers are right for all signs', () => {
  expect([maskFromBit(0), maskFromBit(1)]).toEqual([0, -1]);
  fc.assert(
    fc.property(int, int, (a, b) => {
      expect(equalMask(a, b)).toBe(a === b ? -1 : 0);
      expect(equalMask(a, a)).toBe(-1);
      expect([selectInt(a, b, 0), selectInt(a, b, -1)]).toEqual([a, b]);
    }),
  );
});

it('byte strings compare as equal, smaller and zero like their integers', () => {
  const pair = fc
    .integer({ min: 1, max: 40 })
    .chain((length) =>
      fc.tuple(
        fc.uint8Array({ minLength: length, maxLength: length }),
        fc.uint8Array({ minLength: length, maxLength: length }),
      ),
    );
  const integer = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  fc.assert(
    fc.property(pair, ([a, b]) => {
      expect(bytesLess(a, b)).toBe(integer(a) < integer(b) ? 1 : 0);
      expect(bytesLess(a, a)).toBe(0);
      expect(bytesEqual(a, b)).toBe(integer(a) === integer(b) ? 1 : 0);
      expect(bytesEqual(a, a.slice())).toBe(1);
      expect(bytesEqual(a, a.subarray(1))).toBe(0);
      expect(bytesAreZero(a)).toBe(integer(a) === 0n ? 1 : 0);
    }),
  );
  expect([bytesAreZero(new Uint8Array(0)), bytesAreZero(new Uint8Array(33))]).toEqual([1, 1]);
});
