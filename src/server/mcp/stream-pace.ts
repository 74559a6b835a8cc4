const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** A stream that held this long is not one of a series that ends at once. */
const STABLE_MS = 60_000;
/** Attempts in a row that fail before the connection is given up. */
const MAX_ATTEMPTS = 3;

/**
 * Creates a function that reopens a stream of events after pauses that grow. A server could ask for none, or for one of
 * years.
 *
 * @param onLost called when the stream cannot be opened. Does not throw.
 */
export const createStreamPace = (onLost: () => void) => {
  let reopenedAt = Number.NEGATIVE_INFINITY;
  let series = 0;
  /** @returns a function that does not reopen it after all. */
  return (reopen: () => void, _asked: number, attempts: number): (() => void) => {
    if (attempts >= MAX_ATTEMPTS) {
      onLost();
      return () => undefined;
    }
    series = performance.now() - reopenedAt > STABLE_MS ? 0 : series + 1;
    const timer = setTimeout(
      () => {
        reopenedAt = performance.now();
        reopen();
      },
      Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** series),
    );
    timer.unref();
    return () => clearTimeout(timer);
  };
};
