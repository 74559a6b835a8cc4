import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createDatabaseProbe } from "@/server/app/database-probe";
import type { WorkerActivity } from "@/server/stream/worker-activity";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import { createDatabase } from "@/server/db/connection/create-database";
import { openDatabase } from "@/server/db/connection/open-database";
import { postgresSource } from "@/server/db/connection/postgres";
import { createClient, createTestApi, ORIGIN, type TestApi } from "@/test/api-client";
import { hasPgBouncer, startPgBouncer } from "@/test/pgbouncer";
import { startPrivatePostgres } from "@/test/private-postgres";
import { createAccount, PASSWORD, postAuth, signIn } from "@/test/session-client";
import { testDatabase, testServerUrl, toMigrationSession, withClient } from "@/test/database";
import { createUnreachableDatabase } from "@/test/database-doubles";
import { HANGING } from "@/test/hanging";
import { handleHealthz, handleReadyz } from "./health";

/** What the probe of a process on this database asks. */
const start = (db: Database) => ({
  probe: createDatabaseProbe(db, { timeoutMs: HANGING.timeout }),
  activity: {} as WorkerActivity,
});

beforeAll(async () => {
  const { probe } = start(await testDatabase());
  // A connection that a test before has lost counts as an outage for some seconds.
  await vi.waitFor(async () => expect(await probe.isUsable()).toBe(true), HANGING);
});

describe("health probes", () => {
  it("report a live process", async () => {
    const { api } = createTestApi(await testDatabase());
    expect(api.handleHealthz().status).toBe(200);
  });

  it("report a process whose embedded database has failed", () => {
    expect(handleHealthz({ failure: AbortSignal.abort() }).status).toBe(503);
  });

  it("report a ready process", async () => {
    const response = await handleReadyz(start(await testDatabase()));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "ok",
      checks: { database: true, data: true, worker: true, running: true },
    });
  });

  it("report an unreachable database", async () => {
    const gone = createUnreachableDatabase(await testDatabase(), "gone");
    const response = await handleReadyz(start(gone));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { database: false } });
  });

  it("report an outage until it is over, as requests fail although a probe succeeds", async () => {
    const db = { ...(await testDatabase()) };
    const available = db.status();
    db.status = () => ({ ...available, isAvailable: false });
    const checked = start(db);
    const response = await handleReadyz(checked);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { database: false } });
    db.status = () => available;
    expect((await handleReadyz(checked)).status).toBe(200);
  });

  it("report a worker that does not claim any more, until it has ended", async () => {
    const checked = start(await testDatabase());
    checked.activity.claimedAt = performance.now();
    expect((await handleReadyz(checked)).status).toBe(200);
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now + 16_000);
    try {
      const response = await handleReadyz(checked);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ checks: { database: true, worker: false } });
      checked.activity.claimedAt = performance.now();
      expect((await handleReadyz(checked)).status).toBe(200);
    } finally {
      clock.mockRestore();
    }
  });

  it("claim and write, and share that among all probes of two seconds", async () => {
    const original = await testDatabase();
    const statements: string[] = [];
    const db: Database = {
      ...original,
      query: (statement, values) => {
        statements.push(statement.name);
        return original.query(statement, values);
      },
    };
    const readProbe = () =>
      original.prisma.setting.findUnique({ where: { key: "readiness_probe" } });
    const before = await readProbe();
    const checked = start(db);
    const responses = await Promise.all(Array.from({ length: 20 }, () => handleReadyz(checked)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(statements.filter((name) => name === "claim-chats")).toHaveLength(1);
    expect((await readProbe())?.updatedAt).not.toEqual(before?.updatedAt);
  });

  it("report a process that shuts down", async () => {
    const response = await handleReadyz(start(await testDatabase()), AbortSignal.abort());
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ checks: { database: true, running: false } });
  });
});

const POOL_SIZE = 3;
/** How often an idle connection is checked, which is 10 s otherwise. */
const CHECK_MS = 1_000;

type Answers = Record<"read" | "write", () => Promise<number>>;

/** The API of a process on a database. */
const startApi = async (db: Database) => {
  const { api, faults } = createTestApi(db);
  const { key } = await createClient(db, createTestApi(db), { role: "owner" });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const url = `${ORIGIN}/api/v1/chats`;
  const body = JSON.stringify({ content: "Hello" });
  const send = async (init: RequestInit): Promise<number> =>
    (await api.handleRest(new Request(url, { headers, ...init }))).status;
  const answers: Answers = {
    read: () => send({}),
    write: () => send({ method: "POST", body }),
  };
  return { answers, faults, readiness: async () => (await api.handleReadyz()).status };
};

