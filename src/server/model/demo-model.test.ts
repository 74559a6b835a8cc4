import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { callModel } from "./call-model";
import { createDemoModel } from "./demo-model";
import type { ChatModel, StepOutcome, StepPart } from "./model-step";

const tool = (name: string, inputSchema: LanguageModelV4FunctionTool["inputSchema"] = {}) => ({
  type: "function" as const,
  name,
  inputSchema,
});
const userMessage = (text: string): LanguageModelV4Prompt[number] => ({
  role: "user",
  content: [{ type: "text", text }],
});
const toolResult = (
  toolName: string,
  output: LanguageModelV4ToolResultOutput,
): LanguageModelV4Prompt => [
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: `of ${toolName}`, toolName, input: {} }],
  },
  {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: `of ${toolName}`, toolName, output }],
  },
];

const demo = (client = createDemoModel(1)): ChatModel => ({
  provider: "demo",
  model: "demo",
  label: "demo/demo",
  contextLimit: null,
  prices: null,
  client,
});

const callDemo = (
  prompt: LanguageModelV4Prompt | string,
  tools: LanguageModelV4FunctionTool[] = [],
  rest: { model?: ChatModel; signal?: AbortSignal; append?: (delta: string) => void } = {},
): Promise<StepOutcome> =>
  callModel(
    rest.model ?? demo(),
    { prompt: typeof prompt === "string" ? [userMessage(prompt)] : prompt, tools },
    {
      sink: {
        start: () => undefined,
        append: (_index, delta) => rest.append?.(delta),
        end: () => undefined,
      },
      signal: rest.signal ?? new AbortController().signal,
      now: () => new Date(),
    },
  );

const textOf = ({ parts }: { parts: StepPart[] }): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");
const callsOf = ({ parts }: { parts: StepPart[] }): [string, unknown][] =>
  parts.flatMap((part) =>
    part.type === "tool_call" ? [[part.toolName, JSON.parse(part.input) as unknown]] : [],
  );

describe("demo model: conversation", () => {
  it("explains what it is and how to configure a real model", async () => {
    const outcome = await callDemo("Hello there", [tool("current_time")]);
    expect(outcome).toMatchObject({ type: "finished", finishReason: "stop" });
    const text = textOf(outcome);
    for (const word of ["demo model", "> Hello there", "PARLEY_MODELS", "OPENAI_API_KEY"]) {
      expect(text).toContain(word);
    }
    expect(text).toContain("`current_time`");
  });

  it("is deterministic", async () => {
    const [one, other] = await Promise.all([callDemo("think Hello"), callDemo("think Hello")]);
    expect(textOf(one)).toBe(textOf(other));
  });

  it("streams reasoning before text for `think`", async () => {
    const { parts } = await callDemo("think about life");
    expect(parts.map((part) => part.type)).toEqual(["reasoning", "text"]);
  });

  it("writes the requested number of words and counts them as tokens", async () => {
    const outcome = await callDemo("write 40 words");
    expect(textOf(outcome).split(" ")).toHaveLength(40);
    expect(outcome).toMatchObject({ usage: { output_tokens: 40 } });
  });

  it("streams word by word", async () => {
    const deltas: string[] = [];
    await callDemo("write 12 words", [], { append: (delta) => deltas.push(delta) });
    expect(deltas).toHaveLength(12);
  });

  it("streams a story at the requested speed", async () => {
    const started = performance.now();
    const outcome = await callDemo("slow 3 ms story for Ann");
    expect(textOf(outcome)).toMatch(/^Once upon a time .* The end\.$/s);
    expect(performance.now() - started).toBeGreaterThan(3 * 50);
  });

  it("stops on abort and keeps its partial text", async () => {
    const abort = new AbortController();
    const outcome = await callDemo("slow story", [], {
      signal: abort.signal,
      append: () => abort.abort(),
    });
    expect(outcome).toMatchObject({ type: "aborted", parts: [{ type: "text", text: "Once" }] });
  });
});

