import { describe, expect, it } from "vitest";
import type { Schema } from "./openapi-document";
import { readField, readShape } from "./read-shape";

const BOAT = { $ref: "#/components/schemas/Boat" };
const getType = (schema: Schema): string =>
  readShape(schema)
    .type.map(({ text, schema: name }) => (name === undefined ? text : `<${text}>`))
    .join("");

describe("readShape", () => {
  it.each<[Schema, string]>([
    [{ type: "string" }, "string"],
    [{ type: "string", format: "uuid" }, "string (uuid)"],
    [{ type: "string", format: "binary" }, "bytes"],
    [{ enum: ["a", "b"] }, '"a" | "b"'],
    [{ const: false }, "false"],
    [BOAT, "<Boat>"],
    [{ type: "array", items: BOAT }, "array of <Boat>"],
    [{ type: "object", additionalProperties: BOAT }, "map of <Boat>"],
    [{ anyOf: [BOAT, { type: "null" }] }, "<Boat> | null"],
    [{ oneOf: [{ type: "object" }, { type: "object" }] }, "object"],
    [{}, "any JSON"],
  ])("describes %j as %s", (schema, text) => {
    expect(getType(schema)).toBe(text);
  });

  it("finds the fields of unnamed objects in lists and alternatives, and labels each", () => {
    const toObject = (op: string): Schema => ({
      type: "object",
      properties: { op: { const: op } },
    });
    const { variants } = readShape({
      type: "array",
      items: { oneOf: [toObject("a"), toObject("b")] },
    });
    expect(variants.map(({ label }) => label)).toEqual(['op: "a"', 'op: "b"']);
    expect(readShape({ type: "array", items: BOAT }).variants).toEqual([]);
  });
});

describe("readField", () => {
  it.each<[Schema, string[]]>([
    [{ minLength: 1, maxLength: 100_000 }, ["1 to 100,000 characters"]],
    [{ maxItems: 250 }, ["at most 250 items"]],
    [{ minimum: 10 }, ["at least 10"]],
    [{ default: "chat" }, ['default "chat"']],
    [{ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, []],
  ])("names the limits of %j", (schema, limits) => {
    expect(readField("field", schema, false).limits).toEqual(limits);
  });
});
