import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createDatabaseProbe } from "@/server/app/database-probe";
import type { WorkerActivity } from "@/server/stream/worker-activity";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import { openDatabase } from "@/server/db/connection/open-database";
import { createClient, createTestApi, ORIGIN, type TestApi } from "@/test/api-client";
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

if (testServerUrl) {
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
