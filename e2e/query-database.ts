import pg from "pg";
import { embeddedSource } from "@/server/db/connection/embedded";
import type { TestDatabase } from "./test-database";

/** Runs a body with the database of a server; the server must not be running. */
export const withDatabase = async <Result>(
  { env, dataDir }: TestDatabase,
  body: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> => {
  const connectionString = env.DATABASE_URL;
  const source = connectionString === undefined ? embeddedSource(dataDir) : undefined;
  const pool = source ? await source.pool() : new pg.Pool({ connectionString, max: 1 });
  // Its end does not wait for the connection, which the removal of the database may then end first.
  pool.on("error", () => undefined);
  try {
    return await body(pool);
  } finally {
    await (source ? source.close() : pool.end());
  }
};

const LIST_TABLES = `SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`;

/** @returns the tables that have a text in one of their rows; the server must not be running. */
export const findTablesWith = (database: TestDatabase, text: string): Promise<string[]> =>
  withDatabase(database, async (pool) => {
    const { rows: tables } = await pool.query<{ name: string }>(LIST_TABLES);
    const found: string[] = [];
    for (const { name } of tables) {
      const matching = `SELECT 1 AS one FROM "${name}" AS t WHERE t::text LIKE '%' || $1 || '%' LIMIT 1`;
      const { rowCount } = await pool.query(matching, [text]);
      if (rowCount) found.push(name);
    }
    return found;
  });
