// What a file holds, told from its bytes: PEM, JWK, DER of a key, or none of these.

import { DER, type DerNode, decodeOid, parseDer } from '../spi/encoding/der.ts';
import { isEncryptedPkcs8 } from '../spi/encoding/encrypted-pkcs8.ts';
import { decodePem } from '../spi/encoding/pem.ts';
import type { JsonWebKey } from '../spi/key-specs.ts';

export type Family = 'EC' | 'EdDSA' | 'XDH';
export type DerForm = 'spki' | 'pkcs8' | 'sec1' | 'encrypted';

export type Detected =
  | {
      readonly container: 'pem' | 'der';
      readonly form: DerForm;
      readonly kind: 'public' | 'private';
      /** Undefined where the form does not tell. */
      readonly family: Family | undefined;
      readonly der: Uint8Array;
      readonly text: string | undefined;
    }
  | {
      readonly container: 'jwk';
      readonly kind: 'public' | 'private';
      readonly family: Family | undefined;
      readonly jwk: JsonWebKey;
    };

const FAMILIES: Readonly<Record<string, Family>> = {
  '1.2.840.10045.2.1': 'EC',
  '1.3.101.110': 'XDH',
  '1.3.101.111': 'XDH',
  '1.3.101.112': 'EdDSA',
  '1.3.101.113': 'EdDSA',
};

const FORMS: Readonly<Record<string, DerForm>> = {
  'PUBLIC KEY': 'spki',
  'PRIVATE KEY': 'pkcs8',
  'EC PRIVATE KEY': 'sec1',
  'ENCRYPTED PRIVATE KEY': 'encrypted',
};

export function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function familyOf(algorithm: DerNode | undefined): Family | undefined {
  const id = algorithm?.children[0];
  return id?.tag === DER.oid ? FAMILIES[decodeOid(id)] : undefined;
}

/** The form of a DER key by its outline; undefined if it is none. */
function detectDer(der: Uint8Array): { readonly form: DerForm; readonly family: Family | undefined } | undefined {
  let root: DerNode;
  try {
    root = parseDer(der, 'The input');
  } catch {
    return undefined;
  }
  if (root.tag !== DER.sequence) return undefined;
  const [first, second, third] = root.children;
  if (first?.tag === DER.sequence && second?.tag === DER.bitString) return { form: 'spki', family: familyOf(first) };
  if (isEncryptedPkcs8(root)) return { form: 'encrypted', family: undefined };
  if (first?.tag !== DER.integer) return undefined;
  if (second?.tag === DER.octetString) return { form: 'sec1', family: 'EC' };
  if (second?.tag === DER.sequence && third?.tag === DER.octetString) {
    return { form: 'pkcs8', family: familyOf(second) };
  }
  return undefined;
}

function isJwk(value: unknown): value is JsonWebKey {
  return typeof value === 'object' && value !== null && 'kty' in value;
}

function detectJwk(text: string): Detected | undefined {
  let key: unknown;
  try {
    key = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJwk(key)) return undefined;
  const family =
    key.kty === 'EC' ? 'EC' : key.kty !== 'OKP' ? undefined : String(key.crv).startsWith('X') ? 'XDH' : 'EdDSA';
  return { container: 'jwk', kind: key.d === undefined ? 'public' : 'private', family, jwk: key };
}

function detectPem(text: string): Detected | undefined {
  const keys = decodePem(text).filter(({ label }) => FORMS[label] !== undefined);
  // As the codec has it: a private key with its public one gives the private one.
  const block = keys.find(({ label }) => FORMS[label] !== 'spki') ?? keys[0];
  const form = block === undefined ? undefined : FORMS[block.label];
  if (block === undefined || form === undefined) return undefined;
  const family = form === 'sec1' ? 'EC' : detectDer(block.bytes)?.family;
  return { container: 'pem', form, kind: form === 'spki' ? 'public' : 'private', family, der: block.bytes, text };
}

/** True if the text has the boundary of a PEM block. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ');
}

/** A key by its container; undefined if the bytes show none. Throws InvalidKeySpecError for damaged PEM. */
export function detectKey(bytes: Uint8Array): Detected | undefined {
  const text = bytes[0] === DER.sequence ? undefined : asText(bytes);
  if (text !== undefined) return isPem(text) ? detectPem(text) : detectJwk(text);
  const found = detectDer(bytes);
  if (found === undefined) return undefined;
  return {
    container: 'der',
    kind: found.form === 'spki' ? 'public' : 'private',
    der: bytes,
    text: undefined,
    ...found,
  };
}

/** True for anything that may be a private key, damaged ones included. */
export function looksPrivate(bytes: Uint8Array): boolean {
  const text = asText(bytes);
  if (text?.includes('PRIVATE KEY-----')) return true;
  try {
    return detectKey(bytes)?.kind === 'private';
  } catch {
    return false;
  }
}
