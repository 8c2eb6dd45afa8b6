import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Io } from '../../cli/io.ts';
import { megabytes, progress } from '../../cli/progress.ts';

function fakeIo(isTTY: boolean): { io: Io; written: () => string } {
  let text = '';
  const stderr = {
    write: (data: string | Uint8Array) => {
      text += String(data);
    },
    isTTY,
  };
  const stdin = { [Symbol.asyncIterator]: async function* () {} };
  return { io: { stdin, stdout: stderr, stderr, env: {}, packageFolder: '' }, written: () => text };
}

describe('progress', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('shows on a terminal how far long work is, and takes the line away at the end', () => {
    const { io, written } = fakeIo(true);
    const shown = progress(io, 'Reading file', megabytes);
    shown.update(1, 100);
    expect(written()).toBe('');
    vi.advanceTimersByTime(600);
    shown.update(42, 100);
    shown.update(43, 100);
    expect(written()).toBe('\rReading file: 42 %\u001b[K');
    vi.advanceTimersByTime(300);
    shown.update(7_000_000, undefined);
    expect(written()).toContain('Reading file: 7 MB');
    shown.end();
    expect(written().endsWith('\r\u001b[K')).toBe(true);
  });

  it('is silent where there is no terminal, and for short work', () => {
    const pipe = fakeIo(false);
    const piped = progress(pipe.io, 'Reading');
    vi.advanceTimersByTime(10_000);
    piped.update(1, 2);
    piped.end();
    expect(pipe.written()).toBe('');
    const terminal = fakeIo(true);
    const short = progress(terminal.io, 'Reading');
    short.update(1, 2);
    short.end();
    expect(terminal.written()).toBe('');
  });
});
