import { describe, expect, it } from "vitest";
import type { PendingToolCall } from "@/contract/chat";
import type { Problem } from "@/contract/problem";
import { draftedResults, placedProblems, problemSentence } from "./action-problems";
import { emptyDraft } from "./draft";

const call = (id: string, output_schema: PendingToolCall["output_schema"]): PendingToolCall => ({
  tool_call_id: id,
  tool_name: "ask",
  args: {},
  output_schema,
});
const text = call("a", undefined);
const number = call("b", { type: "number" });

const refusal = (...pointers: string[]): Problem => ({
  type: "about:blank",
  title: "Invalid",
  status: 400,
  detail: "The results do not fit.",
  code: "invalid",
  request_id: "r1",
  errors: pointers.map((pointer) => ({ pointer, message: "is wrong" })),
});

describe("draftedResults", () => {
  it("has one result for each call, in their order", () => {
    const drafts = { b: { ...emptyDraft(number), form: { value: 0 } } };
    expect(draftedResults([text, number], drafts)).toEqual({
      results: [
        { tool_call_id: "a", output: "", is_error: false },
        { tool_call_id: "b", output: 0, is_error: false },
      ],
      problems: new Map(),
    });
  });

  it("says which call is not ready", () => {
    const { problems } = draftedResults([text, number], {});
    expect([...problems]).toEqual([["b", [{ pointer: "", message: "is required" }]]]);
  });
});

describe("placedProblems", () => {
  it("puts an output's problem at its call", () => {
    const { byCall, others } = placedProblems(
      [text, number],
      refusal("/results/1/output/name", "/results/1/output", "/results/0/output/a~1b"),
    );
    expect([...byCall]).toEqual([
      [
        "b",
        [
          { pointer: "/name", message: "is wrong" },
          { pointer: "", message: "is wrong" },
        ],
      ],
      ["a", [{ pointer: "/a~1b", message: "is wrong" }]],
    ]);
    expect(others).toEqual([]);
  });

  it.each(["/results", "/results/2/output", "/results/0/tool_call_id", "/results/0/outputs", ""])(
    "leaves %j to the summary",
    (pointer) => {
      const { byCall, others } = placedProblems([text, number], refusal(pointer));
      expect(byCall.size).toBe(0);
      expect(others).toEqual([{ pointer, message: "is wrong" }]);
    },
  );
});

it.each([
  ["", "The answer is wrong"],
  ["/first_name", "First name is wrong"],
  ["/lines/0/sku", "Lines › item 1 › Sku is wrong"],
])("says where %j is", (pointer, sentence) => {
  expect(problemSentence({ pointer, message: "is wrong" })).toBe(sentence);
});
