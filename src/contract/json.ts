import * as z from "zod";

/** Any JSON value, also `null`, `false`, `0` and `""`. */
export type JsonValue =
  string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export type JsonObject = { [key: string]: JsonValue };

/** A value from `JSON.parse`, so its type is not checked again. `validateJson` checks depth and Unicode. */
export const JsonValue = z
  .custom<JsonValue>((value) => value !== undefined, "must be a JSON value")
  .meta({ description: "Any JSON value" });

export const JsonObject = z.record(z.string(), JsonValue) as z.ZodType<JsonObject>;

/** @returns why the value cannot be stored, as the predicate of a sentence; undefined if it can. */
export const validateJson = (value: unknown, maxDepth: number): string | undefined => {
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : "has text with a lone surrogate";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (maxDepth === 0) return "is nested too deeply";
  for (const [key, child] of Object.entries(value)) {
    if (!key.isWellFormed()) return "has a key with a lone surrogate";
    const error = validateJson(child, maxDepth - 1);
    if (error) return error;
  }
  return undefined;
};
