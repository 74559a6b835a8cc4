import { describe, expect, it } from "vitest";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { toolCall } from "@/test/tool-call";
import { claimChats } from "./claim";
import { completeAction } from "./complete-action";

it("answers with the message as it would be read, of this version of the chat alone", async () => {
  const db = await testDatabase();
  const userId = await createUser(db);
  const write = async () => {
    const chatId = await writeChat(db, userId, { status: "requires_action" });
    const parts = ["a", "b", "c"].map((toolCallId) => toolCall({ toolCallId }));
    await writeMessage(db, chatId, { seq: 1, role: "assistant", parts });
    return readChat(db, chatId);
  };
  const [chat, other] = [await write(), await write()];
  const [otherBefore] = await readWholeHistory(db, other.id);
  const outcomes = [{ toolCallId: "b", state: "completed", output: "done" } as const];
  const answer = (version: number) =>
    completeAction(db, {
      chat: { ...chat, version },
      event: "complete_action",
      outcomes,
      overridesClaims: false,
    });
  expect(await answer(chat.version - 1)).toBeUndefined();
  const completed = await answer(chat.version);
  expect(completed?.messages).toEqual(await readWholeHistory(db, chat.id));
  const states = completed?.messages[0]?.parts.map((part) => "state" in part && part.state);
  expect(states).toEqual(["awaiting_result", "completed", "awaiting_result"]);
  expect(completed?.messages[0]?.revision).toBe(chat.version + 1);
  expect(await readWholeHistory(db, other.id)).toEqual([otherBefore]);
  expect(await readChat(db, other.id)).toEqual(other);
});

it("answers with the part alone while other calls are open", async () => {
  const db = await testDatabase();
  const chatId = await writeChat(db, await createUser(db), { status: "requires_action" });
  const parts = ["a", "b"].map((toolCallId) => toolCall({ toolCallId }));
  await writeMessage(db, chatId, { seq: 1, role: "assistant", parts });
  const completed = await completeAction(db, {
    chat: await readChat(db, chatId),
    event: "decide_some",
    outcomes: [{ toolCallId: "b", state: "completed", output: "done" }],
    overridesClaims: false,
  });
  const [message] = await readWholeHistory(db, chatId);
  expect(completed).toMatchObject({ messages: [], parts: [message?.parts[1]] });
  expect(completed?.chat).toEqual(await readChat(db, chatId));
});

describe("for a worker with room", () => {
  const room = { owner: "worker-of-results", limit: 1, full: [] };
  const park = async () => {
    const db = await testDatabase();
    const userId = await createUser(db);
    const chatId = await writeChat(db, userId, { status: "requires_action" });
    await writeMessage(db, chatId, { seq: 1 });
    await writeMessage(db, chatId, {
      seq: 2,
      role: "assistant",
      parts: [toolCall({ toolCallId: "a" })],
    });
    await db.prisma.chat.update({ where: { id: chatId }, data: { lastSeq: 2 } });
    const answer = async () =>
      completeAction(
        db,
        {
          chat: await readChat(db, chatId),
          event: "complete_action",
          outcomes: [{ toolCallId: "a", state: "completed", output: "done" }],
          overridesClaims: false,
        },
        room,
      );
    return { db, userId, chatId, answer };
  };

  it("claims the chat, with all that a claim of it would have had", async () => {
    const { db, userId, chatId, answer } = await park();
    const before = await readChat(db, chatId);
    const completed = await answer();
    const chat = await readChat(db, chatId);
    expect(completed?.chat).toEqual(chat);
    expect(chat).toMatchObject({
      status: "running",
      version: before.version + 1,
      leaseOwner: room.owner,
      attempt: 1,
    });
    expect(chat.leaseExpiresAt?.getTime()).toBeGreaterThan(Date.now() + 20_000);
    const history = await readHistory(db, chatId);
    expect(history.at(-1)?.parts).toMatchObject([{ state: "completed", output: "done" }]);
    expect(completed?.claimed).toMatchObject({ ...chat, history, lastRetry: null });

    await db.prisma.chat.update({
      where: { id: chatId },
      data: { leaseOwner: null, leaseToken: null, leaseExpiresAt: null, status: "pending" },
    });
    const later = (await claimChats(db, { owner: "another", limit: 1_000 })).find(
      ({ id }) => id === chatId,
    );
    expect(completed?.claimed?.groups).toEqual(later?.groups);
    expect(completed?.claimed?.toolModes).toEqual(later?.toolModes);
    expect(completed?.claimed?.advisorConfig).toEqual(later?.advisorConfig);
    expect(completed?.claimed?.groups[0]).toBe(`owner ${userId}`);
  });

  it("leaves the chat to another worker that has what it runs", async () => {
    const { db, chatId, answer } = await park();
    await db.prisma.worker.create({ data: { owner: "holder" } });
    await db.prisma.chat.update({ where: { id: chatId }, data: { sessionOwner: "holder" } });
    const kept = await answer();
    expect(kept).toMatchObject({
      chat: { status: "pending", sessionOwner: "holder", leaseOwner: null },
      messages: [{ parts: [{ state: "completed", output: "done" }] }],
    });
    expect(kept?.claimed).toBeUndefined();
    await db.prisma.worker.delete({ where: { owner: "holder" } });
  });
});
