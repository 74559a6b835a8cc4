import { isJsonObject } from "./is-json-object";
import type { JsonObject, JsonValue } from "./json";
import { resolveRef } from "./json-pointer";

export const TYPES: ReadonlySet<JsonValue> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);

/**
 * Clients can declare any JSON as a schema. An invalid schema would reject every value, so it is ignored:
 * nothing is validated against it, and no form is rendered from it.
 *
 * @returns the schema if it is an object and all its keywords have valid values; otherwise undefined.
 */
export const toUsableSchema = (schema: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(schema) && isValidSchema(schema, schema) ? schema : undefined;

const isValidSchema = (schema: JsonValue, root: JsonObject): boolean => {
  if (typeof schema === "boolean") return true;
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => isUsableKeyword(keyword, value, root));
};

/** Whether a keyword, with all that is below it, has a valid value. */
export const isUsableKeyword = (keyword: string, value: JsonValue, root: JsonObject): boolean => {
  const holder = SUBSCHEMA_KEYWORDS.get(keyword);
  if (holder) return HOLDS_SCHEMAS[holder](value, root);
  return (VALUE_RULES.get(keyword) ?? REFERENCE_RULES.get(keyword))?.(value, root) ?? true;
};

type Rule = (value: JsonValue, root: JsonObject) => boolean;

const isNumber = (value: JsonValue): boolean => typeof value === "number";
const isNonNegativeInteger = (value: JsonValue): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0;
const isNameList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === "string");
const isType = (value: JsonValue): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((type) => TYPES.has(type))
    : TYPES.has(value);
export const isPattern = (value: JsonValue): boolean => {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** Only local references are supported: nothing is fetched, and anchors are not resolved. */
const isLocalRef: Rule = (value, root) =>
  typeof value === "string" && resolveRef(root, value) !== undefined;

/** How a keyword contains subschemas. */
export type SubschemaHolder = "schema" | "list" | "map" | "patternMap" | "schemaOrList";

export const SUBSCHEMA_KEYWORDS: ReadonlyMap<string, SubschemaHolder> = new Map(
  Object.entries<SubschemaHolder>({
    properties: "map",
    patternProperties: "patternMap",
    additionalProperties: "schema",
    unevaluatedProperties: "schema",
    propertyNames: "schema",
    items: "schemaOrList",
    prefixItems: "list",
    additionalItems: "schema",
    unevaluatedItems: "schema",
    contains: "schema",
    anyOf: "list",
    oneOf: "list",
    allOf: "list",
    not: "schema",
    if: "schema",
    then: "schema",
    else: "schema",
    $defs: "map",
    definitions: "map",
    dependentSchemas: "map",
  }),
);

const isSchemaList: Rule = (value, root) =>
  Array.isArray(value) && value.length > 0 && value.every((schema) => isValidSchema(schema, root));
const isSchemaMap: Rule = (value, root) =>
  isJsonObject(value) && Object.values(value).every((schema) => isValidSchema(schema, root));

const HOLDS_SCHEMAS: Record<SubschemaHolder, Rule> = {
  schema: isValidSchema,
  list: isSchemaList,
  map: isSchemaMap,
  patternMap: (value, root) =>
    isSchemaMap(value, root) && isJsonObject(value) && Object.keys(value).every(isPattern),
  schemaOrList: (value, root) =>
    Array.isArray(value) ? isSchemaList(value, root) : isValidSchema(value, root),
};

/** Whether the value of a keyword without subschemas is valid. */
export const VALUE_RULES: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map(
  Object.entries<(value: JsonValue) => boolean>({
    type: isType,
    enum: (value) => Array.isArray(value) && value.length > 0,
    required: isNameList,
    dependentRequired: (value) =>
      isJsonObject(value) && Object.values(value).every((names) => isNameList(names)),
    pattern: isPattern,
    format: (value) => typeof value === "string",
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: (value) => typeof value === "number" && value > 0,
    minLength: isNonNegativeInteger,
    maxLength: isNonNegativeInteger,
    minItems: isNonNegativeInteger,
    maxItems: isNonNegativeInteger,
    minProperties: isNonNegativeInteger,
    maxProperties: isNonNegativeInteger,
    minContains: isNonNegativeInteger,
    maxContains: isNonNegativeInteger,
  }),
);

const REFERENCE_RULES = new Map(
  Object.entries<Rule>({
    $ref: isLocalRef,
    $dynamicRef: () => false,
    $recursiveRef: () => false,
    // In a subschema it would change the base URI of the references below it.
    $id: (value, root) => typeof value === "string" && root.$id === value,
  }),
);
