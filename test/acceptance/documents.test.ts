// Holds docs/acceptance.md and docs/standards.md to the source: every file and every test that they name is there.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The tests of OpenJDK that have a counterpart. */
const JDK_TESTS = [
  ...['TestEC', 'ECDSAPrimitive', 'ECDHPrimitive', 'ECDHKeyAgreementParamValidation', 'ECDSAPrvGreaterThanOrder'],
  ...['InvalidCurve', 'NONEwithECDSAOffsetTest', 'TestSHAwithECDSASignatureOids', 'OidInstance', 'SignatureKAT'],
  ...['SignatureParameters', 'TestEdDSA', 'TestEdOps', 'EdDSATest', 'EdDSANegativeTest', 'EdDSAParamSpec'],
  ...['EdDSAReuseTest', 'EdDSAKeyCompatibility', 'EdDSAKeySize', 'EdECKeyFormat', 'EmptyMessage', 'TestXDH'],
  ...['TestXECOps', 'XECIterative', 'XECKeyFormat', 'ECOperationsFuzzTest', 'ECOperationsKATTest'],
  ...['IntegerPolynomialTest', 'MontgomeryPolynomialFuzzTest', 'TestIntegerModuloP'],
];

interface Row {
  readonly jdk: string;
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap((line) => {
    const [, jdk = '', , ours = ''] = line.split('|').map((cell) => cell.trim());
    const tests = [...ours.matchAll(/`(test\/[^`]+)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));
    return tests.length === 0 ? [] : [{ jdk, tests }];
  });
}

describe('the table of acceptance', () => {
  const rows = rowsOf(read('docs/acceptance.md'));

  it('has one row for every test of the list', () => {
    expect(rows.map(({ jdk }) => jdk).sort()).toEqual([...JDK_TESTS].sort());
  });

  it.each(rows)('names tests that exist: $jdk', ({ tests }) => {
    for (const { file, name } of tests) {
      const source = read(file);
      const titles = [...source.matchAll(/(?<=[(\s])(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1,/g)].map(([, , title]) => title);
      expect(titles, file).toContain(name);
    }
  });
});

describe.each(['docs/acceptance.md', 'docs/standards.md'])('%s', (document) => {
  const paths = [
    ...read(document).matchAll(/`((?:spi|engines|fields|providers|cli|test|scripts|docs)\/[^`\s]*)`/g),
  ].map(([, path = '']) => path);

  it('names files, all of which exist', () => {
    expect(paths.length).toBeGreaterThan(20);
    for (const path of new Set(paths)) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });
});
