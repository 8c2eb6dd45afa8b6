import { createHash, createHmac } from 'node:crypto';
import type { HashFunctions } from '../../engines/sources.ts';

const nodeName = (algorithm: string): string => algorithm.toLowerCase().replace(/^sha-/, 'sha');

/** Hash functions by node:crypto. */
export const HASHES: HashFunctions = {
  digest: (algorithm, data) => new Uint8Array(createHash(nodeName(algorithm)).update(data).digest()),
  hmac: (algorithm, key, data) => new Uint8Array(createHmac(nodeName(algorithm), key).update(data).digest()),
  extendable: (algorithm, data, length) =>
    new Uint8Array(createHash(nodeName(algorithm), { outputLength: length }).update(data).digest()),
};
