// The hash functions that this provider uses inside signatures, nonces and key generation, and serves as MessageDigest.
// node:crypto where there is one, else @noble/hashes. Never looked up in a registry: a foreign provider cannot change them.

import { sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512, sha512_256 } from '@noble/hashes/sha2.js';
import { sha3_224, sha3_256, sha3_384, sha3_512, shake256, shake256_64 } from '@noble/hashes/sha3.js';
import type { HashFunctions } from '../../engines/sources.ts';
import { NoSuchAlgorithmError } from '../../spi/errors.ts';
import { resolveAlgorithm } from '../../spi/names.ts';

type HashName =
  | 'SHA-1'
  | 'SHA-224'
  | 'SHA-256'
  | 'SHA-384'
  | 'SHA-512'
  | 'SHA-512/256'
  | 'SHA3-224'
  | 'SHA3-256'
  | 'SHA3-384'
  | 'SHA3-512'
  | 'SHAKE256';

export interface HashRow {
  readonly name: HashName;
  /** Bytes of output; of SHAKE256 by choice, the 64 bytes that give it its full strength (as in the JDK). */
  readonly length: number;
  /** Bytes of one block: the key width of HMAC. */
  readonly blockLength: number;
  readonly nodeName: string;
  /** The implementation for where there is no node:crypto. */
  readonly portable: PortableHash;
}

interface PortableHash {
  (data: Uint8Array): Uint8Array;
  create(): { update(data: Uint8Array): unknown; digest(): Uint8Array };
}

function row(name: HashName, nodeName: string, length: number, blockLength: number, portable: PortableHash): HashRow {
  return { name, nodeName, length, blockLength, portable };
}

/** Every hash function (FIPS 180-4, FIPS 202). */
export const HASHES: readonly HashRow[] = [
  row('SHA-1', 'sha1', 20, 64, sha1),
  row('SHA-224', 'sha224', 28, 64, sha224),
  row('SHA-256', 'sha256', 32, 64, sha256),
  row('SHA-384', 'sha384', 48, 128, sha384),
  row('SHA-512', 'sha512', 64, 128, sha512),
  row('SHA-512/256', 'sha512-256', 32, 128, sha512_256),
  row('SHA3-224', 'sha3-224', 28, 144, sha3_224),
  row('SHA3-256', 'sha3-256', 32, 136, sha3_256),
  row('SHA3-384', 'sha3-384', 48, 104, sha3_384),
  row('SHA3-512', 'sha3-512', 64, 72, sha3_512),
  row('SHAKE256', 'shake256', 64, 136, shake256_64),
];

/** A hash function by any of its MessageDigest names. */
export function hashRow(name: string): HashRow | undefined {
  const standard = resolveAlgorithm('MessageDigest', name)?.name;
  return HASHES.find((candidate) => candidate.name === standard);
}

/** A hash being computed; `digest` ends it. */
export interface IncrementalHash {
  update(data: Uint8Array): void;
  digest(): Uint8Array;
}

export interface Hashing {
  /** Which implementation serves, for explanations. */
  readonly source: 'node:crypto' | '@noble/hashes';
  /** One-shot; fresh bytes. For public data: the result may pass through memory that cannot be wiped. */
  digest(hash: HashRow, data: Uint8Array): Uint8Array;
  /** One-shot over secrets: the result is the only copy that is left. */
  digestSecret(hash: HashRow, data: Uint8Array): Uint8Array;
  create(hash: HashRow): IncrementalHash;
}

const portableHashing: Hashing = {
  source: '@noble/hashes',
  digest: (hash, data) => hash.portable(data),
  digestSecret: (hash, data) => hash.portable(data),
  create(hash) {
    const state = hash.portable.create();
    return {
      update(data) {
        state.update(data);
      },
      digest: () => state.digest(),
    };
  },
};

type NodeCrypto = typeof import('node:crypto');

function bytesOf(buffer: Buffer): Uint8Array {
  if (buffer.length === buffer.buffer.byteLength) return new Uint8Array(buffer.buffer);
  const bytes = Uint8Array.from(buffer);
  buffer.fill(0);
  return bytes;
}

