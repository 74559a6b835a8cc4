import { v7 as newId } from "uuid";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonValue } from "@/contract/json";
import { writeChat, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { toolCall } from "@/test/tool-call";
import { listOpenCalls } from "@/server/db/chats/call-reads";
import { approveCalls, resumeCall, saveOutcomes, settleEndedCalls } from "./call-writes";
import type { Database } from "@/server/db/connection/database";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { replaceAnswer } from "./branch-writes";
import { insertPartialMessage, insertUserMessage } from "./message-writes";
import type { PartRow } from "@/server/db/chats/rows";
import { readClock } from "./clock-reads";

/** JSON that a model or a tool may write: keys in an order of their own, and what looks like Prisma's. */
const HOSTILE = JSON.parse(
  String.raw`{"z\u0000":[null,1.5,"a\u0000b"],"a":{"__proto__":{"$type":"DateTime","value":"x"}},
    "v":{"__prismaRawParameters__":true,"values":"[]"},"toJSON":"\ufdd0","__proto__":1}`,
) as JsonValue;

let db: Database;
let chatId: string;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  chatId = await writeChat(db, await createUser(db));
});
afterEach(() => vi.useRealTimers());

const getParts = async (): Promise<PartRow[]> =>
  (await readHistory(db, chatId)).flatMap(({ parts }) => parts);

const message = (seq: number) => ({ id: newId(), chatId, seq, turnId: chatId, revision: 7 });

describe("a message", () => {
  it("of a user has its texts in their order", async () => {
    const content = [
      { type: "text" as const, text: "one\0" },
      { type: "text" as const, text: "two" },
    ];
    const row = await db.transaction((tx) =>
      insertUserMessage(tx, { ...message(1), createdBy: "a user", content }),
    );
    const fields = { role: "user", seq: 1, revision: 7, interrupted: false, finishReason: null };
    expect(row).toMatchObject({ ...fields, parts: content });
    expect(row.createdAt).toBeInstanceOf(Date);
    expect(await readHistory(db, chatId)).toMatchObject([{ id: row.id, parts: content }]);
  });

  it("that was interrupted has its parts as the model wrote them", async () => {
    const startedAt = new Date("2026-01-02T03:04:05.678Z");
    const parts: PartRow[] = [
      { type: "text", text: "a\0b", providerMetadata: { demo: { data: HOSTILE } } },
      { type: "reasoning", text: "hm", startedAt, completedAt: null },
      { type: "source", data: { url: "https://example.org/\0" } },
      toolCall({ toolCallId: "open", args: HOSTILE, startedAt }),
      toolCall({
        toolCallId: "done",
        args: null,
        state: "completed",
        output: HOSTILE,
        startedAt,
        completedAt: startedAt,
        forUser: "\0",
        artifacts: [],
      }),
    ];
    await db.transaction((tx) =>
      insertPartialMessage(tx, { ...message(1), model: "demo/demo", parts }),
    );
    expect(await db.prisma.message.findMany({ where: { chatId } })).toMatchObject([
      { interrupted: true, finishReason: "interrupted" },
    ]);
    const stored = await getParts();
    expect(stored).toEqual(parts);
    // The model is sent its own words again, so the keys stay in their order.
    const [open, done] = stored.filter((part) => part.type === "tool_call");
    expect(JSON.stringify([open?.args, done?.output])).toBe(JSON.stringify([HOSTILE, HOSTILE]));
  });
});

it("an answer that is replaced keeps its turn, and its question begins the new one", async () => {
  await writeMessage(db, chatId, { seq: 1 });
  await writeMessage(db, chatId, { seq: 2, role: "assistant" });
  const newTurnId = newId();
  await replaceAnswer(db, { chatId, turnId: chatId, newTurnId, revision: 9 });
  const messages = await db.prisma.message.findMany({ where: { chatId }, orderBy: { seq: "asc" } });
  expect(messages.map(({ turnId, deleted }) => [turnId, deleted])).toEqual([
    [newTurnId, false],
    [chatId, true],
  ]);
});

