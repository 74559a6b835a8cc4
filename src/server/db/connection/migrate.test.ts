import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  copyMigrationsUntil,
  createServerDatabase,
  testServerUrl,
  toMigrationSession,
  withClient,
} from "@/test/database";
import { EXTENSIONS } from "./cluster";
import { applyMigrations, pendingMigrations } from "./migrate.mjs";
import { createPglitePool } from "./pglite-pool";

const OWN = path.resolve("prisma/migrations");
const NAMES = readdirSync(OWN)
  .filter((name) => name !== "migration_lock.toml")
  .sort();
const NO_LISTENERS = { onNotification: () => undefined, onFailure: () => undefined };

/** An empty database of each test file's own, with any number of connections. */
const emptyDatabase = async (): Promise<pg.Pool> => {
  if (!testServerUrl)
    return createPglitePool(await PGlite.create({ extensions: EXTENSIONS }), NO_LISTENERS);
  const connectionString = await createServerDatabase(testServerUrl, "_migrations");
  return new pg.Pool({ connectionString });
};

let pool: pg.Pool;
let directory: string;
beforeAll(async () => {
  pool = await emptyDatabase();
  directory = mkdtempSync(path.join(os.tmpdir(), "parley-migrations-"));
  cpSync(OWN, directory, { recursive: true });
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await pool.end();
});

const inSession = async <Result>(
  use: (session: ReturnType<typeof toMigrationSession>) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  try {
    return await use(toMigrationSession(client));
  } finally {
    client.release();
  }
};

const migrate = () => inSession((session) => applyMigrations(session, directory));
const pending = () => inSession((session) => pendingMigrations(session, directory));

const addMigration = (name: string, sql: string): (() => void) => {
  mkdirSync(path.join(directory, name));
  writeFileSync(path.join(directory, name, "migration.sql"), sql);
  return () => rmSync(path.join(directory, name), { recursive: true });
};

describe("migrations", () => {
  it("are applied once, however many processes try at the same time", async () => {
    expect(await pending()).toEqual(NAMES);
    const applied = await Promise.all([migrate(), migrate(), migrate(), migrate()]);
    expect(applied.flat()).toEqual(NAMES);
    expect(await migrate()).toEqual([]);
    expect(await pending()).toEqual([]);
  });

  it("leave nothing behind when one fails, and can be repaired", async () => {
    const remove = addMigration(
      "9000_broken",
      "CREATE TABLE half (id int);\nCREATE TABLE half (id int);",
    );
    await expect(migrate()).rejects.toThrow(
      /^Migration 9000_broken failed: .*half.* already exists/,
    );
    const { rows } = await pool.query("SELECT to_regclass('half') AS half");
    expect(rows).toEqual([{ half: null }]);
    expect(await pending()).toEqual(["9000_broken"]);
    remove();

    addMigration("9000_whole", "CREATE TABLE whole (id int);");
    expect(await migrate()).toEqual(["9000_whole"]);
  });

  it("refuse a database of a newer version", async () => {
    rmSync(path.join(directory, "9000_whole"), { recursive: true });
    await expect(migrate()).rejects.toThrow(
      "The database was changed by a newer version (migration 9000_whole)",
    );
  });

  it("refuse a migration that was edited after it had been applied", async () => {
    addMigration("9000_whole", "CREATE TABLE other (id int);");
    await expect(migrate()).rejects.toThrow("Migration 9000_whole was edited after it had been");
  });
});

describe("a database that refuses the extensions of the search", () => {
  const refuse = async (): Promise<unknown> => {
    if (!testServerUrl) {
      const plain = createPglitePool(await PGlite.create(), NO_LISTENERS);
      const client = await plain.connect();
      return applyMigrations(toMigrationSession(client)).catch((error: unknown) => error);
    }
    const url = new URL(await createServerDatabase(testServerUrl, "_plain"));
    const role = url.pathname.slice(1);
    await withClient(url.toString(), async (client) => {
      await client.query(`DROP ROLE IF EXISTS ${role}`);
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
      await applyMigrations(toMigrationSession(client), copyMigrationsUntil("0010"));
      await client.query(`GRANT ALL ON SCHEMA public TO ${role}`);
      await client.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    });
    [url.username, url.password] = [role, "plain"];
    let refused: unknown;
    await withClient(url.toString(), async (client) => {
      const migrated = applyMigrations(toMigrationSession(client));
      refused = await migrated.catch((error: unknown) => error);
    });
    return refused;
  };

  it("reports which they are, and how to create them", async () => {
    expect(String(await refuse())).toMatch(
      /Migration 0010_search_index failed: .*extension "pg_trgm".* run `CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin;`/,
    );
  });
});
