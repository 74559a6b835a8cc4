import { describe, expect, it, vi } from "vitest";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import {
  callsTool,
  finishes,
  hangs,
  saysText,
  scriptedModel,
  thinks,
  type ScriptedStep,
} from "@/test/scripted-model";
import { callModel } from "./call-model";
import type { ChatModel, StepGuards, StepPart, StepRequest } from "./model-step";

const AT = new Date("2026-01-02T03:04:05Z");
const request: StepRequest = {
  prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  tools: [],
};

const chatModel = (client: LanguageModelV4, rest: Partial<ChatModel> = {}): ChatModel => ({
  provider: "openai",
  model: "gpt-test",
  label: "openai/gpt-test",
  contextLimit: null,
  prices: null,
  client,
  ...rest,
});

const recordingSink = () => {
  const heard: string[] = [];
  return {
    heard,
    sink: {
      start: (index: number, part: StepPart) => void heard.push(`start ${index} ${part.type}`),
      append: (index: number, delta: string) => void heard.push(`append ${index} ${delta}`),
      end: (index: number) => void heard.push(`end ${index}`),
    },
  };
};

const call = async (
  step: ScriptedStep,
  rest: { guards?: StepGuards; signal?: AbortSignal; request?: Partial<StepRequest> } = {},
) => {
  const model = scriptedModel([step]);
  const { heard, sink } = recordingSink();
  const outcome = await callModel(
    chatModel(model),
    { ...request, ...rest.request },
    {
      sink,
      signal: rest.signal ?? new AbortController().signal,
      now: () => AT,
      ...(rest.guards && { guards: rest.guards }),
    },
  );
  return { outcome, heard, model };
};

