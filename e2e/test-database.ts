import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

/** The data directory of one server and, with PostgreSQL, its database. */
export type TestDatabase = {
  dataDir: string;
  /** Environment variables of the application. */
  env: Record<string, string>;
  /**
   * Expires the leases of a killed server. Does nothing for the embedded database, where a new process
   * takes over all leases.
   */
  expireLeases: () => Promise<void>;
  remove: () => Promise<void>;
};

/** The PostgreSQL server of the tests; without it they use embedded databases. */
export const { TEST_DATABASE_URL } = process.env;

export const isEmbedded = !TEST_DATABASE_URL;

/** Creates an empty database: on the PostgreSQL server of the URL, or embedded without one. */
export const createTestDatabase = async (serverUrl: string | undefined): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-e2e-"));
  const removeFiles = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (!serverUrl) {
    return {
      dataDir,
      env: {},
      expireLeases: () => Promise.resolve(),
      remove: () => Promise.resolve(removeFiles()),
    };
  }
  const url = new URL(serverUrl);
  const name = `parley_e2e_${randomBytes(6).toString("hex")}`;
  url.pathname = `/${name}`;
  const databaseUrl = url.toString();
  // The script also creates the database.
  await promisify(execFile)(process.execPath, ["scripts/db-migrate.mjs"], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  return {
    dataDir,
    env: { DATABASE_URL: databaseUrl, PARLEY_SECRET: randomBytes(32).toString("base64") },
    expireLeases: () => run(databaseUrl, EXPIRE_LEASES),
    remove: async () => {
      await run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      removeFiles();
    },
  };
};

/** A server that is stopped in a transaction keeps its locks: a wait for them would last as long as the stop. */
const EXPIRE_LEASES = `UPDATE chat SET lease_expires_at = lease_expires_at - interval '30 seconds'
  WHERE id IN (SELECT id FROM chat WHERE lease_token IS NOT NULL FOR UPDATE SKIP LOCKED)`;

const run = async (connectionString: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};
