import { v7 as uuidv7 } from "uuid";
import { bootstrapOwner } from "@/server/auth/bootstrap-owner";
import { appDatabase } from "@/server/db/app-database";
import { seedModels } from "@/server/db/model-writes";
import { seedAdvisorConfig } from "@/server/db/setting-writes";
import { env } from "@/server/env";
import { log } from "@/server/log";
import { knownModel } from "@/server/model/known-model";
import { installShutdown } from "@/server/stream/shutdown";
import { startWorker } from "./start-worker";

/** Brings up what runs beside requests: the database, the first data, the worker, the way out. */
export const startProcess = async (): Promise<void> => {
  const settings = env();
  const db = appDatabase();
  await seedModels(
    db,
    settings.models.map((name) => ({ ...name, ...knownModel(name.provider, name.model) })),
  );
  if (settings.advisor) await seedAdvisorConfig(db);
  await bootstrapOwner(db, settings, uuidv7);
  const worker = settings.role === "web" ? undefined : startWorker();
  installShutdown({ drain: async () => worker?.stop(), close: () => db.close() });
  log().info({ role: settings.role, embedded: settings.databaseUrl === null }, "parley is up");
};
