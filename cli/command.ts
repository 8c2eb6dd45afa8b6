// What all commands share: options, and the way from an action to an exit code.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommonOptions } from './context.ts';
import { EXIT, type Io } from './io.ts';

export interface Runtime {
  readonly io: Io;
  exitCode: number;
}

/** Adds `--json`, `--provider` and `--config`. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print the result as JSON')
    .option('--provider <name>', 'use exactly this provider: a name, or a module such as ./provider.js')
    .option('--config <file>', 'configure the providers by this file');
}

/** Runs `action` with the parsed options and arguments; what it returns is the exit code. */
export function runs<O extends CommonOptions>(
  command: Command,
  runtime: Runtime,
  action: (io: Io, options: O, ...args: string[]) => Promise<number | undefined>,
): void {
  command.action(async (...parsed: unknown[]) => {
    // commander passes the arguments, the options, the command.
    const args = parsed
      .slice(0, -2)
      .flat()
      .filter((value) => typeof value === 'string');
    runtime.exitCode = (await action(runtime.io, command.opts<O>(), ...args)) ?? EXIT.ok;
  });
}

export function choice<T extends string>(flags: string, description: string, values: readonly T[]): Option {
  return new Option(flags, description).choices(values);
}

export function positiveInteger(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('a positive whole number is needed.');
  return Number(text);
}
