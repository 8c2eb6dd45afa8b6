// Checks of a Signature service.

import { AsyncSignature, type KeyPair, type PrivateKey, type PublicKey, Signature } from '../index.ts';
import { encodeEcdsaDer } from '../spi/encoding/ecdsa-der.ts';
import { IllegalStateError, InvalidKeyError, KeyDestroyedError } from '../spi/errors.ts';
import type { SignOptions, VerifyOptions } from '../spi/service.ts';
import { hex, joined, message, same, withBitFlipped } from './bytes.ts';
import { SIGNATURES } from './known-answers.ts';
import { must, mustThrow, NotRun } from './report.ts';
import type { From, Subject } from './subject.ts';

export interface Named {
  readonly check: string;
  readonly run: (subject: Subject) => Promise<string | undefined> | Promise<void>;
}

/** NONEwithECDSA takes digests; everything else takes messages of any length. */
function text(subject: Subject, length: number, seed = 1): Uint8Array {
  return message(/^NONE/i.test(subject.algorithm) ? 32 : length, seed);
}

async function sign(
  subject: Subject,
  key: PrivateKey,
  data: Uint8Array,
  options?: SignOptions,
  from?: From,
): Promise<Uint8Array> {
  const object = subject.signature(from);
  await object.initSign(key, options);
  object.update(data);
  return object.sign();
}

async function verify(
  subject: Subject,
  key: PublicKey,
  data: Uint8Array,
  signature: Uint8Array,
  options?: VerifyOptions,
  from?: From,
): Promise<boolean> {
  const object = subject.signature(from);
  await object.initVerify(key, options);
  object.update(data);
  return object.verify(signature);
}

