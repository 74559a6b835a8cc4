import { v7 as newId } from "uuid";
import { beforeEach, describe, expect, it } from "vitest";
import { textPart, writeChat, writeMessage } from "@/test/chat-rows";
import { createOwner } from "@/test/factories";
import { writeTask } from "@/test/task-rows";
import { toolCall } from "@/test/tool-call";
import { MAX_TASKS } from "@/server/db/sql/rows/task-columns";
import { runWithoutIndexes } from "@/test/without-indexes";
import { readChatChanges } from "./chat-reads";
import type { Database } from "@/server/db/connection/database";
import { enqueueMessage, moveToQueueHead } from "@/server/db/sql/machine/queue-writes";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import type { Viewer } from "@/server/db/chats/viewer";

const UNKNOWN = "01890000-0000-7000-8000-000000000000";
const NOT_IDS = ["", "1", "null", `{${UNKNOWN}}`, `${UNKNOWN}0`, "a\0b", "' OR true --"];

let db: Database;
let userId: string;
let viewer: Viewer;
let otherId: string;
beforeEach(async () => {
  ({ db, userId, viewer, otherId } = await createOwner());
});

const call = (fields: Partial<ToolCallPartRow>): ToolCallPartRow =>
  toolCall({
    toolCallId: "call_1",
    args: { city: "Bern" },
    startedAt: new Date("2026-01-02T03:04:05.678Z"),
    ...fields,
  });

describe("the chat of readChatChanges", () => {
  const readChat = async (chatId: string, reader = viewer) =>
    (await readChatChanges(db, { chatId, viewer: reader, after: 0 }))?.chat;

  it("returns a chat only to its owner", async () => {
    const chatId = await writeChat(db, userId, { title: "Plans", labels: { team: "a" } });
    expect(await readChat(chatId)).toMatchObject({
      id: chatId,
      title: "Plans",
      labels: { team: "a" },
      status: "waiting",
      systemPrompt: "Be brief.",
      dynamicTools: [],
      archivedAt: null,
    });
    expect(await readChat(chatId, { userId: otherId })).toBeUndefined();
    expect(await readChat(UNKNOWN)).toBeUndefined();
  });

  it.each(NOT_IDS)("treats %j as an unknown chat", async (chatId) => {
    expect(await readChat(chatId)).toBeUndefined();
  });
});

