import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as newId } from "uuid";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAppWorkspaces } from "@/server/app/app-workspaces";
import { createChat } from "@/server/chat/create-chat";
import { deleteChat } from "@/server/chat/delete-chat";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { SHORT_HISTORY } from "@/server/db/sql/machine/claim";
import { ensureDatabaseId } from "@/server/db/settings/setting-writes";
import { createLogger } from "@/server/log";
import { createNotifications, type Notifications } from "@/server/stream/notifications";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { asOrdinaryUser, giveToOrdinaryUser } from "@/test/ordinary-user";
import { commitAnswer } from "@/test/park-chat";
import { testProcess } from "@/test/test-process";
import { type Cleaner, createDeletedChatsCleaner } from "./deleted-chats-cleaner";

/** Longer than any test: a sweep that comes sooner was triggered. */
const NEVER_MS = 3_600_000;

let db: Database;
let ctx: ServerContext;
let dataDir: string;
let directory: string;
let workspaces: Workspaces;
let logged: string[];
const stopping: (() => Promise<void>)[] = [];

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "parley-cleaner-"));
  directory = join(dataDir, "workspaces");
  workspaces = createAppWorkspaces({ db, dataDir, maxMegabytes: 100 });
  logged = [];
  await workspaces.claim(await ensureDatabaseId(db, newId), () => Promise.resolve(true));
});
afterEach(async () => {
  for (const stop of stopping.splice(0).reverse()) await stop();
  await rm(dataDir, { recursive: true });
});

const startCleaner = async (
  changes: Partial<Parameters<typeof createDeletedChatsCleaner>[0]> = {},
): Promise<Cleaner> => {
  let notifications: Pick<Notifications, "subscribeDeleted"> | undefined = changes.notifications;
  if (!notifications) {
    const created = createNotifications(db, { pollMs: NEVER_MS });
    stopping.push(created.close);
    await created.ready();
    notifications = created;
  }
  const log = createLogger("info", { write: (line: string) => void logged.push(line) });
  const { histories } = testProcess(db);
  const deps = {
    db,
    histories,
    workspaces,
    notifications,
    newId,
    log,
    sweepMs: NEVER_MS,
    ...changes,
  };
  const cleaner = createDeletedChatsCleaner(deps);
  stopping.push(cleaner.stop);
  return cleaner;
};

const restingChat = async (): Promise<string> => {
  const { id } = await createChat(ctx, { content: toTextContent("hello") });
  await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
  return id;
};
const writeTo = (rootChatId: string) =>
  workspaces.open({ rootChatId }).write("a/b.txt", new Uint8Array(3), { overwrite: false });

/** Creates an entry that was changed last an hour ago. */
const createOld = async (name: string): Promise<void> => {
  await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, name, "file"), "x");
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(directory, name), hourAgo, hourAgo);
};
const names = async () => (await readdir(directory)).filter((name) => name !== ".database").sort();

describe("the workspace of a chat", () => {
  it("is removed when the chat is deleted, and no other one", async () => {
    const [deleted, kept] = [await restingChat(), await restingChat()];
    await Promise.all([writeTo(deleted), writeTo(kept)]);
    await startCleaner();
    await deleteChat(ctx, { chatId: deleted });
    await expect.poll(names).toEqual([kept]);
  });

  it("goes with a temporary chat whose time has come, when a worker starts", async () => {
    const { id } = await createChat(ctx, { content: toTextContent("hello"), isTemporary: true });
    await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
    const kept = await restingChat();
    await Promise.all([writeTo(id), writeTo(kept)]);
    await db.prisma.chat.update({ where: { id }, data: { updatedAt: new Date(0) } });
    await startCleaner();
    await expect.poll(names).toEqual([kept]);
    expect(await db.prisma.chat.count({ where: { id } })).toBe(0);
  });

  it("is gone at once, however many are removed, and their files one after the other", async () => {
    const chatIds: string[] = [];
    while (chatIds.length < 8) chatIds.push(await restingChat());
    await Promise.all(chatIds.map(writeTo));
    const goOn = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    const removeDiscarded: Workspaces["removeDiscarded"] = async (pace) => {
      most = Math.max(most, (running += 1));
      await goOn.promise;
      await workspaces.removeDiscarded(pace);
      running -= 1;
    };
    await startCleaner({ workspaces: { ...workspaces, removeDiscarded } });
    await Promise.all(chatIds.map((chatId) => deleteChat(ctx, { chatId })));
    await expect.poll(() => workspaces.list()).toEqual([]);
    expect(await names()).toHaveLength(chatIds.length);
    goOn.resolve();
    await expect.poll(names).toEqual([]);
    expect(most).toBe(1);
  });

  it("is kept when a deletion is announced and the chat exists", async () => {
    const [deleted, kept] = [await restingChat(), await restingChat()];
    await Promise.all([writeTo(deleted), writeTo(kept)]);
    await startCleaner();
    const payload = `${kept} 9 deleted ${ctx.actor.userId}`;
    await db.query({ name: "test-announce", announces: true, text: "SELECT $1::text AS notice" }, [
      payload,
    ]);
    await deleteChat(ctx, { chatId: deleted });
    await expect.poll(names).toEqual([kept]);
  });

  it("is removed by every process that has one, and before the process ends", async () => {
    const chatId = await restingChat();
    const other = createAppWorkspaces({
      db,
      dataDir: join(dataDir, "other"),
      maxMegabytes: 100,
    });
    await writeTo(chatId);
    await other.open({ rootChatId: chatId }).write("a", new Uint8Array(1), { overwrite: false });
    const cleaners = [await startCleaner(), await startCleaner({ workspaces: other })];
    await deleteChat(ctx, { chatId });
    await expect.poll(() => other.changedAt(chatId)).toBeUndefined();
    await Promise.all(cleaners.map((cleaner) => cleaner.stop()));
    await expect.poll(names).toEqual([]);
  });
});

