import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "@/contract/domain-error";
import type { Database } from "@/server/db/connection/database";
import { recordHeartbeat } from "@/server/db/sql/writes/dated-writes";
import { listOpenTasks } from "@/server/db/tasks/task-reads";
import type { TaskEnd } from "@/server/db/sql/machine/task-writes";
import type { Notifications } from "@/server/stream/notifications";
import type { NewTask, OpenTask } from "@/server/tools/task";
import type { CallDeps, ToolContext, ToolLog } from "@/server/tools/tool-context";
import { type StartedTask, openTask } from "./open-task";
import { beginTask, completeTask } from "./task-reports";

type TaskRunsDeps = {
  db: Database;
  notifications: Pick<Notifications, "subscribe">;
  /** The process, as its heartbeat names it. */
  owner: string;
  /** Called when a chat that has tasks here may have changed: `check` is then due. */
  onChange: () => void;
  newId: () => string;
  log: ToolLog;
};

/** A task that has begun here. */
type Run = { controller: AbortController; ended: Promise<void> };

type TaskOptions = NewTask & Pick<CallDeps, "saveArtifact" | "maxOutputBytes">;

/** Between tries to store a report while the database is away. */
const RETRY_MS = 1_000;

export type TaskRuns = ReturnType<typeof createTaskRuns>;

/** The tasks that this process works on. Their rows decide: one that has ended there is stopped here. */
export const createTaskRuns = (deps: TaskRunsDeps) => {
  const { db, notifications, owner, onChange, newId } = deps;
  const runs = new Map<string, Run>();
  let isStopping = false;

  /** Stops the tasks that have ended in the database, or are gone. Rejects when it is away. */
  const check = async (): Promise<void> => {
    const taskIds = [...runs.keys()];
    if (taskIds.length === 0) return;
    const open = await listOpenTasks(db, taskIds);
    for (const id of taskIds) if (!open.has(id)) runs.get(id)?.controller.abort("cancelled");
  };

  return {
    /** Opens a task of a call; nothing is stored before it begins. */
    open: (call: ToolContext, { kind, label, shouldReport, ...present }: TaskOptions): OpenTask => {
      const id = newId();
      const controller = new AbortController();
      const { chatId, rootChatId, toolCallId } = call;
      const begin = async (end: Promise<TaskEnd>): Promise<StartedTask> => {
        // Others must see the process alive before they see its task.
        await recordHeartbeat(db, owner);
        const task = { id, rootChatId, chatId, toolCallId, kind, label, shouldReport, owner };
        await beginTask({ db, newId }, task);
        const unfollow = notifications.subscribe(chatId, onChange);
        const ended = end
          .then((outcome) => store(deps, () => isStopping, { taskId: id, chatId, ...outcome }))
          .finally(() => {
            unfollow();
            runs.delete(id);
          });
        runs.set(id, { controller, ended });
        if (isStopping) controller.abort("shutdown");
        return { ended };
      };
      return openTask({ id, call, controller, begin, ...present });
    },
    check,
    /** Tells the other processes that this one is alive. Rejects when the database is away. */
    beat: async (): Promise<void> => {
      if (runs.size > 0) await recordHeartbeat(db, owner);
    },
    /** Ends all of them: what they have not ended by themselves is unknown. Does not reject. */
    stop: async (): Promise<void> => {
      isStopping = true;
      for (const { controller } of runs.values()) controller.abort("shutdown");
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
};

/** Stores how a task has ended, as soon as the database is there. Does not reject. */
const store = async (
  { db, newId, log }: TaskRunsDeps,
  isStopping: () => boolean,
  end: TaskEnd & { taskId: string; chatId: string },
): Promise<void> => {
  for (;;) {
    try {
      await completeTask({ db, newId }, end);
      return;
    } catch (error) {
      // Another process ends it as one whose process has died.
      if (!isUnavailable(error) || isStopping()) {
        log.error({ err: error, taskId: end.taskId }, "the report of a task was not stored");
        return;
      }
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
};
