import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { beforeAll, describe, expect, it } from "vitest";
import { AdvisorResult } from "@/contract/advisor";
import type { ModelPrices } from "@/contract/model";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import { ADVISOR_GUIDANCE, ADVISOR_PROMPT } from "@/server/advisor/prompts";
import type { MessageRow } from "@/server/db/chats/rows";
import type { ChatModel } from "@/server/model/model-step";
import { createBuiltinSource } from "@/server/tools/tool-source";
import { createToolbox } from "@/server/tools/toolbox";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { findPromptProblems } from "@/test/prompt-problems";
import {
  textStep,
  toolCallParts,
  finishPart,
  pendingForever,
  textParts,
  type ScriptedParts,
  type ScriptedStep,
  createScriptedModel,
  reasoningParts,
} from "@/test/scripted-model";
import { toolScope } from "@/test/tool-fixture";
import { type TurnFixture, createSignal, createTurnFixture } from "@/test/turn-fixture";
import type { Database } from "@/server/db/connection/database";
import { getLocalCalls } from "./decide-next";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { regenerate } from "@/server/chat/regenerate";
import { sendMessage } from "@/server/chat/send-message";
import { interceptStatements } from "@/test/database-doubles";
import { submitToolResults } from "@/server/chat/submit-tool-results";

beforeAll(() => testDatabase());

const PRICES: ModelPrices = { input: 1_000_000, output: 1_000_000 };

const getAdvisor = (
  steps: ScriptedStep[],
  traits: Partial<AdvisorRuntime> & { prices?: ModelPrices } = {},
) => {
  const client = createScriptedModel(steps);
  const { prices = null, ...rest } = traits;
  const advisor: AdvisorRuntime = {
    model: {
      provider: "demo",
      model: "wise",
      label: "demo/wise",
      contextLimit: null,
      prices,
      client,
    },
    maxUses: 3,
    maxOutputTokens: 77,
    ...rest,
  };
  return { advisor, client };
};

const callsAdvisor = (id: string, question: unknown = "What next?") =>
  toolCallParts(id, "advisor", { question });
const batch = (...calls: ScriptedParts[]): ScriptedStep => [
  ...calls.flat(),
  finishPart("tool-calls"),
];
const asks = (id: string, question?: unknown): ScriptedStep => batch(callsAdvisor(id, question));
const fails = (): ScriptedStep => ({ throws: new Error("no luck") });

const ask = { name: "ask", input_schema: { type: "object", properties: {} } };

const advisorCalls = (history: MessageRow[]) =>
  history.flatMap(getLocalCalls).filter(({ toolName }) => toolName === "advisor");
const outcomes = async (turn: TurnFixture) => {
  const history = await turn.history();
  return advisorCalls(history).map(({ output }) => {
    const parsed = AdvisorResult.safeParse(output);
    return parsed.success ? parsed.data.type : "none";
  });
};
const getSystems = (request: LanguageModelV4CallOptions | undefined) =>
  (request?.prompt ?? []).flatMap(({ role, content }) => (role === "system" ? content : []));
/** As if the worker had died: it holds the lease no more, and writes nothing. */
const expireLease = (turn: TurnFixture) =>
  turn.ctx.db.prisma.chat.update({
    where: { id: turn.chatId },
    data: { leaseExpiresAt: new Date(0) },
  });
/** A person stops the turn between the advice and its commit, which is refused then. */
const interruptedBeforeSettling = (turn: TurnFixture): Database =>
  interceptStatements(turn.ctx.db, "settle-", async (send) => {
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    return send();
  });
const getUses = (turn: TurnFixture) =>
  turn.ctx.db.prisma.usageRecord.findMany({
    where: { chatId: turn.chatId, kind: "advisor" },
    orderBy: { createdAt: "asc" },
  });
const answerAction = (turn: TurnFixture, toolCallId: string) =>
  submitToolResults(turn.ctx, {
    chatId: turn.chatId,
    results: [{ toolCallId, output: "ok", isError: false }],
  });

