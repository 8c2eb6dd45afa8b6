// The one table of names: algorithms per service type, curves, their aliases and object identifiers.
// Matching ignores case by ASCII rules, whatever the locale; OIDs are known bare and with the prefix "OID.".

import type { ServiceType } from './service.ts';

const HASHES = {
  NONE: undefined,
  SHA1: '1.2.840.10045.4.1',
  SHA224: '1.2.840.10045.4.3.1',
  SHA256: '1.2.840.10045.4.3.2',
  SHA384: '1.2.840.10045.4.3.3',
  SHA512: '1.2.840.10045.4.3.4',
  'SHA512/256': undefined,
  'SHA3-224': '2.16.840.1.101.3.4.3.9',
  'SHA3-256': '2.16.840.1.101.3.4.3.10',
  'SHA3-384': '2.16.840.1.101.3.4.3.11',
  'SHA3-512': '2.16.840.1.101.3.4.3.12',
} as const;
export type EcdsaHash = keyof typeof HASHES;
export const ECDSA_HASHES = Object.keys(HASHES) as readonly EcdsaHash[];

export type SignatureAlgorithm =
  | `${EcdsaHash}withECDSA`
  | `${EcdsaHash}withECDSAinP1363Format`
  | 'EdDSA'
  | 'Ed25519'
  | 'Ed448';
export type KeyAgreementAlgorithm = 'ECDH' | 'XDH' | 'X25519' | 'X448';
export type KeyPairAlgorithm = 'EC' | 'EdDSA' | 'Ed25519' | 'Ed448' | 'XDH' | 'X25519' | 'X448';
export type DigestAlgorithm =
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

/** Known names complete in an editor; any string is allowed. */
export type Open<Known extends string> = Known | (string & {});

export interface AlgorithmRow {
  readonly name: string;
  /** Bare object identifiers and other names, without the "OID." forms. */
  readonly aliases: readonly string[];
}

const EC_NAMES: readonly AlgorithmRow[] = [{ name: 'EC', aliases: ['EllipticCurve', '1.2.840.10045.2.1'] }];
const OKP_NAMES: readonly AlgorithmRow[] = [
  { name: 'EdDSA', aliases: [] },
  { name: 'Ed25519', aliases: ['1.3.101.112'] },
  { name: 'Ed448', aliases: ['1.3.101.113'] },
  { name: 'XDH', aliases: [] },
  { name: 'X25519', aliases: ['1.3.101.110'] },
  { name: 'X448', aliases: ['1.3.101.111'] },
];

const ROWS: Readonly<Record<ServiceType, readonly AlgorithmRow[]>> = {
  Signature: [
    ...ECDSA_HASHES.flatMap((hash) => {
      const oid = HASHES[hash];
      return [
        { name: `${hash}withECDSA`, aliases: oid === undefined ? [] : [oid] },
        { name: `${hash}withECDSAinP1363Format`, aliases: [] },
      ];
    }),
    ...OKP_NAMES.slice(0, 3),
  ],
  KeyAgreement: [{ name: 'ECDH', aliases: ['1.3.132.1.12'] }, ...OKP_NAMES.slice(3)],
  KeyPairGenerator: [...EC_NAMES, ...OKP_NAMES],
  KeyFactory: [...EC_NAMES, ...OKP_NAMES],
  AlgorithmParameters: EC_NAMES,
  MessageDigest: [
    { name: 'SHA-1', aliases: ['SHA', 'SHA1', '1.3.14.3.2.26'] },
    { name: 'SHA-224', aliases: ['SHA224', '2.16.840.1.101.3.4.2.4'] },
    { name: 'SHA-256', aliases: ['SHA256', '2.16.840.1.101.3.4.2.1'] },
    { name: 'SHA-384', aliases: ['SHA384', '2.16.840.1.101.3.4.2.2'] },
    { name: 'SHA-512', aliases: ['SHA512', '2.16.840.1.101.3.4.2.3'] },
    { name: 'SHA-512/256', aliases: ['SHA512/256', '2.16.840.1.101.3.4.2.6'] },
    { name: 'SHA3-224', aliases: ['2.16.840.1.101.3.4.2.7'] },
    { name: 'SHA3-256', aliases: ['2.16.840.1.101.3.4.2.8'] },
    { name: 'SHA3-384', aliases: ['2.16.840.1.101.3.4.2.9'] },
    { name: 'SHA3-512', aliases: ['2.16.840.1.101.3.4.2.10'] },
    { name: 'SHAKE256', aliases: ['2.16.840.1.101.3.4.2.12'] },
  ],
};

