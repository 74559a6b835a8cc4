import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/contract/json";
import { isStrictSchema } from "./strict-schema";

const closed = (properties: JsonObject, changes: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...changes,
});

const CASES: [what: string, schema: JsonObject, isStrict: boolean][] = [
  ["a closed object", closed({ a: { type: "string", enum: ["x"] } }), true],
  ["a list of closed objects", closed({ a: { type: "array", items: closed({}) } }), true],
  ["a reference", closed({ a: { $ref: "#/$defs/b" } }, { $defs: { b: closed({}) } }), true],
  ["a text", { type: "string" }, false],
  ["an open object", { type: "object", properties: {}, required: [] }, false],
  ["an optional property", closed({ a: {} }, { required: [] }), false],
  ["an open object inside", closed({ a: { type: "object" } }), false],
  ["a list of open objects", closed({ a: { type: "array", items: { type: "object" } } }), false],
  ["a keyword of some", closed({ a: { type: "string", minLength: 1 } }), false],
  ["a choice with such", closed({ a: { anyOf: [{ not: {} }] } }), false],
];

describe("isStrictSchema", () => {
  it.each(CASES)("of %s", (_, schema, expected) => {
    expect(isStrictSchema(schema)).toBe(expected);
  });
});
