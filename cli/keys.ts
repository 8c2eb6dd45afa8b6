// Keys from files, stdin or URIs, in whatever form they are; and back into a form asked for.

import {
  AsyncKeyFactory,
  InvalidKeyError,
  InvalidKeySpecError,
  JwkKeySpec,
  type Key,
  type KeySpec,
  NoSuchAlgorithmError,
  PassphraseEncryption,
  PemKeySpec,
  PKCS8EncodedKeySpec,
  type PrivateKey,
  type PublicKey,
  RawKeySpec,
  Sec1EncodedKeySpec,
  UriKeySpec,
  X509EncodedKeySpec,
} from '../index.ts';
import { encodePem } from '../spi/encoding/pem.ts';
import { PEM_LABELS } from '../spi/encoding/pem-keys.ts';
import type { Selected } from './context.ts';
import { type Detected, detectKey, type Family } from './detect.ts';
import { nameOf, readSmall } from './files.ts';
import { type Io, UsageError } from './io.ts';

const FAMILIES: readonly Family[] = ['EC', 'EdDSA', 'XDH'];

export const KEY_FORMATS = ['pem', 'der', 'jwk', 'raw', 'sec1'] as const;
export type KeyFormatName = (typeof KEY_FORMATS)[number];

export interface KeySource {
  /** A file, `-` for stdin, or a URI such as `pkcs11:…`. */
  readonly location: string;
  /** Needed for raw keys and for SEC1 without parameters. */
  readonly curve?: string | undefined;
  readonly passphrase?: Uint8Array | undefined;
}

function familyOfCurve(curve: string): Family {
  if (/^(x25519|x448|(oid\.)?1\.3\.101\.11[01])$/i.test(curve)) return 'XDH';
  return /^(ed25519|ed448|(oid\.)?1\.3\.101\.11[23])$/i.test(curve) ? 'EdDSA' : 'EC';
}

function specOf(found: Detected, source: KeySource): KeySpec {
  if (found.container === 'jwk') return new JwkKeySpec(found.jwk);
  const name = nameOf(source.location);
  if (found.form === 'encrypted') {
    if (source.passphrase === undefined) throw new UsageError(`${name} is encrypted; give --passphrase-file`);
    return new PemKeySpec(encodePem(PEM_LABELS.encrypted, found.der), { passphrase: source.passphrase });
  }
  switch (found.form) {
    case 'spki':
      return new X509EncodedKeySpec(found.der);
    case 'pkcs8':
      return new PKCS8EncodedKeySpec(found.der);
    case 'sec1':
      return new Sec1EncodedKeySpec(found.der, source.curve === undefined ? {} : { curve: source.curve });
  }
}

interface Readable {
  readonly kind: 'public' | 'private';
  readonly spec: KeySpec;
  readonly families: readonly Family[];
}

function interpret(bytes: Uint8Array, source: KeySource, wanted: 'public' | 'private'): Readable {
  const name = nameOf(source.location);
  const found = detectKey(bytes);
  if (found !== undefined) {
    const families = found.family === undefined ? FAMILIES : [found.family];
    return { kind: found.kind, spec: specOf(found, source), families };
  }
  if (source.curve === undefined) {
    throw new UsageError(`${name} holds no key in PEM, DER or JWK; a raw key needs --curve`);
  }
  return {
    kind: wanted,
    spec: new RawKeySpec(bytes, { curve: source.curve }),
    families: [familyOfCurve(source.curve)],
  };
}

