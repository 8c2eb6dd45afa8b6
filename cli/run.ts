// The command line program as a function: arguments and streams in, exit code out.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ProviumError } from '../index.ts';
import { addAlgorithms } from './algorithms.ts';
import { addCapabilities } from './capabilities.ts';
import type { Runtime } from './command.ts';
import { addDemo } from './demo.ts';
import { addDerive } from './derive.ts';
import { addExplain } from './explain.ts';
import { addInspect } from './inspect.ts';
import { EXIT, type Io, UsageError } from './io.ts';
import { addKeygen } from './keygen.ts';
import { addProviders } from './providers.ts';
import { addSelftest } from './selftest.ts';
import { addSign } from './sign.ts';
import { addVerify } from './verify.ts';

const COMMANDS = [
  addKeygen,
  addSign,
  addVerify,
  addDerive,
  addInspect,
  addProviders,
  addAlgorithms,
  addCapabilities,
  addExplain,
  addSelftest,
  addDemo,
];

/** As the manifest says; the program may run from a source tree. */
function versionOf({ packageFolder }: Io): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const { version } = manifest as { readonly version?: unknown };
  return String(version);
}

function programOf(runtime: Runtime): Command {
  const program = new Command('provium')
    .description('Elliptic-curve keys, signatures and key agreement by pluggable providers')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => runtime.io.stdout.write(text),
      // Errors are thrown and told once, in one line.
      writeErr: () => undefined,
    })
    .option('-V, --version', 'print the version')
    .on('option:version', () => {
      runtime.io.stdout.write(`${versionOf(runtime.io)}\n`);
      throw new CommanderError(EXIT.ok, 'commander.version', '');
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 signature not valid or self-test failed, 2 wrong call or wrong input.',
    );
  for (const add of COMMANDS) add(program, runtime);
  // Subcommands made by `command()` inherit both settings.
  return program;
}

/** Without a command: the demo, on the file that is the only argument, if there is one. */
function withDefaultCommand(argv: readonly string[], program: Command): readonly string[] {
  const [first, ...rest] = argv;
  if (first === undefined) return ['demo'];
  const known = first === 'help' || program.commands.some((command) => command.name() === first);
  return rest.length === 0 && !known && !first.startsWith('-') && existsSync(first) ? ['demo', first] : argv;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function describe(error: unknown): string {
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '');
  if (error instanceof UsageError) return error.message;
  if (error instanceof ProviumError) return `${error.message} [${error.code}]`;
  return `unexpected failure: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
}

/** Runs one command. Never throws and never ends the process. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const runtime: Runtime = { io, exitCode: EXIT.ok };
  try {
    const program = programOf(runtime);
    await program.parseAsync([...withDefaultCommand(argv, program)], { from: 'user' });
    return runtime.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    io.stderr.write(`provium: ${oneLine(describe(error))}\n`);
    if (io.env['PROVIUM_DEBUG'] && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return EXIT.usage;
  }
}
