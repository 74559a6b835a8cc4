import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PendingToolCall } from "@/contract/chat";
import type { JsonObject, JsonValue } from "@/contract/json";
import { answerModes, Draft, draftToResult, emptyDraft } from "./draft";

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

describe("a stored draft", () => {
  it.each<[what: string, draft: Partial<Draft>]>([
    ["of text", { text: "half an ans" }],
    ["of fields", { mode: "form", form: { value: { name: "", vip: false, n: null } } }],
    ["of fields that were all emptied", { mode: "form", form: {} }],
    ["of an error", { isError: true, errorText: "no" }],
  ])("%s is read as it was written", (_what, changes) => {
    const draft = { ...emptyDraft(free), ...changes };
    expect(Draft.parse(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  });

  it("of another shape is rejected", () => {
    expect(Draft.safeParse({ text: 5 }).success).toBe(false);
  });
});

it("a form is offered only for a schema that can be used", () => {
  expect(answerModes(person)).toEqual(["form", "json"]);
  expect(answerModes(free)).toEqual(["text", "json"]);
  expect(answerModes(call({ type: "anything" }))).toEqual(["text", "json"]);
});

describe("whatever a client declares as a schema", () => {
  const name = fc.constantFrom("a", "b");
  const type = fc.constantFrom("object", "array", "string", "number", "boolean", "null");
  const target = fc.constantFrom("#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/anyOf/0");
  const value = fc.jsonValue({ maxDepth: 1 });
  const holding = (keyword: string, content: fc.Arbitrary<unknown>) =>
    content.map((held) => ({ [keyword]: held }) as JsonObject);
  const { object } = fc.letrec<{ object: JsonObject; schema: JsonValue }>((tie) => {
    const list = fc.array(tie("schema"), { minLength: 1, maxLength: 2 });
    const keyword = fc.oneof(
      holding("type", fc.oneof(type, fc.array(type, { minLength: 1, maxLength: 2 }))),
      holding("$ref", target),
      holding("properties", fc.dictionary(name, tie("schema"), { maxKeys: 2 })),
      holding("required", fc.array(name, { maxLength: 2 })),
      ...["additionalProperties", "items", "if", "then", "else"].map((keyword) =>
        holding(keyword, tie("schema")),
      ),
      ...["anyOf", "oneOf", "allOf"].map((keyword) => holding(keyword, list)),
      holding("enum", fc.array(value, { minLength: 1, maxLength: 2 })),
      ...["const", "default"].map((keyword) => holding(keyword, value)),
    );
    return {
      object: fc
        .array(keyword, { maxLength: 3 })
        .map((keywords) => Object.assign({}, ...keywords) as JsonObject),
      schema: fc.oneof({ maxDepth: 4 }, fc.boolean(), tie("object")),
    };
  });
  const declared = fc
    .tuple(object, object, object)
    .map(([own, a, b]): JsonValue => ({ $defs: { a, b }, properties: { a }, ...own }));
  const anyJson = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  const schema = fc.oneof({ weight: 9, arbitrary: declared }, anyJson);

  it("an answer can be written and is never lost in an error", () => {
    fc.assert(
      fc.property(schema, fc.option(anyJson, { nil: undefined }), (output_schema, value) => {
        const declared = call(output_schema);
        const untouched = emptyDraft(declared);
        const form = value === undefined ? {} : { value };
        for (const draft of [untouched, { ...untouched, form }]) {
          const drafted = draftToResult(declared, draft);
          expect(drafted.ok || drafted.problems.length > 0).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
