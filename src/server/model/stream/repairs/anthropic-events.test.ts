import { describe, expect, it } from "vitest";
import { createAnthropicRepair } from "./anthropic-events";

const repair = (...events: unknown[]): unknown[] => {
  const { read, end } = createAnthropicRepair();
  const data = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  return [...data.flatMap(read), ...end()].map((text) => JSON.parse(text) as unknown);
};

const toStart = (content_block: unknown, index = 0) => ({
  type: "content_block_start",
  index,
  content_block,
});
const toDelta = (delta: unknown, index = 0) => ({ type: "content_block_delta", index, delta });
const TEXT = toDelta({ type: "text_delta", text: "a" });
const STOP = { type: "message_stop" };

describe("createAnthropicRepair", () => {
  it("passes on what is right as it is written", () => {
    for (const data of [JSON.stringify(TEXT, null, 1), '{"type": "ping"}', JSON.stringify(STOP)]) {
      expect(createAnthropicRepair().read(data)).toEqual([data]);
    }
  });

  it.each([
    ["an event", [{ type: "gateway_meter", cost: 1 }]],
    ["a text", ["ping"]],
    ["an event without a type", [{ status: "queued" }]],
    ["a delta", [toDelta({ type: "mood_delta", mood: 1 })]],
    ["a delta without a type", [toDelta({ text: "a" })]],
    [
      "a block with its deltas",
      [toStart({ type: "mood" }), TEXT, { type: "content_block_stop", index: 0 }],
    ],
    ["a block without a type", [toStart({}), toStart(null)]],
    [
      "a type that every object has",
      [toDelta({ type: "constructor" }), toStart({ type: "toString" })],
    ],
  ])("skips %s that the client does not know", (_what, events) => {
    expect(repair(...events)).toEqual([]);
  });

  it("reads a block at the index of one that was skipped", () => {
    const start = toStart({ type: "text", text: "" });
    expect(repair(toStart({ type: "mood" }), start, TEXT)).toEqual([start, TEXT]);
  });

  it.each([
    ["text", "text_delta"],
    ["thinking", "thinking_delta"],
  ])("makes a delta of %s in the start of a block", (key, type) => {
    expect(repair(toStart({ type: key, [key]: "Bread" }))).toEqual([
      toStart({ type: key, [key]: "" }),
      toDelta({ type, [key]: "Bread" }),
    ]);
    expect(repair(toStart({ type: key }))).toEqual([toStart({ type: key, [key]: "" })]);
  });

  it.each([
    ["in text", '{"port":"Brest"}', { port: "Brest" }],
    ["that is null", null, undefined],
    ["that is an empty text", "", undefined],
  ])("reads the input of a call %s", (_what, input, read) => {
    expect(repair(toStart({ type: "tool_use", id: 5, name: "now", input }))).toEqual([
      toStart({ type: "tool_use", id: "5", name: "now", ...(read && { input: read }) }),
    ]);
  });

  it.each([
    [undefined, { input_tokens: 0 }],
    [null, { input_tokens: 0 }],
    ["none", { input_tokens: 0 }],
    [{ input_tokens: "20", cache_read_input_tokens: "x" }, { input_tokens: 20 }],
    [{ input_tokens: null }, { input_tokens: 0 }],
  ])("takes the usage %j as %j", (usage, repaired) => {
    const [start] = repair({
      type: "message_start",
      message: { id: 1, content: [{ type: "text" }], usage },
    });
    expect(start).toEqual({
      type: "message_start",
      message: { id: "1", content: [], usage: repaired },
    });
  });

  it("reads an end without usage, and ends an answer that does not say so", () => {
    expect(
      repair({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: null }),
    ).toEqual([
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 0 } },
      STOP,
    ]);
    expect(repair(TEXT)).toEqual([TEXT]);
    expect(repair({ type: "message_delta" })).toEqual([
      { type: "message_delta", delta: {}, usage: { output_tokens: 0 } },
    ]);
  });

  it.each([
    ["a text", { type: "error", error: "full" }, { type: "api_error", message: "full" }],
    [
      "an object",
      { type: "error", error: { type: "overloaded_error", message: "full" } },
      { type: "overloaded_error", message: "full" },
    ],
    ["no type", { error: { message: "full" } }, { type: "api_error", message: "full" }],
    ["nothing", { type: "error" }, { type: "api_error", message: "The server reported an error." }],
  ])("tells an error of %s", (_what, event, error) => {
    expect(repair(event)).toEqual([{ type: "error", error }]);
  });
});
