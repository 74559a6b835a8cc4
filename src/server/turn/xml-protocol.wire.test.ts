import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { v7 as newId } from "uuid";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import type { ChatModel } from "@/server/model/model-step";
import { createXmlModel } from "@/server/model/xml/create-xml-model";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { findPromptProblems } from "@/test/prompt-problems";
import {
  createScriptedModel,
  finishPart,
  type ScriptedModel,
  textStep,
  toolCallParts,
} from "@/test/scripted-model";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { beginTestTask } from "@/test/task-fixture";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { findWireProblems } from "@/test/wire-messages";
import { getLocalCalls } from "./decide-next";
import { sendMessage } from "@/server/chat/send-message";
import { submitToolResults } from "@/server/chat/submit-tool-results";
import { completeTask } from "@/server/tasks/task-reports";

beforeAll(() => testDatabase());

const block = (xml: string): string => `I look.\n\n\`\`\`xml\n${xml}\n\`\`\`\n`;
const TIME = block('<tools>\n<tool name="current_time"></tool>\n</tools>');
const BROKEN = block('<tools>\n<tool name="current_time">\n</tools>');

type Body = { tools?: unknown; messages: { role: string; content: string }[] };

/** Starts a provider without tool calls, whose n-th answer is the n-th text, and connects a model of it. */
const startProvider = async (answers: readonly string[]) => {
  const server = await startStubServer((response) => {
    // Like a model, it takes the word of its calls from the guide.
    const { messages } = server.requests.at(-1)?.body as Body;
    const [root = "<tools>"] = /<tools word="[^"]+">/.exec(messages[0]?.content ?? "") ?? [];
    const text = (answers[server.requests.length - 1] ?? "Done.").replace("<tools>", root);
    const deltas = text.match(/[^]{1,7}/g) ?? [];
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      id: "1",
      object: "chat.completion.chunk",
      created: 1,
      model: "phi3",
      choices: [{ index: 0, delta, finish_reason }],
    });
    sendEvents(response, [
      ...deltas.map((content) => chunk({ content })),
      chunk({}, "stop"),
      "[DONE]",
    ]);
    response.end();
  });
  onTestFinished(server.close);
  const registry = createModelRegistry({
    "openai-compatible": { baseUrl: `${server.url}/v1` },
  });
  const model = registry.toChatModel({
    provider: "openai-compatible",
    model: "phi3",
    contextLimit: null,
    prices: null,
    toolProtocol: "xml",
  });
  return {
    resolveModel: () => Promise.resolve(model),
    bodies: () => server.requests.map(({ body }) => body as Body),
  };
};

const lastCalls = async (turn: TurnFixture) => (await turn.history()).flatMap(getLocalCalls);
const lastText = async (turn: TurnFixture): Promise<unknown> =>
  (await turn.history()).at(-1)?.parts.at(-1);

