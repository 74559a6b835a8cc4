import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonValue } from "@/contract/json";
import { toUsableSchema } from "@/contract/usable-schema";
import { recordedDeps, toolScope } from "@/test/tool-fixture";
import { dynamicToolBugMessage } from "./dynamic-tools";
import { createDynamicSource } from "./tool-source";
import { createToolbox } from "./toolbox";

const convertAll = async (dynamicTools: DynamicTool[]) => {
  const { deps, logged } = recordedDeps();
  const scope = toolScope({ dynamicTools, log: deps.step.log });
  const { definitions, warnings } = await createToolbox([createDynamicSource()], scope);
  return { definitions, warnings, logged };
};
const convert = async (tool: DynamicTool) => {
  const { definitions, ...rest } = await convertAll([tool]);
  const [definition] = definitions;
  if (!definition) throw new Error("the tool is not offered");
  return { definition, ...rest };
};
const getParameters = (input_schema: JsonValue) => convert({ name: "t", input_schema });
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
      "a schema that only refers to a definition has its parameters",
      {
        $ref: "#/definitions/Input",
        definitions: { Input: { type: "object", properties: { city }, required: ["city"] } },
      },
      { type: "object", properties: { city }, required: ["city"] },
    ],
    [
      "data and names that look like keywords stay",
      {
        properties: {
          $ref: { type: "object", properties: { $defs: city, required: { type: "null" } } },
          a: { default: { $ref: "#/nowhere", required: null }, enum: [null, { $ref: "#" }] },
        },
      },
      {
        type: "object",
        properties: {
          $ref: { type: "object", properties: { $defs: city, required: { type: "null" } } },
          a: { default: { $ref: "#/nowhere", required: null }, enum: [null, { $ref: "#" }] },
        },
      },
    ],
    [
      "only the definitions of subschemas are left out, as they are inlined",
      {
        properties: {
          a: { $id: "a", $defs: { b: city }, items: { $ref: "#/properties/a/$defs/b" } },
        },
      },
      { type: "object", properties: { a: { items: city } } },
    ],
    [
      "a list says of what, as OpenAI wants it",
      { properties: { a: { type: "array" }, b: { type: ["array", "null"], minItems: 1 } } },
      {
        type: "object",
        properties: {
          a: { type: "array", items: {} },
          b: { type: ["array", "null"], minItems: 1, items: {} },
        },
      },
    ],
    [
      "a tuple is written as draft 2020-12 has it",
      {
        properties: {
          a: { type: "array", items: [city, { type: "number" }], additionalItems: false },
          b: { type: "array", items: [{ items: [city] }] },
          c: { items: { type: "string" }, additionalItems: false },
        },
      },
      {
        type: "object",
        properties: {
          a: { type: "array", prefixItems: [city, { type: "number" }], items: false },
          b: { type: "array", prefixItems: [{ prefixItems: [city] }], items: {} },
          c: { items: { type: "string" } },
        },
      },
    ],
    [
      "what may be null by OpenAPI has that type",
      {
        properties: {
          a: { type: "string", nullable: true },
          b: { type: ["string", "null"], nullable: true },
          c: { type: "string", nullable: false },
          d: { nullable: true },
        },
      },
      {
        type: "object",
        properties: {
          a: { type: ["string", "null"] },
          b: { type: ["string", "null"] },
          c: { type: "string" },
          d: {},
        },
      },
    ],
    [
      "properties below others that take anything are schemas",
      { properties: { a: { properties: { b: true }, items: true, anyOf: [true, city] } } },
      {
        type: "object",
        properties: { a: { properties: { b: {} }, items: {}, anyOf: [{}, city] } },
      },
    ],
  ])("%s", async (_what, schema, parameters) => {
    const { definition, logged } = await getParameters(schema);
    expect(definition.inputSchema).toEqual(parameters);
    expect(logged).toEqual([]);
  });
});

