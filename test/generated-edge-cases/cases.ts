// What a generated case holds; all bytes in hexadecimal.

import type { JsonWebKey } from '../../index.ts';

export interface VerifyCase {
  readonly name: string;
  readonly op: 'verify';
  /** Uncompressed point. */
  readonly publicKey: string;
  readonly algorithm: string;
  /** The message, or the digest for NONEwithECDSA. */
  readonly data: string;
  readonly signature: string;
  readonly expected: boolean;
}

/** Deterministic signing. */
export interface SignCase {
  readonly name: string;
  readonly op: 'sign';
  readonly privateKey: string;
  readonly algorithm: string;
  readonly nonceHash: string;
  readonly data: string;
  /** r then s. */
  readonly expected: string;
}

export interface AgreeCase {
  readonly name: string;
  readonly op: 'agree';
  readonly privateKey: string;
  /** Octets of the peer's point. */
  readonly peer: string;
  /** The secret; null: refused. */
  readonly expected: string | null;
}

export interface ImportCase {
  readonly name: string;
  readonly op: 'import';
  readonly kind: 'public' | 'private';
  readonly format: 'spki' | 'pkcs8' | 'sec1' | 'jwk' | 'pem' | 'raw';
  /** Hexadecimal, PEM text or the JWK. */
  readonly key: string | JsonWebKey;
  /** The uncompressed point or the scalar; null: refused. */
  readonly expected: string | null;
}

export type EdgeCase = VerifyCase | SignCase | AgreeCase | ImportCase;
