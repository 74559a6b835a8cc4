import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { toFormSchema } from "./to-form-schema";
import { ANY_JSON, ENUM_TITLES, PATTERN_TEXT } from "./form-keywords";

const field = (schema: JsonValue, root: JsonObject = {}): JsonValue | undefined => {
  const form = toFormSchema({
    ...root,
    type: "object",
    properties: { other: { type: "string" }, my_field: schema },
  });
  return (form?.properties as JsonObject | undefined)?.my_field;
};

const person = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const personField = {
  type: "object",
  properties: { name: { type: "string", title: "Name" } },
  required: ["name"],
};

describe("a field gets", () => {
  const cases: { what: string; schema: JsonValue; root?: JsonObject; expected: JsonObject }[] = [
    {
      what: "a title from its name",
      schema: { type: "string" },
      expected: { type: "string", title: "My field" },
    },
    {
      what: "the texts of its schema",
      schema: { type: "string", title: "Mine", description: "Why", examples: ["a"] },
      expected: { type: "string", title: "Mine", description: "Why", examples: ["a"] },
    },
    {
      what: "the limits that are quick to check, and a pattern as text only",
      schema: { type: "string", minLength: 2, format: "email", pattern: "^(a+)+$" },
      expected: {
        type: "string",
        minLength: 2,
        format: "email",
        title: "My field",
        [PATTERN_TEXT]: "^(a+)+$",
      },
    },
    {
      what: "the format of a secret, if it is never shown again",
      schema: { type: "string", writeOnly: true },
      expected: { type: "string", format: "password", title: "My field" },
    },
    {
      what: "a default that fits",
      schema: { type: "integer", minimum: 1, default: 3 },
      expected: { type: "integer", minimum: 1, default: 3, title: "My field" },
    },
    {
      what: "no default that does not fit",
      schema: { type: "integer", minimum: 1, default: 0 },
      expected: { type: "integer", minimum: 1, title: "My field" },
    },
    {
      what: "an enum of one value for a constant, which has to be selected",
      schema: { const: "a" },
      expected: { enum: ["a"], title: "My field" },
    },
    {
      what: "an enum of one value for null",
      schema: { type: "null" },
      expected: { enum: [null], title: "My field" },
    },
    {
      what: "options for a list of types",
      schema: { type: ["string", "null"], description: "Why", maxLength: 3 },
      expected: {
        description: "Why",
        anyOf: [
          { maxLength: 3, type: "string", title: "Text" },
          { const: null, title: "None (null)" },
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
      what: "options with their constants",
      schema: {
        oneOf: [
          { type: "object", properties: { kind: { const: "gift_card" } }, required: ["kind"] },
          { type: "object", properties: { kind: { const: "cash" } } },
        ],
      },
      expected: {
        anyOf: [
          {
            type: "object",
            properties: { kind: { const: "gift_card", title: "Kind" } },
            required: ["kind"],
            title: "Gift card",
          },
          {
            type: "object",
            // It may be left out, so the option does not determine it.
            properties: { kind: { enum: ["cash"], title: "Kind" } },
            required: [],
            title: "Object",
          },
        ],
        title: "My field",
      },
    },
    {
      what: "the target of a reference, with its own texts",
      schema: { $ref: "#/$defs/person", title: "Guest" },
      root: { $defs: { person } },
      expected: { ...personField, title: "Guest" },
    },
    {
      what: "options that inherit a type, and those named by their definition",
      schema: {
        type: "object",
        oneOf: [{ $ref: "#/$defs/a_person" }, { properties: person.properties }],
      },
      root: { $defs: { a_person: person } },
      expected: {
        anyOf: [
          { ...personField, title: "A person" },
          { ...personField, required: [], title: "Object" },
        ],
        title: "My field",
      },
    },
    {
      what: "checkboxes for unique values",
      schema: { type: "array", uniqueItems: true, minItems: 1, items: { enum: ["a", "b"] } },
      expected: {
        type: "array",
        items: { enum: ["a", "b"] },
        minItems: 1,
        uniqueItems: true,
        title: "My field",
      },
    },
  ];
  it.each(cases)("$what", ({ schema, root, expected }) =>
    expect(field(schema, root)).toEqual(expected),
  );
});

describe("a field is entered as JSON for", () => {
  const cases: [what: string, schema: JsonValue, type: string][] = [
    ["an empty schema", {}, "any"],
    ["true", true, "any"],
    ["no type", { minLength: 2 }, "any"],
    ["an object of unknown fields", { type: "object", additionalProperties: true }, "object"],
    ["a required field that is unknown", { ...person, required: ["age"] }, "object"],
    ["a list of unknown items", { type: "array" }, "array"],
    ["a list of nullable items", { type: "array", items: { type: ["string", "null"] } }, "array"],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }] }, "array"],
    ["a recursive schema", { $ref: "#" }, "object"],
    ["a reference with more limits", { $ref: "#/properties/other", minLength: 2 }, "any"],
    ["parts", { allOf: [person] }, "any"],
    ["a condition", { ...person, if: {}, then: person }, "object"],
    ["properties with options", { ...person, anyOf: [{ required: ["name"] }] }, "object"],
    ["a negation", { type: "string", not: { const: "a" } }, "any"],
  ];
  it.each(cases)("%s", (_what, schema, type) => {
    expect(field(schema)).toEqual({ [ANY_JSON]: type, title: "My field" });
  });

  it("a choice in an option of a choice", () => {
    const nullable = { type: ["string", "null"] };
    const inner = { type: "object", properties: { a: nullable } };
    expect(field({ anyOf: [nullable, inner] })).toMatchObject({
      anyOf: [{ [ANY_JSON]: "any" }, { properties: { a: { [ANY_JSON]: "any", title: "A" } } }],
    });
  });

  it("objects inside of many others", () => {
    const nest = (depth: number): JsonObject => ({
      type: "object",
      properties: { a: depth === 0 ? { type: "string" } : nest(depth - 1) },
    });
    expect(JSON.stringify(toFormSchema(nest(7)))).not.toContain(ANY_JSON);
    expect(JSON.stringify(toFormSchema(nest(8)))).toContain(ANY_JSON);
  });
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
    ["a reference to itself", { $ref: "#" }],
    ["a remote reference", { $ref: "https://example.com/a.json" }],
    ["parts", { allOf: [person] }],
  ];
  it.each(cases)("%s", (_what, schema) => expect(toFormSchema(schema)).toBeUndefined());
});

describe("a form is rendered for", () => {
  const cases: [what: string, schema: JsonValue][] = [
    ["a text", { type: "string" }],
    ["a boolean", { type: "boolean" }],
    ["an enum", { enum: ["a", "b"] }],
    ["a list", { type: "array", items: { type: "string" } }],
    ["a choice", { anyOf: [{ type: "string" }, { type: "number" }] }],
    ["properties without a type", { properties: { a: { type: "string" } } }],
    ["a reference to a definition", { $ref: "#/$defs/a", $defs: { a: { type: "number" } } }],
  ];
  it.each(cases)("%s", (_what, schema) => expect(toFormSchema(schema)).toBeDefined());
});
