import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEcdsaDer, encodeEcdsaDer } from '../../../spi/encoding/ecdsa-der.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const half = (width: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: width, maxLength: width }), fc.nat(width))
    .map(([value, zeros]) => value.fill(0, 0, zeros));

describe('ECDSA signatures in DER', () => {
  it.each([28, 32, 48, 64, 66])('round trip at %i bytes a half', (width) => {
    fc.assert(
      fc.property(half(width), half(width), (r, s) => {
        const rs = Uint8Array.from([...r, ...s]);
        const out = new Uint8Array(2 * width).fill(0xaa);
        expect(decodeEcdsaDer(out, encodeEcdsaDer(rs), width)).toBe(true);
        expect(out).toEqual(rs);
      }),
    );
  });

  it.each(['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1'])(
    'agree with the signatures of node:crypto on %s',
    (curve) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
      const width = { prime256v1: 32, secp256k1: 32, secp384r1: 48, secp521r1: 66 }[curve] ?? 0;
      for (let i = 0; i < 40; i++) {
        const der = Uint8Array.from(sign('sha256', Buffer.from([i]), privateKey));
        const rs = new Uint8Array(2 * width);
        expect(decodeEcdsaDer(rs, der, width)).toBe(true);
        expect(encodeEcdsaDer(rs)).toEqual(der);
      }
    },
  );

  const valid =
    '3045022100de7e945c614fac66d5c069849cfc53fe3a4da1d047a0f71b7b7c2a601642448702203fb55a07ae8da46bebdef31c9eace26d8ad48d15d68e24142a41c18edfa4ebb4';

  it('are taken in one form only, whatever bytes change', () => {
    const out = new Uint8Array(64);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(80), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: -4, max: 3 }),
        (edits, resize) => {
          const base = bytes(valid);
          const der = new Uint8Array(base.length + resize);
          der.set(base.subarray(0, der.length));
          for (const [at, value] of edits) if (at < der.length) der[at] = value;
          if (decodeEcdsaDer(out, der, 32)) expect(encodeEcdsaDer(out)).toEqual(der);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['nothing', ''],
    ['a tag alone', '30'],
    ['an empty sequence', '3000'],
    ['one integer', '3003020101'],
    ['three integers', '3009020101020101020101'],
    ['an empty integer', '30050200020101'],
    ['a negative integer', '30060201ff020101'],
    ['a padded integer', '300702020001020101'],
    ['an integer of 33 bytes', `30260221${'01'.repeat(33)}020101`],
    ['a 33rd byte that is no sign byte', `3026022101${'ff'.repeat(32)}020101`],
    ['a long length where a short one fits', '308106020101020101'],
    ['a length in two bytes', '30820006020101020101'],
    ['a long length inside', '30070281010102010100'],
    ['an indefinite length', '30800201010201010000'],
    ['a byte after the end', '300602010102010100'],
    ['an inner length beyond the end', '3006020101022001'],
    ['another tag inside', '3006040101020101'],
    ['a set', '3106020101020101'],
  ])('refuses %s', (_name, hex) => {
    expect(decodeEcdsaDer(new Uint8Array(64), bytes(hex), 32)).toBe(false);
  });

  it('switches to a two-byte length at 128 bytes of body', () => {
    const rs = new Uint8Array(132);
    for (const [width, header] of [
      [61, '307e'],
      [62, '308180'],
      [63, '308182'],
    ] as const) {
      rs.fill(0)
        .fill(0x40, 66 - width, 66)
        .fill(0x40, 132 - width);
      const der = encodeEcdsaDer(rs);
      expect(Buffer.from(der).toString('hex').startsWith(header)).toBe(true);
      const out = new Uint8Array(132);
      expect(decodeEcdsaDer(out, der, 66)).toBe(true);
      expect(out).toEqual(rs);
    }
  });
});
