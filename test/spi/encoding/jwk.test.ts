import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  decodePrivateJwk,
  decodePublicJwk,
  encodePrivateJwk,
  encodePublicJwk,
  isPrivateJwk,
  jwkThumbprint,
  jwkThumbprintInput,
} from '../../../spi/encoding/jwk.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();
const ec = {
  kty: 'EC',
  crv: 'P-256',
  x: 'tNq6bYuFGyDZ8UQh6c4luLDwzsfflpaWhx7Kjy6Gwzs',
  y: 'OQWlUz3O72gEsC6H3KInGRuYo95Obkfrt32njl5joZQ',
};
const d = 'UAHfUAWD3pmtYLvORB0BaY4clSFvWCOIWcqI0vHWVqk';
const okp = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

describe('JWK', () => {
  it('ignores members that say nothing about the key', () => {
    const key = decodePublicJwk({
      ...ec,
      kid: 'k',
      use: 'sig',
      alg: 'ES256',
      ext: true,
      key_ops: ['verify'],
      other: 1,
    });
    expect(encodePublicJwk(key)).toEqual(ec);
  });

  it('tells private from public', () => {
    expect(isPrivateJwk(ec)).toBe(false);
    expect(isPrivateJwk({ ...ec, d })).toBe(true);
    expect(encodePrivateJwk(decodePrivateJwk({ ...ec, d }))).toEqual({ ...ec, d });
    expect(decodePublicJwk({ ...ec, d })).toEqual(decodePublicJwk(ec));
  });

  it.each([
    ['no kty', { ...ec, kty: undefined }],
    ['kty in lower case', { ...ec, kty: 'ec' }],
    ['kty of another family', { ...ec, kty: 'OKP' }],
    ['crv of another family', { ...okp, crv: 'P-256' }],
    ['no crv', { ...ec, crv: undefined }],
    ['crv by another name', { ...ec, crv: 'secp256r1' }],
    ['crv of an object member', { ...ec, crv: 'constructor' }],
    ['crv with another width', { ...ec, crv: 'P-384' }],
    ['no x', { ...ec, x: undefined }],
    ['no y', { ...ec, y: undefined }],
    ['a number for x', { ...ec, x: 1 as never }],
    ['an empty x', { ...ec, x: '' }],
    ['x without its leading zero', { ...ec, x: ec.x.slice(0, -1) }],
    ['x with one byte more', { ...ec, x: `AA${ec.x}` }],
    ['padding', { ...ec, x: `${ec.x}=` }],
    ['base64 instead of base64url', { ...ec, x: ec.x.replace('t', '+') }],
    ['bits left over', { ...ec, x: ec.x.replace(/s$/, 't') }],
    ['white space', { ...ec, x: ` ${ec.x.slice(1)}` }],
    ['a short Ed25519 key', { ...okp, x: okp.x.slice(0, -2) }],
  ])('refuses %s', (_name, jwk) => {
    expect(() => decodePublicJwk(jwk as never)).toThrow(InvalidKeySpecError);
  });

  it.each([
    ['no d', ec],
    ['a short d', { ...ec, d: 'EjQ' }],
    ['a d of 33 bytes', { ...ec, d: 'AVAB31AFg96ZrWC7zkQdAWmOHJUhb1gjiFnKiNLx1lap' }],
    ['an empty d', { ...ec, d: '' }],
    ['no public part', { kty: 'EC', crv: 'P-256', d }],
    ['no public part of an OKP key', { kty: 'OKP', crv: 'Ed25519', d }],
  ])('refuses a private key with %s', (_name, jwk) => {
    expect(() => decodePrivateJwk(jwk)).toThrow(InvalidKeySpecError);
  });

  it('does not show the private part in its errors', () => {
    try {
      decodePrivateJwk({ ...ec, d: `${d}AAAA` });
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain(d.slice(0, 8));
    }
  });

  it('has the thumbprint of RFC 8037 A.3', () => {
    expect(jwkThumbprintInput({ ...okp, d })).toBe(
      '{"crv":"Ed25519","kty":"OKP","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
    );
    expect(jwkThumbprint(okp, sha256)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  it('has a thumbprint over crv, kty, x and y, in that order', () => {
    expect(jwkThumbprintInput({ d, y: ec.y, x: ec.x, crv: ec.crv, kty: ec.kty, kid: 'k' })).toBe(
      `{"crv":"P-256","kty":"EC","x":"${ec.x}","y":"${ec.y}"}`,
    );
  });
});
