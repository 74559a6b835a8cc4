import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import {
  toolCallParts,
  finishPart,
  pendingForever,
  textParts,
  createScriptedModel,
  reasoningParts,
  type ScriptedStep,
} from "@/test/scripted-model";
import { callModel } from "./call-model";
import { activityListeners } from "./stream/activity";
import type { ChatModel, StepTimeouts, StepPart, StepRequest } from "./model-step";

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
  const events: string[] = [];
  return {
    events,
    sink: {
      start: (index: number, part: StepPart) => void events.push(`start ${index} ${part.type}`),
      append: (index: number, delta: string) => void events.push(`append ${index} ${delta}`),
      end: (index: number) => void events.push(`end ${index}`),
    },
  };
};

const call = async (
  step: ScriptedStep,
  rest: {
    timeouts?: Partial<StepTimeouts>;
    signal?: AbortSignal;
    request?: Partial<StepRequest>;
  } = {},
) => {
  const model = createScriptedModel([step]);
  const { events, sink } = recordingSink();
  const outcome = await callModel(
    chatModel(model),
    { ...request, ...rest.request },
    {
      sink,
      signal: rest.signal ?? new AbortController().signal,
      now: () => AT,
      ...(rest.timeouts && { timeouts: rest.timeouts }),
    },
  );
  return { outcome, events, model };
};

