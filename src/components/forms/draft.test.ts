import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PendingToolCall } from "@/contract/chat";
import type { JsonValue } from "@/contract/json";
import { answerModes, type Draft, draftToResult, emptyDraft } from "./draft";

const call = (output_schema?: JsonValue): PendingToolCall => ({
  tool_call_id: "call-1",
  tool_name: "ask",
  args: {},
  ...(output_schema !== undefined && { output_schema }),
});
const free = call();
const person = call({
  type: "object",
  properties: { name: { type: "string", minLength: 1 }, vip: { type: "boolean" } },
  required: ["name", "vip"],
});

type Case = {
  what: string;
  call: PendingToolCall;
  draft: Partial<Draft>;
  output: JsonValue;
  isError?: boolean;
};

describe("a draft becomes", () => {
  const cases: Case[] = [
    { what: "its text", call: free, draft: { text: "yes" }, output: "yes" },
    { what: "empty text", call: free, draft: {}, output: "" },
    { what: "blanks as they are", call: free, draft: { text: " \n" }, output: " \n" },
    { what: "text that looks like JSON", call: free, draft: { text: "null" }, output: "null" },
    { what: "false", call: free, draft: { mode: "json", json: "false" }, output: false },
    { what: "zero", call: free, draft: { mode: "json", json: " 0 " }, output: 0 },
    { what: "an empty JSON text", call: free, draft: { mode: "json", json: '""' }, output: "" },
    { what: "null", call: free, draft: { mode: "json", json: "null" }, output: null },
    { what: "an empty object", call: free, draft: { mode: "json", json: "{}" }, output: {} },
    {
      what: "the fields of its form",
      call: person,
      draft: { form: { value: { name: "Ada" } } },
      output: { name: "Ada", vip: false },
    },
    {
      what: "a box that nobody ticked",
      call: call({ type: "boolean" }),
      draft: {},
      output: false,
    },
    {
      what: "a field with zero",
      call: call({ type: "number" }),
      draft: { form: { value: 0 } },
      output: 0,
    },
    { what: "a field with null", call: call({ type: "null" }), draft: {}, output: null },
    { what: "an empty field", call: call({ type: "string" }), draft: {}, output: "" },
    {
      what: "JSON in place of its form",
      call: person,
      draft: { mode: "json", json: '{"name":"Ada","vip":true}' },
      output: { name: "Ada", vip: true },
    },
    {
      what: "an error, whatever the schema says",
      call: person,
      draft: { isError: true, errorText: "No such person" },
      output: "No such person",
      isError: true,
    },
    {
      what: "text where a stored draft is of a form that is gone",
      call: free,
      draft: { mode: "form", form: { value: { name: "Ada" } }, text: "Ada" },
      output: "Ada",
    },
  ];
  it.each(cases)("$what", ({ call, draft, output, isError = false }) => {
    expect(draftToResult(call, { ...emptyDraft(call), ...draft })).toEqual({
      ok: true,
      result: { tool_call_id: "call-1", output, is_error: isError },
    });
  });
});

describe("a draft is refused for", () => {
  type Refused = Pick<Case, "what" | "call" | "draft"> & { problem: string };
  const cases: Refused[] = [
    { what: "no JSON", call: free, draft: { mode: "json" }, problem: " must be a JSON value" },
    {
      what: "broken JSON",
      call: free,
      draft: { mode: "json", json: "{" },
      problem: " is not JSON",
    },
    {
      what: "half a character",
      call: free,
      draft: { text: "\ud800" },
      problem: " has text with a lone surrogate",
    },
    {
      what: "an error without words",
      call: free,
      draft: { isError: true, errorText: " " },
      problem: " must say what went wrong",
    },
    { what: "a missing field", call: person, draft: {}, problem: "/name is required" },
    {
      what: "a number that nobody gave",
      call: call({ type: "number" }),
      draft: {},
      problem: " is required",
    },
    {
      what: "letters in a number",
      call: call({ type: "number" }),
      draft: { form: { value: "abc" } },
      problem: " must be a number",
    },
    {
      what: "JSON that the schema does not take",
      call: person,
      draft: { mode: "json", json: '{"name":"Ada"}' },
      problem: "/vip is required",
    },
  ];
  it.each(cases)("$what", ({ call, draft, problem }) => {
    const drafted = draftToResult(call, { ...emptyDraft(call), ...draft });
    const told = drafted.ok ? [] : drafted.problems.map((one) => `${one.pointer} ${one.message}`);
    expect(told).toEqual([expect.stringContaining(problem)]);
  });
});

it("a form is offered only for a schema that can be used", () => {
  expect(answerModes(person)).toEqual(["form", "json"]);
  expect(answerModes(free)).toEqual(["text", "json"]);
  expect(answerModes(call({ type: "anything" }))).toEqual(["text", "json"]);
});

describe("whatever a client declares as a schema", () => {
  const keyword = fc.constantFrom(
    ..."type properties items required enum const anyOf oneOf allOf if then $ref $defs default".split(
      " ",
    ),
  );
  const word = fc.constantFrom("object", "array", "string", "null", "#", "#/$defs/a", "a");
  const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      word,
      fc.boolean(),
      fc.array(tie("schema"), { maxLength: 3 }),
      fc.dictionary(fc.oneof(keyword, fc.constant("a")), tie("schema"), { maxKeys: 4 }),
    ),
  }));

  it("an answer can be written and is never lost in an error", () => {
    fc.assert(
      fc.property(schema, fc.option(fc.jsonValue(), { nil: undefined }), (output_schema, value) => {
        const declared = call(output_schema);
        const untouched = emptyDraft(declared);
        const form = value === undefined ? {} : { value: value as JsonValue };
        for (const draft of [untouched, { ...untouched, form }]) {
          const drafted = draftToResult(declared, draft);
          expect(drafted.ok || drafted.problems.length > 0).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
