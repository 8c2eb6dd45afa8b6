// EncryptedPrivateKeyInfo (RFC 5958) under PBES2 (RFC 8018): PBKDF2 or scrypt (RFC 7914), AES in CBC mode.
// The ciphers are those of node:crypto; where there is none, the error says so.

import { InvalidKeySpecError } from '../errors.ts';
import { DER, type DerNode, decodeOid, decodeSmallInteger, encodeDer, encodeOid, parseDer } from './der.ts';

const WHAT = 'The encrypted PKCS#8 private key';
const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const SCRYPT = '1.3.6.1.4.1.11591.4.11';

/** Pseudo-random functions of PBKDF2 and AES variants that tools write. */
const PRFS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const CIPHERS: Readonly<Record<string, { readonly name: string; readonly keyLength: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyLength: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyLength: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyLength: 32 },
};

/** Beyond these a file from outside could keep the process busy for minutes or take gigabytes. */
const MAX_ITERATIONS = 10_000_000;
const MAX_SCRYPT_MEMORY = 256 * 1024 * 1024;

type NodeCrypto = typeof import('node:crypto');

const READING =
  'cannot be read here: that needs node:crypto. Decrypt it first (openssl pkcs8 -in key.pem -out plain.pem)';
const WRITING = 'cannot be written here: that needs node:crypto';

function nodeCrypto(advice = READING): NodeCrypto {
  const module = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (module === undefined) {
    throw new InvalidKeySpecError(`${WHAT} ${advice}.`);
  }
  return module;
}

function malformed(reason: string): never {
  throw new InvalidKeySpecError(`${WHAT} ${reason}.`);
}

/** OID and parameters of an AlgorithmIdentifier. */
function identified(node: DerNode | undefined, part: string): { oid: string; parameters: DerNode | undefined } {
  const [id, parameters] = node?.children ?? [];
  if (node?.tag !== DER.sequence || id?.tag !== DER.oid || node.children.length > 2)
    malformed(`has a malformed ${part}`);
  return { oid: decodeOid(id), parameters };
}

function octets(node: DerNode | undefined, part: string): Uint8Array {
  return node?.tag === DER.octetString ? node.content : malformed(`has no ${part}`);
}

function pbkdf2(parameters: readonly DerNode[], keyLength: number, passphrase: Uint8Array): Uint8Array {
  const [salt, iterations, ...optional] = parameters;
  const count = decodeSmallInteger(iterations) ?? 0;
  if (count < 1 || count > MAX_ITERATIONS) malformed(`asks for more than ${MAX_ITERATIONS} or for no iterations`);
  if (optional[0]?.tag === DER.integer && decodeSmallInteger(optional.shift()) !== keyLength) {
    malformed('has a key length that does not fit its cipher');
  }
  const prf = optional.length > 0 ? identified(optional.shift(), 'pseudo-random function').oid : '1.2.840.113549.2.7';
  const hash = PRFS[prf] ?? malformed(`uses a pseudo-random function that is not known here (OID ${prf})`);
  if (optional.length > 0) malformed('has malformed PBKDF2 parameters');
  return nodeCrypto().pbkdf2Sync(passphrase, octets(salt, 'salt'), count, keyLength, hash);
}

function scrypt(parameters: readonly DerNode[], keyLength: number, passphrase: Uint8Array): Uint8Array {
  const [salt, ...numbers] = parameters;
  const [cost = 0, blockSize = 0, parallelization = 0, statedLength = keyLength] = numbers.map(
    (node) => decodeSmallInteger(node) ?? 0,
  );
  const memory = 128 * cost * blockSize;
  if (cost < 2 || (cost & (cost - 1)) !== 0 || blockSize < 1 || parallelization < 1 || numbers.length > 4) {
    malformed('has malformed scrypt parameters');
  }
  if (statedLength !== keyLength) malformed('has a key length that does not fit its cipher');
  if (memory > MAX_SCRYPT_MEMORY || parallelization > 16) malformed('asks for more memory or time than is allowed');
  return nodeCrypto().scryptSync(passphrase, octets(salt, 'salt'), keyLength, {
    N: cost,
    r: blockSize,
    p: parallelization,
    maxmem: memory + 128 * blockSize * (parallelization + 2) + 1024,
  });
}

