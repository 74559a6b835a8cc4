/** Calls of one step, the first one included, before its failure ends the turn. */
export const MAX_ATTEMPTS = 10;

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60_000;

/**
 * How long to wait before the next model call: doubles from one second to one minute, less up
 * to a half by chance so that chats which failed together do not come back together.
 *
 * @param failures calls failed so far, at least 1.
 * @param chance 0 to 1.
 * @param retryAfterMs what the provider asked for; wins when it is longer.
 * @returns milliseconds.
 */
export const retryDelay = (
  failures: number,
  chance: number,
  retryAfterMs: number | undefined = 0,
): number => {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  return Math.round(Math.max(longest * (1 - chance / 2), retryAfterMs));
};
