// Checks of KeyPairGenerator and KeyFactory services, and of the keys that they give.

import {
  ECGenParameterSpec,
  type Key,
  KeyAgreement,
  KeyFactory,
  type KeyPair,
  KeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Signature,
  X509EncodedKeySpec,
} from '../index.ts';
import { platformRandom } from '../spi/checks.ts';
import {
  InvalidAlgorithmParameterError,
  InvalidKeyError,
  InvalidKeySpecError,
  InvalidParameterError,
  KeyDestroyedError,
} from '../spi/errors.ts';
import { resolveCurve } from '../spi/names.ts';
import { message, same, toHex } from './bytes.ts';
import { UnknownParameterSpec } from './options.ts';
import { must, mustThrow, NotRun } from './report.ts';
import type { Named } from './signatures.ts';
import { curveSpec, type Subject, supports } from './subject.ts';

async function generate(subject: Subject, curve: string): Promise<KeyPair> {
  const generator = subject.generator();
  await generator.initialize(curveSpec(curve));
  return generator.generateKeyPair();
}

/** Where the key may leave its provider, the counterpart must see the two as parts of one key. */
async function belongTogether(subject: Subject, { publicKey, privateKey }: KeyPair, where: string): Promise<void> {
  if (privateKey.encoded === undefined || publicKey.encoded === undefined) return;
  const family = resolveCurve(publicKey.curve ?? '')?.family;
  if (family === undefined) return;
  const peer = await subject.foreignKeys(publicKey.curve as string);
  const from = subject.counterpart('KeyFactory', family);
  const factory = KeyFactory.getInstance(family, from);
  const own = factory.generatePrivate(new PKCS8EncodedKeySpec(privateKey.encoded));
  const shown = factory.generatePublic(new X509EncodedKeySpec(publicKey.encoded));
  must(own.curve === peer.privateKey.curve, `${from.provider.name} takes its key for one on ${own.curve}`);
  if (family === 'XDH') {
    const ours = KeyAgreement.getInstance('XDH', from).init(own).doPhase(peer.publicKey, true).generateSecret();
    const theirs = KeyAgreement.getInstance('XDH', from).init(peer.privateKey).doPhase(shown, true).generateSecret();
    must(same(ours, theirs), `public and private key do not belong together ${where}`);
    return;
  }
  const algorithm = family === 'EC' ? 'SHA256withECDSA' : 'EdDSA';
  const signature = Signature.sign(algorithm, own, message(10), from);
  const valid = Signature.verify(algorithm, shown, message(10), signature, from);
  must(valid, `public and private key do not belong together ${where}`);
}

async function pairs(subject: Subject): Promise<string> {
  if (subject.curves.length === 0) throw new NotRun('the test kit knows no keys for it');
  for (const curve of subject.curves) {
    const a = await generate(subject, curve);
    const b = await generate(subject, curve);
    const named = [a.publicKey.curve, a.privateKey.curve].every((name) => name === undefined || name === curve);
    must(named, `asked for ${curve}, it gave a key on ${a.publicKey.curve} and ${a.privateKey.curve}`);
    must(
      !a.publicKey.equals(b.publicKey) && !a.privateKey.equals(b.privateKey),
      `two key pairs on ${curve} are the same`,
    );
    must(a.publicKey.equals(a.publicKey), 'a public key does not equal itself');
    await belongTogether(subject, a, `on ${curve}`);
  }
  const { publicKey } = await subject.generator().generateKeyPair();
  must(publicKey.kind === 'public', 'without parameters it gives no key pair');
  return subject.curves.join(', ');
}

async function generatorErrors(subject: Subject): Promise<void> {
  const classes = [InvalidAlgorithmParameterError];
  await mustThrow('a curve that nobody knows', classes, async () => {
    const generator = subject.generator();
    await generator.initialize(new ECGenParameterSpec('secp9999x9'));
    await generator.generateKeyPair();
  });
  await mustThrow('parameters that nobody knows', classes, async () => {
    const generator = subject.generator();
    await generator.initialize(new UnknownParameterSpec());
    await generator.generateKeyPair();
  });
  await mustThrow('a size of 17 bits', [InvalidAlgorithmParameterError, InvalidParameterError], async () => {
    const generator = subject.generator();
    await generator.initialize(17);
    await generator.generateKeyPair();
  });
}

