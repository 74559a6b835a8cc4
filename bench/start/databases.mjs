import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import pg from "pg";
import { startPrivatePostgres } from "../../scripts/private-postgres.mjs";
import { runProgram } from "../../scripts/run-program.mjs";
import { readParentId } from "../measure/process-tree.mjs";

/** @typedef {(sql: string, values: unknown[]) => Promise<unknown>} Query */

/**
 * Starts a private PostgreSQL with Parley's schema.
 *
 * @param {{ settings?: Record<string, string>, env?: Record<string, string> }} [options] of the server and its processes
 * @returns its URL, the id of its main process, `query` and `stop`
 */
export const startPostgres = async (options) => {
  const { url, stop } = await startPrivatePostgres(undefined, options);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The private server is configured for tests, where a commit does not wait for its log.
  await client.query("ALTER DATABASE postgres SET synchronous_commit = on");
  const code = await runProgram(process.execPath, ["scripts/db-migrate.mjs"], {
    DATABASE_URL: url,
  });
  if (code !== 0) throw new Error("the database could not be migrated");
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  return {
    url,
    pid: readParentId(rows[0].pid),
    query: (sql, values) => client.query(sql, values),
    stop: async () => {
      await client.end();
      await stop();
    },
  };
};

/** Creates a temporary folder for one server's data. */
export const createDataDir = () => {
  const path = mkdtempSync(join(tmpdir(), "parley-bench-"));
  return { path, stop: () => rmSync(path, { recursive: true, force: true }) };
};

const SEED_EMBEDDED = `import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
const [directory, statements] = process.argv.slice(1);
const lite = await PGlite.create(directory, { extensions: { btree_gin, pg_trgm } });
for (const { sql, values } of JSON.parse(statements)) await lite.query(sql, values);
await lite.close();`;

/**
 * Opens an embedded database that no server uses.
 *
 * @param dataDir the folder of a server's data; undefined for one in memory.
 */
export const openEmbeddedDatabase = async (dataDir) => {
  const lite = await PGlite.create({
    ...(dataDir && { dataDir: join(dataDir, "pg") }),
    extensions: { btree_gin, pg_trgm },
  });
  return {
    query: (sql, values) => lite.query(sql, values),
    exec: (sql) => lite.exec(sql),
    stop: () => lite.close(),
  };
};

/** Runs statements in an embedded database that no server uses. */
export const updateEmbedded = async (dataDir, statements) => {
  const args = ["--input-type=module", "--eval", SEED_EMBEDDED, join(dataDir, "pg")];
  const code = await runProgram(process.execPath, [...args, JSON.stringify(statements)]);
  if (code !== 0) throw new Error("the embedded database could not be updated");
};
