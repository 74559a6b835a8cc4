import { createHeldCalls } from "@/server/mcp/questions/held-calls";
import { createAgentPoller } from "@/server/worker/agent-poller";
import { createWorker, type Worker } from "@/server/worker/create-worker";
import { createDuePoller } from "@/server/worker/due-poller";
import { createDeletedChatsCleaner } from "@/server/worker/deleted-chats-cleaner";
import { createImportPoller } from "@/server/worker/import-poller";
import { createSearchIndexer } from "@/server/worker/search-indexer";
import { createSessionPoller } from "@/server/worker/session-poller";
import { createTaskPoller } from "@/server/worker/task-poller";
import type { WorkerActivity } from "@/server/stream/worker-activity";
import type { Notifications } from "@/server/stream/notifications";
import type { Push } from "@/server/push/push";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
import { createTurnDeps } from "./create-turn-deps";
import { nameChat } from "./name-chat";
import type { ProcessDeps } from "./process-deps";

type HeldDeps = Pick<ProcessDeps, "db" | "newId" | "log"> & {
  owner: string;
  notifications: Notifications;
};

/** What this process keeps for chats between their turns: sessions of commands, calls that wait, and tasks. */
export const createHeldWork = (deps: HeldDeps) => {
  const poller = createSessionPoller({ ...deps, createHeldCalls });
  const due = createDuePoller(deps);
  const tasks = createTaskPoller({ ...deps, due });
  return {
    due,
    sessions: poller.sessions,
    heldCalls: poller.heldCalls,
    tasks: tasks.runs,
    stopTasks: tasks.stop,
    stopSessions: poller.stop,
  };
};

type WorkerDeps = Omit<ProcessDeps, "heldCalls" | "tasks"> &
  HeldDeps & {
    activity: WorkerActivity;
    held: ReturnType<typeof createHeldWork>;
    workspaces: Workspaces;
    concurrency: number;
    /** Whether new chats get a title by their model. */
    titles: boolean;
    importLimits: { maxUnpackedBytes: number };
    push: Pick<Push, "handleTurnEnd">;
  };

/** Starts the worker of this process. */
export const startWorker = ({ held, concurrency, titles, push, ...shared }: WorkerDeps): Worker => {
  const deps = { ...shared, heldCalls: held.heldCalls, tasks: held.tasks };
  const { due } = held;
  const agents = createAgentPoller({ ...deps, due, saveArtifact: deps.tools.saveArtifact });
  const worker = createWorker({
    ...deps,
    due,
    concurrency,
    createTurnDeps: createTurnDeps(deps),
    backgroundTask: titles ? nameChat(deps) : undefined,
    onTurnEnd: push.handleTurnEnd,
  });
  const cleaner = createDeletedChatsCleaner(deps);
  const indexer = createSearchIndexer({ ...deps, due });
  const imports = createImportPoller({ ...deps, ...deps.importLimits, due });
  due.trigger();
  return {
    claimNew: worker.claimNew,
    stop: async () => {
      await due.stop();
      await worker.stop();
      await held.stopTasks();
      await agents.stop();
      await held.stopSessions();
      await imports.stop();
      await indexer.stop();
      await cleaner.stop();
    },
  };
};