function bytesOfBinary(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  for (let i = 0; i < out.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

/** `crypto.hash` needs Node 21.7 or 20.12; of extendable functions it gives another length than ours. */
function nodeHashing(crypto: NodeCrypto): Hashing {
  const options = (hash: HashRow) => (hash.name === 'SHAKE256' ? { outputLength: hash.length } : undefined);
  const incremental = (hash: HashRow) => crypto.createHash(hash.nodeName, options(hash));
  const oneShot = typeof crypto.hash === 'function' ? crypto.hash : undefined;
  const viaObject = (hash: HashRow, data: Uint8Array) => bytesOf(incremental(hash).update(data).digest());
  return {
    source: 'node:crypto',
    // A string comes back sooner than a buffer, even with the conversion (0.3 against 1.0 µs).
    digest: (hash, data) =>
      oneShot === undefined || hash.name === 'SHAKE256'
        ? viaObject(hash, data)
        : bytesOfBinary(oneShot(hash.nodeName, data, 'binary')),
    digestSecret: (hash, data) =>
      oneShot === undefined || hash.name === 'SHAKE256'
        ? viaObject(hash, data)
        : bytesOf(oneShot(hash.nodeName, data, 'buffer')),
    create(hash) {
      const state = incremental(hash);
      return {
        update(data) {
          state.update(data);
        },
        digest: () => bytesOf(state.digest()),
      };
    },
  };
}

/** The implementation for this platform. */
export function platformHashing(): Hashing {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto === undefined ? portableHashing : nodeHashing(crypto);
}

/** The implementation that needs no platform: what `platformHashing` falls back to. */
export function portableHashes(): Hashing {
  return portableHashing;
}

/** A keyed hash under one key (RFC 2104, FIPS 198-1); `wipe` it after use. */
export class Hmac {
  readonly #hashing: Hashing;
  readonly #hash: HashRow;
  readonly #inner: Uint8Array;
  readonly #outer: Uint8Array;

  constructor(hashing: Hashing, hash: HashRow, key: Uint8Array) {
    this.#hashing = hashing;
    this.#hash = hash;
    const { blockLength } = hash;
    this.#inner = new Uint8Array(blockLength).fill(0x36);
    this.#outer = new Uint8Array(blockLength + hash.length).fill(0x5c, 0, blockLength);
    const block = key.length > blockLength ? hashing.digestSecret(hash, key) : key;
    for (let i = 0; i < block.length; i++) {
      const byte = block[i] as number;
      (this.#inner[i] as number) ^= byte;
      (this.#outer[i] as number) ^= byte;
    }
    if (block !== key) block.fill(0);
  }

  /** The code of the joined parts; fresh bytes. */
  of(...parts: readonly Uint8Array[]): Uint8Array {
    const { blockLength } = this.#hash;
    let length = blockLength;
    for (const part of parts) length += part.length;
    const message = new Uint8Array(length);
    message.set(this.#inner);
    let offset = blockLength;
    for (const part of parts) {
      message.set(part, offset);
      offset += part.length;
    }
    const inner = this.#hashing.digestSecret(this.#hash, message);
    message.fill(0);
    this.#outer.set(inner, blockLength);
    inner.fill(0);
    const code = this.#hashing.digestSecret(this.#hash, this.#outer);
    this.#outer.fill(0, blockLength);
    return code;
  }

  wipe(): void {
    this.#inner.fill(0);
    this.#outer.fill(0);
  }
}

/** SHAKE256 with another length of output. */
function extended(hash: HashRow, length: number): HashRow {
  const options = { dkLen: length };
  const portable = Object.assign((data: Uint8Array) => shake256(data, options), {
    create: () => shake256.create(options),
  });
  return { ...hash, length, portable };
}

/** The hash functions as the engines take them: always over secrets. */
export function hashFunctions(hashing: Hashing): HashFunctions {
  const rows = new Map<string, HashRow>(HASHES.map((hash) => [hash.name, hash]));
  const row = (name: string): HashRow => {
    const found = rows.get(name);
    if (found === undefined) throw new NoSuchAlgorithmError(`Provium has no hash function ${name}.`);
    return found;
  };
  return {
    digest: (algorithm, data) => hashing.digestSecret(row(algorithm), data),
    hmac(algorithm, key, data) {
      const mac = new Hmac(hashing, row(algorithm), key);
      const code = mac.of(data);
      mac.wipe();
      return code;
    },
    extendable(algorithm, data, length) {
      const hash = row(algorithm);
      if (hash.name !== 'SHAKE256') throw new NoSuchAlgorithmError(`${algorithm} is not an extendable function.`);
      return hashing.digestSecret(hash.length === length ? hash : extended(hash, length), data);
    },
  };
}