/** Requires that the process says that it is not ready, fails requests only with 503, and works again by itself. */
const expectOutage = async (
  { answers, readiness, faults }: Awaited<ReturnType<typeof startApi>>,
  begin: () => unknown,
  end: () => unknown,
): Promise<void> => {
  const statuses = new Set<number>();
  const sendUntil = async (status: number): Promise<void> => {
    const isReached = async (): Promise<boolean> => {
      for (const send of Object.values(answers)) statuses.add(await send());
      return (await readiness()) === status;
    };
    await vi.waitFor(async () => expect(await isReached()).toBe(true), HANGING);
  };
  await sendUntil(200);
  await begin();
  await sendUntil(503);
  await end();
  await sendUntil(200);
  expect(faults).toEqual([]);
  expect([...statuses].filter((status) => status >= 300)).toEqual([503]);
  for (const [name, send] of Object.entries(answers)) expect(await send(), name).toBeLessThan(300);
};

const describeReadiness = (): void => {
  let postgres: Awaited<ReturnType<typeof startPrivatePostgres>>;
  const run = (...statements: string[]): Promise<void> =>
    withClient(postgres.url, async (client) => {
      for (const sql of statements) await client.query(sql);
    });
  beforeAll(async () => {
    postgres = await startPrivatePostgres();
  });
  afterAll(() => postgres.stop());

  /** Creates a role and its database, both with this name. @returns its address. */
  const create = async (name: string): Promise<string> => {
    await run(
      `CREATE ROLE ${name} LOGIN PASSWORD 'first'`,
      `CREATE DATABASE ${name} OWNER ${name}`,
    );
    const url = new URL(postgres.url);
    [url.username, url.password, url.pathname] = [name, "first", `/${name}`];
    await withClient(url.toString(), async (client) => {
      await applyMigrations(toMigrationSession(client));
    });
    return url.toString();
  };
  const terminate = (name: string): Promise<void> =>
    run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name}'`);
  const open = (
    { onTestFinished }: TestContext,
    databaseUrl: string,
    directUrl: string | null = null,
  ): Database => {
    const limits = { queryTimeoutMs: CHECK_MS };
    const db = createDatabase(postgresSource({ databaseUrl, directUrl }, POOL_SIZE, limits));
    onTestFinished(db.close);
    return db;
  };
  const startPooler = async ({ onTestFinished }: TestContext, url: string, port?: number) => {
    const pooler = await startPgBouncer(url, "session", { ...(port && { port }) });
    onTestFinished(pooler.close);
    return pooler;
  };

  it("follows a server that is read-only for some time", async (test) => {
    const api = await startApi(open(test, await create("unwritable")));
    const set = (value: string) => () =>
      run(`ALTER DATABASE unwritable SET default_transaction_read_only = ${value}`).then(() =>
        terminate("unwritable"),
      );
    await expectOutage(api, set("on"), set("off"));
  });

  it("follows a password that is changed", async (test) => {
    const api = await startApi(open(test, await create("locked")));
    await expectOutage(
      api,
      async () => {
        await run("ALTER ROLE locked PASSWORD 'second'");
        await terminate("locked");
      },
      () => run("ALTER ROLE locked PASSWORD 'first'"),
    );
  });

  it("follows a role without a free connection", async (test) => {
    const api = await startApi(open(test, await create("crowded")));
    await expectOutage(
      api,
      async () => {
        await run("ALTER ROLE crowded CONNECTION LIMIT 0");
        await terminate("crowded");
      },
      () => run("ALTER ROLE crowded CONNECTION LIMIT -1"),
    );
  });

  it("follows a database that is replaced by an empty one, and restored", async (test) => {
    const api = await startApi(open(test, await create("replaced")));
    await expectOutage(
      api,
      async () => {
        await run("ALTER DATABASE replaced ALLOW_CONNECTIONS false");
        await terminate("replaced");
        await run("ALTER DATABASE replaced RENAME TO stored", "CREATE DATABASE replaced");
      },
      () =>
        run(
          "DROP DATABASE replaced WITH (FORCE)",
          "ALTER DATABASE stored RENAME TO replaced",
          "ALTER DATABASE replaced ALLOW_CONNECTIONS true",
        ),
    );
  });

  if (hasPgBouncer) {
    it("follows a pooler that dies and is started again", async (test) => {
      const url = await create("killed");
      const first = await startPgBouncer(url, "session");
      const api = await startApi(open(test, first.url));
      await expectOutage(api, first.close, () =>
        startPooler(test, url, Number(new URL(first.url).port)),
      );
    });

    it("follows a pooler that keeps no sessions for some time", async (test) => {
      const pooler = await startPooler(test, await create("switched"));
      const db = open(test, pooler.url);
      const received: string[] = [];
      await db.listen("test_ready", (payload) => received.push(payload));
      await expectOutage(
        await startApi(db),
        () => pooler.change("transaction"),
        () => pooler.change("session"),
      );
      // What was lost meanwhile is announced as a gap.
      await vi.waitFor(() => expect(received).toContain(""), HANGING);
    });

    it("finds that a pooler keeps no sessions any more when nothing fails", async (test) => {
      const pooler = await startPooler(test, await create("silent"));
      const db = open(test, pooler.url);
      // Without a name, it works in each session.
      const ask = () =>
        db.query({ name: "", text: "SELECT 1 AS one" }, []).then(
          () => "works",
          (failure: { causeMessage: string }) => failure.causeMessage,
        );
      expect(await ask()).toBe("works");
      pooler.change("transaction");
      await vi.waitFor(
        async () => expect(await ask()).toContain("DATABASE_URL is the address of a pooler in tr"),
        HANGING,
      );
      pooler.change("session");
      await vi.waitFor(async () => expect(await ask()).toBe("works"), HANGING);
    });

    it("goes on with a pooler that keeps no sessions any more, if there is a direct address", async (test) => {
      const url = await create("direct");
      const pooler = await startPooler(test, url);
      const { answers } = await startApi(open(test, pooler.url, url));
      const sendAll = async (): Promise<number> => {
        const sends = Array.from({ length: 4 }, () => Object.values(answers)).flat();
        return Math.max(...(await Promise.all(sends.map((send) => send()))));
      };
      expect(await sendAll()).toBeLessThan(300);
      pooler.change("transaction");
      await vi.waitFor(async () => expect(await sendAll()).toBeLessThan(300), HANGING);
      for (let round = 0; round < 5; round += 1) expect(await sendAll()).toBeLessThan(300);
    });
  }
};