describe("callModel: answers that finish", () => {
  it("returns text, usage, finish reason and response id", async () => {
    const { outcome, events } = await call([
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: "resp_1" },
      ...textParts("Hello there"),
      finishPart("stop", { input: 12, output: 2 }),
    ]);
    expect(outcome).toEqual({
      type: "finished",
      parts: [{ type: "text", text: "Hello there" }],
      finishReason: "stop",
      usage: { input_tokens: 12, output_tokens: 2 },
      responseId: "resp_1",
    });
    expect(events).toEqual(["start 0 text", "append 0 Hello", "append 0  there", "end 0"]);
  });

  it("orders parts by start even if a text ends after later calls start", async () => {
    const { outcome, events } = await call([
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
      finishPart("tool-calls"),
    ]);
    expect(outcome.parts).toMatchObject([
      { type: "text", text: "Looking" },
      { type: "tool_call", toolCallId: "a", toolName: "search", input: '{"q":1}' },
      { type: "tool_call", toolCallId: "b", toolName: "weather", input: "{}" },
    ]);
    expect(events.filter((line) => line.startsWith("end"))).toEqual(["end 0", "end 1", "end 2"]);
  });

  it("accepts a tool call without input events and emits its arguments", async () => {
    const { outcome, events } = await call([
      { type: "tool-call", toolCallId: "a", toolName: "search", input: '{"q":1}' },
      finishPart("tool-calls"),
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
    expect(events).toEqual(["start 0 tool_call", 'append 0 {"q":1}', "end 0"]);
  });

  it("prefers the arguments of the tool call to the streamed ones", async () => {
    const { outcome } = await call([
      { type: "tool-input-start", id: "a", toolName: "patch", inputEncoding: "text" },
      { type: "tool-input-delta", id: "a", delta: "raw text" },
      { type: "tool-input-end", id: "a" },
      { type: "tool-call", toolCallId: "a", toolName: "patch", input: '"raw text"' },
      finishPart("tool-calls"),
    ]);
    expect(outcome.parts).toMatchObject([{ input: '"raw text"' }]);
  });

  it("assigns new ids to calls with a repeated or missing id", async () => {
    const { outcome } = await call([
      ...toolCallParts("same", "first", {}),
      { type: "tool-call", toolCallId: "same", toolName: "second", input: "{}" },
      { type: "tool-call", toolCallId: "", toolName: "third", input: "{}" },
      { type: "tool-call", toolCallId: "", toolName: "fourth", input: "{}" },
      finishPart("tool-calls"),
    ]);
    const ids = outcome.parts.map((part) => (part.type === "tool_call" ? part.toolCallId : ""));
    expect(ids[0]).toBe("same");
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain("");
  });

  it("stores provider-executed calls with their results", async () => {
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
      finishPart(),
    ]);
    expect(outcome.parts).toMatchObject([
      { type: "tool_call", providerExecuted: true, output: ["a"], isError: true },
      { type: "source", url: "https://example.com", title: "Example" },
    ]);
    expect(outcome.parts).toHaveLength(2);
  });

  it("merges a part's metadata from its start, deltas and end", async () => {
    const { outcome, events } = await call([
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
      finishPart(),
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
    expect(events).not.toContain("append 0 ");
  });

  it("allows an id to be reused after its part has ended", async () => {
    const { outcome } = await call([
      ...reasoningParts("one", "r"),
      ...textParts("two", "t"),
      ...reasoningParts("three", "r"),
      ...textParts("four", "t"),
      finishPart(),
    ]);
    const texts = outcome.parts.map((part) => ("text" in part ? part.text : ""));
    expect(texts).toEqual(["one", "two", "three", "four"]);
  });

  it("tolerates missing start and end events", async () => {
    const { outcome, events } = await call([
      { type: "text-delta", id: "t", delta: "Hello" },
      { type: "text-end", id: "unknown" },
      finishPart(),
    ]);
    expect(outcome).toMatchObject({ type: "finished", parts: [{ type: "text", text: "Hello" }] });
    expect(events).toEqual(["start 0 text", "append 0 Hello", "end 0"]);
  });

  it("reports all token counts", async () => {
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

  it("uses the last of several responses in one stream", async () => {
    const { outcome } = await call([
      { type: "response-metadata", id: "one" },
      ...textParts("First", "1"),
      finishPart("other"),
      { type: "response-metadata", id: "two" },
      ...textParts("Second", "2"),
      finishPart("stop"),
    ]);
    expect(outcome).toMatchObject({ type: "finished", finishReason: "stop", responseId: "two" });
    expect(outcome.parts).toHaveLength(2);
  });

  it("leaves out a response id that is too long to be one", async () => {
    const { outcome } = await call([
      { type: "response-metadata", id: "x".repeat(1_000_000) },
      ...textParts("Done"),
      finishPart(),
    ]);
    expect(outcome).toMatchObject({ type: "finished", responseId: null });
  });

  it("does not wait for a stream that stays open after `finish`", async () => {
    const { outcome, model } = await call([...textParts("Done"), finishPart(), pendingForever()]);
    expect(outcome.type).toBe("finished");
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true);
  });
});

describe("callModel: requests", () => {
  it("omits tools when there are none", async () => {
    const { model } = await call([finishPart()]);
    expect(model.requests[0]).not.toHaveProperty("tools");
    expect(model.requests[0]).not.toHaveProperty("toolChoice");
    expect(model.requests[0]?.includeRawChunks).toBe(false);
  });

  it("merges provider options; those of the request override those of the model", async () => {
    const client = createScriptedModel([[finishPart()]]);
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

describe("callModel: answers that fail", () => {
  it("keeps the parts of a truncated stream and reports a retryable timeout", async () => {
    const { outcome, events } = await call(textParts("Half an").slice(0, -1));
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
    expect(events).not.toContain("end 0");
  });

  it.each([
    ["interrupted", "timeout", true],
    ["error", "generic", true],
    ["content-filter", "content_filter", false],
  ] as const)(
    "classifies an empty answer with finish reason %s as %s",
    async (reason, kind, retryable) => {
      const { outcome } = await call([finishPart(reason)]);
      expect(outcome).toMatchObject({ type: "failed", failure: { kind, retryable } });
    },
  );

  it("accepts a partial answer that the content filter ended", async () => {
    const { outcome } = await call([...textParts("So far"), finishPart("content-filter")]);
    expect(outcome).toMatchObject({ type: "finished", finishReason: "content-filter" });
  });

  it("classifies a prompt that Google blocked", async () => {
    const finish = finishPart("interrupted");
    const { outcome } = await call([
      { ...finish, providerMetadata: { google: { promptFeedback: { blockReason: "SAFETY" } } } },
    ] as LanguageModelV4StreamPart[]);
    expect(outcome).toMatchObject({ failure: { kind: "content_filter", retryable: false } });
  });

  it("classifies an error part immediately and aborts the stream", async () => {
    const { outcome, model } = await call([
      ...textParts("Half"),
      { type: "error", error: { message: "Overloaded", type: "overloaded_error" } },
      pendingForever(),
    ]);
    expect(outcome).toMatchObject({ type: "failed", failure: { kind: "overloaded" } });
    expect(outcome.parts).toHaveLength(1);
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true);
  });

  it("converts a rejected request to a failure", async () => {
    const { outcome } = await call({ throws: new TypeError("fetch failed") });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [],
      failure: { kind: "generic", retryable: true, message: "OpenAI is not reachable." },
    });
  });

  it("converts a synchronous throw of the client to a failure", async () => {
    const client: LanguageModelV4 = {
      ...createScriptedModel([]),
      doStream: () => {
        throw new Error("at once");
      },
    };
    const deps = { ...recordingSink(), signal: new AbortController().signal, now: () => AT };
    const outcome = await callModel(chatModel(client), request, deps);
    expect(outcome).toMatchObject({ type: "failed", failure: { detail: "at once" } });
  });
});

describe("callModel: timeouts", () => {
  const timeouts = { firstPartMs: 20, idleMs: 60 };

  it.each<[string, ScriptedStep]>([
    ["no stream", () => [pendingForever()]],
    [
      "only the SDK's own stream-start part",
      [{ type: "stream-start", warnings: [] }, pendingForever()],
    ],
  ])("times out on %s after `firstPartMs`", async (_name, step) => {
    const { outcome, model } = await call(step, { timeouts });
    expect(outcome).toMatchObject({
      type: "failed",
      failure: {
        kind: "timeout",
        retryable: false,
        message: "OpenAI is taking too long to answer.",
      },
    });
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true);
  });

  it("times out on an answer that stalls", async () => {
    const { outcome } = await call([...textParts("Half"), pendingForever()], { timeouts });
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [{ type: "text", text: "Half" }],
      failure: { kind: "stalled", retryable: false },
    });
  });

  it("waits while anything arrives, though it is no part", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const pauseMs = timeouts.firstPartMs - 1;
    const client = createScriptedModel([[...textParts("At last"), finishPart()]]);
    const answered = callModel(
      chatModel({
        ...client,
        doStream: async (options) => {
          for (let count = 0; count < 5; count++) {
            await new Promise((resolve) => setTimeout(resolve, pauseMs));
            if (options.abortSignal) activityListeners.get(options.abortSignal)?.();
          }
          return client.doStream(options);
        },
      }),
      request,
      { sink: recordingSink().sink, signal: new AbortController().signal, now: () => AT, timeouts },
    );
    await vi.advanceTimersByTimeAsync(5 * pauseMs);
    expect((await answered).type).toBe("finished");
  });

  it("resets the timeout on any part, pings included", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const pauseMs = timeouts.idleMs - 1;
    const pings = [1, 2, 3, 4, 5].flatMap((n) => [
      { type: "ping" as const },
      new Promise((resolve) => setTimeout(resolve, n * pauseMs)),
    ]);
    const answered = call([...pings, ...textParts("At last"), finishPart()], { timeouts });
    await vi.advanceTimersByTimeAsync(5 * pauseMs);
    expect((await answered).outcome.type).toBe("finished");
  });
});

