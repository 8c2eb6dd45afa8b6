// Every item of the reported cases about signatures, agreement and keys, through the public façades on each provider.
// What a provider does not serve is left out with the reason; where the other cases are run stands in the table below.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type JsonWebKey,
  JwkKeySpec,
  type Key,
  KeyAgreement,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  ProviumError,
  RawKeySpec,
  resolveCurve,
  Sec1EncodedKeySpec,
  type ServiceType,
  Signature,
  type SignOptions,
  type VerifyOptions,
  X509EncodedKeySpec,
} from '../../index.ts';
import { createSubject, familyOf, type Subject } from '../vectors/subject.ts';

type Item = Readonly<Record<string, unknown>> & { readonly name: string };
interface Wanted {
  readonly outcome: 'value' | 'reject';
  readonly value?: unknown;
  readonly error?: string;
  readonly or?: Wanted;
}
interface Case {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>> & { readonly items: readonly Item[] };
  readonly expect: { readonly items: readonly Wanted[] };
}

const cases = JSON.parse(readFileSync(new URL('./reported.json', import.meta.url), 'utf8')) as readonly Case[];

/** Cases that façades alone cannot run, and the test that runs them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  R28: 'test/spi/encoding/cka-ec-point.test.ts',
  R31: 'test/engines/ec-operations.test.ts',
  R32: 'test/cases/provider-selection.test.ts',
  R33: 'test/cases/provider-selection.test.ts',
  R34: 'test/cases/provider-selection.test.ts',
  R35: 'test/cases/provider-selection.test.ts',
  R36: 'test/cases/signature-states.test.ts',
  R37: 'test/cases/container-and-concurrency.test.ts',
  R38: 'test/fields/cases.test.ts',
  R39: 'test/cases/container-and-concurrency.test.ts',
  R40: 'test/fields/cases.test.ts',
};

/** Cases whose items do not say their curve by themselves. */
const ABOUT: Readonly<Record<string, object>> = { R14: { curve: 'Ed25519' } };

const AREAS = ['signature', 'agreement', 'keygen', 'encoding'];
const OPERATIONS = new Set([
  'ecdsa.verify',
  'ecdsa.sign.deterministic',
  'eddsa.verify',
  'eddsa.sign',
  'ecdh',
  'xdh',
  'key.import',
  'key.export',
  'init',
]);

const text = (item: Item, field: string): string => {
  const value = item[field];
  if (typeof value !== 'string') throw new Error(`the item ${item.name} has no ${field}`);
  return value;
};
const bytes = (item: Item, field: string) => Uint8Array.from(Buffer.from(text(item, field), 'hex'));
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');

function signatureName(item: Item): string {
  if (String(item['op']).startsWith('eddsa')) return text(item, 'curve');
  const form = item['format'] === 'p1363' ? 'inP1363Format' : '';
  return `${text(item, 'hash').replace(/^SHA-/, 'SHA')}withECDSA${form}`;
}

/** A message, a digest as it stands, or a view into a larger buffer, which is handed over as those bytes. */
function dataOf(item: Item): Uint8Array {
  if (item['backing'] === undefined) return bytes(item, item['digest'] === undefined ? 'message' : 'digest');
  return new Uint8Array(bytes(item, 'backing').buffer, Number(item['offset']), Number(item['length']));
}

function specOf(item: Item): KeySpec {
  const curve = String(item['curve'] ?? item['expectCurve'] ?? 'P-256');
  switch (item['format'] ?? item['keyFormat']) {
    case 'pkcs8':
      return new PKCS8EncodedKeySpec(bytes(item, 'key'));
    case 'spki':
      return new X509EncodedKeySpec(bytes(item, 'key'));
    case 'sec1':
      return new Sec1EncodedKeySpec(bytes(item, 'key'));
    case 'jwk':
      return new JwkKeySpec(item['jwk'] as JsonWebKey);
    case 'pem':
      return new PemKeySpec(text(item, 'pem'));
    case 'raw':
      return new RawKeySpec(item['backing'] === undefined ? bytes(item, 'key') : dataOf(item), { curve });
    default:
      return new RawKeySpec(bytes(item, 'key'), { curve });
  }
}

function isPrivate(item: Item): boolean {
  const jwk = item['jwk'] as JsonWebKey | undefined;
  const format = String(item['format'] ?? item['keyFormat']);
  const isPem = format === 'pem' && text(item, 'pem').includes('PRIVATE KEY-----');
  return ['pkcs8', 'sec1', 'raw-private'].includes(format) || jwk?.d !== undefined || isPem;
}

/** The families whose factories are asked: that of the curve, if the item says it, else all. */
function familiesOf(item: Item): readonly string[] {
  const curve = item['curve'] ?? item['expectCurve'];
  return typeof curve === 'string' ? [familyOf(curve)] : ['EC', 'EdDSA', 'XDH'];
}

