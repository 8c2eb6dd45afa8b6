// provium capabilities: what the machine can do, and what the engines make of it.

import type { Command } from 'commander';
import { CAPABILITIES, detectCapabilities } from '../engines/index.ts';
import { type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, select } from './context.ts';
import { engineLines, engineOf } from './explain.ts';
import { type Io, printJson, printLine, printTable } from './io.ts';

async function capabilities(io: Io, options: CommonOptions): Promise<undefined> {
  const selected = await select(options);
  const { context } = selected;
  const detected = detectCapabilities(context.services.engines.disable);
  const { runtime, findings, disabledIds } = detected;
  const providers = selected.provider === undefined ? context.getProviders() : [selected.provider];
  const engines = providers.flatMap((provider) => engineOf(context, provider));
  if (options.json) {
    printJson(io, { runtime, capabilities: findings, disabledCandidates: disabledIds, engines });
    return undefined;
  }
  printLine(io, `Node ${runtime.node ?? '(none)'} on ${runtime.architecture ?? 'unknown hardware'}`);
  printTable(
    io,
    CAPABILITIES.map((name) => [name, findings[name].present ? 'yes' : 'no', findings[name].reason]),
  );
  if (disabledIds.length > 0) printLine(io, `Candidates disabled: ${disabledIds.join(', ')}`);
  for (const { provider, curve, explanation } of engines) {
    printLine(io, `${provider}, ${curve}:`);
    for (const line of engineLines(explanation)) printLine(io, `  ${line}`);
  }
  return undefined;
}

export function addCapabilities(program: Command, runtime: Runtime): void {
  const command = program
    .command('capabilities')
    .description('say what this machine can do and which engine serves each curve');
  runs<CommonOptions>(withCommonOptions(command), runtime, capabilities);
}
