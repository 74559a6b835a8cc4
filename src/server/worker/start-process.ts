import { v7 as uuidv7 } from "uuid";
import { bootstrapOwner } from "@/server/auth/bootstrap-owner";
import { appDatabase } from "@/server/db/app-database";
import { seedModels } from "@/server/db/model-writes";
import { seedAdvisorConfig } from "@/server/db/setting-writes";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { lookUpModel } from "@/server/model/model-catalog";
import { installShutdown } from "@/server/stream/shutdown";
import { startWorker } from "./start-worker";

/**
 * Starts what serves all requests: the database, the initial data, the worker, the shutdown handler. Exits on
 * failure, because the web server would go on and answer every request with 500.
 */
export const startProcess = async (): Promise<void> => {
  try {
    await start();
  } catch (error) {
    process.stderr.write(`Parley cannot start. ${reasonOf(error)}\n`);
    process.exit(1);
  }
};

/** Our own errors are sentences for whoever starts the process; all others are bugs. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.name === "Error" ? error.message : (error.stack ?? error.name);
};

const start = async (): Promise<void> => {
  const settings = env();
  const db = appDatabase();
  await seedModels(
    db,
    settings.models.map((name) => ({ ...name, ...lookUpModel(name.provider, name.model) })),
  );
  if (settings.advisor) await seedAdvisorConfig(db);
  await bootstrapOwner(db, settings, uuidv7);
  const worker = settings.role === "web" ? undefined : startWorker();
  installShutdown({ drain: async () => worker?.stop(), close: () => db.close() });
  log().info({ role: settings.role, embedded: settings.databaseUrl === null }, "parley is up");
};
