import { expect, it } from "vitest";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { toolCall } from "@/test/tool-call";
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