describe("a turn that asks the advisor", () => {
  it("is not told of it in a chat that has chosen other tools", async () => {
    const { advisor } = getAdvisor([]);
    const turn = await createTurnFixture({
      advisor,
      toolNames: ["current_time"],
      steps: [textStep("Done.")],
    });
    await turn.run();
    expect(JSON.stringify(turn.model.requests[0]?.prompt)).not.toContain(ADVISOR_GUIDANCE);
  });

  it("stores the result with the call, and goes on with it", async () => {
    const { advisor, client } = getAdvisor([textStep("Take the small step.")]);
    const turn = await createTurnFixture({ advisor, steps: [asks("a"), textStep("Done.")] });
    await turn.run();
    const [call] = advisorCalls(await turn.history());
    expect(call).toMatchObject({
      kind: "builtin",
      state: "completed",
      isError: false,
      output: {
        type: "advice",
        advice: "Take the small step.",
        advisor_model: "demo/wise",
        remaining_uses: 2,
      },
    });
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2 });
    expect(client.requests).toHaveLength(1);
    const followUp = turn.model.requests[1]?.prompt ?? [];
    expect(findPromptProblems(followUp)).toEqual([]);
    expect(JSON.stringify(followUp)).toContain("Take the small step.");
  });

  it("shows it the prompt of the step that asks, with what was said in it", async () => {
    const { advisor, client } = getAdvisor([textStep("Fine.")]);
    const turn = await createTurnFixture({
      advisor,
      systemPrompt: "You mend bicycles.",
      content: toTextContent("My chain is off."),
      steps: [
        [
          ...reasoningParts("Two ways."),
          ...textParts("Let me ask."),
          ...callsAdvisor("a", "Left or right?"),
          finishPart("tool-calls"),
        ],
        textStep("Done."),
      ],
    });
    await turn.run();
    const prompt = client.requests[0]?.prompt ?? [];
    expect(getSystems(client.requests[0]).slice(-2)).toEqual([
      "You mend bicycles.",
      ADVISOR_PROMPT,
    ]);
    expect(prompt.slice(3)).toMatchObject([
      { role: "user", content: [{ text: "My chain is off." }] },
      {
        role: "assistant",
        content: [
          { text: expect.stringContaining("Two ways.") as string },
          { text: "Let me ask." },
        ],
      },
      { role: "user", content: [{ text: "Left or right?" }] },
    ]);
    expect(findPromptProblems(prompt)).toEqual([]);
    // A message that came after the prompt was made is none of its business.
    expect(JSON.stringify(prompt)).not.toContain("advisor-guidance");
  });

  it("writes no messages for it", async () => {
    const { advisor } = getAdvisor([textStep("Fine.")]);
    const turn = await createTurnFixture({ advisor, steps: [asks("a"), textStep("Done.")] });
    await turn.run();
    expect((await turn.history()).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "assistant",
    ]);
  });

  it("shows phase and text under the call, anew with another try", async () => {
    const { advisor } = getAdvisor([
      [
        ...textParts("Half"),
        {
          type: "error",
          error: Object.assign(new Error("busy"), { statusCode: 529, isRetryable: true }),
        },
      ],
      textStep("Whole"),
    ]);
    const turn = await createTurnFixture({ advisor, steps: [asks("a"), textStep("Done.")] });
    await turn.run();
    const call = { message_id: (await turn.history())[1]?.id, tool_call_id: "a" };
    expect(turn.ops.filter(({ op }) => op.startsWith("output-"))).toEqual([
      { op: "output-append", ...call, phase: "preparing", text: "" },
      { op: "output-append", ...call, phase: "thinking", text: "" },
      { op: "output-append", ...call, phase: "answering", text: "Half" },
      { op: "output-reset", ...call },
      { op: "output-append", ...call, phase: "thinking", text: "" },
      { op: "output-append", ...call, phase: "answering", text: "Whole" },
    ]);
  });

  it.each([
    ["blank", " "],
    ["too long", "x".repeat(2_001)],
    ["of the wrong type", 7],
    ["null", null],
  ])("goes on when the question is %s", async (_case, question) => {
    const { advisor, client } = getAdvisor([]);
    const turn = await createTurnFixture({
      advisor,
      steps: [asks("a", question), textStep("Done.")],
    });
    await turn.run();
    expect(advisorCalls(await turn.history())).toMatchObject([{ state: "error", isError: true }]);
    expect(client.requests).toHaveLength(0);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });

  it("goes on when the advisor fails, which is no tool error", async () => {
    const { advisor } = getAdvisor([fails()]);
    const turn = await createTurnFixture({ advisor, steps: [asks("a"), textStep("Done.")] });
    await turn.run();
    expect(advisorCalls(await turn.history())).toMatchObject([
      { state: "completed", isError: false, output: { type: "error", remaining_uses: 3 } },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
  });
});

