import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { explainMissingForm, toFormSchema } from "./to-form-schema";
import {
  ANY_JSON,
  ENUM_TITLES,
  FILE,
  JSON_REASON,
  KEY_PATTERN,
  NULLABLE,
  PATTERN_TEXT,
  SELECTION,
} from "./form-keywords";

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
      what: "a value or none for a type and null",
      schema: { type: ["string", "null"], description: "Why", maxLength: 3 },
      expected: {
        description: "Why",
        anyOf: [{ maxLength: 3, type: "string" }, { const: null }],
        [NULLABLE]: true,
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
        [SELECTION]: true,
        title: "My field",
      },
    },
    {
      what: "checkboxes for values that need not be unique, as each may be there once",
      schema: { type: "array", items: { enum: ["a", "b"] } },
      expected: {
        type: "array",
        items: { enum: ["a", "b"] },
        [SELECTION]: true,
        title: "My field",
      },
    },
    {
      what: "a list for values of which one may be needed twice",
      schema: { type: "array", minItems: 3, items: { enum: ["a", "b"] } },
      expected: { type: "array", items: { enum: ["a", "b"] }, minItems: 3, title: "My field" },
    },
    {
      what: "titles of values as generators write them",
      schema: { enum: ["a", "b"], enumNames: ["Alpha", "Beta"] },
      expected: { enum: ["a", "b"], [ENUM_TITLES]: ["Alpha", "Beta"], title: "My field" },
    },
    {
      what: "names and values for a map",
      schema: { type: "object", additionalProperties: { type: "number" }, maxProperties: 5 },
      expected: {
        type: "object",
        additionalProperties: { type: "number" },
        maxProperties: 5,
        title: "My field",
      },
    },
    {
      what: "the pattern of the names of a map as text",
      schema: {
        type: "object",
        patternProperties: { "^[A-Z_]+$": { type: "string" } },
        additionalProperties: false,
      },
      expected: {
        type: "object",
        additionalProperties: { type: "string" },
        [KEY_PATTERN]: "^[A-Z_]+$",
        title: "My field",
      },
    },
    {
      what: "a field for each name that a record has",
      schema: {
        type: "object",
        propertyNames: { type: "string", enum: ["low_tide", "high"] },
        additionalProperties: { type: "number" },
        required: ["high"],
      },
      expected: {
        type: "object",
        properties: {
          low_tide: { type: "number", title: "Low tide" },
          high: { type: "number", title: "High" },
        },
        required: ["high"],
        title: "My field",
      },
    },
    {
      what: "a field for each place of a list",
      schema: {
        type: "array",
        prefixItems: [{ type: "string", title: "From" }, { type: "integer" }],
      },
      expected: {
        type: "array",
        prefixItems: [
          { type: "string", title: "From" },
          { type: "integer", title: "Item 2" },
        ],
        minItems: 2,
        maxItems: 2,
        title: "My field",
      },
    },
    {
      what: "a list of values or none",
      schema: { type: "array", items: { type: ["string", "null"] } },
      expected: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { const: null }], [NULLABLE]: true },
        title: "My field",
      },
    },
    {
      what: "the limits of a reference and of its target",
      schema: { $ref: "#/properties/other", minLength: 2 },
      expected: { type: "string", minLength: 2, title: "My field" },
    },
    {
      what: "the fields of all parts",
      schema: {
        allOf: [person, { properties: { age: { type: "integer" } }, required: ["age"] }],
      },
      expected: {
        type: "object",
        properties: {
          name: { type: "string", title: "Name" },
          age: { type: "integer", title: "Age" },
        },
        required: ["name", "age"],
        title: "My field",
      },
    },
    {
      what: "its own fields in each option",
      schema: {
        ...person,
        oneOf: [
          { title: "By post", properties: { street: { type: "string" } } },
          { title: "By mail", properties: { mail: { type: "string" } } },
        ],
      },
      expected: {
        anyOf: [
          {
            ...personField,
            properties: {
              name: { type: "string", title: "Name" },
              street: { type: "string", title: "Street" },
            },
            title: "By post",
          },
          {
            ...personField,
            properties: {
              name: { type: "string", title: "Name" },
              mail: { type: "string", title: "Mail" },
            },
            title: "By mail",
          },
        ],
        title: "My field",
      },
    },
    {
      what: "what only the server checks, left out",
      schema: { ...person, anyOf: [{ required: ["name"] }], not: { required: ["x"] } },
      expected: { ...personField, title: "My field" },
    },
    {
      what: "a condition with the fields of both branches",
      schema: {
        ...person,
        if: { properties: { name: { const: "Ada" } } },
        then: { required: ["age"], properties: { age: { type: "integer" } } },
      },
      expected: {
        ...personField,
        allOf: [
          {
            if: { properties: { name: { const: "Ada" } } },
            then: { properties: { age: { type: "integer", title: "Age" } }, required: ["age"] },
            else: { properties: {}, required: [] },
          },
        ],
        title: "My field",
      },
    },
    {
      what: "the fields of a condition that is not quick to check, as optional ones",
      schema: {
        ...person,
        if: { properties: { name: { pattern: "^(a+)+$" } } },
        then: { required: ["age"], properties: { age: { type: "integer" } } },
      },
      expected: {
        ...personField,
        allOf: [
          {
            if: {},
            then: { properties: { age: { type: "integer", title: "Age" } }, required: [] },
            else: { properties: {}, required: [] },
          },
        ],
        title: "My field",
      },
    },
    {
      what: "fields that depend on another one",
      schema: {
        ...person,
        dependentSchemas: { name: { properties: { age: { type: "integer" } } } },
        dependentRequired: { age: ["name"] },
      },
      expected: {
        ...personField,
        allOf: [
          {
            if: { required: ["name"] },
            then: { properties: { age: { type: "integer", title: "Age" } }, required: [] },
            else: { properties: {}, required: [] },
          },
          {
            if: { required: ["age"] },
            then: { properties: {}, required: ["name"] },
            else: { properties: {}, required: [] },
          },
        ],
        title: "My field",
      },
    },
    {
      what: "a fixed value that is only read",
      schema: { type: "string", readOnly: true, default: "ORD-17" },
      expected: { readOnly: true, enum: ["ORD-17"], default: "ORD-17", title: "My field" },
    },
    {
      what: "an input for what is only read and has no value",
      schema: { type: "string", readOnly: true },
      expected: { type: "string", title: "My field" },
    },
    {
      what: "a file",
      schema: { type: "string", contentEncoding: "base64", contentMediaType: "image/png" },
      expected: {
        type: "string",
        format: "byte",
        contentMediaType: "image/png",
        [FILE]: "base64",
        title: "My field",
      },
    },
    {
      what: "the type of an option that has it as a default",
      schema: {
        discriminator: { propertyName: "type" },
        anyOf: [
          {
            title: "Email",
            type: "object",
            properties: { type: { enum: ["email"], default: "email" }, to: { type: "string" } },
          },
          { title: "Phone", type: "object", properties: { type: { const: "phone" } } },
        ],
      },
      expected: {
        anyOf: [
          {
            type: "object",
            properties: {
              type: { const: "email", title: "Type" },
              to: { type: "string", title: "To" },
            },
            required: [],
            title: "Email",
          },
          {
            type: "object",
            properties: { type: { const: "phone", title: "Type" } },
            required: [],
            title: "Phone",
          },
        ],
        title: "My field",
      },
    },
  ];
  it.each(cases)("$what", ({ schema, root, expected }) =>
    expect(field(schema, root)).toEqual(expected),
  );
});

