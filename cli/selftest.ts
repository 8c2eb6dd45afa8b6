// provium selftest

import { arch, cpus, platform } from 'node:os';
import type { Command } from 'commander';
import type { Provider, SecurityContext, ServiceType } from '../index.ts';
import { checkProvider } from '../testkit/index.ts';
import { type Runtime, runs, withCommonOptions } from './command.ts';
import { type CommonOptions, select } from './context.ts';
import { EXIT, type Io, printJson, printLine, printTable } from './io.ts';
import { progress } from './progress.ts';
import { ownSelfTest, planSelfTest, type SelfTestRow } from './self-test.ts';

interface Options extends CommonOptions {
  readonly verbose?: boolean;
}

function machine() {
  return { node: process.version, platform: platform(), architecture: arch(), cpu: cpus()[0]?.model ?? 'unknown' };
}

/** The one form that bench and selftest print their rows in. */
function jsonRow({ provider, type, name, outcome, detail, milliseconds }: SelfTestRow) {
  const time = Number(milliseconds.toFixed(3));
  const measured = { unit: 'ms', median: time, low: time, high: time, peer: null, ratio: null };
  return { group: type, name, candidate: provider, ...measured, outcome, detail: detail ?? null };
}

/** The whole conformance check of one provider, as rows of the self-test. */
async function conformance(
  context: SecurityContext,
  provider: Provider,
  shown: ReturnType<typeof progress>,
): Promise<readonly SelfTestRow[]> {
  let done = 0;
  const onRow = () => shown.update(++done, Math.max(done, 15 * provider.services.length));
  const { rows } = await checkProvider(provider, { context, selfTest: false, onRow });
  return rows.map(({ service, check, status, detail, milliseconds }): SelfTestRow => {
    const dot = service.indexOf('.');
    const type = (dot < 0 ? service : service.slice(0, dot)) as ServiceType | 'Provider';
    const name = dot < 0 ? check : `${service.slice(dot + 1)}: ${check}`;
    return { provider: provider.name, type, name, outcome: status, detail: detail || undefined, milliseconds };
  });
}

async function selftest(io: Io, options: Options): Promise<number> {
  const { context, provider } = await select(options);
  const providers = provider === undefined ? context.getProviders() : [provider];
  // One that was asked for is checked for everything that the framework demands of a provider.
  const plan = provider === undefined ? providers.flatMap((one) => planSelfTest(context, one)) : [];
  const shown = progress(io, 'Self-test');
  const rows: SelfTestRow[] = [];
  for (const one of providers) rows.push(...(await ownSelfTest(context, one)));
  if (provider !== undefined) rows.push(...(await conformance(context, provider, shown)));
  for (const [i, test] of plan.entries()) {
    shown.update(i, plan.length);
    rows.push(await test.run());
  }
  shown.end();
  const count = (outcome: SelfTestRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  const failed = count('failed');
  if (options.json) {
    printJson(io, { schema: 1, machine: machine(), rows: rows.map(jsonRow) });
    return failed === 0 ? EXIT.ok : EXIT.failed;
  }
  const told = options.verbose ? rows : rows.filter(({ outcome }) => outcome === 'failed');
  printTable(
    io,
    told.map(({ provider: by, name, outcome, detail }) => [outcome, by, name, detail ?? '']),
  );
  for (const one of providers) {
    const own = rows.filter((row) => row.provider === one.name);
    const passed = own.filter(({ outcome }) => outcome === 'passed').length;
    printLine(io, `${one.name} ${one.version}: ${passed} of ${own.length} tests passed`);
  }
  printLine(io, `${count('passed')} passed, ${failed} failed, ${count('not run')} not run.`);
  return failed === 0 ? EXIT.ok : EXIT.failed;
}

export function addSelftest(program: Command, runtime: Runtime): void {
  const command = program
    .command('selftest')
    .description(
      'test the providers by known answers and round trips, one provider by the whole test kit; exit code 1 if a test fails',
    )
    .option('-v, --verbose', 'list every test');
  runs<Options>(withCommonOptions(command), runtime, selftest);
}