/** The first family that takes it; if none does, the reason that says most. */
async function generate(readable: Readable, { from, context }: Selected): Promise<Key> {
  const failures: unknown[] = [];
  for (const family of readable.families) {
    for (const choice of from.provider === undefined ? [from] : [from, { context }]) {
      try {
        const factory = AsyncKeyFactory.getInstance(family, choice);
        return readable.kind === 'public'
          ? await factory.generatePublic(readable.spec)
          : await factory.generatePrivate(readable.spec);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  throw failures.find((error) => error instanceof InvalidKeySpecError) ?? failures[0];
}

async function load(io: Io, source: KeySource, wanted: 'public' | 'private', selected: Selected): Promise<Key> {
  const { location } = source;
  if (/^[a-z][a-z0-9+.-]+:/i.test(location) && !/^[a-z]:[\\/]/i.test(location))
    return loadUri(location, wanted, selected);
  const bytes = await readSmall(io, location);
  try {
    const readable = interpret(bytes, source, wanted);
    if (readable.kind !== wanted) {
      throw new UsageError(`${nameOf(location)} holds a ${readable.kind} key; a ${wanted} one is needed`);
    }
    return await generate(readable, selected);
  } catch (error) {
    if (error instanceof InvalidKeySpecError || error instanceof InvalidKeyError) {
      throw new UsageError(`cannot use the key in ${nameOf(location)}: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    bytes.fill(0);
  }
}

async function loadUri(uri: string, kind: 'public' | 'private', selected: Selected): Promise<Key> {
  try {
    return await generate({ kind, spec: new UriKeySpec(uri), families: FAMILIES }, selected);
  } catch (cause) {
    if (cause instanceof NoSuchAlgorithmError || cause instanceof InvalidKeySpecError) {
      throw new UsageError(`no provider has a key for ${uri.slice(0, uri.indexOf(':') + 1)}…: ${cause.message}`, {
        cause,
      });
    }
    throw cause;
  }
}

export async function loadPrivateKey(io: Io, source: KeySource, selected: Selected): Promise<PrivateKey> {
  return (await load(io, source, 'private', selected)) as PrivateKey;
}

export async function loadPublicKey(io: Io, source: KeySource, selected: Selected): Promise<PublicKey> {
  return (await load(io, source, 'public', selected)) as PublicKey;
}

/** Whichever of the two the bytes are; a raw key is taken for a public one first. */
export async function keyFromBytes(bytes: Uint8Array, source: KeySource, selected: Selected): Promise<Key> {
  const readable = interpret(bytes, source, 'public');
  try {
    return await generate(readable, selected);
  } catch (error) {
    if (!(readable.spec instanceof RawKeySpec)) throw error;
    try {
      return await generate({ ...readable, kind: 'private' }, selected);
    } catch {
      throw error;
    }
  }
}

/** One line of a file is the passphrase; the line end does not belong to it. */
export async function readPassphrase(io: Io, path: string | undefined): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readSmall(io, path);
  const end = bytes.findIndex((byte) => byte === 0x0a || byte === 0x0d);
  return end === -1 ? bytes : bytes.subarray(0, end);
}

/** The private key encrypted under the passphrase, as PEM or DER. */
export async function exportEncrypted(
  key: PrivateKey,
  format: 'pem' | 'der',
  passphrase: Uint8Array,
  { from }: Selected,
): Promise<Uint8Array | string> {
  const factory = AsyncKeyFactory.getInstance(key.algorithm, from);
  const spec = await factory.getKeySpec(key, new PassphraseEncryption(passphrase));
  return format === 'pem' ? spec.pem : spec.encoded;
}

/** The key in the form asked for. */
export async function exportKey(key: Key, format: KeyFormatName, { from }: Selected): Promise<Uint8Array | string> {
  const encoded = key.encoded;
  if (encoded === undefined) throw new UsageError(`the ${key.toString()} cannot leave its provider`);
  try {
    switch (format) {
      case 'pem':
        return encodePem(key.kind === 'public' ? PEM_LABELS.spki : PEM_LABELS.pkcs8, encoded);
      case 'der':
        return Uint8Array.from(encoded);
    }
  } finally {
    encoded.fill(0);
  }
  const factory = AsyncKeyFactory.getInstance(key.algorithm, from);
  switch (format) {
    case 'jwk': {
      const { jwk } = await factory.getKeySpec(key, JwkKeySpec);
      return `${JSON.stringify(jwk, undefined, 2)}\n`;
    }
    case 'raw':
      return (await factory.getKeySpec(key, RawKeySpec)).bytes;
    case 'sec1': {
      if (key.kind === 'public') throw new UsageError('SEC1 is a form of private keys only');
      const { encoded: sec1 } = await factory.getKeySpec(key, Sec1EncodedKeySpec);
      return encodePem(PEM_LABELS.sec1, sec1);
    }
  }
}