describe("of a union at the root the properties of its forms are left:", () => {
  const zip = { type: "string", pattern: "^[0-9]+$" };
  const byCity = { type: "object", properties: { city, country: city }, required: ["city", "k"] };
  const byZip = { type: "object", properties: { city, zip }, required: ["zip", "city"] };
  const nested = { oneOf: [{ $ref: "#/$defs/city" }, { allOf: [byZip, { required: ["k"] }] }] };

  it.each<[what: string, schema: JsonValue, properties: JsonValue, required: string[]]>([
    ["anyOf", { anyOf: [byCity, byZip] }, { city, country: city, zip }, ["city"]],
    ["oneOf", { type: "object", oneOf: [byZip, byCity] }, { city, zip, country: city }, ["city"]],
    ["allOf", { allOf: [byCity, byZip] }, { city, country: city, zip }, ["city", "zip"]],
    [
      "own properties, and forms that say what is required",
      { properties: { city, zip }, required: ["zip"], anyOf: [{ required: ["city"] }, {}] },
      { city, zip },
      ["zip"],
    ],
    [
      "forms by reference, in forms",
      { ...nested, $defs: { city: byCity } },
      { city, country: city, zip },
      ["city"],
    ],
    [
      "a name that differs in each form",
      {
        anyOf: [
          { properties: { kind: { const: "a" } }, required: ["kind"] },
          { properties: { kind: { const: "b" } }, required: ["kind"] },
        ],
      },
      { kind: { anyOf: [{ const: "a" }, { const: "b" }] } },
      ["kind"],
    ],
    [
      "a name that differs in all of several",
      { properties: { a: { type: "string" } }, allOf: [{ properties: { a: { minLength: 1 } } }] },
      { a: { allOf: [{ type: "string" }, { minLength: 1 }] } },
      [],
    ],
    [
      "forms that are no objects do not count",
      { anyOf: [byCity, { type: "null" }, false] },
      { city, country: city },
      ["city"],
    ],
    [
      "a form that takes anything requires nothing",
      { anyOf: [byCity, true] },
      { city, country: city },
      [],
    ],
    [
      "a form that has the whole schema again",
      { properties: { city }, anyOf: [{ $ref: "#" }, byZip] },
      { city, zip },
      [],
    ],
    [
      "a reference with properties beside it",
      { $ref: "#/$defs/base", properties: { zip }, $defs: { base: byCity } },
      { zip, city, country: city },
      ["city"],
    ],
  ])("%s", async (_what, schema, properties, required) => {
    const { definition, logged } = await getParameters(schema);
    expect(definition.inputSchema).toEqual({
      type: "object",
      properties,
      ...(required.length > 0 && { required }),
    });
    expect(logged).toEqual([]);
  });
});

describe("an unusable schema gives a tool without parameters and one warning:", () => {
  it.each<[string, JsonValue, string]>([
    ["a string", "not a schema", ""],
    ["a number", 5, ""],
    ["null", null, ""],
    ["a list", [{ type: "object" }], ""],
    ["true", true, ""],
    ["another type than object", { type: "string", properties: { city } }, "/type"],
    ["other types than object", { type: ["string", "null"], properties: { city } }, "/type"],
    ["properties that are a list", { properties: ["a"] }, "/properties"],
    ["properties that are a string", { properties: "a" }, "/properties"],
    ["only a choice of what is no object", { anyOf: [{ type: "string" }, false] }, "/anyOf"],
    ["only a choice that is no list", { oneOf: { properties: { city } } }, "/oneOf"],
  ])("%s", async (_what, schema, pointer) => {
    const { definition, warnings, logged } = await getParameters(schema);
    const { chatId } = toolScope();
    expect(definition.inputSchema).toEqual(none);
    expect(warnings).toEqual([
      expect.stringContaining(`"t" is offered without /input_schema${pointer},`),
    ]);
    expect(logged).toEqual([
      { level: "warn", fields: { chatId, warnings }, message: expect.any(String) as string },
    ]);
  });
});