if (testServerUrl) {
  describe.concurrent("the readiness of a process", describeReadiness);

  describe("while the server of the database is away", () => {
    it("every request is 503 with Retry-After, and all work when it is back", async () => {
      const postgres = await startPrivatePostgres();
      await withClient(postgres.url, async (client) => {
        await applyMigrations(toMigrationSession(client));
      });
      const open = () => openDatabase({ databaseUrl: postgres.url, dataDir: "", poolSize: 4 });
      const [before, db] = [open(), open()];
      // What was asked before is remembered, so the tests use a database of their own.
      const account = await createAccount(before, { role: "owner" });
      const { cookie } = await signIn(createTestApi(before), account);
      const { key } = await createClient(before, createTestApi(before), { role: "owner" });
      await before.close();
      const { api, faults } = createTestApi(db);
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const body = JSON.stringify({ content: "Hello" });
      const get = (path: string, sent: Record<string, string>) =>
        new Request(`${ORIGIN}${path}`, { headers: sent });
      const post = () => new Request(`${ORIGIN}/api/v1/chats`, { method: "POST", headers, body });
      const requests = {
        read: () => api.handleRest(get("/api/v1/chats", headers)),
        write: () => api.handleRest(post()),
        stream: () => api.handleRest(get("/api/v1/watch", headers)),
        session: () => api.handleRest(get("/api/v1/chats", { cookie })),
        trpc: () => api.handleTrpc(get("/api/trpc/chats.list?input=%7B%7D", headers)),
        "trpc by session": () =>
          api.handleTrpc(get("/api/trpc/chats.list?input=%7B%7D", { cookie })),
        "sign-in": () =>
          postAuth({ api } as TestApi, "/sign-in/email", {
            body: { email: account.email, password: PASSWORD },
          }),
      };
      const readiness = async () => (await api.handleReadyz()).status;
      try {
        await expect.poll(readiness, HANGING).toBe(200);
        await postgres.pause();
        for (const [name, send] of Object.entries(requests)) {
          const response = await send();
          expect(response.status, name).toBe(503);
          expect(Number(response.headers.get("retry-after")), name).toBeGreaterThan(0);
          const text = await response.text();
          expect(text, name).toContain(
            "The connection to the database is lost. Try again in a moment.",
          );
        }
        await expect.poll(readiness, HANGING).toBe(503);
        const metrics = await api.handleMetrics(
          get("/metrics", { [CLIENT_ADDRESS_HEADER]: "127.0.0.1" }),
        );
        expect(await metrics.text()).toMatch(
          /parley_database_up 0\n(.*\n)*parley_database_outages_total 1/,
        );
        expect(faults).toEqual([]);
        await postgres.resume();
        await expect.poll(readiness, HANGING).toBe(200);
        for (const [name, send] of Object.entries(requests)) {
          const response = await send();
          expect(response.status, name).toBeLessThan(300);
          await response.body?.cancel();
        }
      } finally {
        await db.close();
        await postgres.stop();
      }
    });
  });
}
