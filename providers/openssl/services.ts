// Every service that node:crypto has on this runtime, as definitions. NONEwithECDSA is not among them: node:crypto signs
// no digest as it stands (`sign(null, …)` hashes it with SHA-256). Prehashed EdDSA is not to be had either.

import type { Key } from '../../spi/keys.ts';
import { resolveAlgorithm } from '../../spi/names.ts';
import type { AnyService, RequestedOptions, ServiceAttributes, ServiceType } from '../../spi/service.ts';
import { EcAlgorithmParameters } from './algorithm-parameters.ts';
import { curves, findCurve } from './curves.ts';
import { DIGESTS, type DigestRow } from './digests.ts';
import { agreementSupportsOptions, EcdhKeyAgreement, XdhKeyAgreement } from './key-agreement.ts';
import { OpenSslKeyFactory } from './key-factory.ts';
import { EcKeyPairGenerator, generatorSupportsOptions, OkpKeyPairGenerator } from './key-pair-generator.ts';
import { OpenSslMessageDigest } from './message-digest.ts';
import { nodeCrypto } from './node.ts';
import { OKP_CURVES } from './okp.ts';
import {
  type EcdsaFormat,
  EcdsaSignature,
  EddsaSignature,
  ecdsaSupportsOptions,
  eddsaSupportsOptions,
} from './signature.ts';

const FORMATS = ['X.509', 'PKCS#8'];

type OkpAlgorithm = 'EdDSA' | 'Ed25519' | 'Ed448' | 'XDH' | 'X25519' | 'X448';
const EDDSA: readonly OkpAlgorithm[] = ['EdDSA', 'Ed25519', 'Ed448'];
const XDH: readonly OkpAlgorithm[] = ['XDH', 'X25519', 'X448'];

const common = { mode: 'sync', importsPrivateKeys: true } as const;

function always(): true {
  return true;
}

function optionsOfNone(options: RequestedOptions): true | string {
  return options.parameters === undefined ? true : 'it takes no parameters';
}

function supportsEcKey(key: Key): true | string {
  if (key.algorithm !== 'EC') return `it takes EC keys, not ${key.algorithm}`;
  if (key.curve === undefined) return 'the key does not say its curve';
  return findCurve(key.curve) === undefined ? `OpenSSL has no curve ${key.curve}` : true;
}

/** Keys of a family, or of the one curve that the algorithm names. */
function supportsOkpKey(algorithm: OkpAlgorithm): (key: Key) => true | string {
  return (key) => {
    const curve = OKP_CURVES.find((row) => row.name === key.curve && row.algorithm === key.algorithm);
    if (curve?.algorithm === algorithm || curve?.name === algorithm) return true;
    return `${algorithm} does not take this ${key.toString()}`;
  };
}

function ecAttributes(): ServiceAttributes {
  const all = curves();
  return {
    ImplementedIn: 'Software',
    KeySize: Math.max(...all.map((curve) => curve.fieldBits)),
    SupportedKeyClasses: ['EC'],
    SupportedKeyFormats: FORMATS,
    SupportedCurves: all.map((curve) => curve.name),
  };
}

function okpAttributes(algorithm: OkpAlgorithm): ServiceAttributes {
  const rows = OKP_CURVES.filter((row) => row.algorithm === algorithm || row.name === algorithm);
  return {
    ImplementedIn: 'Software',
    KeySize: Math.max(...rows.map((row) => row.size)),
    SupportedKeyClasses: rows.slice(0, 1).map((row) => row.algorithm),
    SupportedKeyFormats: FORMATS,
    SupportedCurves: rows.map((row) => row.name),
  };
}

function aliasesOf(type: ServiceType, algorithm: string): readonly string[] {
  return resolveAlgorithm(type, algorithm)?.aliases ?? [];
}

