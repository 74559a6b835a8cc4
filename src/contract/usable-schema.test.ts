import { expect, it } from "vitest";
import type { JsonObject } from "./json";
import { toUsableSchema } from "./usable-schema";

const toRoot = { $ref: "#" };
const a = { $ref: "#/$defs/a" };
const b = { $ref: "#/$defs/b" };
const refChain = (length: number): JsonObject => {
  const link = (_: unknown, at: number) => [at, { not: { $ref: `#/$defs/${at + 1}` } }] as const;
  const defs = Object.fromEntries(Array.from({ length }, link));
  return { $ref: "#/$defs/0", $defs: { ...defs, [length]: true } };
};

it.each<[what: string, schema: JsonObject]>([
  ["refers to itself", toRoot],
  ["refers to itself and has other keywords", { ...toRoot, type: ["object", "null"] }],
  ["contains itself in anyOf", { anyOf: [{ type: "string" }, toRoot] }],
  ["contains itself in allOf", { allOf: [toRoot] }],
  ["contains itself in not", { not: toRoot }],
  ["contains itself in if", { if: toRoot }],
  ["contains itself in else", { if: { type: "object" }, then: {}, else: toRoot }],
  ["contains itself in dependentSchemas", { dependentSchemas: { a: toRoot } }],
  [
    "contains itself through two other schemas",
    { ...a, $defs: { a: { allOf: [b] }, b: { properties: { c: {} }, oneOf: [a] } } },
  ],
  ["has a property with such a schema", { properties: { a }, $defs: { a } }],
  ["has a chain of references that would overflow the stack", refChain(2_500)],
])("ignores a schema that %s", (_what, schema) => {
  expect(toUsableSchema(schema)).toBeUndefined();
});

it.each<[what: string, schema: JsonObject]>([
  ["in a property", { properties: { child: toRoot } }],
  ["in an array item", { anyOf: [{ type: "null" }, { items: toRoot }] }],
  [
    "in a property of a oneOf in an allOf",
    { allOf: [{ oneOf: [{ properties: { a }, $defs: {} }] }], $defs: { a: toRoot } },
  ],
  [
    "nowhere, but uses the same definition twice",
    { allOf: [a, b], $defs: { a: {}, b: { anyOf: [a] } } },
  ],
  [
    "only in a constant that looks like a reference",
    { properties: { a: { const: { $ref: "#" } } } },
  ],
])("accepts a schema that refers to itself %s", (_what, schema) => {
  expect(toUsableSchema(schema)).toBe(schema);
});