describe("tool, guidance and policy", () => {
  it("are all there with an advisor, the guidance last of the system messages", async () => {
    const { advisor } = getAdvisor([]);
    const turn = await createTurnFixture({
      advisor,
      systemPrompt: "Be kind.",
      steps: [textStep("Hi.")],
    });
    await turn.run();
    const [request] = turn.model.requests;
    expect(request?.tools?.map(({ name }) => name)).toContain("advisor");
    expect(getSystems(request).slice(-2)).toEqual(["Be kind.", ADVISOR_GUIDANCE]);
    expect(ADVISOR_GUIDANCE).toMatch(/^<advisor-guidance>[^]*<\/advisor-guidance>$/);
  });

  it("are all missing without one, and a call says so", async () => {
    const turn = await createTurnFixture({
      steps: [batch(callsAdvisor("a"), toolCallParts("b", "current_time", {})), textStep("Hi.")],
    });
    await turn.run();
    const [request] = turn.model.requests;
    expect(request?.tools?.map(({ name }) => name)).not.toContain("advisor");
    expect(JSON.stringify(request?.prompt)).not.toContain("advisor");
    const [, step] = await turn.history();
    expect(step && getLocalCalls(step)).toMatchObject([
      { state: "error", output: expect.stringContaining("The advisor is off") as string },
      { state: "completed" },
    ]);
  });

  it("are missing in a child chat, even with an advisor", async () => {
    const { advisor, client } = getAdvisor([]);
    const turn = await createTurnFixture({ advisor, steps: [asks("a"), textStep("Hi.")] });
    const parent = await createTurnFixture({ ctx: turn.ctx, steps: [] });
    await turn.ctx.db.prisma.chat.update({
      where: { id: turn.chatId },
      data: { parentChatId: parent.chatId, rootChatId: parent.chatId },
    });
    await turn.run();
    for (const { tools, prompt } of turn.model.requests) {
      expect(tools?.map(({ name }) => name)).not.toContain("advisor");
      expect(JSON.stringify(prompt)).not.toContain("advisor-guidance");
    }
    expect(advisorCalls(await turn.history())).toMatchObject([{ state: "error", isError: true }]);
    expect(client.requests).toHaveLength(0);
  });

  it.each([
    ["on", getAdvisor([]).advisor],
    ["off", undefined],
  ])("reserve the name while the advisor is %s", async (_case, advisor) => {
    const turn = await createTurnFixture({
      ...(advisor && { advisor }),
      dynamicTools: [{ ...ask, name: "advisor", description: "A client's own" }],
      steps: [textStep("Hi.")],
    });
    await turn.run();
    expect(JSON.stringify(turn.model.requests[0]?.tools)).not.toContain("A client's own");
  });
});

