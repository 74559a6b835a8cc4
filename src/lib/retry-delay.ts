/** Model calls of one step, including the first, before its failure ends the turn. */
export const MAX_ATTEMPTS = 10;
/**
 * As above, of calls that produced tokens or an answer that cannot be used: each of them is paid, and the next one
 * rarely differs.
 */
export const MAX_PAID_ATTEMPTS = 4;

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 60_000;

/**
 * Calculates the back-off before the next model call. It doubles from one second to one minute;
 * up to half of it is subtracted at random, so that chats that failed together do not retry together.
 *
 * @param failures failed calls so far, at least 1.
 * @param random from 0 to 1.
 * @param retryAfterMs the provider's minimum.
 * @returns milliseconds.
 */
export const calculateRetryDelay = (
  failures: number,
  random: number,
  retryAfterMs: number | undefined = 0,
): number => {
  const maxDelay = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
  return Math.round(Math.max(maxDelay * (1 - random / 2), retryAfterMs));
};
