// Options as callers give them, checked and made into what providers are asked for.

import { checkedRandom, kindOf } from './checks.ts';
import { InvalidAlgorithmParameterError } from './errors.ts';
import { AlgorithmParameterSpec } from './key-specs.ts';
import type {
  AgreementOptions,
  KeyGenerationOptions,
  NonceMode,
  RequestedOptions,
  SignOptions,
  VerificationCriteria,
  VerifyOptions,
} from './service.ts';

export const NONCE_MODES: readonly NonceMode[] = ['hedged', 'deterministic', 'random'];
export const VERIFICATION_CRITERIA: readonly VerificationCriteria[] = ['rfc8032', 'strict', 'cofactored', 'zip215'];

export type Use = RequestedOptions['use'];
export interface OptionsOf {
  sign: SignOptions;
  verify: VerifyOptions;
  agree: AgreementOptions;
  generate: KeyGenerationOptions;
}

type Check = (value: unknown) => string | undefined;
function oneOf(values: readonly string[]): Check {
  return (value) => (values.includes(value as string) ? undefined : `must be one of ${values.join(', ')}`);
}
function ofType(type: 'boolean' | 'string' | 'function'): Check {
  return (value) => {
    const actual = typeof value;
    return actual === type ? undefined : `must be a ${type}, got ${kindOf(value)}`;
  };
}
const parameters: Check = (value) =>
  value instanceof AlgorithmParameterSpec ? undefined : `must be an AlgorithmParameterSpec, got ${kindOf(value)}`;

const CHECKS: Readonly<Record<Use, Readonly<Record<string, Check>>>> = {
  sign: {
    nonce: oneOf(NONCE_MODES),
    nonceHash: ofType('string'),
    random: ofType('function'),
    lowS: ofType('boolean'),
    parameters,
  },
  verify: { lowS: ofType('boolean'), criteria: oneOf(VERIFICATION_CRITERIA), parameters },
  agree: { parameters },
  generate: { random: ofType('function') },
};

/**
 * The explicit options, without undefined members and those of the `framework`, which never reach a provider; undefined
 * if nothing is left.
 * `random` is wrapped to notice all-zero fills. Throws InvalidAlgorithmParameterError for unknown or malformed ones.
 */
export function explicitOptions<U extends Use>(
  use: U,
  given: object | undefined,
  remembered: AlgorithmParameterSpec | undefined,
  framework: readonly string[] = [],
): OptionsOf[U] | undefined {
  if (given === undefined && remembered === undefined) return undefined;
  if (given !== undefined && (typeof given !== 'object' || given === null)) {
    throw new InvalidAlgorithmParameterError(`Options must be an object, got ${kindOf(given)}.`);
  }
  const result: Record<string, unknown> = {};
  let any = false;
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined || framework.includes(name)) continue;
    const check = Object.hasOwn(CHECKS[use], name) ? CHECKS[use][name] : undefined;
    if (check === undefined) {
      const known = [...Object.keys(CHECKS[use]), ...framework].join(', ');
      throw new InvalidAlgorithmParameterError(`There is no option ${name} for the use "${use}"; there are ${known}.`);
    }
    const fault = check(value);
    if (fault !== undefined) throw new InvalidAlgorithmParameterError(`The option ${name} ${fault}.`);
    result[name] = name === 'random' ? checkedRandom(value as (bytes: Uint8Array) => void) : value;
    any = true;
  }
  if (remembered !== undefined && result['parameters'] === undefined) {
    result['parameters'] = remembered;
    any = true;
  }
  return any ? (result as OptionsOf[U]) : undefined;
}
