import { beforeAll, describe, expect, it } from "vitest";
import type { DomainError } from "@/contract/domain-error";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import { actorId, type ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { addSecret } from "@/server/mask-secrets";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { createChat } from "./create-chat";
import { getLocalCalls } from "@/server/turn/decide-next";
import type { SubmittedResult } from "./check-results";
import { submitToolResults } from "./submit-tool-results";

const TOOLS: DynamicTool[] = [
  { name: "ask" },
  { name: "key", output_schema: { type: "string", pattern: "^sk-" } },
  {
    name: "measure",
    output_schema: {
      type: "object",
      properties: { value: { type: "number" } },
      required: ["value"],
    },
  },
];

const KEY = "sk-proj-abcdefghij0123456789";
const OWN = "kX9wQ2vT7zB4mR8pL1nG5hJ6";
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----\n${"MIIa0+/A".repeat(8)}\n${"MIIa0+/A".repeat(8)}\n-----END PRIVATE KEY-----`;

let db: Database;
let ctx: ServerContext;

beforeAll(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const parked = async (...parts: PartRow[]): Promise<string> => {
  const { id } = await createChat(ctx, { content: toTextContent("hello"), dynamicTools: TOOLS });
  await commitAnswer(db, id, { parts, after: "park" });
  return id;
};

const done: Partial<ToolCallPartRow> = {
  kind: "builtin",
  state: "completed",
  output: "done",
  completedAt: new Date(0),
};

const result = (toolCallId: string, output: JsonValue = "yes"): SubmittedResult => ({
  toolCallId,
  output,
  isError: false,
});

const refusal = (chatId: string, results: SubmittedResult[], by = ctx): Promise<DomainError> =>
  submitToolResults(by, { chatId, results }).then(
    () => Promise.reject(new Error("the results were taken")),
    (error: unknown) => error as DomainError,
  );

describe("results that are taken", () => {
  it.each([["text"], [""], [0], [false], [null], [[]], [{}], [{ deep: [1, null] }], ["a\0b"]])(
    "keep the output %j as it is",
    async (output: JsonValue) => {
      const chatId = await parked(openCall("a", "ask"));
      await submitToolResults(ctx, { chatId, results: [result("a", output)] });
      const [call] = getLocalCalls((await readWholeHistory(db, chatId)).at(-1) ?? never());
      expect(call).toMatchObject({
        state: "completed",
        isError: false,
        resolvedBy: actorId(ctx.actor),
      });
      expect(call?.output).toStrictEqual(output);
      expect(call?.completedAt).toBeInstanceOf(Date);
      expect(await readChat(db, chatId)).toMatchObject({
        status: "pending",
        actionDeadlineAt: null,
      });
    },
  );

  it("keep the order of keys, and so do the arguments and the tool's schema", async () => {
    const ordered = { zeta: 1, a: { y: 1, b: 2 } };
    const { id } = await createChat(ctx, {
      content: toTextContent("hello"),
      dynamicTools: [{ name: "ask", input_schema: ordered }],
    });
    await commitAnswer(db, id, { parts: [openCall("a", "ask", { args: ordered })], after: "park" });
    await submitToolResults(ctx, { chatId: id, results: [result("a", ordered)] });
    const [call] = getLocalCalls((await readWholeHistory(db, id)).at(-1) ?? never());
    const schema = (await readChat(db, id)).dynamicTools[0]?.input_schema;
    for (const kept of [call?.args, call?.output, schema]) {
      expect(JSON.stringify(kept)).toBe(JSON.stringify(ordered));
    }
  });

  it.each<[what: string, output: JsonValue, stored: JsonValue]>([
    ["a text", `before ${KEY} after`, "before [redacted] after"],
    ["a text in data", { lines: ["a", `\n${KEY}`] }, { lines: ["a", "\n[redacted]"] }],
    [
      "the name of a property",
      { [KEY]: 1, [`\t${KEY}`]: 2 },
      { "[redacted]": 1, "\t[redacted]": 2 },
    ],
    [
      "the lines of a file",
      { lines: PRIVATE_KEY.split("\n"), next: 1234567890123456789n.toString() },
      { lines: ["[redacted]"], next: "1234567890123456789" },
    ],
    ["a secret of this server", [`x${OWN}y`], ["x[redacted]y"]],
  ])("are stored with the secrets masked in %s", async (_what, output, stored) => {
    addSecret(OWN);
    const chatId = await parked(openCall("a", "ask"));
    await submitToolResults(ctx, { chatId, results: [result("a", output)] });
    const parts = (await readWholeHistory(db, chatId)).at(-1)?.parts;
    expect(parts).toMatchObject([{ toolCallId: "a", output: stored }]);
  });

  it("are checked as they were sent, and masked when they are stored", async () => {
    const chatId = await parked(openCall("a", "key"));
    expect(await refusal(chatId, [result("a", "[redacted]")])).toMatchObject({ code: "invalid" });
    await submitToolResults(ctx, { chatId, results: [result("a", KEY)] });
    const parts = (await readWholeHistory(db, chatId)).at(-1)?.parts;
    expect(parts).toMatchObject([{ output: "[redacted]" }]);
  });

  it("may report a failure, whose output need not match the schema", async () => {
    const chatId = await parked(openCall("a", "measure"));
    await submitToolResults(ctx, {
      chatId,
      results: [{ toolCallId: "a", output: "the scale is broken", isError: true }],
    });
    expect((await readWholeHistory(db, chatId)).at(-1)?.parts).toMatchObject([
      { state: "error", isError: true, output: "the scale is broken" },
    ]);
  });

  it("answer all calls of the step at once", async () => {
    const chatId = await parked(openCall("a", "ask"), openCall("b", "measure"));
    await submitToolResults(ctx, { chatId, results: [result("b", { value: 2 }), result("a")] });
    expect((await readWholeHistory(db, chatId)).at(-1)?.parts).toMatchObject([
      { toolCallId: "a", output: "yes" },
      { toolCallId: "b", output: { value: 2 } },
    ]);
  });
});

describe("results that are refused change nothing", () => {
  const cases: [string, () => PartRow[], SubmittedResult[], RegExp, string[]][] = [
    [
      "an id that comes twice, before one that is missing",
      () => [openCall("a", "ask"), openCall("b", "ask")],
      [result("a"), result("a")],
      /^Duplicate tool call ids: a\.$/,
      ["/results/1/tool_call_id"],
    ],
    [
      "open ids that are missing, all and sorted, before one that is unexpected",
      () => [openCall("c", "ask"), openCall("a", "ask"), openCall("b", "ask")],
      [result("b"), result("x")],
      /^Missing results for open tool calls: a, c\.$/,
      ["/results", "/results"],
    ],
    [
      "ids that are not open, all and sorted",
      () => [openCall("a", "ask")],
      [result("z"), result("a"), result("m")],
      /not open: m, z\.$/,
      ["/results/2/tool_call_id", "/results/0/tool_call_id"],
    ],
    [
      "an id of a built-in call of the same step",
      () => [{ ...openCall("b", "current_time"), ...done }, openCall("a", "ask")],
      [result("a"), result("b")],
      /not open: b\.$/,
      ["/results/1/tool_call_id"],
    ],
    [
      "an output that its schema refuses, with the place in it",
      () => [openCall("a", "measure"), openCall("b", "ask")],
      [result("b"), result("a", { value: "much" })],
      /output_schema: a\.$/,
      ["/results/1/output/value"],
    ],
  ];
  it.each(cases)("%s", async (_, parts, results, message, pointers) => {
    const chatId = await parked(...parts());
    const before = await readChat(db, chatId);
    const error = await refusal(chatId, results);
    expect(error).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(message) as string,
    });
    expect(error.errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(await readChat(db, chatId)).toEqual(before);
  });

  it("a call of an older step", async () => {
    const chatId = await parked(openCall("old", "ask"));
    await submitToolResults(ctx, { chatId, results: [result("old")] });
    await commitAnswer(db, chatId, { parts: [openCall("new", "ask")], after: "park" });
    expect(await refusal(chatId, [result("new"), result("old")])).toMatchObject({
      code: "invalid",
      message: expect.stringContaining("old") as string,
    });
  });

  it("a second time: the first caller has won", async () => {
    const chatId = await parked(openCall("a", "ask"));
    await submitToolResults(ctx, { chatId, results: [result("a")] });
    expect(await refusal(chatId, [result("a", "other")])).toMatchObject({
      code: "conflict",
      shouldRetry: false,
      message: expect.stringContaining('"pending"') as string,
    });
  });

  it("an unknown chat and another user's chat, with the same message", async () => {
    const chatId = await parked(openCall("a", "ask"));
    const other = await createTestContext(db);
    const unknown = ctx.newId();
    const foreign = await refusal(chatId, [result("a")], other);
    const missing = await refusal(unknown, [result("a")], other);
    expect(foreign.code).toBe("not_found");
    expect(foreign.message.replace(chatId, unknown)).toBe(missing.message);
    expect(await refusal("no-uuid", [result("a")])).toMatchObject({ code: "not_found" });
  });

  it("an archived chat, before its status is looked at", async () => {
    const { id } = await createChat(ctx, { content: toTextContent("hello") });
    await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
    await db.prisma.chat.update({ where: { id }, data: { archivedAt: new Date(0) } });
    expect(await refusal(id, [result("a")])).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("archived") as string,
    });
  });

  it("a chat that never had a call", async () => {
    const { id } = await createChat(ctx, { content: toTextContent("hello") });
    await commitAnswer(db, id, { parts: [{ type: "text", text: "hi" }], after: "finish" });
    expect(await refusal(id, [result("a")])).toMatchObject({
      code: "conflict",
      message: 'The chat cannot take tool results while its status is "waiting".',
    });
  });

  it("a chat in an invalid state, with words of their own", async () => {
    const chatId = await parked(openCall("a", "ask"));
    await db.prisma.chat.update({
      where: { id: chatId },
      data: { status: "waiting", queuedCount: 1 },
    });
    expect(await refusal(chatId, [result("a")])).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("invalid state") as string,
    });
  });
});

describe("results that take long to validate", () => {
  const EVIL: DynamicTool = {
    name: "evil",
    output_schema: { type: "string", pattern: "^(a+)+$" },
  };
  const evilText = `${"a".repeat(60)}!`;

  const parkedBy = async (by: ServerContext, calls: number): Promise<string> => {
    const { id } = await createChat(by, {
      content: toTextContent("hi"),
      dynamicTools: [EVIL, ...TOOLS],
    });
    const parts = Array.from({ length: calls }, (_, index) => openCall(`e${index}`, "evil"));
    await commitAnswer(db, id, { parts, after: "park" });
    return id;
  };
  const evilResults = (calls: number) =>
    Array.from({ length: calls }, (_, index) => result(`e${index}`, evilText));

  it("do not delay those of another user", async () => {
    const attacker = await createTestContext(db);
    const chats = [];
    for (let count = 0; count < 4; count++) chats.push(await parkedBy(attacker, 60));
    const chatId = await parked(openCall("a", "measure"));
    let ended = 0;
    const attacks = chats.map((id) =>
      submitToolResults(attacker, { chatId: id, results: evilResults(60) }).finally(() => ended++),
    );
    await submitToolResults(ctx, { chatId, results: [result("a", { value: 2 })] });
    expect(ended).toBeLessThan(attacks.length);
    await Promise.all(attacks);
    for (const id of chats) expect(await readChat(db, id)).toMatchObject({ status: "pending" });
  });

  it("are refused by the state that the chat has afterwards", async () => {
    const attacker = await createTestContext(db);
    const slow = await parkedBy(attacker, 60);
    const { id } = await createChat(attacker, {
      content: toTextContent("hi"),
      dynamicTools: TOOLS,
    });
    await commitAnswer(db, id, { parts: [openCall("a", "measure")], after: "park" });
    // The validation waits for that of the other chat, and meanwhile another result is taken.
    const attack = submitToolResults(attacker, { chatId: slow, results: evilResults(60) });
    const late = refusal(id, [result("a", "wrong")], attacker);
    await submitToolResults(attacker, {
      chatId: id,
      results: [{ toolCallId: "a", output: "failed", isError: true }],
    });
    expect(await late).toMatchObject({ code: "conflict" });
    await attack;
  });
});

const never = (): never => {
  throw new Error("the chat has no answer");
};