async function generatorRandom(subject: Subject): Promise<string> {
  let asked = 0;
  const random = (bytes: Uint8Array): void => {
    asked++;
    platformRandom(bytes);
  };
  const curve = subject.curves[0];
  if (curve === undefined) throw new NotRun('the test kit knows no keys for it');
  const generator = subject.generator();
  if (!supports(subject.service, { use: 'generate', random })) {
    await mustThrow('initialize with a random source, which it declines,', [InvalidAlgorithmParameterError], () =>
      generator.initialize(curveSpec(curve), { random }),
    );
    throw new NotRun('it declines');
  }
  await generator.initialize(curveSpec(curve), { random });
  await generator.generateKeyPair();
  must(asked > 0, 'the option random is ignored: the source was not asked');
  return 'honoured';
}

/** Everything that a key shows by itself: as text, as JSON, to an inspector, by its own members. */
function shownBy(key: Key): string {
  const inspect = globalThis.process?.getBuiltinModule?.('node:util')?.inspect;
  const members = Object.entries(key).map(([name, value]) => `${name}: ${shownValue(value)}`);
  const inspected = inspect === undefined ? '' : inspect(key, { depth: 9, showHidden: true, maxArrayLength: null });
  return [String(key), JSON.stringify(key), inspected, ...members].join('\n').toLowerCase();
}