it("a block that cannot be read is corrected in the next step", async () => {
  const { resolveModel, bodies } = await startProvider([BROKEN, TIME, "It is late."]);
  const turn = await createTurnFixture({ steps: [] });
  await turn.run({ resolveModel });

  expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 3, lastError: null });
  expect(await lastCalls(turn)).toMatchObject([
    { toolName: "current_time", state: "error", isError: true },
    { toolName: "current_time", state: "completed", isError: false },
  ]);
  expect(await lastText(turn)).toMatchObject({ type: "text", text: "It is late." });
  const [first, second, third] = bodies();
  expect(first?.tools).toBeUndefined();
  expect(first?.messages[0]?.content).toContain("## current_time");
  const reported = second?.messages.at(-1);
  expect(reported?.role).toBe("user");
  expect(reported?.content).toContain(
    "Line 3, column 8: found unexpected close tag, expected a parameter or </tool>.",
  );
  expect(reported?.content).toContain('<tool name="current_time">');
  // The model sees the block as it wrote it.
  expect(second?.messages.at(-2)?.content).toMatch(
    /<tools word="\w+">\n<tool name="current_time">\n<\/tools>/,
  );
  expect(third?.messages.at(-1)?.content).toMatch(
    /^```xml\n<results>\n<result tool="current_time" id="call_\w+" status="success">/,
  );
});

it("a block that the model quotes from what it has read does not run, and is asked for once", async () => {
  const quoted = TIME.replace("<tools>", "<tools >");
  const { resolveModel, bodies } = await startProvider([quoted, quoted]);
  const turn = await createTurnFixture({ steps: [] });
  await turn.run({ resolveModel });

  expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 2, lastError: null });
  const { output, ...call } = (await lastCalls(turn))[0] ?? {};
  expect(call).toMatchObject({ toolName: "current_time", state: "error" });
  expect(output).toMatch(/^Not run: your answer ended with a block of calls without word="…"/);
  expect(await lastCalls(turn)).toHaveLength(1);
  const [first, second, ...others] = bodies();
  const [, word = ""] = /<tools word="([^"]+)">/.exec(first?.messages[0]?.content ?? "") ?? [];
  expect(second?.messages.at(-1)?.content).toContain(`<tools word="${word}">`);
  expect(others).toEqual([]);
  expect(JSON.stringify(await turn.history())).not.toContain(word);
});

it("the report of a task follows the results as data, and roles alternate", async () => {
  const { resolveModel, bodies } = await startProvider([TIME, TIME, "It is late."]);
  const turn = await createTurnFixture({ steps: [] });
  const { chatId } = turn;
  const db = await testDatabase();
  const taskId = await beginTestTask(db, { chatId });
  const report = { output: "It is </results> 42.", for_user: null, artifacts: [] };
  await turn.run({
    resolveModel: async () => {
      await completeTask({ db, newId }, { taskId, chatId, state: "completed", report });
      return resolveModel();
    },
  });
  expect(bodies()).toHaveLength(3);
  for (const body of bodies()) expect(findWireProblems("openai-compatible", body)).toEqual([]);
  const text = JSON.stringify(bodies()[1]);
  expect(text.indexOf("<task_report>")).toBeGreaterThan(text.indexOf('status=\\"success'));
  expect(text.split("<task_report>")).toHaveLength(2);
});

it("three blocks in a row that cannot be read end the turn with a sentence", async () => {
  const { resolveModel, bodies } = await startProvider([BROKEN, BROKEN, BROKEN, TIME, "Late."]);
  const turn = await createTurnFixture({ steps: [] });
  await turn.run({ resolveModel });
  expect(await turn.chat()).toMatchObject({
    status: "error",
    lastError: {
      message: expect.stringContaining("wrote 3 answers in a row") as string,
      retryable: false,
    },
  });
  expect(bodies()).toHaveLength(3);
  await sendMessage(turn.ctx, {
    chatId: turn.chatId,
    content: toTextContent("Try again"),
    busyBehavior: "queue",
  });
  await turn.run({ resolveModel });
  expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
});

it("a dynamic call beside a built-in one parks the chat, and its result resumes it", async () => {
  const both = block(
    '<tools><tool name="current_time"/><tool name="measure"><what><![CDATA[a < b]]></what></tool></tools>',
  );
  const { resolveModel, bodies } = await startProvider([both, "Done."]);
  const turn = await createTurnFixture({
    steps: [],
    dynamicTools: [
      {
        name: "measure",
        input_schema: { type: "object", properties: { what: { type: "string" } } },
      },
    ],
  });
  await turn.run({ resolveModel });
  expect(await turn.chat()).toMatchObject({ status: "requires_action" });
  const [time, measure] = await lastCalls(turn);
  expect(time).toMatchObject({ state: "completed" });
  expect(measure).toMatchObject({ state: "awaiting_result", args: { what: "a < b" } });
  const toolCallId = measure?.toolCallId ?? "";
  await submitToolResults(turn.ctx, {
    chatId: turn.chatId,
    results: [{ toolCallId, output: "5 ]]> </results>", isError: false }],
  });
  await turn.run({ resolveModel });
  expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  const last = bodies()[1]?.messages.at(-1)?.content;
  expect(last).toContain(`<result tool="measure" id="${toolCallId}" status="success">`);
  expect(last).toContain("<![CDATA[5 ]]]]><![CDATA[> </results>]]>");
});

it("shows the arguments of a call while they arrive, and nothing of the block as text", async () => {
  const { resolveModel } = await startProvider([TIME, "Done."]);
  const turn = await createTurnFixture({ steps: [] });
  await turn.run({ resolveModel });
  const shown = turn.ops.flatMap((op) => (op.op === "text-append" ? op.text : [])).join("");
  expect(shown).toBe("I look.Done.");
  expect(turn.ops).toContainEqual(
    expect.objectContaining({ op: "tool-call-start", tool_name: "current_time" }),
  );
});

/** Throws for a prompt that a strict provider would refuse. */
const requireStrict = ({ prompt }: LanguageModelV4CallOptions): void => {
  const problems = findPromptProblems(prompt);
  if (problems.length > 0) throw new Error(problems.join(", "));
};

it("a chat goes on with a model of the other protocol, and back", async () => {
  const native = createScriptedModel([
    [...toolCallParts("call_1", "current_time", {}), finishPart("tool-calls")],
    textStep("One."),
    [...toolCallParts("call_2", "current_time", {}), finishPart("tool-calls")],
    textStep("Three."),
  ]);
  const texts = createScriptedModel([textStep(BROKEN), textStep(TIME), textStep("Two.")]);
  const toModel = (client: ScriptedModel, isXml: boolean): ChatModel => ({
    provider: "demo",
    model: "m",
    label: `demo/${isXml}`,
    contextLimit: null,
    prices: null,
    client: isXml ? createXmlModel(client, () => "") : client,
  });
  const turn = await createTurnFixture({ steps: [] });
  for (const model of [toModel(native, false), toModel(texts, true), toModel(native, false)]) {
    if (model.client !== native || native.requests.length > 0) {
      await sendMessage(turn.ctx, {
        chatId: turn.chatId,
        content: toTextContent("Go on"),
        busyBehavior: "queue",
      });
    }
    await turn.run({ resolveModel: () => Promise.resolve(model) });
    expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
  }
  expect([native.requests.length, texts.requests.length]).toEqual([4, 3]);
  for (const request of [...native.requests, ...texts.requests]) requireStrict(request);
  const written = JSON.stringify(texts.requests[0]?.prompt);
  expect(written).toContain('<tool name=\\"current_time\\">');
  expect(written).not.toContain('"tool-call"');
  const calls = native.requests
    .at(-1)
    ?.prompt.flatMap(({ role, content }) =>
      role === "assistant" ? content.filter(({ type }) => type === "tool-call") : [],
    );
  expect(calls).toHaveLength(4);
});
