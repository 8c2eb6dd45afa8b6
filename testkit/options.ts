// Options are honoured or declined, never ignored: what a Signature service says it supports is tried.

import { EdDSAParameterSpec, type PrivateKey, type PublicKey } from '../index.ts';
import { platformRandom } from '../spi/checks.ts';
import { decodeEcdsaDer, encodeEcdsaDer } from '../spi/encoding/ecdsa-der.ts';
import { InvalidAlgorithmParameterError } from '../spi/errors.ts';
import { AlgorithmParameterSpec } from '../spi/key-specs.ts';
import { resolveCurve } from '../spi/names.ts';
import type { SignOptions, VerificationCriteria, VerifyOptions } from '../spi/service.ts';
import { bigIntOf, bytesOf, hex, joined, message, same } from './bytes.ts';
import { EC_ORDERS, ED25519_ORDER_EIGHT, EDDSA_VARIANTS } from './known-answers.ts';
import { must, mustThrow, NotRun } from './report.ts';
import { type Named, sign, text, verify } from './signatures.ts';
import { type Subject, supports } from './subject.ts';

/** Parameters that no provider can know. */
export class UnknownParameterSpec extends AlgorithmParameterSpec {
  override readonly kind = 'UnknownParameterSpec';
}

const DECLINED = 'it declines';

/** Declined by supportsOptions, the option must be refused by the façade; otherwise `honoured` tells whether it was. */
async function declinedOrHonoured(
  subject: Subject,
  what: string,
  options: SignOptions,
  honoured: (key: PrivateKey, publicKey: PublicKey) => Promise<void>,
): Promise<string> {
  const { pair } = await subject.usableKeys('private');
  if (supports(subject.service, { use: 'sign', ...options })) {
    await honoured(pair.privateKey, pair.publicKey);
    return `${what} honoured`;
  }
  await mustThrow(`initSign with ${what}, which it declines,`, [InvalidAlgorithmParameterError], () =>
    subject.signature().initSign(pair.privateKey, options),
  );
  throw new NotRun(DECLINED);
}

async function unknownParameters(subject: Subject): Promise<void> {
  const parameters = new UnknownParameterSpec();
  const uses = [
    ['private', 'sign'],
    ['public', 'verify'],
  ] as const;
  let tried = 0;
  for (const [kind, use] of uses) {
    const found = await subject.usableKeys(kind).catch((error: unknown) => {
      if (error instanceof NotRun) return undefined;
      throw error;
    });
    if (found === undefined) continue;
    tried++;
    supports(subject.service, { use, parameters });
    await mustThrow(`${use} with parameters that nobody knows`, [InvalidAlgorithmParameterError], async () => {
      const object = subject.signature();
      if (use === 'sign') await object.initSign(found.pair.privateKey, { parameters });
      else await object.initVerify(found.pair.publicKey, { parameters });
    });
  }
  if (tried === 0) throw new NotRun('it takes no keys');
}

function isEcdsa(subject: Subject): boolean {
  return subject.family === 'EC';
}

async function deterministicNonce(subject: Subject): Promise<string> {
  if (!isEcdsa(subject)) throw new NotRun('it is an option of ECDSA');
  const hash = /^NONE/i.test(subject.algorithm) ? { nonceHash: 'SHA-256' } : {};
  const options: SignOptions = { nonce: 'deterministic', ...hash };
  return declinedOrHonoured(subject, 'nonce: deterministic', options, async (key) => {
    const data = text(subject, 50);
    const [a, b] = [await sign(subject, key, data, options), await sign(subject, key, data, options)];
    must(same(a, b), 'the option nonce: deterministic is ignored: two signatures differ');
  });
}

async function randomNonce(subject: Subject): Promise<string> {
  if (!isEcdsa(subject)) throw new NotRun('it is an option of ECDSA');
  return declinedOrHonoured(subject, 'nonce: random', { nonce: 'random' }, async (key) => {
    const data = text(subject, 50);
    const [a, b] = [
      await sign(subject, key, data, { nonce: 'random' }),
      await sign(subject, key, data, { nonce: 'random' }),
    ];
    must(!same(a, b), 'the option nonce: random is ignored: two signatures are the same');
  });
}

async function ownRandom(subject: Subject): Promise<string> {
  if (!isEcdsa(subject)) throw new NotRun('it is an option of ECDSA');
  let asked = 0;
  const random = (bytes: Uint8Array): void => {
    asked++;
    platformRandom(bytes);
  };
  return declinedOrHonoured(subject, 'a random source', { random }, async (key) => {
    await sign(subject, key, text(subject, 50), { random });
    must(asked > 0, 'the option random is ignored: the source was not asked');
  });
}

/** r then s of a signature, at the width of the order. */
function rawOf(subject: Subject, signature: Uint8Array, width: number): Uint8Array {
  if (/inP1363Format$/i.test(subject.algorithm)) return signature;
  const raw = new Uint8Array(2 * width);
  must(decodeEcdsaDer(raw, signature, width), 'a signature is not DER');
  return raw;
}

