import { describe, expect, it } from "vitest";
import { createChunkRepair, readWholeCompletion } from "./compatible-chunks";

/** Repairs an answer of chunks, or of texts of data. @returns the chunks that are passed on. */
const repair = (...events: unknown[]): unknown[] => {
  const { read, end } = createChunkRepair();
  const data = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  return [...data.flatMap(read), ...end()].map((text) => JSON.parse(text) as unknown);
};

const toChunk = (delta: unknown, rest: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason: null }],
  ...rest,
});
const toCall = (call: object) => toChunk({ tool_calls: [call] });
const END = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };

/** @returns name and arguments of each call, as the client joins them by their indexes. */
const readCalls = (...events: unknown[]): Record<number, unknown> => {
  const calls: Record<number, { id?: string; name: string; args: string }> = {};
  for (const chunk of repair(...events) as ReturnType<typeof toChunk>[]) {
    const { tool_calls = [] } = (chunk.choices[0]?.delta ?? {}) as {
      tool_calls?: {
        index: number;
        id?: string;
        function: { name?: string; arguments?: string };
      }[];
    };
    for (const { index, id, function: fields } of tool_calls) {
      const call = (calls[index] ??= { ...(id !== undefined && { id }), name: "", args: "" });
      call.name += fields.name ?? "";
      call.args += fields.arguments ?? "";
    }
  }
  return calls;
};

describe("createChunkRepair", () => {
  it("passes on what is right as it is written", () => {
    const chunk = ` ${JSON.stringify(toChunk({ role: "assistant", content: "größer" }, { id: "a" }))}`;
    expect(createChunkRepair().read(chunk)).toEqual([chunk]);
  });

  it.each([
    ["an empty object", "{}"],
    ["a ping", '{"type":"ping"}'],
    ["a text", "OPENROUTER PROCESSING"],
    ["a number", "0"],
    ["a list", "[]"],
    ["null", "null"],
    ["a message of a gateway", '{"status":"queued","position":3}'],
  ])("skips %s", (_what, data) => {
    expect(repair(data)).toEqual([]);
  });

  it("keeps JSON that is broken, so that the answer fails", () => {
    expect(createChunkRepair().read('{"choices":[{"del')).toEqual(['{"choices":[{"del']);
  });

  it.each([
    ["an id that is a number", toChunk({}, { id: 7 }), toChunk({}, { id: "7" })],
    ["a model that is an object", toChunk({}, { model: {} }), toChunk({})],
    [
      "a time in text",
      toChunk({}, { created: "1790000000" }),
      toChunk({}, { created: 1790000000 }),
    ],
    ["a time that is a date", toChunk({}, { created: "2026-01-02" }), toChunk({})],
    ["another role", toChunk({ role: "model", content: "a" }), toChunk({ content: "a" })],
    ["content that is a number", toChunk({ content: 5 }), toChunk({ content: "5" })],
    ["content that is an object", toChunk({ content: {} }), toChunk({})],
    ["reasoning that is no text", toChunk({ reasoning: { a: 1 } }), toChunk({})],
    [
      "a message in place of a delta",
      { choices: [{ message: { content: "a" } }] },
      { choices: [{ message: { content: "a" }, delta: { content: "a" } }] },
    ],
    [
      "choices that are null",
      { choices: null, usage: { prompt_tokens: 1 } },
      { choices: [], usage: { prompt_tokens: 1 } },
    ],
    [
      "usage without choices",
      { usage: { prompt_tokens: 1 } },
      { choices: [], usage: { prompt_tokens: 1 } },
    ],
    [
      "no reason for the end",
      { choices: [{ delta: {}, finish_reason: "" }] },
      { choices: [{ delta: {}, finish_reason: null }] },
    ],
  ])("repairs %s", (_what, chunk, repaired) => {
    expect(repair(chunk)[0]).toEqual(repaired);
  });

  it.each([
    [
      { prompt_tokens: "12", completion_tokens: 2 },
      { prompt_tokens: 12, completion_tokens: 2 },
    ],
    [{ prompt_tokens: "x", completion_tokens: true, total_tokens: "" }, {}],
    [
      { prompt_tokens: 1, prompt_tokens_details: [], completion_tokens_details: "none" },
      { prompt_tokens: 1 },
    ],
    [
      { prompt_tokens_details: { cached_tokens: "7" } },
      { prompt_tokens_details: { cached_tokens: 7 } },
    ],
    ["none", undefined],
    [[], undefined],
  ])("makes the usage %j %j", (usage, repaired) => {
    expect(repair(toChunk({}, { usage }))[0]).toEqual(toChunk({}, repaired && { usage: repaired }));
  });

  it("leaves out a number that is too large", () => {
    expect(repair('{"choices":[],"usage":{"prompt_tokens":1e999}}')[0]).toEqual({
      choices: [],
      usage: {},
    });
  });

  describe.each([
    ["[DONE]", ["[DONE]"]],
    ["usage", [{ choices: [], usage: { prompt_tokens: 1 } }]],
    ["usage in the last chunk", [toChunk({}, { usage: { prompt_tokens: 1 } })]],
  ])("ends an answer with %s", (_what, ending) => {
    it("that has a text", () => {
      expect(repair(toChunk({ content: "a" }), ...ending).at(-1)).toMatchObject({
        choices: [{ finish_reason: "stop" }],
      });
    });

    it("that has a call", () => {
      const call = { index: 0, id: "a", function: { name: "now", arguments: "" } };
      expect(repair(toCall(call), ...ending).at(-1)).toMatchObject({
        choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }],
      });
    });
  });

  it("adds no end to an answer that is cut, or has one", () => {
    expect(repair(toChunk({ content: "a" }))).toHaveLength(1);
    expect(repair(END, "[DONE]")).toEqual([END]);
  });

  it.each([
    ["a text", { error: "full" }, { message: "full", code: 500 }],
    [
      "an object",
      { error: { message: "full", code: 429, type: "busy" } },
      { message: "full", code: "429", type: "busy" },
    ],
    [
      "vLLM's form",
      { object: "error", message: "full", type: "Busy", code: 400 },
      { message: "full", code: "400", type: "Busy" },
    ],
    ["FastAPI's form", { error: { detail: [{ msg: "full" }] } }, { message: "full", code: 500 }],
    ["a type", { type: "error", message: "full" }, { message: "full", code: 500, type: "error" }],
    ["a choice", { choices: [{ error: { message: "full" } }] }, { message: "full", code: 500 }],
    [
      "a chunk with choices",
      toChunk({ content: "" }, { error: { message: "full" } }),
      { message: "full", code: 500 },
    ],
    [
      "a reason",
      { choices: [{ delta: {}, finish_reason: "error" }] },
      { message: "The server ended its answer with an error.", code: 500 },
    ],
  ])("tells the error in %s", (_what, event, error) => {
    expect(repair(event)).toEqual([{ error }]);
  });
});

