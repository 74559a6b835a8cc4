import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/connection/database";
import { type DueWork, findDueWork } from "@/server/db/sql/machine/due-work";

/** Backs up the notifications, which may be lost. */
const POLL_MS = 1_000;
/** After a longer pause the process, or its machine, was stopped. */
const MAX_PAUSE_MS = 10_000;

type DuePollerDeps = {
  db: Database;
  log: Logger;
  pollMs?: number;
  /** The process's monotonic clock, in milliseconds. */
  readTime?: () => number;
};

/** Called with what is due; with undefined after a time in which the database, or this process, could not be reached. */
type DueListener = (due: DueWork | undefined) => void;

export type DuePoller = ReturnType<typeof createDuePoller>;

/** Looks once a second for work of all kinds, so that a process without any asks nothing else. */
export const createDuePoller = ({
  db,
  log,
  pollMs = POLL_MS,
  readTime = () => performance.now(),
}: DuePollerDeps) => {
  const listeners = new Set<DueListener>();
  const emit = (due: DueWork | undefined): void => listeners.forEach((listener) => listener(due));
  let lastAt = readTime();
  const run = async (): Promise<void> => {
    const now = readTime();
    if (now - lastAt > MAX_PAUSE_MS) emit(undefined);
    lastAt = now;
    emit(await findDueWork(db));
  };
  const poller = createPoller({
    intervalMs: pollMs,
    run,
    isBackground: true,
    onError: (error) => {
      emit(undefined);
      // The database logs an outage itself, once.
      if (!isUnavailable(error)) log.warn({ err: error }, "looking for work failed");
    },
  });
  return {
    /** The listener must not throw. */
    subscribe: (listener: DueListener): void => void listeners.add(listener),
    /** Calls back when something is due, at most once per interval. @param run must not throw. */
    when: (isDue: (due: DueWork) => boolean, run: () => void, everyMs = 0): void => {
      let nextAt = Number.NEGATIVE_INFINITY;
      listeners.add((due) => {
        if (!due || !isDue(due) || performance.now() < nextAt) return;
        nextAt = performance.now() + everyMs;
        run();
      });
    },
    trigger: poller.trigger,
    stop: poller.stop,
  };
};
