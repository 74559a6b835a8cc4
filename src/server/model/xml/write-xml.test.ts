import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@/contract/json";
import { createAnswerReader } from "./answer-reader";
import { writeExample } from "./tool-guide";
import { type Shape, toShape } from "@/server/model/value-shape";
import { writeBlock, writeCall } from "./write-xml";

const readArguments = (answer: string, shape: Shape): unknown[] => {
  const found: unknown[] = [];
  const ignore = (): void => undefined;
  const reader = createAnswerReader(
    { findShape: () => shape, word: "" },
    {
      text: ignore,
      startBlock: ignore,
      endBlock: ({ calls, fault }) => found.push(fault ?? calls.map(({ args }) => args)),
    },
  );
  reader.push(answer);
  reader.end();
  return found;
};

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("]]>", "<![CDATA[", "</a>", "```\n", "null", "5", "true", " a ", "&lt;", "\r\n"),
);
const key = fc.oneof(
  fc.constantFrom("a", "b", "c", "item", "action", "type", "value", "key", "tool", "__proto__"),
  text,
);
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(key, tie("any"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;
const args = fc.dictionary(key, value, {
  maxKeys: 5,
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>;

const TYPES = ["string", "number", "integer", "boolean", "null", "object", "array"] as const;
/** Any schema: most values do not fit it, as models' values do not. */
const schema: fc.Arbitrary<JSONSchema7> = fc.letrec<{ any: JSONSchema7 }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constant({}),
    fc.constantFrom(...TYPES).map((type): JSONSchema7 => ({ type })),
    fc
      .uniqueArray(fc.constantFrom(...TYPES), { minLength: 1 })
      .map((type): JSONSchema7 => ({ type })),
    fc.constant<JSONSchema7>({ enum: ["a", 5, null] }),
    fc.constant<JSONSchema7>({ $ref: "#" }),
    tie("any").map((items): JSONSchema7 => ({ type: "array", items })),
    fc.array(tie("any"), { minLength: 1, maxLength: 3 }).map((anyOf): JSONSchema7 => ({ anyOf })),
    fc.array(tie("any"), { minLength: 1, maxLength: 2 }).map((allOf): JSONSchema7 => ({ allOf })),
    fc
      .dictionary(key, tie("any"), { maxKeys: 4, noNullPrototype: true })
      .map((properties): JSONSchema7 => ({ type: "object", properties })),
    tie("any").map((additionalProperties): JSONSchema7 => ({ additionalProperties })),
  ),
})).any;

const normalize = (json: unknown): unknown => JSON.parse(JSON.stringify(json)) as unknown;

describe("a written call", () => {
  it("is read back with any arguments and any schema", () => {
    fc.assert(
      fc.property(args, schema, (written, described) => {
        const shape = toShape({ type: "object", ...described });
        const answer = writeBlock([writeCall("any", written, shape)], "");
        expect(normalize(readArguments(answer, shape))).toEqual(normalize([[written]]));
      }),
      { numRuns: 3_000 },
    );
  });

  it("is read back with values that fit its schema", () => {
    const fitting: JSONSchema7 = {
      type: "object",
      properties: {
        texts: { type: "array", items: { type: "string" } },
        grid: { type: "array", items: { type: "array", items: { type: "integer" } } },
        maybe: { type: ["string", "null"] },
        either: { anyOf: [{ type: "string" }, { type: "number" }] },
        people: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, age: { type: "number" } },
          },
        },
        map: { type: "object", additionalProperties: { type: "boolean" } },
      },
    };
    const shape = toShape(fitting);
    const values = fc.record(
      {
        texts: fc.array(text),
        grid: fc.array(fc.array(fc.integer())),
        maybe: fc.option(text),
        either: fc.oneof(text, fc.integer()),
        people: fc.array(fc.record({ name: text, age: fc.integer() })),
        map: fc.dictionary(key, fc.boolean(), { noNullPrototype: true }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (written) => {
        const answer = writeBlock([writeCall("fits", written, shape)], "");
        expect(normalize(readArguments(answer, shape))).toEqual(normalize([[written]]));
      }),
      { numRuns: 1_000 },
    );
  });

  it("looks as people write it", () => {
    const shape = toShape({
      type: "object",
      properties: {
        path: { type: "string" },
        lines: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
        options: { type: "object", properties: { all: { type: "boolean" } } },
      },
    });
    const written = { path: "a.md", lines: 5, tags: ["x", "y"], options: { all: true } };
    expect(writeBlock([writeCall("write", written, shape)], "")).toBe(
      [
        "```xml",
        "<tools>",
        '  <tool name="write">',
        "    <path><![CDATA[a.md]]></path>",
        "    <lines>5</lines>",
        "    <tags><![CDATA[x]]></tags>",
        "    <tags><![CDATA[y]]></tags>",
        "    <options><all>true</all></options>",
        "  </tool>",
        "</tools>",
        "```",
      ].join("\n"),
    );
  });
});

describe("the example of a tool", () => {
  const tool: LanguageModelV4FunctionTool = {
    type: "function",
    name: "search",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer", minimum: 3 } },
      required: ["query", "limit"],
    },
  };

  it("is made from its schema", () => {
    const shape = toShape(tool.inputSchema);
    expect(readArguments(writeExample(tool, ""), shape)).toEqual([
      [{ query: "example", limit: 3 }],
    ]);
  });

  it("is its own one if it has one", () => {
    const own = { ...tool, inputExamples: [{ input: { query: "blue whales", limit: 5 } }] };
    const shape = toShape(tool.inputSchema);
    expect(readArguments(writeExample(own, ""), shape)).toEqual([
      [{ query: "blue whales", limit: 5 }],
    ]);
  });
});
