// Reported cases of field arithmetic at the rim, against every field that holds the modulus.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../fields/field.ts';
import { RuntimeMontgomeryField } from '../../fields/portable/runtime-montgomery.ts';
import { bytesOf, CASES as FIELDS, integerOf } from './support.ts';

interface Item {
  readonly name: string;
  readonly modulus: string;
  readonly op: 'add' | 'sub' | 'mul' | 'sqr' | 'neg' | 'inv' | 'reduce';
  readonly a: string;
  readonly b?: string;
}
interface Case {
  readonly id: string;
  readonly input: { readonly op: string; readonly items: readonly Item[] };
  readonly expect: { readonly items: readonly { readonly name: string; readonly value: string }[] };
}

const NAMES: Readonly<Record<string, string>> = {
  'P-256.p': 'p256',
  'P-256.n': 'p256-order',
  'P-384.p': 'p384',
  'P-521.p': 'p521',
  '25519.p': 'curve25519',
  'secp256k1.p': 'secp256k1',
  'secp256k1.n': 'secp256k1-order',
};

const parsed = JSON.parse(readFileSync(new URL('../cases/reported.json', import.meta.url), 'utf8')) as
  | Case[]
  | { cases: Case[] };
const cases = (Array.isArray(parsed) ? parsed : parsed.cases).filter(({ input }) => input.op === 'field');
const items = cases.flatMap(({ id, input, expect: { items: expected } }) =>
  input.items.map((item, i) => ({ title: `${id} ${item.name}`, item, value: expected[i]!.value })),
);

function compute(field: Field<string>, item: Item): string {
  const load = (hex: string) => {
    const out = field.create();
    field.fromBytes(out, bytesOf(BigInt(`0x${hex}`), field.byteLength), 0);
    return out;
  };
  const a = load(item.a);
  const b = load(item.b ?? '0');
  const out = field.create();
  if (item.op === 'reduce') field.copy(out, a);
  else if (item.op === 'sqr') field.square(out, a);
  else if (item.op === 'neg') field.neg(out, a);
  else if (item.op === 'inv') field.invert(out, a);
  else field[item.op](out, a, b);
  const bytes = new Uint8Array(field.byteLength);
  field.toBytes(bytes, 0, out);
  return integerOf(bytes).toString(16);
}

describe('reported cases', () => {
  it('are there', () => {
    expect(items.length).toBeGreaterThanOrEqual(36);
  });

  it.each(items)('$title', ({ item, value }) => {
    const { field, p } = FIELDS.find(({ row }) => row.name === NAMES[item.modulus])!;
    const expected = BigInt(`0x${value}`).toString(16);
    expect(compute(field, item)).toBe(expected);
    expect(compute(new RuntimeMontgomeryField('case', bytesOf(p, field.byteLength)), item)).toBe(expected);
  });
});
