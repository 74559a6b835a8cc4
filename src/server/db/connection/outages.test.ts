import { v7 as newId } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { saveSetting } from "@/server/db/sql/writes/dated-writes";
import { log as processLog } from "@/server/log";
import {
  createServerDatabase,
  testServerUrl,
  toMigrationSession,
  withClient,
} from "@/test/database";
import { startPrivatePostgres } from "@/test/private-postgres";
import { startTcpProxy, type TcpProxy } from "@/test/tcp-proxy";
import { createDatabase } from "./create-database";
import type { Database } from "./database";
import { classifyFailure } from "./database-failure";
import { applyMigrations } from "./migrate.mjs";
import { type ConnectionLimits, postgresSource } from "./postgres";

/** In the same order as the real ones, and short, so that tests see them end. */
const LIMITS: ConnectionLimits = {
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 400,
  statementTimeoutMs: 800,
  queryTimeoutMs: 1_000,
  idleInTransactionMs: 1_200,
  maxAgeMs: 60 * 60_000,
};
const POOL_SIZE = 4;

const GET = { name: "test-get", text: "SELECT value FROM setting WHERE key = $1" };
const SET = {
  name: "test-set",
  text: "INSERT INTO setting (key, value) VALUES ($1, $2::jsonb)",
};
const LOCK = {
  name: "test-lock",
  text: "SELECT value FROM setting WHERE key = $1 FOR UPDATE",
};
const NOTIFY = { name: "test-notify", text: "SELECT pg_notify('test_outage', $1)" };

type LogLine = { level: string; msg: string; database?: string; reason?: string };
/** Collects what the process logs of a database: those of other files of the worker log too. */
const collectLog = (databaseUrl: string) => {
  const { host, pathname } = new URL(databaseUrl);
  const lines: LogLine[] = [];
  const spies = (["error", "info"] as const).map((level) =>
    vi.spyOn(processLog(), level).mockImplementation(((fields: Partial<LogLine>, msg: string) => {
      if (fields.database === host + pathname) lines.push({ ...fields, level, msg });
    }) as never),
  );
  return { lines, restore: () => spies.forEach((spy) => spy.mockRestore()) };
};

const unavailable = (message: string) => ({
  name: "DomainError",
  code: "unavailable",
  retryAfterSeconds: 5,
  message: expect.stringContaining(message) as string,
});

describe("classifyFailure", () => {
  const failure = (fields: object) => Object.assign(new Error("the database said so"), fields);

  it.each([
    ["a refused connection", failure({ code: "ECONNREFUSED" }), "unreachable"],
    ["a shutdown of the server", failure({ severity: "FATAL", code: "57P01" }), "unreachable"],
    ["a query without an answer", new Error("Query read timeout"), "unreachable"],
    ["a PANIC, whatever its code", failure({ severity: "PANIC", code: "53100" }), "unreachable"],
    ["a full disk", failure({ severity: "ERROR", code: "53100" }), "unwritable"],
    ["a read-only transaction", failure({ severity: "ERROR", code: "25006" }), "unwritable"],
    ["a statement that took too long", failure({ severity: "ERROR", code: "57014" }), "busy"],
    ["a deadlock", failure({ severity: "ERROR", code: "40P01" }), "conflicting"],
    ["damaged data", failure({ severity: "ERROR", code: "XX001" }), "damaged"],
    ["a damaged index", failure({ severity: "ERROR", code: "XX002" }), "damaged"],
    ["a missing file of a table", failure({ severity: "ERROR", code: "58P01" }), "damaged"],
    ["a file that the disk cannot read", failure({ severity: "ERROR", code: "58030" }), "damaged"],
    ["a failed serialization", failure({ severity: "ERROR", code: "40001" }), "conflicting"],
    ["a duplicate key", failure({ severity: "ERROR", code: "23505" }), undefined],
    ["an error of the program", new Error("a statement of the transaction had failed"), undefined],
    ["a thrown text", "Query read timeout", undefined],
  ])("knows %s", (_, error, kind) => {
    expect(classifyFailure(error)).toBe(kind);
  });
});

