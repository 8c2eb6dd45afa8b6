// Tests of what a provider claims: known answers, round trips, and refusals, through the asynchronous façades.

import {
  AsyncKeyAgreement,
  AsyncKeyFactory,
  AsyncKeyPairGenerator,
  AsyncSignature,
  ECGenParameterSpec,
  type KeyPair,
  MessageDigest,
  NamedParameterSpec,
  PKCS8EncodedKeySpec,
  type Provider,
  RawKeySpec,
  type SecurityContext,
  type ServiceType,
  X509EncodedKeySpec,
} from '../index.ts';
import { hex, toHex } from '../testkit/bytes.ts';
import { AGREEMENTS, DIGESTS, SIGNATURES } from '../testkit/known-answers.ts';

export interface SelfTestRow {
  readonly provider: string;
  readonly type: ServiceType | 'Provider';
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'not run';
  readonly detail: string | undefined;
  readonly milliseconds: number;
}

interface From {
  readonly context: SecurityContext;
  readonly provider: Provider;
}

/** Thrown by a test that cannot be run here, for example because the provider makes no keys. */
class NotRun extends Error {}

const MESSAGE = new TextEncoder().encode('provium self-test');
const NO_HASH_MESSAGE = new Uint8Array(32).fill(0x5a);

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

function has({ provider }: From, type: ServiceType, algorithm: string): boolean {
  return provider.services.some(
    (service) => service.type === type && service.algorithm.toLowerCase() === algorithm.toLowerCase(),
  );
}

/** A key family that serves the algorithm, and the curve where the algorithm names one. */
function keysFor(algorithm: string): { readonly family: string; readonly curve: string | undefined } {
  if (/withECDSA|^ECDH$|^EC$/i.test(algorithm)) return { family: 'EC', curve: undefined };
  if (/^(Ed25519|Ed448)$/i.test(algorithm)) return { family: 'EdDSA', curve: algorithm };
  if (/^(X25519|X448)$/i.test(algorithm)) return { family: 'XDH', curve: algorithm };
  return { family: algorithm, curve: undefined };
}

/** Keys of the provider itself, which alone are sure to be usable with it. */
async function generate(algorithm: string, from: From): Promise<KeyPair> {
  const { family, curve } = keysFor(algorithm);
  if (!has(from, 'KeyPairGenerator', family)) throw new NotRun(`${from.provider.name} makes no ${family} keys`);
  const generator = AsyncKeyPairGenerator.getInstance(family, from);
  if (curve !== undefined) await generator.initialize(new NamedParameterSpec(curve));
  return generator.generateKeyPair();
}

async function testSignature(algorithm: string, from: From): Promise<void> {
  const { publicKey, privateKey } = await generate(algorithm, from);
  const message = /^NONE/i.test(algorithm) ? NO_HASH_MESSAGE : MESSAGE;
  const other = message.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
  const signature = AsyncSignature.getInstance(algorithm, from);
  await signature.initSign(privateKey);
  signature.update(message.subarray(0, 5));
  signature.update(message.subarray(5));
  const bytes = await signature.sign();
  await signature.initVerify(publicKey);
  signature.update(message);
  must(await signature.verify(bytes), 'its own signature is not valid');
  signature.update(other);
  must(!(await signature.verify(bytes)), 'a signature is valid for another message');
  signature.update(message);
  const damaged = bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));
  must(!(await signature.verify(damaged)), 'a damaged signature is valid');
  signature.update(message);
  must(!(await signature.verify(new Uint8Array(0))), 'an empty signature is valid');
  privateKey.destroy();
}

async function testSignatureAnswer(algorithm: string, from: From): Promise<void> {
  const answer = SIGNATURES.find((candidate) => candidate.algorithm === algorithm);
  if (answer === undefined || !has(from, 'KeyFactory', answer.family)) throw new NotRun('there is no known answer');
  const factory = AsyncKeyFactory.getInstance(answer.family, from);
  const key = await factory.generatePublic(new RawKeySpec(hex(answer.publicKey), { curve: answer.curve }));
  const signature = AsyncSignature.getInstance(algorithm, from);
  await signature.initVerify(key);
  signature.update(hex(answer.message));
  must(await signature.verify(hex(answer.signature)), `the signature of ${answer.source} is not valid`);
}

