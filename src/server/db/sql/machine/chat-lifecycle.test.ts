import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { readChat } from "@/test/chat-probe";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { saveMetadata, saveReadMark, setGeneratedTitle } from "./chat-lifecycle";

let db: Database;
let userId: string;
beforeAll(async () => {
  db = await testDatabase();
  userId = await createUser(db);
});

const pin = (chatId: string) => saveMetadata(db, chatId, { pinned: true });
const rename = (chatId: string) => saveMetadata(db, chatId, { title: "Named" });
const generate = (chatId: string) =>
  setGeneratedTitle(db, {
    chatId,
    title: "Generated",
    usageId: newId(),
    model: "demo/demo",
    usage: { input_tokens: 7, output_tokens: 5 },
    costMicros: 3,
  });

describe("the title of a chat", () => {
  it.each([
    ["is the first words at first", [pin], { title: "A chat", titled: false, version: 1_001 }],
    ["is generated", [generate], { title: "Generated", titled: true, version: 1_001 }],
    ["is given", [rename], { title: "Named", titled: true, version: 1_001 }],
    ["stays when others change", [rename, pin], { title: "Named", titled: true, version: 1_002 }],
    ["is not generated when there is one", [rename, generate], { title: "Named", version: 1_001 }],
  ])("%s", async (_name, changes, expected) => {
    const chatId = await writeChat(db, userId);
    for (const change of changes) await change(chatId);
    expect(await readChat(db, chatId)).toMatchObject(expected);
  });
});

it("sends the version that was read to the other devices of a person, once, and no earlier one", async () => {
  const notices: string[] = [];
  const stopListening = await db.changes.subscribe((notice) => notices.push(notice));
  const [chatId, lastId] = [await writeChat(db, userId), await writeChat(db, userId)];
  const mark = (id: string, version: number) =>
    saveReadMark(db, { chatId: id, viewer: { userId }, version });
  for (const version of [6, 6, 5, 7]) expect(await mark(chatId, version)).toBe(1_000);
  await mark(lastId, 1);
  await expect.poll(() => notices.some((one) => one.startsWith(lastId))).toBe(true);
  expect(notices.filter((one) => one.startsWith(`${chatId} 1000 read`))).toHaveLength(2);
  const marks = await db.prisma.readMark.findMany({ where: { chatId } });
  expect(marks).toMatchObject([{ version: 7 }]);
  await stopListening();
});
