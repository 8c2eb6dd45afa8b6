import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DER,
  type DerNode,
  decodeOid,
  decodeSmallInteger,
  encodeDer,
  encodeOid,
  parseDer,
} from '../../../spi/encoding/der.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const parse = (hex: string) => parseDer(bytes(hex), 'The input');

function encodeNode(node: DerNode): Uint8Array {
  return node.children.length > 0
    ? encodeDer(node.tag, ...node.children.map(encodeNode))
    : encodeDer(node.tag, node.content);
}

describe('parseDer', () => {
  it.each([
    ['nothing', ''],
    ['a tag alone', '04'],
    ['a content that is cut off', '0403ffff'],
    ['a part that is cut off', '30030201'],
    ['bytes after the end', '020100ff'],
    ['bytes after the last part', '3003020100ff'],
    ['an indefinite length', '30800201000000'],
    ['an indefinite length of a tagged value', 'a0800201000000'],
    ['a long length for a short content', '3081020100'],
    ['a length in more bytes than needed', `04820080${'00'.repeat(128)}`],
    ['a long length inside', '3005a00302810100'],
    ['a padded integer', '02020001'],
    ['a padded negative integer', '0202ff80'],
    ['an empty integer', '0200'],
    ['a padded integer under a tag', 'a00402020001'],
    ['a bit string without its count', '0300'],
    ['a bit string with eight unused bits', '03020800'],
    ['a bit string of unused bits only', '030107'],
    ['unused bits that are set', '030207ff'],
    ['a string in pieces', '2404040201ff'],
    ['a bit string in pieces', '2303030100'],
    ['a boolean of one', '010101'],
    ['a null with content', '05020000'],
    ['an empty object identifier', '0600'],
    ['an object identifier that is cut off', '060288'],
    ['an object identifier with a padded arc', '06028001'],
    ['a tag in more than one byte', '1f200100'],
    ['nesting without end', '3030'.repeat(40)],
  ])('refuses %s', (_name, hex) => {
    expect(() => parse(hex)).toThrow(InvalidKeySpecError);
  });

  it('takes the one DER form of each of these', () => {
    const forms = [
      '0101ff',
      '020100',
      '02020080',
      '0201ff',
      '0500',
      '0603550403',
      '03020700',
      '0400',
      '3000',
      'a003020101',
      '800101',
    ];
    for (const hex of forms) {
      expect(Buffer.from(encodeNode(parse(hex))).toString('hex')).toBe(hex);
    }
  });

  it('takes nothing that does not encode back to the same bytes', () => {
    const samples = [
      '3006020101040101',
      '300f020100a00706052b8104000a0401aa',
      '30040302076002',
      '3008060355040305000101ff',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(31), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
        (hex, edits) => {
          const input = bytes(hex);
          for (const [at, value] of edits) if (at < input.length) input[at] = value;
          let node: DerNode;
          try {
            node = parseDer(input, 'The input');
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidKeySpecError);
            return;
          }
          expect(encodeNode(node)).toEqual(input);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('survives any bytes with a typed error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (input) => {
        try {
          parseDer(input, 'The input');
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidKeySpecError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('secrets in DER', () => {
  it('are not copied: the nodes are views on the input', () => {
    const input = bytes('3003040107');
    const node = parseDer(input, 'The input');
    expect(node.children[0]?.content.buffer).toBe(input.buffer);
  });
});

describe('encodeDer', () => {
  it.each([0, 1, 127, 128, 255, 256, 65535, 65536])('writes a length of %i in its shortest form', (length) => {
    const encoded = encodeDer(DER.octetString, new Uint8Array(length));
    expect(parseDer(encoded, 'The input').content.length).toBe(length);
  });

  it('joins its parts', () => {
    expect(encodeDer(DER.sequence, bytes('0500'), bytes('020101'))).toEqual(bytes('30050500020101'));
  });
});

describe('object identifiers and small integers', () => {
  it('round trip', () => {
    const arcs = fc.array(fc.nat(2 ** 31), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.nat(2), fc.nat(39), arcs, (top, second, rest) => {
        const dotted = [top, second, ...rest].join('.');
        expect(decodeOid(parseDer(encodeOid(dotted), 'The input'))).toBe(dotted);
      }),
    );
  });

  it('are read only where they are small and not negative', () => {
    expect(decodeSmallInteger(parse('020101'))).toBe(1);
    expect(decodeSmallInteger(parse('02020800'))).toBe(2048);
    expect(decodeSmallInteger(parse('0201ff'))).toBeUndefined();
    expect(decodeSmallInteger(parse('02050100000000'))).toBeUndefined();
    expect(decodeSmallInteger(parse('040101'))).toBeUndefined();
  });
});
