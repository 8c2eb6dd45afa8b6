// The services of this provider as rows: names come from the framework's table, curves from the engines'.

import type { Key } from '../../spi/keys.ts';
import { ECDSA_HASHES, resolveAlgorithm, resolveCurve } from '../../spi/names.ts';
import type {
  AnyService,
  RequestedOptions,
  ServiceAttributes,
  ServiceContext,
  ServiceDefinition,
} from '../../spi/service.ts';
import { SERVED_CURVES } from './curves.ts';
import { HASHES, hashRow } from './hashing.ts';
import { curveFor } from './key-pair-generator.ts';
import { okpServices } from './okp-services.ts';
import { type EcdsaRow, ecdsaSupports } from './signature.ts';
import type { SpiFactory } from './spi-factory.ts';

const SOFTWARE = { ImplementedIn: 'Software' } as const;

function ecAttributes(): ServiceAttributes {
  return {
    ...SOFTWARE,
    SupportedKeyClasses: ['EC'],
    SupportedKeyFormats: ['X.509', 'PKCS#8'],
    SupportedCurves: SERVED_CURVES,
    KeySize: Math.max(...SERVED_CURVES.map((name) => resolveCurve(name)?.size ?? 0)),
  };
}

function ecdsaRows(): readonly EcdsaRow[] {
  return ECDSA_HASHES.flatMap((name) => {
    const hash = name === 'NONE' ? undefined : hashRow(name);
    return [
      { algorithm: `${name}withECDSA`, hash, form: 'DER' },
      { algorithm: `${name}withECDSAinP1363Format`, hash, form: 'P1363' },
    ] as const;
  });
}

function supportsEcKey(key: Key): true | string {
  if (key.algorithm !== 'EC') return `it takes EC keys, not ${key.algorithm} keys`;
  if (key.curve === undefined || (SERVED_CURVES as readonly string[]).includes(key.curve)) return true;
  return `the curve ${key.curve} is not served`;
}

function supportsNoKey(): string {
  return 'it takes no key';
}

function aliases(type: AnyService['type'], algorithm: string): readonly string[] {
  return resolveAlgorithm(type, algorithm)?.aliases ?? [];
}

/** All services; `factory` is asked when an object is made, not before. */
export function proviumServices(factory: (context: ServiceContext) => SpiFactory): readonly AnyService[] {
  const attributes = ecAttributes();
  const signatures = ecdsaRows().map(
    (row): ServiceDefinition<'Signature', 'sync'> => ({
      type: 'Signature',
      algorithm: row.algorithm,
      mode: 'sync',
      aliases: aliases('Signature', row.algorithm),
      attributes,
      importsPrivateKeys: true,
      supportsKey: supportsEcKey,
      supportsOptions: (options) => ecdsaSupports(row, options),
      newInstance: (context) => factory(context).signature(row, context),
    }),
  );
  const digests = HASHES.map(
    (hash): ServiceDefinition<'MessageDigest', 'sync'> => ({
      type: 'MessageDigest',
      algorithm: hash.name,
      mode: 'sync',
      aliases: aliases('MessageDigest', hash.name),
      attributes: SOFTWARE,
      importsPrivateKeys: false,
      supportsKey: supportsNoKey,
      supportsOptions: () => true,
      newInstance: (context) => factory(context).messageDigest(hash),
    }),
  );
  const keyAgreement: ServiceDefinition<'KeyAgreement', 'sync'> = {
    type: 'KeyAgreement',
    algorithm: 'ECDH',
    mode: 'sync',
    aliases: aliases('KeyAgreement', 'ECDH'),
    attributes,
    importsPrivateKeys: true,
    supportsKey: supportsEcKey,
    supportsOptions: (options) => options.parameters === undefined || 'ECDH takes no parameters',
    newInstance: (context) => factory(context).keyAgreement(),
  };
  const keyPairGenerator: ServiceDefinition<'KeyPairGenerator', 'sync'> = {
    type: 'KeyPairGenerator',
    algorithm: 'EC',
    mode: 'sync',
    aliases: aliases('KeyPairGenerator', 'EC'),
    attributes,
    importsPrivateKeys: false,
    supportsKey: supportsNoKey,
    supportsOptions: supportsGeneration,
    newInstance: (context) => factory(context).keyPairGenerator(context),
  };
  const keyFactory: ServiceDefinition<'KeyFactory', 'sync'> = {
    type: 'KeyFactory',
    algorithm: 'EC',
    mode: 'sync',
    aliases: aliases('KeyFactory', 'EC'),
    attributes,
    importsPrivateKeys: true,
    supportsKey: supportsEcKey,
    supportsOptions: () => true,
    newInstance: (context) => factory(context).keyFactory(),
  };
  const algorithmParameters: ServiceDefinition<'AlgorithmParameters', 'sync'> = {
    type: 'AlgorithmParameters',
    algorithm: 'EC',
    mode: 'sync',
    aliases: aliases('AlgorithmParameters', 'EC'),
    attributes,
    importsPrivateKeys: false,
    supportsKey: supportsNoKey,
    supportsOptions: () => true,
    newInstance: (context) => factory(context).algorithmParameters(),
  };
  return [
    ...signatures,
    keyAgreement,
    keyPairGenerator,
    keyFactory,
    algorithmParameters,
    ...okpServices(factory),
    ...digests,
  ];
}

function supportsGeneration(options: RequestedOptions): true | string {
  if (options.use !== 'generate') return 'it generates key pairs only';
  const chosen = curveFor(options.size ?? options.parameters);
  return 'fault' in chosen ? chosen.fault : true;
}
