// The reported cases about ECDSA, ECDH and EC keys, as far as they are about P-256, against the provider Provium.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OpenSslProvider } from '../../providers/openssl/index.ts';
import { type EcPrivateKey, type EcPublicKey, pointOf, scalarOf } from '../../providers/provium/keys.ts';
import { decodeEcdsaDer, encodeEcdsaDer } from '../../spi/encoding/ecdsa-der.ts';
import { ProviumError } from '../../spi/errors.ts';
import {
  type JsonWebKey,
  JwkKeySpec,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../spi/key-specs.ts';
import { bytes, context, hex, spi } from '../providers/provium/support.ts';

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
const factory = spi('KeyFactory', 'EC');

const string = (item: Item, field: string): string => {
  const value = item[field];
  if (typeof value !== 'string') throw new Error(`the item ${item.name} has no ${field}`);
  return value;
};
const field = (item: Item, name: string): Uint8Array => bytes(string(item, name));

function publicKey(item: Item, name = 'publicKey'): EcPublicKey {
  return factory.generatePublic(new RawKeySpec(field(item, name), { curve: 'P-256' })) as EcPublicKey;
}

function privateKey(item: Item): EcPrivateKey {
  return factory.generatePrivate(new RawKeySpec(field(item, 'privateKey'), { curve: 'P-256' })) as EcPrivateKey;
}

const algorithmOf = (item: Item) => {
  const form = item['format'] === 'p1363' ? 'inP1363Format' : '';
  return `${string(item, 'hash').replace(/^SHA-/, 'SHA')}withECDSA${form}`;
};

/** The bytes to sign: a message, a digest as it stands, or a view into a larger buffer. */
function dataOf(item: Item): Uint8Array {
  if (item['backing'] === undefined) return field(item, item['digest'] === undefined ? 'message' : 'digest');
  const { buffer } = field(item, 'backing');
  return new Uint8Array(buffer, Number(item['offset']), Number(item['length']));
}

function specOf(item: Item): KeySpec {
  switch (item['format']) {
    case 'pkcs8':
      return new PKCS8EncodedKeySpec(field(item, 'key'));
    case 'spki':
      return new X509EncodedKeySpec(field(item, 'key'));
    case 'sec1':
      return new Sec1EncodedKeySpec(field(item, 'key'));
    case 'jwk':
      return new JwkKeySpec(item['jwk'] as JsonWebKey);
    case 'pem':
      return new PemKeySpec(string(item, 'pem'));
    case 'raw-private':
      return new RawKeySpec(field(item, 'key'), { curve: string(item, 'curve') });
    default:
      throw new Error(`no spec for the format ${String(item['format'])}`);
  }
}

/** Private if the material holds a private key, as its form or content says. */
function isPrivate(item: Item): boolean {
  const jwk = item['jwk'] as JsonWebKey | undefined;
  const pem = item['pem'] as string | undefined;
  return (
    ['pkcs8', 'sec1', 'raw-private'].includes(String(item['format'])) ||
    jwk?.d !== undefined ||
    (pem?.includes('PRIVATE KEY-----') ?? false)
  );
}

function importKey(item: Item): unknown {
  const spec = specOf(item);
  if (!isPrivate(item)) {
    const key = factory.generatePublic(spec) as EcPublicKey;
    return { curve: curveName(String(key.curve)), publicKey: `04${hex(pointOf(key))}` };
  }
  const key = factory.generatePrivate(spec) as EcPrivateKey;
  // 32 raw bytes are no public key: they could as well be an x coordinate.
  if (item['format'] !== 'raw-private') expect(factory.generatePublic(spec).equals(key.publicKey())).toBe(true);
  return {
    curve: curveName(String(key.curve)),
    privateKey: hex(scalarOf(key)),
    publicKey: `04${hex(pointOf(key.publicKey()))}`,
  };
}

const curveName = (curve: string) => (curve === 'secp256r1' ? 'P-256' : curve);

function sign(item: Item): string {
  const algorithm = algorithmOf(item);
  const options = {
    nonce: 'deterministic',
    ...(item['nonceHash'] === undefined ? {} : { nonceHash: string(item, 'nonceHash') }),
  } as const;
  const signer = spi('Signature', algorithm);
  signer.initSign(privateKey(item), options);
  signer.update(dataOf(item));
  const signature = signer.sign();
  expect(spi('Signature', algorithm).signOnce?.(privateKey(item), dataOf(item), options)).toEqual(signature);
  return hex(signature);
}

function verify(item: Item): boolean {
  const algorithm = algorithmOf(item);
  const key = publicKey(item);
  const verifier = spi('Signature', algorithm);
  verifier.initVerify(key, {});
  verifier.update(dataOf(item));
  const answer = verifier.verify(field(item, 'signature'));
  expect(spi('Signature', algorithm).verifyOnce?.(key, dataOf(item), field(item, 'signature'), {})).toBe(answer);
  return answer;
}

function agree(item: Item): string {
  const agreement = spi('KeyAgreement', 'ECDH');
  agreement.init(privateKey(item), {});
  agreement.doPhase(publicKey(item, 'peer'));
  return hex(agreement.generateSecret());
}

function convert(item: Item): string {
  const signature = field(item, 'signature');
  const width = item['curve'] === 'P-521' ? 66 : 32;
  if (item['to'] === 'der') return hex(encodeEcdsaDer(signature));
  const out = new Uint8Array(2 * width);
  expect(decodeEcdsaDer(out, signature, width)).toBe(true);
  return hex(out);
}

function exportKey(item: Item): unknown {
  const key = privateKey(item);
  if (item['format'] === 'pkcs8') return hex(key.encoded as Uint8Array);
  const { d, x, y } = factory.getKeySpec(key, JwkKeySpec).jwk;
  return { d, x, y };
}

/** Hands a key of another family, which the OpenSSL provider imports, to one of our services. */
function init(item: Item): void {
  const openssl = new OpenSslProvider();
  const spec = new PKCS8EncodedKeySpec(field(item, 'key'));
  const importer = openssl.service('KeyFactory', item.name.startsWith('x25519') ? 'X25519' : 'Ed25519');
  if (importer?.type !== 'KeyFactory' || importer.mode !== 'sync') throw new Error('there is no KeyFactory');
  const key = importer.newInstance(context).generatePrivate(spec);
  spi('Signature', string(item, 'algorithm')).initSign(key, {});
}

const OPERATIONS: Readonly<Record<string, (item: Item) => unknown>> = {
  'ecdsa.verify': verify,
  'ecdsa.sign.deterministic': sign,
  'ecdsa.convert': convert,
  ecdh: agree,
  'key.import': importKey,
  'key.export': exportKey,
  init,
};

/** What is right for the item, `or` included. */
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

/** The items about P-256: by their curve, by the curve of the key that comes out, or because nothing may come out. */
function inScope(item: Item, wanted: Outcome): boolean {
  if (item['op'] === 'init') return item['service'] === 'Signature' && String(item['algorithm']).includes('ECDSA');
  if (item['op'] === 'ecdsa.convert') return true;
  if (item['curve'] !== undefined) return item['curve'] === 'P-256';
  // No interface takes a wish for a curve beside the key; the test below covers what the key says of itself.
  if (item['expectCurve'] !== undefined) return false;
  const value = wanted.value as { curve?: string } | undefined;
  return wanted.outcome === 'reject' || value?.curve === 'P-256';
}

const IDS = [
  ...['R01', 'R03', 'R04', 'R05', 'R06', 'R07', 'R08', 'R09', 'R10', 'R15', 'R17', 'R18', 'R19', 'R20'],
  ...['R21', 'R23', 'R24', 'R25', 'R26', 'R27', 'R29', 'R30'],
];
const selected = cases.filter(({ id }) => IDS.includes(id));

describe.each(selected)('$id: $title', ({ input, expect: expected }) => {
  const { items, ...shared } = input;
  const scope = items.flatMap((own, index) => {
    const item: Item = { ...shared, ...own };
    const wanted = expected.items[index];
    if (wanted?.name !== own.name) throw new Error(`the expectations are out of order at ${own.name}`);
    return inScope(item, wanted) ? [{ name: own.name, item, wanted }] : [];
  });

  it.each(scope)('$name', ({ item, wanted }) => {
    const operation = OPERATIONS[String(item['op'])];
    if (operation === undefined) throw new Error(`no operation ${String(item['op'])}`);
    let run: { value: unknown } | { error: unknown };
    try {
      run = { value: operation(item) };
    } catch (error) {
      run = { error };
    }
    if (!matches(wanted, run)) expect(run).toEqual(wanted);
  });
});

describe('the reported cases', () => {
  it('are all there', () => {
    expect(selected.map(({ id }) => id)).toEqual(IDS);
  });

  it('a key of another curve than the caller had in mind says so', () => {
    const asked = selected.flatMap(({ input: { items, ...shared } }) =>
      items.map((item) => ({ ...shared, ...item })).filter((item) => item['expectCurve'] !== undefined),
    );
    const ec = asked.filter((item) => !JSON.stringify(item).includes('OKP'));
    expect(ec.length).toBeGreaterThan(1);
    for (const item of ec) expect(factory.generatePublic(specOf(item)).curve).toBe('secp256r1');
  });
});
