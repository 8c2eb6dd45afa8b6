import { ECDH } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodePoint, encodeCompressedPoint, encodeUncompressedPoint } from '../../../spi/encoding/point.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const G =
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';

describe('points as octets', () => {
  it('are written as OpenSSL writes them', () => {
    const xy = bytes(G.slice(2));
    for (const [form, encoded] of [
      ['uncompressed', encodeUncompressedPoint(xy)],
      ['compressed', encodeCompressedPoint(xy)],
    ] as const) {
      expect(Buffer.from(encoded).toString('hex')).toBe(ECDH.convertKey(G, 'prime256v1', 'hex', 'hex', form));
    }
  });

  it('are read in both forms, as copies', () => {
    const input = bytes(G);
    const read = decodePoint(input, 32, 'secp256r1');
    input.fill(0);
    expect(read).toEqual({ form: 'uncompressed', xy: bytes(G.slice(2)) });
    expect(decodePoint(bytes(`03${G.slice(2, 66)}`), 32, 'secp256r1')).toEqual({
      form: 'compressed',
      x: bytes(G.slice(2, 66)),
      parity: 1,
    });
  });

  it.each([
    ['nothing', ''],
    ['infinity', '00'],
    ['infinity, padded', '00'.repeat(65)],
    ['a prefix alone', '04'],
    ['a compressed prefix alone', '02'],
    ['one byte less', G.slice(0, -2)],
    ['one byte more', `${G}00`],
    ['a compressed point at full length', `02${G.slice(2)}`],
    ['a hybrid point', `07${G.slice(2)}`],
    ['a hybrid point of the other parity', `06${G.slice(2)}`],
    ['an unknown prefix', `05${G.slice(2)}`],
    ['coordinates without a prefix', G.slice(2)],
  ])('refuses %s', (_name, hex) => {
    expect(() => decodePoint(bytes(hex), 32, 'secp256r1')).toThrow(InvalidKeySpecError);
  });
});