async function lowS(subject: Subject): Promise<string> {
  if (!isEcdsa(subject)) throw new NotRun('it is an option of ECDSA');
  const { curve, pair } = await subject.usableKeys('private');
  const order = EC_ORDERS[curve];
  const width = resolveCurve(curve)?.orderBytes;
  if (order === undefined || width === undefined) throw new NotRun(`the order of ${curve} is not known here`);
  const n = bigIntOf(hex(order));
  const data = text(subject, 50);
  const done: string[] = [];
  if (supports(subject.service, { use: 'sign', lowS: true })) {
    for (let i = 0; i < 12; i++) {
      const raw = rawOf(subject, await sign(subject, pair.privateKey, data, { lowS: true }), width);
      must(2n * bigIntOf(raw.subarray(width)) <= n, 'the option lowS is ignored when signing: s is high');
    }
    done.push('sign');
  }
  const mayVerify = subject.refusal(pair.publicKey, false) === undefined;
  if (mayVerify && supports(subject.service, { use: 'verify', lowS: true })) {
    const raw = rawOf(subject, await sign(subject, pair.privateKey, data), width);
    const s = bigIntOf(raw.subarray(width));
    for (const [value, isLow] of [s, n - s].map((one) => [one, 2n * one <= n] as const)) {
      const both = joined(raw.subarray(0, width), bytesOf(value, width));
      const signature = raw.length === 2 * width && isP1363(subject) ? both : encodeEcdsaDer(both);
      const valid = await verify(subject, pair.publicKey, data, signature, { lowS: true });
      must(
        valid === isLow,
        isLow ? 'with lowS a signature of low s is refused' : 'the option lowS is ignored when verifying: s is high',
      );
    }
    done.push('verify');
  }
  if (done.length === 0) throw new NotRun(DECLINED);
  return done.join(', ');
}

function isP1363(subject: Subject): boolean {
  return /inP1363Format$/i.test(subject.algorithm);
}

async function edwardsParameters(subject: Subject): Promise<string> {
  if (subject.family !== 'EdDSA') throw new NotRun('they are parameters of EdDSA');
  const done: string[] = [];
  const { pair } = await subject.usableKeys('private');
  const data = text(subject, 50);
  const one = new EdDSAParameterSpec({ context: message(8, 1) });
  const other = new EdDSAParameterSpec({ context: message(8, 2) });
  if (supports(subject.service, { use: 'sign', parameters: one })) {
    const signature = await sign(subject, pair.privateKey, data, { parameters: one });
    const byOther = await sign(subject, pair.privateKey, data, { parameters: other });
    must(!same(signature, byOther), 'the context of EdDSAParameterSpec is ignored when signing');
    if (supports(subject.service, { use: 'verify', parameters: one })) {
      const under = (parameters: EdDSAParameterSpec) =>
        verify(subject, pair.publicKey, data, signature, { parameters });
      must(await under(one), 'a signature with a context is not valid under it');
      must(!(await under(other)), 'the context of EdDSAParameterSpec is ignored when verifying');
    }
    done.push('context');
  }
  for (const { curve, prehash, context, publicKey, message: text_, signature, source } of EDDSA_VARIANTS) {
    const parameters = new EdDSAParameterSpec({ prehash, ...(context === '' ? {} : { context: hex(context) }) });
    if (!subject.curves.includes(curve) || !supports(subject.service, { use: 'verify', parameters })) continue;
    const key = (await subject.rawKey('public', curve, hex(publicKey))) as PublicKey;
    if (subject.refusal(key, true) !== undefined) continue;
    const valid = await verify(subject, key, hex(text_), hex(signature), { parameters });
    must(valid, `the signature of ${source} is not valid`);
    const without = await verify(subject, key, hex(text_), hex(signature));
    must(!without, `the signature of ${source} is valid without its parameters`);
    done.push(source);
  }
  if (done.length === 0) throw new NotRun(DECLINED);
  return done.join(', ');
}

/** By a key of small order: what the criteria say of R = identity, S = 0, where [k]A is of order 8 for most messages. */
const SMALL_ORDER: Readonly<Record<VerificationCriteria, 'none' | 'some' | 'all'>> = {
  strict: 'none',
  rfc8032: 'some',
  cofactored: 'all',
  zip215: 'all',
};

async function criteria(subject: Subject): Promise<string> {
  if (subject.family !== 'EdDSA' || !subject.curves.includes('Ed25519'))
    throw new NotRun('they are options of Ed25519');
  const key = (await subject.rawKey('public', 'Ed25519', hex(ED25519_ORDER_EIGHT))) as PublicKey;
  if (subject.refusal(key, true) !== undefined) throw new NotRun('it takes no such key');
  const signature = new Uint8Array(64);
  signature[0] = 1;
  const done: string[] = [];
  for (const [name, expected] of Object.entries(SMALL_ORDER)) {
    const options: VerifyOptions = { criteria: name as VerificationCriteria };
    if (!supports(subject.service, { use: 'verify', ...options })) continue;
    let valid = 0;
    const count = 64;
    for (let seed = 0; seed < count; seed++) {
      if (await verify(subject, key, message(20, seed), signature, options)) valid++;
    }
    const actual = valid === 0 ? 'none' : valid === count ? 'all' : 'some';
    must(
      actual === expected,
      `the criteria ${name} must accept ${expected} of the small-order signatures, not ${actual}`,
    );
    done.push(name);
  }
  if (done.length === 0) throw new NotRun(DECLINED);
  return done.join(', ');
}

export const OPTION_CHECKS: readonly Named[] = [
  { check: 'option: unknown parameters', run: unknownParameters },
  { check: 'option: nonce deterministic', run: deterministicNonce },
  { check: 'option: nonce random', run: randomNonce },
  { check: 'option: random', run: ownRandom },
  { check: 'option: lowS', run: lowS },
  { check: 'option: EdDSA parameters', run: edwardsParameters },
  { check: 'option: criteria', run: criteria },
];