/** By whichever factory of the provider takes it. */
function importKey(subject: Subject, item: Item): Key {
  let first: unknown;
  for (const family of familiesOf(item)) {
    if (subject.lacks('KeyFactory', family, family === 'EC' ? 'P-256' : `${family === 'XDH' ? 'X' : 'Ed'}25519`))
      continue;
    try {
      return isPrivate(item) ? subject.importPrivate(family, specOf(item)) : subject.importPublic(family, specOf(item));
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/** What an import gave, in the words of the cases. A key on another curve than was asked for is of no use to its caller. */
function describeKey(subject: Subject, item: Item): unknown {
  const key = importKey(subject, item);
  const wantedCurve = item['expectCurve'];
  if (typeof wantedCurve === 'string' && resolveCurve(wantedCurve)?.name !== key.curve) {
    // The key says its curve; that the agreement refuses it is a test of its own.
    return { refusedByCaller: key.curve };
  }
  const raw = hex(subject.exportKey(key, RawKeySpec).bytes);
  const row = resolveCurve(key.curve ?? '');
  const curve = row?.jwkName ?? row?.name;
  if (key.kind === 'public') return { curve, publicKey: raw };
  const { x, y } = subject.exportKey(key, JwkKeySpec).jwk;
  const octets = [x, y].map((part) => Buffer.from(part ?? '', 'base64url').toString('hex')).join('');
  return { curve, privateKey: raw, publicKey: y === undefined ? octets : `04${octets}` };
}

function privateKey(subject: Subject, item: Item) {
  const curve = text(item, 'curve');
  return subject.importPrivate(familyOf(curve), new RawKeySpec(bytes(item, 'privateKey'), { curve }));
}

function publicKey(subject: Subject, item: Item, field: string) {
  const curve = text(item, 'curve');
  return subject.importPublic(familyOf(curve), new RawKeySpec(bytes(item, field), { curve }));
}

function signOptions(item: Item): SignOptions {
  if (String(item['op']).startsWith('eddsa')) return {};
  return { nonce: 'deterministic', ...(item['nonceHash'] === undefined ? {} : { nonceHash: text(item, 'nonceHash') }) };
}

function verifyOptions(item: Item): VerifyOptions {
  return item['policy'] === undefined ? {} : { criteria: text(item, 'policy') as 'strict' };
}

function init(subject: Subject, item: Item): unknown {
  const { provider } = subject;
  const key = importKey(createSubject('OpenSSL'), { ...item, format: item['keyFormat'] });
  const algorithm = text(item, 'algorithm');
  if (item['service'] === 'KeyAgreement') KeyAgreement.getInstance(algorithm, provider).init(key as never);
  else if (item['use'] === 'sign') Signature.getInstance(algorithm, provider).initSign(key as never);
  else Signature.getInstance(algorithm, provider).initVerify(key as never);
  return undefined;
}

function exportKey(subject: Subject, item: Item): unknown {
  const key = privateKey(subject, item);
  if (item['format'] === 'pkcs8') return hex(key.encoded ?? new Uint8Array());
  const { d, x, y } = subject.exportKey(key, JwkKeySpec).jwk;
  return { d, x, y };
}

function run(subject: Subject, item: Item): unknown {
  switch (item['op']) {
    case 'ecdsa.verify':
    case 'eddsa.verify': {
      const verifier = subject.verifier(signatureName(item));
      return verifier.verify(
        publicKey(subject, item, 'publicKey'),
        dataOf(item),
        bytes(item, 'signature'),
        verifyOptions(item),
      );
    }
    case 'ecdsa.sign.deterministic':
    case 'eddsa.sign':
      return hex(subject.sign(signatureName(item), privateKey(subject, item), dataOf(item), signOptions(item)));
    case 'ecdh':
    case 'xdh': {
      const algorithm = item['op'] === 'ecdh' ? 'ECDH' : text(item, 'curve');
      return hex(subject.agree(algorithm, privateKey(subject, item), publicKey(subject, item, 'peer')));
    }
    case 'key.import':
      return describeKey(subject, item);
    case 'key.export':
      return exportKey(subject, item);
    default:
      return init(subject, item);
  }
}

const NEEDED: Readonly<Record<string, ServiceType>> = {
  ecdh: 'KeyAgreement',
  xdh: 'KeyAgreement',
  'key.import': 'KeyFactory',
  'key.export': 'KeyFactory',
};

/** The curve of an item, said by it or by the key that should come out of it. */
function curveOf(item: Item, wanted: Wanted): string | undefined {
  const value = wanted.value as { readonly curve?: string } | undefined;
  const curve = item['curve'] ?? item['expectCurve'] ?? value?.curve;
  return typeof curve === 'string' ? curve : undefined;
}

/** Why an item is not run on a provider; undefined if it is. */
function reasonToLeaveOut(subject: Subject, item: Item, wanted: Wanted): string | undefined {
  const op = String(item['op']);
  if (op === 'ecdsa.convert') return 'no façade converts signatures; the codecs do, in test/cases/ec-p256.test.ts';
  const curve =
    op === 'init'
      ? /25519|448/.exec(text(item, 'algorithm'))
        ? text(item, 'algorithm')
        : 'P-256'
      : curveOf(item, wanted);
  // Material that is to be refused, of no curve in particular: every provider must refuse it.
  if (curve === undefined) return undefined;
  const type = NEEDED[op] ?? (item['service'] as ServiceType | undefined) ?? 'Signature';
  const family = familyOf(curve);
  const algorithm =
    op === 'init'
      ? text(item, 'algorithm')
      : { KeyFactory: family, KeyAgreement: family === 'EC' ? 'ECDH' : curve, Signature: '' }[type as 'KeyFactory'] ||
        signatureName(item);
  const missing = subject.lacks(type, algorithm, curve);
  if (missing !== undefined) return `needs ${curve} or ${algorithm}, not served yet: ${missing}`;
  if (/sign/.test(op) && !subject.canSign(algorithm, signOptions(item))) return 'needs deterministic nonces';
  const criteria = verifyOptions(item);
  if (criteria.criteria !== undefined && !subject.canVerify(algorithm, criteria)) {
    return `needs the criteria ${criteria.criteria}`;
  }
  return undefined;
}

type Ran = { readonly value: unknown } | { readonly error: unknown };

function matches(wanted: Wanted, ran: Ran): boolean {
  if (wanted.or !== undefined && matches(wanted.or, ran)) return true;
  if (wanted.outcome === 'value') return 'value' in ran && agrees(ran.value, wanted.value);
  // A key that the caller did not ask for is refused by the caller, who sees its curve.
  if ('value' in ran) return typeof ran.value === 'object' && ran.value !== null && 'refusedByCaller' in ran.value;
  if (!(ran.error instanceof ProviumError)) return false;
  const kind = ran.error.name.replace(/Error$/, '');
  const keyKinds = ['InvalidKey', 'InvalidKeySpec'];
  return kind === wanted.error || (keyKinds.includes(kind) && keyKinds.includes(wanted.error ?? ''));
}

/** Objects agree in the members that the case names. */
function agrees(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return actual === expected;
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(([name, value]) => (actual as Record<string, unknown>)[name] === value);
}

const selected = cases
  .filter(({ id, area }) => AREAS.includes(area) && !(id in ELSEWHERE))
  .flatMap(({ id, input: { items, ...shared }, expect: { items: answers } }) =>
    items.map((own, index) => {
      const item: Item = { ...ABOUT[id], ...shared, ...own };
      return { id, item, wanted: answers[index] as Wanted, title: `${id} ${own.name}` };
    }),
  );

describe.each(['Provium', 'OpenSSL'])('%s', (provider) => {
  const subject = createSubject(provider);
  const decided = selected.map((each) => ({ ...each, reason: reasonToLeaveOut(subject, each.item, each.wanted) }));

  it.each(decided.filter(({ reason }) => reason === undefined))('$title', ({ item, wanted }) => {
    let ran: Ran;
    try {
      ran = { value: run(subject, item) };
    } catch (error) {
      ran = { error };
    }
    if (!matches(wanted, ran)) expect(ran).toEqual(wanted);
  });

  it('leaves out nothing on P-256 but what has no façade or no option there', () => {
    const left = decided.filter(({ item, wanted, reason }) => {
      const onP256 = resolveCurve(curveOf(item, wanted) ?? '')?.name === 'secp256r1';
      return onP256 && reason !== undefined;
    });
    const allowed = provider === 'Provium' ? /no façade/ : /no façade|deterministic nonces|NONEwithECDSA/;
    expect(
      left.filter(({ reason }) => !allowed.test(reason ?? '')).map(({ title, reason }) => [title, reason]),
    ).toEqual([]);
  });

  it('gives a reason for whatever else it leaves out', () => {
    const reasons = new Set(decided.flatMap(({ reason }) => reason ?? []));
    for (const reason of reasons) expect(reason).toMatch(/^(needs \S+|no façade)/);
  });
});

describe('the table of cases', () => {
  it('knows an operation for every item of these areas', () => {
    const unknown = selected.filter(
      ({ item }) => !OPERATIONS.has(String(item['op'])) && item['op'] !== 'ecdsa.convert',
    );
    expect(unknown.map(({ title }) => title)).toEqual([]);
  });

  it('has every case', () => {
    const missing = cases.filter(({ id }) => !selected.some((each) => each.id === id) && !(id in ELSEWHERE));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it.each(Object.entries(ELSEWHERE))('%s is run by the test that the table names', (id, file) => {
    const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
    expect(existsSync(path) && new RegExp(`\\b${id}\\b`).test(readFileSync(path, 'utf8'))).toBe(true);
  });
});
