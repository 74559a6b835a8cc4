/** A longer wait is a mistake of the header, or nothing a turn can wait for. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1_000;

/**
 * What the provider asked to wait: `retry-after-ms`, else `Retry-After` in seconds or as a date.
 *
 * @param headers names in lower case.
 * @returns milliseconds, or undefined when nothing sensible was asked for.
 */
export const retryAfter = (
  headers: Record<string, string> | undefined,
  now: Date,
): number | undefined => {
  const inMs = headers?.["retry-after-ms"];
  const header = headers?.["retry-after"];
  if (inMs) return sensible(Number(inMs));
  if (!header) return undefined;
  const seconds = Number(header);
  return sensible(
    Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : Math.ceil(seconds * 1_000),
  );
};

const sensible = (ms: number): number | undefined =>
  ms > 0 && ms <= LONGEST_WAIT_MS ? Math.ceil(ms) : undefined;