describe("callModel: a deadline", () => {
  it("ends an answer that never pauses long enough to be idle", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const drops = Array.from({ length: 200 }, (_, second) => [
      { type: "text-delta" as const, id: "t", delta: "." },
      new Promise((resolve) => setTimeout(resolve, (second + 1) * 60_000)),
    ]);
    const dripping = call(drops.flat());
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    const { outcome, model } = await dripping;
    expect(outcome).toMatchObject({
      type: "failed",
      parts: [{ type: "text", text: expect.stringMatching(/^\.{30,31}$/) as string }],
      failure: {
        kind: "timeout",
        retryable: false,
        message: "OpenAI is taking too long to finish its answer: it was ended here.",
      },
    });
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true);
  });
});

describe("callModel: answers that cannot be used", () => {
  const mustAnswer = { request: { mustAnswer: true } };
  const empty = { message: "OpenAI is sending an empty answer.", retryable: true };

  it.each<[string, ScriptedStep]>([
    ["nothing", [finishPart("stop", { input: 7, output: 0 })]],
    ["blank text", [...textParts(" "), finishPart("stop", { input: 7, output: 0 })]],
    ["reasoning", [...reasoningParts("hm"), finishPart("stop", { input: 7, output: 0 })]],
  ])("are those with %s alone, where an answer is due", async (_name, step) => {
    expect((await call(step, mustAnswer)).outcome).toMatchObject({
      type: "failed",
      failure: { ...empty, isUnusable: true },
      usage: { input_tokens: 7, output_tokens: 0 },
    });
    expect((await call(step)).outcome.type).toBe("finished");
  });

  it("are those that call a tool without a name", async () => {
    const { outcome } = await call([...toolCallParts("a", "", {}), finishPart("tool-calls")]);
    expect(outcome).toMatchObject({
      type: "failed",
      failure: { message: "OpenAI is calling a tool without a name.", isUnusable: true },
    });
  });

  it("are not those with a call alone", async () => {
    const step = [...toolCallParts("a", "search", {}), finishPart("tool-calls")];
    expect((await call(step, mustAnswer)).outcome.type).toBe("finished");
  });
});

