import { hostname } from "node:os";
import { v7 as uuidv7 } from "uuid";
import { appMcpServers } from "./app-mcp-servers";
import { createAppTools } from "./app-tools";
import { createAppWorkspaces } from "./app-workspaces";
import { appDatabase } from "@/server/db/connection/app-database";
import { env } from "@/server/env";
import { appSandbox } from "@/server/exec/sandbox/app-sandbox";
import { log } from "@/server/log";
import { appMetrics } from "@/server/metrics/app-metrics";
import { appModels } from "@/server/model/catalog/app-models";
import { notifications } from "@/server/stream/notifications";
import { previewRelay } from "@/server/stream/preview-relay";
import { type ClosedCall, exitClosedCalls } from "@/server/machine/exit-calls";
import { appRecipeFiles } from "./app-recipe-files";
import { createAgentKeeper } from "@/server/worker/agent-keeper";
import { createWorker, type Worker } from "@/server/worker/create-worker";
import { nameChat } from "./name-chat";
import { createTurnDeps } from "./create-turn-deps";
import { createDeletedChatsCleaner } from "@/server/worker/deleted-chats-cleaner";
import { createSessionKeeper } from "@/server/worker/session-keeper";
import { createTaskKeeper } from "@/server/worker/task-keeper";

/** Starts the worker of this process with the settings of the environment. */
export const startWorker = (): Worker => {
  const { workerConcurrency, dataDir, workspacesMaxMegabytes, titles, recipesDir, agentLimits } =
    env();
  const db = appDatabase();
  // Containers may have the same host name and process id.
  const owner = `${hostname()}:${process.pid}:${uuidv7()}`;
  const keeper = createSessionKeeper({
    db,
    owner,
    newId: uuidv7,
    notifications: notifications(db),
    log: log(),
  });
  const tasks = createTaskKeeper({
    db,
    owner,
    newId: uuidv7,
    notifications: notifications(db),
    log: log(),
  });
  const deps = {
    db,
    relay: previewRelay(db),
    models: appModels(),
    workspaces: createAppWorkspaces({ db, dataDir, maxMegabytes: workspacesMaxMegabytes }),
    web: env(),
    recipeFiles: appRecipeFiles(recipesDir),
    mcp: appMcpServers,
    sandbox: appSandbox,
    sessions: keeper.sessions,
    heldCalls: keeper.heldCalls,
    tasks: tasks.runs,
    agentLimits,
    newId: uuidv7,
    meter: appMetrics().turns,
    log: log(),
  };
  const shared = { ...deps, notifications: notifications(db) };
  const { sources, saveArtifact } = createAppTools(deps);
  const exitCalls = (calls: readonly ClosedCall[]) => exitClosedCalls(sources, calls);
  const agents = createAgentKeeper({ ...shared, saveArtifact, exitCalls });
  const worker = createWorker({
    ...shared,
    exitCalls,
    owner,
    concurrency: workerConcurrency,
    createTurnDeps: createTurnDeps(deps),
    backgroundTask: titles ? nameChat(deps) : () => Promise.resolve(),
  });
  const cleaner = createDeletedChatsCleaner(shared);
  return {
    stop: async () => {
      await worker.stop();
      await tasks.stop();
      await agents.stop();
      await keeper.stop();
      await cleaner.stop();
    },
  };
};
