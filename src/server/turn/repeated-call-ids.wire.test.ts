import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createModelRegistry } from "@/server/model/catalog/model-registry";
import { testDatabase } from "@/test/database";
import { sendEvents, startStubServer } from "@/test/stub-server";
import { createTurnFixture } from "@/test/turn-fixture";
import { getLocalCalls } from "./decide-next";

beforeAll(() => testDatabase());

const USAGE = { input_tokens: 3, output_tokens: 1 };

const answerWith = (block: object, delta: object | undefined, stopReason: string): unknown[] => [
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
      usage: USAGE,
    },
  },
  { type: "content_block_start", index: 0, content_block: block },
  ...(delta ? [{ type: "content_block_delta", index: 0, delta }] : []),
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 4 },
  },
  { type: "message_stop" },
];

const CALL = answerWith(
  { type: "tool_use", id: "call_0", name: "current_time", input: {} },
  { type: "input_json_delta", partial_json: "{}" },
  "tool_use",
);
const TEXT = answerWith(
  { type: "text", text: "" },
  { type: "text_delta", text: "It is late." },
  "end_turn",
);

/** The ids of the calls, and of the results, in a request. */
const findIds = (body: unknown) => {
  const { messages } = body as {
    messages: { content: { type: string; id: string; tool_use_id: string }[] }[];
  };
  const blocks = messages.flatMap(({ content }) => content);
  return {
    calls: blocks.flatMap(({ type, id }) => (type === "tool_use" ? id : [])),
    results: blocks.flatMap(({ type, tool_use_id }) => (type === "tool_result" ? tool_use_id : [])),
  };
};

it("a model that calls with the id call_0 in each step gets unique ids at Anthropic", async () => {
  // Like Anthropic, the server refuses a prompt in which an id repeats.
  const server = await startStubServer((response, { body }) => {
    const { calls } = findIds(body);
    if (new Set(calls).size < calls.length) {
      response.writeHead(400, { "content-type": "application/json" });
      const message = "messages: `tool_use` ids must be unique";
      response.end(
        JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }),
      );
      return;
    }
    sendEvents(response, calls.length < 3 ? CALL : TEXT);
    response.end();
  });
  onTestFinished(server.close);
  const access = { apiKey: "test-key-of-mine", baseUrl: `${server.url}/v1` };
  const registry = createModelRegistry({ anthropic: access });
  const model = registry.toChatModel({
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    contextLimit: null,
    prices: null,
  });
  const turn = await createTurnFixture({ steps: [] });
  await turn.run({ resolveModel: () => Promise.resolve(model) });

  expect(await turn.chat()).toMatchObject({ status: "waiting", turnSteps: 4, lastError: null });
  const ids = (await turn.history()).flatMap(getLocalCalls).map(({ toolCallId }) => toolCallId);
  expect(ids[0]).toBe("call_0");
  expect(new Set(ids).size).toBe(3);
  const last = findIds(server.requests.at(-1)?.body);
  expect(last).toEqual({ calls: ids, results: ids });
  const started = turn.ops.flatMap((op) => (op.op === "tool-call-start" ? op.tool_call_id : []));
  expect(started).toEqual(ids);
});
