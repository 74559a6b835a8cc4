import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { isProcessAlive } from "@/lib/is-process-alive";
import { type ConnectionSource, createDatabase } from "@/server/db/connection/create-database";
import type { Database } from "@/server/db/connection/database";
import { EXTENSIONS } from "@/server/db/connection/cluster";
import { serveEmbedded } from "@/server/db/connection/embedded";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import { openDatabase } from "@/server/db/connection/open-database";
import { plannerOptions } from "@/server/db/connection/planner-settings";

const KEY = Symbol.for("parley.test-database");

/**
 * Returns the database of this test worker: a new one on the server of TEST_DATABASE_URL, or an
 * embedded one in memory. It is migrated and empty at first, and all test files of the worker share
 * it, so each test creates its own users and chats. Await it in a hook first: on a busy machine, opening it
 * takes longer than a test may.
 */
export const testDatabase = (): Promise<Database> => {
  const holder = globalThis as { [KEY]?: Promise<Database> };
  return (holder[KEY] ??= openTestDatabase());
};

/** Empties tables, and all that refer to them, for tests that read all rows. */
export const emptyTables = async (db: Database, ...tables: ("chat" | "model" | "setting")[]) => {
  const names = tables.join(", ");
  await db.query({ name: `test-empty-${names}`, text: `TRUNCATE ${names} CASCADE` }, []);
};

/** URL of the test server; undefined for the embedded database. */
export const testServerUrl = process.env.TEST_DATABASE_URL;

/**
 * Creates an empty database without a schema on a server. Later test runs drop it.
 *
 * @param suffix distinguishes the databases of one worker.
 */
export const createServerDatabase = async (server: string, suffix = ""): Promise<string> => {
  const name = `${testDatabasePrefix}${process.pid}${suffix}`;
  await withClient(server, async (client) => {
    await dropStaleDatabases(client);
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  });
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
};

const openTestDatabase = async (): Promise<Database> => {
  if (testServerUrl) {
    const databaseUrl = await createServerDatabase(testServerUrl);
    await withClient(databaseUrl, async (client) => {
      await applyMigrations(toMigrationSession(client));
    });
    return openDatabase({ databaseUrl, dataDir: "", poolSize: 10 });
  }
  return openEmbeddedDatabase(await openMigrated());
};

/** Opens a new PGlite instance, in memory, that has all migrations. */
export const openMigrated = async (): Promise<PGlite> =>
  PGlite.create({
    loadDataDir: new Blob([readFileSync(await packMigratedDirectory())]),
    extensions: EXTENSIONS,
    startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB", ...plannerOptions],
  });

/** Opens the database of a PGlite instance. */
export const openEmbeddedDatabase = async (
  lite: PGlite,
  options: Pick<ConnectionSource, "idleInTransactionMs"> = {},
): Promise<Database> => {
  const served = await serveEmbedded(lite, () => undefined);
  return createDatabase({
    ...served,
    ...options,
    name: "test",
    pool: () => Promise.resolve(served.pool),
    query: (statement) => served.pool.query(statement),
  });
};

export type MigrationSession = Parameters<typeof applyMigrations>[0];

/** Copies the migrations up to `last` to a new folder, as an earlier version had them. */
export const copyMigrationsUntil = (last: string): string => {
  const directory = mkdtempSync(path.join(os.tmpdir(), "parley-earlier-"));
  for (const name of readdirSync("prisma/migrations").filter((one) => one <= last)) {
    cpSync(path.join("prisma/migrations", name), path.join(directory, name), { recursive: true });
  }
  return directory;
};

/** Converts a client to the connection that migrations use. */
export const toMigrationSession = (client: pg.ClientBase) => ({
  exec: (sql: string) => client.query(sql),
  query: async (sql: string, values: unknown[] = []) =>
    (await client.query<Record<string, unknown>>(sql, values)).rows,
  warn: (sentence: string): void => {
    throw new Error(sentence);
  },
});

const host = createHash("sha256").update(os.hostname()).digest("hex").slice(0, 8);
const testDatabasePrefix = `parley_test_${host}_`;

/** Drops databases of test workers that have exited, because a killed worker cannot do it. */
const dropStaleDatabases = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
    [testDatabasePrefix],
  );
  for (const { datname } of rows) {
    const pid = Number.parseInt(datname.slice(testDatabasePrefix.length), 10);
    // Fails if another worker has dropped it meanwhile.
    if (!isProcessAlive(pid))
      await client.query(`DROP DATABASE IF EXISTS ${datname}`).catch(() => null);
  }
};

/** Opens a separate connection for the time of `use`. */
export const withClient = async (
  url: string,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
};

/** @returns a packed data directory of a migrated database; cached, because creating one takes seconds. */
const packMigratedDirectory = async (): Promise<string> => {
  const hash = createHash("sha256").update(readFileSync("package-lock.json"));
  for (const file of globSync("prisma/migrations/*/migration.sql").sort()) {
    hash.update(readFileSync(file));
  }
  const directory = path.resolve("node_modules/.cache/parley");
  const file = path.join(directory, `test-database-${hash.digest("hex").slice(0, 16)}.tar`);
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true });
    const lite = await PGlite.create({ extensions: EXTENSIONS });
    await applyMigrations({
      exec: (sql) => lite.exec(sql),
      query: async (sql, values) => (await lite.query<Record<string, unknown>>(sql, values)).rows,
      warn: () => undefined,
    });
    const dump = await lite.dumpDataDir("none");
    await lite.close();
    // Renamed when complete, because other workers may read the file at any time.
    const temporaryFile = `${file}.${process.pid}`;
    writeFileSync(temporaryFile, Buffer.from(await dump.arrayBuffer()));
    renameSync(temporaryFile, file);
  }
  return file;
};

/** Fills a data directory as a first start does, which takes some seconds: a migrated database without rows. */
export const fillDataDirectory = async (dataDir: string): Promise<void> => {
  const directory = path.join(dataDir, "pg");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const args = ["-xf", await packMigratedDirectory(), "-C", directory, "--no-same-owner"];
  // Its remark about paths that begin with a slash is no failure.
  execFileSync("tar", args, { stdio: ["ignore", "ignore", "pipe"] });
};
