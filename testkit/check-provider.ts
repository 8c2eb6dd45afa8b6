// The conformance check of a provider: every service that it claims, one check after the other.

import { builtInProviders, Provider, SecurityContext } from '../index.ts';
import { describeThrown, kindOf } from '../spi/checks.ts';
import type { AnyService, ServiceType } from '../spi/service.ts';
import { AGREEMENT_CHECKS } from './agreements.ts';
import { DEFINITION_CHECKS } from './definition.ts';
import { DIGEST_CHECKS, PARAMETER_CHECKS } from './digests.ts';
import { FACTORY_CHECKS, GENERATOR_CHECKS } from './key-services.ts';
import { OPTION_CHECKS } from './options.ts';
import { type ConformanceReport, type ConformanceRow, Fault, must, NotRun, Recorder } from './report.ts';
import { type Named, SIGNATURE_CHECKS } from './signatures.ts';
import { type From, Subject } from './subject.ts';

/** A provider, or what makes one. */
export type ProviderSource = Provider | (() => Provider | Promise<Provider>);

export interface CheckOptions {
  /**
   * Where the provider works, with its random source, policy and settings; its other providers are the counterparts.
   * Default: a context of its own. The built-in providers are counterparts in any case.
   */
  readonly context?: SecurityContext | undefined;
  /** For one check, in milliseconds. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** False leaves out the tests that the provider has of itself. Default: true. */
  readonly selfTest?: boolean | undefined;
  /** Called with every row as it is made, for progress. */
  readonly onRow?: ((row: ConformanceRow) => void) | undefined;
}

const CHECKS: Readonly<Record<ServiceType, readonly Named[]>> = {
  Signature: [...SIGNATURE_CHECKS, ...OPTION_CHECKS],
  KeyAgreement: AGREEMENT_CHECKS,
  KeyPairGenerator: GENERATOR_CHECKS,
  KeyFactory: FACTORY_CHECKS,
  MessageDigest: DIGEST_CHECKS,
  AlgorithmParameters: PARAMETER_CHECKS,
};

function counterpartsOf(provider: Provider, context: SecurityContext): readonly From[] {
  const builtIn = new SecurityContext({ providers: builtInProviders() });
  const known = builtIn.getProviders().map((one): From => ({ context: builtIn, provider: one }));
  const others = context.getProviders().map((one): From => ({ context, provider: one }));
  const all = [...known, ...others.filter((one) => !known.some((other) => other.provider.name === one.provider.name))];
  // One that is of the same name would only be compared with itself.
  return all.filter((one) => one.provider.name !== provider.name);
}

function serviceName({ type, algorithm, mode }: AnyService): string {
  return `${type}.${algorithm}${mode === 'async' ? ' async' : ''}`;
}

/**
 * Checks everything that the provider claims, against known answers, the contract of the framework and the built-in
 * providers. Never rejects for a fault of the provider: each is a row of the report that failed. No context is changed.
 */
export async function checkProvider(source: ProviderSource, options: CheckOptions = {}): Promise<ConformanceReport> {
  const recorder = new Recorder(options.timeout ?? 60_000, options.onRow);
  let made: unknown;
  await recorder.run('Provider', 'construction', async () => {
    try {
      made = typeof source === 'function' && !(source instanceof Provider) ? await source() : source;
    } catch (error) {
      throw new Fault(`making the provider threw: ${describeThrown(error)}`);
    }
    must(made instanceof Provider, `this is no provider of this package, but ${kindOf(made)}`);
  });
  if (!(made instanceof Provider)) return reportOf('unknown', 'unknown', recorder);
  const provider = made;
  const context = options.context ?? new SecurityContext({ providers: [provider] });
  const counterparts = counterpartsOf(provider, context);
  await recorder.run('Provider', 'self-test', async () => {
    if (options.selfTest === false) throw new NotRun('it was not asked for');
    const results = await provider.selfTest(context.services);
    must(Array.isArray(results), `selfTest gave ${kindOf(results)}, not a list`);
    const failed = results.filter(({ status }) => status === 'failed');
    must(failed.length === 0, failed.map(({ name, detail }) => `${name}: ${detail ?? 'failed'}`).join('; '));
    return `${results.length} tests of its own`;
  });
  await recorder.run('Provider', 'services', async () => {
    must(provider.services.length > 0, 'it has no services');
  });
  for (const service of provider.services) {
    const subject = new Subject({ context, provider }, service, counterparts);
    const name = serviceName(service);
    for (const { check, run } of [...DEFINITION_CHECKS, ...CHECKS[service.type]]) {
      await recorder.run(name, check, async () => (await run(subject)) ?? undefined);
    }
  }
  return reportOf(provider.name, provider.version, recorder);
}

function reportOf(provider: string, version: string, { rows }: Recorder): ConformanceReport {
  const passed = rows.every(({ status }) => status !== 'failed') && rows.some(({ status }) => status === 'passed');
  return { provider, version, passed, rows };
}
