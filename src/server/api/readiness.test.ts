import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from "vitest";
import { createDatabase } from "@/server/db/connection/create-database";
import type { Database } from "@/server/db/connection/database";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import { postgresSource } from "@/server/db/connection/postgres";
import { createClient, createTestApi, ORIGIN } from "@/test/api-client";
import { testServerUrl, toMigrationSession, withClient } from "@/test/database";
import { HANGING } from "@/test/hanging";
import { hasPgBouncer, startPgBouncer } from "@/test/pgbouncer";
import { startPrivatePostgres } from "@/test/private-postgres";

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

if (testServerUrl) describe.concurrent("the readiness of a process", describeReadiness);