function shownValue(value: unknown): string {
  if (value instanceof Uint8Array) return toHex(value);
  if (value instanceof ArrayBuffer) return toHex(new Uint8Array(value));
  if (typeof value === 'bigint') return value.toString(16);
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

function isShown(secret: Uint8Array, shown: string): boolean {
  // Any eight bytes of it in a row are enough to call it shown, in hexadecimal or as a list of numbers.
  for (let at = 0; at + 8 <= secret.length; at++) {
    const part = secret.subarray(at, at + 8);
    const list = [...part].join(',');
    const pairs = Array.from(part, (byte) => byte.toString(16).padStart(2, '0'));
    if (shown.includes(pairs.join('')) || shown.includes(pairs.join(' '))) return true;
    if (shown.replaceAll(/\s/g, '').includes(list)) return true;
  }
  const text = globalThis
    .btoa(String.fromCharCode(...secret))
    .replaceAll('=', '')
    .toLowerCase();
  const url = text.replaceAll('+', '-').replaceAll('/', '_');
  return shown.includes(text.slice(0, 16)) || shown.includes(url.slice(0, 16));
}

/** The scalar or the seed: the part of a PKCS#8 encoding that is secret. */
async function secretOf(subject: Subject, key: Key): Promise<Uint8Array | undefined> {
  const family = resolveCurve(key.curve ?? '')?.family;
  if (key.encoded === undefined || family === undefined) return undefined;
  const factory = KeyFactory.getInstance(family, subject.counterpart('KeyFactory', family));
  return factory.getKeySpec(factory.generatePrivate(new PKCS8EncodedKeySpec(key.encoded)), RawKeySpec).bytes;
}

async function keysKeepSecrets(subject: Subject): Promise<string> {
  const { publicKey, privateKey } = await pairOf(subject);
  for (const key of [publicKey, privateKey]) {
    must(
      (key.encoded === undefined) === (key.format === undefined),
      `a ${key.kind} key has an encoding without a format, or the other way round`,
    );
    const { encoded } = key;
    if (encoded === undefined) continue;
    const kept = Uint8Array.from(encoded);
    encoded.fill(0);
    must(same(key.encoded as Uint8Array, kept), `encoded of a ${key.kind} key is not a fresh copy`);
  }
  const secret = await secretOf(subject, privateKey);
  const shown = shownBy(privateKey);
  if (secret !== undefined) must(!isShown(secret, shown), 'a private key shows its secret');
  const leaves = privateKey.encoded !== undefined;
  privateKey.destroy();
  must(privateKey.destroyed, 'destroy does not destroy');
  if (leaves) {
    await mustThrow('encoded of a destroyed key', [KeyDestroyedError], () => privateKey.encoded);
  }
  return leaves ? 'exportable' : 'not exportable';
}

async function pairOf(subject: Subject): Promise<KeyPair> {
  const curve = subject.curves[0];
  if (curve === undefined) throw new NotRun('the test kit knows no keys for it');
  if (subject.service.type === 'KeyPairGenerator') return generate(subject, curve);
  const { publicKey, privateKey } = await subject.foreignKeys(curve);
  if (!subject.service.importsPrivateKeys) throw new NotRun('it does not import private keys');
  const factory = subject.factory();
  return {
    publicKey: (await factory.translateKey(publicKey)) as KeyPair['publicKey'],
    privateKey: (await factory.translateKey(privateKey)) as KeyPair['privateKey'],
  };
}

async function manyPairs(subject: Subject): Promise<void> {
  const curve = subject.curves[0];
  if (curve === undefined) throw new NotRun('the test kit knows no keys for it');
  const made = await Promise.all([1, 2, 3, 4].map(() => generate(subject, curve)));
  for (const [i, one] of made.entries()) {
    const twin = made.slice(i + 1).some(({ publicKey }) => publicKey.equals(one.publicKey));
    must(!twin, 'generators used at once give the same key twice');
  }
  const [first, second] = [subject.generator(), subject.generator()];
  const other = subject.curves[1] ?? curve;
  await first.initialize(curveSpec(curve));
  await second.initialize(curveSpec(other));
  const { publicKey } = await first.generateKeyPair();
  must(publicKey.curve === undefined || publicKey.curve === curve, 'state leaks between generators');
}

export const GENERATOR_CHECKS: readonly Named[] = [
  { check: 'key pairs', run: pairs },
  { check: 'error classes', run: generatorErrors },
  { check: 'option: random', run: generatorRandom },
  { check: 'keys keep their secrets', run: keysKeepSecrets },
  { check: 'separate objects', run: manyPairs },
];

class UnknownKeySpec extends KeySpec {
  override readonly format = 'unknown';
}

async function factoryRoundTrips(subject: Subject): Promise<string> {
  const done: string[] = [];
  for (const curve of subject.curves) {
    const { publicKey, privateKey } = await subject.foreignKeys(curve).catch(() => ({}) as Partial<KeyPair>);
    if (publicKey === undefined || privateKey === undefined) continue;
    const factory = subject.factory();
    const spec = new X509EncodedKeySpec(publicKey.encoded as Uint8Array);
    const own = await factory.generatePublic(spec);
    const handed = Uint8Array.from(spec.encoded);
    must(same(handed, publicKey.encoded as Uint8Array), 'generatePublic changes the spec that it is given');
    spec.encoded.fill(0);
    must(same(own.encoded as Uint8Array, handed), `a public key on ${curve} comes back changed`);
    const again = await factory.getKeySpec(own, X509EncodedKeySpec);
    must(same(again.encoded, handed), `getKeySpec describes another public key on ${curve}`);
    must((await factory.generatePublic(again)).equals(own), `two imports of one public key on ${curve} are not equal`);
    done.push(curve);
    if (!subject.service.importsPrivateKeys) continue;
    const pkcs8 = privateKey.encoded as Uint8Array;
    const secret = await factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    const back = secret.encoded;
    if (back === undefined) continue;
    const from = subject.counterpart('KeyFactory', resolveCurve(curve)?.family ?? curve);
    const theirs = KeyFactory.getInstance(resolveCurve(curve)?.family ?? curve, from);
    const returned = theirs.generatePrivate(new PKCS8EncodedKeySpec(back));
    must(returned.equals(theirs.translateKey(privateKey)), `a private key on ${curve} comes back changed`);
  }
  if (done.length === 0) throw new NotRun('the test kit knows no keys for it');
  return done.join(', ');
}

async function translations(subject: Subject): Promise<string> {
  const done: string[] = [];
  for (const curve of subject.curves) {
    const { publicKey, privateKey } = await subject.foreignKeys(curve).catch(() => ({}) as Partial<KeyPair>);
    if (publicKey === undefined || privateKey === undefined) continue;
    const family = resolveCurve(curve)?.family ?? curve;
    const theirs = KeyFactory.getInstance(family, subject.counterpart('KeyFactory', family));
    const own = (await subject.factory().translateKey(publicKey)) as KeyPair['publicKey'];
    must(
      own.encoded === undefined || theirs.translateKey(own).equals(theirs.translateKey(publicKey)),
      `a public key on ${curve} is translated to another key`,
    );
    done.push(curve);
    if (!subject.service.importsPrivateKeys) continue;
    const secret = (await subject.factory().translateKey(privateKey)) as KeyPair['privateKey'];
    must(
      secret.encoded === undefined || theirs.translateKey(secret).equals(theirs.translateKey(privateKey)),
      `a private key on ${curve} is translated to another key`,
    );
    privateKey.destroy();
    must(secret.destroyed, 'a translated key outlives its original');
  }
  if (done.length === 0) throw new NotRun('the test kit knows no keys for it');
  return done.join(', ');
}

async function factoryErrors(subject: Subject): Promise<void> {
  const curve = subject.curves[0];
  if (curve === undefined) throw new NotRun('the test kit knows no keys for it');
  const { publicKey, privateKey } = await subject.foreignKeys(curve);
  const wrong = await subject.foreignKeys(subject.family === 'EC' ? 'Ed25519' : 'secp256r1');
  const factory = subject.factory();
  const spki = publicKey.encoded as Uint8Array;
  const pkcs8 = privateKey.encoded as Uint8Array;
  const bad: readonly (readonly [string, Uint8Array])[] = [
    ['an empty encoding', new Uint8Array(0)],
    ['bytes that are no key', message(40)],
    ['a truncated key', spki.subarray(0, -1)],
    ['a key of another family', wrong.publicKey.encoded as Uint8Array],
  ];
  for (const [what, bytes] of bad) {
    await mustThrow(`generatePublic of ${what}`, [InvalidKeySpecError], () =>
      factory.generatePublic(new X509EncodedKeySpec(bytes)),
    );
  }
  if (subject.family === 'EC') {
    const off = Uint8Array.from(spki);
    off[off.length - 1] = (off[off.length - 1] as number) ^ 1;
    await mustThrow('generatePublic of a point off the curve', [InvalidKeySpecError], () =>
      factory.generatePublic(new X509EncodedKeySpec(off)),
    );
  }
  await mustThrow('generatePublic of a spec that nobody knows', [InvalidKeySpecError], () =>
    factory.generatePublic(new UnknownKeySpec()),
  );
  await mustThrow('generatePrivate of a public key', [InvalidKeySpecError], () =>
    factory.generatePrivate(new PKCS8EncodedKeySpec(spki)),
  );
  await mustThrow('generatePrivate of a truncated key', [InvalidKeySpecError], () =>
    factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8.subarray(0, -1))),
  );
  await mustThrow('getKeySpec of a form that nobody knows', [InvalidKeySpecError], () =>
    factory.getKeySpec(publicKey, UnknownKeySpec),
  );
  await mustThrow('translateKey of a key of another family', [InvalidKeyError], () =>
    factory.translateKey(wrong.publicKey),
  );
}

export const FACTORY_CHECKS: readonly Named[] = [
  { check: 'round trips', run: factoryRoundTrips },
  { check: 'key translation', run: translations },
  { check: 'error classes', run: factoryErrors },
  { check: 'keys keep their secrets', run: keysKeepSecrets },
];
