// Encrypted private keys at the façades: providers see PKCS#8 in the clear only, so that every one of them has both ways.

import { decryptPkcs8, encryptPkcs8 } from './encoding/encrypted-pkcs8.ts';
import { EncryptedPKCS8KeySpec, type KeySpec, type PassphraseEncryption, PKCS8EncodedKeySpec } from './key-specs.ts';

/** What providers are given for a spec of the caller, and how to wipe it. Throws InvalidKeySpecError. */
export function openSpec(spec: KeySpec): { readonly spec: KeySpec; readonly wipe: () => void } {
  if (!(spec instanceof EncryptedPKCS8KeySpec)) return { spec, wipe: () => {} };
  const plain = decryptPkcs8(spec.encoded, spec.passphrase);
  const opened = new PKCS8EncodedKeySpec(plain);
  plain.fill(0);
  return { spec: opened, wipe: () => opened.encoded.fill(0) };
}

/** Encrypts and wipes the plain form. Throws InvalidKeySpecError where there is no node:crypto. */
export function sealSpec(
  { encoded }: PKCS8EncodedKeySpec,
  { passphrase, iterations }: PassphraseEncryption,
): EncryptedPKCS8KeySpec {
  try {
    return new EncryptedPKCS8KeySpec(encryptPkcs8(encoded, passphrase, iterations), { passphrase });
  } finally {
    encoded.fill(0);
  }
}