it("a deleted chat's history is no longer cached", async () => {
  const chatId = await restingChat();
  const { histories } = testProcess(db);
  const message: HistoryMessage = {
    id: newId(),
    role: "user",
    turnId: newId(),
    model: null,
    seq: 1,
    usage: null,
    createdBy: null,
    parts: [{ type: "text", text: "hello" }],
  };
  const history = Array.from({ length: SHORT_HISTORY }, () => message);
  histories.add({ id: chatId, version: 1 }, history, 1);
  expect(histories.get(chatId)).toBeDefined();
  await startCleaner();
  await deleteChat(ctx, { chatId });
  await expect.poll(() => histories.get(chatId)).toBeUndefined();
});

describe("a sweep", () => {
  it("at the start removes old workspaces without a chat, and touches nothing else", async () => {
    const kept = await restingChat();
    const [orphan, young, file, upper] = [newId(), newId(), newId(), newId().toUpperCase()];
    for (const name of [kept, orphan, upper, "not-a-chat", `${orphan}.old`]) await createOld(name);
    await mkdir(join(directory, young));
    await writeFile(join(directory, file), "a file");
    const outside = join(dataDir, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "kept"), "kept");
    const link = newId();
    await symlink(outside, join(directory, link));
    await symlink(outside, join(directory, orphan, "link"));
    await utimes(join(directory, orphan), 0, 0);

    await startCleaner();

    const rest = [kept, young, file, upper, link, "not-a-chat", `${orphan}.old`].sort();
    await expect.poll(names).toEqual(rest);
    expect(await readFile(join(outside, "kept"), "utf8")).toBe("kept");
  });

  it("comes again after notifications were lost", async () => {
    const gaps: (() => void)[] = [];
    await startCleaner({
      notifications: {
        subscribeDeleted: (listener) => {
          gaps.push(() => listener(undefined));
          return () => undefined;
        },
      },
    });
    await expect.poll(() => readdir(directory)).toEqual([".database"]);
    await createOld(newId());
    gaps.forEach((emitGap) => emitGap());
    await expect.poll(names).toEqual([]);
  });

  it("removes the files of a workspace whose removal was interrupted", async () => {
    await mkdir(join(directory, ".removed-1/a/b"), { recursive: true });
    await startCleaner();
    await expect.poll(names).toEqual([]);
  });

  // An ordinary user can give back the rights that it took from its own files.
  it.runIf(process.getuid?.() === 0)(
    "goes on after files that cannot be removed, and says so",
    async () => {
      const away = join(directory, ".removed-0");
      const foreign = join(away, "foreign");
      await mkdir(foreign, { recursive: true });
      for (const place of [away, foreign]) await writeFile(join(place, "file"), "x");
      await mkdir(join(directory, ".removed-1/a"), { recursive: true });
      await chmod(foreign, 0o500);
      const removable = [
        ".database",
        ".removed-0",
        ".removed-0/file",
        ".removed-1",
        ".removed-1/a",
      ];
      const all = [dataDir, directory, ...removable.map((name) => join(directory, name))];
      await giveToOrdinaryUser(...all);
      await asOrdinaryUser(async () => {
        await startCleaner();
        await expect.poll(() => logged.join()).toContain("EACCES");
        await expect.poll(names).toEqual([".removed-0"]);
      });
      expect(await readdir(away)).toEqual(["foreign"]);
      expect(logged.join()).toContain(`${away} could not be removed`);
    },
  );

  it("goes on after a workspace that cannot be removed", async () => {
    const [broken, orphan] = [newId(), newId()].sort();
    for (const name of [broken, orphan]) await createOld(name ?? "");
    const discard = (chatId: string) =>
      chatId === broken ? Promise.reject(new Error("the disk broke")) : workspaces.discard(chatId);
    await startCleaner({ workspaces: { ...workspaces, discard } });
    await expect.poll(names).toEqual([broken]);
    expect(logged.join()).toContain("the disk broke");
  });

  // Making and removing so many directories takes seconds on a busy machine.
  it("asks for many chats with one query", async () => {
    const count = 1_200;
    await Promise.all(Array.from({ length: count }, () => createOld(newId())));
    let queries = 0;
    const prisma = new Proxy(db.prisma, {
      get: (models, model, receiver) => {
        if (model === "chat") queries += 1;
        return Reflect.get(models, model, receiver) as unknown;
      },
    });
    await startCleaner({ db: { ...db, prisma } });
    await expect.poll(names).toEqual([]);
    expect(queries).toBe(3);
  });

  it("removes nothing where another database has its workspaces, and says so", async () => {
    const orphan = newId();
    await createOld(orphan);
    await writeFile(join(directory, ".database"), newId());
    await startCleaner();
    await expect.poll(() => logged.join()).toContain("of another database");
    expect(await names()).toEqual([orphan]);
  });

  it("removes nothing of an unmarked directory in which no chat of the database has one", async () => {
    await rm(join(directory, ".database"));
    const unknown = newId();
    await createOld(unknown);
    const cleaner = await startCleaner();
    await expect.poll(() => logged.join()).toContain("of another database");
    await cleaner.stop();
    expect(await readdir(directory)).toEqual([unknown]);

    const known = await restingChat();
    await createOld(known);
    await startCleaner();
    await expect.poll(names).toEqual([known]);
  });

  it("stops when the process does", async () => {
    for (let index = 0; index < 20; index++) await createOld(newId());
    const cleaner = await startCleaner();
    await cleaner.stop();
    const left = await names();
    expect(left.length).toBeGreaterThan(0);
    await startCleaner();
    await expect.poll(names).toEqual([]);
  });
});