if (testServerUrl) {
  const server = testServerUrl;

  describe("limits of time", () => {
    let db: Database;
    beforeAll(async () => {
      const databaseUrl = await createMigratedDatabase(server, "_limits");
      db = createDatabase(postgresSource({ databaseUrl }, POOL_SIZE));
    });
    afterAll(() => db.close());

    it("end first a wait for a lock, then a statement, then a connection", async () => {
      const SHOW = (name: string) => ({
        name: `test-show-${name}`,
        text: `SELECT setting::int AS ms FROM pg_settings WHERE name = '${name}'`,
      });
      const [lock] = await db.query<{ ms: number }>(SHOW("lock_timeout"), []);
      const [statement] = await db.query<{ ms: number }>(SHOW("statement_timeout"), []);
      const [pooled] = await db.query<{ ms: number }>(
        { ...SHOW("statement_timeout"), usePool: true },
        [],
      );
      expect(lock?.ms).toBeGreaterThan(0);
      expect(statement?.ms).toBeGreaterThan(lock?.ms ?? 0);
      expect(pooled).toEqual(statement);
      // A lease lasts 30 s, is renewed each 10 s, and its turn ends 5 s before it.
      expect(statement?.ms).toBeLessThan(10_000);
    });
  });

  describe("data that the server cannot read", () => {
    const RAISE = (code: string) => ({
      name: `test-raise-${code}`,
      text: `DO $$ BEGIN RAISE EXCEPTION 'invalid page in block 1' USING ERRCODE = '${code}'; END $$`,
    });

    it.each(["XX001", "XX002"])("is known by %s, until the next start", async (code) => {
      const databaseUrl = await createMigratedDatabase(server, "_damaged");
      const { lines, restore } = collectLog(databaseUrl);
      const db = createDatabase(postgresSource({ databaseUrl }, POOL_SIZE));
      try {
        const message = "The database cannot read a part of its data";
        await expect(db.query(RAISE(code), [])).rejects.toMatchObject(unavailable(message));
        await expect(db.transaction((tx) => tx.query(RAISE(code), []))).rejects.toMatchObject(
          unavailable(message),
        );
        expect(await db.query(GET, ["none"])).toEqual([]);
        expect(db.status()).toEqual({
          isAvailable: true,
          isReachable: true,
          isDamaged: true,
          outages: 0,
        });
        expect(lines).toMatchObject([
          {
            level: "error",
            reason: expect.stringMatching(
              /^Data of the database is damaged: invalid page in block 1\. Repair its server/,
            ) as string,
          },
        ]);
      } finally {
        restore();
        await db.close();
      }
    });
  });

  describe("changes that are in each other's way", () => {
    let db: Database;
    let databaseUrl: string;
    beforeAll(async () => {
      databaseUrl = await createMigratedDatabase(server, "_deadlock");
      db = createDatabase(postgresSource({ databaseUrl }, POOL_SIZE));
    });
    afterAll(() => db.close());

    const lock = (key: number) => ({
      name: `test-lock-${key}`,
      text: `UPDATE setting SET value = '${key}' WHERE key = 'deadlock-${key}'`,
    });
    const [first, second] = [lock(1), lock(2)];
    const both = {
      name: "test-lock-both",
      text: `UPDATE setting SET value = value FROM (SELECT key FROM setting WHERE key LIKE 'deadlock-%' ORDER BY key DESC FOR UPDATE) AS locked
        WHERE setting.key = locked.key RETURNING setting.key`,
    };
    /** Of two that wait for each other, the one that is not patient is undone. */
    const beImpatient = { name: "test-impatient", text: "SET LOCAL deadlock_timeout = '10ms'" };
    const bePatient = { name: "test-patient", text: "SET LOCAL deadlock_timeout = '60s'" };
    /** Lists the sessions that wait for a lock. */
    const listWaiting = async (): Promise<number[]> => {
      const text = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      const statement = { name: "test-list-waiting", text, usePool: true } as const;
      return (await db.query<{ pid: number }>(statement, [])).map(({ pid }) => pid);
    };
    beforeEach(async () => {
      for (const key of [1, 2]) {
        await saveSetting(db, { key: `deadlock-${key}`, value: key });
      }
    });

    /** Changes the first, and the second when the other one waits for the first. */
    const start = () => {
      const [held, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const patient = db.transaction(async (tx) => {
        await tx.query(bePatient, []);
        await tx.query(first, []);
        held.resolve();
        await waits.promise;
        await tx.query(second, []);
      });
      return { held, waits, patient };
    };

    it("are refused for a moment if they are transactions, and the connection stays", async () => {
      const { held, waits, patient } = start();
      const impatient = db.transaction(async (tx) => {
        await held.promise;
        await tx.query(beImpatient, []);
        await tx.query(second, []);
        waits.resolve();
        await tx.query(first, []);
      });
      await expect(impatient).rejects.toMatchObject({
        code: "unavailable",
        kind: "conflicting",
        retryAfterSeconds: 1,
      });
      await patient;
      expect(db.status()).toMatchObject({ isAvailable: true, outages: 0 });
    });

    it("are repeated, or refused, when a lock was held for too long", async () => {
      const limited = createDatabase(
        postgresSource({ databaseUrl }, POOL_SIZE, { lockTimeoutMs: 300 }),
      );
      const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holder = db.transaction(async (tx) => {
        await tx.query(first, []);
        held.resolve();
        await ended.promise;
      });
      await held.promise;
      const refused = limited.transaction((tx) => tx.query(first, []));
      await expect(refused).rejects.toMatchObject({ code: "unavailable", kind: "conflicting" });
      const alone = limited.query(both, []);
      const sessions = new Set<number>();
      const countSessions = async (): Promise<number> => {
        for (const pid of await listWaiting()) sessions.add(pid);
        return sessions.size;
      };
      // The repetition has another session than the shared one.
      await expect.poll(countSessions, { interval: 5, timeout: 5_000 }).toBe(2);
      ended.resolve();
      expect(await alone).toHaveLength(2);
      await holder;
      await limited.close();
    });

    it("are repeated if they are single statements", async () => {
      const { held, waits, patient } = start();
      await held.promise;
      // Holds the second and waits for the first.
      const alone = db.query(both, []);
      await expect.poll(listWaiting, { timeout: 5_000 }).toHaveLength(1);
      waits.resolve();
      expect(await alone).toHaveLength(2);
      await patient;
    });
  });

  describe("a database behind a proxy that forgets its connections", () => {
    let proxy: TcpProxy;
    let db: Database;
    let log: ReturnType<typeof collectLog>;
    beforeAll(async () => {
      const databaseUrl = new URL(await createMigratedDatabase(server, "_proxy"));
      proxy = await startTcpProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port) });
      databaseUrl.host = `127.0.0.1:${proxy.port}`;
      db = createDatabase(
        postgresSource({ databaseUrl: databaseUrl.toString() }, POOL_SIZE, LIMITS),
      );
      log = collectLog(databaseUrl.toString());
    });
    afterAll(async () => {
      log.restore();
      await db.close();
      await proxy.close();
    });

    /** Opens the shared connection and all of the pool. */
    const openAll = async (): Promise<void> => {
      const opened = Promise.withResolvers<undefined>();
      let count = 0;
      const body = async (): Promise<void> => {
        count += 1;
        if (count === POOL_SIZE) opened.resolve(undefined);
        await opened.promise;
      };
      await Promise.all(Array.from({ length: POOL_SIZE }, () => db.transaction(body)));
      await db.query(GET, ["x"]);
    };

    it("releases the locks of a transaction that it cannot reach any more", async () => {
      const key = newId();
      await db.query(SET, [key, "1"]);
      const unreachable = db.transaction(async (tx) => {
        await tx.query(LOCK, [key]);
        proxy.silence();
        await tx.query(GET, [key]);
      });
      await expect(unreachable).rejects.toMatchObject(unavailable("connection"));
      const lock = () => db.query(LOCK, [key]).then(() => "locked", String);
      await expect.poll(lock).toBe("locked");
    });

    it("answers reads and begins transactions all the same", async () => {
      const key = newId();
      for (let round = 0; round < 2; round++) {
        await openAll();
        proxy.silence();
        await Promise.all([
          ...Array.from({ length: 20 }, () => db.query(GET, ["x"])),
          ...Array.from({ length: 20 }, () => db.prisma.setting.count()),
          db.transaction((tx) => tx.query(SET, [`${key}-${round}`, "1"])),
        ]);
        expect(await db.query(GET, [`${key}-${round}`])).toEqual([{ value: 1 }]);
      }
    });

    it("reports the outcome of other writes as unknown, and recovers", async () => {
      await openAll();
      proxy.silence();
      const key = newId();
      await expect(db.query(SET, [key, "1"])).rejects.toMatchObject(unavailable("connection"));
      await expect.poll(() => db.query(SET, [key, "1"]).catch(() => null)).toEqual([]);
    });

    it("repeats a fenced write whose connection was lost", async () => {
      await openAll();
      proxy.silence();
      const key = newId();
      const fenced = {
        name: "test-set-fenced",
        text: "INSERT INTO setting (key, value) VALUES ($1, '1') ON CONFLICT DO NOTHING RETURNING key",
        isFenced: true,
      };
      expect(await db.query(fenced, [key])).toEqual([{ key }]);
    });

    it("is listened to again, also if the process only listens", async () => {
      const received: string[] = [];
      const stop = await db.listen("test_outage", (payload) => received.push(payload));
      proxy.silence();
      // Nothing but the check of the connection itself notices it.
      await expect.poll(() => received).toEqual([""]);
      await db.query(NOTIFY, ["back"]);
      await expect.poll(() => received).toEqual(["", "back"]);
      await stop();
    });

    it("has its connections replaced when they are old", async () => {
      const [{ name } = { name: "" }] = await db.query<{ name: string }>(
        { name: "test-here", text: "SELECT current_database() AS name" },
        [],
      );
      const databaseUrl = new URL(server);
      databaseUrl.pathname = `/${name}`;
      const limits = { ...LIMITS, maxAgeMs: 1_000, queryTimeoutMs: 1_000 };
      const short = createDatabase(
        postgresSource({ databaseUrl: databaseUrl.toString() }, 1, limits),
      );
      const PID = { name: "test-pid", text: "SELECT pg_backend_pid() AS pid" };
      const read = async (usePool: boolean) =>
        (await short.query<{ pid: number }>(usePool ? { ...PID, usePool } : PID, []))[0]?.pid;
      const received: string[] = [];
      await short.listen("test_outage", (payload) => received.push(payload));
      const [shared, pooled] = [await read(false), await read(true)];
      await expect.poll(() => read(false)).not.toBe(shared);
      await expect.poll(() => read(true)).not.toBe(pooled);
      await short.query(NOTIFY, ["new"]);
      await expect.poll(() => received).toContain("new");
      await short.close();
    });
  });

  describe("a server that stops and starts", () => {
    let postgres: Awaited<ReturnType<typeof startPrivatePostgres>>;
    let db: Database;
    let log: ReturnType<typeof collectLog>;
    beforeAll(async () => {
      postgres = await startPrivatePostgres();
      await withClient(postgres.url, async (client) => {
        await applyMigrations(toMigrationSession(client));
      });
      db = createDatabase(postgresSource({ databaseUrl: postgres.url }, POOL_SIZE, LIMITS));
    });
    afterAll(async () => {
      await db.close();
      await postgres.stop();
    });
    afterEach(() => {
      log.restore();
    });

    it("is one outage: one line when it begins, one when it is over, and a count", async () => {
      log = collectLog(postgres.url);
      // A busy machine may be silent for a second, which is no outage here.
      const db = createDatabase(postgresSource({ databaseUrl: postgres.url }, POOL_SIZE));
      const received: string[] = [];
      const stop = await db.listen("test_outage", (payload) => received.push(payload));
      expect(db.status()).toMatchObject({ isAvailable: true, isReachable: true, outages: 0 });
      await postgres.pause();
      for (let count = 0; count < 50; count++) {
        const calls = [
          () => db.query(GET, ["x"]),
          () => db.query(SET, [newId(), "1"]),
          () => db.prisma.setting.count(),
          () => db.transaction((tx) => tx.query(SET, [newId(), "1"])),
        ];
        for (const call of calls) {
          await expect(call()).rejects.toMatchObject(unavailable("connection"));
        }
      }
      expect(db.status()).toMatchObject({ isAvailable: false, isReachable: false, outages: 1 });
      await postgres.resume();
      await expect
        .poll(() =>
          db.query(GET, ["x"]).then(
            () => db.status().isAvailable,
            () => false,
          ),
        )
        .toBe(true);
      await db.transaction((tx) => tx.query(SET, [newId(), "1"]));
      await db.prisma.setting.count();
      await expect.poll(() => received).toContain("");
      await db.query(NOTIFY, ["back"]);
      await expect.poll(() => received).toContain("back");
      expect(log.lines.map(({ level, msg }) => `${level}: ${msg}`)).toEqual([
        "error: the database is unreachable: requests get 503 until it is back",
        "info: the database works again",
      ]);
      expect(log.lines[0]?.reason).toBeTruthy();
      await stop();
      await db.close();
    });

    it("is written again after it was read-only, by sessions of that time too", async () => {
      log = collectLog(postgres.url);
      const { outages } = db.status();
      const setReadOnly = (value: string) =>
        withClient(postgres.url, async (client) => {
          await client.query("SET default_transaction_read_only = off");
          await client.query(
            `ALTER DATABASE postgres SET default_transaction_read_only = ${value}`,
          );
        });
      await setReadOnly("on");
      const old = createDatabase(postgresSource({ databaseUrl: postgres.url }, POOL_SIZE, LIMITS));
      const write = () => old.query(SET, [newId(), "1"]);
      const writeByPrisma = () =>
        old.prisma.setting.create({ data: { key: newId(), value: 1 } }).then(() => []);
      const transact = () => old.transaction((tx) => tx.query(SET, [newId(), "1"]));
      const transactByPrisma = () =>
        old.transaction(async (tx) => {
          await tx.prisma.setting.create({ data: { key: newId(), value: 1 } });
          return [];
        });
      const writes = [write, writeByPrisma, transact, transactByPrisma];
      for (const each of writes) {
        await expect(each()).rejects.toMatchObject(unavailable("accepts no changes"));
        expect(await old.query(GET, ["x"])).toEqual([]);
      }
      expect(old.status()).toMatchObject({ isAvailable: false, isReachable: true, outages: 1 });
      await setReadOnly("off");
      for (const each of writes) {
        await expect.poll(() => each().catch(() => null)).toEqual([]);
      }
      for (let count = 0; count < 2 * POOL_SIZE; count++) await transact();
      await old.close();
      expect(log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
      expect(db.status().outages).toBe(outages);
    });

    it("is worked with while one of its backends is stopped", async () => {
      log = collectLog(postgres.url);
      const PID = { name: "test-pid", text: "SELECT pg_backend_pid() AS pid" };
      const [shared] = await db.query<{ pid: number }>(PID, []);
      const pid = shared?.pid ?? 0;
      process.kill(pid, "SIGSTOP");
      try {
        expect(await db.query(GET, ["x"])).toEqual([]);
        await db.transaction((tx) => tx.query(SET, [newId(), "1"]));
        await expect
          .poll(async () => (await db.query<{ pid: number }>(PID, []))[0]?.pid)
          .not.toBe(pid);
      } finally {
        process.kill(pid, "SIGCONT");
      }
    });

    it("ends a statement that takes too long, without an outage", async () => {
      log = collectLog(postgres.url);
      const { outages } = db.status();
      const SLEEP = { name: "test-sleep", text: "SELECT pg_sleep(30)", usePool: true } as const;
      await expect(db.query(SLEEP, [])).rejects.toMatchObject(unavailable("too long"));
      const key = newId();
      await db.query(SET, [key, "1"]);
      const UPDATE = { name: "test-update", text: "UPDATE setting SET value = '2' WHERE key = $1" };
      await db.transaction(async (tx) => {
        await tx.query(UPDATE, [key]);
        const other = createDatabase(
          postgresSource({ databaseUrl: postgres.url }, POOL_SIZE, LIMITS),
        );
        await expect(other.query(UPDATE, [key])).rejects.toMatchObject({
          ...unavailable("Another change was in the way"),
          retryAfterSeconds: 1,
        });
        await other.close();
      });
      expect(db.status().outages).toBe(outages);
      expect(log.lines).toEqual([]);
    });
  });
}

const createMigratedDatabase = async (server: string, suffix: string): Promise<string> => {
  const databaseUrl = await createServerDatabase(server, suffix);
  await withClient(databaseUrl, async (client) => {
    await applyMigrations(toMigrationSession(client));
  });
  return databaseUrl;
};
