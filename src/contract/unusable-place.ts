import { isJsonObject } from "./is-json-object";
import type { JsonObject, JsonValue } from "./json";
import { isUsableKeyword, SUBSCHEMA_KEYWORDS } from "./usable-schema";

type Path = (string | number)[];

/**
 * Finds why a schema cannot be used: the place of the first keyword with a wrong value.
 *
 * @returns the keys that lead to it; undefined for a schema that can be used.
 */
export const findUnusablePlace = (schema: JsonObject): Path | undefined => findIn(schema, schema);

const findIn = (schema: JsonValue, root: JsonObject): Path | undefined => {
  if (typeof schema === "boolean") return undefined;
  if (!isJsonObject(schema)) return [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (isUsableKeyword(keyword, value, root)) continue;
    return [keyword, ...(findInside(keyword, value, root) ?? [])];
  }
  return undefined;
};

/** Looks into the subschemas of a keyword. @returns undefined if the keyword itself is wrong. */
const findInside = (keyword: string, value: JsonValue, root: JsonObject): Path | undefined => {
  const holder = SUBSCHEMA_KEYWORDS.get(keyword);
  if (holder === undefined || typeof value !== "object" || value === null) return undefined;
  const isMap = holder === "map" || holder === "patternMap";
  if (!isMap && !Array.isArray(value)) return findIn(value, root);
  for (const [key, subschema] of Object.entries(value)) {
    const found = findIn(subschema, root);
    if (found) return [Array.isArray(value) ? Number(key) : key, ...found];
  }
  return undefined;
};
