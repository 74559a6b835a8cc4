import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { closestOption, completeOutput, startingOutput } from "./complete-output";
import { formSchema } from "./form-schema";

const drawn = (schema: JsonValue): JsonObject => formSchema(schema) ?? {};
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});
/** A schema whose `next` leads to itself. */
const node = (next: JsonObject): JsonObject =>
  object({ ok: { type: "boolean" }, next }, "ok", "next");

type Case = { what: string; schema: JsonValue; held?: JsonValue; means: JsonValue | undefined };

describe("completeOutput", () => {
  const falsy: Case[] = [
    { what: "a box that nobody ticked is false", schema: { type: "boolean" }, means: false },
    { what: "an empty text is a text", schema: { type: "string" }, means: "" },
    { what: "null is the only null", schema: { type: "null" }, means: null },
    {
      what: "an empty list is a list",
      schema: { type: "array", items: { type: "string" } },
      means: [],
    },
    { what: "zero stays", schema: { type: "number" }, held: 0, means: 0 },
    { what: "false stays", schema: { type: "boolean" }, held: false, means: false },
    {
      what: "required fields have their empty value",
      schema: object({ ok: { type: "boolean" }, note: { type: "string" } }, "ok", "note"),
      means: { ok: false, note: "" },
    },
    {
      what: "falsy choices stay",
      schema: object({ a: { enum: [false, 0, "", null] }, b: { enum: [0, null] } }, "a", "b"),
      held: { a: "", b: null },
      means: { a: "", b: null },
    },
  ];
  const open: Case[] = [
    { what: "a number is open", schema: { type: "number" }, means: undefined },
    { what: "a choice is open", schema: { enum: ["a", "b"] }, means: undefined },
    {
      what: "a choice with titles is open",
      schema: object({ a: { oneOf: [{ const: 1, title: "One" }, { const: 2 }] } }, "a"),
      means: {},
    },
    {
      what: "a text that must not be empty is open",
      schema: object({ a: { type: "string", minLength: 1 }, b: { format: "date" } }, "a", "b"),
      means: {},
    },
    { what: "a choice of one is made", schema: { const: "only" }, means: "only" },
  ];
  const optional: Case[] = [
    {
      what: "optional fields are left out",
      schema: object({ a: { type: "boolean" }, b: { type: "string" }, c: { const: 1 } }),
      means: {},
    },
    {
      what: "an optional false stays",
      schema: object({ a: { type: "boolean" } }),
      held: { a: false },
      means: { a: false },
    },
    {
      what: "an optional object is left out with all its fields",
      schema: object({ a: object({ b: { type: "boolean" } }, "b") }),
      means: {},
    },
    {
      what: "an optional object that was emptied again is left out",
      schema: object({ a: object({ b: { type: "string" } }) }),
      held: { a: {} },
      means: {},
    },
    {
      what: "an optional object that was begun is completed",
      schema: object({ a: object({ b: { type: "boolean" }, c: { type: "string" } }, "b") }),
      held: { a: { c: "x" } },
      means: { a: { b: false, c: "x" } },
    },
    {
      what: "a required object is there",
      schema: object({ a: object({ b: { type: "string" } }) }, "a"),
      means: { a: {} },
    },
  ];
  const nested: Case[] = [
    {
      what: "a new item of a list has its empty value",
      schema: { type: "array", items: { type: "string" } },
      held: ["a", null],
      means: ["a", ""],
    },
    {
      what: "an item may be null",
      schema: { type: "array", items: { type: ["string", "null"] } },
      held: [null],
      means: [null],
    },
    {
      what: "the fields of an item are completed",
      schema: { type: "array", items: object({ a: { type: "boolean" } }, "a") },
      held: [{}],
      means: [{ a: false }],
    },
    {
      what: "definitions are followed",
      schema: { $ref: "#/$defs/a", $defs: { a: object({ b: { type: "boolean" } }, "b") } },
      means: { b: false },
    },
    {
      what: "the first of several forms is meant",
      schema: object({ a: { type: ["string", "null"] } }, "a"),
      means: { a: "" },
    },
    {
      what: "null of several forms stays",
      schema: object({ a: { type: ["string", "null"] } }, "a"),
      held: { a: null },
      means: { a: null },
    },
    {
      what: "the fields of the chosen form are completed",
      schema: {
        oneOf: [
          object({ kind: { const: "a" }, x: { type: "string" } }, "kind", "x"),
          object({ kind: { const: "b" }, y: { type: "boolean" } }, "kind", "y"),
        ],
      },
      held: { kind: "b" },
      means: { kind: "b", y: false },
    },
    {
      what: "fields that depend on others are completed",
      schema: {
        ...object({ a: { type: "boolean" } }, "a"),
        if: { properties: { a: { const: true } } },
        then: object({ b: { type: "string" } }, "b"),
      },
      held: { a: true },
      means: { a: true, b: "" },
    },
    {
      what: "parts are put together",
      schema: {
        allOf: [object({ a: { type: "boolean" } }, "a"), object({ b: { type: "string" } }, "b")],
      },
      means: { a: false, b: "" },
    },
    {
      what: "a schema that contains itself comes to an end",
      schema: { properties: { child: { $ref: "#" }, ok: { type: "boolean" } }, required: ["ok"] },
      held: { child: { child: {} } },
      means: { ok: false },
    },
    {
      what: "a schema that requires itself is not filled in by itself",
      schema: node({ $ref: "#" }),
      means: { ok: false },
    },
    {
      what: "nor is it as the first option of what it requires",
      schema: node({ anyOf: [{ $ref: "#" }, { type: "null" }] }),
      means: { ok: false },
    },
    {
      what: "what somebody has opened of it is filled in, one level",
      schema: node({ anyOf: [{ $ref: "#" }, { type: "null" }] }),
      held: { next: {} },
      means: { ok: false, next: { ok: false } },
    },
    {
      what: "so is what somebody has added to its list",
      schema: node({ type: "array", items: { $ref: "#" } }),
      held: { next: [null] },
      means: { ok: false, next: [{ ok: false, next: [] }] },
    },
  ];
  it.each([...falsy, ...open, ...optional, ...nested])("$what", ({ schema, held, means }) => {
    expect(completeOutput(drawn(schema), held)).toEqual(means);
  });
});

