import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ChatPage, MessagePage } from "@/contract/chat-outputs";
import { createChat } from "@/server/chat/create-chat";
import type { Database } from "@/server/db/connection/database";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import { openDatabase } from "@/server/db/connection/open-database";
import { createClient, createTestApi, type TestClient } from "@/test/api-client";
import { createContext, toTextContent } from "@/test/chat-fixture";
import {
  createServerDatabase,
  testServerUrl,
  toMigrationSession,
  withClient,
} from "@/test/database";
import { type KeyedTarget, startKeyedClients } from "@/test/keyed-clients";
import { commitAnswer, openCall } from "@/test/park-chat";
import { serveApi } from "@/test/serve-api";
import { type Program, startProgram } from "@/test/start-program";

type Clients = ReturnType<typeof startKeyedClients>;
type Ready = { url: string; userId: string; key?: string; parked: string[] };

const CRASHES = 4;
/** The server crashes at a random time up to this after clients have been answered. */
const MAX_DELAY_MS = 60;
const CUTS = 40;
/** Connections are cut at a random time up to this after the cut before. */
const MAX_BETWEEN_CUTS_MS = 30;
/** More than the clients answer during the cuts. */
const PARKED_CHATS = 200;

/** Creates a migrated database on the server of the tests. @returns its URL. */
const createMigratedDatabase = async (server: string, suffix: string): Promise<string> => {
  const databaseUrl = await createServerDatabase(server, suffix);
  await withClient(databaseUrl, async (client) => {
    await applyMigrations(toMigrationSession(client));
  });
  return databaseUrl;
};

/** Expects that each accepted request has been carried out once, and that no other has been. */
const expectOnce = async (clients: Clients, { url, key }: KeyedTarget): Promise<void> => {
  const get = async <Body>(route: string): Promise<Body> => {
    const headers = { authorization: `Bearer ${key}` };
    return (await (await fetch(`${url}/api/v1${route}`, { headers })).json()) as Body;
  };
  const { accepted, answers, unexpected } = clients;
  expect(unexpected).toEqual([]);
  const titles: string[] = [];
  for (let cursor = ""; ;) {
    const page = await get<ChatPage>(`/chats?limit=200${cursor && `&cursor=${cursor}`}`);
    titles.push(...page.data.map(({ title }) => title));
    if (page.next_cursor === undefined) break;
    cursor = page.next_cursor;
  }
  expect(titles.filter((title) => title !== "Ask me").sort()).toEqual(
    [...accepted.chats.keys()].sort(),
  );
  for (const [text, id] of accepted.messages) {
    const { data, queued } = await get<MessagePage>(`/chats/${id}/messages`);
    expect(JSON.stringify([data, queued]).split(`"${text}"`)).toHaveLength(2);
  }
  for (const [id, output] of answers) {
    const { data } = await get<MessagePage>(`/chats/${id}/messages`);
    expect(data).toMatchObject([{}, { parts: [{ state: "completed", output }] }]);
  }
};

describe("requests with an Idempotency-Key that are sent until they are answered", () => {
  let program: Program | undefined;
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), "parley-keyed-"));
  });
  afterAll(async () => {
    await program?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it(`are carried out once in ${CRASHES} crashes of the server`, { timeout: 120_000 }, async () => {
    const databaseUrl = testServerUrl
      ? await createMigratedDatabase(testServerUrl, "_crashes")
      : "";
    const start = async (userId = ""): Promise<Ready> => {
      program = await startProgram("keyed-api", [dataDir, databaseUrl, userId]);
      await program.waitForLines(1);
      return JSON.parse(program.lines[0] ?? "") as Ready;
    };
    const first = await start();
    const target: KeyedTarget = { ...first, key: first.key ?? "" };
    const clients = startKeyedClients(() => target);
    for (let crash = 0; crash < CRASHES; crash++) {
      const answered = clients.answers.size;
      await vi.waitUntil(() => clients.answers.size > answered, { timeout: 30_000 });
      // The time of the crash is what varies.
      await pause(Math.random() * MAX_DELAY_MS);
      await program?.kill();
      const { url, parked } = await start(first.userId);
      Object.assign(target, { url, parked });
    }
    await clients.stop();
    expect(clients.broken()).toBeGreaterThan(0);
    expect(clients.answers.size).toBeGreaterThan(0);
    await expectOnce(clients, target);
  });
});