describe("of a schema only that part is dropped, with a warning, which cannot be used:", () => {
  const properties = { city };
  const parameters = { type: "object", properties };
  const required = ["city"];

  it.each<[what: string, schema: JsonValue, parameters: unknown, pointers: string[]]>([
    ["required: null", { properties, required: null }, parameters, ["/required"]],
    ["properties: null", { type: "object", properties: null }, none, ["/properties"]],
    ["type: null", { type: null, properties }, parameters, ["/type"]],
    ["an unknown type", { type: "Object", properties }, parameters, ["/type"]],
    ["no type of several", { type: ["object", "null"], properties }, parameters, []],
    ["an unknown type of several", { type: ["object", 5], properties }, parameters, ["/type"]],
    [
      "required names that are none",
      { properties, required: [1, "city", null] },
      { ...parameters, required },
      ["/required"],
    ],
    ["required that is no list", { properties, required: "city" }, parameters, ["/required"]],
    ["required: true", { properties, required: true }, parameters, ["/required"]],
    [
      "a property that is false",
      { properties: { city, old: false }, required: ["city", "old"] },
      { ...parameters, required },
      ["/properties/old"],
    ],
    [
      "properties that are no schemas, of which the names stay",
      { properties: { "a/b": null, c: "string", d: [] } },
      { type: "object", properties: { "a/b": {}, c: {}, d: {} } },
      ["/properties/a~1b", "/properties/c", "/properties/d"],
    ],
    [
      "keywords of subschemas, wherever they are",
      {
        properties: {
          a: {
            type: "object",
            properties: null,
            required: null,
            title: null,
            description: "kept",
            minProperties: -1,
          },
          b: { type: ["string", "text"], pattern: "(", enum: [], minLength: "1", default: null },
          c: { anyOf: [null, { type: "null" }], items: 5, additionalProperties: false, not: {} },
          d: { oneOf: [], properties: { e: null }, patternProperties: { "(": {}, "^x": {} } },
        },
      },
      {
        type: "object",
        properties: {
          a: { type: "object", description: "kept" },
          b: { type: ["string"], default: null },
          c: { anyOf: [{ type: "null" }], additionalProperties: false, not: {} },
          d: { properties: { e: {} }, patternProperties: { "^x": {} } },
        },
      },
      [
        "/properties/a/properties",
        "/properties/a/required",
        "/properties/a/title",
        "/properties/a/minProperties",
        "/properties/b/type",
        "/properties/b/pattern",
        "/properties/b/enum",
        "/properties/b/minLength",
        "/properties/c/anyOf/0",
        "/properties/c/items",
      ],
    ],
    [
      "references to nothing and to elsewhere",
      {
        properties: {
          a: { $ref: "#/$defs/none", title: "A" },
          b: { $ref: "https://example.com/b.json" },
          c: { $ref: null },
        },
      },
      { type: "object", properties: { a: { title: "A" }, b: {}, c: {} } },
      ["/properties/a/$ref", "/properties/b/$ref", "/properties/c/$ref"],
    ],
    [
      "values that draft 2020-12 refuses",
      {
        properties: {
          a: { type: "number", minimum: 1, exclusiveMinimum: true, required: true },
          b: { type: ["string", "string", "null"], required: ["x", "x"], examples: "e" },
          c: { deprecated: "yes", readOnly: 1, writeOnly: null, uniqueItems: "no", $comment: 5 },
          d: { contentEncoding: 1, contentMediaType: [], dependentRequired: { x: ["y", "y"] } },
          e: { dependencies: { x: ["y"] }, contentSchema: {}, properties: { old: false } },
        },
      },
      {
        type: "object",
        properties: {
          a: { type: "number", minimum: 1 },
          b: { type: ["string", "null"], required: ["x"] },
          c: {},
          d: {},
          e: { properties: {} },
        },
      },
      [
        "/properties/a/exclusiveMinimum",
        "/properties/a/required",
        "/properties/b/type",
        "/properties/b/required",
        "/properties/b/examples",
        "/properties/c/deprecated",
        "/properties/c/readOnly",
        "/properties/c/writeOnly",
        "/properties/c/uniqueItems",
        "/properties/c/$comment",
      ],
    ],
    [
      "a type that no JSON Schema has, and a tuple that is written twice",
      {
        properties: {
          a: { type: "any" },
          b: { type: "array", items: [city], prefixItems: [{ type: "number" }] },
        },
      },
      {
        type: "object",
        properties: { a: {}, b: { type: "array", prefixItems: [{ type: "number" }], items: {} } },
      },
      ["/properties/a/type", "/properties/b/items"],
    ],
    [
      "a keyword of a definition, once for all its uses",
      {
        properties: { a: { $ref: "#/$defs/x" }, b: { $ref: "#/$defs/x" } },
        $defs: { x: { type: "string", format: null } },
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
      ["/$defs/x/format"],
    ],
  ])("%s", async (_what, schema, expected, pointers) => {
    const { definition, warnings } = await getParameters(schema);
    expect(definition.inputSchema).toEqual(expected);
    expect(warnings.filter((warning) => !warning.includes("more parts"))).toEqual(
      pointers.map((pointer): unknown =>
        expect.stringContaining(`"t" is offered without /input_schema${pointer}, which `),
      ),
    );
  });

  it("more than a few are counted, and a long pointer is cut", async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => [`p${index}`, null]);
    const long = await getParameters({ properties: { ["x".repeat(50_000)]: null } });
    const many = await getParameters({ properties: Object.fromEntries(names) as JsonValue });
    expect(long.warnings.join().length).toBeLessThan(400);
    expect(many.warnings).toHaveLength(11);
    expect(many.warnings.at(-1)).toContain("990 more");
  });
});

