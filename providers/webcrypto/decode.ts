// From specs to the parts of a key, by the strict codecs of the framework: the platform never parses what a caller gave.

import { decodePrivateJwk, decodePublicJwk } from '../../spi/encoding/jwk.ts';
import { type PrivateKeyData, type PublicKeyData, scalarAtWidth } from '../../spi/encoding/key-data.ts';
import { decodePemKey } from '../../spi/encoding/pem-keys.ts';
import { decodePrivateDer } from '../../spi/encoding/pkcs8.ts';
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
import { type EcWebCurve, findCurve, type WebCurve } from './curves.ts';

function refuse(reason: string): never {
  throw new InvalidKeySpecError(`The key ${reason}.`);
}

/** Throws InvalidKeySpecError. */
export function requireCurve(name: string): WebCurve {
  return findCurve(name) ?? refuse(`is on a curve that WebCrypto does not have: ${name}`);
}

function named(parameters: ECGenParameterSpec | ECParameterSpec): EcWebCurve {
  if (!(parameters instanceof ECGenParameterSpec))
    refuse('has explicit curve parameters, which WebCrypto does not take');
  const curve = requireCurve(parameters.name);
  return curve.family === 'EC' ? curve : refuse(`is an EC key, but ${curve.name} is no EC curve`);
}

/** The parts of a public key. Throws InvalidKeySpecError. */
export function readPublicSpec(spec: KeySpec): PublicKeyData {
  if (spec instanceof X509EncodedKeySpec) return decodeSpki(spec.encoded);
  if (spec instanceof JwkKeySpec) return decodePublicJwk(spec.jwk);
  if (spec instanceof PemKeySpec) {
    const found = decodePemKey(spec.pem, spec.passphrase);
    if (found.kind === 'public') return found.key;
    wipePrivate(found.key);
    refuse('in the PEM text is private; a public one is needed');
  }
  if (spec instanceof ECPublicKeySpec) {
    const curve = named(spec.parameters);
    const xy = new Uint8Array(2 * curve.fieldBytes);
    xy.set(scalarAtWidth(spec.x, curve.fieldBytes, curve.name));
    xy.set(scalarAtWidth(spec.y, curve.fieldBytes, curve.name), curve.fieldBytes);
    return { algorithm: 'EC', curve: curve.name, point: encodeUncompressedPoint(xy) };
  }
  if (spec instanceof RawKeySpec) {
    if (spec.encoding === 'zip215') refuse('has the encoding zip215, but WebCrypto does not verify by these criteria');
    const curve = requireCurve(spec.curve);
    const bytes = Uint8Array.from(spec.bytes);
    return curve.family === 'EC'
      ? { algorithm: 'EC', curve: curve.name, point: bytes }
      : { algorithm: curve.family, curve: curve.name, publicKey: bytes };
  }
  refuse(`has the form ${spec.format}, from which WebCrypto makes no public key`);
}

/** The parts of a private key; wipe them. Throws InvalidKeySpecError. */
export function readPrivateSpec(spec: KeySpec): PrivateKeyData {
  if (spec instanceof PKCS8EncodedKeySpec) return decodePrivateDer(spec.encoded);
  if (spec instanceof Sec1EncodedKeySpec) return decodeSec1(spec.encoded, spec.curve);
  if (spec instanceof JwkKeySpec) return decodePrivateJwk(spec.jwk);
  if (spec instanceof PemKeySpec) {
    const found = decodePemKey(spec.pem, spec.passphrase);
    return found.kind === 'private' ? found.key : refuse('in the PEM text is public; a private one is needed');
  }
  if (spec instanceof ECPrivateKeySpec) return ecScalar(named(spec.parameters), spec.scalar);
  if (spec instanceof RawKeySpec) {
    const curve = requireCurve(spec.curve);
    if (curve.family !== 'EC') {
      const privateKey = Uint8Array.from(spec.bytes);
      return { algorithm: curve.family, curve: curve.name, privateKey, publicKey: undefined };
    }
    if (spec.bytes.length !== curve.order.length) {
      refuse(`is a raw scalar of ${spec.bytes.length} bytes where ${curve.order.length} belong`);
    }
    return ecScalar(curve, spec.bytes);
  }
  refuse(`has the form ${spec.format}, from which WebCrypto makes no private key`);
}

function ecScalar(curve: EcWebCurve, bytes: Uint8Array): PrivateKeyData {
  const scalar = scalarAtWidth(bytes, curve.order.length, curve.name);
  return { algorithm: 'EC', curve: curve.name, scalar, publicPoint: undefined };
}

export function wipePrivate(data: PrivateKeyData): void {
  (data.algorithm === 'EC' ? data.scalar : data.privateKey).fill(0);
}
