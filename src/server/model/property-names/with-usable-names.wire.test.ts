import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseExactJson } from "@/lib/exact-json";
import { callModel } from "@/server/model/call-model";
import type { StepRequest } from "@/server/model/model-step";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { createWireModel, type WireProvider } from "@/test/wire-model";
import { findToolProblems, readWireTools } from "@/test/wire-tools";

const TOOLS: StepRequest["tools"] = [
  {
    type: "function",
    name: "list_users",
    inputSchema: {
      type: "object",
      properties: { $filter: { type: "string" }, "user[name]": { type: "string" } },
      required: ["$filter"],
    },
  },
  { type: "function", name: "other", inputSchema: { type: "object", properties: {} } },
];
const ARGUMENTS = '{"_filter":"a eq 1","user_name":"_filter"}';
const INPUT = '{"$filter":"a eq 1","user[name]":"_filter"}';
/** With an id that JavaScript's numbers would round. */
const HISTORY = '{"$filter":"a eq 1","user[name]":{"id":1234567890123456789}}';
const PIECES = ARGUMENTS.match(/.{1,3}/g) ?? [];

const question: LanguageModelV4Prompt = [
  { role: "user", content: [{ type: "text", text: "Who?" }] },
];
const answered: LanguageModelV4Prompt = [
  ...question,
  {
    role: "assistant",
    content: [
      {
        type: "tool-call",
        toolCallId: "c0",
        toolName: "list_users",
        input: parseExactJson(HISTORY),
      },
      { type: "tool-call", toolCallId: "c1", toolName: "other", input: { $filter: 1 } },
    ],
  },
  {
    role: "tool",
    content: ["c0", "c1"].map((toolCallId) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName: toolCallId === "c0" ? "list_users" : "other",
      output: { type: "text" as const, value: "none" },
    })),
  },
];

/** What the server answers: one call, its arguments in pieces. */
const ANTHROPIC_EVENTS = [
  {
    type: "message_start",
    message: { id: "m", model: "m", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "tool_use", id: "t1", name: "list_users", input: {} },
  },
  ...PIECES.map((partial_json) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json },
  })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];
const toChunk = (delta: object, finish_reason: string | null = null) => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason }],
});
const COMPATIBLE_EVENTS = [
  toChunk({
    tool_calls: [
      { index: 0, id: "t1", type: "function", function: { name: "list_users", arguments: "" } },
    ],
  }),
  ...PIECES.map((piece) => toChunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  toChunk({}, "tool_calls"),
  "[DONE]",
];

const call = async (
  provider: WireProvider,
  { model, events, prompt }: { model: string; events: unknown[]; prompt: LanguageModelV4Prompt },
) => {
  const server = await startStubServer((response) => {
    sendEvents(response, events);
    response.end();
  });
  onTestFinished(server.close);
  let shown = "";
  const outcome = await callModel(
    createWireModel(provider, server.url, model),
    { prompt, tools: TOOLS },
    {
      sink: {
        start: () => undefined,
        append: (_index, delta) => (shown += delta),
        end: () => undefined,
      },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );
  return { outcome, shown, body: server.requests[0]?.body, sent: server.requests[0]?.text };
};

describe.each([
  { provider: "anthropic", model: "claude-sonnet-4-5", events: ANTHROPIC_EVENTS },
  { provider: "openai-compatible", model: "anthropic/claude-opus-4", events: COMPATIBLE_EVENTS },
] as const)("names of properties that Anthropic refuses, by $provider", ({ provider, ...rest }) => {
  it("are others in the request, and their own in the call and while it streams", async () => {
    const { outcome, shown, body } = await call(provider, { ...rest, prompt: question });
    expect(findToolProblems("anthropic", toAnthropic(provider, body))).toEqual([]);
    expect(readWireTools(provider, body)[0]?.schema).toMatchObject({
      properties: { _filter: { type: "string" }, user_name: { type: "string" } },
      required: ["_filter"],
    });
    expect(outcome).toMatchObject({ type: "finished", parts: [{ input: INPUT }] });
    expect(shown).toBe(INPUT);
  });

  it("are the same others in earlier calls of the tool, and only of that", async () => {
    const { sent } = await call(provider, { ...rest, prompt: answered });
    const text = sent?.replaceAll("\\", "");
    expect(text).toContain('{"_filter":"a eq 1","user_name":{"id":1234567890123456789}}');
    expect(text).not.toContain(HISTORY);
    expect(text).toContain('{"$filter":1}');
  });
});

/** By the rules of Anthropic, of which a gateway has only another form. */
const toAnthropic = (provider: WireProvider, body: unknown): unknown => ({
  tools: readWireTools(provider, body).map(({ name, schema }) => ({ name, input_schema: schema })),
});

it("are sent as they are to other models", async () => {
  const { body } = await call("openai-compatible", {
    model: "local",
    events: COMPATIBLE_EVENTS,
    prompt: question,
  });
  expect(JSON.stringify(body)).toContain('"$filter"');
});
