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
const says = (text: string): LanguageModelV4Prompt[number] => ({
  role: "user",
  content: [{ type: "text", text }],
});
const answered = (
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

const ask = (
  prompt: LanguageModelV4Prompt | string,
  tools: LanguageModelV4FunctionTool[] = [],
  rest: { model?: ChatModel; signal?: AbortSignal; append?: (delta: string) => void } = {},
): Promise<StepOutcome> =>
  callModel(
    rest.model ?? demo(),
    { prompt: typeof prompt === "string" ? [says(prompt)] : prompt, tools },
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

describe("demo model, conversation", () => {
  it("says what it is and how to get a real model, and stops", async () => {
    const outcome = await ask("Hello there", [tool("current_time")]);
    expect(outcome).toMatchObject({ type: "finished", finishReason: "stop" });
    const text = textOf(outcome);
    for (const word of ["demo model", "> Hello there", "PARLEY_MODELS", "OPENAI_API_KEY"]) {
      expect(text).toContain(word);
    }
    expect(text).toContain("`current_time`");
  });

  it("answers the same to the same prompt", async () => {
    const [one, other] = await Promise.all([ask("think Hello"), ask("think Hello")]);
    expect(textOf(one)).toBe(textOf(other));
  });

  it("reasons before it answers when it is told to think", async () => {
    const { parts } = await ask("think about life");
    expect(parts.map((part) => part.type)).toEqual(["reasoning", "text"]);
  });

  it("writes as many words as it is asked for, and counts them", async () => {
    const outcome = await ask("write 40 words");
    expect(textOf(outcome).split(" ")).toHaveLength(40);
    expect(outcome).toMatchObject({ usage: { output_tokens: 40 } });
  });

  it("streams word by word", async () => {
    const deltas: string[] = [];
    await ask("write 12 words", [], { append: (delta) => deltas.push(delta) });
    expect(deltas).toHaveLength(12);
  });

  it("tells a story as slowly as it is asked to", async () => {
    const started = performance.now();
    const outcome = await ask("slow 3 ms story for Ann");
    expect(textOf(outcome)).toMatch(/^Once upon a time .* The end\.$/s);
    expect(performance.now() - started).toBeGreaterThan(3 * 50);
  });

  it("stops at an abort and keeps what it has said", async () => {
    const abort = new AbortController();
    const outcome = await ask("slow story", [], {
      signal: abort.signal,
      append: () => abort.abort(),
    });
    expect(outcome).toMatchObject({ type: "aborted", parts: [{ type: "text", text: "Once" }] });
  });
});

describe("demo model, tools", () => {
  const search = tool("search_web", {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer" } },
    required: ["query"],
  });
  const time = tool("current_time");
  const exec = tool("exec");

  it("calls a tool with the JSON that follows its name", async () => {
    const outcome = await ask('use search_web with {"query": "a } in {braces}", "limit": 2}', [
      search,
    ]);
    expect(callsOf(outcome)).toEqual([["search_web", { query: "a } in {braces}", limit: 2 }]]);
    expect(outcome).toMatchObject({ finishReason: "tool-calls" });
  });

  it("calls all tools that a sentence names, in its order, in one batch", async () => {
    const outcome = await ask('use exec with {"a":1}, current_time and search_web', [
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

  it("calls a tool that a question names in passing", async () => {
    const outcome = await ask("What is the current time?", [search, time]);
    expect(callsOf(outcome)).toEqual([["current_time", {}]]);
  });

  it("does not take a part of a word for a name", async () => {
    const outcome = await ask("What does the executive say?", [exec]);
    expect(callsOf(outcome)).toEqual([]);
  });

  it("passes on arguments that are no JSON", async () => {
    const { parts } = await ask("use exec with {oops", [exec]);
    expect(parts).toMatchObject([{ toolName: "exec", input: "{oops" }]);
  });

  it("says so when there is no such tool", async () => {
    const outcome = await ask("use teleport with {}", [exec]);
    expect(callsOf(outcome)).toEqual([]);
    expect(textOf(outcome)).toContain("no tool called `teleport`");
  });

  it("sums up the results, the failed ones too, and stops", async () => {
    const prompt = [
      says("use search_web and exec"),
      ...answered("search_web", { type: "json", value: { hits: 3 } }),
      ...answered("exec", { type: "error-text", value: "not allowed" }).slice(1),
    ];
    const outcome = await ask(prompt, [search, exec]);
    expect(outcome).toMatchObject({ finishReason: "stop" });
    expect(textOf(outcome)).toContain('`search_web`: {"hits":3}');
    expect(textOf(outcome)).toContain("`exec` **failed**: not allowed");
    expect(callsOf(outcome)).toEqual([]);
  });

  it("goes on to the next batch after `then`", async () => {
    const question = says("use search_web then exec");
    expect(callsOf(await ask([question], [search, exec]))).toHaveLength(1);
    const second = [question, ...answered("search_web", { type: "text", value: "ok" })];
    expect(callsOf(await ask(second, [search, exec]))).toEqual([["exec", {}]]);
    const third = [...second, ...answered("exec", { type: "text", value: "done" })];
    expect(textOf(await ask(third, [search, exec]))).toContain("`exec`: done");
  });

  it("leaves a `then` inside the arguments alone", async () => {
    const outcome = await ask('use exec with {"note": "now, then later"}', [exec]);
    expect(callsOf(outcome)).toEqual([["exec", { note: "now, then later" }]]);
  });

  it("gives two steps of a chat different call ids", async () => {
    const first = [says("use exec")];
    const second = [...first, ...answered("exec", { type: "text", value: "ok" }), ...first];
    const [one, other] = await Promise.all([ask(first, [exec]), ask(second, [exec])]);
    expect(one.parts[0]).not.toEqual(other.parts[0]);
    expect(callsOf(other)).toEqual(callsOf(one));
  });
});

describe("demo model, advice and titles", () => {
  it("asks the advisor when it is offered, and alone", async () => {
    const outcome = await ask("advise how to use exec safely", [tool("advisor"), tool("exec")]);
    expect(callsOf(outcome)).toEqual([["advisor", { question: "how to use exec safely" }]]);
  });

  it("says so when there is no advisor", async () => {
    expect(textOf(await ask("advise me", [tool("exec")]))).toContain("not available");
  });

  it("advises when it is the advisor", async () => {
    const system = { role: "system" as const, content: "You advise another agent." };
    expect(textOf(await ask([system, says("What now?")]))).toContain("**Risks.**");
  });

  it("fails as the advisor when the question says so", async () => {
    const system = { role: "system" as const, content: "You advise another agent." };
    expect(await ask([system, says("fail auth")])).toMatchObject({
      type: "failed",
      failure: { kind: "auth" },
    });
  });

  it("stays itself when the advisor is merely on offer", async () => {
    const system = { role: "system" as const, content: "Consult the advisor when in doubt." };
    const outcome = await ask([system, says("Hello")], [tool("advisor")]);
    expect(textOf(outcome)).toContain("demo model");
  });

  it("writes a title as JSON when it is asked for JSON", async () => {
    const options: LanguageModelV4CallOptions = {
      prompt: [says("how do I bake sourdough bread at home, quickly?")],
      responseFormat: {
        type: "json",
        schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
      },
    };
    const { content } = await createDemoModel(1).doGenerate(options);
    expect(content).toEqual([{ type: "text", text: '{"title":"How do I bake sourdough bread"}' }]);
  });

  it("writes a plain title when its system prompt asks for one", async () => {
    const system = { role: "system" as const, content: "Write a short title for this chat." };
    expect(textOf(await ask([system, says("plan a trip to Oslo")]))).toBe("Plan a trip to Oslo");
  });
});

describe("demo model, failures", () => {
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
  ])("fails as told: %s is %s", async (text, kind, retryable) => {
    const outcome = await ask(text);
    expect(outcome).toMatchObject({ type: "failed", parts: [], failure: { kind, retryable } });
  });

  it("asks to wait when it limits the rate", async () => {
    expect(await ask("fail 429")).toMatchObject({ failure: { retryAfterMs: 1_000 } });
  });

  it("fails in the middle of an answer", async () => {
    const outcome = await ask("fail midway 500");
    expect(outcome).toMatchObject({ type: "failed", failure: { kind: "generic" } });
    expect(textOf(outcome)).toMatch(/^Once upon/);
  });

  it("fails once and then answers, every time anew", async () => {
    const model = demo();
    const ways: string[] = [];
    for (let call = 0; call < 4; call++) ways.push((await ask("fail once", [], { model })).type);
    expect(ways).toEqual(["failed", "finished", "failed", "finished"]);
  });

  it("fails every chat's first call when several are told to fail once", async () => {
    const model = demo();
    expect((await ask("fail once, please", [], { model })).type).toBe("failed");
    expect((await ask("fail once, thanks", [], { model })).type).toBe("failed");
    expect((await ask("fail once, please", [], { model })).type).toBe("finished");
  });
});