async function agree(algorithm: string, from: From, own: KeyPair, peer: KeyPair): Promise<string> {
  const agreement = AsyncKeyAgreement.getInstance(algorithm, from);
  await agreement.init(own.privateKey);
  await agreement.doPhase(peer.publicKey, true);
  return toHex(await agreement.generateSecret());
}

async function testAgreement(algorithm: string, from: From): Promise<void> {
  const a = await generate(algorithm, from);
  const b = await generate(algorithm, from);
  must((await agree(algorithm, from, a, b)) === (await agree(algorithm, from, b, a)), 'the two sides differ');
  must((await agree(algorithm, from, a, a)) !== (await agree(algorithm, from, a, b)), 'the peer makes no difference');
}

async function testAgreementAnswer(algorithm: string, from: From): Promise<void> {
  const answer = AGREEMENTS.find((candidate) => candidate.algorithm === algorithm);
  if (answer === undefined || !has(from, 'KeyFactory', answer.family)) throw new NotRun('there is no known answer');
  const factory = AsyncKeyFactory.getInstance(answer.family, from);
  const { curve } = answer;
  const agreement = AsyncKeyAgreement.getInstance(algorithm, from);
  await agreement.init(await factory.generatePrivate(new RawKeySpec(hex(answer.privateKey), { curve })));
  await agreement.doPhase(await factory.generatePublic(new RawKeySpec(hex(answer.peer), { curve })), true);
  must(toHex(await agreement.generateSecret()) === answer.secret, `the secret of ${answer.source} comes out wrong`);
}

async function testGenerator(algorithm: string, from: From): Promise<void> {
  const a = await generate(algorithm, from);
  const b = await generate(algorithm, from);
  must(!a.publicKey.equals(b.publicKey), 'two key pairs are the same');
}

async function testFactory(algorithm: string, from: From): Promise<void> {
  const { publicKey, privateKey } = await generate(algorithm, from);
  const factory = AsyncKeyFactory.getInstance(algorithm, from);
  const spki = await factory.getKeySpec(publicKey, X509EncodedKeySpec);
  must((await factory.generatePublic(spki)).equals(publicKey), 'a public key comes back changed');
  if (privateKey.encoded === undefined) return;
  const pkcs8 = await factory.getKeySpec(privateKey, PKCS8EncodedKeySpec);
  must((await factory.generatePrivate(pkcs8)).equals(privateKey), 'a private key comes back changed');
  const cut = new X509EncodedKeySpec(spki.encoded.subarray(0, -1));
  const refused = await factory.generatePublic(cut).then(
    () => false,
    () => true,
  );
  must(refused, 'a damaged public key is taken');
}

async function testDigest(algorithm: string, from: From): Promise<void> {
  const expected = DIGESTS[algorithm];
  if (expected === undefined) throw new NotRun('there is no known answer');
  const digest = MessageDigest.getInstance(algorithm, from);
  digest.update(new TextEncoder().encode('abc'));
  must(toHex(digest.digest()) === expected, 'the hash of "abc" comes out wrong');
}

type Test = (algorithm: string, from: From) => Promise<void>;

const KNOWN_ANSWER = 'known answer';

/** Which algorithms have a known answer, by service type. */
function hasAnswer(type: ServiceType, algorithm: string): boolean {
  if (type === 'MessageDigest') return DIGESTS[algorithm] !== undefined;
  const answers: readonly { readonly algorithm: string }[] =
    type === 'Signature' ? SIGNATURES : type === 'KeyAgreement' ? AGREEMENTS : [];
  return answers.some((answer) => answer.algorithm === algorithm);
}

