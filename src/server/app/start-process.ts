import { chmodSync, mkdirSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { v7 as uuidv7 } from "uuid";
import { formatHost } from "@/lib/format-host";
import { bootstrapOwner } from "@/server/auth/bootstrap-owner";
import { hasOwner } from "@/server/auth/owner";
import { createSetupCode, isExposed, readSetupCode } from "@/server/auth/setup-code";
import { createAppWorkspaces } from "./app-workspaces";
import { checkWorkspaces } from "./check-workspaces";
import { agentTypeSetting } from "@/server/db/settings/agent-type-reads";
import { appDatabase } from "@/server/db/connection/app-database";
import type { Database } from "@/server/db/connection/database";
import { groupSetting } from "@/server/db/settings/group-reads";
import { watchModels } from "@/server/db/settings/model-reads";
import { watchRecipeReloads, watchRecipes } from "@/server/db/settings/recipe-reads";
import { seedModels } from "@/server/db/settings/model-writes";
import { seedAdvisorConfig } from "@/server/db/settings/setting-writes";
import { type Env, env } from "@/server/env";
import { findAppSandbox } from "@/server/exec/sandbox/app-sandbox";
import { exitAfterDatabaseFailure, exitWithReason } from "@/server/exit-with-reason";
import { log } from "@/server/log";
import { lookUpModel } from "@/server/model/catalog/model-catalog";
import { whenReady } from "@/server/stream/readiness";
import { installShutdown } from "@/server/stream/shutdown";
import { appRecipeFiles, watchRecipeFiles } from "./app-recipe-files";
import { removeAbandonedDirectories } from "@/server/recipes/own-directory";
import type { McpServers } from "@/server/mcp/mcp-servers";
import type { Worker } from "@/server/worker/create-worker";
import { startMcpServers } from "./start-mcp-servers";
import { startWorker } from "./start-worker";

/**
 * Starts what serves all requests: the database, the initial data, the worker, the shutdown handler. Exits on
 * failure.
 */
export const startProcess = async (): Promise<void> => {
  try {
    await start();
  } catch (error) {
    exitWithReason(error);
  }
};

const start = async (): Promise<void> => {
  const settings = env();
  makeDataPrivate(settings);
  const db = appDatabase();
  db.failure.addEventListener("abort", () => {
    exitAfterDatabaseFailure(db.failure.reason);
  });
  await seedModels(
    db,
    settings.models.map((name) => ({ ...lookUpModel(name.provider, name.model), ...name })),
  );
  await watchModels(db);
  await watchRecipes(db);
  const recipeFiles = appRecipeFiles(settings.recipesDir);
  await watchRecipeReloads(db, recipeFiles);
  await groupSetting.watch(db);
  await agentTypeSetting.watch(db);
  if (settings.advisor) await seedAdvisorConfig(db);
  // A process that only works on chats may lack the settings, and must not revoke the others' key.
  if (settings.role !== "worker") {
    const warn = (message: string): void => {
      log().warn(message);
    };
    await bootstrapOwner(db, { settings, newId: uuidv7, warn });
    await announceSetup(db, settings);
  }
  await startSandbox();
  await removeAbandonedDirectories().catch((error: unknown) => {
    log().warn({ err: error }, "directories of ended processes could not be removed");
  });
  // After that, as it makes a directory.
  watchRecipeFiles(recipeFiles, whenReady()).catch(() => undefined);
  const { dataDir, workspacesMaxMegabytes: maxMegabytes } = settings;
  const workspaces = createAppWorkspaces({ db, dataDir, maxMegabytes });
  await checkWorkspaces({ db, workspaces, log: log() });
  const mcp = await startMcpServers(db, settings, whenReady());
  const worker = settings.role === "web" ? undefined : startWorker();
  installShutdown({ drain: () => drain(worker, mcp), close: () => db.close() });
  log().info({ role: settings.role, embedded: settings.databaseUrl === null }, "parley is up");
};

/** Turns may still call tools of MCP servers while the worker stops. */
const drain = async (worker: Worker | undefined, mcp: McpServers): Promise<void> => {
  await worker?.stop();
  await mcp.stop();
};

/** Finds what commands run in, and says so, as an operator may have to change something. */
const startSandbox = async (): Promise<void> => {
  const { sandbox, failures } = await findAppSandbox();
  const fields = { sandbox: sandbox?.kind, failures };
  if (failures.length > 0) log().warn(fields, "a sandbox for commands does not work here");
  else log().info(fields, "looked for a sandbox for commands");
};

/**
 * Keeps the data to this account: the files of the embedded database and of workspaces would otherwise
 * be readable for every account of the machine.
 */
const makeDataPrivate = ({ dataDir }: Env): void => {
  process.umask(0o077);
  mkdirSync(dataDir, { recursive: true });
  try {
    chmodSync(dataDir, 0o700);
  } catch (error) {
    // Mounted volumes often belong to another account, and new files are private all the same.
    log().warn({ err: error, dataDir }, "the mode of the data directory could not be set to 0700");
  }
};

/** Prints the link with which the first account is made, if strangers can reach the server too. */
const announceSetup = async (db: Database, settings: Env): Promise<void> => {
  if (await hasOwner(db)) return;
  if (isExposed(settings)) await createSetupCode(db);
  const code = await readSetupCode(db);
  if (code === undefined) return;
  const base =
    settings.publicUrl ?? `http://${findReachableHost(settings.hostname)}:${settings.port}`;
  process.stdout.write(`Make the owner's account with this link: ${base}/setup?code=${code}\n`);
};

/** @returns a host for URLs; for a server on all addresses, the machine's first one. */
const findReachableHost = (hostname: string): string => {
  if (hostname !== "0.0.0.0" && hostname !== "::") return formatHost(hostname);
  const addresses = Object.values(networkInterfaces()).flat();
  const external = addresses.find((address) => address?.internal === false);
  return formatHost(external?.address ?? "127.0.0.1");
};
