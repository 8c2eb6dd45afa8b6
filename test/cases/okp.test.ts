// The reported cases about EdDSA and XDH against the provider Provium.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OkpPrivate } from '../../providers/provium/okp-keys.ts';
import { ProviumError } from '../../spi/errors.ts';
import {
  type JsonWebKey,
  JwkKeySpec,
  type KeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  X509EncodedKeySpec,
} from '../../spi/key-specs.ts';
import type { Key, PrivateKey, PublicKey } from '../../spi/keys.ts';
import type { VerificationCriteria } from '../../spi/service.ts';
import { bytes, hex, spi } from '../providers/provium/support.ts';

interface Outcome {
  readonly outcome: 'value' | 'reject';
  readonly value?: unknown;
  readonly error?: string;
  readonly or?: Outcome;
}
type Item = Readonly<Record<string, unknown>> & { readonly name: string };
interface Case {
  readonly id: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>> & { readonly items: readonly Item[] };
  readonly expect: { readonly items: readonly (Outcome & { readonly name: string })[] };
}

const cases = JSON.parse(readFileSync(new URL('./reported.json', import.meta.url), 'utf8')) as Case[];
const IDS = ['R10', 'R11', 'R12', 'R13', 'R14', 'R16', 'R22', 'R26', 'R29'];
/** Cases with items about other curves too. */
const MIXED = ['R26', 'R29'];
const selected = cases.filter(({ id }) => IDS.includes(id));

const string = (item: Item, field: string): string => {
  const value = item[field];
  if (typeof value !== 'string') throw new Error(`the item ${item.name} has no ${field}`);
  return value;
};
const field = (item: Item, name: string): Uint8Array => bytes(string(item, name));
/** A message, or a view into a larger buffer. */
function dataOf(item: Item): Uint8Array {
  if (item['backing'] === undefined) return field(item, 'message');
  const { buffer } = field(item, 'backing');
  return new Uint8Array(buffer, Number(item['offset']), Number(item['length']));
}
const raw = (item: Item, name: string): RawKeySpec =>
  new RawKeySpec(field(item, name), { curve: string(item, 'curve') });

function verify(item: Item): boolean {
  const key = spi('KeyFactory', string(item, 'curve')).generatePublic(raw(item, 'publicKey'));
  const criteria = item['policy'] as VerificationCriteria | undefined;
  const options = criteria === undefined ? {} : { criteria };
  const verifier = spi('Signature', string(item, 'curve'));
  verifier.initVerify(key, options);
  verifier.update(field(item, 'message'));
  const answer = verifier.verify(field(item, 'signature'));
  expect(verifier.verifyOnce?.(key, field(item, 'message'), field(item, 'signature'), options)).toBe(answer);
  return answer;
}

function sign(item: Item): string {
  const signer = spi('Signature', 'EdDSA');
  const key = spi('KeyFactory', 'EdDSA').generatePrivate(raw(item, 'privateKey'));
  const signature = signer.signOnce!(key, dataOf(item), {});
  signer.initSign(key, {});
  signer.update(dataOf(item));
  expect(signer.sign()).toEqual(signature);
  return hex(signature);
}

function agree(item: Item): string {
  const factory = spi('KeyFactory', string(item, 'curve'));
  const agreement = spi('KeyAgreement', string(item, 'curve'));
  agreement.init(factory.generatePrivate(raw(item, 'privateKey')), {});
  agreement.doPhase(factory.generatePublic(raw(item, 'peer')));
  return hex(agreement.generateSecret());
}

function specOf(item: Item): KeySpec {
  if (item['format'] === 'jwk') return new JwkKeySpec(item['jwk'] as JsonWebKey);
  if (item['format'] === 'raw') return new RawKeySpec(dataOf(item), { curve: string(item, 'curve') });
  return new PKCS8EncodedKeySpec(field(item, 'key'));
}