export type CurveFamily = 'EC' | 'EdDSA' | 'XDH';

/** What the framework knows of a curve: names and widths, no arithmetic. */
export interface CurveNameInfo {
  readonly name: string;
  readonly oid: string;
  readonly aliases: readonly string[];
  readonly family: CurveFamily;
  /** Key size in bits. */
  readonly size: number;
  /** Width of a coordinate (raw public key for EdDSA and XDH). */
  readonly fieldBytes: number;
  /** Width of r and s, and of the private scalar (raw private key for EdDSA and XDH). */
  readonly orderBytes: number;
  /** `crv` of RFC 7518, RFC 8037 or RFC 8812, where registered. */
  readonly jwkName: string | undefined;
}

function ec(name: string, oid: string, size: number, aliases: readonly string[], jwkName?: string): CurveNameInfo {
  const bytes = Math.ceil(size / 8);
  return { name, oid, aliases, family: 'EC', size, fieldBytes: bytes, orderBytes: bytes, jwkName };
}
function okp(name: string, family: CurveFamily, oid: string, size: number, bytes: number): CurveNameInfo {
  return { name, oid, aliases: [], family, size, fieldBytes: bytes, orderBytes: bytes, jwkName: name };
}

/** SEC 2, RFC 5639, RFC 8410; aliases of X9.62, FIPS 186 and the JDK. */
export const CURVES: readonly CurveNameInfo[] = [
  ec('secp256r1', '1.2.840.10045.3.1.7', 256, ['P-256', 'prime256v1', 'NIST P-256', 'X9.62 prime256v1'], 'P-256'),
  ec('secp384r1', '1.3.132.0.34', 384, ['P-384', 'NIST P-384'], 'P-384'),
  ec('secp521r1', '1.3.132.0.35', 521, ['P-521', 'NIST P-521'], 'P-521'),
  ec('secp256k1', '1.3.132.0.10', 256, [], 'secp256k1'),
  ec('secp224r1', '1.3.132.0.33', 224, ['P-224', 'NIST P-224']),
  ec('brainpoolP256r1', '1.3.36.3.3.2.8.1.1.7', 256, []),
  ec('brainpoolP384r1', '1.3.36.3.3.2.8.1.1.11', 384, []),
  ec('brainpoolP512r1', '1.3.36.3.3.2.8.1.1.13', 512, []),
  okp('Ed25519', 'EdDSA', '1.3.101.112', 255, 32),
  okp('Ed448', 'EdDSA', '1.3.101.113', 448, 57),
  okp('X25519', 'XDH', '1.3.101.110', 255, 32),
  okp('X448', 'XDH', '1.3.101.111', 448, 56),
];

/** Lower case of ASCII letters only, so that no locale or Unicode folding makes two names one. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
}

const OID = /^(?:oid\.)?((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))+)$/;

/** The form under which names are compared: ASCII lower case, OIDs without their prefix. */
export function nameKey(name: string): string {
  const folded = foldName(name);
  return OID.exec(folded)?.[1] ?? folded;
}

function index<Row extends AlgorithmRow>(
  rows: readonly Row[],
  more: (row: Row) => readonly string[],
): Map<string, Row> {
  const map = new Map<string, Row>();
  for (const row of rows) for (const name of [row.name, ...row.aliases, ...more(row)]) map.set(nameKey(name), row);
  return map;
}

let algorithmIndex: Map<ServiceType, Map<string, AlgorithmRow>> | undefined;
let curveIndex: Map<string, CurveNameInfo> | undefined;

/** The standard name and aliases of an algorithm, by any of its names; undefined for a name not in the table. */
export function resolveAlgorithm(type: ServiceType, name: string): AlgorithmRow | undefined {
  algorithmIndex ??= new Map(
    Object.entries(ROWS).map(([key, rows]) => [key as ServiceType, index(rows, () => [])] as const),
  );
  return algorithmIndex.get(type)?.get(nameKey(name));
}

/** The rows of one service type, in the order of the table. */
export function algorithmRows(type: ServiceType): readonly AlgorithmRow[] {
  return ROWS[type];
}

/** A curve by any of its names or OIDs; undefined for a name not in the table. */
export function resolveCurve(name: string): CurveNameInfo | undefined {
  curveIndex ??= index(CURVES, (row) => [row.oid]);
  return curveIndex.get(nameKey(name));
}

/** The canonical name of a curve, by any of its names or OIDs. */
export function resolveCurveName(name: string): string | undefined {
  return resolveCurve(name)?.name;
}
