import type { JSONSchema7 } from "@ai-sdk/provider";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { generateArguments } from "./generate-arguments";

const SCHEMAS: Record<string, JSONSchema7> = {
  empty: {},
  "nothing required": { type: "object", properties: { a: { type: "string" } } },
  types: {
    type: "object",
    properties: {
      text: { type: "string", minLength: 30 },
      short: { type: "string", maxLength: 2 },
      count: { type: "integer", minimum: 5, maximum: 6 },
      step: { type: "number", exclusiveMinimum: 3, multipleOf: 5 },
      flag: { type: "boolean" },
      list: { type: "array", items: { type: "string" }, minItems: 2 },
      nothing: { type: "null" },
      maybe: { type: ["null", "integer"] },
    },
    required: ["text", "short", "count", "step", "flag", "list", "nothing", "maybe"],
  },
  choices: {
    type: "object",
    properties: {
      unit: { enum: ["celsius", "kelvin"] },
      kind: { const: "fixed" },
      mode: { type: "string", default: "fast" },
      place: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Place" }] },
      both: {
        allOf: [
          { $ref: "#/$defs/Place" },
          { required: ["zip"], properties: { zip: { type: "string" } } },
        ],
      },
    },
    required: ["unit", "kind", "mode", "place", "both"],
    $defs: {
      Place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
  formats: {
    type: "object",
    properties: Object.fromEntries(
      ["date", "date-time", "email", "uri", "uuid"].map((format) => [
        format,
        { type: "string", format },
      ]),
    ),
    required: ["date", "date-time", "email", "uri", "uuid"],
  },
  "made by zod": z.toJSONSchema(
    z.strictObject({
      questions: z
        .array(z.object({ header: z.string().min(1), options: z.array(z.string()).min(2) }))
        .min(1),
      depth: z.int().positive().optional(),
      where: z.discriminatedUnion("type", [
        z.object({ type: z.literal("file"), path: z.string() }),
        z.object({ type: z.literal("url"), url: z.url() }),
      ]),
    }),
  ) as JSONSchema7,
};

describe("generateArguments", () => {
  it.each(Object.keys(SCHEMAS))("satisfies the schema: %s", (name) => {
    const schema = SCHEMAS[name] ?? {};
    const generated = generateArguments(schema, "What is the weather in Paris?");
    const { valid, errors } = new Validator(schema as object, "2020-12").validate(generated);
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  });

  it("terminates for a recursive schema", () => {
    const schema: JSONSchema7 = {
      type: "object",
      properties: { child: { $ref: "#/$defs/Node" } },
      required: ["child"],
      $defs: {
        Node: {
          type: "object",
          properties: { child: { $ref: "#/$defs/Node" } },
          required: ["child"],
        },
      },
    };
    expect(JSON.stringify(generateArguments(schema, "x")).length).toBeLessThan(300);
  });

  const lists = (depth: number): JSONSchema7 => ({
    type: "array",
    minItems: 100,
    items: depth === 0 ? { type: "string" } : lists(depth - 1),
  });
  it.each<[what: string, schema: JSONSchema7]>([
    ["a list of a billion items", { type: "array", minItems: 1e9 }],
    ["a text of a billion characters", { type: "string", minLength: 1e9 }],
    ["lists of lists of lists", lists(6)],
    ["a field that is required often", { required: Array.from({ length: 10_000 }, () => "a") }],
  ])("stays small for %s", (_what, schema) => {
    const tool: JSONSchema7 = { type: "object", properties: { a: schema }, required: ["a"] };
    expect(JSON.stringify(generateArguments(tool, "x")).length).toBeLessThan(100_000);
  });

  it.each([
    ["What is the weather in Paris?", "Paris"],
    ["How warm is New York today?", "New York"],
    ['Look up "blue whales" for me', "blue whales"],
    ["look it up", "example"],
  ])("extracts a name from the question: %s", (question, city) => {
    const schema: JSONSchema7 = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
    };
    expect(generateArguments(schema, question)).toEqual({ city });
  });
});
