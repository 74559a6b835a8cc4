import { describe, expect, it } from "vitest";
import type { AnswerableCall } from "@/contract/call";
import type { Problem } from "@/contract/problem";
import { toToolResults, errorsByCall, formatFieldError } from "./action-results";
import { toFormSchema } from "@/components/schema-form/to-form-schema";
import { createDraft } from "./draft";

const call = (id: string, output_schema: AnswerableCall["output_schema"]): AnswerableCall => ({
  tool_call_id: id,
  tool_name: "ask",
  args: {},
  output_schema,
});
const text = call("a", undefined);
const number = call("b", { type: "number" });

const problem = (...pointers: string[]): Problem => ({
  type: "about:blank",
  title: "Invalid",
  status: 400,
  detail: "The results do not fit.",
  code: "invalid",
  request_id: "r1",
  errors: pointers.map((pointer) => ({ pointer, message: "is wrong" })),
});

describe("toToolResults", () => {
  it("returns one result per call, in the order of the calls", () => {
    const drafts = {
      a: { ...createDraft(text), isEmpty: true },
      b: { ...createDraft(number), form: { value: 0 } },
    };
    expect(toToolResults([text, number], drafts)).toEqual({
      results: [
        { tool_call_id: "a", output: "", is_error: false },
        { tool_call_id: "b", output: 0, is_error: false },
      ],
      errors: new Map(),
    });
  });

  it("returns the errors of each invalid draft", () => {
    const { errors } = toToolResults([text, number], {});
    const missing = [{ pointer: "", message: "is required" }];
    expect([...errors]).toEqual([
      ["a", missing],
      ["b", missing],
    ]);
  });
});

describe("errorsByCall", () => {
  it("assigns an error of an output to its call", () => {
    const { byCall, otherErrors } = errorsByCall(
      [text, number],
      problem("/results/1/output/name", "/results/1/output", "/results/0/output/a~1b"),
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
    expect(otherErrors).toEqual([]);
  });

  it.each(["/results", "/results/2/output", "/results/0/tool_call_id", "/results/0/outputs", ""])(
    "does not assign %j to a call",
    (pointer) => {
      const { byCall, otherErrors } = errorsByCall([text, number], problem(pointer));
      expect(byCall.size).toBe(0);
      expect(otherErrors).toEqual([{ pointer, message: "is wrong" }]);
    },
  );
});

it.each([
  ["", "The answer is wrong"],
  ["/first_name", "First name is wrong"],
  ["/lines/0/sku", "Lines › item 1 › Sku is wrong"],
])("formats an error at %j", (pointer, sentence) => {
  expect(formatFieldError({ pointer, message: "is wrong" })).toBe(sentence);
});

it.each([
  ["/leg/1", "Leg › To is wrong"],
  ["/ports/web-1/from", "Ports › web-1 › From is wrong"],
  ["/who/first_name", "Who › First name is wrong"],
  ["/why", "The reason is wrong"],
])("formats an error at %j with the titles of the form", (pointer, sentence) => {
  const person = { type: "object", properties: { first_name: { type: "string" } } };
  const range = { type: "object", properties: { from: { type: "integer" } } };
  const form = toFormSchema({
    type: "object",
    properties: {
      leg: { prefixItems: [{ type: "string" }, { type: "string", title: "To" }] },
      ports: { type: "object", additionalProperties: range },
      who: { anyOf: [person, { type: "null" }] },
    },
    dependentSchemas: { leg: { properties: { why: { title: "The reason", type: "string" } } } },
  });
  expect(formatFieldError({ pointer, message: "is wrong" }, form)).toBe(sentence);
});
