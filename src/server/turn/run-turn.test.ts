import { setImmediate as nextTick } from "node:timers/promises";
import { APICallError } from "@ai-sdk/provider";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { DomainError } from "@/contract/domain-error";
import { callModel } from "@/server/model/call-model";
import { CallCancelled, toolResult } from "@/server/tools/tool-result";
import { type Tool, defineTool } from "@/server/tools/tool";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import {
  textStep,
  toolCallParts,
  finishPart,
  pendingForever,
  textParts,
  reasoningParts,
  type ScriptedStep,
} from "@/test/scripted-model";
import { findPromptProblems } from "@/test/prompt-problems";
import { createSignal, createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { promoteQueued } from "@/server/chat/change-queue";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { decideApprovals } from "@/server/chat/decide-approvals";
import { editMessage } from "@/server/chat/edit-message";
import { getLocalCalls } from "./decide-next";
import { sendMessage } from "@/server/chat/send-message";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import type { TurnDeps } from "./turn-deps";
import { interceptStatements } from "@/test/database-doubles";

beforeAll(() => testDatabase());

const ask = {
  name: "ask",
  input_schema: { type: "object", properties: { q: { type: "string" } } },
};
const provider429 = {
  throws: Object.assign(new Error("slow down"), { statusCode: 429, isRetryable: true }),
};
const limited = (responseHeaders: Record<string, string>) => ({
  throws: new APICallError({
    message: "slow down",
    url: "https://example.org",
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders,
  }),
});
const gate = () => Promise.withResolvers<undefined>();

const alone = defineTool({
  name: "alone",
  description: "Must be alone.",
  input: z.object({}),
  exclusive: true,
  run: () => Promise.resolve(toolResult("ran alone")),
});
const careful = defineTool({
  name: "careful",
  description: "Needs a yes.",
  input: z.object({}),
  needsApproval: true,
  run: () => Promise.resolve(toolResult("done with care")),
});

describe("a plain turn", () => {
  it("commits the answer with usage and rests", async () => {
    const turn = await createTurnFixture({
      steps: [[...reasoningParts("hm"), ...textParts("Hi there"), finishPart()]],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({
      status: "waiting",
      leaseToken: null,
      attempt: 0,
      usage: { turn: { input_tokens: 10, output_tokens: 5, cost_micros: 0 } },
      contextTokens: 15,
    });
    expect((await turn.history()).at(-1)).toMatchObject({
      role: "assistant",
      model: "demo/scripted",
      finishReason: "stop",
      parts: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "Hi there" },
      ],
    });
    expect(turn.ops.map(({ op }) => op)).toContain("text-append");
  });

  it("serves the queue's head when the turn ends", async () => {
    const held = gate();
    const turn = await createTurnFixture({
      steps: [[held.promise, ...textParts("one"), finishPart()], textStep("two")],
    });
    const running = turn.run();
    await turn.model.waitForCalls(1);
    const sent = await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("and then?"),
      busyBehavior: "queue",
    });
    expect(sent.queued).toBe(true);
    held.resolve(undefined);
    await running;
    expect(await turn.chat()).toMatchObject({ status: "pending", queuedCount: 0 });
    await turn.run();
    const texts = (await turn.history()).map(({ parts }) => parts[0]);
    expect(texts).toMatchObject([
      { text: "hello" },
      { text: "one" },
      { text: "and then?" },
      { text: "two" },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });
});

describe("a tool batch", () => {
  it("runs built-in calls, keeps call order, and goes on with their results", async () => {
    const turn = await createTurnFixture({
      steps: [
        [
          ...toolCallParts("a", "current_time", {}),
          ...toolCallParts("b", "nope", {}),
          ...toolCallParts("c", "current_time", { time_zone: 7 }),
          ...toolCallParts("d", "current_time", "{broken"),
          finishPart("tool-calls"),
        ],
        textStep("done"),
      ],
    });
    await turn.run();
    const [, step] = await turn.history();
    expect(step && getLocalCalls(step)).toMatchObject([
      { toolCallId: "a", state: "completed", isError: false },
      { toolCallId: "b", state: "error", isError: true },
      { toolCallId: "c", state: "error", isError: true },
      { toolCallId: "d", state: "error", isError: true, args: "{broken" },
    ]);
    const prompt = turn.model.requests[1]?.prompt ?? [];
    expect(findPromptProblems(prompt)).toEqual([]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2 });
  });

  it("with a dynamic call runs ours, parks, and shows the model all outcomes together", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [ask],
      steps: [
        [
          ...toolCallParts("a", "ask", { q: "x" }),
          ...toolCallParts("b", "current_time", {}),
          finishPart("tool-calls"),
        ],
        textStep("thanks"),
      ],
    });
    await turn.run();
    const parked = await turn.chat();
    expect(parked).toMatchObject({ status: "requires_action", leaseToken: null });
    expect(parked.actionDeadlineAt?.getTime()).toBeGreaterThan(Date.now());
    expect((await turn.history()).at(-1)?.parts).toMatchObject([
      { toolCallId: "a", state: "awaiting_result", kind: "dynamic" },
      { toolCallId: "b", state: "completed" },
    ]);
    await submitToolResults(turn.ctx, {
      chatId: turn.chatId,
      results: [{ toolCallId: "a", output: false, isError: false }],
    });
    await turn.run();
    const tool = turn.model.requests[1]?.prompt.find(({ role }) => role === "tool");
    expect(tool?.content).toMatchObject([
      { toolCallId: "a", output: { type: "json", value: false } },
      { toolCallId: "b", output: { type: "text" } },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("with a null for an optional argument of a dynamic tool, gives the client none", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [ask],
      steps: [[...toolCallParts("a", "ask", { q: null, more: null }), finishPart("tool-calls")]],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    expect((await turn.history()).at(-1)?.parts).toMatchObject([
      { toolCallId: "a", state: "awaiting_result", args: { more: null } },
    ]);
  });

  it("with an exclusive call and another one runs nothing and does not park", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [ask],
      tools: [alone],
      steps: [
        [
          ...toolCallParts("a", "alone", {}),
          ...toolCallParts("b", "ask", {}),
          finishPart("tool-calls"),
        ],
        [...toolCallParts("c", "alone", {}), finishPart("tool-calls")],
        textStep("ok"),
      ],
    });
    await turn.run();
    const [, first, second] = await turn.history();
    expect(first && getLocalCalls(first)).toMatchObject([
      { state: "error", output: expect.stringContaining("alone") as string },
      { state: "error", output: expect.stringContaining("alone") as string },
    ]);
    expect(second && getLocalCalls(second)).toMatchObject([
      { state: "completed", output: "ran alone" },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("waits for an approval, then runs the approved call once", async () => {
    const turn = await createTurnFixture({
      tools: [careful],
      steps: [
        [
          ...toolCallParts("a", "careful", {}),
          ...toolCallParts("b", "careful", {}),
          finishPart("tool-calls"),
        ],
        textStep("ok"),
      ],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    await decideApprovals(turn.ctx, {
      chatId: turn.chatId,
      decisions: [{ toolCallId: "a", decision: "approve" }],
    });
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    await decideApprovals(turn.ctx, {
      chatId: turn.chatId,
      decisions: [{ toolCallId: "b", decision: "reject", reason: "too risky" }],
    });
    const [clock] = await turn.ctx.db.query<{ now: Date }>(
      { name: "test-now", text: "SELECT now()" },
      [],
    );
    await turn.run();
    const step = (await turn.history())[1];
    const [approved] = step ? getLocalCalls(step) : [];
    // Its start, not the moment in which the model asked for it.
    expect(approved?.startedAt.getTime()).toBeGreaterThanOrEqual(
      clock?.now.getTime() ?? Number.NaN,
    );
    expect(step && getLocalCalls(step)).toMatchObject([
      { state: "completed", output: "done with care", approved: false },
      { state: "denied", output: expect.stringContaining("too risky") as string, isError: true },
    ]);
  });

  it("asks for an approval by what the chat allows, which may take a while to look up", async () => {
    const allowed = new Set<string>();
    const steps = [
      [...toolCallParts("a", "guarded", {}), finishPart("tool-calls")],
      textStep("ok"),
    ];
    const guarded = defineTool({
      name: "guarded",
      description: "Needs a yes once for each chat.",
      input: z.object({}),
      needsApproval: async (_input, { chatId }) => {
        await nextTick();
        return !allowed.has(chatId);
      },
      run: () => Promise.resolve(toolResult("ran")),
    });
    const first = await createTurnFixture({ tools: [guarded], steps });
    await first.run();
    const second = await createTurnFixture({ ctx: first.ctx, tools: [guarded], steps });
    allowed.add(second.chatId);
    await second.run();
    expect(await first.chat()).toMatchObject({ status: "requires_action" });
    expect(await second.chat()).toMatchObject({ status: "waiting" });
    expect((await second.history())[1]?.parts).toMatchObject([{ state: "completed" }]);
  });

  it("is prepared once for each step that runs it", async () => {
    const bound: string[] = [];
    const counted = (tool: Tool): Tool => ({
      ...tool,
      bind: (args, call) => {
        bound.push(tool.name);
        return tool.bind(args, call);
      },
    });
    const plain = defineTool({
      name: "plain",
      description: "Needs no yes.",
      input: z.object({}),
      run: () => Promise.resolve(toolResult("ran")),
    });
    const turn = await createTurnFixture({
      tools: [counted(plain), counted(careful)],
      steps: [
        [
          ...toolCallParts("a", "plain", {}),
          ...toolCallParts("b", "careful", {}),
          finishPart("tool-calls"),
        ],
        textStep("ok"),
      ],
    });
    await turn.run();
    expect(bound).toEqual(["plain", "careful"]);
    await decideApprovals(turn.ctx, {
      chatId: turn.chatId,
      decisions: [{ toolCallId: "b", decision: "approve" }],
    });
    await turn.run();
    expect(bound).toEqual(["plain", "careful", "careful"]);
    const [, step] = await turn.history();
    expect(step && getLocalCalls(step)).toMatchObject([
      { state: "completed", output: "ran" },
      { state: "completed", output: "done with care" },
    ]);
  });

  it("of a worker that died is closed as unknown and never run again", async () => {
    const turn = await createTurnFixture({
      steps: [
        [...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
        textStep("ok"),
      ],
    });
    const settle = turn.run({
      db: interceptStatements(turn.ctx.db, "settle-", () =>
        Promise.reject(new DomainError("unavailable", "The database is away.")),
      ),
    });
    await expect(settle).rejects.toThrow("database is away");
    expect((await turn.history()).at(-1)?.parts).toMatchObject([{ state: "running" }]);
    await turn.ctx.db.prisma.chat.update({
      where: { id: turn.chatId },
      data: { leaseExpiresAt: new Date(0) },
    });
    await turn.run();
    expect((await turn.history())[1]?.parts).toMatchObject([
      { state: "error", output: expect.stringContaining("the server stopped") as string },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("ends the turn with a notice at the step limit", async () => {
    const turn = await createTurnFixture({
      maxSteps: 2,
      steps: [1, 2, 3].map((n) => [
        ...toolCallParts(`c${n}`, "current_time", {}),
        finishPart("tool-calls"),
      ]),
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2, lastError: null });
    expect((await turn.history()).at(-1)).toMatchObject({ finishReason: "step-limit" });
  });
});

const readUses = (turn: TurnFixture) =>
  turn.ctx.db.prisma.usageRecord.findMany({
    where: { chatId: turn.chatId },
    select: { turnId: true, inputTokens: true, outputTokens: true },
  });

describe("an interrupt", () => {
  it("keeps the partial answer and closes announced calls", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [ask],
      steps: [[...textParts("half an"), ...toolCallParts("a", "ask", {}), pendingForever()]],
    });
    const running = turn.run();
    await expect.poll(() => turn.ops.some(({ op }) => op === "args-append")).toBe(true);
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
    expect(await turn.chat()).toMatchObject({ status: "waiting", leaseToken: null });
    expect((await turn.history()).at(-1)).toMatchObject({
      interrupted: true,
      usage: { input_tokens: expect.any(Number) as number, output_tokens: 3, estimated: true },
      parts: [
        { type: "text", text: "half an" },
        { toolCallId: "a", state: "cancelled", isError: true },
      ],
    });
  });

  it("counts the tokens of the stopped answer, by an estimate", async () => {
    const turn = await createTurnFixture({
      steps: [[...textParts("x".repeat(400)), pendingForever()]],
    });
    const running = turn.run();
    await expect.poll(() => turn.ops.some(({ op }) => op === "text-append")).toBe(true);
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
    const [record, ...others] = await turn.ctx.db.prisma.usageRecord.findMany({
      where: { chatId: turn.chatId },
      select: { kind: true, inputTokens: true, outputTokens: true },
    });
    expect(others).toEqual([]);
    expect(record).toMatchObject({ kind: "turn", outputTokens: 100 });
    expect(record?.inputTokens).toBeGreaterThan(0);
    expect(await turn.chat()).toMatchObject({
      usage: { turn: { input_tokens: record?.inputTokens, output_tokens: 100 } },
      contextTokens: (record?.inputTokens ?? 0) + 100,
    });
  });

  it("before the first word counts the prompt", async () => {
    const turn = await createTurnFixture({ steps: [[pendingForever()]] });
    const running = turn.run();
    await turn.model.waitForCalls(1);
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
    expect(await turn.history()).toHaveLength(1);
    const [use, ...others] = await readUses(turn);
    expect(others).toEqual([]);
    expect(use?.inputTokens).toBeGreaterThan(0);
    expect(await turn.chat()).toMatchObject({
      turnId: use?.turnId,
      usage: { turn: { input_tokens: use?.inputTokens, output_tokens: 0 } },
    });
  });

  it("just before the commit of an answer keeps the usage that the provider has reported", async () => {
    const turn = await createTurnFixture({ steps: [textStep("whole")] });
    await turn.run({
      db: interceptStatements(turn.ctx.db, "commit-step-", async (send) => {
        await interruptChat(turn.ctx, { chatId: turn.chatId });
        return send();
      }),
    });
    const usage = { input_tokens: 10, output_tokens: 5 };
    expect((await turn.history()).at(-1)).toMatchObject({
      interrupted: true,
      usage,
      parts: [{ type: "text", text: "whole" }],
    });
    expect(await turn.chat()).toMatchObject({ status: "waiting", usage: { turn: usage } });
  });

  it("pauses the queue, which goes on after the next message", async () => {
    const turn = await createTurnFixture({
      steps: [[...textParts("half"), pendingForever()], textStep("new"), textStep("queued")],
    });
    const running = turn.run();
    await expect.poll(() => turn.ops.some(({ op }) => op === "text-append")).toBe(true);
    const send = (text: string) =>
      sendMessage(turn.ctx, {
        chatId: turn.chatId,
        content: toTextContent(text),
        busyBehavior: "queue",
      });
    await send("later");
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
    expect(await turn.chat()).toMatchObject({
      status: "waiting",
      queuedCount: 1,
      queuePaused: true,
    });
    await send("first");
    expect(await turn.chat()).toMatchObject({ status: "pending", queuePaused: false });
    await turn.run();
    expect((await turn.history()).map(({ parts }) => parts[0])).toMatchObject([
      { text: "hello" },
      { text: "half" },
      { text: "first" },
      { text: "new" },
      { text: "later" },
    ]);
  });

  it("keeps what a stopped tool had written", async () => {
    const started = Promise.withResolvers<void>();
    const turn = await createTurnFixture({
      tools: [
        defineTool({
          name: "write",
          description: "Writes.",
          input: z.strictObject({}),
          run: ({ signal }) => {
            started.resolve();
            return new Promise((_resolve, reject) =>
              signal.addEventListener("abort", () =>
                reject(new CallCancelled("It had written: half")),
              ),
            );
          },
        }),
      ],
      steps: [[...toolCallParts("a", "write", {}), finishPart("tool-calls")]],
    });
    const running = turn.run();
    await started.promise;
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
    const output = expect.stringMatching(/^Interrupted: .*\nIt had written: half$/) as string;
    expect((await turn.history()).at(-1)?.parts).toMatchObject([{ state: "cancelled", output }]);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("before the first word commits nothing", async () => {
    const turn = await createTurnFixture({ steps: [[pendingForever()]] });
    const running = turn.run();
    await turn.model.waitForCalls(1);
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
    expect(await turn.history()).toHaveLength(1);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("by a message puts the message behind the partial answer", async () => {
    const turn = await createTurnFixture({
      steps: [[...textParts("half"), pendingForever()], textStep("new")],
    });
    const running = turn.run();
    await expect.poll(() => turn.ops.some(({ op }) => op === "text-append")).toBe(true);
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("rather this"),
      busyBehavior: "interrupt",
    });
    turn.stop("interrupted");
    await running;
    expect((await turn.history()).map(({ parts }) => parts[0])).toMatchObject([
      { text: "hello" },
      { text: "half" },
      { text: "rather this" },
    ]);
    await turn.run();
    expect(findPromptProblems(turn.model.requests[1]?.prompt ?? [])).toEqual([]);
  });

  it("of a parked chat means stop: the model is not called again", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [ask],
      steps: [[...toolCallParts("a", "ask", {}), finishPart("tool-calls")]],
    });
    await turn.run();
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    expect(await turn.chat()).toMatchObject({ status: "waiting", actionDeadlineAt: null });
    expect((await turn.history()).at(-1)?.parts).toMatchObject([{ state: "cancelled" }]);
  });
});

describe("an edit while the model answers", () => {
  it("makes the answer obsolete: nothing of it is committed", async () => {
    const held = gate();
    const turn = await createTurnFixture({
      steps: [[held.promise, ...textParts("old"), finishPart()], textStep("new")],
    });
    const running = turn.run();
    await turn.model.waitForCalls(1);
    const [first] = await turn.history();
    await editMessage(turn.ctx, {
      chatId: turn.chatId,
      messageId: first?.id ?? "",
      content: toTextContent("edited"),
    });
    held.resolve(undefined);
    await running;
    await turn.run();
    expect((await turn.history()).map(({ parts }) => parts[0])).toMatchObject([
      { text: "edited" },
      { text: "new" },
    ]);
    const uses = await readUses(turn);
    expect(uses).toHaveLength(2);
    expect(new Set(uses.map(({ turnId }) => turnId)).size).toBe(2);
    expect(await turn.chat()).toMatchObject({
      usage: { turn: { input_tokens: 20, output_tokens: 10 } },
    });
  });

  it("that stops it counts what has arrived, once", async () => {
    const turn = await createTurnFixture({
      steps: [[...textParts("x".repeat(400)), pendingForever()]],
    });
    const running = turn.run();
    await expect.poll(() => turn.ops.some(({ op }) => op === "text-append")).toBe(true);
    const [first] = await turn.history();
    await editMessage(turn.ctx, {
      chatId: turn.chatId,
      messageId: first?.id ?? "",
      content: toTextContent("edited"),
    });
    turn.stop("lost");
    await running;
    expect(await readUses(turn)).toMatchObject([{ outputTokens: 100 }]);
    expect(await turn.chat()).toMatchObject({
      status: "pending",
      usage: { turn: { output_tokens: 100 } },
    });
  });
});

describe("a paid answer", () => {
  it("counts once if the worker does not learn that it was committed", async () => {
    const turn = await createTurnFixture({ steps: [textStep("whole")] });
    await turn.run({
      db: interceptStatements(turn.ctx.db, "commit-step-", async (send) => {
        await send();
        return [];
      }),
    });
    expect(await readUses(turn)).toMatchObject([{ inputTokens: 10, outputTokens: 5 }]);
    expect(await turn.chat()).toMatchObject({
      usage: { turn: { input_tokens: 10, output_tokens: 5 } },
    });
  });

  it("counts although a shutdown ended it and it will be asked for again", async () => {
    const turn = await createTurnFixture({
      steps: [[...textParts("x".repeat(400)), pendingForever()]],
    });
    const running = turn.run();
    await expect.poll(() => turn.ops.some(({ op }) => op === "text-append")).toBe(true);
    turn.stop("shutdown");
    await running;
    expect(await turn.chat()).toMatchObject({ status: "pending" });
    expect(await readUses(turn)).toMatchObject([{ outputTokens: 100 }]);
  });
});

describe("a failing model", () => {
  it("is tried again with growing pauses; a failed try leaves nothing", async () => {
    const turn = await createTurnFixture({
      steps: [
        provider429,
        [...textParts("lost"), { type: "error", error: provider429.throws }],
        textStep("ok"),
      ],
    });
    await turn.run();
    expect(turn.waits).toEqual([1_000, 2_000]);
    expect((await turn.history()).map(({ parts }) => parts)).toMatchObject([
      [{ text: "hello" }],
      [{ text: "ok" }],
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", retry: null, attempt: 0 });
  });

  it("is not waited for longer because the server had crashed before", async () => {
    const turn = await createTurnFixture({ steps: [provider429, textStep("ok")] });
    for (let crash = 0; crash < 5; crash++) await turn.crash();
    await turn.run();
    expect(turn.waits).toEqual([1_000]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", attempt: 0 });
  });

  it("is waited for as long in a later step as in the first", async () => {
    const turn = await createTurnFixture({
      steps: [
        [...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
        provider429,
        textStep("ok"),
      ],
    });
    await turn.run();
    expect(turn.waits).toEqual([1_000]);
  });

  it("shows the countdown while it waits, and can be interrupted then", async () => {
    const turn = await createTurnFixture({ steps: [provider429] });
    const waiting = gate();
    const running = turn.run({ wait: () => waiting.promise.then(() => undefined) });
    await expect
      .poll(async () => (await turn.chat()).retry)
      .toMatchObject({
        attempt: 2,
        delay_ms: 1_000,
        kind: "rate_limit",
      });
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    waiting.resolve(undefined);
    await running;
    expect(await turn.chat()).toMatchObject({ status: "waiting", retry: null });
    expect(await turn.history()).toHaveLength(1);
  });

  it("is waited for without a lease when that takes longer than 10 s", async () => {
    const headers = { "retry-after": "60" };
    const turn = await createTurnFixture({ steps: [limited(headers), textStep("ok")] });
    await turn.run();
    const deferred = await turn.chat();
    expect(deferred).toMatchObject({
      status: "pending",
      leaseToken: null,
      attempt: 1,
      retry: { attempt: 2, delay_ms: 60_000, kind: "rate_limit" },
    });
    expect(deferred.notBefore?.toISOString()).toBe(deferred.retry?.retrying_at);
    expect([turn.waits, turn.deferrals]).toEqual([[], [60_000]]);
    await expect(turn.claim()).rejects.toThrow("could not be claimed");
    await turn.arrive();
    const claimed = await turn.claim();
    expect(claimed).toMatchObject({ attempt: 2, notBefore: null, retry: null });
    await turn.run({}, claimed);
    expect(await turn.chat()).toMatchObject({ status: "waiting", attempt: 0 });
    expect(turn.model.requests).toHaveLength(2);
  });

  it("has as much time as one that is not deferred, without its delays", async () => {
    const headers = { "retry-after": "60" };
    const turn = await createTurnFixture({ steps: [limited(headers), textStep("ok")] });
    const minute = 60_000;
    let time = Date.now();
    const totals: unknown[] = [];
    const deps: Partial<TurnDeps> = {
      now: () => new Date(time),
      callModel: async (model, request, options) => {
        totals.push(options.timeouts?.totalMs);
        time += 20 * minute;
        return callModel(model, request, { ...options, timeouts: {} });
      },
    };
    await turn.run(deps);
    await turn.arrive();
    time += 15 * minute;
    await turn.run(deps);
    expect(totals).toEqual([30 * minute, 10 * minute]);
  });

  it("is asked ten times in all, with pauses that grow over the deferrals", async () => {
    const turn = await createTurnFixture({ steps: Array.from({ length: 11 }, () => provider429) });
    for (let run = 0; (await turn.chat()).status === "pending"; run += 1) {
      await turn.arrive();
      await turn.run();
    }
    expect(turn.waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(turn.deferrals).toEqual([16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(turn.model.requests).toHaveLength(10);
    expect(await turn.chat()).toMatchObject({ status: "error", lastError: { kind: "rate_limit" } });
    expect(await turn.history()).toHaveLength(1);
  });

  it("that asks for more than 15 minutes ends the turn with the time", async () => {
    const turn = await createTurnFixture({ steps: [limited({ "retry-after": "3600" })] });
    await turn.run();
    expect(await turn.chat()).toMatchObject({
      status: "error",
      lastError: {
        kind: "rate_limit",
        message: expect.stringMatching(
          /It asks to wait 1h 00m\. Try again after \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
        ) as string,
      },
    });
  });

  it("that was deferred is stopped at once by an interruption, an edit or a promotion", async () => {
    for (const act of ["interrupt", "edit", "promote"] as const) {
      const turn = await createTurnFixture({ steps: [limited({ "retry-after": "600" })] });
      await turn.run();
      const content = toTextContent("rather this");
      const { chatId } = turn;
      await sendMessage(turn.ctx, { chatId, content, busyBehavior: "queue" });
      // A message that waits does not end the delay.
      expect(await turn.chat()).toMatchObject({ status: "pending", retry: { attempt: 2 } });
      await expect(turn.claim()).rejects.toThrow("could not be claimed");
      if (act === "interrupt") await interruptChat(turn.ctx, { chatId });
      const [first] = await turn.history();
      if (act === "edit") {
        await editMessage(turn.ctx, { chatId, messageId: first?.id ?? "", content });
      }
      const queued = await turn.ctx.db.prisma.queuedMessage.findFirst({ where: { chatId } });
      if (act === "promote") {
        await promoteQueued(turn.ctx, { chatId, queuedId: queued?.id ?? "" });
      }
      expect(await turn.chat()).toMatchObject({
        status: act === "edit" ? "pending" : "interrupting",
        notBefore: null,
        retry: null,
      });
      expect((await turn.claim()).id).toBe(chatId);
    }
  });

  it("that cannot be cured ends the turn in error, and a message goes on from there", async () => {
    const turn = await createTurnFixture({
      steps: [
        {
          throws: Object.assign(new Error("bad key sk-abcdefghijklmnopqrstuvwx"), {
            statusCode: 401,
          }),
        },
        textStep("ok"),
      ],
    });
    await turn.run();
    const failed = await turn.chat();
    expect(failed).toMatchObject({
      status: "error",
      lastError: { kind: "auth", retryable: false, status_code: 401 },
    });
    expect(JSON.stringify(failed.lastError)).not.toContain("abcdefghijkl");
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("again"),
      busyBehavior: "reject",
    });
    expect(await turn.chat()).toMatchObject({ status: "pending", lastError: null });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("gives up on a chat that takes its worker down each time", async () => {
    const turn = await createTurnFixture({ steps: [] });
    await turn.ctx.db.prisma.chat.update({ where: { id: turn.chatId }, data: { attempt: 10 } });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "error", lastError: { kind: "generic" } });
    expect(turn.model.requests).toHaveLength(0);
  });
});

describe("an answer that is paid and cannot be used", () => {
  const cut = (text: string): ScriptedStep => textParts(text);
  const failed = { status: "error", retry: null, attempt: 0, lastError: { kind: "timeout" } };

  it("keeps its longest part over a deferral", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [ask],
      steps: [
        [
          { type: "reasoning-start", id: "r" },
          { type: "reasoning-delta", id: "r", delta: "hm" },
          { type: "reasoning-end", id: "r" },
          ...textParts("The longest by far"),
          ...toolCallParts("a", "ask", {}),
        ],
        limited({ "retry-after": "60" }),
        { throws: Object.assign(new Error("no"), { statusCode: 401 }) },
      ],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "pending", retry: { attempt: 3 } });
    await turn.arrive();
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "error", lastError: { kind: "auth" } });
    expect((await turn.history()).at(-1)).toMatchObject({
      interrupted: true,
      parts: [
        { type: "reasoning", text: "hm", startedAt: expect.any(Date) as Date },
        { type: "text", text: "The longest by far" },
        { toolCallId: "a", state: "cancelled", isError: true },
      ],
    });
  });

  it("is asked for four times, and the longest part is kept", async () => {
    const turn = await createTurnFixture({
      dynamicTools: [ask],
      steps: [
        cut("Half an"),
        [...textParts("The longest by far"), ...toolCallParts("a", "ask", {})],
        cut("No"),
        cut("Nothing"),
        textStep("too late"),
      ],
    });
    await turn.run();
    expect(turn.model.requests).toHaveLength(4);
    expect(await turn.chat()).toMatchObject(failed);
    const [, answer, ...others] = await turn.history();
    expect(others).toEqual([]);
    expect(answer).toMatchObject({
      interrupted: true,
      finishReason: "interrupted",
      usage: null,
      parts: [
        { type: "text", text: "The longest by far" },
        { toolCallId: "a", state: "cancelled", isError: true },
      ],
    });
  });

  it("counts with its usage, if the provider has reported it", async () => {
    const step = [...textParts("Half"), finishPart("error")];
    const turn = await createTurnFixture({ steps: [step, step, step, step] });
    await turn.run();
    const usage = { input_tokens: 10, output_tokens: 5 };
    expect((await turn.history()).at(-1)).toMatchObject({ usage, interrupted: true });
    expect(await turn.chat()).toMatchObject({
      status: "error",
      usage: { turn: { ...usage, cost_micros: 0 } },
    });
    const records = await turn.ctx.db.prisma.usageRecord.findMany({
      where: { chatId: turn.chatId },
      select: { kind: true, inputTokens: true, outputTokens: true },
    });
    expect(records).toEqual([{ kind: "turn", inputTokens: 10, outputTokens: 5 }]);
  });

  it("is kept when the next try cannot succeed, and when the person stops the wait", async () => {
    const denied = { throws: Object.assign(new Error("no"), { statusCode: 401 }) };
    const turn = await createTurnFixture({ steps: [cut("Half"), denied] });
    await turn.run();
    expect((await turn.history()).at(-1)?.parts).toMatchObject([{ text: "Half" }]);
    expect(await turn.chat()).toMatchObject({ status: "error", lastError: { kind: "auth" } });

    const stopped = await createTurnFixture({ steps: [cut("Half")] });
    await stopped.run({
      wait: async () => {
        await interruptChat(stopped.ctx, { chatId: stopped.chatId });
        stopped.stop("interrupted");
      },
    });
    expect((await stopped.history()).at(-1)?.parts).toMatchObject([{ text: "Half" }]);
    expect(await stopped.chat()).toMatchObject({ status: "waiting" });
  });

  it.each([
    ["an empty answer", [finishPart()], "The demo model is sending an empty answer."],
    [
      "a call without a name",
      [...toolCallParts("a", "", {}), finishPart("tool-calls")],
      "The demo model is calling a tool without a name.",
    ],
  ])("is %s", async (_name, step, message) => {
    const turn = await createTurnFixture({ steps: Array.from({ length: 5 }, () => step) });
    await turn.run();
    expect(turn.model.requests).toHaveLength(4);
    expect(await turn.chat()).toMatchObject({ status: "error", lastError: { message } });
    expect(await turn.history()).toHaveLength(1);
  });

  it("is not one that has nothing to add to tool results", async () => {
    const turn = await createTurnFixture({
      steps: [
        [...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
        [finishPart()],
      ],
    });
    await turn.run();
    expect(turn.model.requests).toHaveLength(2);
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });

  it("is counted over a deferral", async () => {
    const turn = await createTurnFixture({
      steps: [cut("a"), cut("b"), limited({ "retry-after": "20" }), cut("c"), cut("d"), cut("e")],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "pending" });
    await turn.arrive();
    await turn.run();
    expect(turn.model.requests).toHaveLength(5);
    expect(await turn.chat()).toMatchObject(failed);
  });
});

describe("a throw within a turn", () => {
  const bug = new Error("undefined is not a function");
  const expectServerError = async (turn: TurnFixture, cause: unknown) => {
    expect(await turn.chat()).toMatchObject({
      status: "error",
      leaseToken: null,
      retry: null,
      lastError: { kind: "generic", message: expect.stringMatching(/^The server had/) as string },
    });
    expect(JSON.stringify((await turn.chat()).lastError)).not.toContain("not a function");
    expect(turn.logged).toContainEqual(
      expect.objectContaining({
        level: "error",
        fields: expect.objectContaining({ err: cause }) as object,
      }),
    );
  };

  it.each<[string, (turn: TurnFixture) => Partial<TurnDeps>]>([
    ["the tools", () => ({ tools: () => Promise.reject(bug) })],
    [
      "the history",
      () => ({ histories: { read: () => Promise.reject(bug), add: () => undefined } }),
    ],
    ["the model's setup", () => ({ resolveModel: () => Promise.reject(bug) })],
    [
      "the prompt",
      () => ({
        histories: {
          read: () => Promise.resolve([{ role: "user" } as HistoryMessage]),
          add: () => undefined,
        },
      }),
    ],
  ])("before the model call, by %s, ends it with the cause in the log", async (_name, changes) => {
    const turn = await createTurnFixture({ steps: [textStep("never")] });
    await turn.run(changes(turn));
    expect(turn.model.requests).toHaveLength(0);
    await expectServerError(turn, expect.any(Error));
  });

  it("by a commit that the database refuses is paid once", async () => {
    const turn = await createTurnFixture({ steps: [textStep("one"), textStep("two")] });
    const [question] = await turn.history();
    await turn.run({ newId: () => question?.id ?? "" });
    expect(turn.model.requests).toHaveLength(1);
    await expectServerError(turn, expect.objectContaining({ code: "23505" }));
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("again"),
      busyBehavior: "reject",
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  });

  it("while calls run closes them as unknown", async () => {
    const turn = await createTurnFixture({
      steps: [[...toolCallParts("a", "current_time", {}), finishPart("tool-calls")]],
    });
    await turn.run({
      db: interceptStatements(turn.ctx.db, "settle-", () => Promise.reject(bug)),
    });
    await expectServerError(turn, bug);
    expect((await turn.history()).at(-1)?.parts).toMatchObject([
      { state: "error", output: expect.stringMatching(/^Unknown: the server had/) as string },
    ]);
  });

  it("completes an interruption that came before it", async () => {
    const turn = await createTurnFixture({ steps: [] });
    await turn.run({
      tools: async () => {
        await interruptChat(turn.ctx, { chatId: turn.chatId });
        throw bug;
      },
    });
    expect(await turn.chat()).toMatchObject({ status: "waiting", leaseToken: null });
  });

  it("of a worker that has lost its lease changes nothing", async () => {
    const turn = await createTurnFixture({ steps: [] });
    await turn.run({
      tools: async () => {
        await turn.ctx.db.prisma.chat.update({
          where: { id: turn.chatId },
          data: { leaseExpiresAt: new Date(0) },
        });
        await turn.claim();
        throw bug;
      },
    });
    expect(await turn.chat()).toMatchObject({ status: "running", lastError: null });
  });

  it("because the database is away leaves the chat to the next worker", async () => {
    const turn = await createTurnFixture({ steps: [textStep("ok")] });
    const gone = new DomainError("unavailable", "The database is away.");
    await expect(turn.run({ tools: () => Promise.reject(gone) })).rejects.toThrow(gone);
    expect(await turn.chat()).toMatchObject({ status: "running", lastError: null });
  });
});

describe("a worker that stops", () => {
  it("releases the chat at the step's end, and the next one continues", async () => {
    const turn = await createTurnFixture({
      steps: [
        [...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
        textStep("ok"),
      ],
    });
    let asked = 0;
    await turn.run({ stopping: createSignal(() => asked++ > 0) });
    expect(await turn.chat()).toMatchObject({ status: "pending", leaseToken: null });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect(turn.model.requests).toHaveLength(2);
  });
});
