import { compileSchema } from "@/contract/check-output";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { memoizeByObject } from "@/lib/memoize-by-object";

/** The fields of an object, as its value decides by the conditions of its form. */
export type ActiveFields = { properties: JsonObject; required: readonly JsonValue[] };

/** @returns the fields that an object with this value has. */
export const findActiveFields = (field: JsonObject, value: JsonValue | undefined): ActiveFields =>
  [field, ...listActiveBranches(field, value)].reduce<ActiveFields>(
    ({ properties, required }, branch) => ({
      properties: { ...properties, ...(isJsonObject(branch.properties) && branch.properties) },
      required: Array.isArray(branch.required) ? [...required, ...branch.required] : required,
    }),
    { properties: {}, required: [] },
  );

/** @returns the names of all fields that an object has with some value. */
export const listConditionalNames = (field: JsonObject): string[] =>
  listBranches(field).flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  );

/** @returns what an object has by its conditions, with some value. */
export const listBranches = (field: JsonObject): JsonObject[] =>
  listConditions(field).flatMap(({ then, else: otherwise }) =>
    [then, otherwise].filter(isJsonObject),
  );

const listConditions = ({ allOf }: JsonObject): JsonObject[] =>
  Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];

const listActiveBranches = (field: JsonObject, value: JsonValue | undefined): JsonObject[] =>
  listConditions(field).flatMap(({ if: condition, then, else: otherwise }) => {
    const isMet = isJsonObject(condition) && getCheck(condition)(value ?? {}).length === 0;
    const branch = isMet ? then : otherwise;
    return isJsonObject(branch) ? [branch] : [];
  });

const getCheck = memoizeByObject((condition: JsonObject) => compileSchema(condition));

/** Whether a condition can be checked in a time in proportion to the value. */
export const isQuickCondition = (schema: JsonValue | undefined, depth = 0): boolean => {
  if (typeof schema === "boolean") return true;
  if (!isJsonObject(schema) || depth > MAX_CONDITION_DEPTH) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    if (SLOW_KEYWORDS.has(keyword)) return false;
    if (keyword === "properties") {
      return (
        isJsonObject(value) && Object.values(value).every((one) => isQuickCondition(one, depth + 1))
      );
    }
    if (keyword === "not") return isQuickCondition(value, depth + 1);
    if (!LIST_KEYWORDS.has(keyword)) return true;
    return Array.isArray(value) && value.every((one) => isQuickCondition(one, depth + 1));
  });
};

const MAX_CONDITION_DEPTH = 4;
const LIST_KEYWORDS = new Set(["anyOf", "oneOf", "allOf"]);
const SLOW_KEYWORDS = new Set(
  "$ref $dynamicRef pattern format patternProperties additionalProperties unevaluatedProperties propertyNames items prefixItems additionalItems unevaluatedItems contains uniqueItems if then else dependentSchemas dependencies $defs definitions".split(
    " ",
  ),
);
