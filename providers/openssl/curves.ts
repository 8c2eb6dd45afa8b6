// The Weierstrass curves that OpenSSL names and can encode, as rows: what the strict checks before OpenSSL need to know.
// Sources: SEC 2, RFC 5639, ANSI X9.62, WAP-261-WTLS; a test compares every row with the parameters the runtime exports.
// Left out: Oakley-EC2N-3 and -4 (no OID, so no key of them can be encoded) and SM2 (keys come back as another type).

import { curveByOid } from '../../spi/encoding/curves.ts';
import { nameKey, resolveCurveName } from '../../spi/names.ts';
import { nodeCrypto } from './node.ts';

/** Name of node:crypto, OID, bits of the field, cofactor, order (hexadecimal). */
type Row = readonly [nodeName: string, oid: string, fieldBits: number, cofactor: number, order: string];

const ROWS: readonly Row[] = [
  ['brainpoolP160r1', '1.3.36.3.3.2.8.1.1.1', 160, 1, 'e95e4a5f737059dc60df5991d45029409e60fc09'],
  ['brainpoolP160t1', '1.3.36.3.3.2.8.1.1.2', 160, 1, 'e95e4a5f737059dc60df5991d45029409e60fc09'],
  ['brainpoolP192r1', '1.3.36.3.3.2.8.1.1.3', 192, 1, 'c302f41d932a36cda7a3462f9e9e916b5be8f1029ac4acc1'],
  ['brainpoolP192t1', '1.3.36.3.3.2.8.1.1.4', 192, 1, 'c302f41d932a36cda7a3462f9e9e916b5be8f1029ac4acc1'],
  ['brainpoolP224r1', '1.3.36.3.3.2.8.1.1.5', 224, 1, 'd7c134aa264366862a18302575d0fb98d116bc4b6ddebca3a5a7939f'],
  ['brainpoolP224t1', '1.3.36.3.3.2.8.1.1.6', 224, 1, 'd7c134aa264366862a18302575d0fb98d116bc4b6ddebca3a5a7939f'],
  [
    'brainpoolP256r1',
    '1.3.36.3.3.2.8.1.1.7',
    256,
    1,
    'a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7',
  ],
  [
    'brainpoolP256t1',
    '1.3.36.3.3.2.8.1.1.8',
    256,
    1,
    'a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7',
  ],
  [
    'brainpoolP320r1',
    '1.3.36.3.3.2.8.1.1.9',
    320,
    1,
    'd35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311',
  ],
  [
    'brainpoolP320t1',
    '1.3.36.3.3.2.8.1.1.10',
    320,
    1,
    'd35e472036bc4fb7e13c785ed201e065f98fcfa5b68f12a32d482ec7ee8658e98691555b44c59311',
  ],
  [
    'brainpoolP384r1',
    '1.3.36.3.3.2.8.1.1.11',
    384,
    1,
    '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565',
  ],
  [
    'brainpoolP384t1',
    '1.3.36.3.3.2.8.1.1.12',
    384,
    1,
    '8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565',
  ],
  [
    'brainpoolP512r1',
    '1.3.36.3.3.2.8.1.1.13',
    512,
    1,
    'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069',
  ],
  [
    'brainpoolP512t1',
    '1.3.36.3.3.2.8.1.1.14',
    512,
    1,
    'aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069',
  ],
  ['c2pnb163v1', '1.2.840.10045.3.0.1', 163, 2, '400000000000000000001e60fc8821cc74daeafc1'],
  ['c2pnb163v2', '1.2.840.10045.3.0.2', 163, 2, '3fffffffffffffffffffdf64de1151adbb78f10a7'],
  ['c2pnb163v3', '1.2.840.10045.3.0.3', 163, 2, '3fffffffffffffffffffe1aee140f110aff961309'],
  ['c2pnb176v1', '1.2.840.10045.3.0.4', 176, 65390, '10092537397eca4f6145799d62b0a19ce06fe26ad'],
  ['c2pnb208w1', '1.2.840.10045.3.0.10', 208, 65096, '101baf95c9723c57b6c21da2eff2d5ed588bdd5717e212f9d'],
  [
    'c2pnb272w1',
    '1.2.840.10045.3.0.16',
    272,
    65286,
    '100faf51354e0e39e4892df6e319c72c8161603fa45aa7b998a167b8f1e629521',
  ],
  [
    'c2pnb304w1',
    '1.2.840.10045.3.0.17',
    304,
    65070,
    '101d556572aabac800101d556572aabac8001022d5c91dd173f8fb561da6899164443051d',
  ],
  [
    'c2pnb368w1',
    '1.2.840.10045.3.0.19',
    368,
    65392,
    '10090512da9af72b08349d98a5dd4c7b0532eca51ce03e2d10f3b7ac579bd87e909ae40a6f131e9cfce5bd967',
  ],
  ['c2tnb191v1', '1.2.840.10045.3.0.5', 191, 2, '40000000000000000000000004a20e90c39067c893bbb9a5'],
  ['c2tnb191v2', '1.2.840.10045.3.0.6', 191, 4, '20000000000000000000000050508cb89f652824e06b8173'],
  ['c2tnb191v3', '1.2.840.10045.3.0.7', 191, 6, '155555555555555555555555610c0b196812bfb6288a3ea3'],
  ['c2tnb239v1', '1.2.840.10045.3.0.11', 239, 4, '2000000000000000000000000000000f4d42ffe1492a4993f1cad666e447'],
  ['c2tnb239v2', '1.2.840.10045.3.0.12', 239, 6, '1555555555555555555555555555553c6f2885259c31e3fcdf154624522d'],
  ['c2tnb239v3', '1.2.840.10045.3.0.13', 239, 10, 'cccccccccccccccccccccccccccccac4912d2d9df903ef9888b8a0e4cff'],
  [
    'c2tnb359v1',
    '1.2.840.10045.3.0.18',
    359,
    76,
    '1af286bca1af286bca1af286bca1af286bca1af286bc9fb8f6b85c556892c20a7eb964fe7719e74f490758d3b',
  ],
  [
    'c2tnb431r1',
    '1.2.840.10045.3.0.20',
    431,
    10080,
    '340340340340340340340340340340340340340340340340340340323c313fab50589703b5ec68d3587fec60d161cc149c1ad4a91',
  ],
  ['prime192v1', '1.2.840.10045.3.1.1', 192, 1, 'ffffffffffffffffffffffff99def836146bc9b1b4d22831'],
  ['prime192v2', '1.2.840.10045.3.1.2', 192, 1, 'fffffffffffffffffffffffe5fb1a724dc80418648d8dd31'],
  ['prime192v3', '1.2.840.10045.3.1.3', 192, 1, 'ffffffffffffffffffffffff7a62d031c83f4294f640ec13'],
  ['prime239v1', '1.2.840.10045.3.1.4', 239, 1, '7fffffffffffffffffffffff7fffff9e5e9a9f5d9071fbd1522688909d0b'],
  ['prime239v2', '1.2.840.10045.3.1.5', 239, 1, '7fffffffffffffffffffffff800000cfa7e8594377d414c03821bc582063'],
  ['prime239v3', '1.2.840.10045.3.1.6', 239, 1, '7fffffffffffffffffffffff7fffff975deb41b3a6057c3c432146526551'],
  ['prime256v1', '1.2.840.10045.3.1.7', 256, 1, 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'],
  ['secp112r1', '1.3.132.0.6', 112, 1, 'db7c2abf62e35e7628dfac6561c5'],
  ['secp112r2', '1.3.132.0.7', 112, 4, '36df0aafd8b8d7597ca10520d04b'],
  ['secp128r1', '1.3.132.0.28', 128, 1, 'fffffffe0000000075a30d1b9038a115'],
  ['secp128r2', '1.3.132.0.29', 128, 4, '3fffffff7fffffffbe0024720613b5a3'],
  ['secp160k1', '1.3.132.0.9', 160, 1, '100000000000000000001b8fa16dfab9aca16b6b3'],
  ['secp160r1', '1.3.132.0.8', 160, 1, '100000000000000000001f4c8f927aed3ca752257'],
  ['secp160r2', '1.3.132.0.30', 160, 1, '100000000000000000000351ee786a818f3a1a16b'],
  ['secp192k1', '1.3.132.0.31', 192, 1, 'fffffffffffffffffffffffe26f2fc170f69466a74defd8d'],
  ['secp224k1', '1.3.132.0.32', 224, 1, '10000000000000000000000000001dce8d2ec6184caf0a971769fb1f7'],
  ['secp224r1', '1.3.132.0.33', 224, 1, 'ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d'],
  ['secp256k1', '1.3.132.0.10', 256, 1, 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
  [
    'secp384r1',
    '1.3.132.0.34',
    384,
    1,
    'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
  ],
  [
    'secp521r1',
    '1.3.132.0.35',
    521,
    1,
    '1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409',
  ],
  ['sect113r1', '1.3.132.0.4', 113, 2, '100000000000000d9ccec8a39e56f'],
  ['sect113r2', '1.3.132.0.5', 113, 2, '10000000000000108789b2496af93'],
  ['sect131r1', '1.3.132.0.22', 131, 2, '400000000000000023123953a9464b54d'],
  ['sect131r2', '1.3.132.0.23', 131, 2, '400000000000000016954a233049ba98f'],
  ['sect163k1', '1.3.132.0.1', 163, 2, '4000000000000000000020108a2e0cc0d99f8a5ef'],
  ['sect163r1', '1.3.132.0.2', 163, 2, '3ffffffffffffffffffff48aab689c29ca710279b'],
  ['sect163r2', '1.3.132.0.15', 163, 2, '40000000000000000000292fe77e70c12a4234c33'],
  ['sect193r1', '1.3.132.0.24', 193, 2, '1000000000000000000000000c7f34a778f443acc920eba49'],
  ['sect193r2', '1.3.132.0.25', 193, 2, '10000000000000000000000015aab561b005413ccd4ee99d5'],
  ['sect233k1', '1.3.132.0.26', 233, 4, '8000000000000000000000000000069d5bb915bcd46efb1ad5f173abdf'],
  ['sect233r1', '1.3.132.0.27', 233, 2, '1000000000000000000000000000013e974e72f8a6922031d2603cfe0d7'],
  ['sect239k1', '1.3.132.0.3', 239, 4, '2000000000000000000000000000005a79fec67cb6e91f1c1da800e478a5'],
  ['sect283k1', '1.3.132.0.16', 283, 4, '1ffffffffffffffffffffffffffffffffffe9ae2ed07577265dff7f94451e061e163c61'],
  ['sect283r1', '1.3.132.0.17', 283, 2, '3ffffffffffffffffffffffffffffffffffef90399660fc938a90165b042a7cefadb307'],
  [
    'sect409k1',
    '1.3.132.0.36',
    409,
    4,
    '7ffffffffffffffffffffffffffffffffffffffffffffffffffe5f83b2d4ea20400ec4557d5ed3e3e7ca5b4b5c83b8e01e5fcf',
  ],
  [
    'sect409r1',
    '1.3.132.0.37',
    409,
    2,
    '10000000000000000000000000000000000000000000000000001e2aad6a612f33307be5fa47c3c9e052f838164cd37d9a21173',
  ],
  [
    'sect571k1',
    '1.3.132.0.38',
    571,
    4,
    '20000000000000000000000000000000000000000000000000000000000000000000000131850e1f19a63e4b391a8db917f4138b630d84be5d639381e91deb45cfe778f637c1001',
  ],
  [
    'sect571r1',
    '1.3.132.0.39',
    571,
    2,
    '3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe661ce18ff55987308059b186823851ec7dd9ca1161de93d5174d66e8382e9bb2fe84e47',
  ],
  ['wap-wsg-idm-ecid-wtls1', '2.23.43.1.4.1', 113, 2, 'fffffffffffffffdbf91af6dea73'],
  ['wap-wsg-idm-ecid-wtls10', '2.23.43.1.4.10', 233, 4, '8000000000000000000000000000069d5bb915bcd46efb1ad5f173abdf'],
  ['wap-wsg-idm-ecid-wtls11', '2.23.43.1.4.11', 233, 2, '1000000000000000000000000000013e974e72f8a6922031d2603cfe0d7'],
  ['wap-wsg-idm-ecid-wtls12', '2.23.43.1.4.12', 224, 1, 'ffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3d'],
  ['wap-wsg-idm-ecid-wtls3', '2.23.43.1.4.3', 163, 2, '4000000000000000000020108a2e0cc0d99f8a5ef'],
  ['wap-wsg-idm-ecid-wtls4', '2.23.43.1.4.4', 113, 2, '100000000000000d9ccec8a39e56f'],
  ['wap-wsg-idm-ecid-wtls5', '2.23.43.1.4.5', 163, 2, '400000000000000000001e60fc8821cc74daeafc1'],
  ['wap-wsg-idm-ecid-wtls6', '2.23.43.1.4.6', 112, 1, 'db7c2abf62e35e7628dfac6561c5'],
  ['wap-wsg-idm-ecid-wtls7', '2.23.43.1.4.7', 160, 1, '100000000000000000000351ee786a818f3a1a16b'],
  ['wap-wsg-idm-ecid-wtls8', '2.23.43.1.4.8', 112, 1, '100000000000001ecea551ad837e9'],
  ['wap-wsg-idm-ecid-wtls9', '2.23.43.1.4.9', 160, 1, '100000000000000000001cdc98ae0e2de574abf33'],
];

/** Canonical names where OpenSSL's differs from that of SEC 2. */
const CANONICAL: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'secp256r1'],
  ['prime192v1', 'secp192r1'],
]);

