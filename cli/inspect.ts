// provium inspect: what a key or signature file is.

import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import {
  AsyncKeyFactory,
  InvalidKeyError,
  InvalidKeySpecError,
  JwkKeySpec,
  type Key,
  X509EncodedKeySpec,
} from '../index.ts';
import { decodeBase64 } from '../spi/encoding/base64.ts';
import { DER, encodeDer, parseDer } from '../spi/encoding/der.ts';
import { jwkThumbprint } from '../spi/encoding/jwk.ts';
import { decodePem } from '../spi/encoding/pem.ts';
import { type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, type Selected, select } from './context.ts';
import { asText, type DerForm, type Detected, detectKey, isPem } from './detect.ts';
import { fromHex, toHex } from './encoding.ts';
import { nameOf, readSmall } from './files.ts';
import { type Io, printJson, printLine, UsageError } from './io.ts';
import { keyFromBytes, readPassphrase } from './keys.ts';

interface Options extends CommonOptions {
  readonly curve?: string;
  readonly passphraseFile?: string;
}

interface Report {
  readonly file: string;
  /** What it is, in words. */
  readonly what: string;
  readonly container?: string;
  readonly algorithm?: string;
  readonly curve?: string;
  readonly size?: number;
  readonly fingerprint?: string;
  readonly thumbprint?: string;
  /** What else it may be, or what it may belong to. */
  readonly candidates?: readonly string[];
}

const FORM_NAMES: Readonly<Record<DerForm, string>> = {
  spki: 'SubjectPublicKeyInfo',
  pkcs8: 'PKCS#8',
  sec1: 'SEC1 ECPrivateKey',
  encrypted: 'encrypted PKCS#8',
};

/** Lengths of signatures that have no structure of their own. */
const SIGNATURE_LENGTHS: Readonly<Record<number, readonly string[]>> = {
  56: ['ECDSA in P1363 format on secp224r1'],
  64: ['Ed25519', 'ECDSA in P1363 format on secp256r1, secp256k1 or brainpoolP256r1'],
  96: ['ECDSA in P1363 format on secp384r1 or brainpoolP384r1'],
  114: ['Ed448'],
  128: ['ECDSA in P1363 format on brainpoolP512r1'],
  132: ['ECDSA in P1363 format on secp521r1'],
};

/** Lengths of raw keys; `prefix` are the first bytes allowed. */
const RAW_KEYS: readonly { length: number; prefix?: readonly number[]; candidates: readonly string[] }[] = [
  { length: 65, prefix: [4], candidates: ['secp256r1', 'secp256k1', 'brainpoolP256r1'] },
  { length: 97, prefix: [4], candidates: ['secp384r1', 'brainpoolP384r1'] },
  { length: 129, prefix: [4], candidates: ['brainpoolP512r1'] },
  { length: 133, prefix: [4], candidates: ['secp521r1'] },
  { length: 33, prefix: [2, 3], candidates: ['secp256r1', 'secp256k1', 'brainpoolP256r1'] },
  { length: 49, prefix: [2, 3], candidates: ['secp384r1', 'brainpoolP384r1'] },
  { length: 65, prefix: [2, 3], candidates: ['brainpoolP512r1'] },
  { length: 67, prefix: [2, 3], candidates: ['secp521r1'] },
  { length: 32, candidates: ['Ed25519', 'X25519', 'a private scalar on a curve of 256 bits'] },
  { length: 48, candidates: ['a private scalar on a curve of 384 bits'] },
  { length: 56, candidates: ['X448'] },
  { length: 57, candidates: ['Ed448'] },
  { length: 66, candidates: ['a private scalar on secp521r1'] },
];

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** The SubjectPublicKeyInfo of a PKCS#8 encoding that has its public key inside; undefined where it has none. */
function spkiInside(pkcs8: Uint8Array): Uint8Array | undefined {
  const [, algorithm, secret, ...optional] = parseDer(pkcs8, 'The private key').children;
  if (algorithm === undefined || secret === undefined) return undefined;
  const inner = parseDer(secret.content, 'The private key');
  const bits =
    inner.children.find(({ tag }) => tag === 0xa1)?.children[0]?.content ??
    optional.find(({ tag }) => tag === 0x81)?.content;
  if (bits === undefined) return undefined;
  return encodeDer(DER.sequence, encodeDer(DER.sequence, algorithm.content), encodeDer(DER.bitString, bits));
}

/** The public key's encoding, whichever half `key` is. */
async function spkiOf(key: Key, { context }: Selected): Promise<Uint8Array | undefined> {
  const encoded = key.encoded;
  if (encoded === undefined || key.kind === 'public') return encoded;
  const inside = spkiInside(encoded);
  encoded.fill(0);
  if (inside !== undefined) return inside;
  const factory = AsyncKeyFactory.getInstance(key.algorithm, { context });
  const { d: _, ...open } = (await factory.getKeySpec(key, JwkKeySpec)).jwk;
  return (await factory.generatePublic(new JwkKeySpec(open))).encoded;
}

async function thumbprintOf(spki: Uint8Array, algorithm: string, { context }: Selected): Promise<string | undefined> {
  const factory = AsyncKeyFactory.getInstance(algorithm, { context });
  try {
    const { jwk } = await factory.getKeySpec(await factory.generatePublic(new X509EncodedKeySpec(spki)), JwkKeySpec);
    return jwkThumbprint(jwk, sha256);
  } catch (error) {
    // JOSE has no name for the curve.
    if (error instanceof InvalidKeySpecError || error instanceof InvalidKeyError) return undefined;
    throw error;
  }
}

