// PrivateKeyInfo (PKCS #8, RFC 5208) and OneAsymmetricKey (RFC 5958), for EC (RFC 5915) and RFC 8410 keys.

import { InvalidKeySpecError } from '../errors.ts';
import { decodeAlgorithmIdentifier, encodeAlgorithmIdentifier } from './algorithm-identifier.ts';
import type { EcCurve, OkpCurve } from './curves.ts';
import { DER, type DerNode, decodeSmallInteger, encodeDer, parseDer, wholeOctets } from './der.ts';
import { FixedForms } from './fixed-forms.ts';
import type { EcPrivateKeyData, OkpPrivateKeyData, PrivateKeyData } from './key-data.ts';
import { decodeSec1, encodeSec1 } from './sec1.ts';

const WHAT = 'The PKCS#8 private key';
const ATTRIBUTES = 0xa0;
const PUBLIC_KEY = 0x81;
const NO_UNUSED_BITS = Uint8Array.of(0);
const NOTHING = new Uint8Array(0);
const FORMS = /* @__PURE__ */ new FixedForms<PrivateKeyData>();

function malformed(reason: string): never {
  throw new InvalidKeySpecError(`${WHAT} ${reason}.`);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function ecKey(curve: EcCurve, octets: Uint8Array, outerPoint: Uint8Array | undefined): EcPrivateKeyData {
  const key = decodeSec1(octets, curve.name);
  if (outerPoint === undefined) return key;
  if (key.publicPoint !== undefined && !sameBytes(key.publicPoint, outerPoint)) {
    key.scalar.fill(0);
    malformed('holds two public keys that differ');
  }
  return { ...key, publicPoint: outerPoint };
}

function okpKey(okp: OkpCurve, octets: Uint8Array, publicKey: Uint8Array | undefined): OkpPrivateKeyData {
  const inner = parseDer(octets, `${WHAT} inside`);
  if (inner.tag !== DER.octetString || inner.content.length !== okp.fieldBytes) {
    malformed(`does not hold the ${okp.fieldBytes} bytes of an ${okp.name} key`);
  }
  if (publicKey !== undefined && publicKey.length !== okp.fieldBytes) {
    malformed(`holds a public key of ${publicKey.length} bytes, but ${okp.name} has ${okp.fieldBytes}`);
  }
  return { algorithm: okp.family, curve: okp.name, privateKey: inner.content.slice(), publicKey };
}

function outerPublicKey(node: DerNode, version: number): Uint8Array {
  if (version !== 1) malformed('holds a public key, which needs version 2 (the value 1)');
  return wholeOctets(node.content)?.slice() ?? malformed('does not hold its public key as a bit string of whole bytes');
}

/**
 * Reads a private key of any known algorithm, version 1 or 2, with or without its public key; attributes are skipped.
 * All parts are fresh copies. Throws InvalidKeySpecError.
 */
export function decodePkcs8(bytes: Uint8Array): PrivateKeyData {
  const known = FORMS.match(bytes);
  if (known !== undefined) return known;
  const key = parsePkcs8(bytes);
  const [secret, open] = isEc(key) ? [key.scalar, key.publicPoint] : [key.privateKey, key.publicKey];
  learn(bytes, key.algorithm, key.curve, secret.length, open?.length);
  return key;
}

function privateKey(
  algorithm: PrivateKeyData['algorithm'],
  curve: string,
  secret: Uint8Array,
  open: Uint8Array | undefined,
): PrivateKeyData {
  return algorithm === 'EC'
    ? { algorithm, curve, scalar: secret, publicPoint: open }
    : { algorithm, curve, privateKey: secret, publicKey: open };
}

/** Takes no key, so that what is learned holds none. */
function learn(
  bytes: Uint8Array,
  algorithm: PrivateKeyData['algorithm'],
  curve: string,
  secretLength: number,
  openLength: number | undefined,
): void {
  const filled = (length: number, fill: number) => new Uint8Array(length).fill(fill);
  FORMS.learn(
    bytes,
    (fill) => {
      const open = openLength === undefined ? undefined : filled(openLength, fill);
      return encodePkcs8(privateKey(algorithm, curve, filled(secretLength, fill), open));
    },
    ([secret = NOTHING, open]) => privateKey(algorithm, curve, secret, open),
  );
}

function parsePkcs8(bytes: Uint8Array): PrivateKeyData {
  const root = parseDer(bytes, WHAT);
  const [versionNode, algorithm, secret, ...optional] = root.children;
  if (root.tag !== DER.sequence || algorithm === undefined || secret?.tag !== DER.octetString) {
    malformed('has another structure');
  }
  const version = decodeSmallInteger(versionNode);
  if (version !== 0 && version !== 1) malformed('has an unknown version');
  const identified = decodeAlgorithmIdentifier(algorithm, WHAT);
  if (optional[0]?.tag === ATTRIBUTES) optional.shift();
  const publicNode = optional[0]?.tag === PUBLIC_KEY ? optional.shift() : undefined;
  if (optional.length > 0) malformed('has members that do not belong there');
  const publicKey = publicNode === undefined ? undefined : outerPublicKey(publicNode, version);
  return identified.algorithm === 'EC'
    ? ecKey(identified.curve, secret.content, publicKey)
    : okpKey(identified.okp, secret.content, publicKey);
}

/**
 * Writes a private key with the public key that `key` has: for EC inside ECPrivateKey (as OpenSSL and Web Crypto do),
 * else as version 2 of RFC 5958. Wipe the result.
 */
export function encodePkcs8(key: PrivateKeyData): Uint8Array {
  const ec = isEc(key);
  const inner = ec ? encodeSec1(key, { parameters: false }) : encodeDer(DER.octetString, key.privateKey);
  const publicKey = ec ? undefined : key.publicKey;
  const secret = encodeDer(DER.octetString, inner);
  const parts = [
    Uint8Array.of(DER.integer, 1, publicKey === undefined ? 0 : 1),
    encodeAlgorithmIdentifier(key.algorithm, key.curve),
    secret,
  ];
  if (publicKey !== undefined) parts.push(encodeDer(PUBLIC_KEY, NO_UNUSED_BITS, publicKey));
  const encoded = encodeDer(DER.sequence, ...parts);
  inner.fill(0);
  secret.fill(0);
  return encoded;
}

/** Reads a private key that is either PKCS#8 or, for EC, SEC1: the structure tells. Throws InvalidKeySpecError. */
export function decodePrivateDer(bytes: Uint8Array): PrivateKeyData {
  const known = FORMS.match(bytes);
  if (known !== undefined) return known;
  const isSec1 = parseDer(bytes, 'The private key').children[1]?.tag === DER.octetString;
  return isSec1 ? decodeSec1(bytes) : decodePkcs8(bytes);
}

function isEc(key: PrivateKeyData): key is EcPrivateKeyData {
  return key.algorithm === 'EC';
}
