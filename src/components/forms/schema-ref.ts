import type { JsonObject, JsonValue } from "@/contract/json";
import { schemaAt } from "@/contract/usable-schema";

/** Chains of references longer than this go round in circles. */
const MAX_HOPS = 32;

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
