import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runSql } from "./run-sql";

/** The data directory of one server and, with PostgreSQL, its database. */
export type TestDatabase = {
  /** What a template is found by: the data directory or the name of the database. */
  name: string;
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

/** The environment variable with the templates of the run as JSON; see templates.ts. */
export const TEMPLATES = "PARLEY_E2E_TEMPLATES";

/** The databases that others are copies of, as a copy takes a tenth of the time. */
export type Templates = {
  schema: string;
  users: string;
  /** Password and part of the API keys of the users. */
  secret: string;
};

/**
 * What a new database has: nothing, as for the first start of a person; the schema; or users too, of whom each
 * test takes one.
 */
type Content = "nothing" | "empty" | "schema" | "users";

const findTemplate = (content: Content): string | undefined => {
  const templates = process.env[TEMPLATES];
  if (templates === undefined || content === "nothing" || content === "empty") return undefined;
  return (JSON.parse(templates) as Templates)[content];
};

/** Creates a database: on the PostgreSQL server of the URL, or embedded without one. */
export const createTestDatabase = async (
  serverUrl: string | undefined,
  content: Content = "schema",
): Promise<TestDatabase> => {
  const template = findTemplate(content);
  const dataDir = mkdtempSync(join(tmpdir(), "parley-e2e-"));
  const removeFiles = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (!serverUrl) {
    if (template !== undefined) {
      cpSync(join(template, "pg"), join(dataDir, "pg"), { recursive: true });
    }
    return {
      name: dataDir,
      dataDir,
      env: {},
      expireLeases: () => Promise.resolve(),
      remove: () => Promise.resolve(removeFiles()),
    };
  }
  const name = `parley_e2e_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const databaseUrl = url.toString();
  if (content === "empty") {
    await runSql(serverUrl, `CREATE DATABASE ${name}`);
  } else if (template === undefined) {
    // The script also creates the database.
    await promisify(execFile)(process.execPath, ["scripts/db-migrate.mjs"], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
  } else {
    await runSql(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  }
  return {
    name,
    dataDir,
    env: { DATABASE_URL: databaseUrl, PARLEY_SECRET: randomBytes(32).toString("base64") },
    expireLeases: () => runSql(databaseUrl, EXPIRE_LEASES).then(() => undefined),
    remove: async () => {
      await runSql(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      removeFiles();
    },
  };
};

/** A server that is stopped in a transaction keeps its locks: a wait for them would last as long as the stop. */
const EXPIRE_LEASES = `UPDATE chat SET lease_expires_at = lease_expires_at - interval '30 seconds'
  WHERE id IN (SELECT id FROM chat WHERE lease_token IS NOT NULL FOR UPDATE SKIP LOCKED)`;