describe("a batch in which the advisor is not alone", () => {
  it("runs nothing, says how to go on, and costs one step", async () => {
    const { advisor, client } = getAdvisor([textStep("Fine.")]);
    const turn = await createTurnFixture({
      advisor,
      steps: [
        batch(toolCallParts("a", "read_file", { path: "x" }), callsAdvisor("b")),
        asks("c"),
        textStep("Done."),
      ],
    });
    await turn.run();
    const calls = (await turn.history()).flatMap(getLocalCalls);
    expect(calls).toMatchObject([
      { toolCallId: "a", state: "error", output: expect.stringMatching(/Skipped/) as string },
      { toolCallId: "b", state: "error", output: expect.stringMatching(/again, alone/) as string },
      { toolCallId: "c", state: "completed" },
    ]);
    expect(client.requests).toHaveLength(1);
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 3 });
    const metrics = await turn.register.metrics();
    expect(metrics).toContain('parley_exclusive_rejections_total{tool="advisor"} 2');
    expect(metrics).toContain('parley_tool_errors_total{tool="advisor"} 1');
    expect(metrics).toContain('parley_tool_errors_total{tool="read_file"} 1');
  });

  it("with a dynamic call parks nothing", async () => {
    const { advisor } = getAdvisor([]);
    const turn = await createTurnFixture({
      advisor,
      dynamicTools: [ask],
      steps: [batch(callsAdvisor("a"), toolCallParts("b", "ask", {})), textStep("Done.")],
    });
    await turn.run();
    const calls = (await turn.history()).flatMap(getLocalCalls);
    expect(calls.map(({ state, isError }) => [state, isError])).toEqual([
      ["error", true],
      ["error", true],
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", actionDeadlineAt: null });
  });

  it("with the advisor twice asks it not at all", async () => {
    const { advisor, client } = getAdvisor([]);
    const turn = await createTurnFixture({
      advisor,
      steps: [batch(callsAdvisor("a", "One?"), callsAdvisor("b", "Two?")), textStep("Done.")],
    });
    await turn.run();
    expect(advisorCalls(await turn.history())).toMatchObject([
      { output: expect.stringMatching(/again, alone/) as string },
      { output: expect.stringMatching(/again, alone/) as string },
    ]);
    expect(client.requests).toHaveLength(0);
  });

  it("does not count what the provider ran itself", async () => {
    const { advisor } = getAdvisor([textStep("Fine.")]);
    const turn = await createTurnFixture({
      advisor,
      steps: [
        [
          {
            type: "tool-call",
            toolCallId: "web",
            toolName: "web_search",
            input: "{}",
            providerExecuted: true,
          },
          { type: "tool-result", toolCallId: "web", toolName: "web_search", result: "found" },
          ...callsAdvisor("a"),
          finishPart("tool-calls"),
        ],
        textStep("Done."),
      ],
    });
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice"]);
  });
});

