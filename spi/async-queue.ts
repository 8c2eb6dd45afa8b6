// Calls on one asynchronous object, one after the other in the order of the calls.

import { kindOf } from './checks.ts';
import { InvalidAlgorithmParameterError, InvalidParameterError } from './errors.ts';

/** Options of a call that can be given up. The promise rejects with the signal's reason; the object is reset. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Throws the signal's reason once the call was given up. A task asks after everything that it awaits and before it
 * changes its object, which belongs to later calls by then.
 */
export type StillWanted = () => void;

/** For calls that take a signal and nothing else, so that no option is ignored. Throws InvalidAlgorithmParameterError. */
export function requireSignalOnly(options: Abortable | undefined): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw new InvalidAlgorithmParameterError(`Options must be an object, got ${kindOf(options)}.`);
  }
  const unknown = Object.keys(options).find((name) => name !== 'signal');
  if (unknown === undefined) return;
  throw new InvalidAlgorithmParameterError(`There is no option ${unknown} here; there is signal.`);
}

function ignore(): void {}

export class CallQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** True while no call is waiting or running. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  /**
   * Runs `task` after all earlier calls. `onFailure` runs before the next call when the task fails or is given up; the
   * next call does not wait for a task that was given up.
   */
  run<T>(
    task: (stillWanted: StillWanted) => Promise<T>,
    options: Abortable | undefined,
    onFailure: () => void,
  ): Promise<T> {
    const signal = options?.signal;
    const stillWanted = (): void => signal?.throwIfAborted();
    this.#pending++;
    const result = this.#tail.then(async () => {
      try {
        if (signal === undefined) return await task(stillWanted);
        if (signal === null || typeof signal.addEventListener !== 'function') {
          throw new InvalidParameterError(`signal must be an AbortSignal, got ${kindOf(signal)}.`);
        }
        stillWanted();
        return await orAborted(task(stillWanted), signal);
      } catch (error) {
        onFailure();
        throw error;
      } finally {
        this.#pending--;
      }
    });
    this.#tail = result.then(ignore, ignore);
    return result;
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