function testsOf(type: ServiceType): readonly (readonly [label: string, test: Test])[] {
  switch (type) {
    case 'Signature':
      return [
        ['sign and verify', testSignature],
        [KNOWN_ANSWER, testSignatureAnswer],
      ];
    case 'KeyAgreement':
      return [
        ['both sides', testAgreement],
        [KNOWN_ANSWER, testAgreementAnswer],
      ];
    case 'KeyPairGenerator':
      return [['two key pairs', testGenerator]];
    case 'KeyFactory':
      return [['round trip', testFactory]];
    case 'MessageDigest':
      return [[KNOWN_ANSWER, testDigest]];
    case 'AlgorithmParameters':
      return [];
  }
}

async function timed(
  provider: Provider,
  type: SelfTestRow['type'],
  name: string,
  test: () => Promise<void>,
): Promise<SelfTestRow> {
  const started = performance.now();
  const row = (outcome: SelfTestRow['outcome'], detail?: string): SelfTestRow => ({
    provider: provider.name,
    type,
    name,
    outcome,
    detail,
    milliseconds: performance.now() - started,
  });
  try {
    await test();
    return row('passed');
  } catch (error) {
    return error instanceof NotRun ? row('not run', error.message) : row('failed', String(error));
  }
}

/** What the provider tests of itself: for one with engines, every engine that may run here. */
export async function ownSelfTest(context: SecurityContext, provider: Provider): Promise<readonly SelfTestRow[]> {
  const started = performance.now();
  const results = await context.selfTest(provider);
  const rows = results.flatMap((result) => result.rows);
  const milliseconds = (performance.now() - started) / Math.max(rows.length, 1);
  return rows.map(({ name, status, detail }) => ({
    provider: provider.name,
    type: 'Provider',
    name,
    outcome: status,
    detail,
    milliseconds,
  }));
}

export interface PlannedTest {
  readonly name: string;
  readonly run: () => Promise<SelfTestRow>;
}

/** The tests of everything that the provider serves, in its order. */
export function planSelfTest(context: SecurityContext, provider: Provider): readonly PlannedTest[] {
  const from = { context, provider };
  const planned = provider.services.flatMap(({ type, algorithm }) =>
    testsOf(type)
      .filter(([label]) => label !== KNOWN_ANSWER || hasAnswer(type, algorithm))
      .map(([label, test]): PlannedTest & { readonly type: ServiceType } => {
        const name = `${algorithm}: ${label}`;
        return { type, name, run: () => timed(provider, type, name, () => test(algorithm, from)) };
      }),
  );
  // A service of both modes would be tested twice by the same façade.
  const unique = planned.filter(
    (test, i) => planned.findIndex(({ type, name }) => type === test.type && name === test.name) === i,
  );
  return [...unique, ...curveTests(provider, from)];
}

/** One signature on each of the curves that the provider says it has. */
function curveTests(provider: Provider, from: From): readonly PlannedTest[] {
  const generator = provider.services.find(({ type, algorithm }) => type === 'KeyPairGenerator' && algorithm === 'EC');
  const declared = generator?.attributes.SupportedCurves;
  const signs = has(from, 'Signature', 'SHA256withECDSA');
  if (declared === undefined || !signs) return [];
  return declared.map((curve): PlannedTest => {
    const name = `SHA256withECDSA on ${curve}`;
    const test = async (): Promise<void> => {
      const keys = AsyncKeyPairGenerator.getInstance('EC', from);
      await keys.initialize(new ECGenParameterSpec(curve));
      const { publicKey, privateKey } = await keys.generateKeyPair();
      const signature = AsyncSignature.getInstance('SHA256withECDSA', from);
      await signature.initSign(privateKey);
      signature.update(MESSAGE);
      const bytes = await signature.sign();
      await signature.initVerify(publicKey);
      signature.update(MESSAGE);
      must(await signature.verify(bytes), 'its own signature is not valid');
    };
    return { name, run: () => timed(provider, 'Signature', name, test) };
  });
}
