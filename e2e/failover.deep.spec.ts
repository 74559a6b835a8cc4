import { randomUUID } from "node:crypto";
import { expect, test } from "@playwright/test";
import { startPrivatePostgres } from "@/test/private-postgres";
import { startTcpProxy } from "@/test/tcp-proxy";
import type { Chat } from "@/contract/chat";
import { HANG_MS } from "./limits";
import { createTestServer } from "./server";
import { runSql } from "./run-sql";
import { createTestDatabase } from "./test-database";
import { waitUntil } from "./wait-until";

const CLIENTS = 8;
/** Turns that each client has had before the first server fails, and after that. */
const TURNS = 5;
/** Within this time a process finds the other server and a chat has had a turn, on a busy machine. */
const RECOVERY_MS = 20_000;
/** A commit is acknowledged when the standby has written it, too. */
const DURABLE = { synchronous_commit: "on" };

/** Starts a server and its standby, for which it waits in each commit. */
const startReplicated = async () => {
  const primary = await startPrivatePostgres("npm", { settings: DURABLE });
  await primary.pause();
  const standby = await startPrivatePostgres("npm", { settings: DURABLE, primary });
  await primary.resume();
  await runSql(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await runSql(primary.url, "SELECT pg_reload_conf()");
  await waitUntil("the standby is synchronous", HANG_MS, async () => {
    const states = await runSql(primary.url, "SELECT sync_state FROM pg_stat_replication");
    return states.some(({ sync_state }) => sync_state === "sync") || undefined;
  });
  return { primary, standby };
};

test("a failover loses nothing that was acknowledged, and turns go on", async () => {
  const { primary, standby } = await startReplicated();
  const target = { host: "127.0.0.1", port: Number(new URL(primary.url).port) };
  const proxy = await startTcpProxy(target);
  const address = new URL(primary.url);
  address.port = String(proxy.port);
  const database = await createTestDatabase(address.toString(), "nothing");
  const web = await createTestServer({ database, settings: { PARLEY_ROLE: "web" } });
  const worker = await createTestServer({
    database,
    settings: { PARLEY_ROLE: "worker", PARLEY_API_KEY: web.apiKey },
  });
  const { api } = web;

  const acknowledged = new Map<string, { id: string; content: string }>();
  let turns = 0;
  let isOver = false;
  /** Sends a request until it is acknowledged, with the same key, as clients do after an outage. */
  const createChat = (key: string, content: string): Promise<Chat> =>
    waitUntil(`a chat for ${key}`, HANG_MS, async () => {
      const { status, body } = await api.request(
        "POST /chats",
        { content },
        { "idempotency-key": key },
      );
      if (status === 201) return body as Chat;
      expect(status).toBe(503);
      return undefined;
    });
  const beginTurn = async (): Promise<string> => {
    const key = randomUUID();
    const content = `write 3 words about ${key}`;
    const { id } = await createChat(key, content);
    acknowledged.set(key, { id, content });
    return id;
  };
  const haveTurn = async (): Promise<void> => {
    await api.waitForStatus(await beginTurn());
    turns += 1;
  };
  const runClient = async (): Promise<void> => {
    while (!isOver) await haveTurn();
  };

  try {
    await web.start();
    await worker.start();
    const clients = Promise.all(Array.from({ length: CLIENTS }, runClient));
    const waitForTurns = (count: number): Promise<number> =>
      waitUntil(`${count} turns`, HANG_MS, () =>
        Promise.resolve(turns >= count ? turns : undefined),
      );
    await waitForTurns(CLIENTS * TURNS);
    // What is acknowledged in the last moment is what a server that does not wait for its standby loses.
    await beginTurn();
    await primary.crash();
    await waitUntil("the process is not ready", HANG_MS, async () =>
      (await fetch(`${web.url}/readyz`)).status === 503 ? true : undefined,
    );
    const before = turns;
    await runSql(standby.url, "SELECT pg_promote()");
    target.port = Number(new URL(standby.url).port);
    const promotedAt = performance.now();
    await haveTurn();
    const recoveryMs = Math.round(performance.now() - promotedAt);
    console.log(`a new chat had had its turn ${recoveryMs} ms after the promotion`);
    expect(recoveryMs).toBeLessThan(RECOVERY_MS);
    await waitForTurns(before + CLIENTS * TURNS);
    isOver = true;
    await clients;
    await waitUntil("the process is ready", HANG_MS, async () =>
      (await fetch(`${web.url}/readyz`)).ok ? true : undefined,
    );

    for (const { id, content } of acknowledged.values()) {
      expect((await api.chat(id)).status).toBe("waiting");
      const { messages } = await api.history(id);
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
      expect(messages[0]?.parts).toMatchObject([{ type: "text", text: content }]);
    }
    // None was made twice by a repetition.
    const standbyOfDatabase = new URL(standby.url);
    standbyOfDatabase.pathname = `/${database.name}`;
    const rows = await runSql<{ count: number }>(
      standbyOfDatabase.toString(),
      "SELECT count(*)::int AS count FROM chat",
    );
    expect(rows).toEqual([{ count: acknowledged.size }]);
  } finally {
    isOver = true;
    await worker.stop();
    await web.stop();
    await database.remove();
    await proxy.close();
    await standby.stop();
    await primary.stop();
  }
});