describe("callModel: abort", () => {
  it("sends no request when the signal is already aborted", async () => {
    const { outcome, model } = await call([finishPart()], { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ type: "aborted", parts: [] });
    expect(model.requests).toHaveLength(0);
  });

  it("settles immediately with the received parts although the provider ignores the abort", async () => {
    const abort = new AbortController();
    const unresponsive: LanguageModelV4 = {
      ...createScriptedModel([]),
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            start: (controller) => {
              for (const part of textParts("So far").slice(0, -1)) controller.enqueue(part);
            },
          }),
        }),
    };
    const { events, sink } = recordingSink();
    const outcome = callModel(chatModel(unresponsive), request, {
      sink,
      signal: abort.signal,
      now: () => AT,
    });
    await expect.poll(() => events).toContain("append 0  far");
    abort.abort();
    expect(await outcome).toEqual({ type: "aborted", parts: [{ type: "text", text: "So far" }] });
  });

  it("settles immediately while the request is pending", async () => {
    const abort = new AbortController();
    const client: LanguageModelV4 = {
      ...createScriptedModel([]),
      doStream: () => pendingForever(),
    };
    const outcome = callModel(chatModel(client), request, {
      ...recordingSink(),
      signal: abort.signal,
      now: () => AT,
    });
    abort.abort();
    expect(await outcome).toEqual({ type: "aborted", parts: [] });
  });

  it("ignores parts that arrive after the abort", async () => {
    const abort = new AbortController();
    let controller: ReadableStreamDefaultController<LanguageModelV4StreamPart> | undefined;
    const cancelled = vi.fn();
    const client: LanguageModelV4 = {
      ...createScriptedModel([]),
      doStream: () =>
        Promise.resolve({
          stream: new ReadableStream<LanguageModelV4StreamPart>({
            start: (streamController) => {
              controller = streamController;
              streamController.enqueue({ type: "text-delta", id: "t", delta: "One" });
            },
            cancel: cancelled,
          }),
        }),
    };
    const { events, sink } = recordingSink();
    const outcome = callModel(chatModel(client), request, {
      sink,
      signal: abort.signal,
      now: () => AT,
    });
    await expect.poll(() => events).toContain("append 0 One");
    abort.abort();
    await outcome;
    await expect.poll(() => cancelled).toHaveBeenCalled();
    expect(() => controller?.enqueue(finishPart())).toThrow();
    expect(events).toEqual(["start 0 text", "append 0 One"]);
  });
});
