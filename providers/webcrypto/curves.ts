// The curves that WebCrypto specifies, as rows (W3C Web Cryptography Level 2, WICG Secure Curves). Whether the platform at
// hand has one is found out at use.

import { resolveCurve } from '../../spi/names.ts';

/** What a handle may do: a CryptoKey is bound to one algorithm. */
export type Purpose = 'ECDSA' | 'ECDH' | 'EdDSA' | 'XDH';

interface CommonCurve {
  readonly name: string;
  /** What WebCrypto calls it. */
  readonly webName: string;
  /** Bits, as keys report them. */
  readonly size: number;
  /** Bytes of a coordinate, or of a raw key. */
  readonly fieldBytes: number;
}
export interface EcWebCurve extends CommonCurve {
  readonly family: 'EC';
  /** The order n, big-endian; r, s and private scalars have its width. */
  readonly order: Uint8Array;
}
export interface OkpWebCurve extends CommonCurve {
  readonly family: 'EdDSA' | 'XDH';
}
export type WebCurve = EcWebCurve | OkpWebCurve;

/** Orders, SEC 2 version 2. */
const EC_ROWS: readonly (readonly [name: string, webName: string, order: string])[] = [
  ['secp256r1', 'P-256', 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'],
  [
    'secp384r1',
    'P-384',
    'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
  ],
  [
    'secp521r1',
    'P-521',
    '01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409',
  ],
];
const OKP_NAMES = ['Ed25519', 'Ed448', 'X25519', 'X448'] as const;

function bytesOf(hexadecimal: string): Uint8Array {
  return Uint8Array.from(hexadecimal.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

let rows: readonly WebCurve[] | undefined;

export function webCurves(): readonly WebCurve[] {
  rows ??= [
    ...EC_ROWS.map(([name, webName, order]): EcWebCurve => {
      const bytes = bytesOf(order);
      const size = resolveCurve(name)?.size ?? 0;
      return { name, webName, size, family: 'EC', fieldBytes: bytes.length, order: bytes };
    }),
    ...OKP_NAMES.map((name): OkpWebCurve => {
      const row = resolveCurve(name);
      const family = name.startsWith('Ed') ? 'EdDSA' : 'XDH';
      return { name, webName: name, size: row?.size ?? 0, family, fieldBytes: row?.fieldBytes ?? 0 };
    }),
  ];
  return rows;
}

/** By any name or OID; undefined for a curve that WebCrypto does not specify. */
export function findCurve(name: string): WebCurve | undefined {
  const canonical = resolveCurve(name)?.name;
  return webCurves().find((curve) => curve.name === canonical);
}

/** Those that an algorithm means: a family or one curve. */
export function curvesOf(algorithm: string): readonly WebCurve[] {
  return webCurves().filter((curve) => curve.family === algorithm || curve.name === algorithm);
}

/** The argument of generateKey and importKey. */
export function algorithmFor(curve: WebCurve, purpose: Purpose): EcKeyGenParams | { readonly name: string } {
  return curve.family === 'EC' ? { name: purpose, namedCurve: curve.webName } : { name: curve.webName };
}

/** The usages that the provider asks for. */
export function usagesOf(purpose: Purpose, kind: 'public' | 'private'): KeyUsage[] {
  const signs = purpose === 'ECDSA' || purpose === 'EdDSA';
  if (kind === 'private') return [signs ? 'sign' : 'deriveBits'];
  return signs ? ['verify'] : [];
}

/** The one purpose of a curve outside EC; ECDSA for EC, whose keys serve both. */
export function mainPurpose(curve: WebCurve): Purpose {
  return curve.family === 'EC' ? 'ECDSA' : curve.family;
}

/** 1 if 1 ≤ value < order, both at the same width; constant time. */
export function inRange(value: Uint8Array, order: Uint8Array): number {
  let borrow = 0;
  let any = 0;
  for (let i = order.length - 1; i >= 0; i--) {
    const digit = value[i] ?? 0;
    any |= digit;
    borrow = ((digit - (order[i] ?? 0) - borrow) >> 8) & 1;
  }
  return borrow & (((any - 1) >> 8) + 1);
}
