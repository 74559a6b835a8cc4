import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";

/**
 * @param root a usable schema, so that its chains of references end.
 * @returns the schema, the target of its `$ref`, the target of that one's, and so on.
 */
export const resolveRefChain = (schema: JsonValue | undefined, root: JsonObject): JsonObject[] => {
  const chain: JsonObject[] = [];
  let current = schema;
  while (isJsonObject(current)) {
    chain.push(current);
    current = typeof current.$ref === "string" ? resolveRef(root, current.$ref) : undefined;
  }
  return chain;
};

/** Merges a chain of schemas; keywords of earlier schemas win. */
export const mergeSchemas = (chain: readonly JsonObject[]): JsonObject => {
  const keywords = Object.assign({}, ...chain.toReversed()) as JsonObject;
  delete keywords.$ref;
  return keywords;
};

/** Replaces a reference with its target. */
export const dereference = (schema: JsonValue | undefined, root: JsonObject): JsonObject =>
  mergeSchemas(resolveRefChain(schema, root));
