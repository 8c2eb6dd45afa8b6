// Every vector file against every provider, as a table or as JSON.

import type { Row } from './case.ts';
import { runFile } from './runner.ts';
import { absenceLine, openLibrary } from './sources.ts';
import { createSubject } from './subject.ts';

export interface ReportOptions {
  readonly json: boolean;
  readonly providers: readonly string[];
}

function line(file: string, provider: string, ...numbers: readonly (string | number)[]): string {
  const rest = numbers.map((cell) => String(cell).padStart(8)).join(' ');
  return `${file.padEnd(56)} ${provider.padEnd(8)} ${rest}`;
}

/** Each reason once, with the number of cases. */
function reasonsOf({ skipped }: Row): string[] {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `    ${count} skipped: ${reason}`);
}

function print(row: Row) {
  console.log(line(row.file, row.provider, row.cases, row.passed, row.refused, row.skipped.length, row.wrong));
  for (const reason of reasonsOf(row)) console.log(reason);
  for (const { id, detail } of row.failures) console.log(`    WRONG ${id}: ${detail}`);
}

/** Prints and gives the exit code: 1 if any case is wrong, or if CI has not all the files. */
export function report({ json, providers }: ReportOptions): number {
  const library = openLibrary();
  if (!library.complete) {
    console.error(`not tested here: ${absenceLine()}`);
    if (process.env['CI'] === 'true') return 1;
  }
  if (!json) console.log(line('file', 'provider', 'cases', 'passed', 'refused', 'skipped', 'wrong'));
  const rows: Row[] = [];
  for (const provider of providers) {
    const subject = createSubject(provider);
    for (const entry of library.entries) {
      const row = runFile(library, entry, subject);
      rows.push(row);
      if (!json) print(row);
    }
  }
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const wrong = sum((row) => row.wrong);
  if (json) console.log(JSON.stringify({ schema: 1, rows }));
  else {
    console.log(
      `\n${sum((row) => row.cases)} cases: ${sum((row) => row.passed)} passed, ${sum((row) => row.refused)} refused as they should, ${sum((row) => row.skipped.length)} skipped with a reason, ${wrong} wrong`,
    );
  }
  return wrong === 0 ? 0 : 1;
}