describe("the calls of createChunkRepair", () => {
  it.each([
    [
      "a whole call",
      [toCall({ index: 0, id: "a", function: { name: "now", arguments: '{"a":1}' } })],
    ],
    [
      "an id in each delta",
      [
        toCall({ index: 0, id: "a", function: { name: "now", arguments: '{"a"' } }),
        toCall({ index: 0, id: "a", function: { arguments: ":1}" } }),
      ],
    ],
    [
      "the name in each delta",
      [
        toCall({ index: 0, id: "a", function: { name: "now", arguments: '{"a"' } }),
        toCall({ index: 0, id: "a", function: { name: "now", arguments: ":1}" } }),
      ],
    ],
    [
      "a name in pieces",
      ["n", "o", "w"]
        .map((name) => toCall({ index: 0, id: "a", function: { name } }))
        .concat(toCall({ index: 0, id: "a", function: { arguments: '{"a":1}' } })),
    ],
    [
      "an empty object before the arguments, which come in pieces",
      [
        toCall({ index: 0, id: "a", function: { name: "now", arguments: "{}" } }),
        toCall({ index: 0, function: { arguments: '{"a"' } }),
        toCall({ index: 0, function: { arguments: ":1}" } }),
      ],
    ],
    [
      "arguments that are an object",
      [toCall({ index: 0, id: "a", function: { name: "now", arguments: { a: 1 } } })],
    ],
    [
      "an index in text",
      [toCall({ index: "0", id: "a", function: { name: "now", arguments: '{"a":1}' } })],
    ],
    [
      "a blank name before the name",
      [
        toCall({ index: 0, id: "a", function: { name: "", arguments: "" } }),
        toCall({ index: 0, function: { name: "now", arguments: '{"a":1}' } }),
      ],
    ],
  ])("are read with %s", (_what, chunks) => {
    expect(readCalls(...chunks, END)).toEqual({ 0: { id: "a", name: "now", args: '{"a":1}' } });
  });

  it.each([
    ["{}", "{}"],
    [undefined, ""],
    ["", ""],
    [{}, "{}"],
  ])("have no arguments with %j", (args, expected) => {
    const call = toCall({ index: 0, id: "a", function: { name: "now", arguments: args } });
    expect(readCalls(call, END)).toEqual({ 0: { id: "a", name: "now", args: expected } });
  });

  it("are two at one index with two ids", () => {
    const chunks = ["a", "b"].map((id) =>
      toCall({ index: 0, id, function: { name: id, arguments: "{}" } }),
    );
    expect(readCalls(...chunks, END)).toEqual({
      0: { id: "a", name: "a", args: "{}" },
      1: { id: "b", name: "b", args: "{}" },
    });
  });

  it("are passed on in their order, and at the same time", () => {
    expect(
      readCalls(
        toCall({ index: 0, id: "a", function: { name: "now" } }),
        toCall({ index: 1, id: "b", function: { name: "then", arguments: '{"b":' } }),
        toCall({ index: 0, function: { arguments: '{"a":1}' } }),
        toCall({ index: 1, function: { arguments: "2}" } }),
        END,
      ),
    ).toEqual({
      0: { id: "a", name: "now", args: '{"a":1}' },
      1: { id: "b", name: "then", args: '{"b":2}' },
    });
  });

  it("without an index are left to the client", () => {
    const call = { id: "a", function: { name: "now", arguments: "{}" } };
    expect(repair(toCall(call))).toEqual([toCall(call)]);
  });
});

describe("readWholeCompletion", () => {
  it("makes a stream of a whole answer", () => {
    const call = { id: "a", type: "function", function: { name: "now", arguments: "{}" } };
    const body = {
      id: "x",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Hi", tool_calls: [call] },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 1 },
    };
    const chunks = readWholeCompletion(body)?.map((data) => JSON.parse(data) as unknown);
    expect(chunks).toMatchObject([
      {
        choices: [{ delta: { content: "Hi", tool_calls: [{ index: 0, ...call }] } }],
        usage: { prompt_tokens: 1 },
      },
    ]);
  });

  it.each([{}, { choices: [] }, { choices: [{}] }, { choices: "none" }])(
    "knows that %j is none",
    (body) => {
      expect(readWholeCompletion(body)).toBeUndefined();
    },
  );
});
