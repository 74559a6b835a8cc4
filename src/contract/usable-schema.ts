import { isEndless } from "./is-endless";
import { isJsonObject, type JsonObject, type JsonValue } from "./json";
import { schemaAt } from "./json-pointer";

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * Clients declare any JSON as a schema. One with a mistake in it would refuse every answer, so it
 * counts as none: nothing is checked against it, and no form is made of it.
 *
 * @returns the schema when it is an object whose every keyword has the shape that JSON Schema gives it,
 * and no part of it is endless.
 */
export const usableSchema = (schema: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(schema) && isSound(schema, schema) && !isEndless(schema) ? schema : undefined;

const isSound = (schema: JsonValue, root: JsonObject): boolean => {
  if (typeof schema === "boolean") return true;
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    const rule = RULES.get(keyword);
    return rule === undefined || rule(value, root);
  });
};

type Rule = (value: JsonValue, root: JsonObject) => boolean;

const isNumber: Rule = (value) => typeof value === "number";
const isCount: Rule = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isSchemaList: Rule = (value, root) =>
  Array.isArray(value) && value.length > 0 && value.every((schema) => isSound(schema, root));
const isSchemaMap: Rule = (value, root) =>
  isJsonObject(value) && Object.values(value).every((schema) => isSound(schema, root));
const isNames: Rule = (value) =>
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

/** Only references into the schema itself: nothing is fetched, and names are not looked up. */
const isLocalRef: Rule = (value, root) =>
  typeof value === "string" && schemaAt(root, value) !== undefined;

const RULES = new Map<string, Rule>(
  Object.entries<Rule>({
    type: isType,
    enum: (value) => Array.isArray(value) && value.length > 0,
    required: isNames,
    properties: isSchemaMap,
    patternProperties: isPatternMap,
    additionalProperties: isSound,
    propertyNames: isSound,
    items: (value, root) =>
      Array.isArray(value) ? isSchemaList(value, root) : isSound(value, root),
    prefixItems: isSchemaList,
    additionalItems: isSound,
    contains: isSound,
    anyOf: isSchemaList,
    oneOf: isSchemaList,
    allOf: isSchemaList,
    not: isSound,
    if: isSound,
    then: isSound,
    else: isSound,
    $defs: isSchemaMap,
    definitions: isSchemaMap,
    dependentSchemas: isSchemaMap,
    dependentRequired: (value, root) =>
      isJsonObject(value) && Object.values(value).every((names) => isNames(names, root)),
    $ref: isLocalRef,
    $dynamicRef: () => false,
    $recursiveRef: () => false,
    // At the root it is only a name; deeper it would change what references mean.
    $id: (value, root) => typeof value === "string" && root.$id === value,
    pattern: isPattern,
    format: (value) => typeof value === "string",
    minimum: isNumber,
    maximum: isNumber,
    exclusiveMinimum: isNumber,
    exclusiveMaximum: isNumber,
    multipleOf: (value) => typeof value === "number" && value > 0,
    minLength: isCount,
    maxLength: isCount,
    minItems: isCount,
    maxItems: isCount,
    minProperties: isCount,
    maxProperties: isCount,
    minContains: isCount,
    maxContains: isCount,
  }),
);