/** True for the outer structure of an encrypted key: a sequence of an algorithm and an octet string. */
export function isEncryptedPkcs8(root: DerNode): boolean {
  return (
    root.children.length === 2 && root.children[0]?.tag === DER.sequence && root.children[1]?.tag === DER.octetString
  );
}

/** The plain PrivateKeyInfo. Wipe it after use. Throws InvalidKeySpecError, also for a wrong passphrase. */
export function decryptPkcs8(bytes: Uint8Array, passphrase: Uint8Array): Uint8Array {
  const root = parseDer(bytes, WHAT);
  if (root.tag !== DER.sequence || !isEncryptedPkcs8(root)) malformed('has another structure');
  const scheme = identified(root.children[0], 'encryption scheme');
  if (scheme.oid !== PBES2)
    malformed(`is not encrypted by PBES2 (OID ${scheme.oid}); convert it with openssl pkcs8 -topk8`);
  const [derivation, encryption] = scheme.parameters?.children ?? [];
  const { oid: cipherOid, parameters: iv } = identified(encryption, 'cipher');
  const cipher = CIPHERS[cipherOid] ?? malformed(`uses a cipher that is not known here (OID ${cipherOid})`);
  const { oid: kdf, parameters } = identified(derivation, 'key derivation');
  const derive =
    kdf === PBKDF2 ? pbkdf2 : kdf === SCRYPT ? scrypt : malformed(`uses an unknown key derivation (OID ${kdf})`);
  const initial = octets(iv, 'initialisation vector');
  if (initial.length !== 16) malformed('has an initialisation vector of another length than 16 bytes');
  const key = derive(parameters?.children ?? [], cipher.keyLength, passphrase);
  let plain: Uint8Array | undefined;
  try {
    const decipher = nodeCrypto().createDecipheriv(cipher.name, key, initial);
    const head = decipher.update(octets(root.children[1], 'data'));
    const tail = decipher.final();
    plain = new Uint8Array(head.length + tail.length);
    plain.set(head);
    plain.set(tail, head.length);
    head.fill(0);
    tail.fill(0);
    // The padding alone lets one wrong passphrase in 256 pass.
    parseDer(plain, WHAT);
    return plain;
  } catch (cause) {
    plain?.fill(0);
    throw new InvalidKeySpecError(`${WHAT} does not open: the passphrase is wrong or the data is damaged.`, { cause });
  } finally {
    key.fill(0);
  }
}

const SALT_LENGTH = 16;

/** A positive INTEGER below 2^31. */
function smallInteger(value: number): Uint8Array {
  const bytes = [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
  while (bytes.length > 1 && bytes[0] === 0 && (bytes[1] as number) < 0x80) bytes.shift();
  return encodeDer(DER.integer, Uint8Array.from(bytes));
}

function algorithm(oid: string, ...parameters: readonly Uint8Array[]): Uint8Array {
  return encodeDer(DER.sequence, encodeOid(oid), ...parameters);
}

/**
 * EncryptedPrivateKeyInfo of a plain PrivateKeyInfo: PBES2, PBKDF2 with HMAC-SHA-256, AES-256 in CBC mode.
 * Throws InvalidKeySpecError where there is no node:crypto.
 */
export function encryptPkcs8(plain: Uint8Array, passphrase: Uint8Array, iterations: number): Uint8Array {
  const crypto = nodeCrypto(WRITING);
  const salt = crypto.randomBytes(SALT_LENGTH);
  const initial = crypto.randomBytes(16);
  const key = crypto.pbkdf2Sync(passphrase, salt, iterations, 32, 'sha256');
  try {
    const cipher = crypto.createCipheriv('aes-256-cbc', key, initial);
    const head = cipher.update(plain);
    const tail = cipher.final();
    const prf = algorithm('1.2.840.113549.2.9', encodeDer(DER.null));
    const derivation = algorithm(
      PBKDF2,
      encodeDer(DER.sequence, encodeDer(DER.octetString, salt), smallInteger(iterations), prf),
    );
    const encryption = algorithm('2.16.840.1.101.3.4.1.42', encodeDer(DER.octetString, initial));
    const scheme = algorithm(PBES2, encodeDer(DER.sequence, derivation, encryption));
    return encodeDer(DER.sequence, scheme, encodeDer(DER.octetString, head, tail));
  } finally {
    key.fill(0);
  }
}
