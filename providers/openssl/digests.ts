// The hashes as rows: standard name, OpenSSL's name, length. FIPS 180-4, FIPS 202. Aliases stand in the framework's table.

export interface DigestRow {
  /** Name of the MessageDigest. */
  readonly algorithm: string;
  readonly nodeName: string;
  /** Bytes of output. */
  readonly length: number;
  /** Told to OpenSSL for an extendable function, which has no length of its own. */
  readonly outputLength?: number;
  /** The part before `withECDSA`; absent where no such signature is served. */
  readonly signaturePrefix?: string;
}

export const DIGESTS: readonly DigestRow[] = [
  { algorithm: 'SHA-1', nodeName: 'sha1', length: 20, signaturePrefix: 'SHA1' },
  { algorithm: 'SHA-224', nodeName: 'sha224', length: 28, signaturePrefix: 'SHA224' },
  { algorithm: 'SHA-256', nodeName: 'sha256', length: 32, signaturePrefix: 'SHA256' },
  { algorithm: 'SHA-384', nodeName: 'sha384', length: 48, signaturePrefix: 'SHA384' },
  { algorithm: 'SHA-512', nodeName: 'sha512', length: 64, signaturePrefix: 'SHA512' },
  { algorithm: 'SHA-512/224', nodeName: 'sha512-224', length: 28 },
  { algorithm: 'SHA-512/256', nodeName: 'sha512-256', length: 32, signaturePrefix: 'SHA512/256' },
  { algorithm: 'SHA3-224', nodeName: 'sha3-224', length: 28, signaturePrefix: 'SHA3-224' },
  { algorithm: 'SHA3-256', nodeName: 'sha3-256', length: 32, signaturePrefix: 'SHA3-256' },
  { algorithm: 'SHA3-384', nodeName: 'sha3-384', length: 48, signaturePrefix: 'SHA3-384' },
  { algorithm: 'SHA3-512', nodeName: 'sha3-512', length: 64, signaturePrefix: 'SHA3-512' },
  { algorithm: 'SHAKE256', nodeName: 'shake256', length: 64, outputLength: 64 },
];