describe("callModel, an answer that finishes", () => {
  it("gives the text, the usage, the reason and the response's id", async () => {
    const { outcome, heard } = await call([
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "resp_1" },
      ...saysText("Hello there"),
      finishes("stop", { input: 12, output: 2 }),
    ]);
    expect(outcome).toEqual({
      type: "finished",
      parts: [{ type: "text", text: "Hello there" }],
      finishReason: "stop",
      usage: { input_tokens: 12, output_tokens: 2 },
      responseId: "resp_1",
    });
    expect(heard).toEqual(["start 0 text", "append 0 Hello", "append 0  there", "end 0"]);
  });

  it("orders parts by their starts although text ends after the calls begin", async () => {
    const { outcome, heard } = await call([
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Looking" },
      { type: "tool-input-start", id: "a", toolName: "search" },
      { type: "tool-input-start", id: "b", toolName: "weather" },
      { type: "tool-input-delta", id: "b", delta: "{}" },
      { type: "tool-input-delta", id: "a", delta: '{"q":1}' },
      { type: "text-end", id: "t" },
      { type: "tool-input-end", id: "a" },
      { type: "tool-call", toolCallId: "a", toolName: "search", input: '{"q":1}' },
      { type: "tool-input-end", id: "b" },
      { type: "tool-call", toolCallId: "b", toolName: "weather", input: "{}" },
      finishes("tool-calls"),
    ]);
    expect(outcome.parts).toMatchObject([
      { type: "text", text: "Looking" },
      { type: "tool_call", toolCallId: "a", toolName: "search", input: '{"q":1}' },
      { type: "tool_call", toolCallId: "b", toolName: "weather", input: "{}" },
    ]);
    expect(heard.filter((line) => line.startsWith("end"))).toEqual(["end 0", "end 1", "end 2"]);
  });

  it("takes a call that was never announced, and shows its arguments", async () => {
    const { outcome, heard } = await call([
      { type: "tool-call", toolCallId: "a", toolName: "search", input: '{"q":1}' },
      finishes("tool-calls"),
    ]);
    expect(outcome.parts).toEqual([
      {
        type: "tool_call",
        toolCallId: "a",
        toolName: "search",
        input: '{"q":1}',
        providerExecuted: false,
        startedAt: AT,
      },
    ]);
    expect(heard).toEqual(["start 0 tool_call", 'append 0 {"q":1}', "end 0"]);
  });

  it("believes the call's own arguments over the streamed ones", async () => {
    const { outcome } = await call([
      { type: "tool-input-start", id: "a", toolName: "patch", inputEncoding: "text" },
      { type: "tool-input-delta", id: "a", delta: "raw text" },
      { type: "tool-input-end", id: "a" },
      { type: "tool-call", toolCallId: "a", toolName: "patch", input: '"raw text"' },
      finishes("tool-calls"),
    ]);
    expect(outcome.parts).toMatchObject([{ input: '"raw text"' }]);
  });

  it("gives calls with a repeated or missing id ids of their own", async () => {
    const { outcome } = await call([
      ...callsTool("same", "first", {}),
      { type: "tool-call", toolCallId: "same", toolName: "second", input: "{}" },
      { type: "tool-call", toolCallId: "", toolName: "third", input: "{}" },
      { type: "tool-call", toolCallId: "", toolName: "fourth", input: "{}" },
      finishes("tool-calls"),
    ]);
    const ids = outcome.parts.map((part) => (part.type === "tool_call" ? part.toolCallId : ""));
    expect(ids[0]).toBe("same");
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain("");
  });

  it("keeps what the provider ran itself, with its result", async () => {
    const { outcome } = await call([
      { type: "tool-input-start", id: "w", toolName: "web_search", providerExecuted: true },
      { type: "tool-input-end", id: "w" },
      {
        type: "tool-call",
        toolCallId: "w",
        toolName: "web_search",
        input: '{"q":"x"}',
        providerExecuted: true,
      },
      {
        type: "tool-result",
        toolCallId: "w",
        toolName: "web_search",
        result: ["a"],
        isError: true,
      },
      { type: "tool-result", toolCallId: "of another step", toolName: "web_search", result: 1 },
      { type: "source", sourceType: "url", id: "s", url: "https://example.com", title: "Example" },
      { type: "source", sourceType: "document", id: "d", mediaType: "text/plain", title: "Doc" },
      finishes(),
    ]);
    expect(outcome.parts).toMatchObject([
      { type: "tool_call", providerExecuted: true, output: ["a"], isError: true },
      { type: "source", url: "https://example.com", title: "Example" },
    ]);
    expect(outcome.parts).toHaveLength(2);
  });

  it("joins a part's metadata from its start, its deltas and its end", async () => {
    const { outcome, heard } = await call([
      { type: "reasoning-start", id: "0", providerMetadata: { openai: { itemId: "rs_1" } } },
      { type: "reasoning-delta", id: "0", delta: "Hm" },
      {
        type: "reasoning-delta",
        id: "0",
        delta: "",
        providerMetadata: { anthropic: { signature: "sig" } },
      },
      { type: "reasoning-end", id: "0", providerMetadata: { openai: { encrypted: "enc" } } },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Yes" },
      { type: "text-end", id: "0" },
      finishes(),
    ]);
    expect(outcome.parts).toEqual([
      {
        type: "reasoning",
        text: "Hm",
        startedAt: AT,
        completedAt: AT,
        providerMetadata: {
          openai: { itemId: "rs_1", encrypted: "enc" },
          anthropic: { signature: "sig" },
        },
      },
      { type: "text", text: "Yes" },
    ]);
    expect(heard).not.toContain("append 0 ");
  });

  it("lets an id be used again after its part has ended", async () => {
    const { outcome } = await call([
      ...thinks("one", "r"),
      ...saysText("two", "t"),
      ...thinks("three", "r"),
      ...saysText("four", "t"),
      finishes(),
    ]);
    const texts = outcome.parts.map((part) => ("text" in part ? part.text : ""));
    expect(texts).toEqual(["one", "two", "three", "four"]);
  });

  it("forgives a provider that never starts or ends a part", async () => {
    const { outcome, heard } = await call([
      { type: "text-delta", id: "t", delta: "Hello" },
      { type: "text-end", id: "unknown" },
      finishes(),
    ]);
    expect(outcome).toMatchObject({ type: "finished", parts: [{ type: "text", text: "Hello" }] });
    expect(heard).toEqual(["start 0 text", "append 0 Hello", "end 0"]);
  });

  it("counts all kinds of tokens", async () => {
    const { outcome } = await call([
      {
        type: "finish",
        finishReason: { unified: "length", raw: "max" },
        usage: {
          inputTokens: { total: 100, noCache: 20, cacheRead: 70, cacheWrite: 10 },
          outputTokens: { total: 50, text: 10, reasoning: 40 },
        },
      },
    ]);
    expect(outcome).toMatchObject({
      finishReason: "length",
      usage: {
        input_tokens: 100,
        output_tokens: 50,
        reasoning_tokens: 40,
        cache_read_tokens: 70,
        cache_write_tokens: 10,
      },
    });
  });

  it("takes the last of several responses in one stream", async () => {
    const { outcome } = await call([
      { type: "response-metadata", id: "one" },
      ...saysText("First", "1"),
      finishes("other"),
      { type: "response-metadata", id: "two" },
      ...saysText("Second", "2"),
      finishes("stop"),
    ]);
    expect(outcome).toMatchObject({ type: "finished", finishReason: "stop", responseId: "two" });
    expect(outcome.parts).toHaveLength(2);
  });

  it("does not wait for a stream that stays open after its finish", async () => {
    const { outcome, model } = await call([...saysText("Done"), finishes(), hangs()]);
    expect(outcome.type).toBe("finished");
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true);
  });
});

