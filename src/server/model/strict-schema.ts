import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";

/** Keywords that all providers take in a schema that they enforce. */
const COMMON = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
  "$ref",
  "$defs",
  "description",
  "title",
]);

/**
 * Whether providers can enforce a schema as it is: an object whose properties are all required, with no others, and no
 * keyword that only some of them know.
 */
export const isStrictSchema = (schema: JsonObject): boolean =>
  schema.type === "object" && isStrict(schema);

const isStrict = (schema: JsonValue): boolean => {
  if (!isJsonObject(schema)) return false;
  if (!Object.keys(schema).every((keyword) => COMMON.has(keyword))) return false;
  const { type, properties, items, anyOf, $defs } = schema;
  const isObject = type === "object" || properties !== undefined;
  const inside = [
    ...Object.values(isJsonObject(properties) ? properties : {}),
    ...Object.values(isJsonObject($defs) ? $defs : {}),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
  ];
  return (!isObject || isClosed(schema)) && inside.every(isStrict);
};

const isClosed = ({ properties, required, additionalProperties }: JsonObject): boolean =>
  additionalProperties === false &&
  isJsonObject(properties) &&
  Array.isArray(required) &&
  Object.keys(properties).every((name) => required.includes(name));
