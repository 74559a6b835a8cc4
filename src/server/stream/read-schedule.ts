import { type ChatNotice, WORKER_STATUSES } from "./notifications";

/**
 * A working chat changes in bursts (claimed, attempt counted, step committed), and each read costs
 * more than a batch of the preview. Delays below this are not visible.
 */
const SPACING_MS = 50;

/** Schedules the reads of a chat from its notices; the first read is due at once. */
export const createReadSchedule = (wake: () => void) => {
  let announcedVersion = 0;
  let isUrgent = true;
  let lastRead = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const wakeIn = (delayMs: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      wake();
    }, delayMs).unref();
  };

  return {
    handleNotice: (notice: ChatNotice | undefined): void => {
      if (notice) announcedVersion = Math.max(announcedVersion, notice.version);
      if (!notice || notice.status === "deleted") announcedVersion = Infinity;
      isUrgent ||= !notice || !WORKER_STATUSES.has(notice.status);
      wake();
    },
    /** @param knownVersion the version that needs no read any more. */
    isDue: (knownVersion: number): boolean => {
      if (lastRead === -Infinity) return true;
      if (announcedVersion <= knownVersion) {
        // The urgent change is known already, so the next read is not urgent because of it.
        isUrgent = false;
        return false;
      }
      const delayMs = lastRead + SPACING_MS - performance.now();
      if (isUrgent || delayMs <= 0) return true;
      wakeIn(delayMs);
      return false;
    },
    /** Starts a read. @returns the newest version announced so far, which the read must include. */
    beginRead: (): number => {
      const version = announcedVersion;
      announcedVersion = 0;
      isUrgent = false;
      lastRead = performance.now();
      clearTimeout(timer);
      timer = undefined;
      return version;
    },
    close: (): void => clearTimeout(timer),
  };
};
export type ReadSchedule = ReturnType<typeof createReadSchedule>;
