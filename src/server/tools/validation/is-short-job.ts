import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";

/** Annotations, and keywords that compare a value with what the schema has. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set([
  "$comment",
  "$schema",
  "const",
  "default",
  "deprecated",
  "description",
  "enum",
  "examples",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "readOnly",
  "required",
  "title",
  "type",
  "writeOnly",
]);

/** Most characters of a schema times those of its value, as JSON: at most some milliseconds. */
const MAX_WORK = 100_000;

/**
 * Whether values can be validated at once, in place of a thread. With these keywords each part of a value is
 * validated by one subschema at most, so that the time is limited by the lengths of both. Patterns and formats backtrack, and
 * references and choices multiply, so any other keyword needs a thread.
 *
 * @param texts.schema the same as JSON.
 */
export const isShortJob = (
  tasks: readonly { schema: JsonValue; text: string; value: JsonValue }[],
): boolean => {
  let left = MAX_WORK;
  return tasks.every(({ schema, text, value }) => {
    left -= text.length * measureValue(value, left / text.length);
    return left >= 0 && isSimpleSchema(schema);
  });
};

const isSimpleSchema = (schema: JsonValue): boolean =>
  typeof schema === "boolean" ||
  (isJsonObject(schema) &&
    Object.entries(schema).every(([keyword, value]) => isSimpleKeyword(keyword, value)));

const isSimpleKeyword = (keyword: string, value: JsonValue): boolean => {
  if (keyword === "items" || keyword === "additionalProperties") return isSimpleSchema(value);
  if (keyword !== "properties") return VALUE_KEYWORDS.has(keyword);
  return isJsonObject(value) && Object.values(value).every(isSimpleSchema);
};

/** @returns about the length of a value as JSON; with more than `most`, any such number. */
const measureValue = (value: JsonValue, most: number): number => {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let length = 2;
  for (const [key, item] of Object.entries(value)) {
    length += key.length + measureValue(item, most - length);
    if (length > most) break;
  }
  return length;
};
