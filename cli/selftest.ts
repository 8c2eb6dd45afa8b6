// provium selftest

import { arch, cpus, platform } from 'node:os';
import type { Command } from 'commander';
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

async function selftest(io: Io, options: Options): Promise<number> {
  const { context, provider } = await select(options);
  const providers = provider === undefined ? context.getProviders() : [provider];
  const plan = providers.flatMap((one) => planSelfTest(context, one));
  const shown = progress(io, 'Self-test');
  const rows: SelfTestRow[] = [];
  for (const one of providers) rows.push(...(await ownSelfTest(context, one)));
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
    .description('test the providers by known answers and round trips; exit code 1 if a test fails')
    .option('-v, --verbose', 'list every test');
  runs<Options>(withCommonOptions(command), runtime, selftest);
}
