import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import {
  createServerDatabase,
  testDatabase,
  testServerUrl,
  toMigrationSession,
  withClient,
} from "@/test/database";
import { ChatStatus } from "@/contract/chat";
import type { Database } from "./database";
import { applyMigrations } from "./migrate.mjs";
import { openDatabase } from "./open-database";

const PUBLISH = {
  name: "test-publish",
  announces: true,
  text: "SELECT $1::text AS notice",
} as const;
const CUT = {
  name: "test-cut",
  usePool: true,
  text: `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`,
} as const;

/** Ends its own connection, before its answer. */
const LOST = {
  name: "test-lost",
  announces: true,
  usePool: true,
  text: "WITH ended AS MATERIALIZED (SELECT pg_terminate_backend(pg_backend_pid()) AS is_ended) INSERT INTO setting (key, value) SELECT 'lost', to_jsonb(is_ended) FROM ended RETURNING key AS notice",
} as const;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Two processes with one database, each with the notices that it gets. */
const openTwo = async (server: string) => {
  const databaseUrl = await createServerDatabase(server, "_bus");
  await withClient(databaseUrl, async (client) => {
    await applyMigrations(toMigrationSession(client));
  });
  const open = async (): Promise<{ db: Database; notices: string[] }> => {
    const db = openDatabase({ databaseUrl, dataDir: "", poolSize: 2 });
    closing.push(db.close);
    const notices: string[] = [];
    await db.changes.subscribe((notice) => notices.push(notice));
    return { db, notices };
  };
  return [await open(), await open()] as const;
};

const publish = (db: Pick<Database, "query">, notice: string) => db.query(PUBLISH, [notice]);

it("publishes a change when it is committed, and nothing of one that is rolled back", async () => {
  const db = await testDatabase();
  const notices: string[] = [];
  const own = randomUUID();
  const unsubscribe = await db.changes.subscribe((notice) => {
    if (notice.startsWith(own)) notices.push(notice.slice(own.length + 1));
  });
  const failing = db.transaction(async (tx) => {
    await publish(tx, `${own} undone`);
    throw new Error("undone");
  });
  await expect(failing).rejects.toThrow("undone");
  await publish(db, `${own} single`);
  await db.transaction(async (tx) => {
    await publish(tx, `${own} first`);
    await new Promise(setImmediate);
    expect(notices).not.toContain("first");
    await publish(tx, `${own} second`);
  });
  await expect.poll(() => notices).toEqual(["single", "first", "second"]);
  await unsubscribe();
  await publish(db, `${own} later`);
  await new Promise(setImmediate);
  expect(notices).toHaveLength(3);
});

const describeProcesses = (server: string): void => {
  it("gives every process each change once, in the order of the commits of one", async () => {
    const [one, two] = await openTwo(server);
    // As long as those of chats, so that they need several payloads.
    const sent = Array.from({ length: 500 }, (_, index) => `${index} ${randomUUID().repeat(3)}`);
    for (const notice of sent) await publish(one.db, notice);
    await expect.poll(() => two.notices.length).toBe(sent.length);
    expect(one.notices).toEqual(sent);
    expect(two.notices).toEqual(sent);
  });

  it("loses no notice with its connections, but reports a gap to who has not received", async () => {
    const [one, two] = await openTwo(server);
    await publish(one.db, "before");
    await expect.poll(() => two.notices).toEqual(["before"]);
    await one.db.query(CUT, []);
    await expect
      .poll(() =>
        publish(one.db, "after").then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect
      .poll(() => [one.notices, two.notices].map((all) => all.includes("")))
      .toEqual([true, true]);
    await expect.poll(() => two.notices.at(-1)).toBe("after");
  });

  it("reports nothing to others when the answer of one statement was lost", async () => {
    const [one, two] = await openTwo(server);
    await expect(one.db.query(LOST, [])).rejects.toMatchObject({ kind: "unreachable" });
    await publish(one.db, "after");
    await expect.poll(() => two.notices).toEqual(["after"]);
    expect(one.notices).toEqual(["after"]);
  });

  it("sends what processes of an earlier version take for a gap", async () => {
    const [one] = await openTwo(server);
    const payloads: string[] = [];
    await one.db.listen("parley_chat", (payload) => payloads.push(payload));
    await publish(one.db, "id 1 pending user");
    await expect.poll(() => payloads).toHaveLength(1);
    // They find the status of a notice behind its second space.
    expect(ChatStatus.safeParse(payloads[0]?.split(" ")[2]).success).toBe(false);
  });

  it("understands processes of an earlier version, which notify with each commit", async () => {
    const [one, two] = await openTwo(server);
    const text = "SELECT pg_notify('parley_chat', $1)";
    await one.db.query({ name: "test-earlier", text }, ["id 1 pending user"]);
    await expect
      .poll(() => [one.notices, two.notices])
      .toEqual([["id 1 pending user"], ["id 1 pending user"]]);
  });
};

if (testServerUrl) {
  const server = testServerUrl;
  describe("the bus of processes with one server", () => describeProcesses(server));
}
