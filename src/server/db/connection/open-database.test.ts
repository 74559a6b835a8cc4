import { globSync } from "node:fs";
import path from "node:path";
import { v7 as newId } from "uuid";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  createServerDatabase,
  toMigrationSession,
  testDatabase,
  testServerUrl,
  withClient,
} from "@/test/database";
import { createUser } from "@/test/factories";
import type { Database, Queryable, Statement, Transaction } from "./database";
import { applyMigrations } from "./migrate.mjs";
import { toJsonText } from "./nul";
import { openDatabase } from "./open-database";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const SET = {
  name: "test-set",
  text: "INSERT INTO setting (key, value) VALUES ($1, $2::jsonb)",
};
const HERE = { name: "test-here", text: "SELECT current_database() AS name" };
const CUT: Statement = {
  name: "test-cut",
  // From a connection of the pool, so that the shared one is cut too.
  usePool: true,
  text: `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`,
};
const RAISE = {
  name: "test-raise",
  text: "UPDATE setting SET value = to_jsonb($2::int) WHERE key = $1",
};
const GET = { name: "test-get", text: "SELECT value FROM setting WHERE key = $1" };

const set = (on: Queryable, key: string, value: unknown) => on.query(SET, [key, toJsonText(value)]);
const get = async (key: string) => (await db.query<{ value: unknown }>(GET, [key]))[0]?.value;

describe("query", () => {
  it("reads each type as what the program works with", async () => {
    const [row] = await db.query(
      {
        name: "test-types",
        text: `SELECT $1::jsonb AS json, $2::timestamptz AS time, '2026-01-02 03:04:05.6+02'::timestamptz AS offset,
          9007199254740991::bigint AS big, count(*) AS count, $3::text AS text, $4::uuid AS id,
          $5::text[] AS texts, NULL::jsonb AS nothing, true AS yes, '\\x00ff'::bytea AS bytes
          FROM generate_series(1, 3)`,
      },
      [
        toJsonText({ a: [1, null] }),
        new Date("2026-01-02T03:04:05.678Z"),
        "text",
        "01890000-0000-7000-8000-000000000000",
        ["a", "b,c"],
      ],
    );
    expect(row).toEqual({
      json: { a: [1, null] },
      time: new Date("2026-01-02T03:04:05.678Z"),
      offset: new Date("2026-01-02T01:04:05.600Z"),
      big: 9007199254740991,
      count: 3,
      text: "text",
      id: "01890000-0000-7000-8000-000000000000",
      texts: ["a", "b,c"],
      nothing: null,
      yes: true,
      bytes: Buffer.from([0, 255]),
    });
  });

  it("gives rows as arrays where the statement asks for them", async () => {
    const statement = { name: "test-array", text: "SELECT 1, 'a'", rowMode: "array" } as const;
    expect(await db.query(statement, [])).toEqual([[1, "a"]]);
  });

  it("keeps NUL characters of text and JSON", async () => {
    const text = "a\0b \uFDD0\uFDD1 c";
    const [row] = await db.query(
      {
        name: "test-nul",
        text: "SELECT $1::text AS text, to_jsonb($2::text[]) AS texts, $3::jsonb AS json, $4::json AS plain",
      },
      [text, [text], toJsonText({ [text]: [text] }), JSON.stringify({ "\uFDD0": "\uFDD1" })],
    );
    expect(row).toEqual({
      text,
      texts: [text],
      json: { [text]: [text] },
      plain: { "\uFDD0": "\uFDD1" },
    });
  });

  it("goes on with the same statement after it has failed", async () => {
    const divide = { name: "test-divide", text: "SELECT 6 / $1::int AS result" };
    await expect(db.query(divide, [0])).rejects.toMatchObject({ code: "22012" });
    expect(await db.query(divide, [2])).toEqual([{ result: 3 }]);
    await expect(db.query({ name: "test-broken", text: "SELEC 1" }, [])).rejects.toThrow(/SELEC/);
    expect(await db.query(divide, [3])).toEqual([{ result: 2 }]);
  });
});

