import { existsSync } from "node:fs";
import path from "node:path";
import { keepPrivate, openInstance, toClusterDirectory } from "@/server/db/connection/cluster";
import type { DatabaseSettings } from "@/server/db/connection/open-database";
import { createPglitePool } from "@/server/db/connection/pglite-pool";
import { createServerConfig, ServerClient } from "@/server/db/connection/server-client.mjs";
import { copyCluster } from "./copy-cluster";
import { createRawSession, type RawSession } from "./raw-session";

/** A session that sees a database as it was at one moment. */
export type Snapshot = { session: RawSession; close: () => Promise<void> };

/**
 * Opens a snapshot of a database, also while servers use it.
 *
 * @param scratch a directory for a copy of the embedded database.
 * @throws {Error} a sentence.
 */
export const openSnapshot = async (
  settings: DatabaseSettings,
  scratch: string,
): Promise<Snapshot> => {
  const opened =
    settings.databaseUrl === null
      ? await openCopy(settings.dataDir, path.join(scratch, "pg"))
      : await connect(settings);
  await opened.session.exec("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  return opened;
};

const openCopy = async (dataDir: string, copy: string): Promise<Snapshot> => {
  const directory = toClusterDirectory(dataDir);
  if (!existsSync(directory))
    throw new Error(`There is no embedded database in ${dataDir} yet: nothing was backed up.`);
  await copyCluster(dataDir, copy);
  keepPrivate(copy);
  return openEmbeddedSession(copy);
};

/** Opens an embedded database that nobody else uses. */
export const openEmbeddedSession = async (directory: string): Promise<Snapshot> => {
  const { lite } = await openInstance(directory);
  const pool = createPglitePool(lite, {
    onNotification: () => undefined,
    onFailure: () => undefined,
  });
  const client = await pool.connect();
  return {
    session: await createRawSession(client),
    close: async () => {
      client.release();
      await pool.end();
      await lite.close();
    },
  };
};

/** Connects to a server; a session has to be kept, which poolers may not do. */
export const connect = async ({
  databaseUrl,
  directUrl,
}: Pick<DatabaseSettings, "databaseUrl" | "directUrl">): Promise<Snapshot> => {
  const config = directUrl
    ? createServerConfig(directUrl, "DATABASE_DIRECT_URL")
    : createServerConfig(databaseUrl ?? "", "DATABASE_URL");
  const client = new ServerClient(config);
  // The statement on a connection that is lost rejects.
  client.on("error", () => undefined);
  await client.connect();
  return { session: await createRawSession(client), close: () => client.end() };
};
