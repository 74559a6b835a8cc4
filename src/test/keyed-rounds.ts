import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, vi } from "vitest";
import type { ChatPage, MessagePage } from "@/contract/chat-outputs";
import { createChat } from "@/server/chat/create-chat";
import type { Database } from "@/server/db/connection/database";
import { applyMigrations } from "@/server/db/connection/migrate.mjs";
import { openDatabase } from "@/server/db/connection/open-database";
import { createClient, createTestApi } from "@/test/api-client";
import { createContext, toTextContent } from "@/test/chat-fixture";
import {
  createServerDatabase,
  fillDataDirectory,
  testServerUrl,
  toMigrationSession,
  withClient,
} from "@/test/database";
import { HANGING } from "@/test/hanging";
import { type KeyedTarget, startKeyedClients } from "@/test/keyed-clients";
import { commitAnswer, openCall } from "@/test/park-chat";
import { serveApi } from "@/test/serve-api";
import { type Program, startProgram } from "@/test/start-program";

type Clients = ReturnType<typeof startKeyedClients>;
type Ready = { url: string; userId: string; key?: string; parked: string[] };

/** The server crashes at some time up to this after clients have been answered. */
const MAX_DELAY_MS = 60;
/** Connections are cut at some time up to this after the cut before. */
const MAX_BETWEEN_CUTS_MS = 30;
/** More than the clients answer during the cuts. */
const PARKED_CHATS = 200;
/** Rounds after which the times are the same again. */
const DISTINCT_TIMES = 7;

/** Chooses another time in each round: what happens then varies enough by itself. */
const chooseDelay = (round: number, maxMs: number): number =>
  ((round % DISTINCT_TIMES) * maxMs) / DISTINCT_TIMES;

/** Creates a migrated database on the server of the tests. @returns its URL. */
export const createMigratedDatabase = async (server: string, suffix: string): Promise<string> => {
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
  expect(clients.broken()).toBeGreaterThan(0);
  expect(answers.size).toBeGreaterThan(0);
};

/** Sends requests with keys until they are answered, to a server that crashes; expects that each is carried out once. */
export const expectOnceInCrashes = async (crashes: number): Promise<void> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-keyed-"));
  const databaseUrl = testServerUrl ? await createMigratedDatabase(testServerUrl, "_crashes") : "";
  if (!testServerUrl) await fillDataDirectory(dataDir);
  let program: Program | undefined;
  const start = async (userId = ""): Promise<Ready> => {
    program = await startProgram("keyed-api", [dataDir, databaseUrl, userId]);
    await program.waitForLines(1);
    return JSON.parse(program.lines[0] ?? "") as Ready;
  };
  try {
    const first = await start();
    const target: KeyedTarget = { ...first, key: first.key ?? "" };
    const clients = startKeyedClients(() => target);
    for (let crash = 0; crash < crashes; crash++) {
      const answered = clients.answers.size;
      await vi.waitUntil(() => clients.answers.size > answered, HANGING);
      await pause(chooseDelay(crash, MAX_DELAY_MS));
      await program?.kill();
      const { url, parked } = await start(first.userId);
      Object.assign(target, { url, parked });
    }
    await clients.stop();
    await expectOnce(clients, target);
  } finally {
    await program?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** A test server of its own, whose connections to the database a test cuts. */
export const startKeyedServer = async (databaseUrl: string) => {
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

/** Creates a chat whose call waits for an answer. @returns its id. */
export const parkChat = async (db: Database, userId: string): Promise<string> => {
  const { id } = await createChat(createContext(db, userId), {
    content: toTextContent("Ask me"),
  });
  await commitAnswer(db, id, { parts: [openCall("call", "ask")], after: "park" });
  return id;
};

/** Sends requests with keys while connections to the database are cut; expects that each is carried out once. */
export const expectOnceInCuts = async (server: string, cuts: number): Promise<void> => {
  const databaseUrl = await createMigratedDatabase(server, "_cuts");
  const { db, api, url, close } = await startKeyedServer(databaseUrl);
  const { userId, key } = await createClient(db, api);
  const parked: string[] = [];
  for (let count = 0; count < PARKED_CHATS; count++) parked.push(await parkChat(db, userId));
  const target = { url, key, parked };
  const clients = startKeyedClients(() => target);
  await vi.waitUntil(() => clients.answers.size > 0, HANGING);
  await withClient(databaseUrl, async (cutter) => {
    for (let cut = 0; cut < cuts; cut++) {
      await pause(chooseDelay(cut, MAX_BETWEEN_CUTS_MS));
      await cutter.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    }
  });
  await clients.stop();
  await expectOnce(clients, target);
  await close();
};
