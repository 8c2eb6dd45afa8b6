// The one door to node:crypto: found when first used, never imported, so that bundles for browsers stay whole.

import type * as NodeCrypto from 'node:crypto';
import { ProviderError } from '../../spi/errors.ts';
import type { VerificationCriteria } from '../../spi/service.ts';

let loaded: typeof NodeCrypto | undefined;

/** True where node:crypto can be had. */
export function hasNodeCrypto(): boolean {
  try {
    nodeCrypto();
    return true;
  } catch {
    return false;
  }
}

/** node:crypto; throws ProviderError where the runtime has none. */
export function nodeCrypto(): typeof NodeCrypto {
  if (loaded === undefined) {
    const found = globalThis.process?.getBuiltinModule?.('node:crypto');
    if (found === undefined) {
      throw new ProviderError('OpenSSL needs node:crypto, which this runtime does not have. Use another provider.');
    }
    loaded = found;
  }
  return loaded;
}

/** The same bytes without Buffer's prototype; node:crypto's results own their memory. */
export function plain(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

let contexts: boolean | undefined;

/** True where `sign` honours `context` for EdDSA; before Node 24 it is ignored in silence. RFC 8032, section 5.1. */
export function honoursContext(): boolean {
  if (contexts === undefined) {
    const { generateKeyPairSync, sign, verify } = nodeCrypto();
    const data = new Uint8Array(1);
    try {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const options: NodeCrypto.SignKeyObjectInput & { context: Uint8Array } = { key: privateKey, context: data };
      contexts = !verify(null, data, publicKey, sign(null, data, options));
    } catch {
      contexts = false;
    }
  }
  return contexts;
}

let ed25519Criteria: VerificationCriteria | undefined;

/**
 * The criteria by which this OpenSSL verifies, found out by a signature that the two treat differently:
 * public key and R are the identity, S is 0. OpenSSL 3.0 takes it (RFC 8032), 3.5 refuses points of small order.
 * Ed448 has none of ours: OpenSSL compares four times the points, and refuses some of small order. Measured; see
 * docs/openssl-differences.md.
 */
export function ownCriteria(curve: 'Ed25519' | 'Ed448'): VerificationCriteria | undefined {
  if (curve === 'Ed448') return undefined;
  if (ed25519Criteria === undefined) {
    const { createPublicKey, verify } = nodeCrypto();
    const identity = new Uint8Array(32);
    identity[0] = 1;
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), identity]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const signature = new Uint8Array(64);
    signature.set(identity);
    ed25519Criteria = verify(null, identity, key, signature) ? 'rfc8032' : 'strict';
  }
  return ed25519Criteria;
}
