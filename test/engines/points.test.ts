import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECP256R1 } from '../../engines/curves.ts';
import { completeFormulas, type ProjectivePoint } from '../../engines/points/complete.ts';
import type { Field } from '../../fields/field.ts';
import { P256_MONTGOMERY } from '../../fields/portable/p256-montgomery.ts';
import { P256_POLYNOMIAL } from '../../fields/portable/p256-polynomial.ts';
import { COMPOSITIONS, hex, N, toBytes } from './helpers.ts';

const operations = Object.values(COMPOSITIONS)[0]!;
const FIELDS: readonly (readonly [string, Field<string>])[] = [
  ['the Montgomery field', P256_MONTGOMERY as Field<string>],
  ['the polynomial field', P256_POLYNOMIAL as Field<string>],
];

describe.each(FIELDS)('complete formulas over %s', (_, field) => {
  const formulas = completeFormulas(field, SECP256R1);
  type Point = ProjectivePoint<string>;
  const point = (k: bigint): Point => {
    const out = formulas.createPoint();
    const bytes = new Uint8Array(64);
    if (operations.multiplyBase(bytes, toBytes(k)) === 0) formulas.setInfinity(out);
    else formulas.fromAffine(out, bytes);
    return out;
  };
  const add = (p: Point, q: Point): Point => {
    const out = formulas.createPoint();
    formulas.add(out, p, q);
    return out;
  };
  const affine = (p: Point): string => {
    const bytes = new Uint8Array(64);
    const finite = formulas.asAffine(bytes, p);
    return finite === 1 ? hex(bytes) : 'infinity';
  };
  const scalar = fc.oneof(fc.bigInt({ min: 0n, max: N - 1n }), fc.constantFrom(0n, 1n, 2n, N - 1n));

  it('obey the laws of a group, equal, opposite and infinite operands included', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, (a, b, c) => {
        const [p, q, r] = [point(a), point(b), point(c)];
        const zero = point(0n);
        expect(affine(add(p, q))).toBe(affine(add(q, p)));
        expect(affine(add(add(p, q), r))).toBe(affine(add(p, add(q, r))));
        expect(affine(add(p, zero))).toBe(affine(p));
        const minus = formulas.createPoint();
        formulas.negateIf(minus, p, 1);
        expect(affine(add(p, minus))).toBe('infinity');
        const twice = formulas.createPoint();
        formulas.double(twice, p);
        expect(affine(twice)).toBe(affine(add(p, p)));
        expect(affine(add(p, q))).toBe(affine(point((a + b) % N)));
      }),
      { numRuns: 40 },
    );
  });

  it('stay right over long chains without normalisation', () => {
    const sum = point(1n);
    for (let i = 0; i < 300; i++) {
      formulas.double(sum, sum);
      formulas.add(sum, sum, sum);
      formulas.add(sum, sum, point(1n));
    }
    let wanted = 1n;
    for (let i = 0; i < 300; i++) wanted = (4n * wanted + 1n) % N;
    expect(affine(sum)).toBe(affine(point(wanted)));
  });
});
