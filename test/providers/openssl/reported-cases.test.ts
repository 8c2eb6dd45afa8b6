// The key imports among the cases from public bug reports: nothing malformed may reach OpenSSL.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OpenSslKeyFactory } from '../../../providers/openssl/key-factory.ts';
import { InvalidKeySpecError } from '../../../spi/errors.ts';
import {
  type JsonWebKey,
  JwkKeySpec,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../../spi/key-specs.ts';
import type { Key } from '../../../spi/keys.ts';
import { resolveCurve } from '../../../spi/names.ts';

interface Item {
  readonly name: string;
  readonly op: string;
  readonly format: string;
  readonly key?: string;
  readonly pem?: string;
  readonly jwk?: JsonWebKey;
  readonly curve?: string;
  readonly expectCurve?: string;
}
interface Expected {
  readonly name: string;
  readonly outcome: 'value' | 'reject';
  readonly value?: { readonly publicKey?: string; readonly privateKey?: string };
  readonly or?: { readonly outcome: 'value' | 'reject' };
}
interface Case {
  readonly id: string;
  readonly input: { readonly op: string; readonly items: readonly Item[] };
  readonly expect: { readonly items: readonly Expected[] };
}

const cases = JSON.parse(
  readFileSync(new URL('../../cases/reported.json', import.meta.url), 'utf8'),
) as readonly Case[];

const imports = cases.flatMap(({ id, input, expect: expected }) =>
  input.items.flatMap((given) => {
    const item = { ...input, ...given } as Item;
    const wanted = expected.items.find(({ name }) => name === item.name);
    return item.op === 'key.import' && wanted !== undefined && (item.key ?? item.pem ?? item.jwk) !== undefined
      ? [{ title: `${id} ${item.name}`, item, wanted }]
      : [];
  }),
);

function specs(item: Item): { readonly spec: KeySpec; readonly kinds: readonly ('public' | 'private')[] } {
  const bytes = (): Uint8Array => Uint8Array.from(Buffer.from(item.key ?? '', 'hex'));
  const curve = item.curve ?? item.expectCurve;
  switch (item.format) {
    case 'spki':
      return { spec: new X509EncodedKeySpec(bytes()), kinds: ['public'] };
    case 'pkcs8':
      return { spec: new PKCS8EncodedKeySpec(bytes()), kinds: ['private'] };
    case 'sec1':
      return { spec: new Sec1EncodedKeySpec(bytes(), curve === undefined ? {} : { curve }), kinds: ['private'] };
    case 'jwk': {
      const jwk = item.jwk ?? {};
      return { spec: new JwkKeySpec(jwk), kinds: [jwk.d === undefined ? 'public' : 'private'] };
    }
    case 'pem':
      return { spec: new PemKeySpec(item.pem ?? item.key ?? ''), kinds: ['private', 'public'] };
    case 'raw':
      return { spec: new RawKeySpec(bytes(), { curve: curve ?? 'P-256' }), kinds: ['public'] };
    default:
      return { spec: new RawKeySpec(bytes(), { curve: curve ?? 'P-256' }), kinds: ['private'] };
  }
}

/** The key, by whichever factory takes it; undefined if every one refuses with the right error. */
function importKey(item: Item): Key | undefined {
  for (const family of ['EC', 'EdDSA', 'XDH']) {
    const factory = new OpenSslKeyFactory(family);
    try {
      const { spec, kinds } = specs(item);
      for (const kind of kinds) {
        try {
          return kind === 'public' ? factory.generatePublic(spec) : factory.generatePrivate(spec);
        } catch (error) {
          if (!(error instanceof InvalidKeySpecError)) throw error;
        }
      }
    } catch (error) {
      if (!(error instanceof InvalidKeySpecError)) throw error;
    }
  }
  return undefined;
}

/** Where the caller named a curve, a key on another one is of no use to it: the caller compares. */
function isOnExpectedCurve(key: Key, { expectCurve }: Item): boolean {
  return expectCurve === undefined || resolveCurve(expectCurve)?.name === key.curve;
}

describe('the OpenSSL provider imports keys as the reported cases demand', () => {
  it.each(imports)('$title', ({ item, wanted }) => {
    const key = importKey(item);
    const taken = key !== undefined && isOnExpectedCurve(key, item);
    const allowed = [wanted.outcome, ...(wanted.or === undefined ? [] : [wanted.or.outcome])];
    expect(allowed).toContain(taken ? 'value' : 'reject');
    if (key === undefined || !taken || wanted.value === undefined) return;
    const raw = Buffer.from(new OpenSslKeyFactory(key.algorithm).getKeySpec(key, RawKeySpec).bytes).toString('hex');
    const { privateKey, publicKey } = wanted.value;
    const expected = key.kind === 'private' ? privateKey : publicKey;
    if (expected !== undefined) expect(raw).toBe(expected);
  });
});
