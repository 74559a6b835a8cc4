import { v7 as newId } from "uuid";
import { beforeEach, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { NEWEST, readChatChanges } from "@/server/db/sql/reads/chat-reads";
import { createBareChat, editChat, parkChat } from "@/test/chat-editor";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { createChangeReads } from "./change-reads";

let db: Database;
let userId: string;
const names: string[] = [];
beforeEach(async () => {
  db = await testDatabase();
  userId = await createUser(db);
  names.length = 0;
});

const counting = (): Database => ({
  ...db,
  query: (statement, values) => {
    names.push(statement.name);
    return db.query(statement, values);
  },
});

it("reads what is asked for at one moment together, for each viewer what that may read", async () => {
  const another = await createUser(db);
  const own = await createBareChat(db, userId);
  const parked = await createBareChat(db, userId);
  await parkChat(db, parked.id, "call");
  const foreign = await createBareChat(db, another);
  await db.prisma.chat.update({ where: { id: own.id }, data: { labels: { a: "b" } } });
  await editChat(db, own.id, { type: "touch" });
  const ranges = [
    { chatId: own.id, viewer: { userId }, after: 0 },
    { chatId: own.id, viewer: { userId }, after: 1 },
    { chatId: own.id, viewer: { userId: another }, after: 0 },
    { chatId: foreign.id, viewer: { userId }, after: 0 },
    { chatId: foreign.id, viewer: { userId: another }, after: NEWEST },
    { chatId: newId(), viewer: { userId }, after: 0 },
    { chatId: parked.id, viewer: { userId }, after: 0 },
    { chatId: own.id, viewer: { userId, labels: { a: "b" } }, after: 0 },
    { chatId: own.id, viewer: { userId, labels: { a: 'c"\\ {},' } }, after: 0 },
    { chatId: own.id, viewer: { userId, chatId: own.id }, after: 0 },
    { chatId: own.id, viewer: { userId, chatId: parked.id }, after: 0 },
  ];
  const expected = await Promise.all(ranges.map((range) => readChatChanges(db, range)));
  const found = expected.flatMap((changes, place) => (changes ? [place] : []));
  expect(found).toEqual([0, 1, 4, 6, 7, 9]);
  const readChanges = createChangeReads(counting());
  expect(await Promise.all(ranges.map(readChanges))).toEqual(expected);
  expect(names).toEqual(["chat-changes-of-many"]);
  names.length = 0;
  expect(await readChanges({ chatId: own.id, viewer: { userId }, after: 0 })).toEqual(expected[0]);
  expect(names).toEqual(["chat-changes"]);
});

it("divides many, runs two statements at a time, and fails for those that it could not read", async () => {
  const { id: chatId } = await createBareChat(db, userId);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let failing = false;
  const slow: Database = {
    ...db,
    query: async (statement, values) => {
      names.push(statement.name);
      await promise;
      if (failing) throw new Error("away");
      return db.query(statement, values);
    },
  };
  const readChanges = createChangeReads(slow);
  const range = { chatId, viewer: { userId }, after: 0 };
  const reads = Array.from({ length: 65 }, () => readChanges(range));
  await expect.poll(() => names.length).toBe(2);
  resolve(undefined);
  for (const changes of await Promise.all(reads)) expect(changes?.chat.id).toBe(chatId);
  expect(names).toHaveLength(4);
  failing = true;
  await expect(readChanges(range)).rejects.toThrow("away");
  failing = false;
  expect((await readChanges(range))?.chat.id).toBe(chatId);
});
