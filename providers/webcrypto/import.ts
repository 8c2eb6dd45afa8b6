// From checked parts to keys around CryptoKeys. The platform only sees canonical DER written here and raw public keys.

import { decodeBase64Url } from '../../spi/encoding/base64.ts';
import type { EcPrivateKeyData, OkpPrivateKeyData, PublicKeyData } from '../../spi/encoding/key-data.ts';
import { encodePkcs8 } from '../../spi/encoding/pkcs8.ts';
import { decodePoint, encodeUncompressedPoint } from '../../spi/encoding/point.ts';
import { encodeSpki } from '../../spi/encoding/spki.ts';
import { InvalidKeySpecError } from '../../spi/errors.ts';
import { CryptoKeyPrivateKey, CryptoKeyPublicKey } from '../../spi/foreign-keys.ts';
import {
  algorithmFor,
  type EcWebCurve,
  inRange,
  mainPurpose,
  type OkpWebCurve,
  usagesOf,
  type WebCurve,
} from './curves.ts';
import { isEdwardsPointVartime } from './edwards-points.ts';
import { probe, source, subtle } from './platform.ts';

const UNCOMPRESSED = 0x04;
const PROBE_MESSAGE = /* @__PURE__ */ Uint8Array.of(0x70, 0x61, 0x69, 0x72);

/** Rejects with InvalidKeySpecError where the platform lacks the curve. */
export async function requireForImport(curve: WebCurve): Promise<void> {
  const verdict = await probe(curve, mainPurpose(curve));
  if (verdict !== true) throw new InvalidKeySpecError(`${verdict}.`);
}

async function importRaw(curve: WebCurve, octets: Uint8Array): Promise<CryptoKey> {
  const purpose = mainPurpose(curve);
  return subtle().importKey('raw', source(octets), algorithmFor(curve, purpose), true, usagesOf(purpose, 'public'));
}

/** The uncompressed form. The platform decompresses, where it can: the framework has codecs but no arithmetic. */
async function uncompressed(curve: EcWebCurve, octets: Uint8Array): Promise<Uint8Array> {
  const point = decodePoint(octets, curve.fieldBytes, curve.name);
  if (point.form === 'uncompressed') return encodeUncompressedPoint(point.xy);
  let whole: Uint8Array;
  try {
    whole = new Uint8Array(await subtle().exportKey('raw', await importRaw(curve, octets)));
  } catch (cause) {
    throw new InvalidKeySpecError(
      `WebCrypto refused the compressed point on ${curve.name}: it is none, or this platform does not decompress; give it uncompressed.`,
      { cause },
    );
  }
  const { fieldBytes } = curve;
  const parity = (whole[2 * fieldBytes] ?? 0) & 1;
  const same = point.x.every((byte, i) => byte === whole[1 + i]);
  if (whole[0] !== UNCOMPRESSED || whole.length !== 1 + 2 * fieldBytes || parity !== point.parity || !same) {
    throw new InvalidKeySpecError(`This platform does not decompress points on ${curve.name}; give it uncompressed.`);
  }
  return whole;
}

/** The octets as they are kept: an uncompressed point or a raw key. Rejects with InvalidKeySpecError. */
async function publicOctets(curve: WebCurve, data: PublicKeyData): Promise<Uint8Array> {
  if (data.algorithm === 'EC') return uncompressed(curve as EcWebCurve, data.point);
  assertLength(curve, data.publicKey, 'public');
  assertEdwards(curve, data.publicKey);
  return data.publicKey;
}

/** EdDSA: canonical and decodable. Throws InvalidKeySpecError. */
export function assertEdwards(curve: WebCurve, octets: Uint8Array): void {
  if (curve.family === 'EdDSA' && !isEdwardsPointVartime(curve.name, octets)) {
    throw new InvalidKeySpecError(`The bytes are not the canonical encoding of a point on ${curve.name}.`);
  }
}

function assertLength(curve: WebCurve, bytes: Uint8Array, what: string): void {
  if (bytes.length !== curve.fieldBytes) {
    throw new InvalidKeySpecError(`A ${curve.name} ${what} key has ${curve.fieldBytes} bytes, got ${bytes.length}.`);
  }
}

function dataOf(curve: WebCurve, octets: Uint8Array): PublicKeyData {
  return curve.family === 'EC'
    ? { algorithm: 'EC', curve: curve.name, point: octets }
    : { algorithm: curve.family, curve: curve.name, publicKey: octets };
}

/** Rejects with InvalidKeySpecError: form, length, range, equation. X25519 and X448: length only (RFC 7748 reduces). */
export async function importPublic(curve: WebCurve, data: PublicKeyData): Promise<CryptoKeyPublicKey> {
  const octets = await publicOctets(curve, data);
  let handle: CryptoKey;
  try {
    handle = await importRaw(curve, octets);
  } catch (cause) {
    throw new InvalidKeySpecError(`WebCrypto refused the ${curve.name} public key: it is not a point of the curve.`, {
      cause,
    });
  }
  return new CryptoKeyPublicKey(handle, encodeSpki(dataOf(curve, octets)));
}

