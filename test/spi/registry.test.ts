import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecurityContext } from '../../spi/context.ts';
import { InvalidParameterError, NoSuchAlgorithmError } from '../../spi/errors.ts';
import { algorithmRows, nameKey } from '../../spi/names.ts';
import { defineProvider } from '../../spi/provider.ts';
import { SERVICE_TYPES } from '../../spi/service.ts';
import { Signature } from '../../spi/signature.ts';
import { ALGORITHM, FakePrivateKey, fakeProvider, fakeService } from './fakes.ts';

const names = (context: SecurityContext) => context.getProviders().map(({ name }) => name);
const command = fc.oneof(
  fc.record({
    do: fc.constant('insert' as const),
    name: fc.constantFrom('A', 'B', 'C', 'D'),
    at: fc.integer({ min: -2, max: 7 }),
  }),
  fc.record({ do: fc.constant('add' as const), name: fc.constantFrom('A', 'B', 'C', 'D'), at: fc.constant(0) }),
  fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom('A', 'B', 'C', 'D', 'Z'), at: fc.constant(0) }),
);

describe('The list of providers', () => {
  test('follows a plain array through any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const context = new SecurityContext();
        const model: string[] = [];
        for (const { do: what, name, at } of commands) {
          const there = model.indexOf(name);
          if (what === 'remove') {
            expect(context.removeProvider(name)).toBe(there >= 0);
            if (there >= 0) model.splice(there, 1);
          } else {
            const provider = fakeProvider(name);
            const got = what === 'add' ? context.addProvider(provider) : context.insertProviderAt(provider, at);
            if (there >= 0) expect(got).toBe(-1);
            else {
              const index = at < 1 || at > model.length ? model.length : at - 1;
              model.splice(index, 0, name);
              expect(got).toBe(index + 1);
            }
          }
          expect(names(context)).toEqual(model);
          for (const each of model) expect(context.getProvider(each)?.name).toBe(each);
          if (model.length > 0) {
            const signature = Signature.getInstance(ALGORITHM, { context }).initSign(new FakePrivateKey('k'));
            expect(signature.provider?.name).toBe(model[0]);
          } else expect(() => Signature.getInstance(ALGORITHM, { context })).toThrow(NoSuchAlgorithmError);
        }
      }),
    );
  });

  test('is a snapshot: a list handed out does not change', () => {
    const context = new SecurityContext({ providers: [fakeProvider('A'), fakeProvider('B')] });
    const before = context.getProviders();
    context.removeProvider('A');
    expect(before.map(({ name }) => name)).toEqual(['A', 'B']);
    before.pop();
    expect(names(context)).toEqual(['B']);
  });

  test('contexts leak nothing into each other', () => {
    const [one, two] = [new SecurityContext(), new SecurityContext()];
    one.addProvider(fakeProvider('A'));
    one.setPreferred({ [ALGORITHM]: 'A' });
    expect(names(two)).toEqual([]);
    expect(() => Signature.getInstance(ALGORITHM, { context: two })).toThrow(NoSuchAlgorithmError);
  });

  test('refuses what is no provider, and a position that is no whole number', () => {
    const context = new SecurityContext();
    for (const junk of [null, {}, 'A', { name: 'A', version: '1', services: [] }]) {
      expect(() => context.addProvider(junk as never)).toThrow(InvalidParameterError);
    }
    expect(() => context.insertProviderAt(fakeProvider('A'), 1.5)).toThrow(InvalidParameterError);
    expect(names(context)).toEqual([]);
  });
});

describe('Look-up by name', () => {
  const every = SERVICE_TYPES.filter((type) => type === 'Signature').flatMap((type) => algorithmRows(type));

  test('every standard algorithm is found by its aliases and OIDs in any case, declared or not', () => {
    const provider = defineProvider({
      name: 'A',
      version: '1',
      services: every.map(({ name }) => fakeService('A', { algorithm: name })),
    });
    const context = new SecurityContext({ providers: [provider] });
    const anyCase = (name: string) =>
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((upper) => [...name].map((c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase())).join(''));
    for (const row of every) {
      for (const alias of [row.name, ...row.aliases, ...row.aliases.map((oid) => `OID.${oid}`)]) {
        fc.assert(
          fc.property(anyCase(alias), (written) => {
            const signature = Signature.getInstance(written, { context });
            expect(signature.algorithm).toBe(written);
            expect(context.getService('Signature', written)?.algorithm).toBe(row.name);
          }),
          { numRuns: 5 },
        );
      }
    }
  });

  test('no Unicode folding makes two names one', () => {
    const context = new SecurityContext({ providers: [fakeProvider('A', { algorithm: 'KISS' })] });
    expect(Signature.getInstance('kiss', { context }).algorithm).toBe('kiss');
    for (const other of ['\u212Aiss', 'k\u0131ss', 'K\u0130SS', 'ki\u00DF']) {
      expect(() => Signature.getInstance(other, { context })).toThrow(NoSuchAlgorithmError);
      expect(nameKey(other)).not.toBe(nameKey('KISS'));
    }
  });

  test('the filters of the JCA find providers, and nothing is an empty list', () => {
    const strong = defineProvider({
      name: 'S',
      version: '1',
      services: [{ ...fakeService('S'), attributes: { KeySize: 521, SupportedCurves: ['secp256r1'] } } as never],
    });
    const context = new SecurityContext({ providers: [fakeProvider('A'), strong] });
    const found = (filter: string | Record<string, string>) => context.getProviders(filter).map(({ name }) => name);
    expect(found('Signature.sha256WITHecdsa')).toEqual(['A', 'S']);
    expect(found('Signature.1.2.840.10045.4.3.2 KeySize:256')).toEqual(['S']);
    expect(found(`Signature.${ALGORITHM} SupportedCurves:P-256`)).toEqual(['S']);
    expect(found(`Signature.${ALGORITHM} KeySize:522`)).toEqual([]);
    expect(found({ [`Signature.${ALGORITHM}`]: '', [`Signature.${ALGORITHM} KeySize`]: '521' })).toEqual(['S']);
    for (const bad of [
      'Signature',
      '.X',
      'Signature.',
      `Signature.${ALGORITHM} KeySize`,
      `Signature.X A:`,
      'Signature.X A:b|c',
    ]) {
      expect(() => context.getProviders(bad)).toThrow(InvalidParameterError);
    }
    expect(context.getAlgorithms('signature')).toEqual([ALGORITHM]);
    expect(context.getAlgorithms('Nonsense')).toEqual([]);
  });
});
