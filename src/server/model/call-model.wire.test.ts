import type { ServerResponse } from "node:http";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { callModel } from "./call-model";
import { createModelRegistry } from "./catalog/model-registry";
import type { StepOutcome, StepRequest, StepTimeouts } from "./model-step";

type WireProvider = "openai" | "anthropic" | "google" | "openai-compatible";

const MODELS: Record<WireProvider, string> = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-2.5-flash",
  "openai-compatible": "local",
};
const PATHS: Record<WireProvider, RegExp> = {
  openai: /^\/v1\/responses$/,
  anthropic: /^\/v1\/messages$/,
  google: /^\/v1beta\/models\/gemini-2\.5-flash:streamGenerateContent\?alt=sse$/,
  "openai-compatible": /^\/v1\/chat\/completions$/,
};
const PROVIDERS = Object.keys(MODELS) as WireProvider[];
const KEY = "test-key-of-mine";

const tool = (name: string): StepRequest["tools"][number] => ({
  type: "function",
  name,
  description: `The ${name}`,
  inputSchema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
});

const userPrompt = (text: string): LanguageModelV4Prompt => [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text }] },
];

const callProvider = (
  provider: WireProvider,
  url: string,
  rest: {
    prompt: LanguageModelV4Prompt;
    signal?: AbortSignal;
    onDelta?: () => void;
    timeouts?: Partial<StepTimeouts>;
    mustAnswer?: boolean;
  },
): Promise<StepOutcome> => {
  const access = { apiKey: KEY, baseUrl: `${url}/v1` };
  const registry = createModelRegistry({
    openai: access,
    anthropic: access,
    google: { ...access, baseUrl: `${url}/v1beta` },
    "openai-compatible": access,
  });
  const row = { provider, model: MODELS[provider], contextLimit: null, prices: null };
  return callModel(
    registry.toChatModel(row),
    {
      prompt: rest.prompt,
      tools: [tool("search"), tool("weather")],
      maxOutputTokens: 500,
      mustAnswer: rest.mustAnswer ?? false,
    },
    {
      sink: { start: () => undefined, append: () => rest.onDelta?.(), end: () => undefined },
      signal: rest.signal ?? new AbortController().signal,
      now: () => new Date(),
      ...(rest.timeouts && { timeouts: rest.timeouts }),
    },
  );
};

const server = async (answer: Parameters<typeof startStubServer>[0]) => {
  const started = await startStubServer(answer);
  onTestFinished(started.close);
  return started;
};

