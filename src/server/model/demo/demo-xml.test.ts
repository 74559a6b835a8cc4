import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { expect, it } from "vitest";
import { callModel } from "@/server/model/call-model";
import { createDemoModel } from "./demo-model";
import type { StepOutcome } from "@/server/model/model-step";
import { createCallWords } from "@/server/model/xml/call-word";
import { createXmlModel } from "@/server/model/xml/create-xml-model";

const TOOLS: LanguageModelV4FunctionTool[] = [
  {
    type: "function",
    name: "current_time",
    description: "Says it.",
    inputSchema: { type: "object" },
  },
  {
    type: "function",
    name: "search",
    inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
  { type: "function", name: "spawn_agent", inputSchema: { type: "object" } },
  {
    type: "function",
    name: "wait_agent",
    inputSchema: {
      type: "object",
      properties: { chat_ids: { type: "array", items: { type: "string" } } },
    },
  },
];

/** More tools than a guide has details of. */
const MANY_TOOLS: LanguageModelV4FunctionTool[] = Array.from({ length: 30 }, (_, index) => ({
  type: "function",
  name: `tool_${index}`,
  description: "Does something. ".repeat(30),
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string" },
      limit: { type: "integer", minimum: 3 },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["query", "limit", "tags"],
  },
}));

const call = (prompt: LanguageModelV4Prompt, tools = TOOLS): Promise<StepOutcome> =>
  callModel(
    {
      provider: "demo",
      model: "xml",
      label: "demo/xml",
      contextLimit: null,
      prices: null,
      client: createXmlModel(createDemoModel(0), createCallWords("a secret")),
    },
    { prompt, tools },
    {
      sink: { start: () => undefined, append: () => undefined, end: () => undefined },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );
const ask = (text: string): LanguageModelV4Prompt => [
  { role: "user", content: [{ type: "text", text }] },
];
const getCalls = ({ parts }: StepOutcome) =>
  parts.flatMap((part) => (part.type === "tool_call" ? [[part.toolName, part.input]] : []));
const getText = ({ parts }: StepOutcome): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const result = (value: string, toolName = "search"): LanguageModelV4Prompt => [
  {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "c1", toolName, input: { query: "x" } }],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName,
        output: { type: "text", value },
      },
    ],
  },
];

it("the demo model calls tools as XML", async () => {
  const outcome = await call(ask('use search with {"query": "a < b ]]> c"} and current_time'));
  expect(outcome).toMatchObject({ type: "finished", finishReason: "tool-calls" });
  expect(getCalls(outcome)).toEqual([
    ["search", '{"query":"a < b ]]> c"}'],
    ["current_time", "{}"],
  ]);
});

it("the demo model calls tools that it knows by an example only", async () => {
  const outcome = await call(ask("use tool_7 and tool_8"), MANY_TOOLS);
  expect(
    getCalls(outcome).map(([name, input]) => [name, JSON.parse(input ?? "") as unknown]),
  ).toEqual(
    ["tool_7", "tool_8"].map((name) => [
      name,
      { query: "use tool_7 and tool_8", limit: 3, tags: [expect.any(String)] },
    ]),
  );
});

it("the demo model reads results and goes on with the next step", async () => {
  const question = ask("use search then current_time");
  expect(getCalls(await call([...question, ...result("three")]))).toEqual([["current_time", "{}"]]);
  const summary = getText(await call([...ask("use search"), ...result("found ]]> it")]));
  expect(summary).toContain("`search`: found ]]> it");
});

it("the demo model waits for an agent that it has started", async () => {
  const question = ask("spawn an agent to write 5 words then wait");
  expect(getCalls(await call(question))).toMatchObject([["spawn_agent", expect.any(String)]]);
  const started = result('{"chat_id":"a","state":"running"}', "spawn_agent");
  const report: LanguageModelV4Prompt[number] = {
    role: "user",
    content: [
      { type: "text", text: '<task_report>{"label":"Agent 1","report":"ok"}</task_report>' },
    ],
  };
  expect(getCalls(await call([...question, ...started, report]))).toEqual([
    ["wait_agent", '{"chat_ids":["a"]}'],
  ]);
});

it("the demo model makes a mistake in XML when it is told to", async () => {
  const outcome = await call(ask('use search with {"query": '));
  expect(outcome.parts).toMatchObject([
    { type: "tool_call", problem: expect.stringContaining("cannot be read") as string },
  ]);
});

it("the demo model answers in text", async () => {
  expect(getText(await call(ask("Hello")))).toContain("> Hello");
});