describe("queries that are sent together", () => {
  const divide = { name: "test-divide-many", text: "SELECT 840 / $1::int AS result" };

  it("get their own answers, and one that fails fails alone", async () => {
    const answers = await Promise.allSettled(
      [1, 2, 0, 3, 4, 0, 5].map((by) => db.query(divide, [by])),
    );
    const results = answers.map((answer) =>
      answer.status === "fulfilled" ? answer.value : (answer.reason as { code: string }).code,
    );
    expect(results).toEqual([
      [{ result: 840 }],
      [{ result: 420 }],
      "22012",
      [{ result: 280 }],
      [{ result: 210 }],
      "22012",
      [{ result: 168 }],
    ]);
  });
});

describe("a long run of queries", () => {
  it("leaves the event loop free for others", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const statement = { name: "test-one", text: "SELECT 1" };
    for (let count = 0; count < 20_000 && turns < 3; count++) await db.query(statement, []);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});

describe("transaction", () => {
  it("keeps all of a body that resolves", async () => {
    const [one, two] = [newId(), newId()];
    const result = await db.transaction(async (tx) => {
      await set(tx, one, 1);
      await set(tx, two, 2);
      return "done";
    });
    expect([result, await get(one), await get(two)]).toEqual(["done", 1, 2]);
  });

  it("keeps nothing of a body that rejects", async () => {
    const key = newId();
    const body = async (tx: Queryable): Promise<never> => {
      await set(tx, key, 1);
      throw new Error("changed my mind");
    };
    await expect(db.transaction(body)).rejects.toThrow("changed my mind");
    expect(await get(key)).toBeUndefined();
  });

  it("does not pretend to have committed after a failed statement", async () => {
    const key = newId();
    const swallowing = db.transaction(async (tx) => {
      await set(tx, key, 1);
      await set(tx, key, 2).catch(() => null);
    });
    await expect(swallowing).rejects.toThrow("a statement of the transaction had failed");
    expect(await get(key)).toBeUndefined();
  });

  it("refuses the database itself inside", async () => {
    const { setting } = db.prisma;
    const outer = [
      () => db.query(GET, ["x"]),
      () => db.prisma.setting.count(),
      () => setting.count(),
      () => db.transaction(() => Promise.resolve(0)),
    ];
    for (const use of outer) {
      await expect(db.transaction<unknown>(use)).rejects.toThrow(
        "inside a transaction only its own `tx` may be used",
      );
    }
    expect(await setting.count({ where: { key: newId() } })).toBe(0);
  });

  it("refuses its own handle afterwards", async () => {
    const { used, unused } = await db.transaction(async (tx) => {
      await tx.prisma.setting.count();
      return { used: tx, unused: tx.prisma.setting };
    });
    for (const use of [
      () => used.query(GET, ["x"]),
      () => used.prisma.setting.count(),
      () => unused.count(),
    ]) {
      await expect(use()).rejects.toThrow("the transaction has ended");
    }
  });

  it("serves many at once, each alone", async () => {
    const key = newId();
    await set(db, key, 0);
    const lock = { name: "test-lock", text: `${GET.text} FOR UPDATE` };
    await Promise.all(
      Array.from({ length: 50 }, () =>
        db.transaction(async (tx) => {
          const [row] = await tx.query<{ value: number }>(lock, [key]);
          await tx.query(RAISE, [key, (row?.value ?? 0) + 1]);
        }),
      ),
    );
    expect(await get(key)).toBe(50);
  });
});

describe("prisma", () => {
  it("sees the same rows, and times in UTC", async () => {
    const before = new Date();
    const id = await createUser(db);
    const user = await db.prisma.user.findUniqueOrThrow({ where: { id } });
    const [row] = await db.query<{ created_at: Date }>(
      { name: "test-user-time", text: `SELECT created_at FROM "user" WHERE id = $1` },
      [id],
    );
    expect(user.createdAt).toEqual(row?.created_at);
    expect(user.createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(user.createdAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("runs transactions between others", async () => {
    const id = await createUser(db);
    await Promise.all([
      db.transaction(async (tx) => {
        await tx.prisma.user.update({ where: { id }, data: { name: "One" } });
        await tx.prisma.user.update({ where: { id }, data: { name: "Two" } });
      }),
      db.transaction((tx) => set(tx, newId(), 1)),
    ]);
    expect((await db.prisma.user.findUniqueOrThrow({ where: { id } })).name).toBe("Two");
  });
});

describe("Prisma's statements", () => {
  it("are prepared once on a connection", async () => {
    const key = newId();
    const PREPARED = {
      name: "test-prepared",
      text: `SELECT generic_plans AS runs FROM pg_prepared_statements
        WHERE name LIKE 'prisma-%' AND statement LIKE '%"setting"%"key" <> $1%'`,
    };
    const rows = await db.transaction(async (tx) => {
      for (let index = 0; index < 3; index++) {
        await tx.prisma.setting.findFirst({ where: { key: { not: key } } });
      }
      return tx.query(PREPARED, []);
    });
    expect(rows).toEqual([{ runs: 3 }]);
  });
});

describe("a transaction of statements and Prisma", () => {
  const write = async (tx: Transaction, userId: string): Promise<void> => {
    const key = { userId, route: "POST /chats", key: "a" };
    await set(tx, userId, 1);
    await tx.prisma.idempotencyKey.create({
      data: { ...key, bodyHash: "", status: 200, headers: {} },
    });
    await tx.query(RAISE, [userId, 2]);
    await tx.prisma.setting.update({
      where: { key: userId, value: { equals: 2 } },
      data: { value: 3 },
    });
    await tx.prisma.user.update({
      where: { id: userId },
      data: { apiKeys: { create: { id: newId(), name: "one", prefix: "", hash: userId } } },
    });
  };
  const written = async (userId: string) => [
    await get(userId),
    await db.prisma.idempotencyKey.count({ where: { userId } }),
    await db.prisma.apiKey.count({ where: { userId } }),
  ];

  it("is committed as one, each of its writes seen by the next", async () => {
    const userId = await createUser(db);
    await db.transaction((tx) => write(tx, userId));
    expect(await written(userId)).toEqual([3, 1, 1]);
  });

  it("is rolled back as one", async () => {
    const userId = await createUser(db);
    const body = async (tx: Transaction): Promise<never> => {
      await write(tx, userId);
      throw new Error("changed my mind");
    };
    await expect(db.transaction(body)).rejects.toThrow("changed my mind");
    expect(await written(userId)).toEqual([undefined, 0, 0]);
  });

  it("does not pretend to have committed after Prisma has failed", async () => {
    const userId = await createUser(db);
    const swallowing = db.transaction(async (tx) => {
      await write(tx, userId);
      const again = tx.prisma.setting.create({ data: { key: userId, value: 4 } });
      await expect(again).rejects.toMatchObject({ code: "P2002" });
    });
    await expect(swallowing).rejects.toThrow("a statement of the transaction had failed");
    expect(await written(userId)).toEqual([undefined, 0, 0]);
  });

  it("reads what it has written, despite concurrent reads", async () => {
    const keys = Array.from({ length: 12 }, () => newId());
    const found = await Promise.all(
      keys.flatMap((key) => [
        db.transaction(async (tx) => {
          await set(tx, key, key);
          const others = keys.map((other) =>
            tx.prisma.setting.findUnique({ where: { key: other } }),
          );
          const values = (await Promise.all(others)).map((row) => row?.value);
          return { own: values[keys.indexOf(key)] };
        }),
        db.prisma.setting.findUnique({ where: { key: `${key}-none` } }),
      ]),
    );
    expect(found).toEqual(keys.flatMap((key) => [{ own: key }, null]));
  });
});

describe("listen", () => {
  const notify = (on: Queryable, channel: string, payload: string) =>
    on.query({ name: "test-notify", text: "SELECT pg_notify($1, $2)" }, [channel, payload]);

  it("delivers what is committed, in order, and nothing that is rolled back", async () => {
    const received: string[] = [];
    const stop = await db.listen("test_order", (payload) => received.push(payload));
    await notify(db, "test_order", "first");
    await db
      .transaction(async (tx) => {
        await notify(tx, "test_order", "never");
        throw new Error("no");
      })
      .catch(() => null);
    await db.transaction(async (tx) => {
      await notify(tx, "test_order", "second");
      expect(received).not.toContain("second");
    });
    await notify(db, "test_other", "elsewhere");
    await expect.poll(() => received).toEqual(["first", "second"]);
    await stop();
  });

  it("delivers to every listener of a channel, until it stops", async () => {
    const received: string[] = [];
    const stopOne = await db.listen("test_two", (payload) => received.push(`one ${payload}`));
    const stopTwo = await db.listen("test_two", (payload) => received.push(`two ${payload}`));
    await notify(db, "test_two", "a");
    await expect.poll(() => received.sort()).toEqual(["one a", "two a"]);
    await stopOne();
    await notify(db, "test_two", "b");
    await expect.poll(() => received.sort()).toEqual(["one a", "two a", "two b"]);
    await stopTwo();
  });

  it("can begin during another transaction that is rolled back", async () => {
    const received: string[] = [];
    const started = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<never>();
    const rolledBack = db
      .transaction(() => {
        started.resolve(undefined);
        return ended.promise;
      })
      .catch(() => null);
    await started.promise;
    const listening = db.listen("test_during", (payload) => received.push(payload));
    ended.reject(new Error("no"));
    await rolledBack;
    const stop = await listening;
    await notify(db, "test_during", "received");
    await expect.poll(() => received).toEqual(["received"]);
    await stop();
  });

  it("lets the same function listen twice", async () => {
    const received: string[] = [];
    const listener = (payload: string) => void received.push(payload);
    const stops = [await db.listen("test_same", listener), await db.listen("test_same", listener)];
    await notify(db, "test_same", "x");
    await expect.poll(() => received).toEqual(["x", "x"]);
    await stops[0]?.();
    await notify(db, "test_same", "y");
    await expect.poll(() => received).toEqual(["x", "x", "y"]);
    await stops[1]?.();
  });
});

if (testServerUrl) {
  describe("a query that waits for a lock", () => {
    it("does not keep others waiting", async () => {
      const key = newId();
      await set(db, key, 0);
      const held = Promise.withResolvers<undefined>();
      const locked = Promise.withResolvers<undefined>();
      const holder = db.transaction(async (tx) => {
        await tx.query({ name: "test-hold", text: `${GET.text} FOR UPDATE` }, [key]);
        locked.resolve(undefined);
        await held.promise;
      });
      await locked.promise;
      const raise = {
        name: "test-raise-held",
        text: `UPDATE setting SET value = '1' WHERE key = $1 RETURNING value`,
      };
      const waiting = db.query(raise, [key]);
      const seen: unknown[] = [];
      const ask = (): boolean => {
        get(key).then(
          (value) => seen.push(value),
          (error: unknown) => seen.push(error),
        );
        return seen.length > 0;
      };
      await expect.poll(ask, { interval: 20 }).toBe(true);
      expect(seen[0]).toBe(0);
      held.resolve(undefined);
      await holder;
      expect(await waiting).toEqual([{ value: 1 }]);
    });
  });

  describe("a process that waits for its server", () => {
    // As long as a commit on a slow disk.
    const WAIT = {
      name: "test-wait",
      text: "SELECT pg_backend_pid() AS pid FROM (SELECT pg_sleep(0.005)) AS slept",
    };
    const wait = async (): Promise<number | undefined> =>
      (await db.query<{ pid: number }>(WAIT, []))[0]?.pid;

    it("spreads single statements over more connections for as long", async () => {
      const used = new Set<number | undefined>();
      const work = async (): Promise<void> => {
        while (used.size < 8) used.add(await wait());
      };
      await Promise.all(Array.from({ length: 32 }, work));
      const waitInTurn = async () => new Set([await wait(), await wait(), await wait()]).size;
      // Longer than the time after which one is enough again.
      await expect.poll(waitInTurn, { interval: 600, timeout: 10_000 }).toBe(1);
    });
  });

  describe("a server whose database was not migrated", () => {
    it("is refused with a sentence that says what to run, until that was done", async () => {
      const databaseUrl = await createServerDatabase(testServerUrl ?? "", "_unmigrated");
      const unmigrated = openDatabase({ databaseUrl, dataDir: "", poolSize: 1 });
      const names = globSync("prisma/migrations/*/")
        .sort()
        .map((name) => path.basename(name));
      expect(names).toContain("0001_init");
      await expect(unmigrated.query(GET, ["x"])).rejects.toThrow(
        `The database of DATABASE_URL lacks the migration ${names.join(", ")}: run \`npm run db:migrate\`.`,
      );
      await withClient(databaseUrl, async (client) => {
        await applyMigrations(toMigrationSession(client));
      });
      expect(await unmigrated.query(GET, ["x"])).toEqual([]);
      await unmigrated.close();
    });
  });

  describe("a server that drops its connections", () => {
    const notify = { name: "test-notify-cut", text: "SELECT pg_notify('test_cut', $1)" };

    // Later listeners must not be called for these gaps.
    afterAll(async () => {
      const received: string[] = [];
      const stop = await db.listen("test_cut", (payload) => received.push(payload));
      await vi.waitFor(async () => {
        await db.query(notify, ["back"]).catch(() => null);
        expect(received).toContain("back");
      }, 60_000);
      await stop();
    });

    it("is listened to again, and listeners are called for the gap", async () => {
      const received: string[] = [];
      const stop = await db.listen("test_cut", (payload) => received.push(payload));
      for (let round = 1; round <= 3; round++) {
        await db.query(CUT, []);
        await expect.poll(() => received).toHaveLength(2 * round - 1);
        await db.query(notify, [`round ${round}`]);
        await expect.poll(() => received).toHaveLength(2 * round);
      }
      expect(received).toEqual(["", "round 1", "", "round 2", "", "round 3"]);
      await stop();
    });

    it("serves queries, transactions and Prisma again", async () => {
      await Promise.all(Array.from({ length: 5 }, () => db.query(GET, ["x"])));
      await db.prisma.setting.count();
      await db.query(CUT, []);
      // Connections that were idle are gone from the pool as soon as their end is noticed.
      await expect.poll(() => db.query(GET, ["x"]).catch(() => null)).toEqual([]);
      await expect.poll(() => db.prisma.setting.count().catch(() => null)).toBeTypeOf("number");
    });

    it("leaves no half transaction", async () => {
      const key = newId();
      const [here] = await db.query<{ name: string }>(HERE, []);
      const databaseUrl = new URL(testServerUrl ?? "");
      databaseUrl.pathname = `/${here?.name}`;
      const cut = db.transaction(async (tx) => {
        await set(tx, key, 1);
        await withClient(databaseUrl.toString(), async (client) => {
          await client.query(CUT.text);
        });
        await set(tx, `${key}-second`, 2);
      });
      await expect(cut).rejects.toThrow(/connection/i);
      await expect.poll(() => get(key).catch(() => "away")).toBeUndefined();
    });
  });
}
