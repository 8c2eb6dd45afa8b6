// The generated edge cases on every provider that comes with the package.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type JsonWebKey,
  JwkKeySpec,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../index.ts';
import { attempt } from '../vectors/case.ts';
import { createSubject, type Subject } from '../vectors/subject.ts';
import type { AgreeCase, EdgeCase, ImportCase, SignCase, VerifyCase } from './cases.ts';
import { FILES, pathOf, render } from './generate.ts';
import { hex, unhex } from './reference.ts';

const curve = 'secp256r1';

function specOf({ format, key }: ImportCase): KeySpec {
  if (format === 'jwk') return new JwkKeySpec(key as JsonWebKey);
  if (format === 'pem') return new PemKeySpec(key as string);
  const bytes = unhex(key as string);
  switch (format) {
    case 'spki':
      return new X509EncodedKeySpec(bytes);
    case 'pkcs8':
      return new PKCS8EncodedKeySpec(bytes);
    case 'sec1':
      return new Sec1EncodedKeySpec(bytes);
    case 'raw':
      return new RawKeySpec(bytes, { curve });
  }
}

const publicKey = (subject: Subject, octets: string) =>
  subject.importPublic('EC', new RawKeySpec(unhex(octets), { curve }));
const privateKey = (subject: Subject, scalar: string) =>
  subject.importPrivate('EC', new RawKeySpec(unhex(scalar), { curve }));

function verify(subject: Subject, given: VerifyCase): unknown {
  const key = publicKey(subject, given.publicKey);
  return subject.verifier(given.algorithm).verify(key, unhex(given.data), unhex(given.signature));
}

function sign(subject: Subject, given: SignCase): unknown {
  const options = { nonce: 'deterministic', nonceHash: given.nonceHash } as const;
  return hex(subject.sign(given.algorithm, privateKey(subject, given.privateKey), unhex(given.data), options));
}

function agree(subject: Subject, given: AgreeCase): unknown {
  const own = privateKey(subject, given.privateKey);
  const secret = attempt(() => subject.agree('ECDH', own, publicKey(subject, given.peer)));
  return secret === undefined ? null : hex(secret);
}

function importKey(subject: Subject, given: ImportCase): unknown {
  return (
    attempt(() => {
      const spec = specOf(given);
      const key = given.kind === 'public' ? subject.importPublic('EC', spec) : subject.importPrivate('EC', spec);
      return hex(subject.exportKey(key, RawKeySpec).bytes);
    }) ?? null
  );
}

function run(subject: Subject, given: EdgeCase): unknown {
  switch (given.op) {
    case 'verify':
      return verify(subject, given);
    case 'sign':
      return sign(subject, given);
    case 'agree':
      return agree(subject, given);
    case 'import':
      return importKey(subject, given);
  }
}

/** What the provider does not serve at all; OpenSSL has no signatures over digests as they stand. */
function isServed(subject: Subject, given: EdgeCase): boolean {
  const isSignature = given.op === 'verify' || given.op === 'sign';
  return !isSignature || subject.lacks('Signature', given.algorithm, curve) === undefined;
}

function load(file: string): readonly EdgeCase[] {
  return JSON.parse(readFileSync(pathOf(file), 'utf8')) as readonly EdgeCase[];
}

describe('the edge cases', () => {
  it.each(Object.entries(FILES))('in %s are what the generator writes', (file, cases) => {
    expect(readFileSync(pathOf(file), 'utf8')).toBe(render(cases()));
  });

  it.each(Object.keys(FILES))('in %s have names of their own, and both kinds of answer', (file) => {
    const cases = load(file);
    expect(new Set(cases.map(({ op, name }) => `${op} ${name}`)).size).toBe(cases.length);
    if (file === 'digests.json') return;
    expect(cases.some(({ expected }) => expected === false || expected === null)).toBe(true);
    expect(cases.some(({ expected }) => expected !== false && expected !== null)).toBe(true);
  });
});

describe.each(['Provium', 'OpenSSL'])('%s', (provider) => {
  const subject = createSubject(provider);

  it.each(Object.keys(FILES))('gives the answer of the references to every case in %s', (file) => {
    const cases = load(file).filter((given) => isServed(subject, given));
    const wrong = cases.flatMap((given) => {
      const actual = run(subject, given);
      return actual === given.expected ? [] : [{ name: given.name, actual, expected: given.expected }];
    });
    expect(wrong).toEqual([]);
    if (provider === 'Provium' || file !== 'digests.json') expect(cases.length).toBe(load(file).length);
  });
});
