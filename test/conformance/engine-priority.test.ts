// Which provider and which engine serve is configured, not coded; and what `explain` says is what is bound.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  defineProvider,
  KeyAgreement,
  KeyFactory,
  type PrivateKey,
  ProviumError,
  type PublicKey,
  RawKeySpec,
  SecurityContext,
  Signature,
  type SignOptions,
  signatureService,
} from '../../index.ts';

interface Decision {
  readonly id: string;
  readonly taken: boolean;
}
interface Report {
  readonly provider: string;
  readonly valid: boolean;
  readonly chosen: string;
  readonly engine?: unknown;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = fileURLToPath(new URL('programs/sign.mjs', import.meta.url));
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provium-priority-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program as it lies there, with a configuration file or without one. */
function runProgram(configuration?: object): Report {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['PROVIUM_CONFIG'];
  const args = [PROGRAM];
  if (configuration !== undefined) {
    const file = join(folder, 'provium.json');
    writeFileSync(file, JSON.stringify(configuration));
    env['PROVIUM_CONFIG'] = file;
    args.unshift('--import', 'provium/auto');
  }
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' })) as Report;
}

/** The multiplier taken for a role, wherever it stands in the explanation. */
function taken(value: unknown, role: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const own = (value as Record<string, unknown>)[role];
  if (Array.isArray(own)) return (own as Decision[]).find((decision) => decision.taken)?.id;
  for (const member of Object.values(value)) {
    const found = taken(member, role);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('one program, unchanged', () => {
  it('signs with Provium where nothing is configured', () => {
    const report = runProgram();
    expect(report).toMatchObject({ provider: 'Provium', chosen: 'Provium', valid: true });
    expect(taken(report.engine, 'base')).toBe('secp256r1/comb');
  });

  it('signs with OpenSSL where the configuration puts it first', () => {
    const report = runProgram({ providers: ['OpenSSL', 'Provium'] });
    expect(report).toMatchObject({ provider: 'OpenSSL', chosen: 'OpenSSL', valid: true });
  });

  it('signs with OpenSSL where the configuration prefers it for this algorithm', () => {
    const report = runProgram({ preferred: { 'Signature.SHA256withECDSA': 'OpenSSL' } });
    expect(report).toMatchObject({ provider: 'OpenSSL', chosen: 'OpenSSL', valid: true });
  });

  it('signs with another multiplier where the configuration names one', () => {
    const engines = { curves: { secp256r1: { base: 'complete-comb' } } };
    const report = runProgram({ providers: ['Provium'], engines });
    expect(report).toMatchObject({ provider: 'Provium', valid: true });
    expect(taken(report.engine, 'base')).toBe('secp256r1/complete-comb');
  });

  it('names neither a provider nor an engine', () => {
    const text = readFileSync(PROGRAM, 'utf8').replaceAll("'provium'", '');
    expect(text).not.toMatch(/openssl|['"]Provium|comb|window/i);
  });
});

/** Takes keys and options or not, as it is told; what it signs is never looked at. */
function fake(name: string, keys: boolean, options: boolean, failsInit: boolean) {
  return defineProvider({
    name,
    version: '1',
    services: [
      {
        ...signatureService({
          algorithm: 'SHA256withECDSA',
          importsPrivateKeys: true,
          supportsKey: () => keys || 'it takes no key today',
          supportsOptions: () => options || 'it honours no option today',
          sign: () => new Uint8Array(70),
          verify: () => true,
        }),
        ...(failsInit
          ? {
              newInstance: () => {
                throw new Error('it is out of order');
              },
            }
          : {}),
      },
    ],
  });
}

describe('explain and selection', () => {
  const factory = KeyFactory.getInstance('EC', 'Provium');
  const scalar = new RawKeySpec(new Uint8Array(32).fill(7), { curve: 'P-256' });
  const privateKey = factory.generatePrivate(scalar);
  const publicKey = factory.generatePublic(new RawKeySpec(pointOf(privateKey), { curve: 'P-256' }));

  it('agree on the provider, whatever is registered, preferred and asked for', () => {
    const providers = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D'), { minLength: 1 });
    const traits = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 4, maxLength: 4 });
    const preferred = fc.option(fc.constantFrom('A', 'B', 'C', 'D', 'absent'), { nil: undefined });
    const options = fc.constantFrom<SignOptions | undefined>(undefined, { nonce: 'deterministic' }, { lowS: true });
    fc.assert(
      fc.property(providers, traits, preferred, options, fc.boolean(), (names, given, first, wish, signing) => {
        const context = new SecurityContext({
          providers: names.map((name) => {
            const [keys = true, honours = true, fails = false] = given['ABCD'.indexOf(name)] ?? [];
            return fake(name, keys, honours, fails);
          }),
          ...(first === undefined ? {} : { preferred: { 'Signature.SHA256withECDSA': first } }),
        });
        const key = signing ? privateKey : publicKey;
        const asked = signing || wish?.nonce === undefined ? wish : undefined;
        expect(boundOf(context, key, asked)).toBe(context.explain('Signature', 'SHA256withECDSA', key, asked).chosen);
      }),
      { numRuns: 200 },
    );
  });

  it('agree on the built-in providers in every order', async () => {
    for (const order of [['Provium', 'OpenSSL'], ['OpenSSL', 'Provium'], ['OpenSSL'], ['Provium']]) {
      const context = await SecurityContext.fromConfig({ providers: order });
      for (const wish of [undefined, { nonce: 'deterministic' }, { lowS: true }] as const) {
        const explanation = context.explain('Signature', 'SHA256withECDSA', privateKey, wish);
        expect(boundOf(context, privateKey, wish)).toBe(explanation.chosen);
        expect(
          explanation.candidates.filter(({ taken: isTaken }) => !isTaken).every(({ reason }) => reason !== ''),
        ).toBe(true);
      }
      const agreement = KeyAgreement.getInstance('ECDH', { context }).init(privateKey);
      expect(agreement.provider?.name).toBe(context.explain('KeyAgreement', 'ECDH', privateKey).chosen);
    }
  });

  function boundOf(context: SecurityContext, key: PrivateKey | PublicKey, options: SignOptions | undefined) {
    try {
      const object = Signature.getInstance('SHA256withECDSA', { context });
      if (key.kind === 'private') object.initSign(key as PrivateKey, options);
      else object.initVerify(key as PublicKey, options === undefined ? undefined : { lowS: options.lowS });
      return object.provider?.name;
    } catch (error) {
      if (error instanceof ProviumError) return undefined;
      throw error;
    }
  }
});

function pointOf(key: PrivateKey): Uint8Array {
  const encoded = key.encoded ?? new Uint8Array();
  // Our PKCS #8 ends with the uncompressed point.
  return encoded.slice(-65);
}
