/**
 * Runs a function of a recipe, and rejects at an abort even if the function goes on.
 *
 * @throws what the signal was aborted with, or what the function throws.
 */
export const settleWithSignal = async <Result>(
  run: () => Result | Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  // A throw before its first await becomes a rejection.
  const running = new Promise<Result>((resolve) => resolve(run()));
  // It may reject after the abort; nothing awaits it then.
  running.catch(() => undefined);
  try {
    return await Promise.race([running, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
};

/** What a call waits for a function that only reports or describes its end. */
const MAX_REPORT_MS = 5_000;

/** The same for functions that run when a call has ended. */
export const settleReport = <Result>(run: () => Result | Promise<Result>): Promise<Result> =>
  settleWithSignal(run, AbortSignal.timeout(MAX_REPORT_MS));