describe.each(PROVIDERS)("%s over HTTP", (provider) => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());
  afterEach(() => mock.reset());

  const send = (text: string): Promise<StepOutcome> =>
    callProvider(provider, mock.url, { prompt: userPrompt(text) });

  it("returns text and sends system prompt, question, tools and key", async () => {
    mock.onMessage("hello", { content: "Hi there!" });
    const outcome = await send("hello");
    expect(outcome).toMatchObject({ type: "finished", finishReason: "stop" });
    expect(outcome.parts.at(-1)).toMatchObject({ type: "text", text: "Hi there!" });
    const request = mock.getLastRequest();
    expect(request?.path).toMatch(PATHS[provider]);
    expect(request?.body).toMatchObject({
      stream: true,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hello" },
      ],
      tools: [{ function: { name: "search" } }, { function: { name: "weather" } }],
    });
  });

  it("returns reasoning before text", async () => {
    mock.onMessage("why", { content: "Because.", reasoning: "Let me think" });
    const { parts } = await send("why");
    expect(parts).toMatchObject([
      { type: "reasoning", text: "Let me think", completedAt: expect.any(Date) as unknown },
      { type: "text", text: "Because." },
    ]);
  });

  it("returns parallel tool calls in order", async () => {
    mock.onMessage("both", {
      content: "Looking",
      toolCalls: [
        { name: "search", arguments: '{"q":"cats"}', id: "call_1" },
        { name: "weather", arguments: '{"q":"Oslo"}', id: "call_2" },
      ],
    });
    const outcome = await send("both");
    expect(outcome).toMatchObject({ type: "finished", finishReason: "tool-calls" });
    expect(outcome.parts.filter((part) => part.type !== "reasoning")).toMatchObject([
      { type: "text", text: "Looking" },
      { type: "tool_call", toolCallId: "call_1", toolName: "search", input: '{"q":"cats"}' },
      { type: "tool_call", toolCallId: "call_2", toolName: "weather", input: '{"q":"Oslo"}' },
    ]);
  });

  it("reports the delay of a 429", async () => {
    const error = { message: "slow down", type: "rate_limit_error" };
    mock.onMessage("limit", { error, status: 429, retryAfter: 7 });
    expect(await send("limit")).toMatchObject({
      type: "failed",
      failure: {
        kind: "rate_limit",
        retryable: true,
        status_code: 429,
        retryAfterMs: 7_000,
        detail: "slow down",
      },
    });
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("reports a 500 as retryable without retrying it", async () => {
    mock.onMessage("broken", { error: { message: "oh no", type: "server_error" }, status: 500 });
    expect(await send("broken")).toMatchObject({
      type: "failed",
      failure: { kind: "generic", retryable: true, status_code: 500, detail: "oh no" },
    });
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("reports a rejected key as not retryable", async () => {
    const error = { message: `Incorrect API key provided: ${KEY}`, type: "authentication_error" };
    mock.onMessage("auth", { error, status: 401 });
    expect(await send("auth")).toMatchObject({ failure: { kind: "auth", retryable: false } });
  });

  it.each(["malformedRate", "disconnectRate"] as const)(
    "classifies an answer that breaks at its start (%s) as a timeout",
    async (rate) => {
      mock.onMessage("odd", { content: "x" }, { chaos: { [rate]: 1 } });
      expect(await send("odd")).toMatchObject({
        type: "failed",
        parts: [],
        failure: { kind: "timeout", retryable: true },
      });
    },
  );

  it("classifies a connection that breaks midway as a timeout", async () => {
    mock.onMessage("cut", { content: "word ".repeat(50) }, { truncateAfterChunks: 4 });
    expect(await send("cut")).toMatchObject({
      type: "failed",
      failure: { kind: "timeout", retryable: true },
    });
  });

  it("reports an unreachable server as retryable", async () => {
    const stopped = await startStubServer(() => undefined);
    await stopped.close();
    expect(
      await callProvider(provider, stopped.url, { prompt: userPrompt("hello") }),
    ).toMatchObject({
      type: "failed",
      failure: { kind: "generic", retryable: true, detail: expect.any(String) as unknown },
    });
  });

  it("times out on a server that does not answer", async () => {
    const silent = await server(() => undefined);
    const timeouts = { firstPartMs: 50, idleMs: 50 };
    expect(
      await callProvider(provider, silent.url, { prompt: userPrompt("hello"), timeouts }),
    ).toMatchObject({
      type: "failed",
      // The server may still be at it.
      failure: { kind: "timeout", retryable: false },
    });
  });
});

/** The first events of an answer with the text "Half". */
const BEGINNING: Record<WireProvider, unknown[]> = {
  openai: [
    {
      type: "response.created",
      response: {
        id: "resp_1",
        object: "response",
        created_at: 1,
        model: "gpt-5",
        status: "in_progress",
      },
    },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "msg_1", status: "in_progress", role: "assistant", content: [] },
    },
    {
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta: "Half",
    },
  ],
  anthropic: [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half" } },
  ],
  google: [{ candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Half" }] } }] }],
  "openai-compatible": [
    {
      id: "chat_1",
      object: "chat.completion.chunk",
      created: 1,
      model: "local",
      choices: [{ index: 0, delta: { role: "assistant", content: "Half" }, finish_reason: null }],
    },
  ],
};

/** The events that end the answer above, with these counts of tokens. */
const ENDING: Record<WireProvider, (input: unknown, output: unknown) => unknown[]> = {
  openai: (input_tokens, output_tokens) => [
    {
      type: "response.completed",
      response: { id: "resp_1", usage: { input_tokens, output_tokens } },
    },
  ],
  anthropic: (input_tokens, output_tokens) => [
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens, output_tokens },
    },
    { type: "message_stop" },
  ],
  google: (promptTokenCount, candidatesTokenCount) => [
    {
      candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount, candidatesTokenCount },
    },
  ],
  "openai-compatible": (prompt_tokens, completion_tokens) => [
    {
      id: "chat_1",
      created: 1,
      model: "local",
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    },
    {
      id: "chat_1",
      created: 1,
      model: "local",
      choices: [],
      usage: { prompt_tokens, completion_tokens },
    },
    "[DONE]",
  ],
};