interface Signed {
  readonly curve: string;
  readonly pair: KeyPair;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** Keys that the service verifies with and a signature by them: its own if it signs, else the counterpart's. */
async function signed(subject: Subject): Promise<Signed> {
  const data = text(subject, 100);
  const signer = await subject.usableKeys('private').catch(onlyNotRun);
  if (signer !== undefined && subject.refusal(signer.pair.publicKey, false) === undefined) {
    return { ...signer, data, signature: await sign(subject, signer.pair.privateKey, data) };
  }
  const verifier = await subject.usableKeys('public');
  const from = subject.counterpart();
  const { privateKey } = verifier.pair;
  if (privateKey.encoded === undefined) throw new NotRun('nobody else can sign with its keys');
  const signature = Signature.sign(subject.algorithm, privateKey, data, from);
  return { ...verifier, data, signature };
}

function onlyNotRun(error: unknown): undefined {
  if (error instanceof NotRun) return undefined;
  throw error;
}

async function knownAnswers(subject: Subject): Promise<string> {
  const answers = SIGNATURES.filter(
    ({ algorithm, family }) => algorithm === subject.algorithm || family === subject.algorithm,
  ).filter(({ curve }) => subject.curves.includes(curve));
  let tried = 0;
  for (const answer of answers) {
    const data = hex(answer.message);
    const expected = hex(answer.signature);
    const publicKey = (await subject.rawKey('public', answer.curve, hex(answer.publicKey))) as PublicKey;
    if (subject.refusal(publicKey, true) === undefined) {
      tried++;
      must(await verify(subject, publicKey, data, expected), `the signature of ${answer.source} is not valid`);
    }
    const privateKey = (await subject.rawKey('private', answer.curve, hex(answer.privateKey))) as PrivateKey;
    const wish: SignOptions = answer.family === 'EC' ? { nonce: 'deterministic' } : {};
    const deterministic = answer.family === 'EdDSA' || supportsSign(subject, wish);
    if (subject.refusal(privateKey, true) !== undefined || !deterministic) continue;
    tried++;
    const options = answer.family === 'EC' ? wish : undefined;
    const made = await sign(subject, privateKey, data, options);
    must(same(made, expected), `it does not make the signature of ${answer.source}`);
  }
  if (tried === 0) throw new NotRun('there is no known answer that it takes');
  return `${tried} answers`;
}

function supportsSign(subject: Subject, options: SignOptions): boolean {
  return subject.service.supportsOptions({ use: 'sign', ...options }) === true;
}

async function roundTrips(subject: Subject): Promise<void> {
  const { pair } = await subject.usableKeys('private');
  const mayVerify = subject.refusal(pair.publicKey, false) === undefined;
  const signer = subject.signature();
  await signer.initSign(pair.privateKey);
  const isDigest = /^NONE/i.test(subject.algorithm);
  for (const length of isDigest ? [32] : [0, 1, 127, 128, 1000, 20_000]) {
    const data = text(subject, length, length);
    signer.update(data.subarray(0, length >> 1));
    signer.update(data.subarray(length >> 1));
    const signature = await signer.sign();
    if (!mayVerify) continue;
    must(await verify(subject, pair.publicKey, data, signature), `its signature of ${length} bytes is not valid`);
    const other = isDigest ? withBitFlipped(data, 0) : joined(data, Uint8Array.of(0));
    must(!(await verify(subject, pair.publicKey, other, signature)), 'a signature is valid for another message');
  }
}

/** The one-shots take another way through a provider, with the same results. */
async function oneShots(subject: Subject): Promise<void> {
  const { pair } = await subject.usableKeys('private');
  if (subject.refusal(pair.publicKey, false) !== undefined) throw new NotRun('it only signs');
  const data = text(subject, 300);
  const facade = subject.isAsync ? AsyncSignature : Signature;
  const once = await facade.sign(subject.algorithm, pair.privateKey, data, subject.from);
  must(await verify(subject, pair.publicKey, data, once), 'a signature of the one-shot is not valid');
  const stepwise = await sign(subject, pair.privateKey, data);
  const valid = await facade.verify(subject.algorithm, pair.publicKey, data, stepwise, subject.from);
  must(valid, 'the one-shot refuses a valid signature');
  const damaged = withBitFlipped(stepwise, 8 * stepwise.length - 8);
  const invalid = await facade.verify(subject.algorithm, pair.publicKey, data, damaged, subject.from);
  must(!invalid, 'the one-shot takes a mutated signature');
}

async function everyCurve(subject: Subject): Promise<string> {
  const done: string[] = [];
  for (const curve of subject.curves) {
    const foreign = subject.ownKeyService('KeyPairGenerator', curve) === undefined;
    const pair = await subject.keys(curve).catch(onlyNotRun);
    if (pair === undefined || subject.refusal(pair.privateKey, foreign) !== undefined) {
      const claimed = pair !== undefined && subject.service.attributes.SupportedCurves !== undefined;
      const reason = claimed && !foreign ? subject.service.supportsKey(pair.privateKey) : true;
      must(reason === true || /only/.test(reason), `it claims ${curve}, but refuses a key: ${reason}`);
      continue;
    }
    const data = text(subject, 50);
    const signature = await sign(subject, pair.privateKey, data);
    if (subject.refusal(pair.publicKey, false) === undefined) {
      must(await verify(subject, pair.publicKey, data, signature), `its signature on ${curve} is not valid`);
    }
    done.push(curve);
  }
  if (done.length === 0) throw new NotRun('there is no curve that it signs on');
  return done.join(', ');
}

async function counterpartAgrees(subject: Subject): Promise<string> {
  const from = subject.counterpart();
  const data = text(subject, 200, 3);
  const signer = await subject.usableKeys('private').catch(onlyNotRun);
  if (signer !== undefined && signer.pair.publicKey.encoded !== undefined) {
    const signature = await sign(subject, signer.pair.privateKey, data);
    const valid = Signature.verify(subject.algorithm, signer.pair.publicKey, data, signature, from);
    must(valid, `${from.provider.name} does not accept its signature: another key, message, hash or encoding was used`);
  }
  const verifier = await subject.usableKeys('public').catch(onlyNotRun);
  if (verifier !== undefined) {
    const keys = await subject.foreignKeys(verifier.curve);
    const signature = Signature.sign(subject.algorithm, keys.privateKey, data, from);
    const valid = await verify(subject, keys.publicKey, data, signature);
    must(valid, `it does not accept a signature of ${from.provider.name}`);
  }
  if (signer === undefined && verifier === undefined) throw new NotRun('it takes no keys');
  return from.provider.name;
}

/** Encodings that no strict decoder takes, and values that no verification may accept. */
function badSignatures(subject: Subject, signature: Uint8Array): readonly (readonly [string, Uint8Array])[] {
  const size = signature.length;
  const bits = [
    0,
    1,
    4 * size,
    8 * size - 8,
    8 * size - 1,
    ...[3, 5, 7, 11].map((i) => Math.floor((8 * size * i) / 13)),
  ];
  const bad: [string, Uint8Array][] = [
    ['an empty signature', new Uint8Array(0)],
    ['one byte', Uint8Array.of(0x30)],
    ['all zeros', new Uint8Array(size)],
    ['all ones', new Uint8Array(size).fill(0xff)],
    ['a truncated signature', signature.subarray(0, -1)],
    ['a signature with a byte after it', joined(signature, Uint8Array.of(0))],
    ['a signature with a byte before it', joined(Uint8Array.of(0), signature)],
    ['10,000 bytes', message(10_000)],
    ...bits.map((bit): [string, Uint8Array] => ['a mutated signature', withBitFlipped(signature, bit)]),
  ];
  if (/withECDSA$/i.test(subject.algorithm)) {
    const zero = new Uint8Array(64);
    const rs = zero.map((_, i) => (i === 31 || i === 63 ? 1 : 0));
    bad.push(['r = s = 0', encodeEcdsaDer(zero)], ['r = s = 1', encodeEcdsaDer(rs)]);
    // The same numbers in BER that is not DER: the length of the sequence in the long form, a zero byte before r.
    if (signature[0] === 0x30 && (signature[1] as number) < 0x7d) {
      const body = signature.subarray(2);
      const r = body.subarray(2);
      bad.push(
        ['a length in the long form', joined(Uint8Array.of(0x30, 0x81, body.length), body)],
        [
          'a number with a needless zero byte',
          joined(Uint8Array.of(0x30, body.length + 1, 0x02, (body[1] as number) + 1, 0), r),
        ],
      );
    }
  }
  return bad;
}

async function badSignaturesAreFalse(subject: Subject): Promise<string> {
  const { pair, data, signature } = await signed(subject);
  const object = subject.signature();
  await object.initVerify(pair.publicKey);
  const bad = badSignatures(subject, signature);
  for (const [what, bytes] of bad) {
    object.update(data);
    let result: boolean;
    try {
      result = await object.verify(bytes);
    } catch (error) {
      const name = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
      throw new Error(`verify must give false for ${what}, but threw ${name}`);
    }
    must(!result, `verify accepts ${what}`);
  }
  object.update(data);
  must(await object.verify(signature), 'after bad signatures a valid one is refused');
  const { publicKey } = await subject.keys(pair.publicKey.curve ?? '').catch(() => pair);
  if (publicKey !== pair.publicKey) {
    must(!(await verify(subject, publicKey, data, signature)), 'a signature is valid under another key');
  }
  return `${bad.length} signatures`;
}

async function misuse(subject: Subject): Promise<void> {
  const fresh = subject.signature();
  const data = text(subject, 20);
  await mustThrow('sign before an init', [IllegalStateError], () => fresh.sign());
  await mustThrow('verify before an init', [IllegalStateError], () => fresh.verify(new Uint8Array(64)));
  await mustThrow('update before an init', [IllegalStateError], () => fresh.update(data));
  const { pair, signature } = await signed(subject);
  const whole = text(subject, 100);
  const object = subject.signature();
  await object.initVerify(pair.publicKey);
  await mustThrow('sign after initVerify', [IllegalStateError], () => object.sign());
  await object.initVerify(pair.publicKey);
  object.update(message(30, 9));
  await object.initVerify(pair.publicKey);
  object.update(whole);
  must(await object.verify(signature), 'an init does not throw away what was fed before');
  object.update(whole);
  must(await object.verify(signature), 'after verify it is not as freshly initialised');
  object.update(whole);
  must(!(await object.verify(new Uint8Array(3))), 'verify accepts three bytes');
  object.update(whole);
  must(await object.verify(signature), 'after a false verification it is not as freshly initialised');
}

async function errorClasses(subject: Subject): Promise<void> {
  const signer = await subject.usableKeys('private').catch(onlyNotRun);
  const verifier = await subject.usableKeys('public').catch(onlyNotRun);
  if (signer === undefined && verifier === undefined) throw new NotRun('it takes no keys');
  const wrong = await subject.foreignKeys(subject.family === 'EC' ? 'Ed25519' : 'secp256r1');
  await mustThrow('initSign with a key of another family', [InvalidKeyError], () =>
    subject.signature().initSign(wrong.privateKey),
  );
  await mustThrow('initVerify with a key of another family', [InvalidKeyError], () =>
    subject.signature().initVerify(wrong.publicKey),
  );
  if (signer === undefined) return;
  const object = subject.signature();
  await object.initSign(signer.pair.privateKey);
  signer.pair.privateKey.destroy();
  await mustThrow('sign with a destroyed key', [KeyDestroyedError], () => object.sign());
  await mustThrow('initSign with a destroyed key', [KeyDestroyedError], () =>
    subject.signature().initSign(signer.pair.privateKey),
  );
}

async function resultTypes(subject: Subject): Promise<void> {
  const { curve, pair } = await subject.usableKeys('private');
  const data = text(subject, 60);
  const object = subject.signature();
  await object.initSign(pair.privateKey);
  const given: Uint8Array[] = [];
  const copies: Uint8Array[] = [];
  for (let i = 0; i < 8; i++) {
    object.update(data);
    const signature = await object.sign();
    const whole = [...given, signature].every((one, at) => at === i || same(one, copies[at] as Uint8Array));
    must(whole, 'a signature changes when the next one is made: the bytes are not fresh');
    must(!given.includes(signature), 'two signatures are one and the same array: the bytes are not fresh');
    given.push(signature);
    copies.push(Uint8Array.from(signature));
  }
  const first = given[0] as Uint8Array;
  if (subject.family === 'EC' && !/inP1363Format$/i.test(subject.algorithm)) {
    must(first[0] === 0x30, `an ECDSA signature on ${curve} must be DER`);
  }
  if (subject.refusal(pair.publicKey, false) === undefined) {
    const valid: unknown = await verify(subject, pair.publicKey, data, first);
    must(valid === true, 'its signature is not valid');
  }
}

async function buffers(subject: Subject): Promise<void> {
  const signer = await subject.usableKeys('private').catch(onlyNotRun);
  const original = text(subject, 90, 5);
  if (signer !== undefined && subject.refusal(signer.pair.publicKey, false) === undefined) {
    const { pair } = signer;
    const object = subject.signature();
    await object.initSign(pair.privateKey);
    const given = Uint8Array.from(original);
    object.update(given);
    must(same(given, original), 'update changes the bytes that it is given');
    given.fill(0xee);
    const signature = await object.sign();
    must(same(given, new Uint8Array(given.length).fill(0xee)), 'sign changes the bytes that were fed');
    must(
      await verify(subject, pair.publicKey, original, signature),
      'update keeps a reference to the bytes that it is given',
    );
  }
  const { pair, data, signature } = await signed(subject);
  const object = subject.signature();
  await object.initVerify(pair.publicKey);
  const given = Uint8Array.from(data);
  object.update(given);
  given.fill(0xee);
  const handed = Uint8Array.from(signature);
  const outcome = object.verify(handed);
  if (subject.isAsync) handed.fill(0);
  must(await outcome, 'update or verify keeps a reference to the bytes that it is given');
  if (!subject.isAsync) must(same(handed, signature), 'verify changes the signature that it is given');
  const facade = subject.isAsync ? AsyncSignature : Signature;
  const whole = Uint8Array.from(data);
  await facade.verify(subject.algorithm, pair.publicKey, whole, handed, subject.from);
  must(same(whole, data), 'a one-shot changes the data that it is given');
}

async function separateObjects(subject: Subject): Promise<void> {
  const { curve } = await subject.usableKeys('private');
  const pairs = [await subject.keys(curve), await subject.keys(curve), await subject.keys(curve)];
  if (subject.refusal(pairs[0]?.publicKey as PublicKey, false) !== undefined) throw new NotRun('it only signs');
  const messages = pairs.map((_, i) => text(subject, 80, i + 10));
  const signers = pairs.map(() => subject.signature());
  for (const [i, signer] of signers.entries()) await signer.initSign(pairs[i]?.privateKey as PrivateKey);
  const half = 16;
  for (const [i, signer] of signers.entries()) signer.update((messages[i] as Uint8Array).subarray(0, half));
  for (const [i, signer] of signers.entries()) signer.update((messages[i] as Uint8Array).subarray(half));
  const signatures = await Promise.all(signers.map((signer) => signer.sign()));
  const leak = 'objects used in turns disturb each other: state leaks between them';
  // One after the other, so that a leak in verification cannot hide one in signing.
  for (const [i, pair] of pairs.entries()) {
    const valid = await verify(subject, pair.publicKey, messages[i] as Uint8Array, signatures[i] as Uint8Array);
    must(valid, leak);
  }
  const verifiers = pairs.map(() => subject.signature());
  for (const [i, verifier] of verifiers.entries()) await verifier.initVerify(pairs[i]?.publicKey as PublicKey);
  for (const [i, verifier] of verifiers.entries()) verifier.update((messages[i] as Uint8Array).subarray(0, half));
  for (const [i, verifier] of verifiers.entries()) verifier.update((messages[i] as Uint8Array).subarray(half));
  const valid = await Promise.all(verifiers.map((verifier, i) => verifier.verify(signatures[i] as Uint8Array)));
  must(
    valid.every((one) => one === true),
    leak,
  );
}

async function queue(subject: Subject): Promise<void> {
  if (!subject.isAsync) throw new NotRun('it is synchronous');
  const { pair } = await subject.usableKeys('private');
  if (subject.refusal(pair.publicKey, false) !== undefined) throw new NotRun('it only signs');
  const object = subject.signature();
  const messages = [1, 2, 3, 4].map((seed) => text(subject, 70, seed));
  const init = object.initSign(pair.privateKey);
  const waiting = messages.map((data) => {
    object.update(data);
    return object.sign();
  });
  await init;
  const signatures = await Promise.all(waiting);
  for (const [i, signature] of signatures.entries()) {
    const valid = await verify(subject, pair.publicKey, messages[i] as Uint8Array, signature);
    must(valid, 'calls that are not awaited get into each other');
  }
  const many = await Promise.all(messages.map((data) => sign(subject, pair.privateKey, data)));
  const checked = await Promise.all(
    many.map((signature, i) => verify(subject, pair.publicKey, messages[i] as Uint8Array, signature)),
  );
  must(checked.every(Boolean), 'many operations at once give wrong signatures');
}

async function translation(subject: Subject): Promise<string> {
  const verifier = await subject.usableKeys('public');
  const foreign = await subject.foreignKeys(verifier.curve);
  const from = subject.counterpart();
  const data = text(subject, 40, 7);
  const theirs = Signature.sign(subject.algorithm, foreign.privateKey, data, from);
  const valid = await verify(subject, foreign.publicKey, data, theirs);
  must(valid, `a public key of ${from.provider.name} becomes another key in it`);
  if (subject.refusal(foreign.privateKey, true) !== undefined) return 'public keys';
  const ours = await sign(subject, foreign.privateKey, data);
  const accepted = Signature.verify(subject.algorithm, foreign.publicKey, data, ours, from);
  must(accepted, `a private key of ${from.provider.name} becomes another key in it`);
  return 'public and private keys';
}

export const SIGNATURE_CHECKS: readonly Named[] = [
  { check: 'known answers', run: knownAnswers },
  { check: 'round trips', run: roundTrips },
  { check: 'one-shots', run: oneShots },
  { check: 'every claimed curve', run: everyCurve },
  { check: 'counterpart agrees', run: counterpartAgrees },
  { check: 'key translation', run: translation },
  { check: 'bad signatures', run: badSignaturesAreFalse },
  { check: 'misuse', run: misuse },
  { check: 'error classes', run: errorClasses },
  { check: 'result types', run: resultTypes },
  { check: 'buffers', run: buffers },
  { check: 'separate objects', run: separateObjects },
  { check: 'queue of calls', run: queue },
];

export { sign, text, verify };
