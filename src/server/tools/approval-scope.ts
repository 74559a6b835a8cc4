import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";

/** The text of a scope that patterns match, and the scope without it. */
type PatternedScope = { text: string; withPattern: (pattern: string) => JsonObject };

/**
 * Finds the text in the scope of a call that a pattern may stand for.
 *
 * @param key the `approvalPattern` of the tool.
 * @returns undefined if no pattern can cover the call.
 */
export const readPatternedScope = (
  scope: JsonValue,
  key: string | undefined,
): PatternedScope | undefined => {
  if (key === undefined || !isJsonObject(scope) || !Object.hasOwn(scope, key)) return undefined;
  const text = scope[key];
  if (typeof text !== "string") return undefined;
  return { text, withPattern: (pattern) => ({ ...scope, [key]: pattern }) };
};
