import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import setup, { closingLine } from './global-setup.ts';
import { NOT_TESTED_FILE, notTestedHere } from './not-tested.ts';

describe('what a machine cannot test', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is said in one line, each name once', () => {
    expect(closingLine('')).toBeUndefined();
    expect(closingLine('openssl tool\nfirefox\nopenssl tool\n')).toBe('not tested here: firefox, openssl tool');
  });

  it('is collected in a file of the run', () => {
    vi.stubEnv(NOT_TESTED_FILE, '');
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const teardown = setup();
    const file = process.env[NOT_TESTED_FILE] ?? '';
    notTestedHere('firefox');
    notTestedHere('java');
    expect(readFileSync(file, 'utf8')).toBe('firefox\njava\n');
    teardown();
    expect(log.mock.calls).toEqual([['not tested here: firefox, java']]);
    log.mockRestore();
    expect(() => writeFileSync(file, '')).toThrow();
  });
});
