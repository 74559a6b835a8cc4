import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { findClosestOption, completeOutput, createInitialOutput } from "./complete-output";
import { toFormSchema } from "./form-schema";

const normalize = (schema: JsonValue): JsonObject => toFormSchema(schema) ?? {};
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});
/** A schema whose `next` refers to the schema itself. */
const node = (next: JsonObject): JsonObject =>
  object({ ok: { type: "boolean" }, next }, "ok", "next");

type Case = { what: string; schema: JsonValue; value?: JsonValue; expected: JsonValue | undefined };

describe("completeOutput", () => {
  const falsy: Case[] = [
    { what: "an untouched checkbox is false", schema: { type: "boolean" }, expected: false },
    { what: "an empty text is an empty string", schema: { type: "string" }, expected: "" },
    { what: "a null field is null", schema: { type: "null" }, expected: null },
    {
      what: "an empty list is an empty array",
      schema: { type: "array", items: { type: "string" } },
      expected: [],
    },
    { what: "zero is kept", schema: { type: "number" }, value: 0, expected: 0 },
    { what: "false is kept", schema: { type: "boolean" }, value: false, expected: false },
    {
      what: "required fields get their empty value",
      schema: object({ ok: { type: "boolean" }, note: { type: "string" } }, "ok", "note"),
      expected: { ok: false, note: "" },
    },
    {
      what: "falsy choices are kept",
      schema: object({ a: { enum: [false, 0, "", null] }, b: { enum: [0, null] } }, "a", "b"),
      value: { a: "", b: null },
      expected: { a: "", b: null },
    },
  ];
  const open: Case[] = [
    {
      what: "a number without input is undefined",
      schema: { type: "number" },
      expected: undefined,
    },
    {
      what: "a choice without selection is undefined",
      schema: { enum: ["a", "b"] },
      expected: undefined,
    },
    {
      what: "a choice with titles and without selection is omitted",
      schema: object({ a: { oneOf: [{ const: 1, title: "One" }, { const: 2 }] } }, "a"),
      expected: {},
    },
    {
      what: "a text that must not be empty is omitted",
      schema: object({ a: { type: "string", minLength: 1 }, b: { format: "date" } }, "a", "b"),
      expected: {},
    },
    { what: "a constant is filled in", schema: { const: "only" }, expected: "only" },
  ];
  const optional: Case[] = [
    {
      what: "optional fields are omitted",
      schema: object({ a: { type: "boolean" }, b: { type: "string" }, c: { const: 1 } }),
      expected: {},
    },
    {
      what: "an optional false is kept",
      schema: object({ a: { type: "boolean" } }),
      value: { a: false },
      expected: { a: false },
    },
    {
      what: "an optional object is omitted with all its fields",
      schema: object({ a: object({ b: { type: "boolean" } }, "b") }),
      expected: {},
    },
    {
      what: "a cleared optional object is omitted",
      schema: object({ a: object({ b: { type: "string" } }) }),
      value: { a: {} },
      expected: {},
    },
    {
      what: "a partly filled optional object is completed",
      schema: object({ a: object({ b: { type: "boolean" }, c: { type: "string" } }, "b") }),
      value: { a: { c: "x" } },
      expected: { a: { b: false, c: "x" } },
    },
    {
      what: "a required object is created",
      schema: object({ a: object({ b: { type: "string" } }) }, "a"),
      expected: { a: {} },
    },
  ];
  const nested: Case[] = [
    {
      what: "a new list item gets its empty value",
      schema: { type: "array", items: { type: "string" } },
      value: ["a", null],
      expected: ["a", ""],
    },
    {
      what: "an item can be null",
      schema: { type: "array", items: { type: ["string", "null"] } },
      value: [null],
      expected: [null],
    },
    {
      what: "the fields of an item are completed",
      schema: { type: "array", items: object({ a: { type: "boolean" } }, "a") },
      value: [{}],
      expected: [{ a: false }],
    },
    {
      what: "references are resolved",
      schema: { $ref: "#/$defs/a", $defs: { a: object({ b: { type: "boolean" } }, "b") } },
      expected: { b: false },
    },
    {
      what: "a choice without value uses its first option",
      schema: object({ a: { type: ["string", "null"] } }, "a"),
      expected: { a: "" },
    },
    {
      what: "null is kept if an option allows it",
      schema: object({ a: { type: ["string", "null"] } }, "a"),
      value: { a: null },
      expected: { a: null },
    },
    {
      what: "the fields of the selected option are completed",
      schema: {
        oneOf: [
          object({ kind: { const: "a" }, x: { type: "string" } }, "kind", "x"),
          object({ kind: { const: "b" }, y: { type: "boolean" } }, "kind", "y"),
        ],
      },
      value: { kind: "b" },
      expected: { kind: "b", y: false },
    },
    {
      what: "conditional fields are completed",
      schema: {
        ...object({ a: { type: "boolean" } }, "a"),
        if: { properties: { a: { const: true } } },
        then: object({ b: { type: "string" } }, "b"),
      },
      value: { a: true },
      expected: { a: true, b: "" },
    },
    {
      what: "the parts of allOf are merged",
      schema: {
        allOf: [object({ a: { type: "boolean" } }, "a"), object({ b: { type: "string" } }, "b")],
      },
      expected: { a: false, b: "" },
    },
    {
      what: "a recursive schema ends",
      schema: { properties: { child: { $ref: "#" }, ok: { type: "boolean" } }, required: ["ok"] },
      value: { child: { child: {} } },
      expected: { ok: false },
    },
    {
      what: "a schema that requires itself is not completed again",
      schema: node({ $ref: "#" }),
      expected: { ok: false },
    },
    {
      what: "a schema that requires itself as first option is not completed again",
      schema: node({ anyOf: [{ $ref: "#" }, { type: "null" }] }),
      expected: { ok: false },
    },
    {
      what: "an added level of a recursive schema is completed",
      schema: node({ anyOf: [{ $ref: "#" }, { type: "null" }] }),
      value: { next: {} },
      expected: { ok: false, next: { ok: false } },
    },
    {
      what: "an added item of a recursive list is completed",
      schema: node({ type: "array", items: { $ref: "#" } }),
      value: { next: [null] },
      expected: { ok: false, next: [{ ok: false, next: [] }] },
    },
  ];
  it.each([...falsy, ...open, ...optional, ...nested])("$what", ({ schema, value, expected }) => {
    expect(completeOutput(normalize(schema), value)).toEqual(expected);
  });
});