it.each([
  ["12", true, { input_tokens: 12, output_tokens: 0 }],
  ["x", [], { input_tokens: 0, output_tokens: 0 }],
])("a compatible server may count %j and %j tokens", async (input, output, usage) => {
  const provider = "openai-compatible";
  const { url } = await server((response) => {
    sendEvents(response, [...BEGINNING[provider], ...ENDING[provider](input, output)]);
    response.end();
  });
  const outcome = await callProvider(provider, url, { prompt: userPrompt("hello") });
  expect(outcome).toMatchObject({ type: "finished", usage });
});

it.each(["", " ", null])("a call with the name %j beside another is an error", async (name) => {
  const provider = "openai-compatible";
  const toCall = (index: number, text: unknown) => ({
    id: "chat_1",
    created: 1,
    model: "local",
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            {
              index,
              id: `call_${index}`,
              type: "function",
              function: { name: text, arguments: "{}" },
            },
          ],
        },
        finish_reason: null,
      },
    ],
  });
  const { url } = await server((response) => {
    const calls = [toCall(0, "current_time"), toCall(1, name)];
    sendEvents(response, [...BEGINNING[provider], ...calls, ...ENDING[provider](1, 1)]);
    response.end();
  });
  const outcome = await callProvider(provider, url, { prompt: userPrompt("hello") });
  expect(outcome).toMatchObject({ type: "failed", failure: { isUnusable: true } });
});

describe.each(PROVIDERS)("%s: answers as no provider should send them", (provider) => {
  it.each([
    [3.7, 5.2, { input_tokens: 3, output_tokens: 5 }],
    [3e9, 1e308, { input_tokens: 1e9, output_tokens: 1e9 }],
    [-1, -0.5, { input_tokens: 0, output_tokens: 0 }],
  ])("clips %d and %d tokens to counts that can be stored", async (input, output, usage) => {
    const { url } = await server((response) => {
      sendEvents(response, [...BEGINNING[provider], ...ENDING[provider](input, output)]);
      response.end();
    });
    const outcome = await callProvider(provider, url, { prompt: userPrompt("hello") });
    expect(outcome).toMatchObject({ type: "finished", usage });
  });

  it.each([
    ["an HTML page", "<!doctype html><html><body>Sign in to the network</body></html>", false],
    ["garbage", "\0\u0001garbage\n\n%%%", true],
    ["events that are no answer", 'data: {"hello": [1, 2]}\n\ndata: 7\n\n', true],
    ["nothing", "", true],
  ])("says that %s with status 200 is no answer", async (_name, body, retryable) => {
    const { url } = await server((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
    });
    const outcome = await callProvider(provider, url, {
      prompt: userPrompt("hello"),
      mustAnswer: true,
    });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [],
      failure: { retryable, isUnusable: true },
    });
  });

  it("ends an answer that drips", async () => {
    const { url } = await server((response) => {
      sendEvents(response, BEGINNING[provider]);
      const drip = setInterval(() => sendEvents(response, BEGINNING[provider].slice(-1)), 10);
      response.on("close", () => clearInterval(drip));
    });
    const timeouts = { firstPartMs: 5_000, idleMs: 5_000, totalMs: 200 };
    const outcome = await callProvider(provider, url, { prompt: userPrompt("hello"), timeouts });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [{ type: "text", text: expect.stringMatching(/^(Half)+$/) as string }],
      failure: { kind: "timeout", retryable: false },
    });
  });
});

