import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 25;

/**
 * Polls until there is a result.
 *
 * @param poll returns undefined or throws while there is no result.
 * @throws {Error} after the timeout, with the description and the last error as its cause.
 */
export const waitUntil = async <Result>(
  description: string,
  timeoutMs: number,
  poll: () => Promise<Result | undefined>,
): Promise<Result> => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    let lastError: unknown;
    try {
      const result = await poll();
      if (result !== undefined) return result;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= end) {
      throw new Error(`${description}: not within ${timeoutMs} ms`, { cause: lastError });
    }
    await pause(POLL_MS);
  }
};
