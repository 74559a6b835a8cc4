import { isJsonObject } from "./is-json-object";
import type { JsonObject, JsonValue } from "./json";
import { resolveRef } from "./json-pointer";

/** Longest chain of subschemas for one value; a longer one would overflow the stack of a validator. */
const MAX_CHAIN_LENGTH = 200;

/**
 * True if a schema reaches itself again without descending into the value, as `{ "$ref": "#" }` does.
 * Validating by it or rendering its fields would never end, and JSON Schema leaves its meaning undefined.
 */
export const hasNonProductiveCycle = (root: JsonObject): boolean => {
  const entered = new Set<JsonObject>();
  const finished = new Set<JsonObject>();
  const reachesItself = (schema: JsonValue, depth: number): boolean => {
    if (!isJsonObject(schema) || finished.has(schema)) return false;
    if (entered.has(schema) || depth > MAX_CHAIN_LENGTH) return true;
    entered.add(schema);
    const isCycle = subschemasOfSameValue(schema, root).some((next) =>
      reachesItself(next, depth + 1),
    );
    finished.add(schema);
    return isCycle;
  };
  const containsCycle = (part: JsonValue): boolean =>
    typeof part === "object" &&
    part !== null &&
    (reachesItself(part, 0) || Object.values<JsonValue>(part).some(containsCycle));
  return containsCycle(root);
};

/** The subschemas that apply to the same value as the schema itself. */
const subschemasOfSameValue = (schema: JsonObject, root: JsonObject): JsonValue[] => {
  const { $ref, dependentSchemas, ...keywords } = schema;
  const target = typeof $ref === "string" ? resolveRef(root, $ref) : undefined;
  const dependent = isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  const lists = [keywords.allOf, keywords.anyOf, keywords.oneOf];
  const singles = [target, keywords.not, keywords.if, keywords.then, keywords.else];
  return [...lists.flat(), ...singles, ...dependent].filter((part) => part !== undefined);
};
