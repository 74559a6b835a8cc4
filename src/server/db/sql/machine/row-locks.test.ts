import { v7 as newId } from "uuid";
import { beforeAll, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { holdSessions } from "@/server/db/tasks/session-holds";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { recordPlan } from "@/test/record-plan";
import { becomeAgent } from "@/test/task-rows";
import { runWithoutIndexes } from "@/test/without-indexes";
import { claimChats } from "./claim";
import { lockExpiredChat } from "./expired-actions";
import { lockChat, lockChats, lockFamily, lockWritableChat } from "./row-locks";

let db: Database;
let userId: string;
beforeAll(async () => {
  db = await testDatabase();
  userId = await createUser(db);
});

const STATEMENTS: [string, (db: Database) => Promise<unknown>][] = [
  ["one chat", (tx) => lockChat(tx, newId())],
  ["one chat of a person", (tx) => lockWritableChat(tx, { chatId: newId(), viewer: { userId } })],
  ["one chat whose deadline has passed", (tx) => lockExpiredChat(tx, newId())],
  ["some chats of a family", (tx) => lockChats(tx, [newId()])],
  ["a family", (tx) => lockFamily(tx, newId())],
  ["a chat with exec sessions", (tx) => holdSessions(tx, { owner: "holder", chatId: newId() })],
  ["chats that are claimed", (tx) => claimChats(tx, { owner: "worker", limit: 1 })],
];

// The embedded database has one connection, on which nothing else is locked.
it.each(STATEMENTS)("locks the rows of %s", async (_name, run) => {
  expect(await recordPlan(db, run)).toContain("LockRows");
});

it("locks a root chat first and then its agents by their ids, and no other chat", async () => {
  const [second, first, other] = [newId(), newId(), newId()].toSorted().toReversed();
  const rootId = newId();
  // The order in which rows are written is not that of locks.
  const ids = { second, first, rootId, other };
  const written = new Map<string, string>();
  for (const [name, id = ""] of Object.entries(ids)) {
    const chatId = await writeChat(db, userId);
    await db.query(
      {
        name: "test-set-id",
        text: "UPDATE chat SET id = $2::uuid, root_chat_id = $2::uuid WHERE id = $1::uuid",
      },
      [chatId, id],
    );
    written.set(id, name);
  }
  for (const id of [second, first]) await becomeAgent(db, id ?? "", rootId);
  await becomeAgent(db, other ?? "", await writeChat(db, userId));
  const toNames = (chats: readonly { id: string }[]) => chats.map(({ id }) => written.get(id));
  const order = ["rootId", "first", "second"];
  const family = await runWithoutIndexes(db, (tx) => lockFamily(tx, rootId));
  expect(toNames(family)).toEqual(order);
  const some = [second, rootId, first].map(String);
  expect(toNames(await runWithoutIndexes(db, (tx) => lockChats(tx, some)))).toEqual(order);
});

it("locks the one chat that is asked for, if the person may change it", async () => {
  const [chatId] = [await writeChat(db, userId), await writeChat(db, userId)];
  const viewer = { userId };
  expect((await lockChat(db, chatId))?.id).toBe(chatId);
  expect((await lockWritableChat(db, { chatId, viewer }))?.id).toBe(chatId);
  const other = { userId: await createUser(db) };
  expect(await lockWritableChat(db, { chatId, viewer: other })).toBeUndefined();
});
