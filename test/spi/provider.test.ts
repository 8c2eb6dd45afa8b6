import { describe, expect, test } from 'vitest';
import { InvalidParameterError } from '../../spi/errors.ts';
import { defineProvider, Provider } from '../../spi/provider.ts';
import { signatureService } from '../../spi/service-helpers.ts';
import { ALGORITHM, bytes, FakePrivateKey, FakePublicKey, fakeService } from './fakes.ts';

const good = { name: 'A', version: '1', services: [fakeService('A')] };
const service = fakeService('A');

describe('A malformed definition is refused with the field at fault', () => {
  const faults: readonly [string, unknown, RegExp][] = [
    ['no object', null, /definition/],
    ['no name', { ...good, name: undefined }, /name/],
    ['an empty name', { ...good, name: '' }, /name/],
    ['spaces around the name', { ...good, name: ' A' }, /name/],
    ['a number as version', { ...good, version: 1 }, /version/],
    ['info that is no string', { ...good, info: 3 }, /info/],
    ['services that are no list', { ...good, services: {} }, /services/],
    ['a service that is no object', { ...good, services: [null] }, /services\[0\]/],
    ['an unknown type', { ...good, services: [{ ...service, type: 'Cipher' }] }, /services\[0\]\.type/],
    ['no algorithm', { ...good, services: [{ ...service, algorithm: undefined }] }, /services\[0\]: algorithm/],
    ['a wrong mode', { ...good, services: [{ ...service, mode: 'later' }] }, /services\[0\]\.mode/],
    ['aliases that are no list', { ...good, services: [{ ...service, aliases: 'x' }] }, /services\[0\]\.aliases/],
    ['an alias that is no string', { ...good, services: [{ ...service, aliases: ['x', 1] }] }, /aliases\[1\]/],
    ['attributes that are none', { ...good, services: [{ ...service, attributes: [] }] }, /attributes/],
    [
      'a curve list that is none',
      { ...good, services: [{ ...service, attributes: { SupportedCurves: 'x' } }] },
      /SupportedCurves/,
    ],
    ['supportsKey that is no function', { ...good, services: [{ ...service, supportsKey: true }] }, /supportsKey/],
    [
      'importsPrivateKeys as text',
      { ...good, services: [{ ...service, importsPrivateKeys: 'no' }] },
      /importsPrivateKeys/,
    ],
    ['no newInstance', { ...good, services: [{ ...service, newInstance: undefined }] }, /newInstance/],
    ['a field that there is not', { ...good, services: [{ ...service, supportKey: () => true }] }, /supportKey/],
    [
      'the same name twice',
      { ...good, services: [service, { ...service, algorithm: 'sha256WITHecdsa' }] },
      /services\[1\]\.algorithm/,
    ],
    [
      'an alias that is taken',
      { ...good, services: [service, { ...service, algorithm: 'X', aliases: [ALGORITHM] }] },
      /services\[1\]\.aliases/,
    ],
    ['an asynchronous digest', { ...good, services: [{ ...service, type: 'MessageDigest', mode: 'async' }] }, /mode/],
  ];
  for (const [what, definition, field] of faults) {
    test(what, () => {
      expect(() => defineProvider(definition as never)).toThrow(InvalidParameterError);
      expect(() => defineProvider(definition as never)).toThrow(field);
      expect(() => new (class extends Provider {})(definition as never)).toThrow(field);
    });
  }

  test('a signature without newInstance, sign and verify', () => {
    expect(() => signatureService({ algorithm: 'X' })).toThrow(/newInstance, sign or verify/);
    expect(() => signatureService({ algorithm: 'X', sign: 'x' as never })).toThrow(/sign/);
  });
});

describe('defineProvider', () => {
  test('takes one name for a synchronous and an asynchronous service', () => {
    const provider = defineProvider({ ...good, services: [service, { ...service, mode: 'async' } as never] });
    expect(provider.service('Signature', ALGORITHM, 'async')?.mode).toBe('async');
    expect(provider.service('Signature', ALGORITHM)?.mode).toBe('sync');
    expect(String(provider)).toBe('A version 1');
  });

  test('fills in what is left out: keys by the attributes, no options, no import of private keys', () => {
    const attributes = { SupportedKeyClasses: ['EdDSA'] };
    const { services } = defineProvider({
      name: 'A',
      version: '1',
      services: [{ type: 'Signature', algorithm: 'X', attributes, newInstance: service.newInstance } as never],
    });
    const [filled] = services;
    expect(filled).toMatchObject({ mode: 'sync', aliases: [], importsPrivateKeys: false });
    expect(filled?.supportsKey(new FakePrivateKey('k'))).toMatch(/EdDSA/);
    expect(filled?.supportsOptions({ use: 'sign' })).toBe(true);
    expect(filled?.supportsOptions({ use: 'sign', nonce: 'random' })).toMatch(/nonce/);
  });

  test('a one-shot definition gets the whole message, and refuses the kind of key that it has no function for', () => {
    const seen: Uint8Array[] = [];
    const signing = signatureService({
      algorithm: 'X',
      sign: (_, data) => {
        seen.push(data);
        return data;
      },
    });
    const spi = signing.newInstance({} as never);
    spi.initSign(new FakePrivateKey('k'), {});
    for (const part of ['one ', 'two ', 'three']) spi.update(bytes(part));
    expect(spi.sign()).toEqual(bytes('one two three'));
    expect(spi.sign()).toEqual(new Uint8Array(0));
    expect(seen).toHaveLength(2);
    expect(signing.supportsKey(new FakePublicKey('k'))).toBe('it only signs');
    expect(signing.supportsKey(new FakePrivateKey('k'))).toBe(true);
  });
});
