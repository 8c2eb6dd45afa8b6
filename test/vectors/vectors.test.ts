// The vector programme against the providers that come with the package.

import { describe, expect, it } from 'vitest';
import { KeyPairGenerator, resolveCurve } from '../../index.ts';
import { notTestedHere } from '../helpers/not-tested.ts';
import { wanted } from './adapters/agreements.ts';
import { cavsRecords } from './adapters/nist.ts';
import { wycheproofSignatures } from './adapters/signatures.ts';
import { countCases, type Entry, hex, Wrong } from './case.ts';
import { runFile } from './runner.ts';
import { absenceLine, openLibrary } from './sources.ts';
import { createSubject } from './subject.ts';

const library = openLibrary();
if (!library.complete) notTestedHere(absenceLine());

/** Curves of the files that every test run takes; `npm run vectors` takes all. PROVIUM_TEST_TIER=ci takes all too. */
const everything = process.env['PROVIUM_TEST_TIER'] === 'ci';
const USUAL = ['secp256r1', 'Ed25519', 'X25519'];

function isUsual({ curve }: Entry): boolean {
  return everything || [curve].flat().some((name) => USUAL.includes(resolveCurve(name)?.name ?? ''));
}

describe('the vector files', () => {
  it('are all there in CI', () => {
    expect(library.complete || process.env['CI'] !== 'true').toBe(true);
  });

  it('of RFCs are part of the repository', () => {
    const own = openLibrary(undefined).entries.filter(({ file }) => file.startsWith('rfc/'));
    expect(own).toHaveLength(4);
  });

  it('are each listed once', () => {
    const files = library.entries.map(({ file }) => file);
    expect(new Set(files).size).toBe(files.length);
  });
});

describe.each(['Provium', 'OpenSSL'])('%s', (provider) => {
  const subject = createSubject(provider);
  it.each(library.entries.filter(isUsual))(
    'answers every case of $file rightly, and leaves out none on P-256',
    (entry) => {
      const row = runFile(library, entry, subject);
      expect(row.failures).toEqual([]);
      expect(row.passed + row.refused + row.skipped.length).toBe(entry.cases);
      if (resolveCurve([entry.curve].flat().join())?.name === 'secp256r1') expect(row.skipped).toEqual([]);
      for (const { reason } of row.skipped) expect(reason.length).toBeGreaterThan(10);
    },
  );
});

describe('the runner', () => {
  it('counts what goes wrong, with its reason', () => {
    const row = countCases('file', 'provider', [
      { id: 'a', run: () => 'passed' },
      { id: 'b', run: () => 'refused' },
      { id: 'c', skip: 'it is not served' },
      {
        id: 'd',
        run() {
          throw new Wrong('a bad signature verifies');
        },
      },
    ]);
    expect(row).toMatchObject({ cases: 4, passed: 1, refused: 1, wrong: 1 });
    expect(row.skipped).toEqual([{ id: 'c', reason: 'it is not served' }]);
    expect(row.failures[0]?.detail).toContain('a bad signature verifies');
  });

  it('finds a provider that refuses every signature', () => {
    const entry = library.entries.find(({ file }) => file === 'rfc/rfc6979-ecdsa.json');
    const deaf = { ...createSubject('OpenSSL'), verifier: () => ({ verify: () => false }) };
    expect(runFile(library, entry as Entry, deaf).wrong).toBeGreaterThan(0);
  });

  it('finds a provider that takes every signature', () => {
    const { publicKey } = KeyPairGenerator.getInstance('EC').initialize(256).generateKeyPair();
    const tests = [{ tcId: 1, msg: '00', sig: '00', result: 'invalid' }];
    const group = { publicKeyDer: hex(publicKey.encoded ?? new Uint8Array()), tests };
    const file = Buffer.from(JSON.stringify({ testGroups: [group] }));
    const entry = { curve: 'secp256r1', hash: 'SHA-256', encoding: 'der' } as unknown as Entry;
    const gullible = { ...createSubject('OpenSSL'), verifier: () => ({ verify: () => true }) };
    expect(countCases('file', 'OpenSSL', wycheproofSignatures(file, entry, gullible)).wrong).toBe(1);
    expect(countCases('file', 'OpenSSL', wycheproofSignatures(file, entry, createSubject('OpenSSL'))).refused).toBe(1);
  });

  it('reads integers, sections and records of CAVS files', () => {
    const text =
      '# comment\r\n[P-256,SHA-256]\r\n\r\nQx = 0a\r\nQy = b\r\n\r\nQx = 1\r\nQx = 2\r\n[K-163]\r\nQx = 3\r\n';
    const entry = { curve: ['P-256'] } as unknown as Entry;
    const values = [...cavsRecords(text, entry)].map((record) => record.values['Qx']);
    expect(values).toEqual(['0a', '1', '2']);
  });

  it('has one decision for each flag of a case that may go either way', () => {
    const decide = (...flags: string[]) => wanted({ result: 'acceptable', flags });
    expect(decide('CompressedPublic', 'CompressedPoint')).toBe('compute');
    expect(decide('WrongOrder', 'UnusedParam', 'UnnamedCurve')).toBe('refuse');
    expect(decide('InvalidAsn')).toBe('refuse');
    expect(decide('LowOrderPublic', 'ZeroSharedSecret', 'Twist')).toBe('refuse');
    expect(decide('NonCanonicalPublic', 'Twist')).toBe('compute');
  });
});