describe.each(PROVIDERS)("%s: partial answers", (provider) => {
  const half = [{ type: "text", text: "Half" }];
  const callAfterBeginning = async (
    after: (response: ServerResponse) => void,
    rest: { signal?: AbortSignal; onDelta?: () => void } = {},
  ) => {
    const { url } = await server((response) => {
      sendEvents(response, BEGINNING[provider]);
      after(response);
    });
    const timeouts = { firstPartMs: 5_000, idleMs: 100 };
    return callProvider(provider, url, { prompt: userPrompt("hello"), timeouts, ...rest });
  };

  it("keeps the parts before a premature end", async () => {
    expect(await callAfterBeginning((response) => response.end())).toMatchObject({
      type: "failed",
      parts: half,
      failure: { kind: "timeout", retryable: true },
    });
  });

  it("keeps the parts before malformed JSON", async () => {
    const outcome = await callAfterBeginning((response) => {
      sendEvents(response, ['{"type": "oops']);
    });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: half,
      failure: { kind: "timeout", retryable: true },
    });
  });

  it("reports a stalled stream", async () => {
    expect(await callAfterBeginning(() => undefined)).toMatchObject({
      type: "failed",
      parts: half,
      failure: { kind: "stalled", retryable: false },
    });
  });

  it("closes the connection on abort", async () => {
    const abort = new AbortController();
    const connectionClosed = Promise.withResolvers<void>();
    const outcome = await callAfterBeginning(
      (response) => response.on("close", connectionClosed.resolve),
      {
        signal: abort.signal,
        onDelta: () => abort.abort(),
      },
    );
    expect(outcome).toEqual({ type: "aborted", parts: [expect.objectContaining(half[0] ?? {})] });
    await connectionClosed.promise;
  });
});

/** The failed calls "c1" and "c2" in each provider's request. */
const FAILED_RESULTS: Record<WireProvider, unknown> = {
  openai: {
    input: expect.arrayContaining([
      { type: "function_call_output", call_id: "c1", output: '{"error":"No such file."}' },
      { type: "function_call_output", call_id: "c2", output: '{"error":{"code":7}}' },
    ]) as unknown,
  },
  anthropic: {
    messages: expect.arrayContaining([
      {
        role: "user",
        content: [
          expect.objectContaining({
            type: "tool_result",
            tool_use_id: "c1",
            is_error: true,
            content: "No such file.",
          }),
          expect.objectContaining({
            type: "tool_result",
            tool_use_id: "c2",
            is_error: true,
            content: '{"code":7}',
          }),
        ],
      },
    ]) as unknown,
  },
  google: {
    contents: expect.arrayContaining([
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "c1",
              name: "search",
              response: { name: "search", error: "No such file." },
            },
          },
          {
            functionResponse: {
              id: "c2",
              name: "search",
              response: { name: "search", error: { code: 7 } },
            },
          },
        ],
      },
    ]) as unknown,
  },
  "openai-compatible": {
    messages: expect.arrayContaining([
      { role: "tool", tool_call_id: "c1", content: '{"error":"No such file."}' },
      { role: "tool", tool_call_id: "c2", content: '{"error":{"code":7}}' },
    ]) as unknown,
  },
};

describe.each(PROVIDERS)("%s: failed calls", (provider) => {
  const failed = { type: "tool-result", toolName: "search" } as const;
  const called = { type: "tool-call", toolName: "search", input: { q: "x" } } as const;

  it("are marked as failed, with their output as text or JSON", async () => {
    const next = await server((response) => response.writeHead(500).end());
    await callProvider(provider, next.url, {
      prompt: [
        ...userPrompt("Look."),
        {
          role: "assistant",
          content: [
            { ...called, toolCallId: "c1" },
            { ...called, toolCallId: "c2" },
          ],
        },
        {
          role: "tool",
          content: [
            {
              ...failed,
              toolCallId: "c1",
              output: { type: "error-text", value: "No such file." },
            },
            { ...failed, toolCallId: "c2", output: { type: "error-json", value: { code: 7 } } },
          ],
        },
      ],
    });
    expect(next.requests[0]?.body).toMatchObject(FAILED_RESULTS[provider] as object);
  });
});

