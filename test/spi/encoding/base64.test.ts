import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from '../../../spi/encoding/base64.ts';

describe('base64 and base64url', () => {
  it('encode as the runtime does and decode to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        expect(encodeBase64(bytes)).toBe(buffer.toString('base64'));
        expect(encodeBase64Url(bytes)).toBe(buffer.toString('base64url'));
        expect(decodeBase64(buffer.toString('base64'))).toEqual(bytes);
        expect(decodeBase64Url(buffer.toString('base64url'))).toEqual(bytes);
      }),
    );
  });

  it('take exactly the characters of their alphabets', () => {
    const accepted = (decode: (text: string) => unknown) =>
      Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))
        .filter((c) => decode(`${c}${c}${c}${c}`) !== undefined)
        .join('');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    expect(accepted(decodeBase64)).toBe(`+/0123456789${letters}`);
    expect(accepted(decodeBase64Url)).toBe(`-0123456789${letters.slice(0, 26)}_${letters.slice(26)}`);
  });

  it.each(['A', 'AA', 'AAA', 'AA=', 'AAA=A', 'A===', '====', 'AB==', 'AAB=', 'AA==AAAA', 'AAAA=', 'AA= ', 'AA\n='])(
    'base64 refuses %j',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );

  it.each(['A', 'AB', 'AAB', 'AA==', 'AAA=', 'AA AA', 'AA+A', 'AA/A', 'AAAAA'])('base64url refuses %j', (text) => {
    expect(decodeBase64Url(text)).toBeUndefined();
  });

  it('refuse every text that does not encode back to itself', () => {
    const alphabet = fc.constantFrom(...'AQgwBCZaz09+/-_= ');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
        const plain = decodeBase64(text);
        if (plain !== undefined) expect(encodeBase64(plain)).toBe(text);
        const url = decodeBase64Url(text);
        if (url !== undefined) expect(encodeBase64Url(url)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
