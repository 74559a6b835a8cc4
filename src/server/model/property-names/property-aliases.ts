import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { SUBSCHEMA_KEYWORDS } from "@/contract/usable-schema";

/** The names of properties that Anthropic takes. */
const USABLE_NAME = /^[\w.-]{1,64}$/;
const MAX_NAME_LENGTH = 64;
/** Longest name that a description quotes, in UTF-16 units. */
const MAX_QUOTED_LENGTH = 200;

/** The names by which a model calls properties, and the names that they have. */
export type PropertyAliases = {
  toAlias: ReadonlyMap<string, string>;
  toName: ReadonlyMap<string, string>;
};

/**
 * Gives each property of a schema whose name Anthropic refuses, at any depth, a name of its own.
 *
 * @returns undefined if all names can be used.
 */
export const createAliases = (schema: JsonValue): PropertyAliases | undefined => {
  const names = new Set<string>();
  collectNames(schema, names);
  const toAlias = new Map<string, string>();
  const taken = new Set(names);
  for (const name of names) {
    if (USABLE_NAME.test(name)) continue;
    const alias = findFreeAlias(name, taken);
    taken.add(alias);
    toAlias.set(name, alias);
  }
  if (toAlias.size === 0) return undefined;
  return { toAlias, toName: new Map([...toAlias].map(([name, alias]) => [alias, name])) };
};

const findFreeAlias = (name: string, taken: ReadonlySet<string>): string => {
  const base = name.replaceAll(/[^\w.-]+/g, "_").replace(/(?<!_)_+$/, "") || "_";
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `_${number}`;
    const alias = base.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
    if (!taken.has(alias)) return alias;
  }
};

const collectNames = (schema: JsonValue, names: Set<string>): void => {
  if (!isJsonObject(schema)) return;
  const { properties, required, dependentRequired, dependentSchemas } = schema;
  for (const map of [properties, dependentRequired, dependentSchemas]) {
    if (isJsonObject(map)) Object.keys(map).forEach((name) => names.add(name));
  }
  const lists = isJsonObject(dependentRequired) ? Object.values(dependentRequired) : [];
  for (const name of [required, ...lists].flat()) if (typeof name === "string") names.add(name);
  forEachSubschema(schema, (subschema) => collectNames(subschema, names));
};

const forEachSubschema = (schema: JsonObject, visit: (subschema: JsonValue) => void): void => {
  for (const [keyword, value] of Object.entries(schema)) {
    const holder = SUBSCHEMA_KEYWORDS.get(keyword);
    if (holder === undefined) continue;
    if (Array.isArray(value)) value.forEach(visit);
    else if ((holder === "map" || holder === "patternMap") && isJsonObject(value)) {
      Object.values(value).forEach(visit);
    } else visit(value);
  }
};

/** Renames the properties of a schema. The description of each quotes its name, as an alias may say nothing. */
export const renameProperties = (schema: JsonValue, aliases: PropertyAliases): JsonValue => {
  if (Array.isArray(schema)) return schema.map((one) => renameProperties(one, aliases));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonValue] => {
    if (keyword === "properties") return [keyword, renameMap(value, aliases, quoteName)];
    if (keyword === "required") return [keyword, renameList(value, aliases)];
    if (keyword === "dependentRequired" && isJsonObject(value)) {
      const lists = Object.entries(value).map(([name, list]): [string, JsonValue] => [
        aliases.toAlias.get(name) ?? name,
        renameList(list, aliases),
      ]);
      return [keyword, Object.fromEntries(lists)];
    }
    if (keyword === "dependentSchemas") return [keyword, renameMap(value, aliases)];
    const holder = SUBSCHEMA_KEYWORDS.get(keyword);
    if (holder === "map" || holder === "patternMap") return [keyword, mapValues(value, aliases)];
    return [keyword, holder ? renameProperties(value, aliases) : value];
  });
  return Object.fromEntries(entries);
};

const renameList = (names: JsonValue, { toAlias }: PropertyAliases): JsonValue =>
  Array.isArray(names)
    ? names.map((name) => (typeof name === "string" ? (toAlias.get(name) ?? name) : name))
    : names;

const mapValues = (schemas: JsonValue, aliases: PropertyAliases): JsonValue =>
  isJsonObject(schemas)
    ? Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, renameProperties(schema, aliases)]),
      )
    : schemas;

const renameMap = (
  schemas: JsonValue,
  aliases: PropertyAliases,
  describe: (schema: JsonValue, name: string) => JsonValue = (schema) => schema,
): JsonValue =>
  isJsonObject(schemas)
    ? Object.fromEntries(
        Object.entries(schemas).map(([name, schema]): [string, JsonValue] => {
          const renamed = renameProperties(schema, aliases);
          const alias = aliases.toAlias.get(name);
          return alias === undefined ? [name, renamed] : [alias, describe(renamed, name)];
        }),
      )
    : schemas;

const quoteName = (schema: JsonValue, name: string): JsonValue => {
  if (!isJsonObject(schema)) return schema;
  const quoted = JSON.stringify(name.slice(0, MAX_QUOTED_LENGTH).toWellFormed());
  const description = typeof schema.description === "string" ? `${schema.description} ` : "";
  return { ...schema, description: `${description}(The name is ${quoted}.)` };
};
