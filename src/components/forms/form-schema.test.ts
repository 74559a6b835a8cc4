import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { ANY_JSON, toFormSchema, ENUM_TITLES } from "./form-schema";

const field = (schema: JsonValue): JsonValue | undefined => {
  const normalized = toFormSchema({ type: "object", properties: { my_field: schema } });
  return (normalized?.properties as JsonObject | undefined)?.my_field;
};

describe("a field gets", () => {
  const cases: { what: string; schema: JsonValue; expected: JsonValue }[] = [
    {
      what: "a title from its name",
      schema: { type: "string" },
      expected: { type: "string", title: "My field" },
    },
    {
      what: "the title of its schema",
      schema: { type: "string", title: "Mine" },
      expected: { type: "string", title: "Mine" },
    },
    {
      what: "the type that its keywords imply",
      schema: { minLength: 2 },
      expected: { type: "string", minLength: 2, title: "My field" },
    },
    {
      what: "an enum of one value for a constant",
      schema: { const: "a" },
      expected: { enum: ["a"], title: "My field" },
    },
    {
      what: "anyOf for a list of types",
      schema: { type: ["string", "null"], description: "Why", maxLength: 3 },
      expected: {
        description: "Why",
        anyOf: [
          { maxLength: 3, type: "string", title: "Text" },
          { maxLength: 3, type: "null", title: "None (null)" },
        ],
        title: "My field",
      },
    },
    {
      what: "one enum for values of several types",
      schema: { type: ["string", "null"], enum: ["a", null] },
      expected: { enum: ["a", null], title: "My field" },
    },
    {
      what: "one enum for oneOf with constants",
      schema: { type: "integer", oneOf: [{ const: 1, title: "Low" }, { const: 2 }] },
      expected: { enum: [1, 2], [ENUM_TITLES]: ["Low", null], title: "My field" },
    },
    {
      what: "options with the discriminator as title",
      schema: {
        oneOf: [
          { type: "object", properties: { kind: { const: "gift_card" } } },
          { type: "object", properties: { kind: { const: "cash" } } },
        ],
      },
      expected: {
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
      what: "free JSON for an empty schema",
      schema: {},
      expected: { [ANY_JSON]: "any", title: "My field" },
    },
    {
      what: "free JSON for an object of unknown fields",
      schema: { type: "object", additionalProperties: true },
      expected: { [ANY_JSON]: "object", title: "My field" },
    },
    {
      what: "free JSON for a list of unknown items",
      schema: { type: "array" },
      expected: { [ANY_JSON]: "array", title: "My field" },
    },
    {
      what: "free JSON for a tuple",
      schema: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
      expected: { [ANY_JSON]: "array", title: "My field" },
    },
    {
      what: "no choice for options that only restrict its fields",
      schema: {
        type: "object",
        properties: { a: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      expected: {
        type: "object",
        properties: { a: { type: "string", title: "A" } },
        title: "My field",
      },
    },
  ];
  it.each(cases)("$what", ({ schema, expected }) => expect(field(schema)).toEqual(expected));
});

describe("no form is rendered for", () => {
  const cases: [what: string, schema: JsonValue | undefined][] = [
    ["no schema", undefined],
    ["true", true],
    ["an empty schema", {}],
    ["a schema without constraints", { title: "Anything" }],
    ["an object without fields", { type: "object" }],
    ["a list of anything", { type: "array" }],
    ["an invalid schema", { type: "object", properties: { a: { type: "txt" } } }],
    ["a schema that contains itself in anyOf", { anyOf: [{ type: "string" }, { $ref: "#" }] }],
    [
      "a reference whose target moves when a list of types is expanded",
      { $ref: "#/anyOf/0", anyOf: [{ minProperties: 1 }], type: ["object", "null"] },
    ],
    ["a remote reference", { $ref: "https://example.com/a.json" }],
  ];
  it.each(cases)("%s", (_what, schema) => expect(toFormSchema(schema)).toBeUndefined());
});

describe("a form is rendered for", () => {
  const cases: [what: string, schema: JsonValue][] = [
    ["a text", { type: "string" }],
    ["a boolean", { type: "boolean" }],
    ["an enum", { enum: ["a", "b"] }],
    ["a list", { type: "array", items: { type: "string" } }],
    ["a reference to a definition", { $ref: "#/$defs/a", $defs: { a: { type: "number" } } }],
    ["a recursive object", { properties: { child: { $ref: "#" } } }],
  ];
  it.each(cases)("%s", (_what, schema) => expect(toFormSchema(schema)).toBeDefined());
});
