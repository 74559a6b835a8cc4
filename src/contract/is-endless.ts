import { isJsonObject, type JsonObject, type JsonValue } from "./json";
import { schemaAt } from "./json-pointer";

/** Steps of one way through a schema; a longer one was made to take the stack, not to be checked by. */
const MAX_STEPS = 200;

/**
 * Whether a schema leads back to itself before it has gone into the value that is held against it: to
 * check anything by it, or to draw its fields, would never come to an end. JSON Schema leaves open
 * what such a schema means.
 */
export const isEndless = (root: JsonObject): boolean => {
  const entered = new Set<JsonObject>();
  const left = new Set<JsonObject>();
  const comesBack = (schema: JsonValue, step: number): boolean => {
    if (!isJsonObject(schema) || left.has(schema)) return false;
    if (entered.has(schema) || step > MAX_STEPS) return true;
    entered.add(schema);
    const isBack = schemasOfSameValue(schema, root).some((next) => comesBack(next, step + 1));
    left.add(schema);
    return isBack;
  };
  const holdsEndless = (part: JsonValue): boolean =>
    typeof part === "object" &&
    part !== null &&
    (comesBack(part, 0) || Object.values<JsonValue>(part).some(holdsEndless));
  return holdsEndless(root);
};

/** The schemas in a schema that are held against the same value as it is itself. */
const schemasOfSameValue = (schema: JsonObject, root: JsonObject): JsonValue[] => {
  const { $ref, dependentSchemas, ...keywords } = schema;
  const target = typeof $ref === "string" ? schemaAt(root, $ref) : undefined;
  const dependent = isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  const lists = [keywords.allOf, keywords.anyOf, keywords.oneOf];
  const singles = [target, keywords.not, keywords.if, keywords.then, keywords.else];
  return [...lists.flat(), ...singles, ...dependent].filter((part) => part !== undefined);
};
