import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";

/**
 * Drops the nulls that models write for optional properties, where the schema takes no null.
 *
 * @param schema one whose references are inlined.
 */
export const omitNulls = (value: JsonValue, schema: JsonValue | undefined): JsonValue => {
  if (!isJsonObject(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => omitNulls(item, schema.items));
  const { properties, required } = schema;
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const needed = Array.isArray(required) ? required : [];
  const entries = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isOmitted = item === null && !needed.includes(name) && !takesNull(property);
    return isOmitted ? [] : [[name, omitNulls(item, property)]];
  });
  return Object.fromEntries(entries);
};

const takesNull = (schema: JsonValue | undefined): boolean => {
  if (!isJsonObject(schema)) return schema !== false;
  const { allOf, anyOf, oneOf } = schema;
  return (
    !excludesNull(schema) &&
    (!Array.isArray(allOf) || allOf.every(takesNull)) &&
    [anyOf, oneOf].every((forms) => !Array.isArray(forms) || forms.some(takesNull))
  );
};

const excludesNull = (schema: JsonObject): boolean => {
  const { type, enum: choices } = schema;
  return (
    (type !== undefined && ![type].flat().includes("null")) ||
    (schema.const !== undefined && schema.const !== null) ||
    (Array.isArray(choices) && !choices.includes(null))
  );
};
