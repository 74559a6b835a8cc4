import type { JsonObject, JsonValue } from "./json";
import { fragmentPointer, pointerKeys } from "./json-pointer";

/** @returns what a reference such as `#/$defs/address` points at. */
export const schemaAt = (root: JsonObject, ref: string): JsonValue | undefined => {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  return pointerKeys(fragmentPointer(ref)).reduce<JsonValue | undefined>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined;
    return Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }, root);
};
