import { env } from "@/server/env";
import type { Database } from "./database";
import { openDatabase } from "./open-database";
import { processDatabase } from "./process-database";

/** The process's database. */
export const appDatabase = (): Database =>
  processDatabase(() => {
    const { databaseUrl, directUrl, dataDir, databasePool } = env();
    return openDatabase({ databaseUrl, directUrl, dataDir, poolSize: databasePool });
  });
