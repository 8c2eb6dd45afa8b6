// The command line program in this process, with streams that tests can look into.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../cli/run.ts';

export interface CliResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** stdout as text. */
  readonly text: string;
  /** stdout as JSON. */
  json<T>(): T;
}

export interface CliInput {
  readonly stdin?: Uint8Array;
  readonly tty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.length; i += 1000) yield Uint8Array.from(bytes.subarray(i, i + 1000));
}

export async function cli(args: readonly string[], input: CliInput = {}): Promise<CliResult> {
  const out: Uint8Array[] = [];
  let err = '';
  const tty = input.tty ?? false;
  const code = await run(args, {
    stdin: chunksOf(input.stdin ?? new Uint8Array(0)),
    stdout: { write: (data) => out.push(Buffer.from(data)), isTTY: tty },
    stderr: {
      write: (data) => {
        err += String(data);
      },
      isTTY: tty,
    },
    env: input.env ?? {},
    packageFolder: dirname(dirname(dirname(fileURLToPath(import.meta.url)))),
  });
  const stdout = Buffer.concat(out);
  const text = stdout.toString('utf8');
  return { code, stdout, stderr: err, text, json: <T>() => JSON.parse(text) as T };
}

/** A folder for one test file, taken away by `remove`. */
export function scratchFolder(): { readonly path: (name: string) => string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'provium-cli-test-'));
  return { path: (name) => join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