describe("the uses of a turn", () => {
  it("end with the limit, without a model call", async () => {
    const { advisor, client } = getAdvisor([textStep("one")], { maxUses: 1 });
    const turn = await createTurnFixture({
      advisor,
      steps: [asks("a"), asks("b"), textStep("Done.")],
    });
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "limit_reached"]);
    expect(client.requests).toHaveLength(1);
  });

  it("with one left give exactly one advice to two calls at once", async () => {
    const { advisor, client } = getAdvisor([textStep("one"), textStep("two")], { maxUses: 1 });
    const turn = await createTurnFixture({
      advisor,
      steps: [batch(callsAdvisor("a", "One?"), callsAdvisor("b", "Two?")), textStep("Done.")],
    });
    // The exclusive policy would never let two through.
    const source = createBuiltinSource([{ ...turn.builtin.advisor, exclusive: false }]);
    const toolbox = await createToolbox([source], toolScope());
    const basis = { toolNames: null, groupNames: [], dynamicTools: [], toolModes: {} };
    await turn.run({ tools: () => Promise.resolve({ toolbox, advisor, groups: [], basis }) });
    expect((await outcomes(turn)).sort()).toEqual(["advice", "limit_reached"]);
    expect(client.requests).toHaveLength(1);
  });

  it("without a limit end with the turn’s steps", async () => {
    const { advisor } = getAdvisor([textStep("one"), textStep("two"), textStep("three")], {
      maxUses: null,
    });
    const turn = await createTurnFixture({
      advisor,
      maxSteps: 3,
      steps: [asks("a"), asks("b"), asks("c"), textStep("too many")],
    });
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "advice", "advice"]);
    expect(advisorCalls(await turn.history())).toMatchObject([
      { output: { remaining_uses: null } },
      { output: { remaining_uses: null } },
      { output: { remaining_uses: null } },
    ]);
    expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 3 });
  });

  it("begin anew with a turn that no user message has begun", async () => {
    const { advisor, client } = getAdvisor([textStep("one"), textStep("two")], { maxUses: 1 });
    const turn = await createTurnFixture({
      advisor,
      steps: [asks("a"), asks("b"), textStep("Done.")],
    });
    await turn.run({ stopping: createSignal(() => client.requests.length > 0) });
    await turn.ctx.db.query(
      { name: "test-begin-turn", text: "UPDATE chat SET turn_id = $2::uuid WHERE id = $1::uuid" },
      [turn.chatId, turn.ctx.newId()],
    );
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "advice"]);
    expect(client.requests).toHaveLength(2);
  });

  it("survive a pause for a client’s tool", async () => {
    const { advisor, client } = getAdvisor([textStep("one")], { maxUses: 1 });
    const turn = await createTurnFixture({
      advisor,
      dynamicTools: [ask],
      steps: [
        asks("a"),
        [...toolCallParts("b", "ask", {}), finishPart("tool-calls")],
        asks("c"),
        textStep("Done."),
      ],
    });
    await turn.run();
    expect(await turn.chat()).toMatchObject({ status: "requires_action" });
    await answerAction(turn, "b");
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "limit_reached"]);
    expect(client.requests).toHaveLength(1);
  });

  it("survive the shutdown of a worker, and are known to the next one", async () => {
    const { advisor, client } = getAdvisor([textStep("one")], { maxUses: 1 });
    const turn = await createTurnFixture({
      advisor,
      steps: [asks("a"), asks("b"), textStep("Done.")],
    });
    await turn.run({ stopping: createSignal(() => client.requests.length > 0) });
    expect(await turn.chat()).toMatchObject({ status: "pending" });
    expect(await outcomes(turn)).toEqual(["advice"]);
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "limit_reached"]);
    expect(client.requests).toHaveLength(1);
  });

  it("survive a crash after the advice, and a crash during it costs none", async () => {
    const { advisor, client } = getAdvisor([textStep("one"), [pendingForever()], textStep("two")], {
      maxUses: 2,
    });
    const turn = await createTurnFixture({
      advisor,
      steps: [asks("a"), asks("b"), asks("c"), asks("d"), textStep("Done.")],
    });
    const crashed = turn.run();
    await client.waitForCalls(2);
    await expireLease(turn);
    turn.stop("lost");
    await crashed;
    expect(await outcomes(turn)).toEqual(["advice", "none"]);
    await turn.run();
    // The call that was cut off is closed, and is no use.
    expect(await outcomes(turn)).toEqual(["advice", "none", "advice", "limit_reached"]);
    expect(await getUses(turn)).toHaveLength(2);
    expect(await turn.chat()).toMatchObject({
      status: "waiting",
      usage: { advisor: { input_tokens: 20, output_tokens: 10 } },
    });
  });

  it("count on when the turn is summed up in between", async () => {
    const { advisor } = getAdvisor([textStep("one"), textStep("two")], { maxUses: 1 });
    const full = finishPart("tool-calls", { input: 17_000, output: 10 });
    const turn = await createTurnFixture({
      advisor,
      content: toTextContent("a long question ".repeat(1_000)),
      steps: [
        asks("a"),
        textStep("ok"),
        asks("b"),
        [...toolCallParts("c", "current_time", {}), full],
        textStep("SUMMARY"),
        asks("d"),
        textStep("ok"),
      ],
    });
    const model: ChatModel = {
      provider: "demo",
      model: "scripted",
      label: "demo/scripted",
      contextLimit: 20_000,
      prices: null,
      client: turn.model,
    };
    const run = () => turn.run({ resolveModel: () => Promise.resolve(model) });
    await run();
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("And now?"),
      busyBehavior: "queue",
    });
    await run();
    expect((await turn.history()).filter(({ role }) => role === "event")).toHaveLength(1);
    expect(await outcomes(turn)).toEqual(["advice", "advice", "limit_reached"]);
  });

  it("begin anew with the next user message, and with another try of the answer", async () => {
    const { advisor } = getAdvisor([textStep("one"), textStep("two"), textStep("three")], {
      maxUses: 1,
    });
    const turn = await createTurnFixture({
      advisor,
      steps: [asks("a"), textStep("ok"), asks("b"), textStep("ok"), asks("c"), textStep("ok")],
    });
    await turn.run();
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("And now?"),
      busyBehavior: "queue",
    });
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "advice"]);
    await regenerate(turn.ctx, { chatId: turn.chatId });
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "advice"]);
  });
});

