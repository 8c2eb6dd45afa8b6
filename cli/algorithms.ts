// provium algorithms

import { type Command, InvalidArgumentError } from 'commander';
import { SERVICE_TYPES, type ServiceType } from '../index.ts';
import { type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, select } from './context.ts';
import { type Io, printJson, printTable } from './io.ts';

interface Row {
  readonly type: ServiceType;
  readonly algorithm: string;
  readonly aliases: readonly string[];
  /** In order; `async` marks what only the asynchronous façades reach. */
  readonly providers: readonly { readonly name: string; readonly mode: 'sync' | 'async' }[];
}

/** The service type by its name in any case. */
export function serviceType(text: string): ServiceType {
  const found = SERVICE_TYPES.find((type) => type.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new InvalidArgumentError(`it is one of ${SERVICE_TYPES.join(', ')}.`);
  return found;
}

async function algorithms(io: Io, options: CommonOptions, type?: string): Promise<undefined> {
  const { context, provider } = await select(options);
  const rows = new Map<string, { -readonly [K in keyof Row]: Row[K] }>();
  for (const { name, services } of provider === undefined ? context.getProviders() : [provider]) {
    for (const service of services) {
      if (type !== undefined && service.type !== type) continue;
      const key = `${service.type} ${service.algorithm.toLowerCase()}`;
      const row = rows.get(key) ?? { type: service.type, algorithm: service.algorithm, aliases: [], providers: [] };
      row.aliases = [...new Set([...row.aliases, ...service.aliases])];
      row.providers = [...row.providers, { name, mode: service.mode }];
      rows.set(key, row);
    }
  }
  const sorted = [...rows.values()].sort((a, b) => SERVICE_TYPES.indexOf(a.type) - SERVICE_TYPES.indexOf(b.type));
  if (options.json) printJson(io, sorted);
  else
    printTable(
      io,
      sorted.map((row) => [
        row.type,
        row.algorithm,
        row.providers.map(({ name, mode }) => (mode === 'async' ? `${name} (async)` : name)).join(', '),
        row.aliases.join(', '),
      ]),
    );
  return undefined;
}

export function addAlgorithms(program: Command, runtime: Runtime): void {
  const command = program
    .command('algorithms')
    .description('list the algorithms, who serves them and their other names')
    .argument('[type]', 'only services of this type, such as Signature', serviceType);
  runs<CommonOptions>(withCommonOptions(command), runtime, algorithms);
}
