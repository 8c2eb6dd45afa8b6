import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidParameterError } from '../../spi/errors.ts';
import { defineProvider } from '../../spi/provider.ts';
import {
  clauseHolds,
  mergeQueries,
  missedClause,
  optionalScore,
  parseFilter,
  parseFilterMap,
  parseQuery,
} from '../../spi/query.ts';
import type { AnyService, ServiceAttributes } from '../../spi/service.ts';
import { signatureService } from '../../spi/service-helpers.ts';
import { ALGORITHM, bytes } from './fakes.ts';

function offer(attributes: ServiceAttributes) {
  const service: AnyService = signatureService({ algorithm: ALGORITHM, attributes, sign: () => bytes('s') });
  return { service, provider: defineProvider({ name: 'Mine', version: '1.2', services: [service] }) };
}
const holds = (text: string, attributes: ServiceAttributes = {}): boolean => {
  const { service, provider } = offer(attributes);
  return missedClause(parseQuery(text), provider, service) === undefined;
};

describe('A query', () => {
  test('is parsed into clauses and removals', () => {
    expect(parseQuery(' provider = OpenSSL , ?fips, a!=b ,-implementation')).toEqual({
      clauses: [
        { name: 'provider', value: 'OpenSSL', negated: false, optional: false },
        { name: 'fips', value: 'yes', negated: false, optional: true },
        { name: 'a', value: 'b', negated: true, optional: false },
      ],
      removed: ['implementation'],
    });
    expect(parseQuery('  ')).toEqual({ clauses: [], removed: [] });
  });

  test.each(['a,,b', ',', 'a=', '=b', '?', '-', '?-a', '-a=b', '1a=b', 'a b', 'a==', '!a', '__proto__=x', '-?a'])(
    '"%s" is refused',
    (text) => {
      if (text === 'a==') expect(parseQuery(text).clauses[0]?.value).toBe('=');
      else expect(() => parseQuery(text)).toThrow(InvalidParameterError);
    },
  );

  test.each([[3], [null], [{}], [[]]])('%j is refused', (value) => {
    expect(() => parseQuery(value as never)).toThrow(InvalidParameterError);
  });

  test('compares what is declared without regard to case', () => {
    expect(holds('provider=mine')).toBe(true);
    expect(holds('provider=other')).toBe(false);
    expect(holds('provider!=other')).toBe(true);
    expect(holds('version=1.2')).toBe(true);
    expect(holds('fips=yes', { fips: true })).toBe(true);
    expect(holds('FIPS', { fips: true })).toBe(true);
    expect(holds('fips=no', { fips: true })).toBe(false);
    expect(holds('fips', { fips: 'yes' })).toBe(true);
  });

  test('an attribute that is not declared is no, and software unless it says hardware', () => {
    expect(holds('fips')).toBe(false);
    expect(holds('fips=no')).toBe(true);
    expect(holds('fips!=yes')).toBe(true);
    expect(holds('implementation=software')).toBe(true);
    expect(holds('implementation=hardware')).toBe(false);
    expect(holds('implementation=hardware', { ImplementedIn: 'Hardware' })).toBe(true);
    expect(holds('ImplementedIn=Hardware', { ImplementedIn: 'Hardware' })).toBe(true);
    expect(holds('constructor=yes')).toBe(false);
    expect(holds('tostring=yes')).toBe(false);
  });

  test('a key size is the largest that serves, a curve goes by any of its names, a list by its members', () => {
    expect(holds('KeySize=256', { KeySize: 384 })).toBe(true);
    expect(holds('KeySize=521', { KeySize: 384 })).toBe(false);
    expect(holds('KeySize=abc', { KeySize: 384 })).toBe(false);
    expect(holds('SupportedCurves=P-256', { SupportedCurves: ['secp256r1'] })).toBe(true);
    expect(holds('SupportedCurves=1.2.840.10045.3.1.7', { SupportedCurves: ['prime256v1'] })).toBe(true);
    expect(holds('SupportedCurves=P-384', { SupportedCurves: ['secp256r1'] })).toBe(false);
    expect(holds('tags=b', { tags: 'a|b' })).toBe(true);
    expect(holds('level=3', { level: 3 })).toBe(true);
    expect(holds('level=4', { level: 3 })).toBe(false);
  });

  test('optional clauses count, and never filter', () => {
    const { service, provider } = offer({ fips: true });
    const query = parseQuery('?fips, ?implementation=hardware, provider=Mine');
    expect(missedClause(query, provider, service)).toBeUndefined();
    expect(optionalScore(query, provider, service)).toBe(1);
  });

  test('replaces and removes defaults, and keeps the rest', () => {
    const merged = mergeQueries(parseQuery('fips=no,-x'), parseQuery('fips,x=1,?y=2'));
    expect(merged?.clauses.map(({ name, value }) => `${name}=${value}`)).toEqual(['fips=no', 'y=2']);
    expect(mergeQueries(undefined, parseQuery('a'))?.clauses).toHaveLength(1);
    expect(mergeQueries(parseQuery('a'), undefined)?.clauses).toHaveLength(1);
    expect(mergeQueries(undefined, undefined)).toBeUndefined();
  });

  test('a clause and its negation never both hold, and one of them does', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,5}$/);
    const value = fc.oneof(word, fc.boolean(), fc.integer(), fc.array(word));
    fc.assert(
      fc.property(fc.dictionary(word, value), word, word, (attributes, name, wanted) => {
        const known = new Set(['keysize', 'supportedkeyclasses', 'supportedkeyformats', 'supportedcurves']);
        fc.pre(!Object.keys(attributes).some((each) => known.has(each.toLowerCase())));
        const { service, provider } = offer(attributes as ServiceAttributes);
        const [clause] = parseQuery(`${name}=${wanted}`).clauses;
        const [negated] = parseQuery(`${name}!=${wanted}`).clauses;
        if (clause === undefined || negated === undefined) throw new Error('no clause');
        expect(clauseHolds(clause, provider, service)).toBe(!clauseHolds(negated, provider, service));
      }),
    );
  });

  test('any text is parsed or refused by the error for parameters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const parse of [parseQuery, parseFilter]) {
          try {
            parse(text);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidParameterError);
          }
        }
      }),
    );
  });
});

describe('A filter of the JCA', () => {
  test('names a service, and at most one attribute with a value', () => {
    expect(parseFilter('signature.SHA256withECDSA')).toEqual({
      type: 'Signature',
      algorithm: ALGORITHM,
      query: { clauses: [], removed: [] },
    });
    expect(parseFilter('Signature.X KeySize: 256').query.clauses).toEqual([
      { name: 'keysize', value: '256', negated: false, optional: false },
    ]);
    expect(parseFilterMap({ 'Signature.X KeySize': '256', 'KeyFactory.EC': '' })).toHaveLength(2);
  });

  test.each([
    '',
    'Signature',
    '.X',
    'Signature.',
    'Cipher.AES',
    'Signature.X KeySize',
    'Signature.X KeySize:',
    'Signature.X :256',
    'Signature.X SupportedKeyFormats:a|b',
    '__proto__.X',
  ])('"%s" is refused', (text) => {
    expect(() => parseFilter(text)).toThrow(InvalidParameterError);
  });

  test.each([{ 'Signature.X KeySize': '' }, { 'Signature.X': '256' }, { '': '' }])('%j is refused', (map) => {
    expect(() => parseFilterMap(map as never)).toThrow(InvalidParameterError);
  });
});
