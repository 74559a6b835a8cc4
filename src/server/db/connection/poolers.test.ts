import { v7 as newId } from "uuid";
import { afterEach, describe, expect, it } from "vitest";
import {
  createServerDatabase,
  testServerUrl,
  toMigrationSession,
  withClient,
} from "@/test/database";
import { findFreePort, hasPgBouncer, type PgBouncerMode, startPgBouncer } from "@/test/pgbouncer";
import type { Database } from "./database";
import { applyMigrations } from "./migrate.mjs";
import { openDatabase } from "./open-database";
import { findPoolMode } from "./pool-mode";
import { createServerConfig } from "./server-client.mjs";

const SETTING = {
  name: "test-setting",
  text: "SELECT name, setting FROM pg_settings WHERE name = ANY($1)",
};
const PUBLISH = {
  name: "test-publish",
  announces: true,
  text: "SELECT $1::text AS notice",
} as const;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const createMigrated = async (server: string): Promise<string> => {
  const databaseUrl = await createServerDatabase(server, "_pooler");
  await withClient(databaseUrl, async (client) => {
    await applyMigrations(toMigrationSession(client));
  });
  return databaseUrl;
};

const open = (databaseUrl: string, directUrl?: string): Database => {
  const db = openDatabase({
    databaseUrl,
    ...(directUrl !== undefined && { directUrl }),
    dataDir: "",
    poolSize: 4,
  });
  closing.push(db.close);
  return db;
};

const startPooler = async (databaseUrl: string, mode: PgBouncerMode): Promise<string> => {
  const { url, close } = await startPgBouncer(databaseUrl, mode);
  closing.push(close);
  return url;
};

/** What a process does with its database, several times at once. */
const expectToWork = async (one: Database, two: Database): Promise<void> => {
  const received: string[] = [];
  await two.changes.subscribe((notice) => received.push(notice));
  const keys = Array.from({ length: 40 }, () => newId());
  const writes = keys.map((key) =>
    one.transaction(async (tx) => {
      await tx.prisma.setting.create({ data: { key, value: 1 } });
      await tx.query(PUBLISH, [key]);
      return tx.query(SETTING, [["TimeZone"]]);
    }),
  );
  const reads = keys.map((key) => one.prisma.setting.findUnique({ where: { key } }));
  const singles = keys.map((key) => one.query({ ...PUBLISH, usePool: true }, [`${key} pooled`]));
  for (const rows of await Promise.all(writes))
    expect(rows).toEqual([{ name: "TimeZone", setting: "UTC" }]);
  await Promise.all([...reads, ...singles]);
  expect(await one.prisma.setting.count({ where: { key: { in: keys } } })).toBe(keys.length);
  await expect
    .poll(() => received.toSorted())
    .toEqual(keys.flatMap((key) => [key, `${key} pooled`]).toSorted());
};

const describePoolers = (server: string): void => {
  it("works through a pooler that keeps sessions, with all limits", async () => {
    const url = await startPooler(await createMigrated(server), "session");
    const [one, two] = [open(url), open(url)];
    await expectToWork(one, two);
    for (const usePool of [true, false]) {
      const rows = await one.query<{ name: string; setting: string }>(
        { ...SETTING, ...(usePool && { usePool }) },
        [["statement_timeout", "lock_timeout", "enable_seqscan", "TimeZone"]],
      );
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
        statement_timeout: "8000",
        lock_timeout: "4000",
        enable_seqscan: "off",
        TimeZone: "UTC",
      });
    }
  });

  it("refuses one in transaction mode by itself, and says what to set", async () => {
    const databaseUrl = await createMigrated(server);
    const url = await startPooler(databaseUrl, "transaction");
    await expect(open(url).query(SETTING, [[]])).rejects.toThrow(
      "DATABASE_URL is the address of a pooler in transaction mode, which delivers no notifications: set DATABASE_DIRECT_URL",
    );
    await expect(open(databaseUrl, url).query(SETTING, [[]])).rejects.toThrow(
      "DATABASE_DIRECT_URL is the address of a pooler that keeps no sessions",
    );
  });

  it("refuses one in statement mode", async () => {
    const databaseUrl = await createMigrated(server);
    const url = await startPooler(databaseUrl, "statement");
    await expect(open(url, databaseUrl).query(SETTING, [[]])).rejects.toThrow(
      "DATABASE_URL is the address of a pooler in statement mode, which allows no transactions",
    );
  });

  it("works through a pooler in transaction mode with a direct address", async () => {
    const databaseUrl = await createMigrated(server);
    const url = await startPooler(databaseUrl, "transaction");
    await expectToWork(open(url, databaseUrl), open(url, databaseUrl));
  });
};

it("is unknown while the server is away", async () => {
  const port = await findFreePort();
  await expect(
    findPoolMode(createServerConfig(`postgresql://127.0.0.1:${port}`, "DATABASE_URL")),
  ).rejects.toThrow("ECONNREFUSED");
});

if (testServerUrl && hasPgBouncer) {
  const server = testServerUrl;
  describe("a pooler", () => describePoolers(server));
} else if (testServerUrl) {
  process.stdout.write("Poolers are not tried, because PgBouncer is not installed.\n");
}
