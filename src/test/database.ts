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
import { createDatabase } from "@/server/db/create-database";
import type { Database } from "@/server/db/database";
import { serveEmbedded } from "@/server/db/embedded";
import { applyMigrations } from "@/server/db/migrate.mjs";
import { openDatabase } from "@/server/db/open-database";
import { plannerOptions } from "@/server/db/planner-settings";

const KEY = Symbol.for("parley.test-database");

/**
 * The database of this test worker, migrated and without rows at the worker's start: a new one on
 * the server of TEST_DATABASE_URL, else an embedded one in memory. All test files of the worker
 * share it, so each test makes its own user, chats and ids.
 */
export const testDatabase = (): Promise<Database> => {
  const holder = globalThis as { [KEY]?: Promise<Database> };
  return (holder[KEY] ??= openTestDatabase());
};

/** The server that the tests run on; undefined for the embedded database. */
export const testServerUrl = process.env.TEST_DATABASE_URL;

/**
 * Makes a database of its own on a server, empty and without a schema. It is dropped by the test
 * runs that follow.
 *
 * @param suffix tells the databases of one worker apart.
 */
export const createServerDatabase = async (server: string, suffix = ""): Promise<string> => {
  const name = `${testDatabasePrefix}${process.pid}${suffix}`;
  await withClient(server, async (client) => {
    await dropLeftOvers(client);
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
      await applyMigrations(sessionOf(client));
    });
    return openDatabase({ databaseUrl, dataDir: "", poolSize: 10 });
  }
  return openServed(
    await PGlite.create({
      loadDataDir: await migratedDirectory(),
      startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB", ...plannerOptions],
    }),
  );
};

/** The database in a PGlite instance. */
export const openServed = async (lite: PGlite): Promise<Database> => {
  const served = await serveEmbedded(lite);
  return createDatabase({
    ...served,
    pool: () => Promise.resolve(served.pool),
    query: (statement) => served.pool.query(statement),
  });
};

export type MigrationSession = Parameters<typeof applyMigrations>[0];

/** A folder with the migrations up to one, as an earlier version had them. */
export const migratedUntil = (last: string): string => {
  const directory = mkdtempSync(path.join(os.tmpdir(), "parley-earlier-"));
  for (const name of readdirSync("prisma/migrations").filter((one) => one <= last)) {
    cpSync(path.join("prisma/migrations", name), path.join(directory, name), { recursive: true });
  }
  return directory;
};

/** A connection as migrations use it. */
export const sessionOf = (client: pg.ClientBase) => ({
  exec: (sql: string) => client.query(sql),
  query: async (sql: string, values: unknown[] = []) =>
    (await client.query<Record<string, unknown>>(sql, values)).rows,
  warn: (sentence: string): void => {
    throw new Error(sentence);
  },
});

const host = createHash("sha256").update(os.hostname()).digest("hex").slice(0, 8);
const testDatabasePrefix = `parley_test_${host}_`;

/** A worker that was killed cannot drop its database, so the next one does. */
const dropLeftOvers = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
    [testDatabasePrefix],
  );
  for (const { datname } of rows) {
    const pid = Number.parseInt(datname.slice(testDatabasePrefix.length), 10);
    // Two workers may meet at the same one; the second finds nothing to drop.
    if (!isAlive(pid)) await client.query(`DROP DATABASE IF EXISTS ${datname}`).catch(() => null);
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};

/** A connection beside the database's own, for as long as it is used. */
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

/** The data directory of a migrated database: making one takes seconds, so it is kept. */
const migratedDirectory = async (): Promise<Blob> => {
  const hash = createHash("sha256").update(readFileSync("package-lock.json"));
  for (const file of globSync("prisma/migrations/*/migration.sql").sort()) {
    hash.update(readFileSync(file));
  }
  const directory = path.resolve("node_modules/.cache/parley");
  const file = path.join(directory, `test-database-${hash.digest("hex").slice(0, 16)}.tar`);
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true });
    const lite = await PGlite.create();
    await applyMigrations({
      exec: (sql) => lite.exec(sql),
      query: async (sql, values) => (await lite.query<Record<string, unknown>>(sql, values)).rows,
      warn: () => undefined,
    });
    const dump = await lite.dumpDataDir("none");
    await lite.close();
    // Aside first: other workers must never see half of it.
    const aside = `${file}.${process.pid}`;
    writeFileSync(aside, Buffer.from(await dump.arrayBuffer()));
    renameSync(aside, file);
  }
  return new Blob([readFileSync(file)]);
};
