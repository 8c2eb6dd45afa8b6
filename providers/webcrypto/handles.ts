// From keys of the framework to CryptoKeys. A CryptoKey is bound to one algorithm, so an EC key that may be exported has one
// for ECDSA and one for ECDH, each made when it is first needed; one that may not be exported serves what it was made for.

import { InvalidKeyError } from '../../spi/errors.ts';
import { CryptoKeyPrivateKey, CryptoKeyPublicKey } from '../../spi/foreign-keys.ts';
import type { Key } from '../../spi/keys.ts';
import { algorithmFor, findCurve, type Purpose, usagesOf, type WebCurve } from './curves.ts';
import { knownVerdict, requireForKey, source, subtle } from './platform.ts';

export type WebKey = CryptoKeyPublicKey | CryptoKeyPrivateKey;

/** True for keys around a CryptoKey, whoever made them. */
export function isWebKey(key: Key): key is WebKey {
  return key instanceof CryptoKeyPublicKey || key instanceof CryptoKeyPrivateKey;
}

/** The key's own CryptoKey if it is for this purpose, or why it is not. */
function ownHandle(key: WebKey, curve: WebCurve, purpose: Purpose): CryptoKey | string {
  const handle = key.cryptoKey as CryptoKey;
  const { name } = algorithmFor(curve, purpose);
  if (handle.algorithm.name !== name) return `the CryptoKey is for ${handle.algorithm.name}, not for ${name}`;
  const missing = usagesOf(purpose, key.kind).find((usage) => !handle.usages.includes(usage));
  return missing === undefined ? handle : `the CryptoKey does not have the usage ${missing}`;
}

/** `true`, or why the key is of no use here. Never throws. */
export function supports(key: Key, algorithm: string, purpose: Purpose | undefined): true | string {
  const curve = key.curve === undefined ? undefined : findCurve(key.curve);
  if (curve === undefined || curve.family !== key.algorithm) {
    return `WebCrypto has no ${key.algorithm} keys on ${key.curve ?? 'a curve without a name'}`;
  }
  if (curve.family !== algorithm && curve.name !== algorithm)
    return `${algorithm} does not take this ${key.toString()}`;
  if (purpose === undefined) return true;
  const verdict = knownVerdict(curve, purpose);
  if (verdict !== true) return verdict;
  if (key.destroyed) return 'the key was destroyed';
  if (!isWebKey(key) || key.format !== undefined) return true;
  const handle = ownHandle(key, curve, purpose);
  return typeof handle === 'string' ? `${handle}, and it cannot be exported` : true;
}

const made = new WeakMap<Key, Map<Purpose, Promise<CryptoKey>>>();

/** The curve of a key of ours. Throws InvalidKeyError, KeyDestroyedError. */
export function curveOf(key: Key, algorithm: string): WebCurve {
  key.assertUsable();
  const curve = key.curve === undefined ? undefined : findCurve(key.curve);
  if (curve === undefined || !isWebKey(key) || curve.family !== key.algorithm) {
    throw new InvalidKeyError(
      `${algorithm} of WebCrypto does not take this ${key.toString()}. Translate it with its AsyncKeyFactory first.`,
    );
  }
  return curve;
}

/** The CryptoKey for a purpose. Rejects with InvalidKeyError (also where the platform lacks the curve), KeyDestroyedError. */
export async function handleOf(key: Key, algorithm: string, purpose: Purpose): Promise<CryptoKey> {
  const curve = curveOf(key, algorithm) as WebCurve;
  const own = ownHandle(key as WebKey, curve, purpose);
  if (typeof own !== 'string') return own;
  if (key.format === undefined) throw new InvalidKeyError(`${algorithm}: ${own}, and it cannot be exported.`);
  await requireForKey(curve, purpose);
  key.assertUsable();
  let table = made.get(key);
  if (table === undefined) {
    table = new Map();
    made.set(key, table);
    key.onDestroy(() => made.delete(key));
  }
  let handle = table.get(purpose);
  if (handle === undefined) {
    const started = importAgain(key, curve, purpose);
    table.set(purpose, started);
    const kept = table;
    started.catch(() => kept.delete(purpose));
    handle = started;
  }
  const ready = await handle;
  key.assertUsable();
  return ready;
}

async function importAgain(key: Key, curve: WebCurve, purpose: Purpose): Promise<CryptoKey> {
  const encoded = key.encoded;
  if (encoded === undefined) throw new InvalidKeyError(`This ${key.toString()} cannot be exported.`);
  const format = key.kind === 'private' ? 'pkcs8' : 'spki';
  try {
    const usages = usagesOf(purpose, key.kind);
    return await subtle().importKey(format, source(encoded), algorithmFor(curve, purpose), false, usages);
  } catch (cause) {
    throw new InvalidKeyError(`WebCrypto refused the ${curve.name} ${key.kind} key for ${purpose}.`, { cause });
  } finally {
    encoded.fill(0);
  }
}
