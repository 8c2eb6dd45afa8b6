// Elements of different fields, domains and backends do not mix. What must not compile stands under `@ts-expect-error`:
// the types step of `npm run check` compiles this file and fails where such a line would compile after all.

import { expect, expectTypeOf, it } from 'vitest';
import { source as fma } from '../../fields/generated/p256-fma.generated.ts';
import { source as simd } from '../../fields/generated/p256-simd.generated.ts';
import { source as p384Simd } from '../../fields/generated/p384-simd.generated.ts';
import * as fields from '../../fields/index.ts';

const { p256, p256Order, p384, curve25519, P256_MONTGOMERY, P256_POLYNOMIAL } = fields;

/** Compiled, never run. */
function mixtures(): void {
  const [a, b] = [p256.create(), p384.create()];
  p256.mul(a, a, a);
  // @ts-expect-error another prime
  p256.mul(a, a, b);
  // @ts-expect-error the result is of another prime
  p256.mul(b, a, a);
  // @ts-expect-error the order of the same curve
  p256.add(a, a, p256Order.create());
  // @ts-expect-error limbs that no field gave out
  p256.square(a, new Float64Array(p256.limbCount));
  const [montgomery, polynomial] = [P256_MONTGOMERY.create(), P256_POLYNOMIAL.create()];
  // @ts-expect-error the same prime, but another domain
  P256_MONTGOMERY.mul(montgomery, montgomery, polynomial);
  // @ts-expect-error the same prime, but another domain
  P256_POLYNOMIAL.toBytes(new Uint8Array(32), 0, montgomery);

  const [ours, fused, other] = [simd, fma, p384Simd].map((source) => fields.instantiateField(source)) as [
    fields.WasmField<typeof simd>,
    fields.WasmField<typeof fma>,
    fields.WasmField<typeof p384Simd>,
  ];
  const x = ours.element(0);
  ours.functions.mul(x, x, ours.element(1));
  // @ts-expect-error another prime
  ours.functions.mul(x, x, other.element(1));
  // @ts-expect-error the same prime, but another backend
  ours.functions.square(x, fused.element(0));
  // @ts-expect-error an address that no field gave out
  ours.functions.neg(x, simd.heapBase);
  // @ts-expect-error an element of the portable tier
  ours.functions.copy(x, a);
}

it('elements of different fields, domains and backends do not mix', () => {
  expectTypeOf(mixtures).toBeFunction();
  expectTypeOf<ReturnType<typeof p256.create>>().not.toExtend<ReturnType<typeof p256Order.create>>();
  expectTypeOf<ReturnType<typeof P256_MONTGOMERY.create>>().not.toExtend<ReturnType<typeof P256_POLYNOMIAL.create>>();
  expectTypeOf<fields.WasmElement<typeof simd.domain>>().not.toExtend<fields.WasmElement<typeof fma.domain>>();
  expectTypeOf<number>().not.toExtend<fields.WasmElement<typeof simd.domain>>();
  const domains = [p256, p256Order, p384, curve25519, P256_POLYNOMIAL, simd, fma, p384Simd].map(({ domain }) => domain);
  expect(new Set(domains).size).toBe(domains.length);
});
