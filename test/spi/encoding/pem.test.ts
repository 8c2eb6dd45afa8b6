import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePem, encodePem } from '../../../spi/encoding/pem.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';

const BODY = 'AQID';
const block = (label = 'PUBLIC KEY', body = BODY, end = label) =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${end}-----\n`;

describe('PEM', () => {
  it('round trips with lines of 64 characters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const text = encodePem('PRIVATE KEY', bytes);
        expect(decodePem(text)).toEqual([{ label: 'PRIVATE KEY', bytes }]);
        expect(decodePem(text.replaceAll('\n', '\r\n'))).toEqual([{ label: 'PRIVATE KEY', bytes }]);
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(64);
      }),
    );
  });

  it('reads every block in order and skips what stands around them', () => {
    const text = `-----\n---------- note: one\n${block('EC PARAMETERS')}\n  two\r\n\r\n${block('X509 CRL', 'BAUG')}three`;
    expect(decodePem(text)).toEqual([
      { label: 'EC PARAMETERS', bytes: Uint8Array.of(1, 2, 3) },
      { label: 'X509 CRL', bytes: Uint8Array.of(4, 5, 6) },
    ]);
    expect(decodePem('no block')).toEqual([]);
  });

  it('takes white space at both ends of a line', () => {
    expect(decodePem('-----BEGIN A----- \n\tAQ \n ID\t\n-----END A----- ')).toEqual([
      { label: 'A', bytes: Uint8Array.of(1, 2, 3) },
    ]);
  });

  it.each([
    ['labels that differ', block('PUBLIC KEY', BODY, 'PRIVATE KEY')],
    ['no end line', '-----BEGIN A-----\nAQID\n'],
    ['an end line cut off', '-----BEGIN A-----\nAQID\n-----END A----'],
    ['an end line without a beginning', '-----END A-----\n'],
    ['a second beginning inside', '-----BEGIN A-----\n-----BEGIN A-----\nAQID\n-----END A-----\n'],
    ['an empty body', '-----BEGIN A-----\n-----END A-----\n'],
    ['a character that is not base64', block('A', 'AQI*')],
    ['base64url', block('A', 'AQ-_')],
    ['white space inside a line', block('A', 'AQ ID')],
    ['missing padding', block('A', 'AQ')],
    ['padding in the middle', block('A', 'AQ==\nAQID')],
    ['bits left over', block('A', 'AR==')],
    ['header fields', block('EC PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAQID')],
    ['a malformed boundary', '-----BEGIN A----\nAQID\n-----END A-----\n'],
  ])('refuses %s', (_name, text) => {
    expect(() => decodePem(text)).toThrow(InvalidKeySpecError);
  });
});
