import { beforeAll, describe, expect, it } from "vitest";
import type { DomainError } from "@/contract/domain-error";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { addSecret } from "@/server/mask-secrets";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { createChat } from "./create-chat";
import { editMessage } from "./edit-message";
import { interruptChat } from "./interrupt-chat";
import { submitToolResult } from "./submit-tool-result";
import { updateChat } from "./update-chat";

const TOOLS: DynamicTool[] = [
  { name: "ask" },
  { name: "measure", output_schema: { type: "number" } },
];

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const park = async (...parts: PartRow[]): Promise<string> => {
  const { id } = await createChat(ctx, { content: toTextContent("hello"), dynamicTools: TOOLS });
  await commitAnswer(db, id, { parts, after: "park" });
  return id;
};

type Sent = { output?: JsonValue; isError?: boolean; messageId?: string };

const answer = (chatId: string, toolCallId: string, sent: Sent = {}, by = ctx): Promise<void> => {
  const { output = "yes", isError = false, messageId } = sent;
  return submitToolResult(by, { chatId, messageId, result: { toolCallId, output, isError } });
};

const refuse = (...args: Parameters<typeof answer>): Promise<DomainError> =>
  answer(...args).then(
    () => Promise.reject(new Error("the result was taken")),
    (error: unknown) => error as DomainError,
  );

const readCalls = async (chatId: string): Promise<ToolCallPartRow[]> =>
  (await readWholeHistory(db, chatId))
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool_call");

/** The same person with an API key. */
const withKey = (id: string): ServerContext => ({
  ...ctx,
  actor: {
    ...ctx.actor,
    credential: { type: "api_key", id, scopes: ["chat"], only: null, expiresAt: null },
  },
});

describe("a result of one call", () => {
  it("leaves the others open, and the last one continues the turn", async () => {
    const chatId = await park(openCall("a", "ask"), openCall("b", "ask"));
    await answer(chatId, "b", { output: { ok: true } });
    expect(await readChat(db, chatId)).toMatchObject({ status: "requires_action" });
    expect(await readCalls(chatId)).toMatchObject([
      { toolCallId: "a", state: "awaiting_result" },
      { toolCallId: "b", state: "completed", output: { ok: true } },
    ]);
    await answer(chatId, "a", { isError: true });
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending" });
    expect(await readCalls(chatId)).toMatchObject([{ state: "error" }, { state: "completed" }]);
  });

  it("waits for the approval of another call", async () => {
    const chatId = await park(
      openCall("a", "ask"),
      openCall("b", "exec", { kind: "builtin", state: "awaiting_approval" }),
    );
    await answer(chatId, "a");
    expect(await readChat(db, chatId)).toMatchObject({ status: "requires_action" });
  });

  it("is stored once of fifty that come at once, whoever sends them", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `call_${index}`);
    const chatId = await park(...ids.map((id) => openCall(id, "ask")));
    const sent = ids.flatMap((id) =>
      Array.from({ length: 5 }, (_, key) => answer(chatId, id, { output: key }, withKey(`${key}`))),
    );
    const settled = await Promise.allSettled(sent);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(ids.length);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending" });
  });

  it("may be sent again by the same person or key, also after the turn has gone on", async () => {
    const chatId = await park(openCall("a", "ask"), openCall("b", "ask"));
    const key = withKey("one");
    await answer(chatId, "a", { output: { n: 1 } }, key);
    const { version } = await readChat(db, chatId);
    await answer(chatId, "a", { output: { n: 1 } }, key);
    expect((await readChat(db, chatId)).version).toBe(version);
    await answer(chatId, "b", {}, key);
    await answer(chatId, "b", {}, key);
    for (const [sent, by] of [
      [{ output: { n: 2 } }, key],
      [{ output: { n: 1 }, isError: true }, key],
      [{ output: { n: 1 } }, ctx],
      [{ output: { n: 1 } }, withKey("other")],
    ] as const) {
      expect(await refuse(chatId, "a", sent, by)).toMatchObject({
        code: "conflict",
        reason: "call_answered",
        shouldRetry: false,
        call: { state: "completed", resolved_by: "api_key:one" },
      });
    }
  });

  it("with a secret is masked, and may be sent again", async () => {
    addSecret("kX9wQ2vT7zB4mR8pL1nG5hJ7");
    const chatId = await park(openCall("a", "ask"));
    for (let round = 0; round < 2; round += 1) {
      await answer(chatId, "a", { output: "the key kX9wQ2vT7zB4mR8pL1nG5hJ7" });
    }
    expect(JSON.stringify(await readCalls(chatId))).not.toContain("kX9wQ2vT7zB4mR8pL1nG5hJ7");
  });
});

