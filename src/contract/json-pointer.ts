import type { JsonObject, JsonValue } from "./json";

/** Converts keys to a JSON pointer (RFC 6901): `["a/b", 0]` → `/a~1b/0`. */
export const toPointer = (keys: readonly PropertyKey[]): string =>
  keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Splits a JSON pointer into its keys: `/a~1b/0` → `["a/b", "0"]`. */
export const parsePointer = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Decodes the JSON pointer in a URI fragment: `#/a%20b` → `/a b`. */
export const decodeFragment = (fragment: string): string => {
  const encoded = fragment.replace(/^#/, "");
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

/** @returns the subschema that a local reference such as `#/$defs/address` points to. */
export const resolveRef = (root: JsonObject, ref: string): JsonValue | undefined => {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  return parsePointer(decodeFragment(ref)).reduce<JsonValue | undefined>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined;
    return Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined;
  }, root);
};