describe("callModel, what it asks", () => {
  it("sends no tools at all when there are none", async () => {
    const { model } = await call([finishes()]);
    expect(model.requests[0]).not.toHaveProperty("tools");
    expect(model.requests[0]).not.toHaveProperty("toolChoice");
    expect(model.requests[0]?.includeRawChunks).toBe(false);
  });

  it("joins the model's options with the request's, which win", async () => {
    const client = scriptedModel([[finishes()]]);
    const model = chatModel(client, {
      providerOptions: { openai: { store: false, user: "a" }, other: { x: 1 } },
    });
    const tool = { type: "function" as const, name: "search", inputSchema: {} };
    await callModel(
      model,
      {
        ...request,
        tools: [tool],
        maxOutputTokens: 7,
        providerOptions: { openai: { user: "b" } },
      },
      { ...recordingSink(), signal: new AbortController().signal, now: () => AT },
    );
    expect(client.requests[0]).toMatchObject({
      tools: [tool],
      toolChoice: { type: "auto" },
      maxOutputTokens: 7,
      providerOptions: { openai: { store: false, user: "b" }, other: { x: 1 } },
    });
  });
});

describe("callModel, an answer that fails", () => {
  it("keeps the parts of a stream that was cut, and calls it a timeout to try again", async () => {
    const { outcome, heard } = await call(saysText("Half an").slice(0, -1));
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [{ type: "text", text: "Half an" }],
      failure: {
        kind: "timeout",
        retryable: true,
        provider: "openai",
        message: "OpenAI is not finishing its answer: the connection ended early.",
      },
    });
    expect(heard).not.toContain("end 0");
  });

  it.each([
    ["interrupted", "timeout", true],
    ["error", "generic", true],
    ["content-filter", "content_filter", false],
  ] as const)("takes an empty answer finished by %s as %s", async (reason, kind, retryable) => {
    const { outcome } = await call([finishes(reason)]);
    expect(outcome).toMatchObject({ type: "failed", failure: { kind, retryable } });
  });

  it("keeps an answer that the content filter cut short", async () => {
    const { outcome } = await call([...saysText("So far"), finishes("content-filter")]);
    expect(outcome).toMatchObject({ type: "finished", finishReason: "content-filter" });
  });

  it("knows a prompt that Google refused", async () => {
    const finish = finishes("interrupted");
    const { outcome } = await call([
      { ...finish, providerMetadata: { google: { promptFeedback: { blockReason: "SAFETY" } } } },
    ] as LanguageModelV4StreamPart[]);
    expect(outcome).toMatchObject({ failure: { kind: "content_filter", retryable: false } });
  });

  it("classifies an error part at once and lets go of the stream", async () => {
    const { outcome, model } = await call([
      ...saysText("Half"),
      { type: "error", error: { message: "Overloaded", type: "overloaded_error" } },
      hangs(),
    ]);
    expect(outcome).toMatchObject({ type: "failed", failure: { kind: "overloaded" } });
    expect(outcome.parts).toHaveLength(1);
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true);
  });

  it("turns a request that throws into a failure", async () => {
    const { outcome } = await call({ throws: new TypeError("fetch failed") });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [],
      failure: { kind: "generic", retryable: true, message: "OpenAI is not reachable." },
    });
  });

  it("turns a client that throws before it promises into a failure", async () => {
    const client: LanguageModelV4 = {
      ...scriptedModel([]),
      doStream: () => {
        throw new Error("at once");
      },
    };
    const seams = { ...recordingSink(), signal: new AbortController().signal, now: () => AT };
    const outcome = await callModel(chatModel(client), request, seams);
    expect(outcome).toMatchObject({ type: "failed", failure: { detail: "at once" } });
  });
});

