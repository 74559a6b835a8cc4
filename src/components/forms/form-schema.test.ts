import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { ANY_JSON, formSchema, VALUE_NAMES } from "./form-schema";

const field = (schema: JsonValue): JsonValue | undefined => {
  const drawn = formSchema({ type: "object", properties: { my_field: schema } });
  return (drawn?.properties as JsonObject | undefined)?.my_field;
};

describe("a field gets", () => {
  const cases: { what: string; schema: JsonValue; drawn: JsonValue }[] = [
    {
      what: "a title from its name",
      schema: { type: "string" },
      drawn: { type: "string", title: "My field" },
    },
    {
      what: "its author's title",
      schema: { type: "string", title: "Mine" },
      drawn: { type: "string", title: "Mine" },
    },
    {
      what: "the type that its keywords mean",
      schema: { minLength: 2 },
      drawn: { type: "string", minLength: 2, title: "My field" },
    },
    {
      what: "a choice of one for a constant",
      schema: { const: "a" },
      drawn: { enum: ["a"], title: "My field" },
    },
    {
      what: "a choice of schemas for a choice of types",
      schema: { type: ["string", "null"], description: "Why", maxLength: 3 },
      drawn: {
        description: "Why",
        anyOf: [
          { maxLength: 3, type: "string", title: "Text" },
          { maxLength: 3, type: "null", title: "None (null)" },
        ],
        title: "My field",
      },
    },
    {
      what: "one list of values, whatever their types",
      schema: { type: ["string", "null"], enum: ["a", null] },
      drawn: { enum: ["a", null], title: "My field" },
    },
    {
      what: "one list of values for a choice of constants",
      schema: { type: "integer", oneOf: [{ const: 1, title: "Low" }, { const: 2 }] },
      drawn: { enum: [1, 2], [VALUE_NAMES]: ["Low", null], title: "My field" },
    },
    {
      what: "options named after what tells them apart",
      schema: {
        oneOf: [
          { type: "object", properties: { kind: { const: "gift_card" } } },
          { type: "object", properties: { kind: { const: "cash" } } },
        ],
      },
      drawn: {
        oneOf: [
          {
            type: "object",
            properties: { kind: { enum: ["gift_card"], title: "Kind" } },
            title: "Gift card",
          },
          {
            type: "object",
            properties: { kind: { enum: ["cash"], title: "Kind" } },
            title: "Cash",
          },
        ],
        title: "My field",
      },
    },
    {
      what: "free JSON when nothing is known of it",
      schema: {},
      drawn: { [ANY_JSON]: "any", title: "My field" },
    },
    {
      what: "free JSON for an object of unknown fields",
      schema: { type: "object", additionalProperties: true },
      drawn: { [ANY_JSON]: "object", title: "My field" },
    },
    {
      what: "free JSON for a list of unknown items",
      schema: { type: "array" },
      drawn: { [ANY_JSON]: "array", title: "My field" },
    },
    {
      what: "free JSON for a list whose items differ by place",
      schema: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      drawn: { [ANY_JSON]: "array", title: "My field" },
    },
    {
      what: "no choice where the options only restrict",
      schema: {
        type: "object",
        properties: { a: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      drawn: {
        type: "object",
        properties: { a: { type: "string", title: "A" } },
        title: "My field",
      },
    },
  ];
  it.each(cases)("$what", ({ schema, drawn }) => expect(field(schema)).toEqual(drawn));
});

describe("no form is made of", () => {
  const cases: [what: string, schema: JsonValue | undefined][] = [
    ["no schema", undefined],
    ["true", true],
    ["an empty schema", {}],
    ["a schema that says nothing of the value", { title: "Anything" }],
    ["an object without fields", { type: "object" }],
    ["a list of anything", { type: "array" }],
    ["a schema with a mistake", { type: "object", properties: { a: { type: "txt" } } }],
    ["a schema that is one of its own options", { anyOf: [{ type: "string" }, { $ref: "#" }] }],
    [
      "a choice of types that comes to stand where a reference leads to",
      { $ref: "#/anyOf/0", anyOf: [{ minProperties: 1 }], type: ["object", "null"] },
    ],
    ["a schema elsewhere", { $ref: "https://example.com/a.json" }],
  ];
  it.each(cases)("%s", (_what, schema) => expect(formSchema(schema)).toBeUndefined());
});

describe("a form is made of", () => {
  const cases: [what: string, schema: JsonValue][] = [
    ["a text", { type: "string" }],
    ["yes or no", { type: "boolean" }],
    ["a list of values", { enum: ["a", "b"] }],
    ["a list", { type: "array", items: { type: "string" } }],
    ["a definition", { $ref: "#/$defs/a", $defs: { a: { type: "number" } } }],
    ["an object that contains itself", { properties: { child: { $ref: "#" } } }],
  ];
  it.each(cases)("%s", (_what, schema) => expect(formSchema(schema)).toBeDefined());
});