describe("createInitialOutput", () => {
  const cases: Case[] = [
    {
      what: "uses the defaults of optional fields",
      schema: object({ a: { type: "string", default: "x" }, b: { type: "number", default: 0 } }),
      expected: { a: "x", b: 0 },
    },
    {
      what: "uses the defaults in optional objects",
      schema: object({ a: object({ b: { type: "boolean", default: false } }) }),
      expected: { a: { b: false } },
    },
    {
      what: "omits optional fields without default",
      schema: object({ a: { type: "string" }, b: object({ c: { type: "string" } }, "c") }),
      expected: {},
    },
    { what: "is undefined for a number", schema: { type: "number" }, expected: undefined },
    {
      what: "omits the recursion of a schema",
      schema: object({ name: { type: "string", default: "x" }, next: { $ref: "#" } }),
      expected: { name: "x" },
    },
    {
      what: "uses the default of a recursive schema once",
      schema: object({ a: { default: { b: 1 }, anyOf: [{ anyOf: [{ $ref: "#" }, {}] }, false] } }),
      expected: { a: { b: 1 } },
    },
    {
      what: "omits the recursion of a definition",
      schema: {
        $defs: {
          node: object({ on: { type: "boolean", default: true }, next: { $ref: "#/$defs/node" } }),
        },
        ...object({ first: { $ref: "#/$defs/node" }, other: { $ref: "#/$defs/node" } }),
      },
      expected: { first: { on: true }, other: { on: true } },
    },
  ];
  it.each(cases)("$what", ({ schema, expected }) => {
    expect(createInitialOutput(normalize(schema))).toEqual(expected);
  });
});

describe("findClosestOption", () => {
  const options: JsonValue[] = [
    { type: "string" },
    { type: "number" },
    object({ kind: { enum: ["a"] }, x: { type: "number" } }, "kind", "x"),
    object({ kind: { enum: ["b"] }, y: { type: "number" } }, "kind", "y"),
    { type: "null" },
  ];
  it.each<[value: JsonValue | undefined, option: number]>([
    [undefined, 0],
    ["", 0],
    [0, 1],
    [{ kind: "a" }, 2],
    [{ kind: "b" }, 3],
    [{ kind: "b", x: 1 }, 3],
    [null, 4],
  ])("matches %j to option %i", (value, option) => {
    expect(findClosestOption(options, value, {})).toBe(option);
  });
});
