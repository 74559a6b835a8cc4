import { setImmediate as nextTick } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { toolResult } from "@/server/tools/tool-result";
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
} from "@/test/scripted-model";
import { findPromptProblems } from "@/test/prompt-problems";
import { createTurnFixture } from "@/test/turn-fixture";
import { interruptChat } from "./interrupt-chat";
import { decideApprovals } from "./decide-approvals";
import { editMessage } from "./edit-message";
import { getLocalCalls } from "./decide-next";
import { sendMessage } from "./send-message";
import { submitToolResults } from "./submit-tool-results";
import { createTurnStore } from "./turn-store";

beforeAll(() => testDatabase());

const ask = {
  name: "ask",
  input_schema: { type: "object", properties: { q: { type: "string" } } },
};
const provider429 = {
  throws: Object.assign(new Error("slow down"), { statusCode: 429, isRetryable: true }),
};
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
      bind: (args) => {
        bound.push(tool.name);
        return tool.bind(args);
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
      store: {
        ...createTurnStore(turn.ctx.db, turn.ctx.newId),
        settleCalls: () => Promise.reject(new Error("the process died here")),
      },
    });
    await expect(settle).rejects.toThrow("died here");
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
      usage: null,
      parts: [
        { type: "text", text: "half an" },
        { toolCallId: "a", state: "cancelled", isError: true },
      ],
    });
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

describe("a worker that stops", () => {
  it("gives the chat back at the step's end, and the next one goes on", async () => {
    const turn = await createTurnFixture({
      steps: [
        [...toolCallParts("a", "current_time", {}), finishPart("tool-calls")],
        textStep("ok"),
      ],
    });
    let asked = 0;
    await turn.run({ isStopping: () => asked++ > 0 });
    expect(await turn.chat()).toMatchObject({ status: "pending", leaseToken: null });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect(turn.model.requests).toHaveLength(2);
  });
});