/** Wipes `pkcs8`. */
async function importPkcs8(curve: WebCurve, pkcs8: Uint8Array, extractable: boolean): Promise<CryptoKey> {
  const purpose = mainPurpose(curve);
  const usages = usagesOf(purpose, 'private');
  try {
    return await subtle().importKey('pkcs8', source(pkcs8), algorithmFor(curve, purpose), extractable, usages);
  } catch {
    throw new InvalidKeySpecError(`WebCrypto refused the ${curve.name} private key.`);
  } finally {
    pkcs8.fill(0);
  }
}

/** The public octets of an extractable private handle. JWK is the only form in which engines give them. */
export async function publicPartOf(curve: WebCurve, handle: CryptoKey): Promise<Uint8Array> {
  const { x = '', y = '' } = await subtle().exportKey('jwk', handle);
  const [first, second] = [decodeBase64Url(x), curve.family === 'EC' ? decodeBase64Url(y) : new Uint8Array(0)];
  if (first?.length !== curve.fieldBytes || second === undefined) {
    throw new InvalidKeySpecError(`WebCrypto does not give the public part of a ${curve.name} private key.`);
  }
  if (curve.family !== 'EC') return first;
  const xy = new Uint8Array(2 * curve.fieldBytes);
  xy.set(first);
  xy.set(second, curve.fieldBytes);
  return encodeUncompressedPoint(xy);
}

/** A signature made with one verifies with the other. */
async function signsFor(privateHandle: CryptoKey, publicHandle: CryptoKey): Promise<boolean> {
  const algorithm = { name: privateHandle.algorithm.name, hash: 'SHA-256' };
  const signature = await subtle().sign(algorithm, privateHandle, source(PROBE_MESSAGE));
  return subtle().verify(algorithm, publicHandle, signature, source(PROBE_MESSAGE));
}

/** The public key is the private one times the base point (RFC 7748, section 6). */
async function derives(curve: OkpWebCurve, handle: CryptoKey, octets: Uint8Array): Promise<boolean> {
  const base = new Uint8Array(curve.fieldBytes);
  base[0] = curve.name === 'X448' ? 5 : 9;
  const parameters = { name: curve.webName, public: await importRaw(curve, base) };
  const derived = new Uint8Array(await subtle().deriveBits(parameters, handle, 8 * curve.fieldBytes));
  return derived.length === octets.length && derived.every((byte, i) => byte === octets[i]);
}

function mismatch(curve: WebCurve): InvalidKeySpecError {
  return new InvalidKeySpecError(`The public and the private part of the key on ${curve.name} do not belong together.`);
}

/** Rejects with InvalidKeySpecError: width, range 1 ≤ d < n, a public point that does not belong to d. */
export async function importEcPrivate(curve: EcWebCurve, data: EcPrivateKeyData): Promise<CryptoKeyPrivateKey> {
  if (data.scalar.length !== curve.order.length || inRange(data.scalar, curve.order) === 0) {
    throw new InvalidKeySpecError(`The private scalar on ${curve.name} is not within 1 and n − 1.`);
  }
  if (data.publicPoint === undefined) {
    const bare = await importPkcs8(curve, encodePkcs8({ ...data, publicPoint: undefined }), true);
    const publicPoint = await publicPartOf(curve, bare);
    const encoded = encodePkcs8({ ...data, publicPoint });
    return new CryptoKeyPrivateKey(await importPkcs8(curve, encoded.slice(), false), encoded);
  }
  const open = await importPublic(curve, { algorithm: 'EC', curve: curve.name, point: data.publicPoint });
  const publicPoint = await uncompressed(curve, data.publicPoint);
  const handle = await importPkcs8(curve, encodePkcs8({ ...data, publicPoint }), false);
  if (!(await signsFor(handle, open.cryptoKey as CryptoKey))) throw mismatch(curve);
  return new CryptoKeyPrivateKey(handle, encodePkcs8({ ...data, publicPoint }));
}

/** Rejects with InvalidKeySpecError: length, a public key that does not belong to the private one. */
export async function importOkpPrivate(curve: OkpWebCurve, data: OkpPrivateKeyData): Promise<CryptoKeyPrivateKey> {
  assertLength(curve, data.privateKey, 'private');
  const encoding = (): Uint8Array => encodePkcs8({ ...data, publicKey: undefined });
  const handle = await importPkcs8(curve, encoding(), false);
  if (data.publicKey !== undefined) {
    assertLength(curve, data.publicKey, 'public');
    const belongs =
      curve.family === 'XDH'
        ? await derives(curve, handle, data.publicKey)
        : await signsFor(handle, (await importPublic(curve, dataOf(curve, data.publicKey))).cryptoKey as CryptoKey);
    if (!belongs) throw mismatch(curve);
  }
  return new CryptoKeyPrivateKey(handle, encoding());
}
