import { validate } from "@cfworker/json-schema";
import * as z from "zod";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import metaSchema from "./fixtures/draft-2020-12.json";
import type { WireProvider } from "./wire-model";

// The tools of requests in the form of each provider's API, read into one form, and what that provider refuses.

export type WireTool = { name: string; schema: JsonObject };

/** Reads the tools of a request. */
export const readWireTools = (provider: WireProvider, body: unknown): WireTool[] =>
  READERS[provider](body);

/** Finds what a provider would refuse in the tools of a request, and the whole request with it. */
export const findToolProblems = (provider: WireProvider, body: unknown): string[] => {
  const tools = readWireTools(provider, body);
  const names = tools.map(({ name }) => name);
  return [
    ...(new Set(names).size < names.length ? ["two tools have the same name"] : []),
    ...LIST_RULES[provider](tools),
    ...tools.flatMap((tool) =>
      findProblems(provider, tool).map((problem) => `${tool.name}: ${problem}`),
    ),
  ];
};

const findProblems = (provider: WireProvider, { name, schema }: WireTool): string[] => {
  const subschemas = listSubschemas(schema);
  const { properties } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isDeclared = (key: JsonValue): boolean =>
    isJsonObject(properties) && typeof key === "string" && Object.hasOwn(properties, key);
  return [
    ...(/^[\w-]{1,64}$/.test(name) ? [] : ["its name is refused"]),
    ...(validate(schema, structuredClone(metaSchema) as object, "2020-12").valid
      ? []
      : [`no schema of draft 2020-12: ${JSON.stringify(schema)}`]),
    ...(schema.type === "object" ? [] : ["its type is not object"]),
    ...(isJsonObject(properties) ? [] : ["it has no properties"]),
    ...(required.every(isDeclared) ? [] : ["a required property is not declared"]),
    ...["anyOf", "oneOf", "allOf", "enum", "not", "$ref"]
      .filter((keyword) => keyword in schema)
      .map((keyword) => `it has ${keyword} at its root`),
    ...subschemas.flatMap((subschema) => [
      ...("$ref" in subschema ? ["it has a reference"] : []),
      ...SCHEMA_RULES[provider](subschema),
    ]),
  ];
};

type Rule<Value> = (value: Value) => string[];

const noRule = (): string[] => [];

/** Most tools of a request. */
const MAX_OPENAI_TOOLS = 128;

const LIST_RULES: Record<WireProvider, Rule<WireTool[]>> = {
  openai: ({ length }) => (length > MAX_OPENAI_TOOLS ? [`there are ${length} tools`] : []),
  anthropic: noRule,
  google: noRule,
  "openai-compatible": noRule,
};

const hasListWithoutItems: Rule<JsonObject> = ({ type, items }) =>
  [type].flat().includes("array") && !isJsonObject(items) && items !== false
    ? ["a list has no items"]
    : [];

const SCHEMA_RULES: Record<WireProvider, Rule<JsonObject>> = {
  openai: hasListWithoutItems,
  anthropic: ({ properties }) =>
    Object.keys(isJsonObject(properties) ? properties : {})
      .filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
      .map((key) => `the name of a property is refused: ${JSON.stringify(key)}`),
  google: (schema) => [
    ...hasListWithoutItems(schema),
    ...Object.values(isJsonObject(schema.properties) ? schema.properties : {}).flatMap(
      (property) => (isJsonObject(property) ? [] : ["a property is no object"]),
    ),
  ],
  "openai-compatible": hasListWithoutItems,
};

const HOLDERS = ["properties", "patternProperties", "dependentSchemas"];
const OTHERS =
  "items prefixItems additionalProperties unevaluatedProperties propertyNames unevaluatedItems contains anyOf oneOf allOf not if then else";

const listSubschemas = (schema: JsonValue): JsonObject[] => {
  if (!isJsonObject(schema)) return [];
  const held = HOLDERS.flatMap((keyword) => {
    const map = schema[keyword];
    return isJsonObject(map) ? Object.values(map) : [];
  });
  const others = OTHERS.split(" ").flatMap((keyword) => schema[keyword] ?? []);
  return [schema, ...[...held, ...others].flatMap(listSubschemas)];
};

/** A record of zod leaves `__proto__` out. */
const Schema = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue));
const OpenAiTools = z.object({
  tools: z.array(z.object({ name: z.string(), parameters: Schema })).default([]),
});
const AnthropicTools = z.object({
  tools: z.array(z.object({ name: z.string(), input_schema: Schema })).default([]),
});
const GoogleTools = z.object({
  tools: z
    .array(
      z.object({
        functionDeclarations: z.array(z.object({ name: z.string(), parametersJsonSchema: Schema })),
      }),
    )
    .default([]),
});
const CompatibleTools = z.object({
  tools: z
    .array(z.object({ function: z.object({ name: z.string(), parameters: Schema }) }))
    .default([]),
});

const READERS: Record<WireProvider, (body: unknown) => WireTool[]> = {
  openai: (body) =>
    OpenAiTools.parse(body).tools.map(({ name, parameters: schema }) => ({ name, schema })),
  anthropic: (body) =>
    AnthropicTools.parse(body).tools.map(({ name, input_schema: schema }) => ({ name, schema })),
  google: (body) =>
    GoogleTools.parse(body).tools.flatMap(({ functionDeclarations }) =>
      functionDeclarations.map(({ name, parametersJsonSchema: schema }) => ({ name, schema })),
    ),
  "openai-compatible": (body) =>
    CompatibleTools.parse(body).tools.map(({ function: { name, parameters: schema } }) => ({
      name,
      schema,
    })),
};
