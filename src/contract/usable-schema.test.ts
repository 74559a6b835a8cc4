import { expect, it } from "vitest";
import type { JsonObject } from "./json";
import { usableSchema } from "./usable-schema";

const toRoot = { $ref: "#" };
const a = { $ref: "#/$defs/a" };
const b = { $ref: "#/$defs/b" };
const longWay = (steps: number): JsonObject => {
  const step = (_: unknown, at: number) => [at, { not: { $ref: `#/$defs/${at + 1}` } }] as const;
  const defs = Object.fromEntries(Array.from({ length: steps }, step));
  return { $ref: "#/$defs/0", $defs: { ...defs, [steps]: true } };
};

it.each<[what: string, schema: JsonObject]>([
  ["refers to itself", toRoot],
  ["refers to itself beside other keywords", { ...toRoot, type: ["object", "null"] }],
  ["is one of its own options", { anyOf: [{ type: "string" }, toRoot] }],
  ["is one of its own parts", { allOf: [toRoot] }],
  ["excludes itself", { not: toRoot }],
  ["is its own condition", { if: toRoot }],
  ["is what its condition leads to", { if: { type: "object" }, then: {}, else: toRoot }],
  ["holds for what has a field", { dependentSchemas: { a: toRoot } }],
  [
    "goes round through two others",
    { ...a, $defs: { a: { allOf: [b] }, b: { properties: { c: {} }, oneOf: [a] } } },
  ],
  ["has such a schema in a field", { properties: { a }, $defs: { a } }],
  ["leads on so long that the stack has an end first", longWay(2_500)],
])("a schema is of no use that %s", (_what, schema) => {
  expect(usableSchema(schema)).toBeUndefined();
});

it.each<[what: string, schema: JsonObject]>([
  ["in a field", { properties: { child: toRoot } }],
  ["in an item", { anyOf: [{ type: "null" }, { items: toRoot }] }],
  [
    "in a field of an option of a part",
    { allOf: [{ oneOf: [{ properties: { a }, $defs: {} }] }], $defs: { a: toRoot } },
  ],
  [
    "not at all, but has the same part twice",
    { allOf: [a, b], $defs: { a: {}, b: { anyOf: [a] } } },
  ],
  ["only in a value that looks so", { properties: { a: { const: { $ref: "#" } } } }],
])("a schema can be used that contains itself %s", (_what, schema) => {
  expect(usableSchema(schema)).toBe(schema);
});
