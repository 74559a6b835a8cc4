import { hasNonProductiveCycle } from "./has-non-productive-cycle";
import { isJsonObject, type JsonObject, type JsonValue } from "./json";
import { resolveRef } from "./json-pointer";

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * Clients can declare any JSON as a schema. An invalid schema would reject every value, so it is ignored:
 * nothing is validated against it, and no form is rendered from it.
 *
 * @returns the schema if it is an object, all its keywords have valid values, and it has no
 * non-productive cycle; otherwise undefined.
 */
export const toUsableSchema = (schema: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(schema) && isValidSchema(schema, schema) && !hasNonProductiveCycle(schema)
    ? schema
    : undefined;

const isValidSchema = (schema: JsonValue, root: JsonObject): boolean => {
  if (typeof schema === "boolean") return true;
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    const rule = KEYWORD_RULES.get(keyword);
    return rule === undefined || rule(value, root);
  });
};

type Rule = (value: JsonValue, root: JsonObject) => boolean;

const isNumber: Rule = (value) => typeof value === "number";
const isNonNegativeInteger: Rule = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0;
const isSchemaList: Rule = (value, root) =>
  Array.isArray(value) && value.length > 0 && value.every((schema) => isValidSchema(schema, root));
const isSchemaMap: Rule = (value, root) =>
  isJsonObject(value) && Object.values(value).every((schema) => isValidSchema(schema, root));
const isNameList: Rule = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === "string");
const isType: Rule = (value) =>
  Array.isArray(value)
    ? value.length > 0 && value.every((type) => typeof type === "string" && TYPES.has(type))
    : typeof value === "string" && TYPES.has(value);
const isPattern: Rule = (value) => {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
};
const isPatternMap: Rule = (value, root) =>
  isSchemaMap(value, root) &&
  isJsonObject(value) &&
  Object.keys(value).every((pattern) => isPattern(pattern, root));

/** Only local references are supported: nothing is fetched, and anchors are not resolved. */
const isLocalRef: Rule = (value, root) =>
  typeof value === "string" && resolveRef(root, value) !== undefined;

const KEYWORD_RULES = new Map<string, Rule>(
  Object.entries<Rule>({
    type: isType,
    enum: (value) => Array.isArray(value) && value.length > 0,
    required: isNameList,
    properties: isSchemaMap,
    patternProperties: isPatternMap,
    additionalProperties: isValidSchema,
    propertyNames: isValidSchema,
    items: (value, root) =>
      Array.isArray(value) ? isSchemaList(value, root) : isValidSchema(value, root),
    prefixItems: isSchemaList,
    additionalItems: isValidSchema,
    contains: isValidSchema,
    anyOf: isSchemaList,
    oneOf: isSchemaList,
    allOf: isSchemaList,
    not: isValidSchema,
    if: isValidSchema,
    then: isValidSchema,
    else: isValidSchema,
    $defs: isSchemaMap,
    definitions: isSchemaMap,
    dependentSchemas: isSchemaMap,
    dependentRequired: (value, root) =>
      isJsonObject(value) && Object.values(value).every((names) => isNameList(names, root)),
    $ref: isLocalRef,
    $dynamicRef: () => false,
    $recursiveRef: () => false,
    // In a subschema it would change the base URI of the references below it.
    $id: (value, root) => typeof value === "string" && root.$id === value,
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
