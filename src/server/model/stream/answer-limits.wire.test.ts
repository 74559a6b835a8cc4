import { describe, expect, it, onTestFinished } from "vitest";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { callModel } from "@/server/model/call-model";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import type { StepOutcome } from "@/server/model/model-step";

const MEGABYTE = 1024 * 1024;
const ANSWER_BYTES = 100 * MEGABYTE;
const PIECE = "x".repeat(64 * 1024);
/** What the sockets between the two sides may hold, beyond what the client has read. */
const MAX_IN_FLIGHT_BYTES = 16 * MEGABYTE;

/** Starts a provider that answers with 100 MB of one kind, and counts what it could send. */
const startHostileProvider = async (createDelta: (piece: string, isFirst: boolean) => object) => {
  let sent = 0;
  const started = await startStubServer((response) => {
    const sendMore = (): void => {
      while (sent < ANSWER_BYTES && !response.destroyed) {
        const delta = createDelta(PIECE, sent === 0);
        sendEvents(response, [{ id: "1", choices: [{ index: 0, delta }] }]);
        sent += PIECE.length;
        if (response.writableNeedDrain) {
          response.once("drain", sendMore);
          return;
        }
      }
      if (response.destroyed) return;
      sendEvents(response, [
        { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        "[DONE]",
      ]);
      response.end();
    };
    sendMore();
  });
  onTestFinished(started.close);
  return { url: started.url, sent: () => sent };
};

const ask = async (url: string): Promise<{ outcome: StepOutcome; appended: number }> => {
  const registry = createModelRegistry({
    "openai-compatible": { baseUrl: `${url}/v1` },
  });
  const row = { provider: "openai-compatible", model: "local" } as const;
  let appended = 0;
  const outcome = await callModel(
    registry.toChatModel({ ...row, contextLimit: null, prices: null }),
    { prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], tools: [] },
    {
      sink: {
        start: () => undefined,
        append: (_index, delta) => (appended += delta.length),
        end: () => undefined,
      },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );
  return { outcome, appended };
};

describe("an answer of 100 MB", () => {
  it.each([
    ["text", 4, (piece: string) => ({ content: piece })],
    ["reasoning", 4, (piece: string) => ({ reasoning_content: piece })],
    [
      "arguments",
      1,
      (piece: string, isFirst: boolean) => ({
        tool_calls: [
          isFirst
            ? { index: 0, id: "call_1", function: { name: "write", arguments: piece } }
            : { index: 0, function: { arguments: piece } },
        ],
      }),
    ],
  ])(
    "of %s is ended after %i MB, which are kept",
    async (kind, megabytes, createDelta: (piece: string, isFirst: boolean) => object) => {
      const provider = await startHostileProvider(createDelta);
      const { outcome, appended } = await ask(provider.url);
      expect(outcome).toMatchObject({
        type: "failed",
        failure: {
          kind: "generic",
          retryable: false,
          message: expect.stringContaining(kind) as unknown,
        },
      });
      const [part] = outcome.parts;
      const kept =
        part?.type === "tool_call" ? part.input : part?.type === "source" ? "" : part?.text;
      expect(kept).toHaveLength(megabytes * MEGABYTE);
      expect(appended).toBe(megabytes * MEGABYTE);
      expect(provider.sent()).toBeLessThan(megabytes * MEGABYTE + MAX_IN_FLIGHT_BYTES);
    },
  );
});

/** Starts a provider that answers with up to 100 MB of text that never ends an event, and counts what it could send. */
const startEndlessProvider = async (status: number, beginning: string) => {
  let sent = 0;
  const started = await startStubServer((response) => {
    response.writeHead(status, { "content-type": "application/json" }).write(beginning);
    const sendMore = (): void => {
      while (sent < ANSWER_BYTES && !response.destroyed) {
        sent += PIECE.length;
        if (!response.write(PIECE)) {
          response.once("drain", sendMore);
          return;
        }
      }
      response.end();
    };
    sendMore();
  });
  onTestFinished(started.close);
  return { url: started.url, sent: () => sent };
};

describe("100 MB from a provider", () => {
  it("that are the text of an error are cut after 1 MB", async () => {
    const provider = await startEndlessProvider(400, '{"error":{"message":"');
    const { outcome } = await ask(provider.url);
    expect(outcome).toMatchObject({
      type: "failed",
      failure: { kind: "config", status_code: 400, retryable: false },
    });
    expect(provider.sent()).toBeLessThan(MEGABYTE + MAX_IN_FLIGHT_BYTES);
  });

  it.each([
    ["one event", "data: "],
    ["one comment", ": "],
  ])("that are %s end the answer after 32 MB", async (_what, beginning) => {
    const provider = await startEndlessProvider(200, beginning);
    const { outcome } = await ask(provider.url);
    expect(outcome).toMatchObject({
      type: "failed",
      failure: {
        kind: "generic",
        retryable: false,
        message: expect.stringContaining("32 MB") as unknown,
      },
    });
    expect(provider.sent()).toBeLessThan(32 * MEGABYTE + MAX_IN_FLIGHT_BYTES);
  });
});
