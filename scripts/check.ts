// `npm run check`: all that continuous integration does. The last line counts what passed and failed.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage } from './check-package.ts';
import type { Tally } from './tally.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const REPORT = join(ROOT, '.cache', 'vitest.json');

/** The part of the test runner's JSON report that is counted. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

const total: Tally = { passed: 0, failed: 0 };

// The tests do more rounds here than under `npm test`.
const ENVIRONMENT = { ...process.env, PROVIUM_TEST_TIER: 'ci' };

function step(title: string, program: string, ...args: string[]): boolean {
  console.log(`\n== ${title}`);
  const started = performance.now();
  const { status } = spawnSync(program, args, { cwd: ROOT, env: ENVIRONMENT, stdio: 'inherit' });
  console.log(
    `-- ${title}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  return status === 0;
}

function count(good: boolean): void {
  if (good) total.passed++;
  else total.failed++;
}

function tool(name: string): string {
  return join(ROOT, 'node_modules', '.bin', name);
}

function runTests(): void {
  rmSync(REPORT, { force: true });
  const good = step(
    'Tests',
    tool('vitest'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
  );
  let report: Report = { numPassedTests: 0, numFailedTests: 0 };
  if (existsSync(REPORT)) report = JSON.parse(readFileSync(REPORT, 'utf8'));
  total.passed += report.numPassedTests;
  // A file that cannot be loaded, or a runner that stops, fails the run without a failed test.
  total.failed += good ? report.numFailedTests : Math.max(1, report.numFailedTests);
}

count(step('Lint', tool('biome'), 'check', '--error-on-warnings', '.'));
count(step('Types', tool('tsc'), '-p', 'test/tsconfig.json', '--noEmit'));
const built = step('Build', process.execPath, join('scripts', 'build.ts'));
count(built);
if (built) {
  runTests();
  console.log('\n== Package');
  const packaged = await checkPackage();
  total.passed += packaged.passed;
  total.failed += packaged.failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
