// Calls on one asynchronous object, one after the other in the order of the calls.

import { InvalidParameterError } from './errors.ts';

/** Options of a call that can be given up. The promise rejects with the signal's reason; the object is reset. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
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
  run<T>(task: () => Promise<T>, options: Abortable | undefined, onFailure: () => void): Promise<T> {
    const signal = options?.signal;
    if (signal !== undefined && typeof signal.addEventListener !== 'function') {
      return Promise.reject(new InvalidParameterError('signal must be an AbortSignal.'));
    }
    this.#pending++;
    const result = this.#tail.then(async () => {
      try {
        signal?.throwIfAborted();
        return await (signal === undefined ? task() : orAborted(task(), signal));
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
