import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import type { DatabaseSettings } from "@/server/db/connection/open-database";
import {
  createServerDatabase,
  fillDataDirectory,
  toMigrationSession,
  withClient,
} from "./database";

export const makeDirectory = (): string => {
  const directory = mkdtempSync(path.join(os.tmpdir(), "parley-backup-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
};

let created = 0;

/** A database without tables, and a data directory of its own. @param serverUrl undefined for an embedded one. */
export const createEmpty = async (serverUrl?: string): Promise<DatabaseSettings> => {
  const dataDir = makeDirectory();
  if (serverUrl === undefined) return { databaseUrl: null, dataDir, poolSize: 2 };
  created += 1;
  const databaseUrl = await createServerDatabase(serverUrl, `_backup${created}`);
  return { databaseUrl, dataDir, poolSize: 2 };
};

/** The same with all migrations. */
export const createMigrated = async (serverUrl?: string): Promise<DatabaseSettings> => {
  const settings = await createEmpty(serverUrl);
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl === null) await fillDataDirectory(dataDir);
  else
    await withClient(databaseUrl, async (client) => {
      await applyMigrations(toMigrationSession(client));
    });
  return settings;
};
