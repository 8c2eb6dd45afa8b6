// Checks of MessageDigest and AlgorithmParameters services.

import { AlgorithmParameters, ECGenParameterSpec, MessageDigest } from '../index.ts';
import { IllegalStateError, InvalidAlgorithmParameterError } from '../spi/errors.ts';
import { resolveCurveName } from '../spi/names.ts';
import { message, same, toHex } from './bytes.ts';
import { DIGESTS } from './known-answers.ts';
import { UnknownParameterSpec } from './options.ts';
import { must, mustThrow, NotRun } from './report.ts';
import type { Named } from './signatures.ts';
import type { Subject } from './subject.ts';

function digest(subject: Subject): MessageDigest {
  return MessageDigest.getInstance(subject.algorithm, subject.from);
}

async function knownAnswer(subject: Subject): Promise<void> {
  const expected = DIGESTS[subject.algorithm];
  if (expected === undefined) throw new NotRun('there is no known answer');
  const abc = Uint8Array.of(0x61, 0x62, 0x63);
  must(toHex(digest(subject).digest(abc)) === expected, 'the hash of "abc" comes out wrong');
}

async function counterpartAgrees(subject: Subject): Promise<string> {
  const from = subject.counterpart();
  const object = digest(subject);
  for (const length of [0, 1, 63, 64, 135, 136, 5000]) {
    const data = message(length, length);
    const expected = MessageDigest.digest(subject.algorithm, data, from);
    object.update(data.subarray(0, length >> 1)).update(data.subarray(length >> 1));
    must(same(object.digest(), expected), `it and ${from.provider.name} differ on ${length} bytes`);
  }
  return from.provider.name;
}

async function state(subject: Subject): Promise<void> {
  const data = message(100);
  const object = digest(subject);
  const first = object.digest(data);
  const kept = Uint8Array.from(first);
  must(first.length === object.digestLength, 'digestLength is not the length of its digests');
  must(same(object.digest(data), kept), 'after digest it is not as new');
  must(same(first, kept), 'a digest changes when the next one is made: the bytes are not fresh');
  object.update(message(7)).reset();
  must(same(object.digest(data), kept), 'reset does not throw away what was fed');
  const given = Uint8Array.from(data);
  object.update(given);
  must(same(given, data), 'update changes the bytes that it is given');
  given.fill(0xee);
  must(same(object.digest(), kept), 'update keeps a reference to the bytes that it is given');
}

async function separateObjects(subject: Subject): Promise<void> {
  const [one, two] = [digest(subject), digest(subject)];
  const [a, b] = [message(200, 1), message(200, 2)];
  one.update(a.subarray(0, 50));
  two.update(b.subarray(0, 50));
  one.update(a.subarray(50));
  two.update(b.subarray(50));
  const apart = [one.digest(), two.digest()] as const;
  must(
    same(apart[0], digest(subject).digest(a)) && same(apart[1], digest(subject).digest(b)),
    'objects used in turns disturb each other: state leaks between them',
  );
}

export const DIGEST_CHECKS: readonly Named[] = [
  { check: 'known answer', run: knownAnswer },
  { check: 'counterpart agrees', run: counterpartAgrees },
  { check: 'state and buffers', run: state },
  { check: 'separate objects', run: separateObjects },
];

function parameters(subject: Subject): AlgorithmParameters {
  return AlgorithmParameters.getInstance(subject.algorithm, subject.from);
}

async function parameterRoundTrip(subject: Subject): Promise<string> {
  if (subject.algorithm !== 'EC') throw new NotRun('the test kit knows no such parameters');
  for (const curve of subject.curves) {
    const first = parameters(subject).init(new ECGenParameterSpec(curve));
    const { encoded } = first;
    const spec = parameters(subject).init(encoded).getParameterSpec();
    const name = spec instanceof ECGenParameterSpec ? resolveCurveName(spec.name) : undefined;
    must(name === resolveCurveName(curve), `the parameters of ${curve} come back as others`);
    encoded.fill(0);
    must(!same(first.encoded, encoded), 'encoded is not a fresh copy');
  }
  return subject.curves.join(', ');
}

async function parameterErrors(subject: Subject): Promise<void> {
  const classes = [InvalidAlgorithmParameterError];
  await mustThrow('init with bytes that are no parameters', classes, () => parameters(subject).init(message(9)));
  await mustThrow('init with parameters that nobody knows', classes, () =>
    parameters(subject).init(new UnknownParameterSpec()),
  );
  await mustThrow('encoded before an init', [IllegalStateError], () => parameters(subject).encoded);
}

export const PARAMETER_CHECKS: readonly Named[] = [
  { check: 'round trips', run: parameterRoundTrip },
  { check: 'error classes', run: parameterErrors },
];
