// The services for EdDSA and XDH as rows.

import type { Key } from '../../spi/keys.ts';
import { resolveAlgorithm, resolveCurve } from '../../spi/names.ts';
import type { AnyService, ServiceAttributes, ServiceContext, ServiceType } from '../../spi/service.ts';
import {
  curvesOf,
  EDDSA_ALGORITHMS,
  type EddsaAlgorithm,
  familyOf,
  type OkpAlgorithm,
  XDH_ALGORITHMS,
  type XdhAlgorithm,
} from './okp-curves.ts';
import { okpGenerationSupports } from './okp-key-pair-generator.ts';
import { eddsaSupports } from './okp-signature.ts';
import type { SpiFactory } from './spi-factory.ts';

type Factory = (context: ServiceContext) => SpiFactory;

function attributesOf(algorithm: OkpAlgorithm): ServiceAttributes {
  const curves = curvesOf(algorithm);
  return {
    ImplementedIn: 'Software',
    SupportedKeyClasses: [familyOf(algorithm)],
    SupportedKeyFormats: ['X.509', 'PKCS#8'],
    SupportedCurves: curves,
    KeySize: Math.max(...curves.map((name) => resolveCurve(name)?.size ?? 0)),
  };
}

function supportsKeyOf(algorithm: OkpAlgorithm): (key: Key) => true | string {
  const curves: readonly string[] = curvesOf(algorithm);
  const family = familyOf(algorithm);
  return (key) => {
    if (key.algorithm !== family) return `it takes ${family} keys, not ${key.algorithm} keys`;
    if (key.curve === undefined || curves.includes(key.curve)) return true;
    return `it takes keys for ${curves.join(' or ')}, not for ${key.curve}`;
  };
}

function aliases(type: ServiceType, algorithm: string): readonly string[] {
  return resolveAlgorithm(type, algorithm)?.aliases ?? [];
}

function keyServices(algorithm: OkpAlgorithm, factory: Factory): readonly AnyService[] {
  const common = { algorithm, mode: 'sync', attributes: attributesOf(algorithm) } as const;
  return [
    {
      ...common,
      type: 'KeyPairGenerator',
      aliases: aliases('KeyPairGenerator', algorithm),
      importsPrivateKeys: false,
      supportsKey: () => 'it takes no key',
      supportsOptions: (options) => okpGenerationSupports(algorithm, options),
      newInstance: (context) => factory(context).okpKeyPairGenerator(algorithm, context),
    },
    {
      ...common,
      type: 'KeyFactory',
      aliases: aliases('KeyFactory', algorithm),
      importsPrivateKeys: true,
      supportsKey: supportsKeyOf(algorithm),
      supportsOptions: () => true,
      newInstance: (context) => factory(context).okpKeyFactory(algorithm),
    },
  ];
}

function signatureService(algorithm: EddsaAlgorithm, factory: Factory): AnyService {
  return {
    type: 'Signature',
    algorithm,
    mode: 'sync',
    aliases: aliases('Signature', algorithm),
    attributes: attributesOf(algorithm),
    importsPrivateKeys: true,
    supportsKey: supportsKeyOf(algorithm),
    supportsOptions: (options) => eddsaSupports(algorithm, options),
    newInstance: (context) => factory(context).eddsaSignature(algorithm),
  };
}

function agreementService(algorithm: XdhAlgorithm, factory: Factory): AnyService {
  return {
    type: 'KeyAgreement',
    algorithm,
    mode: 'sync',
    aliases: aliases('KeyAgreement', algorithm),
    attributes: attributesOf(algorithm),
    importsPrivateKeys: true,
    supportsKey: supportsKeyOf(algorithm),
    supportsOptions: (options) => options.parameters === undefined || `${algorithm} takes no parameters`,
    newInstance: (context) => factory(context).xdhKeyAgreement(algorithm),
  };
}

/** All services for EdDSA and XDH; `factory` is asked when an object is made, not before. */
export function okpServices(factory: Factory): readonly AnyService[] {
  return [
    ...EDDSA_ALGORITHMS.flatMap((algorithm) => [
      signatureService(algorithm, factory),
      ...keyServices(algorithm, factory),
    ]),
    ...XDH_ALGORITHMS.flatMap((algorithm) => [
      agreementService(algorithm, factory),
      ...keyServices(algorithm, factory),
    ]),
  ];
}
