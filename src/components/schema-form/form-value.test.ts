import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { toFormSchema } from "./to-form-schema";
import { toOutput } from "./form-value";
import { findOption } from "./field-value";
import { createInitialValue } from "./initial-value";

const form = (schema: JsonValue): JsonObject => toFormSchema(schema) ?? {};
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
});
const payment: JsonObject = {
  oneOf: [
    object({ kind: { const: "card" }, last_four: { type: "string" } }, "kind", "last_four"),
    object({ kind: { const: "invoice" }, net_days: { type: "integer" } }, "kind", "net_days"),
  ],
};

describe("an untouched required field has no answer:", () => {
  it.each<[what: string, schema: JsonObject]>([
    ["text", { type: "string" }],
    ["number", { type: "number" }],
    ["boolean", { type: "boolean" }],
    ["enum", { enum: ["a", "b"] }],
    ["constant", { const: true }],
    ["null", { type: "null" }],
    ["list", { type: "array", items: { type: "string" } }],
    ["choice", payment],
    ["nullable text", { type: ["string", "null"] }],
    ["JSON", {}],
  ])("%s", (_what, schema) => {
    const value = createInitialValue(form(object({ a: schema }, "a")));
    expect(value).toBeUndefined();
    expect(toOutput(form(object({ a: schema }, "a")), value).errors).toEqual([
      { pointer: "/a", message: "is required" },
    ]);
  });

  it("object, whose fields ask themselves", () => {
    const schema = form(object({ a: object({ b: { type: "boolean" } }, "b") }, "a"));
    expect(toOutput(schema, undefined).errors).toEqual([
      { pointer: "/a/b", message: "is required" },
    ]);
  });
});

describe("toOutput returns", () => {
  type Case = {
    what: string;
    schema: JsonObject;
    value?: JsonValue;
    output: JsonValue | undefined;
  };
  const person = object({ name: { type: "string" }, vip: { type: "boolean" } }, "name");
  const cases: Case[] = [
    { what: "nothing for an untouched value", schema: { type: "number" }, output: undefined },
    { what: "false", schema: { type: "boolean" }, value: false, output: false },
    {
      what: "a value that is only read, also one that a draft has changed",
      schema: object({ a: { type: "string", readOnly: true, default: "x" } }),
      value: { a: "y" },
      output: { a: "x" },
    },
    {
      what: "the names and values of a map",
      schema: { type: "object", additionalProperties: { type: ["number", "null"] } },
      value: [
        ["b", 1],
        ["2", null],
      ],
      output: { b: 1, "2": null },
    },
    {
      what: "no map without names",
      schema: object({ a: { type: "object", additionalProperties: { type: "string" } } }),
      value: { a: [] },
      output: {},
    },
    {
      what: "the items of all places",
      schema: { type: "array", prefixItems: [{ type: "string" }, { type: ["integer", "null"] }] },
      value: ["x", null],
      output: ["x", null],
    },
    {
      what: "no items of places that are empty",
      schema: object({ a: { type: "array", prefixItems: [{ type: "string" }] } }),
      value: { a: [null] },
      output: {},
    },
    {
      what: "no field of a condition that is not met",
      schema: {
        ...object({ way: { enum: ["post", "none"] } }),
        if: { properties: { way: { const: "post" } }, required: ["way"] },
        then: { properties: { street: { type: "string" } } },
      },
      value: { way: "none", street: "Main Street" },
      output: { way: "none" },
    },
    {
      what: "the constants of an option in an option",
      schema: object({ a: { oneOf: [payment, { type: "string" }] } }, "a"),
      value: { a: { kind: "invoice", net_days: 3 } },
      output: { a: { kind: "invoice", net_days: 3 } },
    },
    { what: "zero", schema: { type: "number" }, value: 0, output: 0 },
    { what: "empty text that was chosen", schema: { type: "string" }, value: "", output: "" },
    { what: "a selected null", schema: { enum: [0, null] }, value: null, output: null },
    {
      what: "an empty list that was chosen",
      schema: { type: "array", items: { type: "string" } },
      value: [],
      output: [],
    },
    {
      what: "no optional field that is not filled in",
      schema: object({ a: { type: "boolean" }, b: person, c: payment, d: { const: 1 } }),
      output: {},
    },
    {
      what: "no optional object whose fields were cleared",
      schema: object({ a: person }),
      value: { a: {} },
      output: {},
    },
    {
      what: "a required object without required fields",
      schema: object({ a: object({ b: { type: "string" } }) }, "a"),
      output: { a: {} },
    },
    {
      what: "no null where none is allowed",
      schema: object({ a: { type: "string" } }),
      value: { a: null },
      output: {},
    },
    {
      what: "fields that only JSON can add",
      schema: person,
      value: { name: "Ada", age: null },
      output: { name: "Ada", age: null },
    },
    {
      what: "the fields of the selected option",
      schema: object({ a: payment }, "a"),
      value: { a: { kind: "invoice", net_days: 3 } },
      output: { a: { kind: "invoice", net_days: 3 } },
    },
  ];
  it.each(cases)("$what", ({ schema, value, output }) => {
    expect(toOutput(form(schema), value)).toEqual({ value: output, errors: [] });
  });
});

