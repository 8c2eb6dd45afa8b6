// What a vector file becomes: cases that run against one provider, and the row that counts them.

import { ProviumError } from '../../spi/errors.ts';

/** One entry of the list of vector files. */
export interface Entry {
  readonly file: string;
  readonly kind: string;
  readonly curve: string | readonly string[];
  readonly hash: string | readonly string[] | null;
  readonly encoding: string | readonly string[];
  readonly cases: number;
  readonly format: string;
  readonly source: string;
  readonly licence: string;
  readonly contains?: 'public' | 'private';
}

export interface VectorCase {
  readonly id: string;
  /** Why the case is left out. */
  readonly skip?: string | undefined;
  /** `passed`: the right value; `refused`: refused as it should be. Throws where the provider is wrong. */
  run?(): 'passed' | 'refused';
}

export interface Row {
  readonly file: string;
  readonly provider: string;
  readonly cases: number;
  readonly passed: number;
  readonly refused: number;
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  readonly wrong: number;
  /** The wrong ones. */
  readonly failures: readonly { readonly id: string; readonly detail: string }[];
}

export class Wrong extends Error {}

export function must(condition: boolean, detail: string): asserts condition {
  if (!condition) throw new Wrong(detail);
}

export function mustEqual(actual: Uint8Array | string | bigint, expected: Uint8Array | string | bigint, what: string) {
  const show = (value: Uint8Array | string | bigint) => (value instanceof Uint8Array ? hex(value) : String(value));
  must(show(actual) === show(expected), `${what} is ${show(actual)}, expected ${show(expected)}`);
}

/** What the action gives; undefined if it was refused by an error that says the input is bad, and by no other. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    const codes = ['ERR_INVALID_KEY', 'ERR_INVALID_KEY_SPEC'];
    if (error instanceof ProviumError && codes.includes(error.code)) return undefined;
    throw error;
  }
}

export function countCases(file: string, provider: string, cases: Iterable<VectorCase>): Row {
  const skipped: { id: string; reason: string }[] = [];
  const failures: { id: string; detail: string }[] = [];
  const counts = { passed: 0, refused: 0 };
  for (const { id, skip, run } of cases) {
    if (skip !== undefined || run === undefined) {
      skipped.push({ id, reason: skip ?? 'no reason given' });
      continue;
    }
    try {
      counts[run()]++;
    } catch (error) {
      failures.push({ id, detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
    }
  }
  const total = counts.passed + counts.refused + skipped.length + failures.length;
  return { file, provider, cases: total, ...counts, skipped, wrong: failures.length, failures };
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.length % 2 === 0 ? text : `0${text}`, 'hex'));
}

/** A hexadecimal integer at a width; undefined if it does not fit. */
export function atWidth(text: string, width: number): Uint8Array | undefined {
  const digits = text.replace(/^0+/, '').padStart(2 * width, '0');
  return digits.length === 2 * width ? bytesOf(digits) : undefined;
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
