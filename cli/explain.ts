// provium explain, and the texts of decisions that other commands print too.

import { type Command, InvalidArgumentError } from 'commander';
import type { Explanation, Provider, SecurityContext, ServiceType } from '../index.ts';
import { serviceType } from './algorithms.ts';
import { type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, select } from './context.ts';
import { readSmall } from './files.ts';
import { type Io, printJson, printLine, UsageError } from './io.ts';
import { keyFromBytes, readPassphrase } from './keys.ts';

interface Options extends CommonOptions {
  readonly key?: string;
  readonly curve?: string;
  readonly passphraseFile?: string;
  readonly query?: string;
  readonly async?: boolean;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One candidate of an engine decision, whatever provider it is from. */
function candidateLine(candidate: unknown): string {
  if (!isRecord(candidate)) return String(candidate);
  const { id, taken, reason } = candidate;
  const verdict = taken === true ? 'taken' : 'not taken';
  return `${String(id)} ${verdict}${reason === undefined || reason === '' ? '' : `: ${String(reason)}`}`;
}

/** The engine decision of a provider as lines; its shape is the provider's own affair. */
export function engineLines(engine: unknown): string[] {
  if (!isRecord(engine)) return engine === undefined ? [] : [String(engine)];
  return Object.entries(engine).flatMap(([part, value]) => {
    if (!Array.isArray(value)) return isRecord(value) ? [part, ...engineLines(value).map((line) => `  ${line}`)] : [];
    return value.map((candidate, i) => `${(i === 0 ? part : '').padEnd(8)}${candidateLine(candidate)}`);
  });
}

export function explanationLines({ type, algorithm, key, chosen, candidates }: Explanation): string[] {
  const lines = [`${type} ${algorithm}${key === undefined ? '' : ` with this ${key}`}: ${chosen ?? 'no provider'}`];
  for (const { provider, mode, taken, reason, engine } of candidates) {
    const how = mode === 'async' ? ' (asynchronous)' : '';
    lines.push(
      `  ${provider}${how}: ${taken ? (provider === chosen ? 'taken' : 'would be next') : 'skipped'}, ${reason}`,
    );
    for (const line of engineLines(engine)) lines.push(`    ${line}`);
  }
  return lines;
}

/** The engine decision for every curve that a provider with engines declares. */
export function engineOf(
  { services }: SecurityContext,
  provider: Provider,
): readonly { provider: string; curve: string; explanation: unknown }[] {
  const curves = new Set(
    provider.services.flatMap(({ type, attributes }) =>
      type === 'KeyPairGenerator' ? (attributes.SupportedCurves ?? []) : [],
    ),
  );
  return [...curves].flatMap((curve) => {
    const explanation = provider.explainEngine(services, curve);
    return explanation === undefined ? [] : [{ provider: provider.name, curve, explanation }];
  });
}

async function explain(io: Io, options: Options, type: string, algorithm: string): Promise<undefined> {
  const selected = await select(options);
  const { context, provider } = selected;
  const passphrase = await readPassphrase(io, options.passphraseFile);
  const key =
    options.key === undefined
      ? undefined
      : await keyFromBytes(
          await readSmall(io, options.key),
          { location: options.key, curve: options.curve, passphrase },
          selected,
        );
  const explanation = context.explain(type as ServiceType, algorithm, key, {
    asynchronous: options.async ?? false,
    ...(provider === undefined ? {} : { provider: provider.name }),
    ...(options.query === undefined ? {} : { query: options.query }),
  });
  if (explanation.candidates.length === 0) throw new UsageError(`no provider has ${type} ${algorithm}`);
  if (options.json) printJson(io, explanation);
  else for (const line of explanationLines(explanation)) printLine(io, line);
  return undefined;
}

function algorithmName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('a name is needed.');
  return text;
}

export function addExplain(program: Command, runtime: Runtime): void {
  const command = program
    .command('explain')
    .description('say which provider and engine would serve, and why')
    .argument('<type>', 'the type of the service, such as Signature', serviceType)
    .argument('<algorithm>', 'the algorithm, such as SHA256withECDSA', algorithmName)
    .option('-k, --key <file>', 'the key that it is for')
    .option('-c, --curve <name>', 'the curve of a raw key')
    .option('--passphrase-file <file>', 'the passphrase of an encrypted key')
    .option('-q, --query <clauses>', 'what the provider must or should have')
    .option('--async', 'as the asynchronous façades choose');
  runs<Options>(withCommonOptions(command), runtime, explain);
}
