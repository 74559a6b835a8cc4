import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { validateWithTimeout } from "./validate-with-timeout";

/** a refers twice to b, b twice to c, …: 2^40 ways through one value. */
const doubling = (): JsonValue => {
  const names = Array.from({ length: 41 }, (_, index) => `d${index}`);
  const $defs = Object.fromEntries(
    names.map((name, index) => {
      const ref = { $ref: `#/$defs/d${index + 1}` };
      return [name, index === 40 ? { type: "string" } : { allOf: [ref, ref] }];
    }),
  );
  return { $defs, $ref: "#/$defs/d0" };
};

const bombs: [what: string, schema: JsonValue, value: JsonValue][] = [
  ["a pattern that backtracks", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(60)}b`],
  [
    "a property pattern that backtracks",
    { type: "object", patternProperties: { "^(a|a)*$": { type: "number" } } },
    { [`${"a".repeat(60)}b`]: 1 },
  ],
  [
    "a format whose own pattern backtracks",
    { type: "string", format: "url" },
    `http://${"a".repeat(60)}!`,
  ],
  ["references that double at each step", doubling(), 5],
  ["a reference to itself", { $ref: "#" }, 5],
  [
    "a cycle of references",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    5,
  ],
  [
    "unique items in a long list",
    { type: "array", uniqueItems: true },
    Array.from({ length: 200_000 }, (_, index) => index),
  ],
];

describe("validateWithTimeout stops soon, without errors, on", () => {
  it.each(bombs)(
    "%s",
    (_what, schema, value) => {
      expect(validateWithTimeout(schema, value)).toEqual([]);
    },
    5_000,
  );
});

describe("validateWithTimeout reports", () => {
  it("errors by an ordinary schema", () => {
    expect(validateWithTimeout({ type: "object", required: ["a"] }, {})).toEqual([
      { pointer: "/a", message: "is required" },
    ]);
  });

  it("errors by a schema that refers to itself for a child value", () => {
    const tree: JsonValue = {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    };
    const errors = validateWithTimeout(tree, {
      name: "a",
      children: [{ name: "b", children: [{ name: 1 }] }],
    });
    expect(errors.map(({ pointer }) => pointer)).toEqual(["/children/0/children/0/name"]);
  });

  it("errors after a schema that exceeded the timeout", () => {
    validateWithTimeout({ pattern: "^(a+)+$" }, `${"a".repeat(60)}b`);
    expect(validateWithTimeout({ type: "number" }, "a")).toHaveLength(1);
  });

  it("errors without changing a prototype through names like __proto__", () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as JsonValue;
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
    ) as JsonValue;
    validateWithTimeout(schema, value);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("no errors without a schema", () => {
    expect(validateWithTimeout(undefined, 5)).toEqual([]);
  });
});