describe("readChatChanges", () => {
  it("returns all messages after version 0, and only changes after a later one", async () => {
    const chatId = await writeChat(db, userId);
    const one = await writeMessage(db, chatId, { seq: 1, parts: [textPart("a\0"), textPart("b")] });
    await writeMessage(db, chatId, { seq: 2, deleted: true, revision: 9 });
    await writeMessage(db, chatId, { seq: 3, visibility: "model" });
    await writeMessage(db, chatId, { seq: 4, visibility: "user", revision: 4 });

    const all = await readChatChanges(db, { chatId, viewer, after: 0 });
    expect(all?.chat.id).toBe(chatId);
    expect(all?.messages.map(({ seq, deleted }) => [seq, deleted])).toEqual([
      [1, false],
      [4, false],
    ]);
    expect(all?.messages[0]).toMatchObject({
      id: one,
      chatId,
      revision: 1,
      role: "user",
      parts: [
        { type: "text", text: "a\0" },
        { type: "text", text: "b" },
      ],
      usage: null,
    });
    expect(all?.messages[0]?.createdAt).toBeInstanceOf(Date);

    const news = await readChatChanges(db, { chatId, viewer, after: 4 });
    expect(news?.messages).toMatchObject([{ seq: 2, deleted: true, parts: [] }]);
    const none = await readChatChanges(db, { chatId, viewer, after: Number.MAX_SAFE_INTEGER });
    expect(none?.messages).toEqual([]);
    expect(
      await readChatChanges(db, { chatId, viewer: { userId: otherId }, after: 0 }),
    ).toBeUndefined();
  });

  it("returns the queue, the next message first", async () => {
    const chatId = await writeChat(db, userId, { status: "running", queuedCount: 2 });
    for (const [index, text] of ["first", "second"].entries()) {
      await enqueueMessage(db, {
        id: `01890000-0000-7000-8000-${chatId.slice(-11)}${index}`,
        chatId,
        content: [{ type: "text", text }],
        modelId: null,
        createdBy: userId,
        steers: false,
      });
    }
    const changes = await readChatChanges(db, { chatId, viewer, after: 5_000 });
    expect(changes?.queue.map(({ content }) => content)).toEqual([
      [{ type: "text", text: "first" }],
      [{ type: "text", text: "second" }],
    ]);
    expect(changes?.queue[0]?.createdAt).toBeInstanceOf(Date);
  });

  it("returns the open calls of a parked chat's last answer, as they were written", async () => {
    const chatId = await writeChat(db, userId, { status: "requires_action" });
    await writeMessage(db, chatId, { seq: 1, role: "assistant", parts: [call({})] });
    const open = [
      call({ toolCallId: "a", args: { text: "x\0y", none: null } }),
      call({ toolCallId: "b", kind: "builtin", state: "awaiting_approval", args: null }),
    ];
    const parts = [
      textPart("I ask"),
      call({ toolCallId: "done", state: "completed", output: 1, completedAt: new Date() }),
      call({ toolCallId: "theirs", kind: "provider", state: "running" }),
      ...open,
    ];
    const messageId = await writeMessage(db, chatId, { seq: 2, role: "assistant", parts });
    await writeMessage(db, chatId, { seq: 3, role: "assistant", deleted: true, parts: [call({})] });
    const changes = await readChatChanges(db, { chatId, viewer, after: 5_000 });
    expect(changes?.openCalls).toEqual(
      open.map((each) => ({ ...each, messageId, claim: null, labels: {} })),
    );
  });

  it("returns no open calls of a chat that is not parked", async () => {
    const chatId = await writeChat(db, userId, { status: "running" });
    await writeMessage(db, chatId, { seq: 1, role: "assistant", parts: [call({})] });
    const changes = await readChatChanges(db, { chatId, viewer, after: 5_000 });
    expect(changes?.openCalls).toEqual([]);
  });
});

it("gives all of a chat in its order, however its rows lie, and of very many tasks the newest", async () => {
  const chatId = await writeChat(db, userId);
  await db.prisma.chat.update({ where: { id: chatId }, data: { taskVersion: 5, queuedCount: 3 } });
  for (const seq of [2, 1]) {
    const parts = [textPart("a"), textPart("b")];
    const messageId = await writeMessage(db, chatId, { seq, parts });
    // A row that changes is written anew, behind the others.
    await db.prisma.part.updateMany({ where: { messageId, index: 0 }, data: { silent: true } });
  }
  const write = { chatId, content: [], modelId: null, createdBy: userId, steers: false };
  const [first, second] = [newId(), newId()];
  for (const id of [second, first]) await enqueueMessage(db, { ...write, id });
  await moveToQueueHead(db, chatId, first);
  await enqueueMessage(db, { ...write, id: newId(), chatId: await writeChat(db, userId) });

  const createdAt = new Date(10);
  const ids = Array.from({ length: MAX_TASKS + 1 }, () => newId());
  const fields = {
    rootChatId: chatId,
    chatId,
    toolCallId: "call",
    kind: "tool",
    label: "",
  } as const;
  const task = { ...fields, state: "running", owner: "test", createdAt } as const;
  await db.prisma.task.createMany({
    data: ids.map((id) => ({ ...task, id, revision: id === ids.at(-1) ? 5 : 4 })),
  });
  await writeTask(db, chatId, { revision: 4, createdAt: new Date(9) });
  await writeTask(db, await writeChat(db, userId), { revision: 5 });

  const read = (after: number) =>
    runWithoutIndexes(db, (tx) => readChatChanges(tx, { chatId, viewer, after }));
  const all = await read(0);
  expect(all?.messages.map(({ seq }) => seq)).toEqual([1, 2]);
  for (const { parts } of all?.messages ?? [])
    expect(parts).toMatchObject([{ text: "a" }, { text: "b" }]);
  expect(all?.queue.map(({ id }) => id)).toEqual([first, second]);
  expect(all?.tasks.map(({ id }) => id)).toEqual(ids.slice(1));
  expect((await read(4))?.tasks.map(({ id }) => id)).toEqual(ids.slice(-1));
});
