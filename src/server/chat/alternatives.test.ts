import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { PartRow } from "@/server/db/chats/rows";
import { toFence } from "@/server/db/sql/machine/fence";
import { commitStep } from "@/server/db/sql/machine/turn-commits";
import { completeTask } from "@/server/tasks/task-reports";
import { takeSteering } from "@/server/turn/take-steering";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { claimChat, commitAnswer } from "@/test/park-chat";
import { beginTestTask } from "@/test/task-fixture";
import { toolCall } from "@/test/tool-call";
import { clearContext } from "./change-boundary";
import { chooseBranch } from "./choose-branch";
import { createChat } from "./create-chat";
import { editMessage } from "./edit-message";
import { interruptChat } from "./interrupt-chat";
import { regenerate } from "./regenerate";
import { sendMessage } from "./send-message";

let db: Database;
let ctx: ServerContext;
beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const text = (words: string): PartRow => ({ type: "text", text: words });
const call = (toolCallId: string): PartRow =>
  toolCall({ toolCallId, state: "completed", output: "started" });
const answer = (chatId: string, ...parts: PartRow[]) =>
  commitAnswer(db, chatId, { parts, after: "finish" });
const send = (chatId: string, words: string) =>
  sendMessage(ctx, { chatId, content: toTextContent(words), busyBehavior: "steer" });
const toShown = async (chatId: string) =>
  (await readWholeHistory(db, chatId)).map(({ parts: [part] }) => {
    if (part?.type === "report") return `report ${part.data.state}`;
    return part?.type === "text" ? part.text : part?.type;
  });
const readTask = (id: string) => db.prisma.task.findUniqueOrThrow({ where: { id } });
const report = (taskId: string, chatId: string) =>
  completeTask(
    { db, newId },
    {
      taskId,
      chatId,
      state: "completed",
      report: { output: "It is 42.", for_user: null, artifacts: [] },
    },
  );

/** A chat that rests after a call that has begun a task. */
const startWithTask = async () => {
  const { id } = await createChat(ctx, { content: toTextContent("Begin.") });
  await answer(id, text("It works."), call("began"));
  const taskId = await beginTestTask(db, { chatId: id, toolCallId: "began" });
  return { id, taskId };
};
const editFirst = async (id: string, words: string): Promise<string> => {
  const [first] = await readWholeHistory(db, id);
  const messageId = first?.id ?? "";
  await editMessage(ctx, { chatId: id, messageId, content: toTextContent(words) });
  return messageId;
};

describe("the tasks of calls that are replaced", () => {
  it.each(["edit", "regenerate"])("end as cancelled without a report: %s", async (verb) => {
    const { id, taskId } = await startWithTask();
    if (verb === "edit") await editFirst(id, "Anew.");
    else await regenerate(ctx, { chatId: id });
    const task = await readTask(taskId);
    expect(task).toMatchObject({ state: "cancelled", deliveredAt: task.endedAt });
    expect(await readChat(db, id)).toMatchObject({ reportCount: 0 });
    await answer(id, text("Else."));
    expect(await report(taskId, id)).toBe(false);
    expect(await toShown(id)).toEqual([verb === "edit" ? "Anew." : "Begin.", "Else."]);
  });

  it("say so when their calls come back, once", async () => {
    const { id, taskId } = await startWithTask();
    const first = await editFirst(id, "Anew.");
    await answer(id, text("Else."));
    const second = (await readWholeHistory(db, id))[0]?.id ?? "";
    for (let round = 0; round < 2; round += 1) {
      await chooseBranch(ctx, { chatId: id, messageId: first });
      expect(await toShown(id)).toEqual(["Begin.", "It works.", "report cancelled"]);
      expect(await readChat(db, id)).toMatchObject({ status: "waiting", reportCount: 0 });
      await chooseBranch(ctx, { chatId: id, messageId: second });
      expect(await toShown(id)).toEqual(["Anew.", "Else."]);
    }
    expect(await readTask(taskId)).toMatchObject({ state: "cancelled" });
  });

  it("have no report either when it waits already", async () => {
    const { id, taskId } = await startWithTask();
    await db.prisma.chat.update({ where: { id }, data: { wakesLeft: 0 } });
    await report(taskId, id);
    expect(await readChat(db, id)).toMatchObject({ status: "waiting", reportCount: 1 });
    const first = await editFirst(id, "Anew.");
    expect(await readChat(db, id)).toMatchObject({ reportCount: 0 });
    await answer(id, text("Else."));
    expect(await toShown(id)).toEqual(["Anew.", "Else."]);
    await chooseBranch(ctx, { chatId: id, messageId: first });
    expect(await toShown(id)).toEqual(["Begin.", "It works.", "report completed"]);
  });
});

describe("the reports of calls that stay", () => {
  it("enter the history again when the messages that have them are replaced", async () => {
    const { id, taskId } = await startWithTask();
    await db.prisma.chat.update({ where: { id }, data: { wakesLeft: 0 } });
    await send(id, "Next?");
    await report(taskId, id);
    await answer(id, text("Next."));
    const shown = await toShown(id);
    expect(shown).toEqual(["Begin.", "It works.", "Next?", "report completed", "Next."]);
    await regenerate(ctx, { chatId: id });
    await answer(id, text("Other."));
    expect((await toShown(id)).slice(2)).toEqual(["Next?", "report completed", "Other."]);
    const next = (await readWholeHistory(db, id))[2];
    await editMessage(ctx, {
      chatId: id,
      messageId: next?.id ?? "",
      content: toTextContent("Last?"),
    });
    await answer(id, text("Last."));
    expect((await toShown(id)).slice(2)).toEqual(["report completed", "Last?", "Last."]);
    await chooseBranch(ctx, { chatId: id, messageId: next?.id ?? "" });
    expect((await toShown(id)).slice(2)).toEqual(["Next?", "report completed", "Other."]);
  });
});

