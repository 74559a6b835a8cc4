import { describe, expect, it } from "vitest";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import { recordedDeps, toolScope } from "@/test/tool-fixture";
import { dynamicToolBugMessage } from "./dynamic-tools";
import { createDynamicSource } from "./tool-source";
import { createToolbox } from "./toolbox";

const convert = async (tool: DynamicTool) => {
  const { deps, logged } = recordedDeps();
  const scope = toolScope({ dynamicTools: [tool], log: deps.step.log });
  const [definition] = (await createToolbox([createDynamicSource()], scope)).definitions;
  if (!definition) throw new Error("the tool is not offered");
  return { definition, logged };
};
const parametersOf = (input_schema: JsonValue) => convert({ name: "t", input_schema });
const none = { type: "object", properties: {} };
const city = { type: "string", description: "Where" };

it("a dynamic tool is offered with its name, description and schema", async () => {
  const { definition, logged } = await convert({
    name: "weather",
    description: "Tells the weather",
    input_schema: { type: "object", properties: { city }, required: ["city"] },
    output_schema: { type: "string" },
    timeout_seconds: 60,
  });
  expect(definition).toEqual({
    type: "function",
    name: "weather",
    description: "Tells the weather",
    inputSchema: { type: "object", properties: { city }, required: ["city"] },
  });
  expect(logged).toEqual([]);
});

it("a dynamic tool without a schema has no parameters, and nothing is logged", async () => {
  const { definition, logged } = await convert({ name: "weather" });
  expect(definition).toEqual({ type: "function", name: "weather", inputSchema: none });
  expect(logged).toEqual([]);
});

describe("of a schema", () => {
  it.each<[what: string, schema: JsonValue, parameters: unknown]>([
    ["without properties nothing is left", { type: "object" }, none],
    ["without properties its required names go too", { required: ["a"] }, none],
    ["that is empty nothing is left", {}, none],
    [
      "only properties and required are left",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: "T",
        type: "object",
        additionalProperties: false,
        properties: { city },
        required: ["city"],
        $defs: { unused: {} },
      },
      { type: "object", properties: { city }, required: ["city"] },
    ],
    [
      "an empty required is left out",
      { properties: { city }, required: [] },
      { type: "object", properties: { city } },
    ],
    [
      "a required name that no property has is left out",
      { properties: { city }, required: ["city", "zip", "toString"] },
      { type: "object", properties: { city }, required: ["city"] },
    ],
    [
      "a property that takes anything is one",
      { properties: { any: true } },
      { type: "object", properties: { any: {} } },
    ],
    [
      "what properties refer to stands in their place",
      {
        properties: { to: { $ref: "#/$defs/place", description: "Target" } },
        $defs: { place: { type: "object", properties: { city: { $ref: "#/definitions/city" } } } },
        definitions: { city },
      },
      {
        type: "object",
        properties: {
          to: { type: "object", properties: { city }, description: "Target" },
        },
      },
    ],
    [
      "a reference that comes back to itself ends without constraint",
      {
        properties: { tree: { $ref: "#/$defs/tree" } },
        $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" } } } },
      },
      {
        type: "object",
        properties: { tree: { type: "object", properties: { left: {} } } },
      },
    ],
    [
      "references to nothing and to elsewhere end without constraint",
      { properties: { a: { $ref: "#/$defs/none" }, b: { $ref: "https://example.com/b.json" } } },
      { type: "object", properties: { a: {}, b: {} } },
    ],
  ])("%s", async (_what, schema, parameters) => {
    const { definition, logged } = await parametersOf(schema);
    expect(definition.inputSchema).toEqual(parameters);
    expect(logged).toEqual([]);
  });
});

describe("an unusable schema gives a tool without parameters and one warning:", () => {
  it.each<[string, JsonValue]>([
    ["a string", "not a schema"],
    ["a number", 5],
    ["null", null],
    ["a list", [{ type: "object" }]],
    ["true", true],
    ["another type than object", { type: "string" }],
    ["properties that are a list", { properties: ["a"] }],
    ["properties that are a string", { properties: "a" }],
    ["a property that is no schema", { properties: { a: "string" } }],
    ["required that is no list", { properties: { a: {} }, required: "a" }],
    ["required that are no names", { properties: { a: {} }, required: [1] }],
  ])("%s", async (_what, schema) => {
    const { definition, logged } = await parametersOf(schema);
    expect(definition.inputSchema).toEqual(none);
    expect(logged).toEqual([
      {
        level: "warn",
        fields: { tool: "t" },
        message: expect.stringContaining("unusable") as string,
      },
    ]);
  });
});

it("references that double at each step do not make a schema huge", async () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `d${index}`,
      { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  );
  const { definition } = await parametersOf({ properties: { a: { $ref: "#/$defs/d0" } }, $defs });
  expect(JSON.stringify(definition).length).toBeLessThan(1_000_000);
});

it("a schema's own names cannot reach a prototype", async () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonValue;
  const { definition } = await parametersOf(schema);
  expect(Object.keys(definition.inputSchema.properties ?? {})).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(definition.inputSchema.properties)).toBe(Object.prototype);
});

it("the message about a dynamic tool in the worker calls it a bug", () => {
  expect(dynamicToolBugMessage("weather")).toMatch(/"weather".*bug/);
});
