// The test kit from the command line, and with services that never answer.

import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { defineProvider, signatureService } from '../../index.ts';
import { type ConformanceRow, checkProvider, formatReport } from '../../testkit/index.ts';
import { cli, scratchFolder } from '../helpers/cli.ts';

const { path, remove } = scratchFolder();
afterAll(remove);

const SPI = new URL('../../spi/index.ts', import.meta.url).href;

/** A module whose provider verifies by node:crypto, or by what stands in its place. */
function writeModule(name: string, verify: string): string {
  writeFileSync(
    path(name),
    `import { createPublicKey, verify } from 'node:crypto';
     import { defineProvider, signatureService } from '${SPI}';
     const keyOf = (key) => createPublicKey({ key: key.encoded, format: 'der', type: 'spki' });
     export default defineProvider({
       name: 'Mine', version: '2', info: '',
       services: [signatureService({
         algorithm: 'SHA256withECDSA',
         attributes: { SupportedKeyClasses: ['EC'], SupportedCurves: ['secp256r1'] },
         verify: ${verify},
       })],
     });`,
  );
  return path(name);
}

interface Report {
  readonly schema: number;
  readonly rows: readonly { readonly name: string; readonly outcome: string; readonly detail: string | null }[];
}

describe('provium selftest --provider FILE', () => {
  it('ends with 0 for a provider that is right and lists every check with --verbose', async () => {
    const right = writeModule('right.ts', "(key, data, signature) => verify('sha256', data, keyOf(key), signature)");
    const { code, text } = await cli(['selftest', '--provider', right, '--verbose']);
    expect(code).toBe(0);
    expect(text).toMatch(/passed +Mine +SHA256withECDSA: bad signatures/);
    expect(text).toMatch(/not run +Mine +SHA256withECDSA: round trips/);
  });

  it('ends with 1 for a provider that is wrong and says why as data', async () => {
    const wrong = writeModule('wrong.ts', '() => true');
    const { code, ...result } = await cli(['selftest', '--provider', wrong, '--json']);
    expect(code).toBe(1);
    const { schema, rows } = result.json<Report>();
    expect(schema).toBe(1);
    const row = rows.find(({ name }) => name === 'SHA256withECDSA: bad signatures');
    expect(row).toMatchObject({ outcome: 'failed', detail: 'verify accepts an empty signature' });
  });
});

describe('The test kit with an asynchronous service', () => {
  it('does not wait for ever for an answer', async () => {
    const silent = defineProvider({
      name: 'Silent',
      version: '1',
      services: [
        signatureService({
          mode: 'async',
          algorithm: 'SHA256withECDSA',
          attributes: { SupportedKeyClasses: ['EC'], SupportedCurves: ['secp256r1'] },
          verify: () => new Promise<boolean>(() => {}),
        }),
      ],
    });
    const seen: ConformanceRow[] = [];
    const report = await checkProvider(silent, { timeout: 500, onRow: (row) => seen.push(row) });
    expect(report.passed).toBe(false);
    expect(seen).toEqual(report.rows);
    const row = report.rows.find(({ check }) => check === 'known answers');
    expect(row).toMatchObject({ service: 'Signature.SHA256withECDSA async', detail: 'no answer within 500 ms' });
    expect(formatReport(report)).toMatch(/failed +Signature\.SHA256withECDSA async +known answers +no answer/);
  });
});
