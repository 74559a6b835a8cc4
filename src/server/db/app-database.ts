import { env } from "@/server/env";
import type { Database } from "./database";
import { openDatabase } from "./open-database";

const KEY = Symbol.for("parley.database");

/** The process's database. Kept on `globalThis`, as routes and instrumentation have their own modules. */
export const appDatabase = (): Database => {
  const holder = globalThis as { [KEY]?: Database };
  if (!holder[KEY]) {
    const { databaseUrl, dataDir, databasePool } = env();
    holder[KEY] = openDatabase({ databaseUrl, dataDir, poolSize: databasePool });
  }
  return holder[KEY];
};
