// The platform's SubtleCrypto, read at use, and what it lacks, found out once per curve and purpose.

import { InvalidAlgorithmParameterError, InvalidKeyError, ProviderError } from '../../spi/errors.ts';
import { algorithmFor, type Purpose, usagesOf, type WebCurve } from './curves.ts';

/** True where the provider can work: in Node, and in browsers on secure pages. */
export function isWebCryptoAvailable(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** Throws ProviderError where there is none. */
export function subtle(): SubtleCrypto {
  const found: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (found === undefined) {
    throw new ProviderError('WebCrypto is not there: browsers offer it on secure pages (https, localhost) only.');
  }
  return found;
}

/** The same bytes, as the types of the platform name them. */
export function source(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

const NOTHING_HERE = 'this platform has no WebCrypto here (browsers: secure pages only)';

const verdicts = new WeakMap<SubtleCrypto, Map<string, true | string>>();
const probes = new WeakMap<SubtleCrypto, Map<string, Promise<true | string>>>();

function member<V>(table: WeakMap<SubtleCrypto, Map<string, V>>, platform: SubtleCrypto): Map<string, V> {
  let found = table.get(platform);
  if (found === undefined) {
    found = new Map();
    table.set(platform, found);
  }
  return found;
}

function keyOf(curve: WebCurve, purpose: Purpose): string {
  return `${purpose} ${curve.name}`;
}

/** What is known already: `true` also where nothing is known yet. Never throws. */
export function knownVerdict(curve: WebCurve, purpose: Purpose): true | string {
  const platform: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (platform === undefined) return NOTHING_HERE;
  return verdicts.get(platform)?.get(keyOf(curve, purpose)) ?? true;
}

async function tryOut(platform: SubtleCrypto, curve: WebCurve, purpose: Purpose): Promise<true | string> {
  const usages = [...usagesOf(purpose, 'private'), ...usagesOf(purpose, 'public')];
  try {
    await platform.generateKey(algorithmFor(curve, purpose), false, usages);
    return true;
  } catch (error) {
    if (!isUnsupported(error)) throw new ProviderError(`WebCrypto failed to try ${curve.name}.`, { cause: error });
    return `the WebCrypto of this platform has no ${purpose === 'ECDSA' || purpose === 'ECDH' ? `${purpose} on ` : ''}${curve.name}`;
  }
}

/** The ways in which engines say that they do not know an algorithm or a curve. */
function isUnsupported(error: unknown): boolean {
  const name = (error as { readonly name?: unknown } | null)?.name;
  return name === 'NotSupportedError' || name === 'SyntaxError' || name === 'TypeError';
}

/** `true`, or what the platform lacks. The answer is kept; a failure that is no answer rejects and is tried again. */
export function probe(curve: WebCurve, purpose: Purpose): Promise<true | string> {
  const platform: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (platform === undefined) return Promise.resolve(NOTHING_HERE);
  const running = member(probes, platform);
  const key = keyOf(curve, purpose);
  let found = running.get(key);
  if (found === undefined) {
    found = tryOut(platform, curve, purpose);
    running.set(key, found);
    found.then(
      (verdict) => member(verdicts, platform).set(key, verdict),
      () => running.delete(key),
    );
  }
  return found;
}

/** Rejects with InvalidKeyError where the platform lacks the curve for this purpose. */
export async function requireForKey(curve: WebCurve, purpose: Purpose): Promise<void> {
  const verdict = await probe(curve, purpose);
  if (verdict !== true) throw new InvalidKeyError(`${verdict}.`);
}

/** Rejects with InvalidAlgorithmParameterError where the platform lacks the curve for this purpose. */
export async function requireForGeneration(curve: WebCurve, purpose: Purpose): Promise<void> {
  const verdict = await probe(curve, purpose);
  if (verdict !== true) throw new InvalidAlgorithmParameterError(`${verdict}.`);
}