export interface OpenSslCurve {
  /** The name our keys report. */
  readonly name: string;
  readonly nodeName: string;
  readonly oid: string;
  readonly fieldBits: number;
  /** Bytes of one coordinate. */
  readonly fieldBytes: number;
  readonly cofactor: number;
  /** Big-endian, minimal length. */
  readonly order: Uint8Array;
}

function bytesOfHex(hex: string): Uint8Array {
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Uint8Array.from({ length: even.length / 2 }, (_, i) => Number.parseInt(even.slice(2 * i, 2 * i + 2), 16));
}

let byName: Map<string, OpenSslCurve> | undefined;
let byOid: Map<string, OpenSslCurve> | undefined;

function load(): { byName: Map<string, OpenSslCurve>; byOid: Map<string, OpenSslCurve> } {
  if (byName !== undefined && byOid !== undefined) return { byName, byOid };
  byName = new Map();
  byOid = new Map();
  const present = new Set(nodeCrypto().getCurves());
  for (const [nodeName, oid, fieldBits, cofactor, order] of ROWS) {
    if (!present.has(nodeName)) continue;
    const curve: OpenSslCurve = {
      name: CANONICAL.get(nodeName) ?? nodeName,
      nodeName,
      oid,
      fieldBits,
      fieldBytes: Math.ceil(fieldBits / 8),
      cofactor,
      order: bytesOfHex(order),
    };
    byOid.set(oid, curve);
    byName.set(nameKey(curve.name), curve);
    byName.set(nameKey(nodeName), curve);
  }
  return { byName, byOid };
}

/** Every curve of this runtime, in the order of OpenSSL's list. */
export function curves(): readonly OpenSslCurve[] {
  return [...load().byOid.values()];
}

/** The curve by any name or OID known here or to the framework, without regard to case; undefined if OpenSSL lacks it. */
export function findCurve(name: string): OpenSslCurve | undefined {
  const tables = load();
  const key = nameKey(name);
  const direct = tables.byName.get(key) ?? tables.byOid.get(key);
  if (direct !== undefined) return direct;
  const known = resolveCurveName(name);
  return known === undefined ? undefined : tables.byName.get(nameKey(known));
}

/** True if the codecs of the framework know the curve. */
export function isFrameworkCurve(curve: OpenSslCurve): boolean {
  try {
    curveByOid(curve.oid, 'The curve');
    return true;
  } catch {
    return false;
  }
}
