// `preferred`: a provider that comes first for one algorithm or one group of algorithms.

import { ConfigurationError } from './errors.ts';
import { foldName, nameKey, resolveAlgorithm } from './names.ts';
import { SERVICE_TYPES, type ServiceType } from './service.ts';

export type Preferences = Readonly<Record<string, string>>;

const SHA2 = ['SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-512/256'];
/** The JCA's groups, as far as their algorithms are known here. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['sha2', SHA2],
  ['sha3', ['SHA3-224', 'SHA3-256', 'SHA3-384', 'SHA3-512']],
  ['sha2ecdsa', ['SHA224', 'SHA256', 'SHA384', 'SHA512'].map((hash) => `${hash}withECDSA`)],
  ['sha3ecdsa', ['SHA3-224', 'SHA3-256', 'SHA3-384', 'SHA3-512'].map((hash) => `${hash}withECDSA`)],
]);

function standardKey(type: ServiceType, algorithm: string): string {
  return nameKey(resolveAlgorithm(type, algorithm)?.name ?? algorithm);
}

/** A finder of the preferred provider's name. Throws ConfigurationError. */
export function parsePreferences(
  preferences: Preferences,
): (type: ServiceType, algorithm: string) => string | undefined {
  if (typeof preferences !== 'object' || preferences === null) {
    throw new ConfigurationError('preferred must be an object of algorithms and names of providers.');
  }
  const exact = new Map<string, string>();
  const anyType = new Map<string, string>();
  const grouped = new Map<string, string>();
  for (const [key, provider] of Object.entries(preferences)) {
    if (typeof provider !== 'string' || provider === '') {
      throw new ConfigurationError(`preferred: "${key}" must name a provider.`);
    }
    if (key.trim() === '') throw new ConfigurationError('preferred: a key must name an algorithm.');
    const group = GROUPS.get(foldName(key).replace(/^group\./, ''));
    if (group !== undefined) {
      for (const name of group) grouped.set(nameKey(name), provider);
      continue;
    }
    const type = SERVICE_TYPES.find((known) => foldName(key).startsWith(`${foldName(known)}.`));
    if (type !== undefined) exact.set(`${type}.${standardKey(type, key.slice(type.length + 1))}`, provider);
    else for (const known of SERVICE_TYPES) anyType.set(`${known}.${standardKey(known, key)}`, provider);
  }
  return (type, algorithm) => {
    const name = standardKey(type, algorithm);
    return exact.get(`${type}.${name}`) ?? anyType.get(`${type}.${name}`) ?? grouped.get(name);
  };
}
