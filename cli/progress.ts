// A line on a terminal for work that takes long; silent anywhere else and for short work.

import type { Io } from './io.ts';

const QUIET_FOR = 500;
const EVERY = 200;

export interface Progress {
  /** `done` of `total`; without a total the number itself is shown. */
  update(done: number, total: number | undefined): void;
  /** Takes the line away. */
  end(): void;
}

/** `unit` turns a count into text. */
export function progress(io: Io, label: string, unit: (count: number) => string = String): Progress {
  const started = Date.now();
  let last = 0;
  return {
    update(done, total) {
      const now = Date.now();
      if (io.stderr.isTTY !== true || now - started < QUIET_FOR || now - last < EVERY) return;
      last = now;
      const share = total === undefined || total === 0 ? unit(done) : `${Math.floor((100 * done) / total)} %`;
      io.stderr.write(`\r${label}: ${share}\u001b[K`);
    },
    end() {
      if (last !== 0) io.stderr.write('\r\u001b[K');
    },
  };
}

export function megabytes(count: number): string {
  return `${(count / 1_000_000).toFixed(0)} MB`;
}
