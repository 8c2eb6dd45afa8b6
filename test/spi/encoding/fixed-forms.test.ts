import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDer } from '../../../spi/encoding/der.ts';
import { FixedForms } from '../../../spi/encoding/fixed-forms.ts';
import { decodePkcs8, encodePkcs8 } from '../../../spi/encoding/pkcs8.ts';
import { decodeSpki, encodeSpki } from '../../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';

const encode = (fill: number) => Uint8Array.of(1, fill, fill, 2, fill);

function learned() {
  const forms = new FixedForms<string>();
  forms.learn(Uint8Array.of(1, 7, 8, 2, 9), encode, (parts) => parts.map((part) => part.join('.')).join(' '));
  return forms;
}

describe('FixedForms', () => {
  it('cuts the parts out of an encoding of a known form', () => {
    expect(learned().match(Uint8Array.of(1, 3, 4, 2, 5))).toBe('3.4 5');
    expect(learned().match(Uint8Array.of(1, 7, 8, 2, 9))).toBe('7.8 9');
  });

  it('knows nothing of another length or with another fixed byte', () => {
    expect(learned().match(Uint8Array.of(1, 3, 4, 2))).toBeUndefined();
    expect(learned().match(Uint8Array.of(0, 3, 4, 2, 5))).toBeUndefined();
    expect(learned().match(Uint8Array.of(1, 3, 4, 3, 5))).toBeUndefined();
  });

  it('does not learn a form that is not the written one', () => {
    const forms = new FixedForms<string>();
    forms.learn(Uint8Array.of(1, 7, 8, 3, 9), encode, () => 'wrong');
    forms.learn(Uint8Array.of(1, 7, 8, 2, 9, 9), encode, () => 'wrong');
    expect(forms.match(Uint8Array.of(1, 7, 8, 3, 9))).toBeUndefined();
    expect(forms.match(Uint8Array.of(1, 7, 8, 2, 9, 9))).toBeUndefined();
  });
});

describe('keys of a known form', () => {
  const pairs = [generateKeyPairSync('ec', { namedCurve: 'prime256v1' }), generateKeyPairSync('x25519')];

  it.each(pairs)('are taken exactly where the parser takes them', ({ publicKey, privateKey }) => {
    const spki = Uint8Array.from(publicKey.export({ format: 'der', type: 'spki' }));
    const pkcs8 = Uint8Array.from(privateKey.export({ format: 'der', type: 'pkcs8' }));
    decodeSpki(spki);
    decodePkcs8(pkcs8);
    const edits = fc.array(fc.tuple(fc.nat(140), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(edits, fc.boolean(), (changes, isPublic) => {
        const bytes = (isPublic ? spki : pkcs8).slice();
        for (const [at, flip] of changes) if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ flip;
        let again: Uint8Array;
        try {
          again = isPublic ? encodeSpki(decodeSpki(bytes)) : encodePkcs8(decodePkcs8(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidKeySpecError);
          return;
        }
        expect(() => parseDer(bytes, 'The input')).not.toThrow();
        if (again.length === bytes.length) expect(again).toEqual(bytes);
      }),
      { numRuns: 400 },
    );
  });

  it('come out as copies, the second time too', () => {
    for (const { privateKey } of pairs) {
      const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
      const [first, second] = [decodePkcs8(pkcs8), decodePkcs8(pkcs8)];
      expect(second).toEqual(first);
      pkcs8.fill(0);
      expect(second).toEqual(first);
    }
  });
});
