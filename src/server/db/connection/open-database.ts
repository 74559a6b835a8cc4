import { createDatabase } from "./create-database";
import type { Database } from "./database";
import { embeddedSource } from "./embedded";
import { postgresSource } from "./postgres";

export type DatabaseSettings = {
  /** A PostgreSQL server, or its pooler; null is the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** The server without its pooler. */
  directUrl?: string | null;
  dataDir: string;
  /** Connections of this process to a server. */
  poolSize: number;
};

/** The database of these settings. Opened by its first use, so that a build does not touch it. */
export const openDatabase = (settings: DatabaseSettings): Database => {
  const { databaseUrl, directUrl, dataDir, poolSize } = settings;
  return createDatabase(
    databaseUrl === null
      ? embeddedSource(dataDir)
      : postgresSource({ databaseUrl, ...(directUrl && { directUrl }) }, poolSize),
  );
};
