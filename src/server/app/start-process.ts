import { chmodSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import path from "node:path";
import { v7 as uuidv7 } from "uuid";
import { formatHost } from "@/lib/format-host";
import { type AuthServices, createAuthServices } from "@/server/auth/auth-services";
import { bootstrapOwner } from "@/server/auth/bootstrap-owner";
import { hasOwner } from "@/server/auth/owner";
import { createSetupCode, isExposed, readSetupCode } from "@/server/auth/setup-code";
import { createRecentChanges, type RecentChanges } from "@/server/db/chats/recent-changes";
import { createRecentHistories } from "@/server/db/chats/recent-histories";
import { appDatabase } from "@/server/db/connection/app-database";
import type { Database } from "@/server/db/connection/database";
import { requireNoRestore } from "@/server/db/connection/unfinished-restore";
import { seedModels } from "@/server/db/settings/model-writes";
import { watchRecipeReloads } from "@/server/db/settings/recipe-reads";
import type { ClaimNew } from "@/server/db/sql/machine/claim";
import { createSettingCaches, type SettingCaches } from "@/server/db/settings/setting-caches";
import { seedAdvisorConfig } from "@/server/db/settings/setting-writes";
import { appSecret, type Env, env, forgetOwner, makeDataDirectory, npmPath } from "@/server/env";
import { createCommandBudget } from "@/server/exec/budget/command-budget";
import { decideResources } from "@/server/exec/budget/command-resources";
import { toOffer } from "@/server/exec/sandbox/app-sandbox";
import { findSandbox } from "@/server/exec/sandbox/find-sandbox";
import { findHostPrograms, listNodePrefixes } from "@/server/exec/sandbox/host-programs";
import type { CommandResources } from "@/server/exec/sandbox/limits";
import { exitAfterDatabaseFailure, exitWithReason } from "@/server/exit-with-reason";
import { log } from "@/server/log";
import { addSecret } from "@/server/mask-secrets";
import type { McpServers } from "@/server/mcp/mcp-servers";
import { appMetrics } from "@/server/metrics/app-metrics";
import { trustSystemAuthorities, writeAuthorities } from "@/server/net/authorities";
import { checkProxyVariables } from "@/server/net/outbound-proxy";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import { createAppModels } from "@/server/model/catalog/app-models";
import { createKeyCipher } from "@/server/model/catalog/key-cipher";
import { lookUpModel } from "@/server/model/catalog/model-catalog";
import type { ModelRegistry } from "@/server/model/catalog/model-registry";
import type { RecipeFiles } from "@/server/recipes/files/recipe-files";
import type { Push } from "@/server/push/push";
import { removeAbandonedDirectories } from "@/server/recipes/own-directory";
import { connectPreviews } from "@/server/stream/connect-previews";
import { createNotifications, type Notifications } from "@/server/stream/notifications";
import { type ChangeReads, createChangeReads } from "@/server/stream/change-reads";
import { createPreviewRelay, type PreviewRelay } from "@/server/stream/preview-relay";
import { whenReady } from "@/server/stream/readiness";
import { installShutdown } from "@/server/stream/shutdown";
import { type ClaimQueue, createClaimQueue } from "@/server/stream/claim-queue";
import { createRunnerPresence, type RunnerPresence } from "@/server/stream/runner-presence";
import { createViewerFeeds, type ViewerFeeds } from "@/server/stream/viewer-feed";
import type { WorkerActivity } from "@/server/stream/worker-activity";
import { createAppRecipeFiles, watchRecipeFiles } from "./app-recipe-files";
import { type AppTools, createAppTools } from "./app-tools";
import { createAppPush } from "./app-push";
import { createAppWorkspaces } from "./app-workspaces";
import { checkWorkspaces } from "./check-workspaces";
import { exitRecipes } from "./exit-recipes";
import { startMcpServers } from "./start-mcp-servers";
import { createHeldWork, startWorker } from "./start-worker";
import { BUILTIN_TOOL_NAMES } from "./tool-registry";

/** What requests use of a process that has been started. */
export type StartedApp = {
  auth: AuthServices;
  tools: AppTools;
  recipeFiles: RecipeFiles;
  mcp: McpServers;
  models: ModelRegistry;
  cached: SettingCaches;
  recent: RecentChanges;
  notifications: Notifications;
  readChanges: ChangeReads;
  relay: PreviewRelay;
  feeds: ViewerFeeds;
  claims: ClaimQueue;
  runners: RunnerPresence;
  activity: WorkerActivity;
  claimNew: ClaimNew | undefined;
  push: Push;
  importLimits: { maxBytes: number; maxUnpackedBytes: number };
  temporaryChatHours: number;
};

/**
 * Starts what serves all requests: the database, the initial data, the worker, the shutdown handler. Exits on
 * failure.
 */
export const startProcess = (): Promise<StartedApp> => start().catch(exitWithReason);

/** The composition root: everything of the process is made here, once, and passed on. */
const start = async (): Promise<StartedApp> => {
  const settings = env();
  prepareDataDirectory(settings);
  checkProxyVariables();
  trustSystemAuthorities();
  const db = appDatabase();
  db.failure.addEventListener("abort", () => {
    exitAfterDatabaseFailure(db.failure.reason);
  });
  const recipeFiles = createAppRecipeFiles(settings.recipesDir);
  const cached = createSettingCaches(db);
  await prepareData(db, { settings, recipeFiles, cached });
  forgetOwner(settings);
  addSecret(appSecret(settings));
  const { sandbox, budget } = await prepareCommands(settings);
  await removeAbandonedDirectories().catch((error: unknown) => {
    log().warn({ err: error }, "directories of ended processes could not be removed");
  });
  // After that, as it makes a directory.
  watchRecipeFiles(recipeFiles, whenReady()).catch(() => undefined);
  const { dataDir, workspacesMaxMegabytes: maxMegabytes } = settings;
  const workspaces = createAppWorkspaces({ db, dataDir, maxMegabytes });
  const workspacesProblem = await checkWorkspaces({ db, workspaces, log: log() });
  const mcp = await startMcpServers(
    { db, cached, settings, sandbox, budget, cipher: createKeyCipher(appSecret(settings)) },
    whenReady(),
  );
  const shared = createSharedDeps(settings, { db, cached });
  const held = settings.role === "web" ? undefined : createHeldWork(shared);
  const tools = createAppTools({
    ...shared,
    workspaces,
    workspacesProblem,
    web: settings,
    recipeFiles,
    mcp,
    sandbox,
    budget,
    sessions: held?.sessions,
  });
  const exits = exitRecipes({ db, listRecipes: tools.listRecipes });
  const { workerConcurrency: concurrency, titles } = settings;
  const push = createAppPush(settings, shared);
  await push.watch();
  const worker =
    held && startWorker({ ...shared, held, tools, workspaces, concurrency, titles, push });
  installShutdown({
    // Turns may still call tools of MCP servers while the worker stops.
    drain: async () => {
      await worker?.stop();
      await exits.stop();
      await push.stop();
      await mcp.stop();
    },
    close: () => db.close(),
  });
  log().info({ role: settings.role, embedded: settings.databaseUrl === null }, "parley is up");
  const { publicUrl } = settings;
  const auth = createAuthServices(db, { secret: appSecret(settings), publicUrl }, warn);
  const { claimNew } = worker ?? {};
  return { ...shared, auth, tools, recipeFiles, mcp, ...createStreams(shared), claimNew, push };
};

/** Creates what streams, and requests that wait, share. */
const createStreams = (shared: ReturnType<typeof createSharedDeps>) => ({
  feeds: createViewerFeeds(shared),
  claims: createClaimQueue(shared),
  runners: createRunnerPresence(shared),
});

/** Creates what requests and turns share. */
const createSharedDeps = (
  settings: Env,
  { db, cached }: { db: Database; cached: SettingCaches },
) => {
  const relay = createPreviewRelay();
  connectPreviews({ db, relay });
  return {
    db,
    cached,
    recent: createRecentChanges(),
    histories: createRecentHistories(db),
    readChanges: createChangeReads(db),
    notifications: createNotifications(db),
    relay,
    activity: {} as WorkerActivity,
    models: createAppModels(settings),
    agentLimits: settings.agentLimits,
    importLimits: toImportLimits(settings),
    temporaryChatHours: settings.temporaryChatHours,
    newId: uuidv7,
    meter: createTurnMeter(appMetrics().record, BUILTIN_TOOL_NAMES),
    log: log(),
    // Containers may have the same host name and process id.
    owner: `${hostname()}:${process.pid}:${uuidv7()}`,
  };
};

/** How much larger the documents of an archive may be than the archive: texts are packed to a fifth. */
const UNPACKED_FACTOR = 4;

const toImportLimits = ({ importMaxMegabytes }: Env) => {
  const maxBytes = importMaxMegabytes * 1024 * 1024;
  return { maxBytes, maxUnpackedBytes: UNPACKED_FACTOR * maxBytes };
};

const warn = (message: string): void => {
  log().warn(message);
};

/** Writes the initial data of a new database, and watches what is cached of it. */
const prepareData = async (
  db: Database,
  {
    settings,
    recipeFiles,
    cached,
  }: { settings: Env; recipeFiles: RecipeFiles; cached: SettingCaches },
): Promise<void> => {
  await seedModels(
    db,
    settings.models.map((name) => ({ ...lookUpModel(name.provider, name.model), ...name })),
  );
  await cached.models.watch();
  await cached.recipes.watch();
  await watchRecipeReloads(db, recipeFiles);
  await cached.toolsets.watch();
  await cached.presentToolsets.watch();
  await cached.toolModes.watch();
  await cached.groups.watch();
  await cached.agentTypes.watch();
  if (settings.advisor) await seedAdvisorConfig(db);
  // A process that only works on chats may lack the settings, and must not revoke the others' key.
  if (settings.role === "worker") return;
  await bootstrapOwner(db, { settings, newId: uuidv7, warn });
  await announceSetup(db, settings);
};

/** Decides what commands may use, and finds what they run in. */
const prepareCommands = async (settings: Env) => {
  const { resources, totalBytes } = decideResources(settings.execResources);
  return {
    sandbox: await startSandbox(settings, resources),
    budget: createCommandBudget({ limits: resources.limits, totalBytes }),
  };
};

/** Finds what commands run in, and says so, as an operator may have to change something. */
const startSandbox = async (
  { execSandbox, execPaths, dataDir, extraCertificates }: Env,
  resources: CommandResources,
): Promise<ReturnType<typeof toOffer>> => {
  const privateDirectories = [dataDir];
  const programs = await findHostPrograms(execPaths, {
    privateDirectories,
    nodePrefixes: listNodePrefixes(npmPath()),
  });
  const authorities =
    extraCertificates === null
      ? undefined
      : await writeAuthorities(path.join(dataDir, "authorities.pem"));
  const found = await findSandbox(execSandbox, {
    privateDirectories,
    programs: { ...programs, authorities },
    plainHome: path.join(dataDir, "home"),
    resources,
  });
  const { sandbox, failures, memoryGroups } = found;
  const fields = { sandbox: sandbox?.kind, failures, memoryGroups };
  if (failures.length > 0) log().warn(fields, "a sandbox for commands does not work here");
  else log().info(fields, "looked for a sandbox for commands");
  return toOffer(found);
};

/**
 * Makes the data directory, and keeps it to this account: the files of the embedded database and of workspaces would otherwise
 * be readable for every account of the machine.
 */
const prepareDataDirectory = ({ dataDir }: Env): void => {
  process.umask(0o077);
  makeDataDirectory(dataDir);
  requireNoRestore(dataDir);
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
