import { describe, expect, it } from "vitest";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { runWithLimit } from "@/test/run-with-limit";
import { createDraft, listAnswerModes, toToolResult } from "@/components/answers/draft";
import { toFormSchema } from "./to-form-schema";
import { ANY_JSON } from "./form-keywords";
import { switchMode } from "@/components/answers/switch-mode";

const EVIL_TEXT = `${"a".repeat(60)}!`;

const call = (output_schema: JsonValue) => ({
  tool_call_id: "a",
  tool_name: "ask",
  args: {},
  output_schema,
});

/** Computes what the page does for a call when a key is pressed. */
const compute = (schema: JsonValue): void => {
  const pending = call(schema);
  const draft = createDraft(pending);
  toToolResult(pending, draft);
  const json = switchMode(pending, draft, listAnswerModes(pending)[1]);
  toToolResult(pending, json);
  switchMode(pending, json, "form");
  const form = { value: getDefault(schema) };
  toToolResult(pending, { ...draft, form });
  toToolResult(pending, { ...draft, mode: "json", json: JSON.stringify(form.value) });
};

const getDefault = (schema: JsonValue): JsonValue =>
  (isJsonObject(schema) ? schema.default : undefined) ?? { a: EVIL_TEXT };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

/** Definitions of which each has the next one twice. */
const doubling = (keyword: string, length = 40): JsonObject => ({
  ...object({ a: { $ref: "#/$defs/0" } }, { required: ["a"] }),
  $defs: Object.fromEntries(
    Array.from({ length: length + 1 }, (_, index) => {
      const next = { $ref: `#/$defs/${index + 1}` };
      const both = keyword === "properties" ? { a: next, b: next } : [next, next];
      return [index, index === length ? { type: "string" } : { [keyword]: both }];
    }),
  ),
});

const nest = (depth: number, wrap: (inner: JsonValue) => JsonValue, inner: JsonValue): JsonValue =>
  depth === 0 ? inner : nest(depth - 1, wrap, wrap(inner));

const options = (count: number, name: string): JsonObject => ({
  anyOf: Array.from({ length: count }, (_, index) => object({ [`${name}${index}`]: {} })),
});

