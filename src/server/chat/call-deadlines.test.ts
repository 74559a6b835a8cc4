import { beforeAll, describe, expect, it } from "vitest";
import type { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall, passDeadlines } from "@/test/park-chat";
import { createChat } from "./create-chat";
import { expireAction } from "./expire-action";
import { extendCall } from "./extend-call";
import { submitToolResult } from "./submit-tool-result";

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const SHORT = 10;
const LONG = 3_600;

/** A chat that waits for "short", for "long", and for an approval. */
const park = async (): Promise<string> => {
  const { id } = await createChat(ctx, {
    content: toTextContent("hello"),
    dynamicTools: [{ name: "ask" }],
  });
  await commitAnswer(db, id, {
    parts: [
      openCall("short", "ask"),
      openCall("long", "ask"),
      openCall("approval", "exec", { kind: "builtin", state: "awaiting_approval" }),
    ],
    after: "park",
    timeouts: { short: SHORT, long: LONG, approval: LONG },
  });
  return id;
};

const readCalls = async (chatId: string) => {
  const calls = (await readWholeHistory(db, chatId))
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool_call");
  return Object.fromEntries(calls.map((call) => [call.toolCallId, call]));
};

const secondsLeft = (deadline: Date | null | undefined): number =>
  Math.round(((deadline?.getTime() ?? 0) - Date.now()) / 1_000);

const answer = (chatId: string, toolCallId: string): Promise<void> =>
  submitToolResult(ctx, {
    chatId,
    messageId: undefined,
    result: { toolCallId, output: 1, isError: false },
  });

const later = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);

const refuse = (...args: Parameters<typeof extendCall>): Promise<DomainError> =>
  extendCall(...args).then(
    () => Promise.reject(new Error("it was extended")),
    (error: unknown) => error as DomainError,
  );

describe("a call that is open", () => {
  it("has a deadline of its own, and the chat the earliest", async () => {
    const chatId = await park();
    const { short, long, approval } = await readCalls(chatId);
    expect(secondsLeft(short?.deadlineAt)).toBeLessThanOrEqual(SHORT);
    expect(secondsLeft(long?.deadlineAt)).toBeGreaterThan(LONG - 60);
    expect(approval?.deadlineAt).toEqual(long?.deadlineAt);
    expect((await readChat(db, chatId)).actionDeadlineAt).toEqual(short?.deadlineAt);
  });

  it("leaves the chat the deadlines of the others when it is answered", async () => {
    const chatId = await park();
    await answer(chatId, "short");
    const { long } = await readCalls(chatId);
    expect((await readChat(db, chatId)).actionDeadlineAt).toEqual(long?.deadlineAt);
  });

  it("times out by itself", async () => {
    const chatId = await park();
    await passDeadlines(db, chatId, ["short"]);
    await expireAction(db, chatId, ctx.newId);
    const { short, long, approval } = await readCalls(chatId);
    expect(short).toMatchObject({ state: "timed_out", isError: true });
    expect([long?.state, approval?.state]).toEqual(["awaiting_result", "awaiting_approval"]);
    const chat = await readChat(db, chatId);
    expect(chat).toMatchObject({
      status: "requires_action",
      actionDeadlineAt: long?.deadlineAt ?? null,
    });
    await expireAction(db, chatId, ctx.newId);
    expect(await readChat(db, chatId)).toEqual(chat);
    await passDeadlines(db, chatId);
    await expireAction(db, chatId, ctx.newId);
    expect(await readChat(db, chatId)).toMatchObject({ status: "pending", actionDeadlineAt: null });
  });
});

describe("more time", () => {
  it("is given to one call, and less as well", async () => {
    const chatId = await park();
    const { version } = await readChat(db, chatId);
    await extendCall(ctx, { chatId, toolCallId: "short", deadlineAt: later(2 * LONG) });
    const { short, long } = await readCalls(chatId);
    expect(secondsLeft(short?.deadlineAt)).toBeGreaterThan(LONG);
    const chat = await readChat(db, chatId);
    expect(chat.actionDeadlineAt).toEqual(long?.deadlineAt);
    expect(chat.version).toBe(version + 1);
    const soon = later(SHORT);
    await extendCall(ctx, { chatId, toolCallId: "long", deadlineAt: soon });
    expect((await readChat(db, chatId)).actionDeadlineAt).toEqual(soon);
  });

  it("is refused for a time that has passed or is too far away", async () => {
    const chatId = await park();
    for (const deadlineAt of [later(-1), later(31 * 24 * 3_600)]) {
      const error = await refuse(ctx, { chatId, toolCallId: "short", deadlineAt });
      expect(error).toMatchObject({ code: "invalid", errors: [{ pointer: "/deadline_at" }] });
    }
  });

  it("is refused to an unknown call, one that has ended, and one that waits for an approval", async () => {
    const chatId = await park();
    const deadlineAt = later(LONG);
    expect(await refuse(ctx, { chatId, toolCallId: "other", deadlineAt })).toMatchObject({
      code: "not_found",
    });
    const approval = await refuse(ctx, { chatId, toolCallId: "approval", deadlineAt });
    expect(approval).toMatchObject({ reason: "call_not_awaited" });
    await answer(chatId, "long");
    const before = await readChat(db, chatId);
    const answered = await refuse(ctx, { chatId, toolCallId: "long", deadlineAt });
    expect(answered).toMatchObject({ reason: "call_answered", call: { state: "completed" } });
    expect(await readChat(db, chatId)).toEqual(before);
  });
});