if (testServerUrl) {
  const server = testServerUrl;

  /** A test server of its own, whose connections to the database a test cuts. */
  const startServer = async (databaseUrl: string) => {
    const db = openDatabase({ databaseUrl, dataDir: "", poolSize: 10 });
    const api = createTestApi(db);
    const { url, close } = await serveApi(api);
    return {
      db,
      api,
      url,
      close: async () => {
        await close();
        await db.close();
      },
    };
  };
  const park = async (db: Database, userId: string): Promise<string> => {
    const { id } = await createChat(createContext(db, userId), {
      content: toTextContent("Ask me"),
    });
    await commitAnswer(db, id, { parts: [openCall("call", "ask")], after: "park" });
    return id;
  };

  describe("requests with an Idempotency-Key while connections to the database break", () => {
    it(`are carried out once in ${CUTS} cuts`, { timeout: 120_000 }, async () => {
      const databaseUrl = await createMigratedDatabase(server, "_cuts");
      const { db, api, url, close } = await startServer(databaseUrl);
      const { userId, key } = await createClient(db, api);
      const parked: string[] = [];
      for (let count = 0; count < PARKED_CHATS; count++) parked.push(await park(db, userId));
      const target = { url, key, parked };
      const clients = startKeyedClients(() => target);
      await vi.waitUntil(() => clients.answers.size > 0, { timeout: 30_000 });
      await withClient(databaseUrl, async (cutter) => {
        for (let cut = 0; cut < CUTS; cut++) {
          await pause(Math.random() * MAX_BETWEEN_CUTS_MS);
          await cutter.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`);
        }
      });
      await clients.stop();
      expect(clients.broken()).toBeGreaterThan(0);
      expect(clients.answers.size).toBeGreaterThan(0);
      await expectOnce(clients, target);
      await close();
    });

    describe("after COMMIT was sent", () => {
      let proxy: Awaited<ReturnType<typeof startCommitCutter>>;
      let running: Awaited<ReturnType<typeof startServer>>;
      let client: TestClient;
      beforeAll(async () => {
        const databaseUrl = await createMigratedDatabase(server, "_commits");
        proxy = await startCommitCutter(new URL(databaseUrl));
        running = await startServer(proxy.url);
        client = await createClient(running.db, running.api);
      });
      afterEach(() => {
        proxy.setUnreachable(false);
      });
      afterAll(async () => {
        await running.close();
        await proxy.close();
      });
      const keyed = (key: string) => ({ "idempotency-key": key });
      const countChats = () => running.db.prisma.chat.count({ where: { title: "Once" } });

      it("answer what was committed, if the database is there again", async () => {
        proxy.cutNextCommit();
        const first = await client.call("POST /chats", { content: "Once" }, keyed("a"));
        expect(proxy.cuts()).toBe(1);
        expect(first.status).toBe(201);
        const again = await client.call("POST /chats", { content: "Once" }, keyed("a"));
        expect(again.body).toEqual(first.body);
        expect(await countChats()).toBe(1);
      });

      it("fail if it is away, and a retry finds what was committed", async () => {
        const id = await park(running.db, client.userId);
        const answer = () =>
          client.call(
            `POST /chats/${id}/tool-results`,
            { results: [{ tool_call_id: "call", output: 1 }] },
            keyed("b"),
          );
        const before = proxy.cuts();
        proxy.cutNextCommit({ thenUnreachable: true });
        const first = await answer();
        expect(proxy.cuts()).toBe(before + 1);
        expect(first.status).toBeGreaterThanOrEqual(500);
        proxy.setUnreachable(false);
        await expect.poll(async () => (await answer()).status).toBe(204);
        expect((await answer()).headers.get("idempotency-replayed")).toBe("true");
      });
    });
  });
}

/** A TCP proxy that can close a connection when the server has answered a COMMIT, before the client sees it. */
const startCommitCutter = async (target: URL) => {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let next: { thenUnreachable: boolean } | undefined;
  let isUnreachable = false;
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy = createServer((client) => {
    if (isUnreachable) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (bytes) => {
      isCut ||= next !== undefined && bytes.includes("COMMIT\0");
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!isCut) {
        client.write(bytes);
        return;
      }
      cuts += 1;
      isUnreachable = next?.thenUnreachable ?? false;
      next = undefined;
      if (isUnreachable) closeAll();
      else client.destroy();
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: url.toString(),
    cuts: (): number => cuts,
    cutNextCommit: ({ thenUnreachable = false } = {}): void => {
      next = { thenUnreachable };
    },
    setUnreachable: (value: boolean): void => {
      isUnreachable = value;
    },
    close: async (): Promise<void> => {
      closeAll();
      proxy.close();
      await once(proxy, "close");
    },
  };
};
