import type { Logger } from "pino";
import type { Database } from "@/server/db/connection/database";
import type { SettingCaches } from "@/server/db/settings/setting-caches";
import { saveRunners } from "@/server/db/settings/toolset-writes";
import type { Runner } from "@/server/db/sql/writes/dated-writes";

/** Programs are recorded this often; those that ask again sooner add nothing. */
const RENEWAL_MS = 10_000;
/** Those that have just come are recorded at once, and those that come soon after together. */
const ARRIVAL_MS = 1_000;

type Known = {
  runner: Runner;
  /** Its requests that wait now. */
  waiting: number;
  /** Whether it has asked since it was recorded. */
  isDue: boolean;
  isNew: boolean;
};

export type RunnerPresence = ReturnType<typeof createRunnerPresence>;

/**
 * Records which programs ask this process for calls of toolsets, by which they count as connected: one statement for all of
 * them, however often they ask.
 */
export const createRunnerPresence = ({
  db,
  cached,
  log,
}: {
  db: Database;
  cached: Pick<SettingCaches, "presentToolsets">;
  log: Pick<Logger, "warn">;
}) => {
  const known = new Map<string, Known>();
  const clock = createClock(() => write());

  const write = async (): Promise<void> => {
    const due = [...known].filter(([, { waiting, isDue }]) => waiting > 0 || isDue);
    const isArrival = due.some(([, { isNew }]) => isNew);
    known.clear();
    for (const [key, each] of due) known.set(key, each);
    for (const each of known.values()) Object.assign(each, { isDue: false, isNew: false });
    try {
      if (due.length === 0) return;
      await saveRunners(db, { runners: due.map(([, { runner }]) => runner), isArrival });
      if (isArrival) cached.presentToolsets.forget();
    } catch (error) {
      log.warn({ err: error }, "programs that run toolsets could not be recorded");
      for (const [, each] of due) Object.assign(each, { isDue: true, isNew: isArrival });
    } finally {
      if (known.size > 0) clock.runIn(RENEWAL_MS);
    }
  };

  return {
    /**
     * @returns when the program counts as connected, and what to call when its request ends.
     */
    enter: (runner: Runner): { arrived: Promise<void>; leave: () => void } => {
      const key = JSON.stringify([runner.toolset, runner.holder]);
      const entry = known.get(key) ?? { runner, waiting: 0, isDue: true, isNew: true };
      const isChanged = entry.runner.version !== runner.version;
      Object.assign(entry, { runner, isDue: true, isNew: entry.isNew || isChanged });
      entry.waiting += 1;
      known.set(key, entry);
      const arrived = entry.isNew ? clock.runIn(ARRIVAL_MS).done : Promise.resolve();
      return {
        arrived,
        leave: () => {
          entry.waiting -= 1;
        },
      };
    },
  };
};

/** Runs something at most this long after its last run: at once if that was earlier. */
const createClock = (run: () => Promise<void>) => {
  let lastRunAt = Number.NEGATIVE_INFINITY;
  let next: { at: number; timer: NodeJS.Timeout; done: PromiseWithResolvers<void> } | undefined;
  const start = (): void => {
    const done = next?.done;
    const end = (): void => done?.resolve();
    next = undefined;
    lastRunAt = performance.now();
    run().then(end, end);
  };
  return {
    /** @returns what resolves when the run has ended. */
    runIn: (ms: number): { done: Promise<void> } => {
      const now = performance.now();
      const at = Math.max(now, lastRunAt + ms);
      if (next && next.at <= at) return { done: next.done.promise };
      const done = next?.done ?? Promise.withResolvers<void>();
      clearTimeout(next?.timer);
      const timer = setTimeout(start, at - now);
      timer.unref();
      next = { at, timer, done };
      return { done: done.promise };
    },
  };
};
