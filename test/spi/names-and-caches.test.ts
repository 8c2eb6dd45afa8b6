// Names as data: odd, long and many.

import { describe, expect, test } from 'vitest';
import { SecurityContext } from '../../spi/context.ts';
import {
  AlgorithmDisabledError,
  InvalidParameterError,
  NoSuchAlgorithmError,
  NoSuchProviderError,
} from '../../spi/errors.ts';
import { defineProvider } from '../../spi/provider.ts';
import { Signature } from '../../spi/signature.ts';
import { ALGORITHM, bytes, FakePrivateKey, fakeProvider, fakeService, string, thrownBy } from './fakes.ts';

const key = new FakePrivateKey('k');
const ODD = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf', '\u0000', '🔑', 'a\nb'];

describe('Odd names', () => {
  test.each(ODD)('%j is found only where it is registered, as algorithm, alias and provider', (name) => {
    const empty = new SecurityContext({ providers: [fakeProvider('A')] });
    expect(() => Signature.getInstance(name, { context: empty })).toThrow(NoSuchAlgorithmError);
    expect(() => Signature.getInstance(ALGORITHM, { context: empty, provider: name })).toThrow(NoSuchProviderError);
    expect(empty.getProvider(name)).toBeUndefined();
    expect(empty.getService('Signature', name)).toBeUndefined();
    expect(empty.getService(name as never, ALGORITHM)).toBeUndefined();
    expect(empty.getAlgorithms(name)).toEqual([]);
    expect(empty.removeProvider(name)).toBe(false);

    const context = new SecurityContext({
      providers: [
        fakeProvider('first', { algorithm: 'other', aliases: [`${name}x`] }),
        fakeProvider(name, { algorithm: name }),
      ],
    });
    for (const from of [{ context }, { context, provider: name }]) {
      const signature = Signature.getInstance(name, from).initSign(key);
      expect(signature.algorithm).toBe(name);
      expect(string(signature.update(bytes('m')).sign())).toBe(`${name}/k/m`);
    }
    expect(Signature.getInstance(`${name}x`, { context }).initSign(key).provider?.name).toBe('first');
    expect(context.getAlgorithms('Signature')).toEqual(['other', name]);
    expect(context.removeProvider(name)).toBe(true);
  });

  test.each(ODD)('%j as a preference or a policy names that and nothing else', (name) => {
    const context = new SecurityContext({ providers: [fakeProvider('A'), fakeProvider('B')] });
    context.setPreferred(JSON.parse(JSON.stringify({ X: 'B' }).replace('"X"', JSON.stringify(name))));
    expect(Signature.getInstance(ALGORITHM, { context }).initSign(key).provider?.name).toBe('A');
    context.setPreferred({ [ALGORITHM]: name });
    expect(Signature.getInstance(ALGORITHM, { context }).initSign(key).provider?.name).toBe('A');
  });

  test('the dotless i and its relatives are other letters', () => {
    const context = new SecurityContext({ providers: [fakeProvider('Mine', { algorithm: 'sign' })] });
    for (const name of ['s\u0131gn', 'S\u0130GN', '\uFF53ign', '\u017Fign']) {
      expect(() => Signature.getInstance(name, { context })).toThrow(NoSuchAlgorithmError);
    }
    expect(Signature.getInstance('SIGN', { context }).algorithm).toBe('SIGN');
    for (const name of ['M\u0131ne', 'M\u0130NE']) {
      expect(() => Signature.getInstance('sign', { context, provider: name })).toThrow(NoSuchProviderError);
    }
    expect(context.getProvider('MINE')?.name).toBe('Mine');
  });

  test('the policy knows a name that is forbidden in every case and spelling of it', () => {
    const context = new SecurityContext({
      providers: [fakeProvider('A', { aliases: ['mine'] })],
      disabledAlgorithms: ['SHA256'],
    });
    for (const name of [ALGORITHM, 'sha256WITHecdsa', 'oid.1.2.840.10045.4.3.2', '1.2.840.10045.4.3.2', 'MINE']) {
      expect(() => Signature.getInstance(name, { context }), name).toThrow(AlgorithmDisabledError);
    }
  });
});

describe('Long names and names that are none', () => {
  test('a name of a megabyte is not found, at once', () => {
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    const long = 'SHA256withECDSA'.repeat(70_000);
    const error = thrownBy(() => Signature.getInstance(long, { context }));
    expect(error).toBeInstanceOf(NoSuchAlgorithmError);
    expect((error as Error).message).not.toContain('Did you mean');
    expect(() => Signature.getInstance('1.'.repeat(500_000), { context })).toThrow(NoSuchAlgorithmError);
    expect(() => Signature.getInstance(ALGORITHM, { context, provider: long })).toThrow(NoSuchProviderError);
  });

  test.each([[undefined], [null], [3], [{}], [[ALGORITHM]], [Symbol('s')]])('%s is refused as a name', (name) => {
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    for (const from of [{ context }, { context, provider: 'A' }]) {
      expect(() => Signature.getInstance(name as never, from)).toThrow(InvalidParameterError);
    }
  });

  test('the empty name is that of no algorithm', () => {
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    expect(() => Signature.getInstance('', { context })).toThrow(NoSuchAlgorithmError);
  });
});

describe('Many names', () => {
  const names = Array.from({ length: 100_000 }, (_, i) => `name${i}`);

  test('a hundred thousand that exist, and as many that do not, find what they mean', () => {
    const service = fakeService('A', { aliases: names });
    const provider = defineProvider({ name: 'A', version: '1', services: [service] });
    const context = new SecurityContext({ providers: [provider] });
    let found = 0;
    for (const name of names) if (context.candidates('Signature', name, undefined, 'sync').sync.length === 1) found++;
    expect(found).toBe(names.length);
    // All again, so that what was cached and thrown out is found too.
    for (const name of [names[0], names[50_000], names.at(-1)]) {
      expect(string(Signature.sign(name ?? '', key, bytes('m'), { context }))).toBe('A/k/m');
    }
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 100_000; i++) {
      try {
        context.candidates('Signature', `${'x'.repeat(100)}${i}`, undefined, 'sync');
      } catch {}
      try {
        context.candidates('Signature', ALGORITHM, { query: `?clause${i}=yes` }, 'sync');
      } catch {}
    }
    // What 100,000 kept entries would take is far more than this.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150e6);
    context.removeProvider('A');
    for (const name of [names[0], names.at(-1)]) {
      expect(() => Signature.getInstance(name ?? '', { context })).toThrow(NoSuchAlgorithmError);
    }
  }, 60_000);

  test('a provider and a query that look like others together are not taken for them', () => {
    const context = new SecurityContext({ providers: [fakeProvider('A')] });
    expect(Signature.getInstance(ALGORITHM, { context, provider: 'A', query: '?x=1' }).algorithm).toBe(ALGORITHM);
    for (const provider of ['A\n?x=1', 'A"', 'A","?x=1']) {
      expect(() => Signature.getInstance(ALGORITHM, { context, provider })).toThrow(NoSuchProviderError);
    }
    expect(Signature.getInstance(ALGORITHM, { context, query: '?x=1' }).algorithm).toBe(ALGORITHM);
    expect(() => Signature.getInstance(ALGORITHM, { context, provider: '', query: '?x=1' })).toThrow(
      InvalidParameterError,
    );
    for (const query of [3, null, {}]) {
      expect(() => Signature.getInstance(ALGORITHM, { context, query: query as never })).toThrow(InvalidParameterError);
    }
  });
});