describe("a turn that is stopped while the advisor is asked", () => {
  it("ends the call as interrupted, gives the use back, and aborts the nested call", async () => {
    const { advisor, client } = getAdvisor([[...textParts("Well"), pendingForever()]], {
      maxUses: 1,
    });
    const turn = await createTurnFixture({ advisor, steps: [asks("a")] });
    const running = turn.run();
    await client.waitForCalls(1);
    await interruptChat(turn.ctx, { chatId: turn.chatId });
    turn.stop("interrupted");
    await running;
    expect(advisorCalls(await turn.history())).toMatchObject([{ state: "cancelled" }]);
    expect(client.requests[0]?.abortSignal?.aborted).toBe(true);
    expect(await turn.chat()).toMatchObject({ status: "waiting" });
    expect(await getUses(turn)).toEqual([]);
    const metrics = await turn.register.metrics();
    expect(metrics).toContain('parley_advisor_refunds_total{tool="advisor"} 1');
    expect(metrics).toContain('outcome="aborted"} 1');
  });

  it("keeps advice that was there a moment before, with what it cost", async () => {
    const { advisor } = getAdvisor([textStep("one")], { prices: PRICES });
    const turn = await createTurnFixture({ advisor, steps: [asks("a")] });
    await turn.run({
      db: interruptedBeforeSettling(turn),
    });
    expect(await outcomes(turn)).toEqual(["advice"]);
    expect(await turn.chat()).toMatchObject({
      status: "waiting",
      usage: { advisor: { input_tokens: 10, output_tokens: 5, cost_micros: 15 } },
    });
    expect(await getUses(turn)).toHaveLength(1);
  });
});

describe("what the advisor costs", () => {
  it("is counted apart from the turn, by its own model’s prices", async () => {
    const { advisor } = getAdvisor(
      [textStep("one"), [...reasoningParts("hm"), finishPart()], fails()],
      {
        prices: PRICES,
      },
    );
    const turn = await createTurnFixture({
      advisor,
      steps: [asks("a"), asks("b"), asks("c"), textStep("Done.")],
    });
    await turn.run();
    expect(await outcomes(turn)).toEqual(["advice", "error", "error"]);
    const [, first] = await turn.history();
    const uses = await getUses(turn);
    expect(uses).toHaveLength(2);
    expect(uses[0]).toMatchObject({
      messageId: first?.id,
      model: "demo/wise",
      inputTokens: 10,
      outputTokens: 5,
      costMicros: 15,
    });
    expect((await turn.chat()).usage).toMatchObject({
      turn: { input_tokens: 40, output_tokens: 20, cost_micros: 0 },
      advisor: { input_tokens: 20, output_tokens: 10, cost_micros: 30 },
    });
  });

  it("is nothing when the limit was reached", async () => {
    const { advisor } = getAdvisor([], { maxUses: 0 });
    const turn = await createTurnFixture({ advisor, steps: [asks("a"), textStep("Done.")] });
    await turn.run();
    expect((await turn.chat()).usage).not.toHaveProperty("advisor");
    expect(await getUses(turn)).toEqual([]);
  });
});
