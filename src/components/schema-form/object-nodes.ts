import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { isSameJson } from "@/lib/is-same-json";
import { isQuickCondition } from "./form-conditions";
import { isConstraint } from "./schema-nodes";

/** A condition with the schemas that apply to an object by it. */
export type Condition = {
  if: JsonObject;
  branches: readonly [then: JsonValue, otherwise: JsonValue];
};

/** @returns the conditions of an object; one that is not quick to check applies both its branches, without requiring. */
export const listConditions = (
  node: JsonObject,
  conditions: readonly JsonObject[],
): Condition[] => [
  ...conditions.map(({ if: condition = true, then = true, else: otherwise = true }): Condition => {
    if (isJsonObject(condition) && isQuickCondition(condition)) {
      return { if: condition, branches: [then, otherwise] };
    }
    return { if: {}, branches: [{ allOf: [omitRequired(then), omitRequired(otherwise)] }, true] };
  }),
  ...["dependentSchemas", "dependentRequired", "dependencies"].flatMap((keyword) =>
    Object.entries(isJsonObject(node[keyword]) ? node[keyword] : {}).map(
      ([name, then]): Condition => ({
        if: { required: [name] },
        branches: [Array.isArray(then) ? { required: then } : then, true],
      }),
    ),
  ),
];

const omitRequired = (branch: JsonValue): JsonValue => {
  if (!isJsonObject(branch)) return {};
  const { required: _required, ...others } = branch;
  void _required;
  return others;
};

/** The schema of the values of a map and the pattern of its names. */
export type MapNode = { values: JsonObject; pattern?: string };

/** @returns undefined if an object has no names to choose. */
export const findMap = (node: JsonObject): MapNode | undefined => {
  const { additionalProperties, patternProperties, propertyNames } = node;
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  if (patterns.length > 0)
    return typeof additionalProperties === "object" ? undefined : toMap(patterns);
  if (!isJsonObject(additionalProperties)) return undefined;
  if (!Object.keys(additionalProperties).some(isConstraint)) return undefined;
  const pattern = isJsonObject(propertyNames) ? propertyNames.pattern : undefined;
  return { values: additionalProperties, ...(typeof pattern === "string" && { pattern }) };
};

/** Names of several patterns have a form if all of them have the same values. */
const toMap = (patterns: readonly [string, JsonValue][]): MapNode | undefined => {
  const [[pattern, values] = ["", true], ...others] = patterns;
  if (!isJsonObject(values) || !others.every(([, other]) => isSameJson(other, values)))
    return undefined;
  return others.length === 0 ? { values, pattern } : { values };
};

/** @returns the properties of an object, also those that only the schema of its names lists. */
export const listProperties = (node: JsonObject): [string, JsonValue][] => {
  const { properties, propertyNames, additionalProperties = {} } = node;
  if (isJsonObject(properties) && Object.keys(properties).length > 0)
    return Object.entries(properties);
  const names = isJsonObject(propertyNames) ? propertyNames.enum : undefined;
  return Array.isArray(names)
    ? names.filter((name) => typeof name === "string").map((name) => [name, additionalProperties])
    : [];
};
