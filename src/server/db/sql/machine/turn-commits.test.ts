import { v7 as newId } from "uuid";
import { beforeEach, expect, it } from "vitest";
import { MAX_REPORT_TURNS } from "@/contract/limits";
import { completeTask } from "@/server/tasks/task-reports";
import { createChat } from "@/server/chat/create-chat";
import type { ServerContext } from "@/server/context";
import type { Database } from "@/server/db/connection/database";
import type { EndedCallRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { claimChat } from "@/test/park-chat";
import { beginTestTask } from "@/test/task-fixture";
import { toolCall } from "@/test/tool-call";
import { toFence } from "./fence";
import { commitStep, settleCalls } from "./turn-commits";

let db: Database;
let ctx: ServerContext;
beforeEach(async () => {
  db = await testDatabase();
  ctx = await createTestContext(db);
});

const call = (toolCallId: string, fields: Partial<ToolCallPartRow> = {}): ToolCallPartRow =>
  toolCall({ toolCallId, kind: "builtin", state: "running", ...fields });

const newStep = (parts: ToolCallPartRow[]) => ({
  messageId: newId(),
  usageId: newId(),
  model: "demo/demo",
  parts,
  usage: { input_tokens: 7, output_tokens: 5 },
  costMicros: 3,
  finishReason: "tool-calls" as const,
  responseId: null,
});

/** Commits calls to a chat that stays claimed. @returns a function that settles some of them. */
const commitCalls = async (...parts: ToolCallPartRow[]) => {
  const { id: chatId } = await createChat(ctx, { content: toTextContent("hello") });
  const fence = toFence(await claimChat(db, chatId));
  const step = newStep(parts);
  const after = { type: "continue" } as const;
  const committed = await commitStep(db, fence, { step, after });
  if (!committed) throw new Error("the step was refused");
  const settle = (calls: EndedCallRow[]) => {
    const newer = { ...fence, historyVersion: committed.chat.historyVersion };
    return settleCalls(db, newer, { messageId: step.messageId, calls, uses: [], after });
  };
  return { chatId, settle };
};

it.each([
  ["stop", MAX_REPORT_TURNS],
  ["auto-submit-off", 0],
] as const)(
  "answers a step that ends with %s as it would be read, after which reports may begin %i turns",
  async (finishReason, wakesLeft) => {
    const { id: chatId } = await createChat(ctx, { content: toTextContent("hello") });
    const fence = toFence(await claimChat(db, chatId));
    const step = { ...newStep([call("one")]), finishReason };
    const committed = await commitStep(db, fence, { step, after: { type: "finish" } });
    expect(committed?.message).toEqual((await readWholeHistory(db, chatId)).at(-1));
    expect(committed?.chat).toMatchObject({ status: "waiting", wakesLeft });
  },
);

it("keeps the outcome of a call that has one already", async () => {
  const cancelled = call("done", { state: "cancelled", completedAt: new Date(0) });
  const { chatId, settle } = await commitCalls(cancelled, call("open"));
  const outcome = { state: "completed", output: "late", completedAt: new Date(1) } as const;
  expect(await settle([call("done", outcome), call("open", outcome)])).toBeDefined();
  const parts = (await readWholeHistory(db, chatId)).at(-1)?.parts;
  expect(parts).toMatchObject([{ state: "cancelled" }, { state: "completed", output: "late" }]);
});

it("counts only the reports that waited, of the tasks whose end an outcome tells", async () => {
  const { chatId, settle } = await commitCalls(call("poll"));
  const report = { output: "done", for_user: null, artifacts: [] };
  const [silent, first, second] = [
    await beginTestTask(db, { chatId, shouldReport: false }),
    await beginTestTask(db, { chatId }),
    await beginTestTask(db, { chatId }),
  ];
  for (const taskId of [silent, first, second]) {
    await completeTask({ db, newId }, { taskId, chatId, state: "completed", report });
  }
  expect((await readChat(db, chatId)).reportCount).toBe(2);
  const outcome = { state: "completed", output: "done", completedAt: new Date(1) } as const;
  expect(
    await settle([{ ...call("poll", outcome), reportedTasks: [silent, first] }]),
  ).toBeDefined();
  expect((await readChat(db, chatId)).reportCount).toBe(1);
});
