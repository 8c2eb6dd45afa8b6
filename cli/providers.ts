// provium providers

import type { Command } from 'commander';
import { type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, select } from './context.ts';
import { type Io, printJson, printTable } from './io.ts';

async function providers(io: Io, options: CommonOptions): Promise<undefined> {
  const { context, provider } = await select(options);
  const listed = provider === undefined ? context.getProviders() : [provider];
  const rows = listed.map(({ name, version, info, services }, i) => ({
    position: i + 1,
    name,
    version,
    services: services.length,
    info,
  }));
  if (options.json) printJson(io, rows);
  else
    printTable(
      io,
      rows.map((row) => [`${row.position}`, row.name, row.version, `${row.services} services`, row.info]),
    );
  return undefined;
}

export function addProviders(program: Command, runtime: Runtime): void {
  const command = program.command('providers').description('list the providers in their order');
  runs<CommonOptions>(withCommonOptions(command), runtime, providers);
}
