import { runInNewContext } from "node:vm";

/** Less than the limit of a test, which could not end synchronous code. */
const LIMIT_MS = 60_000;

/**
 * Runs synchronous code that takes hours where it is wrong, and ends it then.
 *
 * @throws {Error} if it has not ended within a minute.
 */
export const runWithLimit = (body: () => unknown): void => {
  runInNewContext("body()", { body }, { timeout: LIMIT_MS });
};
