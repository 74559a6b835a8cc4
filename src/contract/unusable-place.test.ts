import { describe, expect, it } from "vitest";
import type { JsonObject } from "./json";
import { findUnusablePlace } from "./unusable-place";
import { toUsableSchema } from "./usable-schema";

const CASES: [JsonObject, place: (string | number)[]][] = [
  [{ type: "strng" }, ["type"]],
  [{ type: "object", properties: { a: { minLength: -1 } } }, ["properties", "a", "minLength"]],
  [{ properties: { a: 5 } }, ["properties", "a"]],
  [{ properties: [] }, ["properties"]],
  [{ items: { pattern: "(" } }, ["items", "pattern"]],
  [{ anyOf: [{ type: "string" }, { enum: [] }] }, ["anyOf", 1, "enum"]],
  [{ anyOf: [] }, ["anyOf"]],
  [{ $ref: "#/$defs/missing" }, ["$ref"]],
  [{ $ref: "https://example.com/schema.json" }, ["$ref"]],
  [{ patternProperties: { "(": { type: "string" } } }, ["patternProperties"]],
  [{ $defs: { a: { required: "b" } } }, ["$defs", "a", "required"]],
];

describe("findUnusablePlace", () => {
  it.each(CASES)("finds the place in %j", (schema, place) => {
    expect(toUsableSchema(schema)).toBeUndefined();
    expect(findUnusablePlace(schema)).toEqual(place);
  });

  it("finds nothing in a schema that can be used", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/a" }, b: true },
      $defs: { a: { type: ["string", "null"] } },
      "x-own": 5,
    };
    expect(findUnusablePlace(schema)).toBeUndefined();
  });
});
