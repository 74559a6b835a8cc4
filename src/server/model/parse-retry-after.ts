/** Longer delays are shortened to this: no rate limit lasts longer, and a time must remain a valid date. */
const MAX_WAIT_MS = 30 * 24 * 60 * 60 * 1_000;

/**
 * Parses the delay of `retry-after-ms`, or of `retry-after` in seconds or as a date.
 *
 * @param headers names in lower case.
 * @returns milliseconds, or undefined when the headers have no valid delay.
 */
export const parseRetryAfter = (
  headers: Record<string, string> | undefined,
  now: Date,
): number | undefined => {
  const millisecondsHeader = headers?.["retry-after-ms"];
  const header = headers?.["retry-after"];
  if (millisecondsHeader) return clipWaitMs(Number(millisecondsHeader));
  if (!header) return undefined;
  const seconds = Number(header);
  return clipWaitMs(
    Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : Math.ceil(seconds * 1_000),
  );
};

/** @returns undefined for a number that is no delay. */
export const clipWaitMs = (ms: number): number | undefined =>
  ms > 0 ? Math.min(Math.ceil(ms), MAX_WAIT_MS) : undefined;
