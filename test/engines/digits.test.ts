import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURVES } from '../../engines/curves.ts';
import { recodeNafVartime, recodeSignedOdd } from '../../engines/multipliers/digits.ts';
import { N, toBytes } from './helpers.ts';

const scalar = fc.oneof(
  fc.bigInt({ min: 0n, max: N - 1n }),
  fc.constantFrom(0n, 1n, 2n, 31n, 32n, N - 1n, N - 2n, 2n ** 256n - N, 2n ** 255n),
);

describe('signed odd digits', () => {
  it('add up to the scalar or, if it is even, to the order less the scalar; 0 counts as 1', () => {
    const digits = new Uint8Array(52);
    fc.assert(
      fc.property(scalar, (k) => {
        const flags = recodeSignedOdd(digits, toBytes(k), toBytes(N));
        const sum = digits.reduce((total, digit, i) => total + BigInt(2 * digit - 31) * 32n ** BigInt(i), 0n);
        const even = k % 2n === 0n;
        expect(flags).toBe((even ? 1 : 0) | (k === 0n ? 2 : 0));
        expect(sum).toBe(k === 0n ? 1n : even ? N - k : k);
        expect(digits.every((digit) => digit < 32)).toBe(true);
        expect(digits[51]).toBe(16);
      }),
      { numRuns: 500 },
    );
  });
});

describe('signed odd digits of every order', () => {
  it.each(Object.values(CURVES))('of $name add up, the top one positive', ({ n: text, orderBits }) => {
    const n = BigInt(`0x${text}`);
    const width = text.length / 2;
    const top = Math.floor((orderBits - 1) / 5);
    const digits = new Uint8Array(top + 1);
    const any = fc.oneof(
      fc.bigInt({ min: 0n, max: n - 1n }),
      fc.constantFrom(0n, 1n, 2n, n - 1n, n - 2n, 32n ** BigInt(top), 2n ** BigInt(orderBits - 1)),
    );
    fc.assert(
      fc.property(any, (k) => {
        const flags = recodeSignedOdd(digits, toBytes(k, width), toBytes(n, width));
        const sum = digits.reduce((total, digit, i) => total + BigInt(2 * digit - 31) * 32n ** BigInt(i), 0n);
        const even = k % 2n === 0n;
        expect(flags).toBe((even ? 1 : 0) | (k === 0n ? 2 : 0));
        expect(sum).toBe(k === 0n ? 1n : even ? n - k : k);
        expect(digits.every((digit) => digit < 32) && digits[top]! >= 16).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('non-adjacent form', () => {
  it('of longer integers adds up', () => {
    const naf = new Int8Array(8 * 66 + 1);
    fc.assert(
      fc.property(fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 528n - 1n }), fc.constant(2n ** 528n - 1n)), (k) => {
        const length = recodeNafVartime(naf, toBytes(k, 66), 5);
        expect(naf.reduce((total, digit, i) => total + BigInt(digit) * 2n ** BigInt(i), 0n)).toBe(k);
        expect(naf.subarray(length).every((digit) => digit === 0)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('adds up to the integer, with odd digits in range and at least width − 1 zeros after each', () => {
    const naf = new Int8Array(257);
    const integer = fc.oneof(scalar, fc.constantFrom(2n ** 256n - 1n, 2n ** 256n - 2n ** 250n));
    fc.assert(
      fc.property(integer, fc.integer({ min: 2, max: 7 }), (k, width) => {
        const length = recodeNafVartime(naf, toBytes(k), width);
        expect(naf.reduce((total, digit, i) => total + BigInt(digit) * 2n ** BigInt(i), 0n)).toBe(k);
        expect(naf.subarray(length).every((digit) => digit === 0)).toBe(true);
        if (length > 0) expect(naf[length - 1]).not.toBe(0);
        let last = -width;
        naf.forEach((digit, i) => {
          if (digit === 0) return;
          expect([Math.abs(digit % 2), Math.abs(digit) < 1 << (width - 1), i - last >= width]).toEqual([1, true, true]);
          last = i;
        });
      }),
      { numRuns: 500 },
    );
  });
});