describe("demo model: tools", () => {
  const search = tool("search_web", {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer" } },
    required: ["query"],
  });
  const time = tool("current_time");
  const exec = tool("exec");

  it("calls a tool with the JSON after its name", async () => {
    const outcome = await callDemo('use search_web with {"query": "a } in {braces}", "limit": 2}', [
      search,
    ]);
    expect(callsOf(outcome)).toEqual([["search_web", { query: "a } in {braces}", limit: 2 }]]);
    expect(outcome).toMatchObject({ finishReason: "tool-calls" });
  });

  it("calls all tools that a sentence names, in order, in one batch", async () => {
    const outcome = await callDemo('use exec with {"a":1}, current_time and search_web', [
      search,
      time,
      exec,
    ]);
    expect(callsOf(outcome)).toEqual([
      ["exec", { a: 1 }],
      ["current_time", {}],
      ["search_web", { query: expect.any(String) as unknown }],
    ]);
    const ids = outcome.parts.map((part) => (part.type === "tool_call" ? part.toolCallId : ""));
    expect(new Set(ids).size).toBe(3);
  });

  it("calls a tool that a question mentions", async () => {
    const outcome = await callDemo("What is the current time?", [search, time]);
    expect(callsOf(outcome)).toEqual([["current_time", {}]]);
  });

  it("does not match a name inside a word", async () => {
    const outcome = await callDemo("What does the executive say?", [exec]);
    expect(callsOf(outcome)).toEqual([]);
  });

  it("keeps invalid JSON as arguments", async () => {
    const { parts } = await callDemo("use exec with {oops", [exec]);
    expect(parts).toMatchObject([{ toolName: "exec", input: "{oops" }]);
  });

  it("reports an unknown tool", async () => {
    const outcome = await callDemo("use teleport with {}", [exec]);
    expect(callsOf(outcome)).toEqual([]);
    expect(textOf(outcome)).toContain("no tool called `teleport`");
  });

  it("summarizes results and failures and stops", async () => {
    const prompt = [
      userMessage("use search_web and exec"),
      ...toolResult("search_web", { type: "json", value: { hits: 3 } }),
      ...toolResult("exec", { type: "error-text", value: "not allowed" }).slice(1),
    ];
    const outcome = await callDemo(prompt, [search, exec]);
    expect(outcome).toMatchObject({ finishReason: "stop" });
    expect(textOf(outcome)).toContain('`search_web`: {"hits":3}');
    expect(textOf(outcome)).toContain("`exec` **failed**: not allowed");
    expect(callsOf(outcome)).toEqual([]);
  });

  it("continues with the next batch after `then`", async () => {
    const question = userMessage("use search_web then exec");
    expect(callsOf(await callDemo([question], [search, exec]))).toHaveLength(1);
    const second = [question, ...toolResult("search_web", { type: "text", value: "ok" })];
    expect(callsOf(await callDemo(second, [search, exec]))).toEqual([["exec", {}]]);
    const third = [...second, ...toolResult("exec", { type: "text", value: "done" })];
    expect(textOf(await callDemo(third, [search, exec]))).toContain("`exec`: done");
  });

  it("ignores a `then` inside arguments", async () => {
    const outcome = await callDemo('use exec with {"note": "now, then later"}', [exec]);
    expect(callsOf(outcome)).toEqual([["exec", { note: "now, then later" }]]);
  });

  it("uses different call ids in different steps", async () => {
    const first = [userMessage("use exec")];
    const second = [...first, ...toolResult("exec", { type: "text", value: "ok" }), ...first];
    const [one, other] = await Promise.all([callDemo(first, [exec]), callDemo(second, [exec])]);
    expect(one.parts[0]).not.toEqual(other.parts[0]);
    expect(callsOf(other)).toEqual(callsOf(one));
  });
});

describe("demo model: advice and titles", () => {
  it("calls the advisor alone when it is available", async () => {
    const outcome = await callDemo("advise how to use exec safely", [
      tool("advisor"),
      tool("exec"),
    ]);
    expect(callsOf(outcome)).toEqual([["advisor", { question: "how to use exec safely" }]]);
  });

  it("reports a missing advisor", async () => {
    expect(textOf(await callDemo("advise me", [tool("exec")]))).toContain("not available");
  });

  it("gives advice as the advisor", async () => {
    const system = { role: "system" as const, content: "You advise another agent." };
    expect(textOf(await callDemo([system, userMessage("What now?")]))).toContain("**Risks.**");
  });

  it("fails as the advisor on request", async () => {
    const system = { role: "system" as const, content: "You advise another agent." };
    expect(await callDemo([system, userMessage("fail auth")])).toMatchObject({
      type: "failed",
      failure: { kind: "auth" },
    });
  });

  it("is not the advisor when it has tools", async () => {
    const system = { role: "system" as const, content: "Consult the advisor when in doubt." };
    const outcome = await callDemo([system, userMessage("Hello")], [tool("advisor")]);
    expect(textOf(outcome)).toContain("demo model");
  });

  it("writes a title as JSON when JSON is requested", async () => {
    const options: LanguageModelV4CallOptions = {
      prompt: [userMessage("how do I bake sourdough bread at home, quickly?")],
      responseFormat: {
        type: "json",
        schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
      },
    };
    const { content } = await createDemoModel(1).doGenerate(options);
    expect(content).toEqual([{ type: "text", text: '{"title":"How do I bake sourdough bread"}' }]);
  });

  it("writes a plain title when the system prompt requests one", async () => {
    const system = { role: "system" as const, content: "Write a short title for this chat." };
    expect(textOf(await callDemo([system, userMessage("plan a trip to Oslo")]))).toBe(
      "Plan a trip to Oslo",
    );
  });
});

describe("demo model: failures", () => {
  it.each([
    ["fail", "generic", false],
    ["fail 429", "rate_limit", true],
    ["fail with 500", "generic", true],
    ["fail 503", "timeout", true],
    ["fail auth", "auth", false],
    ["fail quota", "quota", false],
    ["fail overloaded", "overloaded", true],
    ["fail context", "context_overflow", false],
    ["fail filter", "content_filter", false],
  ])("%s fails with %s", async (text, kind, retryable) => {
    const outcome = await callDemo(text);
    expect(outcome).toMatchObject({ type: "failed", parts: [], failure: { kind, retryable } });
  });

  it("sends a retry delay with a rate limit", async () => {
    expect(await callDemo("fail 429")).toMatchObject({ failure: { retryAfterMs: 1_000 } });
  });

  it("fails in the middle of an answer for `midway`", async () => {
    const outcome = await callDemo("fail midway 500");
    expect(outcome).toMatchObject({ type: "failed", failure: { kind: "generic" } });
    expect(textOf(outcome)).toMatch(/^Once upon/);
  });

  it("alternates between failure and answer for `fail once`", async () => {
    const model = demo();
    const outcomes: string[] = [];
    for (let call = 0; call < 4; call++)
      outcomes.push((await callDemo("fail once", [], { model })).type);
    expect(outcomes).toEqual(["failed", "finished", "failed", "finished"]);
  });

  it("tracks `fail once` per prompt", async () => {
    const model = demo();
    expect((await callDemo("fail once, please", [], { model })).type).toBe("failed");
    expect((await callDemo("fail once, thanks", [], { model })).type).toBe("failed");
    expect((await callDemo("fail once, please", [], { model })).type).toBe("finished");
  });
});