describe("callModel, a provider that says nothing", () => {
  const guards = { firstPartMs: 20, silenceMs: 60 };

  it.each<[string, ScriptedStep]>([
    ["no stream", () => [hangs()]],
    ["only the library's own first part", [{ type: "stream-start", warnings: [] }, hangs()]],
  ])("gives up on %s after the first guard", async (_name, step) => {
    const { outcome, model } = await call(step, { guards });
    expect(outcome).toMatchObject({
      type: "failed",
      failure: {
        kind: "timeout",
        retryable: true,
        message: "OpenAI is taking too long to answer.",
      },
    });
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true);
  });

  it("gives up on an answer that stops on the way", async () => {
    const { outcome } = await call([...saysText("Half"), hangs()], { guards });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [{ type: "text", text: "Half" }],
      failure: { kind: "stalled", retryable: true },
    });
  });

  it("counts any sign of life", async () => {
    const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 25));
    const pings = Array.from({ length: 5 }, () => [{ type: "ping" as const }, later()]).flat();
    const { outcome } = await call(() => [...pings, ...saysText("At last"), finishes()], {
      guards,
    });
    expect(outcome.type).toBe("finished");
  });
});

describe("callModel, an abort", () => {
  it("does not even ask when it is aborted already", async () => {
    const { outcome, model } = await call([finishes()], { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ type: "aborted", parts: [] });
    expect(model.requests).toHaveLength(0);
  });

  it("ends at once with what arrived, although the provider hears nothing of it", async () => {
    const abort = new AbortController();
    const deaf: LanguageModelV4 = {
      ...scriptedModel([]),
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            start: (controller) => {
              for (const part of saysText("So far").slice(0, -1)) controller.enqueue(part);
            },
          }),
        }),
    };
    const { heard, sink } = recordingSink();
    const outcome = callModel(chatModel(deaf), request, {
      sink,
      signal: abort.signal,
      now: () => AT,
    });
    await vi.waitFor(() => expect(heard).toContain("append 0  far"));
    abort.abort();
    expect(await outcome).toEqual({ type: "aborted", parts: [{ type: "text", text: "So far" }] });
  });

  it("ends at once while the request is still on its way", async () => {
    const abort = new AbortController();
    const client: LanguageModelV4 = { ...scriptedModel([]), doStream: () => hangs() };
    const outcome = callModel(chatModel(client), request, {
      ...recordingSink(),
      signal: abort.signal,
      now: () => AT,
    });
    abort.abort();
    expect(await outcome).toEqual({ type: "aborted", parts: [] });
  });

  it("hears nothing more of a stream that goes on", async () => {
    const abort = new AbortController();
    let controller: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined;
    const cancelled = vi.fn();
    const client: LanguageModelV4 = {
      ...scriptedModel([]),
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            start: (one) => {
              controller = one;
              one.enqueue({ type: "text-delta", id: "t", delta: "One" });
            },
            cancel: cancelled,
          }),
        }),
    };
    const { heard, sink } = recordingSink();
    const outcome = callModel(chatModel(client), request, {
      sink,
      signal: abort.signal,
      now: () => AT,
    });
    await vi.waitFor(() => expect(heard).toContain("append 0 One"));
    abort.abort();
    await outcome;
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalled());
    expect(() => controller?.enqueue(finishes())).toThrow();
    expect(heard).toEqual(["start 0 text", "append 0 One"]);
  });
});

describe("callModel, many parts at once", () => {
  it("lets timers fire while many streams hand over thousands of parts", async () => {
    const flood = (): LanguageModelV4 => ({
      ...scriptedModel([]),
      doStream: () => {
        let left = 20_000;
        return Promise.resolve({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            pull: (controller) => {
              if (left-- > 0) controller.enqueue({ type: "text-delta", id: "t", delta: "word " });
              else {
                controller.enqueue(finishes());
                controller.close();
              }
            },
          }),
        });
      },
    });
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    const started = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        callModel(chatModel(flood()), request, {
          sink: { start: () => undefined, append: () => undefined, end: () => undefined },
          signal: new AbortController().signal,
          now: () => AT,
        }),
      ),
    );
    const elapsed = performance.now() - started;
    clearInterval(count);
    expect(outcomes.every((outcome) => outcome.type === "finished")).toBe(true);
    expect(turns).toBeGreaterThan(elapsed / 40);
  });
});
