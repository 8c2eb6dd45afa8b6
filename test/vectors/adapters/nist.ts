// NIST CAVP: key pairs, validation of public keys, signatures with a known nonce, verification, and the CDH primitive.

import { createHash } from 'node:crypto';
import {
  ECGenParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  JwkKeySpec,
  type PublicKey,
  RawKeySpec,
} from '../../../index.ts';
import { resolveCurve } from '../../../spi/names.ts';
import { attempt, atWidth, bytesOf, concat, type Entry, must, mustEqual, type VectorCase, Wrong } from '../case.ts';
import { signWithNonce } from '../nonces.ts';
import type { Subject } from '../subject.ts';
import { ecdsaName } from './signatures.ts';

export interface CavsRecord {
  readonly curve: string;
  readonly hash: string | undefined;
  readonly values: Readonly<Record<string, string>>;
}

/** Records of a CAVS file on the curves of `entry`: a record ends at a blank line or where a name comes again. */
export function* cavsRecords(text: string, entry: Entry): Iterable<CavsRecord> {
  let curve = '';
  let hash: string | undefined;
  let values: Record<string, string> = {};
  const isWanted = () => entry.curve.includes(curve) && ('Qx' in values || 'QCAVSx' in values);
  for (const raw of [...text.split(/\r?\n/), '']) {
    const line = raw.trim();
    const section = /^\[([A-Z]-\d+)(?:,(SHA-\d+))?\]$/.exec(line);
    const pair = /^(\w+)\s*=\s*(.*)$/.exec(line);
    if (pair === null || (pair[1] as string) in values) {
      if (isWanted()) yield { curve, hash, values };
      values = {};
    }
    if (section !== null) {
      curve = section[1] as string;
      hash = section[2];
    } else if (pair !== null) values[pair[1] as string] = pair[2] as string;
  }
}

function value(record: CavsRecord, name: string): string {
  const found = record.values[name];
  if (found === undefined) throw new Wrong(`the record has no ${name}`);
  return found;
}

function fixed(record: CavsRecord, name: string): Uint8Array {
  const width = resolveCurve(record.curve)?.orderBytes ?? 0;
  const bytes = atWidth(value(record, name), width);
  if (bytes === undefined) throw new Wrong(`${name} does not fit`);
  return bytes;
}

function pointSpec(record: CavsRecord, prefix = 'Q', suffix = ''): ECPublicKeySpec {
  const [x, y] = [`${prefix}${suffix}x`, `${prefix}${suffix}y`].map((name) => bytesOf(value(record, name)));
  return new ECPublicKeySpec({ x: x as Uint8Array, y: y as Uint8Array }, new ECGenParameterSpec(record.curve));
}

/** Compares the public key that belongs to a private scalar with the listed one. */
function checkPair(record: CavsRecord, subject: Subject, d: string, x: string, y: string) {
  const scalar = fixed(record, d);
  const key = subject.importPrivate('EC', new ECPrivateKeySpec(scalar, new ECGenParameterSpec(record.curve)));
  const { jwk } = subject.exportKey(key, JwkKeySpec);
  mustEqual(Uint8Array.from(Buffer.from(jwk.x ?? '', 'base64url')), fixed(record, x), 'the x coordinate');
  mustEqual(Uint8Array.from(Buffer.from(jwk.y ?? '', 'base64url')), fixed(record, y), 'the y coordinate');
  return key;
}

type Check = (record: CavsRecord, subject: Subject, algorithm: string) => 'passed' | 'refused';

const keyPair: Check = (record, subject) => {
  checkPair(record, subject, 'd', 'Qx', 'Qy');
  return 'passed';
};

const validation: Check = (record, subject) => {
  const good = value(record, 'Result').startsWith('P');
  const key = attempt(() => subject.importPublic('EC', pointSpec(record)));
  must((key !== undefined) === good, good ? 'a good key is refused' : 'a bad key is taken');
  return good ? 'passed' : 'refused';
};

function verifies(record: CavsRecord, subject: Subject, algorithm: string, key: PublicKey): boolean {
  const signature = concat(fixed(record, 'R'), fixed(record, 'S'));
  return subject.verifier(algorithm).verify(key, bytesOf(value(record, 'Msg')), signature);
}

const signing: Check = (record, subject, algorithm) => {
  const key = subject.importPublic('EC', pointSpec(record));
  must(verifies(record, subject, algorithm, key), 'the listed signature does not verify');
  const digest = createHash((record.hash as string).replace('-', '').toLowerCase())
    .update(bytesOf(value(record, 'Msg')))
    .digest();
  checkPair(record, subject, 'd', 'Qx', 'Qy');
  // Only our own engines take a nonce; of another provider the listed signature is verified, which was done above.
  const signature = signWithNonce(subject.provider, record.curve, {
    digest: Uint8Array.from(digest),
    privateKey: fixed(record, 'd'),
    nonce: fixed(record, 'k'),
  });
  if (signature !== undefined) {
    mustEqual(signature, concat(fixed(record, 'R'), fixed(record, 'S')), 'the signature');
  }
  return 'passed';
};

const verification: Check = (record, subject, algorithm) => {
  const good = value(record, 'Result').startsWith('P');
  const key = attempt(() => subject.importPublic('EC', pointSpec(record)));
  must(key !== undefined || !good, 'a good key is refused');
  const accepted = key !== undefined && verifies(record, subject, algorithm, key);
  must(accepted === good, good ? 'a good signature does not verify' : 'a bad signature verifies');
  return good ? 'passed' : 'refused';
};

const cdh: Check = (record, subject) => {
  const own = checkPair(record, subject, 'dIUT', 'QIUTx', 'QIUTy');
  const peer = subject.importPublic('EC', pointSpec(record, 'Q', 'CAVS'));
  mustEqual(subject.agree('ECDH', own, peer), fixed(record, 'ZIUT'), 'the secret');
  const octets = concat(Uint8Array.of(4), fixed(record, 'QCAVSx'), fixed(record, 'QCAVSy'));
  const again = subject.importPublic('EC', new RawKeySpec(octets, { curve: record.curve }));
  must(again.equals(peer), 'the same point in two forms gives two keys');
  return 'passed';
};

const CHECKS: Readonly<Record<string, readonly [Check, 'KeyFactory' | 'KeyAgreement' | 'Signature']>> = {
  keypair: [keyPair, 'KeyFactory'],
  'public-key-validation': [validation, 'KeyFactory'],
  'ecdsa-sign-with-k': [signing, 'Signature'],
  'ecdsa-verify': [verification, 'Signature'],
  ecdh: [cdh, 'KeyAgreement'],
};

export function* nist(data: Buffer, entry: Entry, subject: Subject): Iterable<VectorCase> {
  const [check, type] = CHECKS[entry.kind] ?? [];
  if (check === undefined || type === undefined) throw new Error(`unknown kind ${entry.kind}`);
  const counts = new Map<string, number>();
  for (const record of cavsRecords(data.toString('utf8'), entry)) {
    const section = record.hash === undefined ? record.curve : `${record.curve},${record.hash}`;
    const number = counts.get(section) ?? 0;
    counts.set(section, number + 1);
    const id = `${section}#${number}`;
    const algorithm =
      type === 'Signature' ? ecdsaName(record.hash as string, 'p1363') : type === 'KeyAgreement' ? 'ECDH' : 'EC';
    const skip = subject.lacks(type, algorithm, record.curve);
    if (skip !== undefined) yield { id, skip };
    else yield { id, run: () => check(record, subject, algorithm) };
  }
}
