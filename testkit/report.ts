// The report of a conformance check, and the recorder that runs one check after the other.

import { describeThrown } from '../spi/checks.ts';
import { ProviumError } from '../spi/errors.ts';

export type CheckStatus = 'passed' | 'failed' | 'not run';

/** One check of one service. */
export interface ConformanceRow {
  /** `Provider`, or the service: type, algorithm, and the mode of an asynchronous one, as in `Signature.Ed25519 async`. */
  readonly service: string;
  readonly check: string;
  readonly status: CheckStatus;
  /** Why it failed or was not run; for a check that passed, how much was tried where that differs. */
  readonly detail: string;
  readonly milliseconds: number;
}

export interface ConformanceReport {
  readonly provider: string;
  readonly version: string;
  /** No check failed, and at least one passed. */
  readonly passed: boolean;
  readonly rows: readonly ConformanceRow[];
}

/** Thrown by a check that cannot be run: the provider does not claim what it needs. */
export class NotRun extends Error {}

/** Thrown by a check that found a fault. */
export class Fault extends Error {}

export function must(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Fault(fault);
}

export type Check = () => Promise<string | undefined> | Promise<void>;

type ErrorClass = (abstract new (...args: never[]) => Error) & { readonly name: string };

/** Runs the action, which must fail with one of these classes. */
export async function mustThrow(what: string, classes: readonly ErrorClass[], action: () => unknown): Promise<void> {
  const names = classes.map(({ name }) => name).join(' or ');
  let thrown: unknown;
  try {
    await action();
  } catch (error) {
    thrown = error;
    if (classes.some((wanted) => error instanceof wanted)) return;
    throw new Fault(`${what} must throw ${names}, but threw ${nameOf(thrown)}: ${describeThrown(thrown)}`);
  }
  throw new Fault(`${what} must throw ${names}, but was accepted`);
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : typeof thrown;
}

function detailOf(error: unknown): string {
  if (error instanceof NotRun || error instanceof Fault) return error.message;
  const said = describeThrown(error);
  return error instanceof ProviumError ? `${error.name}: ${said}` : `${nameOf(error)} out of the framework: ${said}`;
}

export class Recorder {
  readonly rows: ConformanceRow[] = [];
  readonly #timeout: number;
  readonly #onRow: ((row: ConformanceRow) => void) | undefined;

  constructor(timeout: number, onRow: ((row: ConformanceRow) => void) | undefined) {
    this.#timeout = timeout;
    this.#onRow = onRow;
  }

  /** Never rejects: whatever the check throws is its row. */
  async run(service: string, check: string, task: Check): Promise<CheckStatus> {
    const started = performance.now();
    let status: CheckStatus = 'passed';
    let detail = '';
    try {
      detail = (await this.#inTime(task)) ?? '';
    } catch (error) {
      status = error instanceof NotRun ? 'not run' : 'failed';
      detail = detailOf(error);
    }
    const row = { service, check, status, detail, milliseconds: performance.now() - started };
    this.rows.push(row);
    this.#onRow?.(row);
    return status;
  }

  async #inTime(task: Check): Promise<string | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Fault(`no answer within ${this.#timeout} ms`)), this.#timeout);
    });
    try {
      return (await Promise.race([task(), late])) ?? undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The report as a table for people; without `all`, the checks that passed are only counted. */
export function formatReport(report: ConformanceReport, { all = false }: { readonly all?: boolean } = {}): string {
  const shown = report.rows.filter(({ status }) => all || status !== 'passed');
  const width = (of: (row: ConformanceRow) => string) => Math.max(0, ...shown.map((row) => of(row).length));
  const services = width(({ service }) => service);
  const checks = width(({ check }) => check);
  const lines = shown.map(({ status, service, check, detail }) =>
    `${status.padEnd(7)}  ${service.padEnd(services)}  ${check.padEnd(checks)}  ${detail}`.trimEnd(),
  );
  const count = (status: CheckStatus) => report.rows.filter((row) => row.status === status).length;
  lines.push(
    `${report.provider} ${report.version}: ${count('passed')} passed, ${count('failed')} failed, ${count('not run')} not run.`,
  );
  return lines.join('\n');
}