describe("the page stays responsive with", () => {
  it.each<[what: string, schema: JsonValue]>([
    [
      "a default that a pattern backtracks on",
      object({ a: { type: "string", pattern: "^(a+)+$", default: EVIL_TEXT } }),
    ],
    ["a value of the root", { type: "string", pattern: "(a|a)*$", default: EVIL_TEXT }],
    [
      "many quantifiers in a row",
      { type: "string", pattern: `${"a*".repeat(30)}$`, default: EVIL_TEXT },
    ],
    ["a counted group", { type: "string", pattern: "(?:a{1,20}){1,20}$", default: EVIL_TEXT }],
    [
      "many optional letters",
      { type: "string", pattern: `${"a?".repeat(40)}${"a".repeat(40)}$`, default: EVIL_TEXT },
    ],
    [
      "a choice by a pattern",
      object({
        a: {
          default: EVIL_TEXT,
          anyOf: [{ type: "string", pattern: "^(a+)+$" }, { type: "string" }],
        },
      }),
    ],
    [
      "a condition with a pattern",
      {
        ...object({ a: { type: "string", default: EVIL_TEXT } }),
        if: { properties: { a: { pattern: "^(a+)+$" } } },
        then: object({ b: { type: "string" } }),
      },
    ],
    [
      "a pattern in a schema that only a reference finds",
      {
        ...object({ a: { $ref: "#/x-hidden/a", default: EVIL_TEXT } }),
        "x-hidden": { a: { type: "string", pattern: "^(a+)+$" } },
      },
    ],
    [
      "a pattern for names",
      {
        ...object({}, { additionalProperties: { type: "number" } }),
        patternProperties: { "^(a+)+$": { type: "number" } },
        default: { [EVIL_TEXT]: 1 },
      },
    ],
    [
      "a format that backtracks",
      object({ a: { type: "string", format: "url", default: `http://${EVIL_TEXT}` } }),
    ],
    [
      "unique items in a long list",
      {
        type: "array",
        items: { type: "number" },
        uniqueItems: true,
        default: Array.from({ length: 30_000 }, (_, index) => index % 10),
      },
    ],
    [
      "properties in a chain of thousands of references",
      {
        ...object({ a: { $ref: "#/$defs/0" } }),
        $defs: Object.fromEntries(
          Array.from({ length: 3_000 }, (_, index) => [
            index,
            object({ a: { $ref: `#/$defs/${index < 2_999 ? index + 1 : 0}` } }),
          ]),
        ),
      },
    ],
    ["references that double in properties", doubling("properties")],
    ["references that double in allOf", doubling("allOf")],
    ["references that double in anyOf", doubling("anyOf")],
    ["references that double in oneOf", doubling("oneOf")],
    ["references that double in few steps", doubling("anyOf", 12)],
    [
      "all types at each level",
      nest(
        10,
        (inner) => ({ type: ["object", "array", "string", "null"], properties: { a: inner } }),
        {},
      ),
    ],
    [
      "choices that combine",
      { ...object({}), allOf: Array.from({ length: 12 }, (_, at) => options(10, `p${at}x`)) },
    ],
    [
      "a list of itself with a deep default",
      {
        ...object({
          next: { anyOf: [{ $ref: "#" }, { type: "null" }, { $ref: "#" }] },
          name: { type: "string" },
        }),
        default: nest(28, (inner) => ({ next: inner }), {}),
      },
    ],
    [
      "many references to itself",
      object(
        Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [
            `p${at}`,
            { type: "array", items: { $ref: "#" } },
          ]),
        ),
      ),
    ],
    [
      "conditions in conditions",
      {
        $ref: "#/$defs/0",
        $defs: Object.fromEntries(
          Array.from({ length: 41 }, (_, index) => {
            const next = {
              allOf: [{ $ref: `#/$defs/${index + 1}` }, { $ref: `#/$defs/${index + 1}` }],
            };
            const own = object({ [`p${index}`]: { type: "string" } });
            return [index, index === 40 ? own : { ...own, if: next, then: next, else: next }];
          }),
        ),
      },
    ],
    [
      "a condition of many parts with a pattern",
      {
        ...object({ a: { type: "string", default: EVIL_TEXT } }),
        allOf: Array.from({ length: 200 }, (_, at) => ({
          if: { anyOf: [{ not: { properties: { a: { pattern: "^(a+)+$" } } } }] },
          then: { properties: { [`b${at}`]: { type: "string" } } },
        })),
      },
    ],
    [
      "a pattern for names, with a map",
      {
        type: "object",
        patternProperties: { "^(a+)+$": { type: "number" } },
        additionalProperties: false,
        default: { [EVIL_TEXT]: 1 },
      },
    ],
    [
      "dependent schemas that depend on each other",
      {
        ...object({ p0: { type: "string", default: "x" } }),
        dependentSchemas: Object.fromEntries(
          Array.from({ length: 300 }, (_, at) => [
            `p${at}`,
            { properties: { [`p${at + 1}`]: { type: "string", default: "x" } } },
          ]),
        ),
      },
    ],
    [
      "choices in choices",
      nest(
        12,
        (inner) => ({
          anyOf: [inner, object({ a: inner }, { required: ["a"] }), { type: "null" }],
        }),
        { type: "string" },
      ),
    ],
    [
      "a file of a megabyte that is none",
      { type: "string", format: "byte", default: "A".repeat(1_000_001) },
    ],
    [
      "two references to itself for the same property",
      {
        allOf: [object({ n: { $ref: "#" } }), object({ n: { $ref: "#" } })],
        default: nest(28, (inner) => ({ n: inner }), {}),
      },
    ],
  ])("%s", (_what, schema) => {
    runWithLimit(() => compute(schema));
  });

  it("a deep answer that a person entered as JSON", () => {
    const pending = call(
      object({ next: { anyOf: [{ $ref: "#" }, { type: "null" }] }, name: { type: "string" } }),
    );
    const json = JSON.stringify(nest(28, (inner) => ({ next: inner }), {}));
    const draft = { ...createDraft(pending), mode: "json" as const, json };
    runWithLimit(() => toToolResult(pending, switchMode(pending, draft, "form")));
  });
});

