import { env } from "@/server/env";
import type { Database } from "./database";
import { openDatabase } from "./open-database";
import { processDatabase } from "./process-database";

/** The process's database. Kept on `globalThis`, as routes and instrumentation have their own modules. */
export const appDatabase = (): Database =>
  processDatabase(() => {
    const { databaseUrl, dataDir, databasePool } = env();
    return openDatabase({ databaseUrl, dataDir, poolSize: databasePool });
  });
