import { v7 as newId } from "uuid";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { Database, Queryable } from "@/server/db/connection/database";
import { testDatabase } from "@/test/database";
import { createBareChat, editChat } from "@/test/chat-editor";
import { createUser } from "@/test/factories";
import { type ChatNotice, createNotifications } from "./notifications";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const start = async (db: Database, options?: { pollMs: number }) => {
  const notifications = createNotifications(db, options);
  closing.push(notifications.close);
  await notifications.ready();
  return notifications;
};

const announce = async (db: Queryable, notice: ChatNotice): Promise<void> => {
  await db.query({ name: "test-announce", announces: true, text: "SELECT $1::text AS notice" }, [
    `${notice.chatId} ${notice.version} ${notice.status} ${notice.audience}`,
  ]);
};

const createListener = () => {
  const notices: (ChatNotice | undefined)[] = [];
  return { notices, listener: (notice: ChatNotice | undefined) => void notices.push(notice) };
};

it("emits each change to listeners of its chat, of its viewers, of work and of deletions", async () => {
  const notifications = await start(db);
  const [chatId, otherId, userId] = [newId(), newId(), newId()];
  const audience = userId;
  const [chat, viewer, stranger] = [createListener(), createListener(), createListener()];
  const [work, deleted, former] = [createListener(), createListener(), createListener()];
  notifications.subscribe(chatId, chat.listener);
  notifications.subscribeViewer({ userId }, viewer.listener);
  notifications.subscribeViewer({ userId: newId() }, stranger.listener);
  notifications.subscribeWork(work.listener);
  notifications.subscribeDeleted(deleted.listener);
  notifications.subscribe(chatId, former.listener)();

  const mine: ChatNotice[] = (["pending", "running", "waiting", "deleted"] as const).map(
    (status, index) => ({ chatId, version: index + 1, status, audience }),
  );
  const other: ChatNotice = { chatId: otherId, version: 9, status: "interrupting", audience };
  for (const notice of [...mine, other]) await announce(db, notice);

  await expect.poll(() => viewer.notices).toEqual([...mine, other]);
  expect(chat.notices).toEqual(mine);
  expect(deleted.notices.filter((notice) => notice?.audience === audience)).toEqual([mine[3]]);
  const ours = work.notices.filter((notice) => notice?.audience === audience);
  expect(ours.map((notice) => notice?.status)).toEqual(["pending", "running", "interrupting"]);
  expect([former.notices, stranger.notices]).toEqual([[], []]);
});

it("emits a change when it commits, and nothing when it is rolled back", async () => {
  const notifications = await start(db);
  const notice: ChatNotice = { chatId: newId(), version: 1, status: "pending", audience: newId() };
  const { notices, listener } = createListener();
  notifications.subscribe(notice.chatId, listener);
  const failing = db.transaction(async (tx) => {
    await announce(tx, { ...notice, version: 7 });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  await db.transaction((tx) => announce(tx, notice));
  await expect.poll(() => notices).toEqual([notice]);
});

it("lets a listener use the database at once, during other transactions", async () => {
  const notifications = await start(db);
  const notice: ChatNotice = { chatId: newId(), version: 1, status: "pending", audience: newId() };
  const answers: Promise<unknown>[] = [];
  notifications.subscribe(notice.chatId, () => {
    answers.push(db.query({ name: "test-listener-one", text: "SELECT 1 AS one" }, []));
  });
  const transactions = Array.from({ length: 20 }, () =>
    db.transaction((tx) => announce(tx, notice)),
  );
  await Promise.all(transactions);
  await expect.poll(() => answers.length).toBe(transactions.length);
  for (const answer of answers) expect(await answer).toEqual([{ one: 1 }]);
});

it("calls every listener after a gap", async () => {
  let emit: ((notice: string) => void) | undefined;
  const subscribe: Database["changes"]["subscribe"] = (listener) => {
    emit = listener;
    return Promise.resolve(() => Promise.resolve());
  };
  const notifications = await start({ ...db, changes: { subscribe } });
  const [chat, viewer, work] = [createListener(), createListener(), createListener()];
  const deleted = createListener();
  notifications.subscribeDeleted(deleted.listener);
  notifications.subscribe(newId(), chat.listener);
  notifications.subscribeViewer({ userId: newId() }, viewer.listener);
  notifications.subscribeWork(work.listener);
  emit?.("");
  for (const { notices } of [chat, viewer, work, deleted]) expect(notices).toEqual([undefined]);
});

it("finds unannounced changes by polling, deletions too", async () => {
  const userId = await createUser(db);
  const chat = await createBareChat(db, userId);
  const silent: Database = {
    ...db,
    changes: { subscribe: () => Promise.resolve(() => Promise.resolve()) },
  };
  const notifications = await start(silent, { pollMs: 10 });
  const [existing, deleted] = [createListener(), createListener()];
  notifications.subscribe(chat.id, existing.listener);
  notifications.subscribe(newId(), deleted.listener);
  await expect
    .poll(() => existing.notices[0])
    .toEqual({ chatId: chat.id, version: 1, status: "pending", audience: userId });
  await expect.poll(() => deleted.notices.length).toBeGreaterThan(0);
  expect(deleted.notices[0]).toBeUndefined();
});

it("emits to viewers and parents what has changed without a notice, once", async () => {
  const userId = await createUser(db);
  const chat = await createBareChat(db, userId);
  const child = await createBareChat(db, userId);
  await db.prisma.chat.update({
    where: { id: child.id },
    data: { parentChatId: chat.id, rootChatId: chat.id },
  });
  let polls = 0;
  const counting: Database = {
    ...db,
    query: (statement, values) => {
      if (statement.name === "chat-versions") polls += 1;
      return db.query(statement, values);
    },
  };
  const notifications = await start(counting, { pollMs: 10 });
  const [viewer, parent] = [createListener(), createListener()];
  notifications.subscribeViewer({ userId }, viewer.listener);
  notifications.subscribeChildren(chat.id, parent.listener);
  await editChat(db, chat.id, { type: "touch", announced: 0 });
  await editChat(db, child.id, { type: "touch", announced: 0 });
  await expect.poll(() => parent.notices.map((notice) => notice?.version)).toContain(2);
  await editChat(db, chat.id, { type: "touch" });
  const versionsOf = (id: string) =>
    viewer.notices.flatMap((notice) => (notice?.chatId === id ? notice.version : []));
  await expect.poll(() => versionsOf(chat.id)).toContain(3);
  const pass = async (count: number): Promise<void> => {
    const before = polls;
    await expect.poll(() => polls).toBeGreaterThan(before + count);
  };
  // A poll may be quicker than the notice.
  await pass(2);
  const known = versionsOf(chat.id);
  expect([...new Set(known)].filter((version) => version > 1)).toEqual([2, 3]);
  // Some more polls find the same.
  await pass(3);
  expect(versionsOf(chat.id)).toEqual(known);
  expect(versionsOf(child.id).filter((version) => version > 1)).toEqual([2]);
});
