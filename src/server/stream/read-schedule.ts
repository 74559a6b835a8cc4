import { type ChatNotice, needsWorker } from "./notifications";

/**
 * Changes of a chat at work come in bursts (claimed, attempt counted, step committed), and each
 * read costs more than a batch of the preview; nobody sees the difference below this.
 */
const SPACING_MS = 50;

/** Decides from what was announced when to read a chat; the first time is at once. */
export const createReadSchedule = (wake: () => void) => {
  let heard = 0;
  let isUrgent = true;
  let lastRead = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const wakeIn = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      wake();
    }, delayMs).unref();
  };
  const stopTimer = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    hear: (notice: ChatNotice | undefined): void => {
      if (notice) heard = Math.max(heard, notice.version);
      if (!notice || notice.status === "deleted") heard = Infinity;
      isUrgent ||= !notice || !needsWorker(notice.status);
      wake();
    },
    /** @param seen the version that is known already. */
    isDue: (seen: number): boolean => {
      if (lastRead === -Infinity) return true;
      if (heard <= seen) {
        // What was urgent is known already, and must not hurry the read of what comes next.
        isUrgent = false;
        return false;
      }
      const delayMs = lastRead + SPACING_MS - performance.now();
      if (isUrgent || delayMs <= 0) return true;
      wakeIn(delayMs);
      return false;
    },
    /** A read begins: it must see all that was announced until now. @returns the version of that. */
    begin: (): number => {
      const announced = heard;
      heard = 0;
      isUrgent = false;
      lastRead = performance.now();
      stopTimer();
      return announced;
    },
    close: stopTimer,
  };
};
export type ReadSchedule = ReturnType<typeof createReadSchedule>;
