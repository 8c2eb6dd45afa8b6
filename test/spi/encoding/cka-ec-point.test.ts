import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeCkaEcPoint, encodeCkaEcPoint, InvalidKeySpecError, KeyFactory, RawKeySpec } from '../../../index.ts';

interface Item {
  readonly name: string;
  readonly op: 'pkcs11.decode' | 'pkcs11.encode' | 'pkcs11.peer';
  readonly curve: string;
  readonly CKA_EC_POINT?: string;
  readonly publicKey?: string;
}
interface Wanted {
  readonly outcome: 'value' | 'reject';
  readonly value: string | { readonly CKA_EC_POINT: string };
}
interface Case {
  readonly id: string;
  readonly input: { readonly items: readonly Item[] };
  readonly expect: { readonly items: readonly Wanted[] };
}
const reported = (
  JSON.parse(readFileSync(new URL('../../cases/reported.json', import.meta.url), 'utf8')) as Case[]
).find(({ id }) => id === 'R28') as Case;
const rows = reported.input.items.map((item, i) => ({ ...item, wanted: reported.expect.items[i] as Wanted }));
const bytes = (hex = '') => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');

/** Uncompressed, as the key factory writes it. */
function rawKey(spec: RawKeySpec): string {
  const factory = KeyFactory.getInstance(/^P-/.test(spec.curve) || spec.curve.startsWith('secp') ? 'EC' : 'EdDSA');
  return hex(factory.getKeySpec(factory.generatePublic(spec), RawKeySpec).bytes);
}

describe('CKA_EC_POINT (reported case R28)', () => {
  it.each(rows)('$name', ({ op, curve, publicKey, wanted, ...item }) => {
    switch (op) {
      case 'pkcs11.decode':
        if (wanted.outcome === 'reject') {
          expect(() => decodeCkaEcPoint(bytes(item.CKA_EC_POINT), curve)).toThrow(InvalidKeySpecError);
        } else expect(rawKey(decodeCkaEcPoint(bytes(item.CKA_EC_POINT), curve))).toBe(wanted.value);
        break;
      case 'pkcs11.encode':
        expect({ CKA_EC_POINT: hex(encodeCkaEcPoint(new RawKeySpec(bytes(publicKey), { curve }))) }).toEqual(
          wanted.value,
        );
        break;
      case 'pkcs11.peer':
        expect(rawKey(new RawKeySpec(bytes(publicKey), { curve }))).toBe(wanted.value);
        break;
    }
  });

  it('refuses an unknown curve and a key of another length', () => {
    expect(() => decodeCkaEcPoint(bytes('04'), 'secp999')).toThrow(InvalidKeySpecError);
    expect(() => encodeCkaEcPoint(new RawKeySpec(bytes('0404'), { curve: 'P-256' }))).toThrow(InvalidKeySpecError);
  });
});
