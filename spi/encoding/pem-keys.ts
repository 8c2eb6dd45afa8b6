// Keys in PEM text, by the label of their block.

import { InvalidKeySpecError } from '../errors.ts';
import { decryptPkcs8 } from './encrypted-pkcs8.ts';
import type { PrivateKeyData, PublicKeyData } from './key-data.ts';
import { decodePem, encodePem, type PemBlock } from './pem.ts';
import { decodePkcs8, encodePkcs8 } from './pkcs8.ts';
import { decodeSec1, encodeSec1 } from './sec1.ts';
import { decodeSpki, encodeSpki } from './spki.ts';

export const PEM_LABELS = {
  spki: 'PUBLIC KEY',
  pkcs8: 'PRIVATE KEY',
  sec1: 'EC PRIVATE KEY',
  encrypted: 'ENCRYPTED PRIVATE KEY',
} as const;
const PRIVATE_LABELS: readonly string[] = [PEM_LABELS.pkcs8, PEM_LABELS.sec1, PEM_LABELS.encrypted];

export type PemKey =
  | { readonly kind: 'public'; readonly key: PublicKeyData }
  | { readonly kind: 'private'; readonly key: PrivateKeyData };

function only(blocks: readonly PemBlock[], kind: string): PemBlock | undefined {
  if (blocks.length > 1) throw new InvalidKeySpecError(`The PEM text holds ${blocks.length} ${kind} keys; give one.`);
  return blocks[0];
}

function privateKeyOf({ label, bytes }: PemBlock, passphrase: Uint8Array | undefined): PrivateKeyData {
  switch (label) {
    case PEM_LABELS.sec1:
      return decodeSec1(bytes);
    case PEM_LABELS.encrypted: {
      if (passphrase === undefined) throw new InvalidKeySpecError('The PEM text is encrypted; give its passphrase.');
      const plain = decryptPkcs8(bytes, passphrase);
      try {
        return decodePkcs8(plain);
      } finally {
        plain.fill(0);
      }
    }
    default:
      return decodePkcs8(bytes);
  }
}

/**
 * The one key of a text. A text with a private and a public key gives the private one; blocks of other kinds
 * (parameters, certificates) are skipped. Throws InvalidKeySpecError.
 */
export function decodePemKey(text: string, passphrase?: Uint8Array): PemKey {
  const blocks = decodePem(text);
  try {
    const secret = only(
      blocks.filter(({ label }) => PRIVATE_LABELS.includes(label)),
      'private',
    );
    if (secret !== undefined) return { kind: 'private', key: privateKeyOf(secret, passphrase) };
    const open = only(
      blocks.filter(({ label }) => label === PEM_LABELS.spki),
      'public',
    );
    if (open !== undefined) return { kind: 'public', key: decodeSpki(open.bytes) };
  } finally {
    for (const { bytes } of blocks) bytes.fill(0);
  }
  const found = blocks.map(({ label }) => `"${label}"`).join(', ') || 'no block at all';
  throw new InvalidKeySpecError(`The PEM text holds no key: found ${found}.`);
}

/** `PUBLIC KEY`. */
export function encodePemPublicKey(key: PublicKeyData): string {
  return encodePem(PEM_LABELS.spki, encodeSpki(key));
}

/** `PRIVATE KEY`, or `EC PRIVATE KEY` where `form` says so (EC keys only). */
export function encodePemPrivateKey(key: PrivateKeyData, form: 'pkcs8' | 'sec1' = 'pkcs8'): string {
  if (form === 'sec1' && key.algorithm !== 'EC') {
    throw new InvalidKeySpecError(`A ${key.curve} key has no SEC1 form; write it as PKCS#8.`);
  }
  const der = form === 'sec1' && key.algorithm === 'EC' ? encodeSec1(key) : encodePkcs8(key);
  const pem = encodePem(PEM_LABELS[form], der);
  der.fill(0);
  return pem;
}
