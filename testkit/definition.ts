// Checks of what a service says of itself, before it does any work.

import { kindOf } from '../spi/checks.ts';
import type { AnyService, ServiceType } from '../spi/service.ts';
import { must, NotRun } from './report.ts';
import type { Named } from './signatures.ts';
import { type Subject, supports } from './subject.ts';

const METHODS: Readonly<Record<ServiceType, readonly string[]>> = {
  Signature: ['initSign', 'initVerify', 'update', 'sign', 'verify', 'reset'],
  KeyAgreement: ['init', 'doPhase', 'generateSecret', 'reset'],
  KeyPairGenerator: ['initialize', 'generateKeyPair'],
  KeyFactory: ['generatePublic', 'generatePrivate', 'getKeySpec', 'translateKey'],
  MessageDigest: ['update', 'digest', 'reset'],
  AlgorithmParameters: ['init', 'encoded', 'parameterSpec', 'toString'],
};

async function newInstance(subject: Subject): Promise<void> {
  const { service, from } = subject;
  const first: unknown = service.newInstance(from.context.services);
  if (service.mode === 'sync')
    must(!(first instanceof Promise), 'newInstance of a synchronous service gives a promise');
  const one = await first;
  must(typeof one === 'object' && one !== null, `newInstance gives ${kindOf(one)}, not an object`);
  const missing = METHODS[service.type].filter(
    (name) => typeof (one as Readonly<Record<string, unknown>>)[name] !== 'function',
  );
  must(missing.length === 0, `the object that newInstance gives has no ${missing.join(', ')}`);
  const two: unknown = await service.newInstance(from.context.services);
  must(one !== two, 'newInstance gives the same object twice: state leaks between the objects of an application');
}

async function answersAboutKeys(subject: Subject): Promise<string> {
  const { service } = subject;
  let taken = 0;
  let asked = 0;
  for (const curve of ['secp256r1', 'Ed25519', 'X25519', ...subject.curves]) {
    const pair = await subject.foreignKeys(curve).catch((error: unknown) => {
      if (error instanceof NotRun) return undefined;
      throw error;
    });
    if (pair === undefined) continue;
    for (const key of [pair.publicKey, pair.privateKey]) {
      const answer: unknown = service.supportsKey(key);
      asked++;
      if (answer === true) taken++;
      else
        must(typeof answer === 'string' && answer !== '', `supportsKey gave ${kindOf(answer)}, not true or a reason`);
    }
  }
  const needsKeys = service.type === 'Signature' || service.type === 'KeyAgreement';
  const own = needsKeys && subject.family !== undefined && importsNothing(subject);
  if (needsKeys && subject.family !== undefined && !own) {
    must(taken > 0, 'it takes no key of the family of its algorithm');
  }
  return `${taken} of ${asked} keys taken`;
}

/** It may know keys of its own alone. */
function importsNothing({ from, service }: Subject): boolean {
  return (
    !service.importsPrivateKeys && from.provider.services.some(({ type }: AnyService) => type === 'KeyPairGenerator')
  );
}

async function answersAboutOptions(subject: Subject): Promise<void> {
  const { service } = subject;
  for (const use of ['sign', 'verify', 'agree', 'generate'] as const) {
    const applies =
      (service.type === 'Signature' && (use === 'sign' || use === 'verify')) ||
      (service.type === 'KeyAgreement' && use === 'agree') ||
      (service.type === 'KeyPairGenerator' && use === 'generate');
    if (applies) must(supports(service, { use }), `supportsOptions declines the use "${use}" without any option`);
  }
}

export const DEFINITION_CHECKS: readonly Named[] = [
  { check: 'new instance', run: newInstance },
  { check: 'answers about keys', run: answersAboutKeys },
  { check: 'answers about options', run: answersAboutOptions },
];