/** The controls of a form, which the page renders. */
const countControls = (part: JsonValue | undefined): number => {
  if (Array.isArray(part)) return part.reduce<number>((sum, one) => sum + countControls(one), 0);
  if (!isJsonObject(part)) return 0;
  const values = Array.isArray(part.enum) ? part.enum.length : 0;
  const inner = [
    part.items,
    part.anyOf,
    part.prefixItems,
    part.additionalProperties,
    Array.isArray(part.allOf)
      ? part.allOf.filter(isJsonObject).flatMap((one) => [one.then ?? [], one.else ?? []])
      : [],
    Object.values(isJsonObject(part.properties) ? part.properties : {}),
  ];
  return 1 + values + countControls(inner.filter((one) => one !== undefined));
};

const strings = (count: number): JsonObject =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${index}`, { type: "string" }]),
  );

describe("a form has no more than a thousand controls for", () => {
  it.each<[what: string, schema: JsonValue]>([
    ["references that double in properties", doubling("properties")],
    ["many fields", object(strings(20_000))],
    [
      "many fields in conditions",
      {
        ...object({ a: { type: "string" } }),
        allOf: Array.from({ length: 40 }, (_, at) => ({
          if: { required: ["a"] },
          then: object({ [`c${at}`]: object(strings(50)) }),
        })),
      },
    ],
    [
      "many places",
      { type: "array", prefixItems: Array.from({ length: 5_000 }, () => ({ type: "string" })) },
    ],
    [
      "many references to itself",
      object(
        Object.fromEntries(
          Array.from({ length: 30 }, (_, at) => [
            `p${at}`,
            { type: "array", items: { $ref: "#" } },
          ]),
        ),
      ),
    ],
    ["choices of choices", doubling("oneOf")],
    ["many values", { enum: Array.from({ length: 20_000 }, (_, index) => index) }],
    [
      "references to the same large object",
      {
        ...object({ a: { $ref: "#/$defs/a" }, b: { $ref: "#/$defs/a" }, c: { $ref: "#/$defs/a" } }),
        $defs: { a: object(strings(400)) },
      },
    ],
  ])("%s", (_what, schema) => {
    expect(countControls(toFormSchema(schema))).toBeLessThanOrEqual(1_000);
  });

  it("a large but ordinary schema", () => {
    const form = toFormSchema(object({ a: object(strings(200)), b: { enum: ["x", "y"] } }));
    expect(countControls(form)).toBe(1 + 201 + 3);
  });
});

describe("a form has no field for", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("a property %s", (name) => {
    const properties = JSON.parse(`{"${name}": {"type": "string"}}`) as JsonObject;
    expect(toFormSchema(object(properties))).toBeUndefined();
    expect(toFormSchema(object({ inner: object(properties) }))).toMatchObject({
      properties: { inner: { [ANY_JSON]: "object" } },
    });
  });
});

it("an answer in JSON keeps its own keys, whatever they are called", () => {
  const pending = call(object({ a: { type: "string" } }));
  const json = '{"a": "x", "__proto__": {"admin": true}, "constructor": 1}';
  const draft = { ...createDraft(pending), mode: "json" as const, json };
  for (const one of [draft, switchMode(pending, draft, "form")]) {
    const result = toToolResult(pending, one);
    expect(result.ok && JSON.stringify(result.result.output)).toBe(
      JSON.stringify(JSON.parse(json)),
    );
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("admin");
});

it("the form of a schema is the same between two keys", () => {
  const schema = object({ a: { type: "string" } });
  expect(toFormSchema(schema)).toBe(toFormSchema(schema));
});
