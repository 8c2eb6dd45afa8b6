// What the codecs give and take: the parts of a key, checked for structure and width only.

import { InvalidKeySpecError } from '../errors.ts';

export interface EcPublicKeyData {
  readonly algorithm: 'EC';
  /** Canonical curve name. */
  readonly curve: string;
  /** SEC 1 octets as read: uncompressed or compressed, unchecked. */
  readonly point: Uint8Array;
}

export interface EcPrivateKeyData {
  readonly algorithm: 'EC';
  readonly curve: string;
  /** Big-endian at the width of the order; its range is unchecked. Wipe it after use. */
  readonly scalar: Uint8Array;
  /** SEC 1 octets of the public point, where the encoding has one; unchecked. */
  readonly publicPoint: Uint8Array | undefined;
}

interface OkpPublicKeyData {
  readonly algorithm: 'EdDSA' | 'XDH';
  /** `Ed25519`, `Ed448`, `X25519` or `X448`. */
  readonly curve: string;
  readonly publicKey: Uint8Array;
}

export interface OkpPrivateKeyData {
  readonly algorithm: 'EdDSA' | 'XDH';
  readonly curve: string;
  /** The seed (EdDSA) or the unclamped scalar (XDH). Wipe it after use. */
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array | undefined;
}

export type PublicKeyData = EcPublicKeyData | OkpPublicKeyData;
export type PrivateKeyData = EcPrivateKeyData | OkpPrivateKeyData;

/**
 * A scalar at exactly `width` bytes: zeros are added or taken off in front, as some writers store an integer.
 * The result is a fresh copy. Throws InvalidKeySpecError if it is empty or does not fit.
 */
export function scalarAtWidth(octets: Uint8Array, width: number, curve: string): Uint8Array {
  const surplus = Math.max(octets.length - width, 0);
  let excess = 0;
  for (let i = 0; i < surplus; i++) excess |= octets[i] ?? 0;
  if (octets.length === 0 || excess !== 0) {
    throw new InvalidKeySpecError(
      `A private scalar on ${curve} has ${width} bytes, got ${octets.length} that do not fit.`,
    );
  }
  const scalar = new Uint8Array(width);
  scalar.set(octets.subarray(surplus), width - octets.length + surplus);
  return scalar;
}