function ecdsa(row: DigestRow, prefix: string, format: EcdsaFormat, attributes: ServiceAttributes): AnyService {
  const algorithm = `${prefix}withECDSA${format === 'p1363' ? 'inP1363Format' : ''}`;
  return {
    ...common,
    type: 'Signature',
    algorithm,
    aliases: aliasesOf('Signature', algorithm),
    attributes,
    supportsKey: supportsEcKey,
    supportsOptions: ecdsaSupportsOptions,
    newInstance: (context) => new EcdsaSignature(algorithm, row.nodeName, format, context),
  };
}

function ecServices(available: readonly DigestRow[]): AnyService[] {
  const attributes = ecAttributes();
  const ec = {
    ...common,
    algorithm: 'EC',
    aliases: aliasesOf('KeyFactory', 'EC'),
    attributes,
    supportsKey: supportsEcKey,
  } as const;
  const signatures = available.flatMap((row) =>
    row.signaturePrefix === undefined
      ? []
      : [ecdsa(row, row.signaturePrefix, 'der', attributes), ecdsa(row, row.signaturePrefix, 'p1363', attributes)],
  );
  return [
    ...signatures,
    {
      ...common,
      type: 'KeyAgreement',
      algorithm: 'ECDH',
      aliases: aliasesOf('KeyAgreement', 'ECDH'),
      attributes,
      supportsKey: supportsEcKey,
      supportsOptions: agreementSupportsOptions('ECDH'),
      newInstance: () => new EcdhKeyAgreement('ECDH'),
    },
    {
      ...ec,
      type: 'KeyPairGenerator',
      supportsOptions: generatorSupportsOptions('EC'),
      newInstance: ({ customRandom }) => new EcKeyPairGenerator(customRandom),
    },
    { ...ec, type: 'KeyFactory', supportsOptions: always, newInstance: () => new OpenSslKeyFactory('EC') },
    { ...ec, type: 'AlgorithmParameters', supportsOptions: always, newInstance: () => new EcAlgorithmParameters() },
  ];
}

function okpServices(algorithm: OkpAlgorithm): AnyService[] {
  const okp = {
    ...common,
    algorithm,
    aliases: aliasesOf('KeyFactory', algorithm),
    attributes: okpAttributes(algorithm),
    supportsKey: supportsOkpKey(algorithm),
  } as const;
  const use: AnyService = EDDSA.includes(algorithm)
    ? {
        ...okp,
        type: 'Signature',
        supportsOptions: eddsaSupportsOptions(algorithm),
        newInstance: () => new EddsaSignature(algorithm),
      }
    : {
        ...okp,
        type: 'KeyAgreement',
        supportsOptions: agreementSupportsOptions(algorithm),
        newInstance: () => new XdhKeyAgreement(algorithm),
      };
  return [
    use,
    {
      ...okp,
      type: 'KeyPairGenerator',
      supportsOptions: generatorSupportsOptions(algorithm),
      newInstance: ({ customRandom }) => new OkpKeyPairGenerator(algorithm, customRandom),
    },
    { ...okp, type: 'KeyFactory', supportsOptions: always, newInstance: () => new OpenSslKeyFactory(algorithm) },
  ];
}

function messageDigest(row: DigestRow): AnyService {
  return {
    ...common,
    type: 'MessageDigest',
    algorithm: row.algorithm,
    aliases: aliasesOf('MessageDigest', row.algorithm),
    attributes: { ImplementedIn: 'Software' },
    supportsKey: () => 'a digest takes no key',
    supportsOptions: optionsOfNone,
    newInstance: () => new OpenSslMessageDigest(row),
  };
}

/** What this runtime has: hashes that its OpenSSL lacks (a FIPS build, for one) are left out with their signatures. */
export function openSslServices(): AnyService[] {
  const hashes = new Set(nodeCrypto().getHashes());
  const available = DIGESTS.filter((row) => hashes.has(row.nodeName));
  return [...ecServices(available), ...[...EDDSA, ...XDH].flatMap(okpServices), ...available.map(messageDigest)];
}
