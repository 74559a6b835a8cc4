import { describe, expect, it } from "vitest";
import type { FinishReason } from "@/contract/message";
import type { StepPart } from "@/server/model/model-step";
import { findUnusableCalls } from "./plan-step";

type StepCall = Extract<StepPart, { type: "tool_call" }>;

const callWith = (input: string, fields: Partial<StepCall> = {}): StepCall => ({
  type: "tool_call",
  toolCallId: `call ${input}`,
  toolName: "write_file",
  input,
  providerExecuted: false,
  startedAt: new Date(0),
  ...fields,
});
const WHOLE = callWith('{"path":"a"}');
const CUT = callWith('{"path":"a');
const EMPTY = callWith("");

/** The indexes of the unusable calls. */
const find = (calls: StepCall[], finishReason: FinishReason): number[] =>
  [...findUnusableCalls(calls, finishReason).keys()].map((call) => calls.indexOf(call));

describe.each<FinishReason>(["length", "content-filter"])("an answer that ends by %s", (reason) => {
  it.each<[what: string, calls: StepCall[], unusable: number[]]>([
    ["its last call", [WHOLE, callWith('{"path":"b"}')], [1]],
    ["a call without arguments", [EMPTY, WHOLE], [0, 1]],
    ["a call with half of its arguments", [CUT, WHOLE], [0, 1]],
    ["its only call, even with whole arguments", [WHOLE], [0]],
  ])("loses %s", (_what, calls, unusable) => {
    expect(find(calls, reason)).toEqual(unusable);
  });
});

describe.each<FinishReason>(["tool-calls", "stop", "other"])(
  "an answer that ends by %s",
  (reason) => {
    it("loses only a call that did not arrive completely", () => {
      const incomplete = callWith("", { isIncomplete: true });
      expect(find([EMPTY, incomplete, WHOLE, CUT], reason)).toEqual([1]);
    });
  },
);

it("names the cause, and what to do", () => {
  expect([...findUnusableCalls([CUT], "length").values()]).toEqual([
    expect.stringMatching(/^Not run: your answer reached its length limit.*Call it again/),
  ]);
});

it("takes 128 calls and refuses the rest", () => {
  const calls = Array.from({ length: 130 }, (_, index) => callWith(`{"n":${index}}`));
  expect(find(calls, "tool-calls")).toEqual([128, 129]);
});
