import { isJsonObject, type JsonObject, type JsonValue } from "@/contract/json";
import { schemaAt } from "@/contract/schema-at";

/** Chains of references longer than this go round in circles. */
const MAX_HOPS = 32;

/** The schema with what it refers to put in its place; its own keywords win over those. */
export const withoutRef = (schema: JsonValue | undefined, root: JsonObject): JsonObject => {
  let at = isJsonObject(schema) ? schema : {};
  for (let hop = 0; hop < MAX_HOPS && typeof at.$ref === "string"; hop++) {
    const { $ref, ...own } = at;
    const target = schemaAt(root, String($ref));
    at = { ...(isJsonObject(target) ? target : {}), ...own };
  }
  return at;
};
