// From encodings to the parts of a key. The codecs of the framework know the curves of our own provider; OpenSSL has more,
// whose encodings (RFC 5480, RFC 5915) are read here by the same rules.

import { DER, type DerNode, decodeOid, decodeSmallInteger, parseDer, wholeOctets } from '../../spi/encoding/der.ts';
import { decodePrivateJwk, decodePublicJwk } from '../../spi/encoding/jwk.ts';
import { type PrivateKeyData, type PublicKeyData, scalarAtWidth } from '../../spi/encoding/key-data.ts';
import { decodePem } from '../../spi/encoding/pem.ts';
import { decodePemKey, PEM_LABELS } from '../../spi/encoding/pem-keys.ts';
import { decodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { encodeUncompressedPoint } from '../../spi/encoding/point.ts';
import { decodeSec1 } from '../../spi/encoding/sec1.ts';
import { decodeSpki } from '../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../spi/errors.ts';
import {
  ECGenParameterSpec,
  type ECParameterSpec,
  ECPrivateKeySpec,
  ECPublicKeySpec,
  JwkKeySpec,
  type KeySpec,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  RawKeySpec,
  Sec1EncodedKeySpec,
  X509EncodedKeySpec,
} from '../../spi/key-specs.ts';
import { findCurve, isFrameworkCurve, type OpenSslCurve } from './curves.ts';
import { findOkp } from './okp.ts';

const EC_PUBLIC_KEY = '1.2.840.10045.2.1';
const PARAMETERS = 0xa0;
const PUBLIC_KEY = 0xa1;

function refuse(reason: string): never {
  throw new InvalidKeySpecError(`The key ${reason}.`);
}

function required(name: string): OpenSslCurve {
  return findCurve(name) ?? refuse(`is on a curve that OpenSSL does not have: ${name}`);
}

function named(parameters: ECGenParameterSpec | ECParameterSpec): OpenSslCurve {
  if (parameters instanceof ECGenParameterSpec) return required(parameters.name);
  refuse('has explicit curve parameters, which OpenSSL is not given');
}

/** The curve of an AlgorithmIdentifier if it is an EC curve that only OpenSSL has. */
function otherCurve(algorithm: DerNode | undefined): OpenSslCurve | undefined {
  const [id, parameters, ...surplus] = algorithm?.children ?? [];
  if (algorithm?.tag !== DER.sequence || surplus.length > 0 || id?.tag !== DER.oid) return undefined;
  return decodeOid(id) === EC_PUBLIC_KEY ? otherNamed(parameters) : undefined;
}

function otherNamed(oid: DerNode | undefined): OpenSslCurve | undefined {
  if (oid?.tag !== DER.oid) return undefined;
  const curve = findCurve(decodeOid(oid));
  return curve === undefined || isFrameworkCurve(curve) ? undefined : curve;
}

function bits(node: DerNode | undefined): Uint8Array {
  const octets = node?.tag === DER.bitString ? wholeOctets(node.content) : undefined;
  return octets?.slice() ?? refuse('does not hold its public key as a bit string of whole bytes');
}

/** SubjectPublicKeyInfo. Throws InvalidKeySpecError. */
export function readSpki(encoded: Uint8Array): PublicKeyData {
  const root = parseDer(encoded, 'The SubjectPublicKeyInfo');
  const curve = otherCurve(root.children[0]);
  if (curve === undefined) return decodeSpki(encoded);
  if (root.tag !== DER.sequence || root.children.length !== 2) refuse('is not a sequence of an algorithm and a key');
  return { algorithm: 'EC', curve: curve.name, point: bits(root.children[1]) };
}

function otherSec1(root: DerNode, curve: OpenSslCurve): PrivateKeyData {
  const [version, secret, ...optional] = root.children;
  if (root.tag !== DER.sequence || secret?.tag !== DER.octetString || decodeSmallInteger(version) !== 1) {
    refuse('is not an ECPrivateKey of version 1');
  }
  if (optional[0]?.tag === PARAMETERS) {
    const parameters = optional.shift()?.children ?? [];
    if (parameters.length !== 1 || otherNamed(parameters[0]) !== curve) refuse('names two curves');
  }
  const open = optional[0]?.tag === PUBLIC_KEY ? optional.shift()?.children : undefined;
  if (optional.length > 0 || (open !== undefined && open.length !== 1)) refuse('has members that do not belong there');
  return {
    algorithm: 'EC',
    curve: curve.name,
    scalar: scalarAtWidth(secret.content, curve.order.length, curve.name),
    publicPoint: open === undefined ? undefined : bits(open[0]),
  };
}

/** PrivateKeyInfo or OneAsymmetricKey; ECPrivateKey where it names its curve. Throws InvalidKeySpecError. */
export function readPrivate(encoded: Uint8Array): PrivateKeyData {
  const root = parseDer(encoded, 'The private key');
  if (root.children[1]?.tag === DER.octetString) return readSec1(encoded);
  const [version, algorithm, secret, ...surplus] = root.children;
  const curve = otherCurve(algorithm);
  if (curve === undefined) return decodePkcs8(encoded);
  if (root.tag !== DER.sequence || decodeSmallInteger(version) !== 0 || secret?.tag !== DER.octetString) {
    refuse('is not PKCS#8 of version 1');
  }
  if (surplus.length > 0) refuse('has members that do not belong there');
  return otherSec1(parseDer(secret.content, 'The ECPrivateKey'), curve);
}

/** ECPrivateKey. Throws InvalidKeySpecError. */
function readSec1(encoded: Uint8Array, name?: string): PrivateKeyData {
  const root = parseDer(encoded, 'The ECPrivateKey');
  const parameters = root.children.find((node) => node.tag === PARAMETERS)?.children[0];
  const outer = name === undefined ? undefined : required(name);
  const curve = outer ?? otherNamed(parameters);
  if (curve === undefined || isFrameworkCurve(curve)) return decodeSec1(encoded, outer?.name);
  return otherSec1(root, curve);
}

/** The DER of the only key block of a PEM text; undefined where the text needs the framework's closer look. */
function onlyBlock(pem: string, labels: readonly string[]): Uint8Array | undefined {
  const [block, ...more] = decodePem(pem).filter(({ label }) => label.endsWith(' KEY'));
  return block !== undefined && more.length === 0 && labels.includes(block.label) ? block.bytes : undefined;
}

function coordinate(bytes: Uint8Array, curve: OpenSslCurve): Uint8Array {
  return scalarAtWidth(bytes, curve.fieldBytes, curve.name);
}

/** The parts of a public key. Throws InvalidKeySpecError. */
export function readPublicSpec(spec: KeySpec): PublicKeyData {
  if (spec instanceof X509EncodedKeySpec) return readSpki(spec.encoded);
  if (spec instanceof JwkKeySpec) return decodePublicJwk(spec.jwk);
  if (spec instanceof PemKeySpec) {
    const single = onlyBlock(spec.pem, [PEM_LABELS.spki]);
    if (single !== undefined) return readSpki(single);
    const found = decodePemKey(spec.pem, spec.passphrase);
    if (found.kind === 'public') return found.key;
    wipePrivate(found.key);
    refuse('in the PEM text is private; a public one is needed');
  }
  if (spec instanceof ECPublicKeySpec) {
    const curve = named(spec.parameters);
    const xy = new Uint8Array(2 * curve.fieldBytes);
    xy.set(coordinate(spec.x, curve));
    xy.set(coordinate(spec.y, curve), curve.fieldBytes);
    return { algorithm: 'EC', curve: curve.name, point: encodeUncompressedPoint(xy) };
  }
  if (spec instanceof RawKeySpec) {
    if (spec.encoding === 'zip215') refuse('has the encoding zip215, but OpenSSL does not verify by these criteria');
    const okp = findOkp(spec.curve);
    return okp === undefined
      ? { algorithm: 'EC', curve: required(spec.curve).name, point: Uint8Array.from(spec.bytes) }
      : { algorithm: okp.algorithm, curve: okp.name, publicKey: Uint8Array.from(spec.bytes) };
  }
  refuse(`has the form ${spec.format}, from which OpenSSL makes no public key`);
}

/** The parts of a private key; wipe them. Throws InvalidKeySpecError. */
export function readPrivateSpec(spec: KeySpec): PrivateKeyData {
  if (spec instanceof PKCS8EncodedKeySpec) return readPrivate(spec.encoded);
  if (spec instanceof Sec1EncodedKeySpec) return readSec1(spec.encoded, spec.curve);
  if (spec instanceof JwkKeySpec) return decodePrivateJwk(spec.jwk);
  if (spec instanceof PemKeySpec) {
    const single = onlyBlock(spec.pem, [PEM_LABELS.pkcs8, PEM_LABELS.sec1]);
    if (single !== undefined) {
      try {
        return readPrivate(single);
      } finally {
        single.fill(0);
      }
    }
    const found = decodePemKey(spec.pem, spec.passphrase);
    return found.kind === 'private' ? found.key : refuse('in the PEM text is public; a private one is needed');
  }
  if (spec instanceof ECPrivateKeySpec) return ecScalar(named(spec.parameters), spec.scalar);
  if (spec instanceof RawKeySpec) {
    const okp = findOkp(spec.curve);
    if (okp !== undefined) {
      return {
        algorithm: okp.algorithm,
        curve: okp.name,
        privateKey: Uint8Array.from(spec.bytes),
        publicKey: undefined,
      };
    }
    const curve = required(spec.curve);
    if (spec.bytes.length !== curve.order.length) {
      refuse(`is a raw scalar of ${spec.bytes.length} bytes where ${curve.order.length} belong`);
    }
    return ecScalar(curve, spec.bytes);
  }
  refuse(`has the form ${spec.format}, from which OpenSSL makes no private key`);
}

function ecScalar(curve: OpenSslCurve, bytes: Uint8Array): PrivateKeyData {
  const scalar = scalarAtWidth(bytes, curve.order.length, curve.name);
  return { algorithm: 'EC', curve: curve.name, scalar, publicPoint: undefined };
}

export function wipePrivate(data: PrivateKeyData): void {
  (data.algorithm === 'EC' ? data.scalar : data.privateKey).fill(0);
}
