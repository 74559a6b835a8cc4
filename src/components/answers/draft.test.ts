import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnswerableCall } from "@/contract/call";
import type { JsonObject, JsonValue } from "@/contract/json";
import { listAnswerModes, Draft, toToolResult, createDraft } from "./draft";

const call = (output_schema?: JsonValue): AnswerableCall => ({
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

/** All of it refers to itself or depends on a condition, so that no field is left. */
const TREE: JsonValue = { type: "object", allOf: [{ properties: { children: { items: {} } } }] };

type Case = {
  what: string;
  call: AnswerableCall;
  draft: Partial<Draft>;
  output: JsonValue;
  isError?: boolean;
};

describe("toToolResult returns", () => {
  const cases: Case[] = [
    { what: "its text", call: free, draft: { text: "yes" }, output: "yes" },
    { what: "empty text that was chosen", call: free, draft: { isEmpty: true }, output: "" },
    { what: "unchanged whitespace", call: free, draft: { text: " \n" }, output: " \n" },
    { what: "text that looks like JSON", call: free, draft: { text: "null" }, output: "null" },
    { what: "false", call: free, draft: { mode: "json", json: "false" }, output: false },
    { what: "zero", call: free, draft: { mode: "json", json: " 0 " }, output: 0 },
    { what: "an empty JSON string", call: free, draft: { mode: "json", json: '""' }, output: "" },
    { what: "null", call: free, draft: { mode: "json", json: "null" }, output: null },
    { what: "an empty object", call: free, draft: { mode: "json", json: "{}" }, output: {} },
    {
      what: "the fields of a form",
      call: person,
      draft: { form: { value: { name: "Ada", vip: false } } },
      output: { name: "Ada", vip: false },
    },
    {
      what: "a chosen false",
      call: call({ type: "boolean" }),
      draft: { form: { value: false } },
      output: false,
    },
    {
      what: "zero from a field",
      call: call({ type: "number" }),
      draft: { form: { value: 0 } },
      output: 0,
    },
    {
      what: "a chosen null",
      call: call({ type: "null" }),
      draft: { form: { value: null } },
      output: null,
    },
    {
      what: "empty text that was chosen in a form",
      call: call({ type: "string" }),
      draft: { form: { value: "" } },
      output: "",
    },
    {
      what: "a default that the field shows",
      call: call({ type: "integer", default: 3 }),
      draft: {},
      output: 3,
    },
    {
      what: "no value, if that was chosen",
      call: call({ type: "object", properties: { name: { type: "string" } } }),
      draft: { isEmpty: true },
      output: {},
    },
    {
      what: "an object in JSON without a form",
      call: call(TREE),
      draft: { mode: "json", json: '{"children":[{}]}' },
      output: { children: [{}] },
    },
    {
      what: "JSON instead of the form",
      call: person,
      draft: { mode: "json", json: '{"name":"Ada","vip":true}' },
      output: { name: "Ada", vip: true },
    },
    {
      what: "an error, without validating it against the schema",
      call: person,
      draft: { isError: true, errorText: "No such person" },
      output: "No such person",
      isError: true,
    },
    {
      what: "text if a stored draft has a form but the call has none",
      call: free,
      draft: { mode: "form", form: { value: { name: "Ada" } }, text: "Ada" },
      output: "Ada",
    },
  ];
  it.each(cases)("$what", ({ call, draft, output, isError = false }) => {
    expect(toToolResult(call, { ...createDraft(call), ...draft })).toEqual({
      ok: true,
      result: { tool_call_id: "call-1", output, is_error: isError },
    });
  });
});

describe("toToolResult rejects", () => {
  type Rejected = Pick<Case, "what" | "call" | "draft"> & { error: string };
  const cases: Rejected[] = [
    { what: "empty JSON", call: free, draft: { mode: "json" }, error: " must be a JSON value" },
    {
      what: "broken JSON",
      call: free,
      draft: { mode: "json", json: "{" },
      error: " is not JSON",
    },
    {
      what: "a lone surrogate",
      call: free,
      draft: { text: "\ud800" },
      error: " has text with a lone surrogate",
    },
    {
      what: "an error without text",
      call: free,
      draft: { isError: true, errorText: " " },
      error: " must say what went wrong",
    },
    { what: "text that was not entered", call: free, draft: {}, error: " is required" },
    {
      what: "a missing field",
      call: person,
      draft: { form: { value: { vip: true } } },
      error: "/name is required",
    },
    {
      what: "a boolean that was not chosen",
      call: person,
      draft: { form: { value: { name: "Ada" } } },
      error: "/vip is required",
    },
    {
      what: "an untouched form without required fields",
      call: call({ type: "object", properties: { name: { type: "string" } } }),
      draft: {},
      error: " must have a value in a field, or be sent without any",
    },
    {
      what: "a missing number",
      call: call({ type: "number" }),
      draft: {},
      error: " is required",
    },
    {
      what: "letters in a number",
      call: call({ type: "number" }),
      draft: { form: { value: "abc" } },
      error: " must be a number",
    },
    {
      what: "JSON that does not match the schema",
      call: person,
      draft: { mode: "json", json: '{"name":"Ada"}' },
      error: "/vip is required",
    },
  ];
  it.each(cases)("$what", ({ call, draft, error }) => {
    const result = toToolResult(call, { ...createDraft(call), ...draft });
    const errors = result.ok ? [] : result.errors.map((one) => `${one.pointer} ${one.message}`);
    expect(errors).toEqual([expect.stringContaining(error)]);
  });
});

describe("a stored draft", () => {
  it.each<[what: string, draft: Partial<Draft>]>([
    ["of text", { text: "half an ans" }],
    ["of fields", { mode: "form", form: { value: { name: "", vip: false, n: null } } }],
    ["of cleared fields", { mode: "form", form: {} }],
    ["of nothing on purpose", { isEmpty: true }],
    ["of an error", { isError: true, errorText: "no" }],
  ])("%s round-trips through JSON", (_what, changes) => {
    const draft = { ...createDraft(free), ...changes };
    expect(Draft.parse(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  });

  it("of another shape is rejected", () => {
    expect(Draft.safeParse({ text: 5 }).success).toBe(false);
  });
});

it("listAnswerModes offers a form only for a usable schema", () => {
  expect(listAnswerModes(person)).toEqual(["form", "json"]);
  expect(listAnswerModes(free)).toEqual(["text", "json"]);
  expect(listAnswerModes(call({ type: "anything" }))).toEqual(["text", "json"]);
  expect(listAnswerModes(call({ title: "Anything" }))).toEqual(["text", "json"]);
  expect(listAnswerModes(call(TREE))).toEqual(["form", "json"]);
  expect(listAnswerModes(call({ type: "array" }))).toEqual(["json", "text"]);
});

describe("for any declared schema", () => {
  const name = fc.constantFrom("a", "b");
  const type = fc.constantFrom("object", "array", "string", "number", "boolean", "null");
  const target = fc.constantFrom("#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/anyOf/0");
  const value = fc.jsonValue({ maxDepth: 1 });
  const keywordWith = (keyword: string, content: fc.Arbitrary<unknown>) =>
    content.map((value) => ({ [keyword]: value }) as JsonObject);
  const { object } = fc.letrec<{ object: JsonObject; schema: JsonValue }>((tie) => {
    const list = fc.array(tie("schema"), { minLength: 1, maxLength: 2 });
    const keyword = fc.oneof(
      keywordWith("type", fc.oneof(type, fc.array(type, { minLength: 1, maxLength: 2 }))),
      keywordWith("$ref", target),
      keywordWith("properties", fc.dictionary(name, tie("schema"), { maxKeys: 2 })),
      keywordWith("required", fc.array(name, { maxLength: 2 })),
      ...["additionalProperties", "items", "if", "then", "else"].map((keyword) =>
        keywordWith(keyword, tie("schema")),
      ),
      ...["anyOf", "oneOf", "allOf"].map((keyword) => keywordWith(keyword, list)),
      keywordWith("enum", fc.array(value, { minLength: 1, maxLength: 2 })),
      ...["const", "default"].map((keyword) => keywordWith(keyword, value)),
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

  it("toToolResult returns a result or errors", () => {
    fc.assert(
      fc.property(schema, fc.option(anyJson, { nil: undefined }), (output_schema, value) => {
        const declared = call(output_schema);
        const untouched = createDraft(declared);
        const form = value === undefined ? {} : { value };
        for (const draft of [untouched, { ...untouched, form }]) {
          const result = toToolResult(declared, draft);
          expect(result.ok || result.errors.length > 0).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