describe("toOutput reports", () => {
  type Case = { what: string; schema: JsonObject; value: JsonValue; error: string };
  const cases: Case[] = [
    {
      what: "an item that is not filled in",
      schema: { type: "array", items: { type: "boolean" } },
      value: [true, null],
      error: "/1 is required",
    },
    {
      what: "a field of an item",
      schema: { type: "array", items: object({ a: { type: "string" } }, "a") },
      value: [null],
      error: "/0/a is required",
    },
    {
      what: "a field of a partly filled optional object",
      schema: object({ a: object({ b: { type: "string" }, c: { type: "string" } }, "b") }),
      value: { a: { c: "x" } },
      error: "/a/b is required",
    },
    {
      what: "a field of the selected option",
      schema: object({ a: payment }, "a"),
      value: { a: { kind: "invoice" } },
      error: "/a/net_days is required",
    },
    {
      what: "text that is no JSON object",
      schema: object({ a: { type: "object" } }),
      value: { a: '{"b": ' },
      error: "/a must be a JSON object",
    },
    {
      what: "a required field of a condition that is met",
      schema: {
        ...object({ way: { enum: ["post", "none"] } }),
        if: { properties: { way: { const: "post" } }, required: ["way"] },
        then: { properties: { street: { type: "string" } }, required: ["street"] },
      },
      value: { way: "post" },
      error: "/street is required",
    },
    {
      what: "a name of a map that is missing",
      schema: { type: "object", additionalProperties: { type: "string" } },
      value: [["", "x"]],
      error: "/ needs a name",
    },
    {
      what: "a name of a map that is there twice",
      schema: { type: "object", additionalProperties: { type: "string" } },
      value: [
        ["a", "x"],
        ["a", "y"],
      ],
      error: "/a is there twice",
    },
    {
      what: "a value of a map that is missing",
      schema: { type: "object", additionalProperties: { type: "string" } },
      value: [["a", null]],
      error: "/a is required",
    },
    {
      what: "an item of a place that is missing",
      schema: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
      value: ["x", null],
      error: "/1 is required",
    },
    {
      what: "a text with two meanings for a number or none",
      schema: { type: ["number", "null"] },
      value: "1,000",
      error: " can mean 1000 or 1.000: enter the one that you mean",
    },
    {
      what: "a text for a whole number or none",
      schema: { type: ["integer", "null"] },
      value: "many",
      error: " must be a whole number",
    },
    {
      what: "a file that is not in base64",
      schema: { type: "string", contentEncoding: "base64" },
      value: "Hello!",
      error: " must be a file in base64",
    },
    {
      what: "a text that is no JSON",
      schema: object({ a: { type: "string", contentMediaType: "application/json" } }),
      value: { a: "{" },
      error:
        "/a is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    },
    {
      what: "an infinite number",
      schema: { type: "number" },
      value: Number.POSITIVE_INFINITY,
      error: " must be a number",
    },
  ];
  it.each(cases)("$what", ({ schema, value, error }) => {
    const { errors } = toOutput(form(schema), value);
    expect(errors.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([error]);
  });
});

describe("createInitialValue", () => {
  it("has the defaults of single fields", () => {
    const schema = object({
      a: { type: "string", default: "x" },
      b: object({ c: { type: "boolean", default: false } }),
      d: { enum: [1, 2], default: 2 },
      e: { type: "string" },
    });
    expect(createInitialValue(form(schema))).toEqual({ a: "x", b: { c: false }, d: 2 });
  });

  it("has defaults of lists, objects, choices and JSON, and those of the fields in them", () => {
    const line = object({ sku: { type: "string" }, quantity: { type: "integer", default: 1 } });
    const schema = object({
      a: { type: "array", items: { type: "string" }, default: ["x"] },
      b: { type: "array", items: line, default: [{ sku: "s" }] },
      d: { anyOf: [{ type: "string" }, { type: "number" }], default: "x" },
      e: { default: { f: 1 } },
      g: { ...line, default: { sku: "t" } },
      h: { type: ["string", "null"], default: null },
      i: { type: "object", additionalProperties: { type: "string" }, default: { k: "v" } },
    });
    expect(createInitialValue(form(schema))).toEqual({
      a: ["x"],
      b: [{ sku: "s", quantity: 1 }],
      d: "x",
      e: { f: 1 },
      g: { sku: "t", quantity: 1 },
      h: null,
      i: { k: "v" },
    });
  });

  it("has no default of which fields would not show all, or too much", () => {
    const schema = object({
      a: { ...object({ c: { type: "string" } }), default: { c: "x", hidden: 1 } },
      b: {
        type: "array",
        items: { type: "number" },
        default: Array.from({ length: 2_000 }, () => 1),
      },
    });
    expect(createInitialValue(form(schema))).toBeUndefined();
  });

  it("has the constants of an option", () => {
    const [card = {}] = form(payment).anyOf as JsonObject[];
    expect(createInitialValue(card)).toEqual({ kind: "card" });
  });
});

describe("findOption", () => {
  const options: JsonObject[] = [
    { type: "string" },
    { type: "integer" },
    object({ kind: { const: "a" }, x: { type: "number" } }, "kind", "x"),
    object({ kind: { const: "b" }, y: { type: "number" } }, "kind", "y"),
    object({ z: { type: "number" } }),
    { const: null },
  ];
  it("takes names that no object has for those of a map", () => {
    const map = { type: "object", additionalProperties: { type: "string" } };
    const [known = {}] = options.slice(4);
    expect(findOption([known, map], { other: "x" })).toBe(1);
    expect(findOption([known, map], [["other", "x"]])).toBe(1);
    expect(findOption([known, map], { z: 1 })).toBe(0);
  });

  it.each<[value: JsonValue | undefined, option: number]>([
    [undefined, -1],
    ["", 0],
    [0, 1],
    [{ kind: "a" }, 2],
    [{ kind: "b" }, 3],
    [{ kind: "b", x: 1 }, 3],
    [{ z: 1 }, 4],
    [null, 5],
    [true, -1],
  ])("matches %j to option %i", (value, option) => {
    expect(findOption(options, value)).toBe(option);
  });
});