/** Definitions of which each has the next one twice: 2^length ways through one value. */
const doubling = (length: number): JsonValue => ({
  properties: { a: { $ref: "#/$defs/0" } },
  $defs: Object.fromEntries(
    Array.from({ length }, (_, index) => {
      const next = { $ref: `#/$defs/${index + 1}` };
      return [index, { allOf: [next, next], description: "x".repeat(100) }];
    }),
  ),
});

describe("references", () => {
  it("that double at each step neither make a schema huge nor take long, for many tools", async () => {
    const tools = Array.from({ length: 50 }, (_, index) => ({
      name: `t${index}`,
      input_schema: doubling(40),
    }));
    const { definitions, warnings } = await convertAll(tools);
    expect(definitions).toHaveLength(50);
    expect(JSON.stringify(definitions).length).toBeLessThan(2_000_000);
    expect(warnings.join()).toContain("too large");
  });

  it("to a long text do not multiply it", async () => {
    const places = Array.from({ length: 1_000 }, (_, index) => [index, { $ref: "#/$defs/a" }]);
    const { definition } = await getParameters({
      properties: Object.fromEntries(places) as JsonValue,
      $defs: { a: { description: "x".repeat(30_000) } },
    });
    expect(JSON.stringify(definition).length).toBeLessThan(400_000);
  });

  it("in a chain of thousands end", async () => {
    const chain = Array.from({ length: 5_000 }, (_, index) => [
      index,
      { items: { $ref: `#/$defs/${index + 1}` } },
    ]);
    const { definition, warnings } = await getParameters({
      properties: { a: { $ref: "#/$defs/0" } },
      $defs: Object.fromEntries(chain) as JsonValue,
    });
    expect(JSON.stringify(definition)).toContain('{"items":{"items":{"items":');
    expect(warnings).toEqual([expect.stringContaining("nested too deeply")]);
  });

  it("are inlined once for all turns of a chat", async () => {
    const source = createDynamicSource();
    const list = (chatId: string) =>
      source.listTools(
        toolScope({ chatId, dynamicTools: [{ name: "t", input_schema: doubling(9) }] }),
      );
    const first = await list("chat-1");
    expect(await list("chat-1")).toBe(first);
    expect(await list("chat-2")).toStrictEqual(first);
  });
});

describe("any schema", () => {
  const keyword = fc.constantFrom(
    ..."type properties required $ref $defs items anyOf allOf not enum pattern title if".split(" "),
  );
  const ref = fc.constantFrom("#", "#/$defs/a", "#/properties/b", "#/%24defs/a", "#/a/items", "x");
  const leaf = fc.oneof(
    fc.constantFrom<JsonValue>(null, true, false, 0, "", "object", "string", [], {}),
    ref,
  );
  const schema = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.record({ $ref: ref }, { requiredKeys: ["$ref"] }),
      fc.dictionary(fc.oneof(keyword, fc.constantFrom("a", "b", "__proto__")), tie("value"), {
        maxKeys: 6,
      }),
    ),
  })).value;

  it("gives parameters of a bounded size that providers take, always the same ones", async () => {
    await fc.assert(
      fc.asyncProperty(schema, async (input_schema) => {
        const text = JSON.stringify(input_schema);
        const { definition, warnings } = await convert({ name: "t", input_schema });
        const { inputSchema } = definition;
        expect(JSON.stringify(input_schema)).toBe(text);
        expect((await convert({ name: "t", input_schema })).definition).toEqual(definition);
        expect(JSON.stringify(inputSchema).length).toBeLessThan(text.length + 300_000);
        expect(JSON.stringify(warnings).length).toBeLessThan(5_000);
        expect(toUsableSchema(inputSchema as JsonValue)).toBe(inputSchema);
      }),
      { numRuns: 500 },
    );
  });
});

it("a schema's own names cannot reach a prototype", async () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonValue;
  const { definition } = await getParameters(schema);
  expect(Object.keys(definition.inputSchema.properties ?? {})).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(definition.inputSchema.properties)).toBe(Object.prototype);
});

it("the message about a dynamic tool in the worker calls it a bug", () => {
  expect(dynamicToolBugMessage("weather")).toMatch(/"weather".*bug/);
});
