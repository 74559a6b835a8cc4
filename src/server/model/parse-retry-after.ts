/** A longer delay is an error in the header, or too long for a turn to wait. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

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
  if (millisecondsHeader) return toWaitMs(Number(millisecondsHeader));
  if (!header) return undefined;
  const seconds = Number(header);
  return toWaitMs(
    Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : Math.ceil(seconds * 1_000),
  );
};

const toWaitMs = (ms: number): number | undefined =>
  ms > 0 && ms <= MAX_WAIT_MS ? Math.ceil(ms) : undefined;
