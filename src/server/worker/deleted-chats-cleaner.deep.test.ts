import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { v7 as newId } from "uuid";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAppWorkspaces } from "@/server/app/app-workspaces";
import { createChat } from "@/server/chat/create-chat";
import { createLogger } from "@/server/log";
import type { Database } from "@/server/db/connection/database";
import { createNotifications } from "@/server/stream/notifications";
import { removeTree } from "@/server/tools/workspace/remove-tree";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
import { createClient, createTestApi } from "@/test/api-client";
import { createBareChat } from "@/test/chat-editor";
import { createContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { measureRequests, percentile } from "@/test/others-wait";
import { commitAnswer } from "@/test/park-chat";
import { serveApi } from "@/test/serve-api";
import { testProcess } from "@/test/test-process";
import { createDeletedChatsCleaner } from "./deleted-chats-cleaner";

const FILES = 100_000;
const PER_DIRECTORY = 1_000;
const NEVER_MS = 3_600_000;
/** A request may wait while some files are removed, until the next rest. */
const MAX_WAITING = 4;

let db: Database;
let dataDir: string;
let workspaces: Workspaces;
beforeEach(async () => {
  db = await testDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "parley-removal-"));
  workspaces = createAppWorkspaces({ db, dataDir, maxMegabytes: 1_000 });
});
afterEach(() => removeTree(dataDir));

const fill = async (directory: string): Promise<void> => {
  for (let start = 0; start < FILES; start += PER_DIRECTORY) {
    const below = path.join(directory, `${start}`);
    await mkdir(below, { recursive: true });
    const files = Array.from({ length: PER_DIRECTORY }, (_, index) => path.join(below, `${index}`));
    await Promise.all(files.map((file) => writeFile(file, "x")));
  }
};

const startCleaner = async () => {
  const notifications = createNotifications(db, { pollMs: NEVER_MS });
  await notifications.ready();
  const { histories } = testProcess(db);
  const log = createLogger("error", { write: () => undefined });
  const cleaner = createDeletedChatsCleaner({
    db,
    histories,
    workspaces,
    notifications,
    newId,
    log,
    sweepMs: NEVER_MS,
  });
  return async (): Promise<void> => {
    await cleaner.stop();
    await notifications.close();
  };
};

it("a removal of 100,000 files lets others go on", async () => {
  const app = createTestApi(db);
  const client = await createClient(db, app);
  const ctx = createContext(db, client.userId);
  const { id: chatId } = await createChat(ctx, { content: toTextContent("hello") });
  await commitAnswer(db, chatId, { parts: [{ type: "text", text: "hi" }], after: "finish" });
  const { id: watched } = await createBareChat(db, client.userId);
  const { url, close } = await serveApi(app);
  const headers = { authorization: `Bearer ${client.key}` };
  const request = async (): Promise<void> => {
    const response = await fetch(`${url}/api/v1/chats/${watched}`, { headers });
    expect(response.status).toBe(200);
    await response.text();
  };
  await fill(path.join(workspaces.directory, chatId));
  const stop = await startCleaner();
  const QUIET_REQUESTS = 500;
  let left = QUIET_REQUESTS;
  const quiet = await measureRequests(request, () => (left -= 1) < 0);

  const startedAt = performance.now();
  const answer = await fetch(`${url}/api/v1/chats/${chatId}`, { method: "DELETE", headers });
  const answeredMs = performance.now() - startedAt;
  expect(answer.status).toBeLessThan(300);
  await expect.poll(() => workspaces.list()).toEqual([]);
  const goneMs = performance.now() - startedAt;
  const isRemoved = async () =>
    (await readdir(workspaces.directory)).every((name) => !name.startsWith(".removed-"));
  const busy = await measureRequests(request, isRemoved);
  const removedMs = performance.now() - startedAt;
  await stop();
  await close();

  const report = {
    answeredMs,
    goneMs,
    removedMs,
    quiet: [0.5, 0.99].map((share) => percentile(quiet, share)),
    busy: [0.5, 0.99].map((share) => percentile(busy, share)),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  expect(removedMs).toBeGreaterThan(goneMs);
  expect(percentile(busy, 0.99)).toBeLessThan(MAX_WAITING * percentile(quiet, 0.99));
});

it("10,000 directories inside each other are removed", async () => {
  const away = path.join(workspaces.directory, ".removed-deep");
  await mkdir(away, { recursive: true });
  const script = 'for (1 .. 10_000) { mkdir "d" or die $!; chdir "d" or die $! }';
  execFileSync("perl", ["-e", script], { cwd: away });
  const stop = await startCleaner();
  await expect.poll(() => readdir(workspaces.directory)).toEqual([".database"]);
  await stop();
});
