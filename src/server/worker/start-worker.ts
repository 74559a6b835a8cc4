import { hostname } from "node:os";
import { v7 as uuidv7 } from "uuid";
import { createAppWorkspaces } from "@/server/chat/app-workspaces";
import { appDatabase } from "@/server/db/app-database";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { appMetrics } from "@/server/metrics/app-metrics";
import { createModelRegistry } from "@/server/model/model-registry";
import { notifications } from "@/server/stream/notifications";
import { previewRelay } from "@/server/stream/preview-relay";
import { createWorker, type Worker } from "./create-worker";
import { nameChat } from "./name-chat";
import { createTurnDeps } from "./create-turn-deps";
import { createDeletedChatsCleaner } from "./deleted-chats-cleaner";

/** Starts the worker of this process with the settings of the environment. */
export const startWorker = (): Worker => {
  const { workerConcurrency, dataDir, workspacesMaxMegabytes, providers, titles } = env();
  const { "openai-compatible": openaiCompatible, ...others } = providers;
  const db = appDatabase();
  const deps = {
    db,
    relay: previewRelay(db),
    models: createModelRegistry({ ...others, openaiCompatible }),
    workspaces: createAppWorkspaces({ db, dataDir, maxMegabytes: workspacesMaxMegabytes }),
    newId: uuidv7,
    meter: appMetrics().turns,
    log: log(),
  };
  const shared = { ...deps, notifications: notifications(db) };
  const worker = createWorker({
    ...shared,
    owner: `${hostname()}:${process.pid}`,
    concurrency: workerConcurrency,
    createTurnDeps: createTurnDeps(deps),
    backgroundTask: titles ? nameChat(deps) : () => Promise.resolve(),
  });
  const cleaner = createDeletedChatsCleaner(shared);
  return {
    stop: async () => {
      await worker.stop();
      await cleaner.stop();
    },
  };
};
