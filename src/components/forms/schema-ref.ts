import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import { schemaAt } from "@/contract/schema-at";

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
    at = typeof at.$ref === "string" ? schemaAt(root, at.$ref) : undefined;
  }
  return chain;
};

/** The schema with what it refers to put in its place; its own keywords win over those. */
export const withoutRef = (schema: JsonValue | undefined, root: JsonObject): JsonObject => {
  const keywords = Object.assign({}, ...refChain(schema, root).reverse()) as JsonObject;
  delete keywords.$ref;
  return keywords;
};
