import type { ServerResponse } from "node:http";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sendEvents, startWireServer } from "@/test/wire-server";
import { callModel } from "./call-model";
import { createModelRegistry } from "./model-registry";
import type { StepOutcome, StepRequest } from "./model-step";

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

const userSays = (text: string): LanguageModelV4Prompt => [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text }] },
];

const ask = (
  provider: WireProvider,
  url: string,
  rest: {
    prompt: LanguageModelV4Prompt;
    signal?: AbortSignal;
    onDelta?: () => void;
    guards?: { firstPartMs: number; silenceMs: number };
  },
): Promise<StepOutcome> => {
  const access = { apiKey: KEY, baseUrl: `${url}/v1` };
  const registry = createModelRegistry({
    openai: access,
    anthropic: access,
    google: { ...access, baseUrl: `${url}/v1beta` },
    openaiCompatible: access,
  });
  const row = { provider, model: MODELS[provider], contextLimit: null, prices: null };
  return callModel(
    registry.toChatModel(row),
    { prompt: rest.prompt, tools: [tool("search"), tool("weather")], maxOutputTokens: 500 },
    {
      sink: { start: () => undefined, append: () => rest.onDelta?.(), end: () => undefined },
      signal: rest.signal ?? new AbortController().signal,
      now: () => new Date(),
      ...(rest.guards && { guards: rest.guards }),
    },
  );
};

const server = async (answer: Parameters<typeof startWireServer>[0]) => {
  const started = await startWireServer(answer);
  onTestFinished(started.close);
  return started;
};

