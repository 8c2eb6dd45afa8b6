// Edwards and Montgomery curves as rows of data: RFC 7748, section 4, and RFC 8032, sections 5.1 and 5.2.

export type EdwardsCurveName = 'Ed25519' | 'Ed448';
export type MontgomeryCurveName = 'X25519' | 'X448';

/** A signature scheme of RFC 8032 on its curve. Numbers are little-endian in every encoding. */
export interface EdwardsCurveRow {
  readonly name: EdwardsCurveName;
  readonly oid: string;
  /** Hexadecimal, big-endian. */
  readonly p: string;
  /** The order of the base point. */
  readonly order: string;
  readonly cofactor: 4 | 8;
  /** Bytes of a seed, of an encoded point and of an encoded scalar. */
  readonly byteLength: number;
  readonly hash: 'SHA-512' | 'SHAKE256';
  /** What dom2 or dom4 begins with. */
  readonly label: string;
  /** True: the label stands in front of every hash, also without context and prehash. */
  readonly alwaysLabelled: boolean;
}

/** A key agreement of RFC 7748 on its curve. */
export interface MontgomeryCurveRow {
  readonly name: MontgomeryCurveName;
  readonly oid: string;
  /** The birationally equivalent or isogenous Edwards curve whose base table serves key generation. */
  readonly edwards: EdwardsCurveName;
  /** Bytes of a scalar and of a u-coordinate. */
  readonly byteLength: number;
  readonly baseU: number;
}

export const EDWARDS_CURVES: Readonly<Record<EdwardsCurveName, EdwardsCurveRow>> = {
  Ed25519: {
    name: 'Ed25519',
    oid: '1.3.101.112',
    p: '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed',
    order: '1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed',
    cofactor: 8,
    byteLength: 32,
    hash: 'SHA-512',
    label: 'SigEd25519 no Ed25519 collisions',
    alwaysLabelled: false,
  },
  Ed448: {
    name: 'Ed448',
    oid: '1.3.101.113',
    p: 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    order:
      '3fffffffffffffffffffffffffffffffffffffffffffffffffffffff7cca23e9c44edb49aed63690216cc2728dc58f552378c292ab5844f3',
    cofactor: 4,
    byteLength: 57,
    hash: 'SHAKE256',
    label: 'SigEd448',
    alwaysLabelled: true,
  },
};

export const MONTGOMERY_CURVES: Readonly<Record<MontgomeryCurveName, MontgomeryCurveRow>> = {
  X25519: { name: 'X25519', oid: '1.3.101.110', edwards: 'Ed25519', byteLength: 32, baseU: 9 },
  X448: { name: 'X448', oid: '1.3.101.111', edwards: 'Ed448', byteLength: 56, baseU: 5 },
};

export function isEdwardsCurve(name: string): name is EdwardsCurveName {
  return Object.hasOwn(EDWARDS_CURVES, name);
}

export function isMontgomeryCurve(name: string): name is MontgomeryCurveName {
  return Object.hasOwn(MONTGOMERY_CURVES, name);
}