/** All that the result states. */
function importKey(item: Item, wanted: Outcome): unknown {
  const spec = specOf(item);
  const jwk = spec instanceof JwkKeySpec ? spec.jwk : undefined;
  const crv = jwk?.crv !== undefined && /^(Ed|X)\d/.test(jwk.crv) ? jwk.crv : 'Ed25519';
  const factory = spi('KeyFactory', String(item['expectCurve'] ?? crv));
  const open = factory.generatePublic(spec);
  const all: Record<string, unknown> = {
    curve: open.curve,
    publicKey: hex(factory.getKeySpec(open, RawKeySpec).bytes),
  };
  if (spec instanceof PKCS8EncodedKeySpec || jwk?.d !== undefined) {
    const key = factory.generatePrivate(spec) as OkpPrivate;
    expect(key.publicKey().equals(open)).toBe(true);
    all['privateKey'] = hex(factory.getKeySpec(key, RawKeySpec).bytes);
  }
  const stated = Object.keys((wanted.value ?? {}) as object);
  return Object.fromEntries(Object.entries(all).filter(([name]) => stated.includes(name)));
}

/** The family of a key is told by the OID inside; the import itself works. */
function anyKey(item: Item): Key {
  const spec =
    item['keyFormat'] === 'spki'
      ? new X509EncodedKeySpec(field(item, 'key'))
      : new PKCS8EncodedKeySpec(field(item, 'key'));
  for (const family of ['EC', 'EdDSA', 'XDH']) {
    const factory = spi('KeyFactory', family);
    try {
      return spec instanceof X509EncodedKeySpec ? factory.generatePublic(spec) : factory.generatePrivate(spec);
    } catch (error) {
      if (!(error instanceof ProviumError)) throw error;
    }
  }
  throw new Error(`no factory takes the key of ${item.name}`);
}

function init(item: Item): void {
  const key = anyKey(item);
  const algorithm = string(item, 'algorithm');
  if (item['service'] === 'KeyAgreement') spi('KeyAgreement', algorithm).init(key as PrivateKey, {});
  else if (item['use'] === 'verify') spi('Signature', algorithm).initVerify(key as PublicKey, {});
  else spi('Signature', algorithm).initSign(key as PrivateKey, {});
}

const OPERATIONS: Readonly<Record<string, (item: Item, wanted: Outcome) => unknown>> = {
  'eddsa.verify': verify,
  'eddsa.sign': sign,
  xdh: agree,
  'key.import': importKey,
  init,
};

/** What is right for the item, `or` included. Raw material of a wrong form is refused when the key is made. */
function matches(wanted: Outcome, run: { value: unknown } | { error: unknown }): boolean {
  if (wanted.or !== undefined && matches(wanted.or, run)) return true;
  if (wanted.outcome === 'value') {
    return 'value' in run && JSON.stringify(sorted(run.value)) === JSON.stringify(sorted(wanted.value));
  }
  if (!('error' in run) || !(run.error instanceof ProviumError)) return false;
  const kind = run.error.name.replace(/Error$/, '');
  const keyKinds = ['InvalidKey', 'InvalidKeySpec'];
  return kind === wanted.error || (keyKinds.includes(kind) && keyKinds.includes(wanted.error ?? ''));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe.each(selected)('$id: $title', ({ id, input, expect: expected }) => {
  const { items, ...shared } = input;
  const scope = items.flatMap((own, index) => {
    const wanted = expected.items[index];
    if (wanted?.name !== own.name) throw new Error(`the expectations are out of order at ${own.name}`);
    if (MIXED.includes(id) && !/25519|OKP/.test(JSON.stringify(own))) return [];
    return { name: own.name, item: { ...shared, ...own, op: own['op'] ?? shared['op'] } as Item, wanted };
  });

  it.each(scope)('$name', ({ item, wanted }) => {
    const operation = OPERATIONS[String(item['op'])];
    if (operation === undefined) throw new Error(`no operation ${String(item['op'])}`);
    let run: { value: unknown } | { error: unknown };
    try {
      run = { value: operation(item, wanted) };
    } catch (error) {
      run = { error };
    }
    if (!matches(wanted, run)) expect(run).toEqual(wanted);
  });
});

it('the reported cases are all there', () => {
  expect(selected.map(({ id }) => id)).toEqual(IDS);
});
