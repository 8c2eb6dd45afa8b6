// What a command sees of the outside world, so that tests can run it in their own process.

interface Sink {
  write(data: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
}

export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the package, with its README.md. */
  readonly packageFolder: string;
}

export const EXIT = {
  ok: 0,
  /** A signature that is not right, a self-test that failed. */
  failed: 1,
  /** A wrong call or a wrong input. */
  usage: 2,
} as const;

/** What the user did wrong; its message is the one line on stderr. */
export class UsageError extends Error {}

/** One object per line group: what `--json` prints. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

export function printLine(io: Io, line: string): void {
  io.stdout.write(`${line}\n`);
}

/** Rows as aligned columns. */
export function printTable(io: Io, rows: readonly (readonly string[])[]): void {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  for (const row of rows) {
    const cells = row.map((cell, i) => cell.padEnd(widths[i] ?? 0));
    printLine(io, cells.join('  ').trimEnd());
  }
}