describe("requests to providers", () => {
  it("disables storage at OpenAI and sends encrypted reasoning back", async () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1" });
    await mock.start();
    onTestFinished(() => mock.stop());
    mock.onMessage("why", { content: "Because.", reasoning: "Let me think" });
    const { parts } = await callProvider("openai", mock.url, { prompt: userPrompt("why") });
    const [thought] = parts;
    const providerOptions = thought?.type === "reasoning" ? thought.providerMetadata : undefined;
    expect(providerOptions).toMatchObject({
      openai: { reasoningEncryptedContent: expect.any(String) as unknown },
    });

    const next = await server((response) => response.writeHead(500).end());
    await callProvider("openai", next.url, {
      prompt: [
        ...userPrompt("why"),
        {
          role: "assistant",
          content: [
            {
              type: "reasoning",
              text: "Let me think",
              providerOptions: providerOptions as Record<string, Record<string, string>>,
            },
            { type: "text", text: "Because." },
          ],
        },
        { role: "user", content: [{ type: "text", text: "Really?" }] },
      ],
    });
    expect(next.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(next.requests[0]?.body).toMatchObject({
      store: false,
      stream: true,
      max_output_tokens: 500,
      include: ["reasoning.encrypted_content"],
      input: [
        {},
        {},
        {
          type: "reasoning",
          encrypted_content: providerOptions?.openai?.reasoningEncryptedContent,
          summary: [{ type: "summary_text", text: "Let me think" }],
        },
        { role: "assistant", content: "Because." },
        {},
      ],
    });
    expect(next.requests[0]?.body).not.toHaveProperty("previous_response_id");
  });

  it("sends cache breakpoints and reasoning signatures to Anthropic", async () => {
    const next = await server((response) => response.writeHead(500).end());
    await callProvider("anthropic", next.url, {
      prompt: [
        ...userPrompt("why"),
        {
          role: "assistant",
          content: [
            {
              type: "reasoning",
              text: "Let me think",
              providerOptions: { anthropic: { signature: "sig-1" } },
            },
            { type: "text", text: "Because." },
          ],
        },
        { role: "user", content: [{ type: "text", text: "Really?" }] },
      ],
    });
    const cache_control = { type: "ephemeral" };
    expect(next.requests[0]?.headers["x-api-key"]).toBe(KEY);
    expect(next.requests[0]?.body).toMatchObject({
      system: [{ type: "text", text: "Be brief.", cache_control }],
      messages: [
        { role: "user", content: [{ type: "text", text: "why" }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Let me think", signature: "sig-1" },
            { type: "text", text: "Because.", cache_control },
          ],
        },
        { role: "user", content: [{ type: "text", text: "Really?", cache_control }] },
      ],
    });
  });

  it.each([undefined, ""])("refuse a call with the name %j", async (name) => {
    const { url } = await server((response) => {
      const call = {
        index: 0,
        id: "call_1",
        type: "function",
        function: { name, arguments: "{}" },
      };
      const choices = [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }];
      sendEvents(response, [{ id: "1", created: 1, model: "local", choices }, "[DONE]"]);
      response.end();
    });
    const outcome = await callProvider("openai-compatible", url, { prompt: userPrompt("hello") });
    expect(outcome).toMatchObject({
      type: "failed",
      failure: { kind: "generic", retryable: true, isUnusable: true },
    });
  });

  it("requests usage from a compatible server", async () => {
    const next = await server((response) => {
      const choices = [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }];
      const usage = { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 };
      sendEvents(response, [
        { id: "1", created: 1, model: "local", choices },
        { id: "1", created: 1, model: "local", choices: [], usage },
        "[DONE]",
      ]);
      response.end();
    });
    const outcome = await callProvider("openai-compatible", next.url, {
      prompt: userPrompt("hello"),
    });
    expect(next.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
    expect(outcome).toMatchObject({ usage: { input_tokens: 11, output_tokens: 2 } });
  });
});
