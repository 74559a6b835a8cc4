import { isJsonObject } from "@/contract/is-json-object";
import type { AnswerableCall } from "@/contract/call";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonObject, JsonValue } from "@/contract/json";

/** Objects in objects whose values are made up; deeper ones are left empty. */
const MAX_DEPTH = 4;

const SAMPLES: Readonly<Record<string, JsonValue>> = {
  string: "text",
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

/** Creates a call of a tool such as a model would make, to show its form. */
export const toSampleCall = ({
  name,
  description,
  input_schema,
  output_schema,
}: DynamicTool): AnswerableCall => ({
  tool_call_id: "sample",
  tool_name: name,
  args: createSample(input_schema, MAX_DEPTH) ?? {},
  ...(description !== undefined && { description }),
  ...(output_schema !== undefined && { output_schema }),
});

/** @returns a value of a schema: an example of it, its default, its first choice, or one of its type. */
const createSample = (schema: JsonValue | undefined, depth: number): JsonValue | undefined => {
  if (!isJsonObject(schema)) return undefined;
  const [given] = [first(schema.examples), schema.default, schema.const, first(schema.enum)].filter(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  if (isJsonObject(schema.properties)) return createObject(schema.properties, depth);
  const type = typeof schema.type === "string" ? schema.type : first(schema.type);
  return typeof type === "string" ? SAMPLES[type] : undefined;
};

const createObject = (properties: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(
    Object.entries(depth === 0 ? {} : properties).flatMap(([name, property]) => {
      const sample = createSample(property, depth - 1);
      return sample === undefined ? [] : [[name, sample]];
    }),
  );

const first = (list: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(list) ? list[0] : undefined;
