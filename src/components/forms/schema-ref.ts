import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import { resolveRef } from "@/contract/json-pointer";

/**
 * The schema, what it refers to, and so on to the end.
 *
 * @param root a usable schema: its references have an end.
 */
export const refChain = (schema: JsonValue | undefined, root: JsonObject): JsonObject[] => {
  const chain: JsonObject[] = [];
  let at = schema;
  while (isJsonObject(at)) {
    chain.push(at);
    at = typeof at.$ref === "string" ? resolveRef(root, at.$ref) : undefined;
  }
  return chain;
};

/** One schema of a chain: the keywords of the first win over those of the next. */
export const mergeChain = (chain: readonly JsonObject[]): JsonObject => {
  const keywords = Object.assign({}, ...chain.toReversed()) as JsonObject;
  delete keywords.$ref;
  return keywords;
};

/** The schema with what it refers to put in its place. */
export const withoutRef = (schema: JsonValue | undefined, root: JsonObject): JsonObject =>
  mergeChain(refChain(schema, root));
