import type { JsonObject, JsonValue } from "./json";

/** The place that keys lead to, as a JSON pointer (RFC 6901): `["a/b", 0]` → `/a~1b/0`. */
export const toPointer = (keys: readonly PropertyKey[]): string =>
  keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The keys of a pointer: `/a~1b/0` → `["a/b", "0"]`. */
export const pointerKeys = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The pointer in the fragment of an address: `#/a%20b` → `/a b`. */
export const fragmentPointer = (fragment: string): string => {
  const encoded = fragment.replace(/^#/, "");
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

/** @returns what a reference such as `#/$defs/address` points at. */
export const schemaAt = (root: JsonObject, ref: string): JsonValue | undefined => {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  return pointerKeys(fragmentPointer(ref)).reduce<JsonValue | undefined>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined;
    return Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }, root);
};
