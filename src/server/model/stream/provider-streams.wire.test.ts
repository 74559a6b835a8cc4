import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import shapes from "@/test/fixtures/provider-shapes.json";
import streams from "@/test/fixtures/provider-streams.json";
import { startStubServer } from "@/test/stub-server";
import { createWireModel, WIRE_PROVIDERS, type WireProvider } from "@/test/wire-model";
import { callModel } from "@/server/model/call-model";
import type { StepOutcome } from "@/server/model/model-step";
import { createProviderStream } from "./provider-stream";

type Stream = Pick<(typeof streams)[number], "wire" | "status" | "body"> & {
  headers: OutgoingHttpHeaders;
};

const CUTS = [Infinity, 1, 3, 61, 1_000];

const containing = (text: string): unknown => expect.stringContaining(text);

const BREAD = [{ type: "text", text: "Bread rises" }];
const finished = (parts: unknown[], rest: object = {}) => ({ type: "finished", parts, ...rest });
const failed = (failure: object, parts: unknown[] = []) => ({ type: "failed", parts, failure });
const toTide = (rest: object = {}) => ({
  type: "tool_call",
  toolName: "get_tide",
  input: '{"port":"Brest"}',
  ...rest,
});

/** What a person gets of each stream. */
const EXPECTED: Record<string, object> = {
  "ping-event-without-choices": finished(BREAD, { usage: { input_tokens: 20, output_tokens: 6 } }),
  "named-ping-event": finished(BREAD),
  "number-as-chunk-id": finished(BREAD),
  "number-as-call-id": finished([toTide({ toolCallId: "41" })]),
  "done-without-finish-reason": finished(BREAD, { finishReason: "stop" }),
  "usage-then-done-without-finish-reason": finished(BREAD, { usage: { output_tokens: 6 } }),
  "finish-reason-error": failed({ retryable: true }, [{ type: "text", text: "Bre" }]),
  "finish-reason-error-with-object": failed({ retryable: true, detail: "upstream is gone" }, [
    { type: "text", text: "Bre" },
  ]),
  "function-name-in-pieces": finished([toTide()]),
  "empty-object-before-arguments": finished([toTide()]),
  "usage-as-text-after-event-line": finished(BREAD, {
    usage: { input_tokens: 20, output_tokens: 6 },
  }),
  "usage-as-text-after-comment": finished(BREAD, { usage: { input_tokens: 20, output_tokens: 6 } }),
  "usage-as-text-crlf": finished(BREAD, { usage: { input_tokens: 20, output_tokens: 6 } }),
  "reasoning-outside-completion-tokens": finished(BREAD, {
    usage: { input_tokens: 20, output_tokens: 304, reasoning_tokens: 300 },
  }),
  "think-tags": finished([{ type: "reasoning", text: "They ask about bread." }, ...BREAD]),
  "reasoning-details-come-back": finished([
    {
      type: "reasoning",
      text: "ports",
      providerMetadata: {
        "parley-returned": {
          reasoning_details: [
            {
              type: "reasoning.encrypted",
              data: "opaque-bytes",
              id: "rd_1",
              format: "google-gemini-v1",
              index: 0,
            },
          ],
        },
      },
    },
    toTide(),
  ]),
  "citations-of-a-search-model": finished([
    { type: "text", text: "Bread rises [1]" },
    { type: "source", url: "https://example.org/bread", title: "Bread" },
  ]),
  "json-error-with-status-200": failed({
    retryable: false,
    message: containing("answered with JSON instead of an event stream: Unexpected endpoint"),
  }),
  "whole-completion-for-a-streamed-request": finished(BREAD, {
    usage: { input_tokens: 20, output_tokens: 6 },
  }),
  "refusal-of-vllm": failed({ detail: "System message must be at the beginning." }),
  "refusal-of-ollama": failed({
    message: containing('Run "ollama pull"'),
    detail: "model 'qwen-test' not found, try pulling it first",
  }),
  "refusal-as-plain-text": failed({
    message: containing("does it lack /v1?"),
    detail: "404 page not found",
  }),
  "model-without-tools": failed({
    message: containing("call tools as XML, in Settings > Models"),
    detail: "registry.ollama.ai/library/gemma-test does not support tools",
  }),
  "anthropic-unknown-event": finished(BREAD),
  "anthropic-text-in-block-start": finished(BREAD),
};

const sendInPieces = async (response: ServerResponse, stream: Stream, size: number) => {
  response.writeHead(stream.status, stream.headers);
  const bytes = Buffer.from(stream.body);
  const length = Math.min(size, bytes.length);
  for (let start = 0; start < bytes.length; start += length) {
    response.write(bytes.subarray(start, start + length));
    await setImmediate();
  }
  response.end();
};

const replay = async (stream: Stream, size: number): Promise<StepOutcome> => {
  const server = await startStubServer((response) => {
    sendInPieces(response, stream, size).catch(() => response.destroy());
  });
  onTestFinished(server.close);
  const model = createWireModel(stream.wire as WireProvider, server.url);
  const outcome = await callModel(
    model,
    { prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], tools: [] },
    {
      sink: { start: () => undefined, append: () => undefined, end: () => undefined },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );
  expect(server.requests).toHaveLength(1);
  return outcome;
};

describe.each(streams.filter(({ id }) => id in EXPECTED))("the stream $id", (stream) => {
  it.each(CUTS)("in pieces of %d bytes", async (size) => {
    expect(await replay(stream, size)).toMatchObject(EXPECTED[stream.id] ?? {});
  });
});

// After the shapes of streams that the AI SDK's repository has recorded.
describe.each(shapes)("the shape $id", ({ want, ...stream }) => {
  it.each(CUTS)("in pieces of %d bytes", async (size) => {
    expect(await replay(stream, size)).toMatchObject(want);
  });
});

it.each(WIRE_PROVIDERS)("a comment of %s shows that the connection lives", async (provider) => {
  const server = await startStubServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": waiting\n\n");
  });
  onTestFinished(server.close);
  const { client } = createWireModel(provider, server.url);
  const active = Promise.withResolvers<void>();
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  const stream = createProviderStream(client, { prompt }, () => active.resolve());
  const read = stream.read(() => undefined).catch(() => undefined);
  await active.promise;
  stream.close();
  await read;
});