describe("a field is entered as JSON for", () => {
  const cases: [what: string, schema: JsonValue, type: string, reason?: string][] = [
    ["an empty schema", {}, "any"],
    ["true", true, "any"],
    ["no type", { minLength: 2 }, "any"],
    ["an object of unknown fields", { type: "object", additionalProperties: true }, "object"],
    [
      "a required field that is unknown",
      { ...person, required: ["age"] },
      "object",
      "It needs fields that it does not describe.",
    ],
    ["a list of unknown items", { type: "array" }, "array"],
    [
      "a list with more items than places",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      "array",
      "Its items are of several kinds, and it may have more of them.",
    ],
    [
      "parts that say different things",
      { allOf: [person, { properties: { name: { type: "number" } } }] },
      "object",
      "Its parts describe the same value in several ways.",
    ],
  ];
  it.each(cases)("%s", (_what, schema, type, reason) => {
    expect(field(schema)).toEqual({
      [ANY_JSON]: type,
      title: "My field",
      ...(reason !== undefined && { [JSON_REASON]: reason }),
    });
  });

  it("what contains itself more than three times", () => {
    const node = {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#" } } },
    };
    const levels = JSON.stringify(toFormSchema(node)).split('"items"');
    expect(levels).toHaveLength(3);
    expect(levels[2]).toContain(
      JSON.stringify({
        [ANY_JSON]: "array",
        [JSON_REASON]: "It contains itself too many times for a form.",
        title: "Children",
      }),
    );
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
  const unsaid = "Its schema does not say what is in it.";
  const wrong = "Its schema has a mistake.";
  const cases: [what: string, schema: JsonValue | undefined, reason: string | undefined][] = [
    ["no schema", undefined, undefined],
    ["true", true, undefined],
    ["an empty schema", {}, unsaid],
    ["a schema without constraints", { title: "Anything" }, unsaid],
    ["an object without fields", { type: "object" }, unsaid],
    ["a list of anything", { type: "array" }, unsaid],
    ["an invalid schema", { type: "object", properties: { a: { type: "txt" } } }, wrong],
    ["a reference to itself", { $ref: "#" }, "It contains itself too many times for a form."],
    ["a remote reference", { $ref: "https://example.com/a.json" }, wrong],
    [
      "too many values",
      { enum: Array.from({ length: 2_000 }, (_, index) => index) },
      "It has too many fields.",
    ],
  ];
  it.each(cases)("%s, and the reason is said", (_what, schema, reason) => {
    expect(toFormSchema(schema)).toBeUndefined();
    expect(explainMissingForm(schema)).toBe(reason);
  });
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