describe.each(PROVIDERS)("%s over HTTP", (provider) => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());
  afterEach(() => mock.reset());

  const say = (text: string): Promise<StepOutcome> =>
    ask(provider, mock.url, { prompt: userSays(text) });

  it("gives text, and sends the system prompt, the question, the tools and the key", async () => {
    mock.onMessage("hello", { content: "Hi there!" });
    const outcome = await say("hello");
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

  it("gives reasoning before the text", async () => {
    mock.onMessage("why", { content: "Because.", reasoning: "Let me think" });
    const { parts } = await say("why");
    expect(parts).toMatchObject([
      { type: "reasoning", text: "Let me think", completedAt: expect.any(Date) as unknown },
      { type: "text", text: "Because." },
    ]);
  });

  it("gives parallel tool calls in their order", async () => {
    mock.onMessage("both", {
      content: "Looking",
      toolCalls: [
        { name: "search", arguments: '{"q":"cats"}', id: "call_1" },
        { name: "weather", arguments: '{"q":"Oslo"}', id: "call_2" },
      ],
    });
    const outcome = await say("both");
    expect(outcome).toMatchObject({ type: "finished", finishReason: "tool-calls" });
    expect(outcome.parts.filter((part) => part.type !== "reasoning")).toMatchObject([
      { type: "text", text: "Looking" },
      { type: "tool_call", toolCallId: "call_1", toolName: "search", input: '{"q":"cats"}' },
      { type: "tool_call", toolCallId: "call_2", toolName: "weather", input: '{"q":"Oslo"}' },
    ]);
  });

  it("waits as long as a 429 asks", async () => {
    const error = { message: "slow down", type: "rate_limit_error" };
    mock.onMessage("limit", { error, status: 429, retryAfter: 7 });
    expect(await say("limit")).toMatchObject({
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

  it("can try a 500 again, and has not done so itself", async () => {
    mock.onMessage("broken", { error: { message: "oh no", type: "server_error" }, status: 500 });
    expect(await say("broken")).toMatchObject({
      type: "failed",
      failure: { kind: "generic", retryable: true, status_code: 500, detail: "oh no" },
    });
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("does not try a refused key again", async () => {
    const error = { message: `Incorrect API key provided: ${KEY}`, type: "authentication_error" };
    mock.onMessage("auth", { error, status: 401 });
    expect(await say("auth")).toMatchObject({ failure: { kind: "auth", retryable: false } });
  });

  it.each(["malformedRate", "disconnectRate"] as const)(
    "takes an answer that is broken from its start (%s) as one that was cut",
    async (rate) => {
      mock.onMessage("odd", { content: "x" }, { chaos: { [rate]: 1 } });
      expect(await say("odd")).toMatchObject({
        type: "failed",
        parts: [],
        failure: { kind: "timeout", retryable: true },
      });
    },
  );

  it("takes a connection that breaks in the middle as a cut", async () => {
    mock.onMessage("cut", { content: "word ".repeat(50) }, { truncateAfterChunks: 4 });
    expect(await say("cut")).toMatchObject({
      type: "failed",
      failure: { kind: "timeout", retryable: true },
    });
  });

  it("cannot reach a server that is not there", async () => {
    const gone = await startWireServer(() => undefined);
    await gone.close();
    expect(await ask(provider, gone.url, { prompt: userSays("hello") })).toMatchObject({
      type: "failed",
      failure: { kind: "generic", retryable: true, detail: expect.any(String) as unknown },
    });
  });

  it("stops waiting for a server that does not answer", async () => {
    const silent = await server(() => undefined);
    const guards = { firstPartMs: 50, silenceMs: 50 };
    expect(await ask(provider, silent.url, { prompt: userSays("hello"), guards })).toMatchObject({
      type: "failed",
      failure: { kind: "timeout", retryable: true },
    });
  });
});

/** The first events of an answer that says "Half". */
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

describe.each(PROVIDERS)("%s, an answer that stops on the way", (provider) => {
  const half = [{ type: "text", text: "Half" }];
  const askFor = async (
    after: (response: ServerResponse) => void,
    rest: { signal?: AbortSignal; onDelta?: () => void } = {},
  ) => {
    const { url } = await server((response) => {
      sendEvents(response, BEGINNING[provider]);
      after(response);
    });
    const guards = { firstPartMs: 5_000, silenceMs: 100 };
    return ask(provider, url, { prompt: userSays("hello"), guards, ...rest });
  };

  it("keeps what came before the end of the stream", async () => {
    expect(await askFor((response) => response.end())).toMatchObject({
      type: "failed",
      parts: half,
      failure: { kind: "timeout", retryable: true },
    });
  });

  it("keeps what came before a piece that cannot be read", async () => {
    const outcome = await askFor((response) => {
      sendEvents(response, ['{"type": "oops']);
    });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: half,
      failure: { kind: "timeout", retryable: true },
    });
  });

  it("gives up on silence", async () => {
    expect(await askFor(() => undefined)).toMatchObject({
      type: "failed",
      parts: half,
      failure: { kind: "stalled", retryable: true },
    });
  });

  it("hangs up when it is aborted", async () => {
    const abort = new AbortController();
    const hungUp = Promise.withResolvers<void>();
    const outcome = await askFor((response) => response.on("close", hungUp.resolve), {
      signal: abort.signal,
      onDelta: () => abort.abort(),
    });
    expect(outcome).toEqual({ type: "aborted", parts: [expect.objectContaining(half[0] ?? {})] });
    await hungUp.promise;
  });
});

describe("what goes back to a provider", () => {
  it("keeps nothing at OpenAI, and sends its encrypted reasoning along again", async () => {
    const mock = new LLMock({ port: 0, host: "127.0.0.1" });
    await mock.start();
    onTestFinished(() => mock.stop());
    mock.onMessage("why", { content: "Because.", reasoning: "Let me think" });
    const { parts } = await ask("openai", mock.url, { prompt: userSays("why") });
    const [thought] = parts;
    const providerOptions = thought?.type === "reasoning" ? thought.providerMetadata : undefined;
    expect(providerOptions).toMatchObject({
      openai: { reasoningEncryptedContent: expect.any(String) as unknown },
    });

    const next = await server((response) => response.writeHead(500).end());
    await ask("openai", next.url, {
      prompt: [
        ...userSays("why"),
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

  it("marks what Anthropic may cache, and sends the reasoning's signature", async () => {
    const next = await server((response) => response.writeHead(500).end());
    await ask("anthropic", next.url, {
      prompt: [
        ...userSays("why"),
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

  it("asks a compatible server to count", async () => {
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
    const outcome = await ask("openai-compatible", next.url, { prompt: userSays("hello") });
    expect(next.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
    expect(outcome).toMatchObject({ usage: { input_tokens: 11, output_tokens: 2 } });
  });
});
