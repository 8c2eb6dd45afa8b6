// Checks of a KeyAgreement service.

import { KeyAgreement, type PrivateKey, type PublicKey } from '../index.ts';
import {
  IllegalStateError,
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  KeyDestroyedError,
} from '../spi/errors.ts';
import { resolveCurve } from '../spi/names.ts';
import { hex, same } from './bytes.ts';
import { AGREEMENTS } from './known-answers.ts';
import { UnknownParameterSpec } from './options.ts';
import { must, mustThrow, NotRun } from './report.ts';
import type { Named } from './signatures.ts';
import { type Subject, supports } from './subject.ts';

async function agree(subject: Subject, own: PrivateKey, peer: PublicKey): Promise<Uint8Array> {
  const object = subject.agreement();
  await object.init(own);
  await object.doPhase(peer, true);
  return object.generateSecret();
}

async function knownAnswers(subject: Subject): Promise<string> {
  const answers = AGREEMENTS.filter(
    ({ algorithm, family }) => algorithm === subject.algorithm || family === subject.algorithm,
  ).filter(({ curve }) => subject.curves.includes(curve));
  let tried = 0;
  for (const { curve, privateKey, peer, secret, source } of answers) {
    const own = (await subject.rawKey('private', curve, hex(privateKey))) as PrivateKey;
    if (subject.refusal(own, true) !== undefined) continue;
    tried++;
    const public_ = (await subject.rawKey('public', curve, hex(peer))) as PublicKey;
    const made = await agree(subject, own, public_);
    must(same(made, hex(secret)), `the secret of ${source} comes out wrong`);
  }
  if (tried === 0) throw new NotRun('there is no known answer that it takes');
  return `${tried} answers`;
}

async function bothSides(subject: Subject): Promise<string> {
  const done: string[] = [];
  for (const curve of subject.curves) {
    const foreign = subject.ownKeyService('KeyPairGenerator', curve) === undefined;
    const a = await subject.keys(curve);
    if (subject.refusal(a.privateKey, foreign) !== undefined) continue;
    const b = await subject.keys(curve);
    const ab = await agree(subject, a.privateKey, b.publicKey);
    must(same(ab, await agree(subject, b.privateKey, a.publicKey)), `the two sides differ on ${curve}`);
    must(!same(ab, await agree(subject, a.privateKey, a.publicKey)), `the peer makes no difference on ${curve}`);
    done.push(curve);
  }
  if (done.length === 0) throw new NotRun('there is no curve that it agrees on');
  return done.join(', ');
}

async function counterpartAgrees(subject: Subject): Promise<string> {
  const from = subject.counterpart();
  const { curve, pair } = await subject.usableKeys('private');
  if (pair.publicKey.encoded === undefined) throw new NotRun('its public keys cannot leave it');
  const theirs = await subject.foreignKeys(curve);
  const ours = await agree(subject, pair.privateKey, theirs.publicKey);
  const other = KeyAgreement.getInstance(subject.algorithm, from);
  other.init(theirs.privateKey).doPhase(pair.publicKey, true);
  must(same(ours, other.generateSecret()), `it and ${from.provider.name} get different secrets`);
  return from.provider.name;
}

async function misuse(subject: Subject): Promise<void> {
  const { curve, pair } = await subject.usableKeys('private');
  const peer = (await subject.keys(curve)).publicKey;
  const object = subject.agreement();
  await mustThrow('doPhase before init', [IllegalStateError], () => object.doPhase(peer, true));
  await object.init(pair.privateKey);
  await mustThrow('generateSecret before doPhase', [IllegalStateError], () => object.generateSecret());
  await object.init(pair.privateKey);
  await object.doPhase(peer, true);
  const secret = await object.generateSecret();
  const kept = Uint8Array.from(secret);
  await object.doPhase(peer, true);
  const again = await object.generateSecret();
  must(same(again, kept), 'after generateSecret it is not as freshly initialised');
  must(secret !== again && same(secret, kept), 'two secrets share their bytes');
  secret.fill(0);
  must(same(again, kept), 'two secrets share their bytes');
}

async function errorClasses(subject: Subject): Promise<void> {
  const { curve, pair } = await subject.usableKeys('private');
  const wrong = await subject.foreignKeys(subject.family === 'EC' ? 'X25519' : 'secp256r1');
  await mustThrow('init with a key of another family', [InvalidKeyError], () =>
    subject.agreement().init(wrong.privateKey),
  );
  const object = subject.agreement();
  await object.init(pair.privateKey);
  await mustThrow('doPhase with a key of another family', [InvalidKeyError], () =>
    object.doPhase(wrong.publicKey, true),
  );
  if (resolveCurve(curve)?.family === 'XDH') {
    const size = curve === 'X25519' ? 32 : 56;
    const zero = (await subject.rawKey('public', curve, new Uint8Array(size))) as PublicKey;
    await object.init(pair.privateKey);
    await mustThrow('doPhase with a peer that gives the all-zero secret', [InvalidKeyError], async () => {
      await object.doPhase(zero, true);
      await object.generateSecret();
    });
  }
  await object.init(pair.privateKey);
  pair.privateKey.destroy();
  const peer = (await subject.keys(curve)).publicKey;
  await mustThrow('doPhase with a destroyed key', [KeyDestroyedError], () => object.doPhase(peer, true));
}

async function separateObjects(subject: Subject): Promise<void> {
  const { curve } = await subject.usableKeys('private');
  const pairs = await Promise.all([subject.keys(curve), subject.keys(curve), subject.keys(curve)]);
  const [a, b, c] = pairs;
  const one = subject.agreement();
  const two = subject.agreement();
  await one.init(a.privateKey);
  await two.init(b.privateKey);
  await one.doPhase(c.publicKey, true);
  await two.doPhase(c.publicKey, true);
  const [first, second] = await Promise.all([one.generateSecret(), two.generateSecret()]);
  must(
    same(first, await agree(subject, a.privateKey, c.publicKey)) &&
      same(second, await agree(subject, b.privateKey, c.publicKey)) &&
      !same(first, second),
    'objects used in turns disturb each other: state leaks between them',
  );
}

async function unknownParameters(subject: Subject): Promise<void> {
  const { pair } = await subject.usableKeys('private');
  const parameters = new UnknownParameterSpec();
  supports(subject.service, { use: 'agree', parameters });
  await mustThrow('init with parameters that nobody knows', [InvalidAlgorithmParameterError], () =>
    subject.agreement().init(pair.privateKey, { parameters }),
  );
}

async function queue(subject: Subject): Promise<void> {
  if (!subject.isAsync) throw new NotRun('it is synchronous');
  const { curve, pair } = await subject.usableKeys('private');
  const peer = (await subject.keys(curve)).publicKey;
  const object = subject.agreement();
  const [, , secret, , again] = (await Promise.all([
    object.init(pair.privateKey),
    object.doPhase(peer, true),
    object.generateSecret(),
    object.doPhase(peer, true),
    object.generateSecret(),
  ])) as [unknown, unknown, Uint8Array, unknown, Uint8Array];
  must(same(secret, again), 'calls that are not awaited get into each other');
}

export const AGREEMENT_CHECKS: readonly Named[] = [
  { check: 'known answers', run: knownAnswers },
  { check: 'both sides', run: bothSides },
  { check: 'counterpart agrees', run: counterpartAgrees },
  { check: 'misuse', run: misuse },
  { check: 'error classes', run: errorClasses },
  { check: 'separate objects', run: separateObjects },
  { check: 'option: unknown parameters', run: unknownParameters },
  { check: 'queue of calls', run: queue },
];
