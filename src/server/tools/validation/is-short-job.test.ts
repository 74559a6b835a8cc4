import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { SUBSCHEMA_KEYWORDS } from "@/contract/usable-schema";
import { isShortJob } from "./is-short-job";

const isShort = (schema: JsonValue, value: JsonValue, count = 1): boolean =>
  isShortJob(
    Array.from({ length: count }, () => ({ schema, text: JSON.stringify(schema), value })),
  );

const OBJECT = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    city: { type: "string", description: "A city", minLength: 1 },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    units: { enum: ["metric", "imperial"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 5 },
  },
  required: ["city"],
  additionalProperties: false,
};

describe("a job is short", () => {
  it("with an ordinary schema and value", () => {
    expect(isShort(OBJECT, { city: "Rome", days: 2, tags: ["a", "b"] })).toBe(true);
    expect(isShort(true, 1)).toBe(true);
  });

  it("with a property that has the name of a costly keyword", () => {
    expect(isShort({ properties: { pattern: { type: "string" }, $ref: true } }, {})).toBe(true);
  });
});

describe("a job needs a thread", () => {
  it.each([
    ["a pattern", { pattern: "^(a+)+$" }],
    ["a pattern of names", { patternProperties: { "^(a|a)*$": true } }],
    ["a format", { format: "url" }],
    ["a reference", { $ref: "#" }],
    ["a dynamic reference", { $dynamicRef: "#" }],
    ["a recursive reference", { $recursiveRef: "#" }],
    ["choices", { anyOf: [true, true] }],
    ["unique items", { uniqueItems: true }],
    ["a multiple", { multipleOf: 1e-300 }],
    ["an unknown keyword", { unknown: 1 }],
    ["a list of schemas", { items: [{ type: "string" }] }],
    ["an unusable schema", "text"],
  ] as [string, JsonValue][])("with %s, however deep", (_what, schema) => {
    expect(isShort(schema, 1)).toBe(false);
    expect(isShort({ items: schema }, 1)).toBe(false);
    expect(isShort({ properties: { a: { additionalProperties: schema } } }, 1)).toBe(false);
  });

  it("with a long value, a long schema, or many of them", () => {
    const items = { items: { type: "string" } };
    expect(
      isShort(
        items,
        Array.from({ length: 10_000 }, () => "a"),
      ),
    ).toBe(false);
    expect(isShort(items, "a".repeat(100_000))).toBe(false);
    expect(isShort({ enum: Array.from({ length: 20_000 }, (_, at) => at) }, 1)).toBe(false);
    expect(isShort(items, "a".repeat(1_000), 100)).toBe(false);
  });
});

const LOOKED_INTO = new Set(["additionalProperties", "items", "properties"]);

it.each([...SUBSCHEMA_KEYWORDS.keys()].filter((keyword) => !LOOKED_INTO.has(keyword)))(
  "a job needs a thread with the subschemas of %s",
  (keyword) => {
    for (const held of [{}, [{}], { a: {} }]) expect(isShort({ [keyword]: held }, 1)).toBe(false);
  },
);