it("what was said while an answer was written is read by the new one, and stays with the former", async () => {
  const { id } = await createChat(ctx, { content: toTextContent("Go.") });
  const chat = await claimChat(db, id);
  const step = {
    messageId: newId(),
    usageId: newId(),
    model: "demo/demo",
    parts: [text("One step."), call("a")],
    usage: { input_tokens: 7, output_tokens: 5 },
    costMicros: 3,
    finishReason: "tool-calls" as const,
    responseId: null,
  };
  const committed = await commitStep(db, toFence(chat), { step, after: { type: "continue" } });
  await send(id, "Faster.");
  const held = committed?.chat ?? chat;
  const taken = await takeSteering(ctx, held);
  if (taken === "lost") throw new Error("the lease is lost");
  const second = { ...step, messageId: newId(), usageId: newId(), parts: [text("Done.")] };
  await commitStep(db, toFence(taken.chat), { step: second, after: { type: "finish" } });
  const before = await readWholeHistory(db, id);
  expect(await toShown(id)).toEqual(["Go.", "One step.", "Faster.", "Done."]);

  for (const words of ["Again.", "Once more."]) {
    await regenerate(ctx, { chatId: id });
    expect(await toShown(id)).toEqual(["Go.", "Faster."]);
    await answer(id, text(words));
    expect(await toShown(id)).toEqual(["Go.", "Faster.", words]);
  }
  const after = await readWholeHistory(db, id);
  expect(new Set(after.map(({ turnId }) => turnId)).size).toBe(1);
  expect(after[1]?.id).not.toBe(before[2]?.id);
  await chooseBranch(ctx, { chatId: id, messageId: before[3]?.id ?? "" });
  expect((await readWholeHistory(db, id)).map((message) => message.id)).toEqual(
    before.map((message) => message.id),
  );
  expect(await readChat(db, id)).toMatchObject({ turnId: before[0]?.turnId, contextTokens: 12 });
});

it("an edit ends the calls that it replaces, so that their branch can be chosen", async () => {
  const { id } = await createChat(ctx, { content: toTextContent("Ask.") });
  const parts = [toolCall({ toolCallId: "open", state: "awaiting_result" })];
  await commitAnswer(db, id, { parts, after: "park" });
  const first = await editFirst(id, "Anew.");
  await answer(id, text("Else."));
  await chooseBranch(ctx, { chatId: id, messageId: first });
  expect((await readWholeHistory(db, id))[1]?.parts).toMatchObject([{ state: "cancelled" }]);
  await sendMessage(ctx, { chatId: id, content: toTextContent("On."), busyBehavior: "reject" });
  await interruptChat(ctx, { chatId: id });
});

it("a choice that fails in the middle changes nothing", async () => {
  const { id } = await createChat(ctx, { content: toTextContent("Go.") });
  await answer(id, text("One."));
  await regenerate(ctx, { chatId: id });
  await answer(id, text("Two."));
  const before = [
    await readChat(db, id),
    await db.prisma.message.findMany({ where: { chatId: id } }),
  ];
  const replaced = await db.prisma.message.findFirstOrThrow({
    where: { chatId: id, deleted: true },
  });
  const transaction: Database["transaction"] = (run) =>
    db.transaction(async (tx) => {
      await run(tx);
      throw new Error("the process has died");
    });
  const failing: ServerContext = { ...ctx, db: { ...db, transaction } };
  const choice = { chatId: id, messageId: replaced.id };
  await expect(chooseBranch(failing, choice)).rejects.toThrow("died");
  expect([
    await readChat(db, id),
    await db.prisma.message.findMany({ where: { chatId: id } }),
  ]).toEqual(before);
});

it("the context is that of the path, from its last answer or boundary", async () => {
  const { id } = await createChat(ctx, { content: toTextContent("Go.") });
  await answer(id, text("One."));
  await clearContext(ctx, { chatId: id });
  const first = await editFirst(id, "Anew.");
  await answer(id, text("Two."));
  const second = (await readWholeHistory(db, id))[0]?.id ?? "";
  await chooseBranch(ctx, { chatId: id, messageId: first });
  expect(await toShown(id)).toEqual(["Go.", "One.", "summary"]);
  expect(await readChat(db, id)).toMatchObject({ contextTokens: 0 });
  await chooseBranch(ctx, { chatId: id, messageId: second });
  expect(await readChat(db, id)).toMatchObject({ contextTokens: 12 });
});

it("a version within one that is replaced cannot be chosen, nor one of another chat", async () => {
  const { id } = await createChat(ctx, { content: toTextContent("Go.") });
  await answer(id, text("One."));
  const inner = (await readWholeHistory(db, id))[1]?.id ?? "";
  await regenerate(ctx, { chatId: id });
  await answer(id, text("Two."));
  await editFirst(id, "Anew.");
  await answer(id, text("Three."));
  const before = await readWholeHistory(db, id);
  const choice = { chatId: id, messageId: inner };
  await expect(chooseBranch(ctx, choice)).rejects.toMatchObject({ code: "conflict" });
  const other = await createChat(ctx, { content: toTextContent("Else.") });
  await answer(other.id, text("No."));
  await expect(chooseBranch(ctx, { ...choice, chatId: other.id })).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await readWholeHistory(db, id)).toEqual(before);
});