describe("a result is refused, and changes nothing,", () => {
  it("of a chat or a call that is unknown", async () => {
    const chatId = await park(openCall("a", "ask"));
    expect(await refuse("no-chat", "a")).toMatchObject({ code: "not_found" });
    const error = await refuse(chatId, "b");
    expect(error).toMatchObject({ code: "not_found", message: 'The chat has no call "b".' });
    expect(await readCalls(chatId)).toMatchObject([{ state: "awaiting_result" }]);
  });

  it("if it does not match the schema of its tool", async () => {
    const chatId = await park(openCall("a", "measure"), openCall("b", "ask"));
    const error = await refuse(chatId, "a", { output: "tall" });
    expect(error).toMatchObject({ code: "invalid", errors: [{ pointer: "/output" }] });
    await answer(chatId, "a", { output: "no scale", isError: true });
  });

  it("of an archived chat", async () => {
    const { id } = await createChat(ctx, { content: toTextContent("hello"), dynamicTools: TOOLS });
    await commitAnswer(db, id, { parts: [openCall("a", "ask")], after: "park" });
    await answer(id, "a");
    await interruptChat(ctx, { chatId: id, cancelCalls: [] });
    const chatId = await park(openCall("a", "ask"));
    await interruptChat(ctx, { chatId, cancelCalls: ["a"] });
    await updateChat(ctx, { chatId, archived: true });
    expect(await refuse(chatId, "a")).toMatchObject({
      code: "conflict",
      reason: "chat_archived",
      shouldRetry: false,
    });
  });

  it("after a stop", async () => {
    const chatId = await park(openCall("a", "ask"));
    await interruptChat(ctx, { chatId, cancelCalls: ["a"] });
    expect(await refuse(chatId, "a")).toMatchObject({
      reason: "call_closed",
      message: expect.stringContaining("cancelled") as string,
      call: { state: "cancelled" },
    });
  });

  it("after an edit", async () => {
    const chatId = await park(openCall("a", "ask"));
    const [question] = await readWholeHistory(db, chatId);
    const messageId = question?.id ?? "";
    await editMessage(ctx, { chatId, messageId, content: toTextContent("hi") });
    expect(await refuse(chatId, "a")).toMatchObject({ reason: "call_closed" });
  });

  it("of another message than the one that is named", async () => {
    const chatId = await park(openCall("a", "ask"));
    const messages = await readWholeHistory(db, chatId);
    const [question, asked] = messages.map(({ id }) => id);
    expect(await refuse(chatId, "a", { messageId: question ?? "" })).toMatchObject({
      reason: "call_closed",
    });
    await answer(chatId, "a", { messageId: asked ?? "" });
  });

  it("of a call that waits for an approval, or that the server runs", async () => {
    const chatId = await park(
      openCall("a", "exec", { kind: "builtin", state: "awaiting_approval" }),
      openCall("b", "exec", { kind: "builtin", state: "running" }),
    );
    for (const id of ["a", "b"]) {
      expect(await refuse(chatId, id)).toMatchObject({ reason: "call_not_awaited" });
    }
  });

  it("for a moment while the server runs other calls of the step", async () => {
    const { id } = await createChat(ctx, { content: toTextContent("hello"), dynamicTools: TOOLS });
    await commitAnswer(db, id, { parts: [openCall("a", "ask")], after: "continue" });
    const error = await refuse(id, "a");
    expect(error).toMatchObject({ reason: "chat_busy", shouldRetry: true, retryAfterSeconds: 1 });
  });
});