describe("the calls of the last answer", () => {
  const write = async (): Promise<string> => {
    await writeMessage(db, chatId, {
      seq: 1,
      role: "assistant",
      parts: [toolCall({ toolCallId: "former" })],
    });
    return writeMessage(db, chatId, {
      seq: 2,
      role: "assistant",
      parts: [
        toolCall({ toolCallId: "a", state: "awaiting_approval" }),
        toolCall({ toolCallId: "theirs", kind: "provider", state: "running" }),
        toolCall({ toolCallId: "b", state: "running" }),
      ],
    });
  };
  const revisions = async () => {
    const rows = await db.prisma.message.findMany({ where: { chatId }, orderBy: { seq: "asc" } });
    return rows.map(({ revision }) => revision);
  };
  const outcomes = async () =>
    Object.fromEntries(
      (await getParts()).flatMap((part) =>
        part.type === "tool_call" ? [[part.toolCallId, part.state]] : [],
      ),
    );

  it("are open until they have an outcome, which the database dates", async () => {
    await write();
    await db.transaction(async (tx) => {
      const now = await readClock(tx);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
      expect(await listOpenCalls(tx, chatId)).toMatchObject([
        { toolCallId: "a" },
        { toolCallId: "b" },
      ]);
      const ending = { isError: true, resolvedBy: "a user" };
      const outcomes = [
        { ...ending, toolCallId: "a", state: "denied" as const, output: HOSTILE },
        { ...ending, toolCallId: "b", state: "cancelled" as const, output: "gone" },
        { ...ending, toolCallId: "theirs", state: "cancelled" as const },
        { ...ending, toolCallId: "former", state: "cancelled" as const },
      ];
      await saveOutcomes(tx, { chatId, revision: 9, outcomes });
      expect(await listOpenCalls(tx, chatId)).toEqual([]);
      const parts = await tx.prisma.part.findMany({
        where: { toolCallId: { in: ["a", "b"] }, message: { chatId } },
        orderBy: { index: "asc" },
      });
      const ended = { isError: true, resolvedBy: "a user", completedAt: now };
      expect(parts).toMatchObject([
        { ...ended, output: HOSTILE },
        { ...ended, output: "gone" },
      ]);
    });
    const expected = { former: "awaiting_result", a: "denied", b: "cancelled", theirs: "running" };
    expect(await outcomes()).toEqual(expected);
    expect(await revisions()).toEqual([1, 9]);
  });

  it("keep their first outcome", async () => {
    await write();
    const save = (revision: number, output: string) =>
      db.transaction((tx) =>
        saveOutcomes(tx, {
          chatId,
          revision,
          outcomes: [{ toolCallId: "b", state: "completed", output }],
        }),
      );
    await save(9, "first");
    await save(10, "second");
    const plain = { isError: false, silent: false, responseHandled: false, approved: false };
    const first = { toolCallId: "b", output: "first", ...plain };
    expect((await getParts()).at(-1)).toMatchObject(first);
    expect(await revisions()).toEqual([1, 9]);
  });

  it("run once they are approved", async () => {
    await write();
    const change = { chatId, revision: 9, resolvedBy: "a user" };
    const asMade = { approvedArgs: null, approvalScope: null };
    const calls = [
      { toolCallId: "a", approvedArgs: { b: 1, a: "\0" }, approvalScope: { line: "\0" } },
      { toolCallId: "former", ...asMade },
    ];
    await db.transaction((tx) => approveCalls(tx, { ...change, calls }));
    expect(await getParts()).toMatchObject([
      { toolCallId: "former", state: "awaiting_result", approved: false },
      { ...calls[0], state: "running", approved: true, resolvedBy: "a user" },
      { toolCallId: "theirs" },
      { toolCallId: "b" },
    ]);
    expect(await revisions()).toEqual([1, 9]);
  });

  it("resume only if they ask", async () => {
    await writeMessage(db, chatId, {
      seq: 1,
      role: "assistant",
      parts: [
        toolCall({ toolCallId: "asks", state: "awaiting_result" }),
        toolCall({ toolCallId: "waits", state: "awaiting_approval" }),
      ],
    });
    await db.transaction((tx) => resumeCall(tx, { chatId, revision: 7, toolCallId: "waits" }));
    await db.transaction((tx) => resumeCall(tx, { chatId, revision: 8, toolCallId: "asks" }));
    expect(await outcomes()).toEqual({ asks: "running", waits: "awaiting_approval" });
    expect(await revisions()).toEqual([8]);
  });

  it("that had ended are settled if they still run", async () => {
    const messageId = await write();
    const settled = { state: "completed", output: HOSTILE, completedAt: new Date(5) } as const;
    const calls = [
      toolCall({ toolCallId: "a", ...settled }),
      toolCall({ toolCallId: "b", ...settled, args: "not stored", forUser: "\0" }),
    ];
    await db.transaction((tx) => settleEndedCalls(tx, { messageId, calls, revision: 8 }));
    expect(await outcomes()).toMatchObject({ a: "awaiting_approval", b: "completed" });
    expect((await getParts()).at(-1)).toEqual({ ...calls[1], args: {} });
    expect(await revisions()).toEqual([1, 8]);
  });
});
