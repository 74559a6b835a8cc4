import { expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { omitNulls } from "./omit-nulls";

const city = { type: "string" };

it.each<[what: string, schema: JsonValue, value: JsonValue, expected: JsonValue]>([
  ["an optional text", { properties: { city } }, { city: null }, {}],
  ["one of several", { properties: { a: city, b: city } }, { a: null, b: "x" }, { b: "x" }],
  [
    "in an object of an object",
    { properties: { at: { type: "object", properties: { city } } } },
    { at: { city: null } },
    { at: {} },
  ],
  [
    "in an object of a list",
    { properties: { at: { type: "array", items: { properties: { city } } } } },
    { at: [{ city: null }, 1] },
    { at: [{}, 1] },
  ],
  ["of a choice without null", { properties: { a: { enum: ["x"] } } }, { a: null }, {}],
  ["of one value", { properties: { a: { const: 1 } } }, { a: null }, {}],
  [
    "of forms that all exclude it",
    { properties: { a: { anyOf: [city, { type: "number" }] } } },
    { a: null },
    {},
  ],
  [
    "of schemas of which one excludes it",
    { properties: { a: { allOf: [{}, city] } } },
    { a: null },
    {},
  ],
])("drops a null: %s", (_what, schema, value, expected) => {
  expect(omitNulls(value, schema)).toEqual(expected);
});

it.each<[what: string, schema: JsonValue | undefined, value: JsonValue]>([
  ["of a property that is required", { properties: { city }, required: ["city"] }, { city: null }],
  ["that a type takes", { properties: { a: { type: ["string", "null"] } } }, { a: null }],
  ["that a choice has", { properties: { a: { enum: ["x", null] } } }, { a: null }],
  ["that is the only value", { properties: { a: { const: null } } }, { a: null }],
  ["that a form takes", { properties: { a: { oneOf: [city, { type: "null" }] } } }, { a: null }],
  ["of a property that takes anything", { properties: { a: {}, b: true } }, { a: null, b: null }],
  ["of a property that nobody declares", { properties: { city } }, { toString: null }],
  ["of a schema without properties", {}, { a: null }],
  ["without a schema", undefined, { a: null }],
  ["in a list of texts", { properties: { a: { items: city } } }, { a: [null] }],
])("keeps a null %s", (_what, schema, value) => {
  expect(omitNulls(value, schema)).toEqual(value);
});
