import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { createDraft, getFormValue, listAnswerModes, toToolResult } from "./draft";
import { toFormSchema } from "./form-schema";
import { schemaValidator } from "./schema-validator";
import { switchMode } from "./switch-mode";

/** Of all work for one key, on a busy machine. The schemas below would take hours. */
const MAX_MS = 1_000;

const EVIL_TEXT = `${"a".repeat(60)}!`;

const call = (output_schema: JsonValue) => ({
  tool_call_id: "a",
  tool_name: "ask",
  args: {},
  output_schema,
});

/** All that the page computes for a call when a key is pressed. */
const compute = (schema: JsonValue): number => {
  const started = performance.now();
  const pending = call(schema);
  const draft = createDraft(pending);
  const value = getFormValue(pending, draft);
  toToolResult(pending, draft);
  const json = switchMode(pending, draft, listAnswerModes(pending)[1]);
  toToolResult(pending, json);
  switchMode(pending, json, "form");
  const form = toFormSchema(schema);
  if (form) schemaValidator.validateFormData(value, form);
  return performance.now() - started;
};

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
      "two references to itself for the same property",
      {
        allOf: [object({ n: { $ref: "#" } }), object({ n: { $ref: "#" } })],
        default: nest(28, (inner) => ({ n: inner }), {}),
      },
    ],
  ])("%s", (_what, schema) => {
    expect(compute(schema)).toBeLessThan(MAX_MS);
  });

  it("a deep answer that a person entered as JSON", () => {
    const pending = call(
      object({ next: { anyOf: [{ $ref: "#" }, { type: "null" }] }, name: { type: "string" } }),
    );
    const json = JSON.stringify(nest(28, (inner) => ({ next: inner }), {}));
    const draft = { ...createDraft(pending), mode: "json" as const, json };
    const started = performance.now();
    toToolResult(pending, switchMode(pending, draft, "form"));
    expect(performance.now() - started).toBeLessThan(MAX_MS);
  });
});

describe("ordinary schemas keep", () => {
  const errorsOf = (schema: JsonObject, value: JsonValue) =>
    toToolResult(call(schema), { ...createDraft(call(schema)), form: { value } });

  it.each<[pattern: string, text: string, fits: boolean]>([
    ["^[A-Z]{2,3}-\\d+$", "AB-12", true],
    ["^[A-Z]{2,3}-\\d+$", "ab-12", false],
    ["^v\\d+(?:\\.\\d+)?$", "v1.2", true],
    ["^v\\d+(?:\\.\\d+)?$", "1.2", false],
    ["^(?:yes|no)$", "maybe", false],
    ["^[(|)*+]$", "x", false],
    ["^\\(\\d+\\)\\*$", "(12)*", true],
  ])("the simple pattern %s for %j: fits %s", (pattern, text, fits) => {
    const schema = object({ a: { type: "string", pattern } });
    expect(errorsOf(schema, { a: text }).ok).toBe(fits);
  });

  it("the pattern in the message", () => {
    const schema = object({ a: { type: "string", pattern: "^1Z" } });
    expect(errorsOf(schema, { a: "2Z" })).toEqual({
      ok: false,
      errors: [{ pointer: "/a", message: "must match the pattern “^1Z”" }],
    });
  });

  it("a form for large and for recursive schemas", () => {
    const fields = Array.from({ length: 300 }, (_, index): [string, JsonValue] => [
      `field${index}`,
      { type: ["string", "null"] },
    ]);
    const wide = object(Object.fromEntries(fields));
    const lists = { type: "array", items: wide };
    const tree = object({
      name: { type: "string" },
      children: { type: "array", items: { $ref: "#" } },
    });
    for (const schema of [
      wide,
      object({ a: wide, b: { anyOf: [wide, { type: "null" }] } }),
      lists,
      tree,
    ]) {
      expect(toFormSchema(schema)).toBeDefined();
    }
  });

  it("their normalized schema between two keys", () => {
    const schema = object({ a: { type: "string" } });
    expect(toFormSchema(schema)).toBe(toFormSchema(schema));
  });
});