function containerOf(found: Detected | undefined): string {
  if (found === undefined) return 'raw';
  return found.container === 'jwk' ? 'JWK' : `${found.container.toUpperCase()}, ${FORM_NAMES[found.form]}`;
}

async function reportKey(file: string, found: Detected | undefined, key: Key, selected: Selected): Promise<Report> {
  const spki = await spkiOf(key, selected);
  const fingerprint = spki === undefined ? undefined : toHex(sha256(spki));
  const thumbprint = spki === undefined ? undefined : await thumbprintOf(spki, key.algorithm, selected);
  return {
    file,
    what: `${key.algorithm} ${key.kind} key`,
    container: containerOf(found),
    algorithm: key.algorithm,
    ...(key.curve === undefined ? {} : { curve: key.curve }),
    ...(key.size === undefined ? {} : { size: key.size }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(thumbprint === undefined ? {} : { thumbprint }),
  };
}

function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : 8 * (bytes.length - first) - Math.clz32(bytes[first] ?? 0) + 24;
}

/** ECDSA in DER: a sequence of two positive integers. */
function ecdsaDer(bytes: Uint8Array): Report['candidates'] {
  try {
    const { tag, children } = parseDer(bytes, 'The input');
    const integers = children.every((node) => node.tag === DER.integer && (node.content[0] ?? 0) < 0x80);
    if (tag !== DER.sequence || children.length !== 2 || !integers) return undefined;
    const [r, s] = children.map((node) => bitLength(node.content));
    return [`r has ${r} bits`, `s has ${s} bits`];
  } catch {
    return undefined;
  }
}

function reportBytes(file: string, bytes: Uint8Array, container: string): Report | undefined {
  const parts = ecdsaDer(bytes);
  if (parts !== undefined) return { file, what: 'ECDSA signature in DER', container, candidates: parts };
  const raw = RAW_KEYS.find(
    ({ length, prefix }) => length === bytes.length && (prefix?.includes(bytes[0] ?? 0) ?? true),
  );
  const signatures = SIGNATURE_LENGTHS[bytes.length];
  if (raw?.prefix !== undefined) return { file, what: 'raw EC public key', container, candidates: raw.candidates };
  if (signatures !== undefined) {
    return { file, what: 'signature without a structure of its own', container, candidates: signatures };
  }
  return raw === undefined ? undefined : { file, what: 'raw key', container, candidates: raw.candidates };
}

/** The bytes of a text that holds nothing but hex or base64. */
function decodeText(text: string): { bytes: Uint8Array; container: string } | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (compact === '') return undefined;
  const hex = fromHex(compact);
  if (hex !== undefined) return { bytes: hex, container: 'hex text' };
  const base64 = decodeBase64(compact);
  return base64 === undefined ? undefined : { bytes: base64, container: 'base64 text' };
}

async function inspectFile(io: Io, file: string, options: Options, selected: Selected): Promise<Report> {
  const bytes = await readSmall(io, file);
  const name = nameOf(file);
  const found = detectKey(bytes);
  const passphrase = await readPassphrase(io, options.passphraseFile);
  if (found?.container !== 'jwk' && found?.form === 'encrypted' && passphrase === undefined) {
    return {
      file: name,
      what: 'encrypted private key (give --passphrase-file to see more)',
      container: containerOf(found),
    };
  }
  if (found !== undefined || options.curve !== undefined) {
    const key = await keyFromBytes(bytes, { location: file, curve: options.curve, passphrase }, selected);
    return reportKey(name, found, key, selected);
  }
  const text = asText(bytes);
  if (text !== undefined && isPem(text)) {
    const labels = decodePem(text).map(({ label }) => label);
    throw new UsageError(`${name} is PEM, but holds no key: ${labels.join(', ')}`);
  }
  const decoded = text === undefined ? undefined : decodeText(text);
  // Text that reads as hex or base64 is taken for that: binary signatures are never text all through.
  const report = (decoded && reportBytes(name, decoded.bytes, decoded.container)) ?? reportBytes(name, bytes, 'raw');
  if (report === undefined) throw new UsageError(`${name} is no key and no signature that is known here`);
  return report;
}

function print(io: Io, report: Report): void {
  const { file, what, container, curve, size, fingerprint, thumbprint, candidates } = report;
  printLine(io, `${file}: ${what}${container === undefined ? '' : ` (${container})`}`);
  if (curve !== undefined) printLine(io, `  curve:          ${curve}${size === undefined ? '' : ` (${size} bits)`}`);
  if (fingerprint !== undefined) printLine(io, `  SHA-256:        ${fingerprint}`);
  if (thumbprint !== undefined) printLine(io, `  JWK thumbprint: ${thumbprint}`);
  for (const candidate of candidates ?? []) printLine(io, `  ${candidate}`);
}

async function inspect(io: Io, options: Options, ...files: string[]): Promise<undefined> {
  const selected = await select(options);
  const reports: Report[] = [];
  for (const file of files) reports.push(await inspectFile(io, file, options, selected));
  if (options.json) printJson(io, reports.length === 1 ? reports[0] : reports);
  else for (const report of reports) print(io, report);
  return undefined;
}

export function addInspect(program: Command, runtime: Runtime): void {
  const command = program
    .command('inspect')
    .description('say what a key or signature file is')
    .argument('<files...>', 'files, - for stdin')
    .option('-c, --curve <name>', 'the curve of a raw key')
    .option('--passphrase-file <file>', 'the passphrase of an encrypted key');
  runs<Options>(withCommonOptions(command), runtime, inspect);
}
