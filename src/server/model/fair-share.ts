/**
 * How long streams together may work in one turn of the event loop. Long enough to cost nothing,
 * short enough that timers and other requests do not notice.
 */
const SHARE_MS = 8;

/** Lets many streams read at once without keeping the rest of the process waiting. */
export const createFairShare = (shareMs = SHARE_MS) => {
  let startedAt: number | undefined;
  let nextTurn: Promise<void> | undefined;
  let resume: (() => void) | undefined;

  const renew = (): void => {
    startedAt = undefined;
    nextTurn = undefined;
    resume?.();
    resume = undefined;
  };

  return {
    /**
     * Asked after each piece of work.
     *
     * @param at `performance.now()`.
     * @returns what to wait for once this turn's share is used up, else undefined.
     */
    pause: (at: number): Promise<void> | undefined => {
      if (startedAt === undefined) {
        startedAt = at;
        setImmediate(renew);
        return undefined;
      }
      if (at - startedAt < shareMs) return undefined;
      nextTurn ??= new Promise((resolve) => (resume = resolve));
      return nextTurn;
    },
  };
};
