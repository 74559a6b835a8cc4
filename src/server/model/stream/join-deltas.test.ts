import { describe, expect, it } from "vitest";
import { joinDeltas } from "./join-deltas";

const MARKERS = ['"content":"', '"reasoning":"', '"arguments":"'];

type CallDelta = { index: number; function: { name?: string; arguments: string } };
type Delta = { content?: string; reasoning?: string; role?: string; tool_calls?: CallDelta[] };

const toCall = (text: string, index = 0): CallDelta => ({ index, function: { arguments: text } });

const toData = (delta: Delta, fields: object = {}): string =>
  JSON.stringify({ id: "a", choices: [{ index: 0, delta, finish_reason: null }], ...fields });

const join = (...events: string[]): string[] =>
  joinDeltas(events, MARKERS).map((event) =>
    typeof event === "string" ? event : event.before + event.texts.join("") + event.after,
  );

describe("joinDeltas", () => {
  it("joins neighboring deltas of one key", () => {
    const events = ["one ", "two ", "three"].map((content) => toData({ content }));
    expect(join(...events)).toEqual([toData({ content: "one two three" })]);
  });

  it("joins the arguments of a call", () => {
    const events = ['{"a', '":1', "}"].map((text) => toData({ tool_calls: [toCall(text)] }));
    expect(join(...events)).toEqual([toData({ tool_calls: [toCall('{"a":1}')] })]);
  });

  const named = { index: 0, function: { name: "now", arguments: "{}" } };
  const twice = (event: string): string[] => [event, event];

  it.each([
    ["of different keys", [toData({ content: "a" }), toData({ reasoning: "b" })]],
    ["with other fields", [toData({ content: "a" }, { id: "b" }), toData({ content: "b" })]],
    ["with a role", [toData({ role: "assistant", content: "" }), toData({ content: "b" })]],
    ["with two texts", twice(toData({ content: "", reasoning: "ha" }))],
    ["of two calls at a time", twice(toData({ tool_calls: [toCall("1"), toCall("1", 1)] }))],
    [
      "of different calls",
      [toData({ tool_calls: [toCall("1")] }), toData({ tool_calls: [toCall("1", 1)] })],
    ],
    ["of calls that nothing tells apart", twice(toData({ tool_calls: [named] }))],
    ["without text", twice(toData({}))],
    ["that are no JSON", twice('"content":"a')],
  ])("leaves events %s as they are", (_what, events) => {
    expect(join(...events)).toEqual(events);
  });
});