describe("startingOutput", () => {
  const cases: Case[] = [
    {
      what: "has the defaults of optional fields too",
      schema: object({ a: { type: "string", default: "x" }, b: { type: "number", default: 0 } }),
      means: { a: "x", b: 0 },
    },
    {
      what: "has the defaults inside of optional objects",
      schema: object({ a: object({ b: { type: "boolean", default: false } }) }),
      means: { a: { b: false } },
    },
    {
      what: "has nothing for optional fields without one",
      schema: object({ a: { type: "string" }, b: object({ c: { type: "string" } }, "c") }),
      means: {},
    },
    { what: "is open for a number", schema: { type: "number" }, means: undefined },
    {
      what: "leaves out what a schema has inside itself",
      schema: object({ name: { type: "string", default: "x" }, next: { $ref: "#" } }),
      means: { name: "x" },
    },
    {
      what: "has a default once, not inside itself again",
      schema: object({ a: { default: { b: 1 }, anyOf: [{ anyOf: [{ $ref: "#" }, {}] }, false] } }),
      means: { a: { b: 1 } },
    },
    {
      what: "leaves out what a named schema has inside itself",
      schema: {
        $defs: {
          node: object({ on: { type: "boolean", default: true }, next: { $ref: "#/$defs/node" } }),
        },
        ...object({ first: { $ref: "#/$defs/node" }, other: { $ref: "#/$defs/node" } }),
      },
      means: { first: { on: true }, other: { on: true } },
    },
  ];
  it.each(cases)("$what", ({ schema, means }) => {
    expect(startingOutput(drawn(schema))).toEqual(means);
  });
});

describe("closestOption", () => {
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
  ])("takes %j for option %i", (value, option) => {
    expect(closestOption(options, value, {})).toBe(option);
  });
});
