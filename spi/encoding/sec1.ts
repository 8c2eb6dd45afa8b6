// ECPrivateKey (SEC 1 appendix C.4, RFC 5915).

import { InvalidKeySpecError } from '../errors.ts';
import { curveByOid, type EcCurve, ecCurve } from './curves.ts';
import {
  DER,
  type DerNode,
  decodeOid,
  decodeSmallInteger,
  encodeDer,
  encodeOid,
  parseDer,
  wholeOctets,
} from './der.ts';
import { type EcPrivateKeyData, scalarAtWidth } from './key-data.ts';

const WHAT = 'The ECPrivateKey';
const PARAMETERS = 0xa0;
const PUBLIC_KEY = 0xa1;
const VERSION_1 = Uint8Array.of(0x02, 0x01, 0x01);
const NO_UNUSED_BITS = Uint8Array.of(0);

function malformed(reason: string): never {
  throw new InvalidKeySpecError(`${WHAT} ${reason}.`);
}

function innerCurve(node: DerNode): EcCurve {
  const [oid] = node.children;
  if (node.children.length !== 1 || oid?.tag !== DER.oid) {
    malformed('spells out curve parameters; only named curves are accepted');
  }
  return curveByOid(decodeOid(oid), WHAT);
}

function innerPoint(node: DerNode): Uint8Array {
  const [bits] = node.children;
  const octets = node.children.length === 1 && bits?.tag === DER.bitString ? wholeOctets(bits.content) : undefined;
  return octets?.slice() ?? malformed('does not hold its public key as a bit string of whole bytes');
}

/**
 * Reads an ECPrivateKey. `curve` is what the surroundings say; the key may leave it out, but not say another.
 * Throws InvalidKeySpecError, also where no curve is named at all.
 */
export function decodeSec1(bytes: Uint8Array, curve?: string): EcPrivateKeyData {
  const root = parseDer(bytes, WHAT);
  const [version, secret, ...optional] = root.children;
  if (root.tag !== DER.sequence || secret?.tag !== DER.octetString) malformed('has another structure');
  if (decodeSmallInteger(version) !== 1) malformed('does not have version 1');
  const parameters = optional[0]?.tag === PARAMETERS ? optional.shift() : undefined;
  const publicKey = optional[0]?.tag === PUBLIC_KEY ? optional.shift() : undefined;
  if (optional.length > 0) malformed('has members that do not belong there');
  const outer = curve === undefined ? undefined : ecCurve(curve, WHAT);
  const inner = parameters === undefined ? undefined : innerCurve(parameters);
  const named = outer ?? inner ?? malformed('names no curve; say which one it is on');
  if (inner !== undefined && inner.name !== named.name) {
    malformed(`is on ${inner.name}, but ${named.name} was named around it`);
  }
  const publicPoint = publicKey === undefined ? undefined : innerPoint(publicKey);
  return {
    algorithm: 'EC',
    curve: named.name,
    scalar: scalarAtWidth(secret.content, named.orderBytes, named.name),
    publicPoint,
  };
}

/** Writes an ECPrivateKey with what `key` has; the curve is left out where `parameters` is false. Wipe the result. */
export function encodeSec1(key: EcPrivateKeyData, options: { readonly parameters?: boolean } = {}): Uint8Array {
  const parts = [VERSION_1, encodeDer(DER.octetString, key.scalar)];
  if (options.parameters !== false) parts.push(encodeDer(PARAMETERS, encodeOid(ecCurve(key.curve, WHAT).oid)));
  if (key.publicPoint !== undefined) {
    parts.push(encodeDer(PUBLIC_KEY, encodeDer(DER.bitString, NO_UNUSED_BITS, key.publicPoint)));
  }
  const encoded = encodeDer(DER.sequence, ...parts);
  parts[1]?.fill(0);
  return encoded;
}
