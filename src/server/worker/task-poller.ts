import type { Logger } from "pino";
import { isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import { completeTask, wakeChat } from "@/server/tasks/task-reports";
import { unknownEnd } from "@/server/tasks/open-task";
import { createTaskRuns } from "@/server/tasks/task-runs";
import type { Database } from "@/server/db/connection/database";
import { listAbandonedTasks } from "@/server/db/sql/machine/abandoned-tasks";
import type { DuePoller } from "./due-poller";
import { listRestingChats } from "@/server/db/sql/machine/resting-chats";
import type { Notifications } from "@/server/stream/notifications";

/** A third of the silence after which the tasks of a process are unknown, so that two heartbeats may fail. */
const CHECK_MS = 10_000;
/** Most tasks, and most chats, that one run goes through. */
const BATCH = 100;

type PollerDeps = {
  db: Database;
  notifications: Pick<Notifications, "subscribe">;
  /** The process, as its tasks name it. */
  owner: string;
  due: Pick<DuePoller, "when">;
  newId: () => string;
  log: Logger;
  checkMs?: number;
};

/**
 * Keeps the tasks of a process in agreement with the database, and does what a process that has died has left: ends its
 * tasks as unknown, and wakes chats that rest with reports.
 */
export const createTaskPoller = (deps: PollerDeps) => {
  const { db, owner, newId, log, checkMs = CHECK_MS } = deps;
  const runs = createTaskRuns({ ...deps, onChange: () => notices.trigger() });
  const sweep = async (): Promise<void> => {
    for (const { id, chatId } of await listAbandonedTasks(db, { owner, limit: BATCH })) {
      await attempt(log, () =>
        completeTask({ db, newId }, { taskId: id, chatId, ...unknownEnd() }),
      );
    }
    for (const chatId of await listRestingChats(db, BATCH)) {
      await attempt(log, () => wakeChat({ db, newId }, chatId));
    }
  };
  const poll = (what: string, run: () => Promise<void>, intervalMs?: number) =>
    createPoller({
      ...(intervalMs !== undefined && { intervalMs }),
      run,
      isBackground: true,
      onError: (error) => {
        if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
      },
    });
  const notices = poll("checking tasks", runs.check, checkMs);
  const beats = poll("the heartbeat of tasks", runs.beat, checkMs);
  const sweeps = poll("ending abandoned tasks", sweep);
  deps.due.when(({ tasks, reports }) => tasks || reports, sweeps.trigger, checkMs);
  return {
    runs,
    /** Ends all tasks of the process. Does not reject. */
    stop: async (): Promise<void> => {
      await Promise.all([notices.stop(), beats.stop(), sweeps.stop()]);
      await runs.stop();
    },
  };
};

/** One chat that fails must not stop the others. Rejects only when the database is away. */
const attempt = async (log: Logger, run: () => Promise<unknown>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.warn({ err: error }, "the tasks of a chat could not be brought forward");
  }
};
