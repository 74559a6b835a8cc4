import { describe, expect, it } from "vitest";
import { compileSchema } from "./check-output";
import type { JsonValue } from "./json";

const checkOutput = (schema: JsonValue | undefined, value: JsonValue) =>
  compileSchema(schema)(value);

const address = {
  type: "object",
  properties: { street: { type: "string", minLength: 1 }, "post/code": { type: "string" } },
  required: ["street"],
};
const order: JsonValue = {
  $id: "https://example.com/order.json",
  type: "object",
  properties: {
    count: { type: "integer", minimum: 1 },
    state: { enum: ["open", false, 0, "", null] },
    address: { $ref: "#/$defs/address" },
    lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
    due: { type: "string", format: "date" },
    "a b": { type: "number" },
  },
  required: ["count"],
  additionalProperties: false,
  $defs: { address },
};

type Case = { what: string; schema: JsonValue; value: JsonValue; expected: string[] };
const rows: [string, JsonValue, JsonValue, string[]][] = [
  ["nothing in a valid value", order, { count: 1, state: "open" }, []],
  ["a missing field, with its pointer", order, {}, ["/count is required"]],
  ["the wrong type", order, { count: "1" }, ["/count must be a whole number"]],
  ["a number that is too small", order, { count: 0 }, ["/count must be 1 or more"]],
  [
    "a text that does not match the pattern, which is quoted",
    { type: "string", pattern: "^1Z." },
    "A1",
    [" must match the pattern “^1Z.”"],
  ],
  [
    "a text that does not match the pattern, by an example behind a reference",
    {
      properties: { id: { $ref: "#/$defs/id" } },
      $defs: { id: { type: "string", pattern: "^1Z.", examples: ["1Z 999"] } },
    },
    { id: "A1" },
    ["/id must be in a form such as “1Z 999”"],
  ],
  [
    "a value outside of the list",
    order,
    { count: 1, state: "shut" },
    ['/state must be one of "open", false, 0, "", null'],
  ],
  [
    "a missing field behind a reference",
    order,
    { count: 1, address: {} },
    ["/address/street is required"],
  ],
  [
    "a short text behind a reference",
    order,
    { count: 1, address: { street: "" } },
    ["/address/street must have at least 1 character"],
  ],
  [
    "a field with a slash in its name",
    order,
    { count: 1, address: { street: "x", "post/code": 5 } },
    ["/address/post~1code must be a string"],
  ],
  ["a field with a space in its name", order, { count: 1, "a b": "x" }, ["/a b must be a number"]],
  [
    "an item of a list",
    order,
    { count: 1, lines: [{ sku: "a" }, { sku: 7 }] },
    ["/lines/1/sku must be a string"],
  ],
  [
    "a date that does not exist",
    order,
    { count: 1, due: "2026-02-30" },
    ["/due must be a date such as 2026-03-31"],
  ],
  ["an unknown field", order, { count: 1, extra: 1 }, ["/extra is not allowed"]],
  [
    "several errors",
    order,
    { state: 5, address: {} },
    [
      "/count is required",
      '/state must be one of "open", false, 0, "", null',
      "/address/street is required",
    ],
  ],
  ["the root", { type: "number" }, "5", [" must be a number"]],
  ["one of two types", { type: ["string", "null"] }, 5, [" must be a string or null"]],
  [
    "an error in the only option whose constants match",
    {
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, n: { type: "number" } } },
        { type: "object", properties: { kind: { const: "b" }, n: { type: "string" } } },
      ],
    },
    { kind: "a", n: "x" },
    ["/n must be a number"],
  ],
  [
    "a value that matches no option",
    { anyOf: [{ type: "string" }, { type: "number" }] },
    true,
    [" must fit one of the allowed forms"],
  ],
];

const cases = rows.map(([what, schema, value, expected]): Case => ({
  what,
  schema,
  value,
  expected,
}));

describe("checkOutput reports", () => {
  it.each(cases)("$what", ({ schema, value, expected }) => {
    const errors = checkOutput(schema, value).map(
      ({ pointer, message }) => `${pointer} ${message}`,
    );
    expect(errors).toEqual(expected);
  });
});

const unusable: [what: string, schema: JsonValue | undefined][] = [
  ["no schema", undefined],
  ["a schema that is not an object", "string"],
  ["a type that does not exist", { type: "text" }],
  ["a reference that does not resolve", { $ref: "#/$defs/none" }],
  ["a reference to another document", { $ref: "https://example.com/order.json" }],
  ["a pattern that is not a regular expression", { type: "string", pattern: "(" }],
  ["an invalid nested schema", { type: "object", properties: { a: { items: { required: "b" } } } }],
];

const toRoot = { $ref: "#" };
const a = { $ref: "#/$defs/a" };
const b = { $ref: "#/$defs/b" };
const chain = Array.from({ length: 5_000 }, (_, at) => [
  at,
  { not: { $ref: `#/$defs/${at + 1}` } },
]);

/** JSON Schema leaves their meaning undefined; they must neither take long nor throw. */
const endless: [what: string, schema: JsonValue][] = [
  ["refers to itself", toRoot],
  ["refers to itself and has other keywords", { ...toRoot, minProperties: 5 }],
  ["contains itself twice in anyOf", { anyOf: [{ type: "string" }, toRoot, toRoot] }],
  ["contains itself three times in oneOf", { oneOf: [toRoot, toRoot, toRoot] }],
  ["contains itself in allOf", { allOf: [toRoot] }],
  ["contains itself in not", { not: toRoot }],
  ["contains itself in if", { if: toRoot }],
  ["contains itself in else", { if: { type: "string" }, then: {}, else: toRoot }],
  ["contains itself in dependentSchemas", { dependentSchemas: { any: toRoot } }],
  ["contains itself through others", { ...a, $defs: { a: { allOf: [b] }, b: { oneOf: [a] } } }],
  ["has a property with such a schema", { properties: { any: a }, $defs: { a } }],
  [
    "has a long chain of references",
    { $ref: "#/$defs/0", $defs: { ...Object.fromEntries(chain), 5000: true } as JsonValue },
  ],
];

describe("checkOutput accepts every value for a schema that", () => {
  it.each(endless)("%s", (_what, schema) => {
    expect(checkOutput(schema, { any: "thing" })).toEqual([]);
  });
});

describe("checkOutput accepts every value for", () => {
  it.each(unusable)("%s", (_what, schema) => {
    expect(checkOutput(schema, { any: "thing" })).toEqual([]);
  });
});

it.each<[JsonValue, JsonValue]>([
  [{ type: "boolean" }, false],
  [{ type: "number" }, 0],
  [{ type: "string" }, ""],
  [{ type: "null" }, null],
])("the schema %j accepts %j", (schema, value) => {
  expect(checkOutput(schema, value)).toEqual([]);
});

it("does not modify the schema", () => {
  const frozen = JSON.parse(JSON.stringify(order)) as JsonValue;
  Object.freeze(frozen);
  checkOutput(frozen, { count: 1 });
  expect(frozen).toEqual(order);
});
