// Asynchronous start-up of a provider: a token is opened once, however many callers ask for it at the same time.

/**
 * A function that runs `start` at its first call and gives every caller that result. Callers that come while it runs
 * share the run; after a failure, which all of them get, the next call runs it again.
 */
export function startOnce<T>(start: () => T | Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    if (started === undefined) {
      const run = (async () => start())();
      started = run;
      run.catch(() => {
        if (started === run) started = undefined;
      });
    }
    return started;
  };
}
