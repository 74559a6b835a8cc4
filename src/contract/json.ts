import { z } from "zod";

/** Any JSON value; `null`, `false`, `0` and `""` are values like others. */
export type JsonValue =
  string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export type JsonObject = { [key: string]: JsonValue };

/**
 * A value that came out of `JSON.parse`, so its shape needs no check. Depth and
 * Unicode are checked where a limit is stated.
 */
export const JsonValue = z
  .custom<JsonValue>((value) => value !== undefined, "must be a JSON value")
  .meta({ description: "Any JSON value" });

export const JsonObject = z.record(z.string(), JsonValue) as z.ZodType<JsonObject>;

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns the first problem that keeps the value from being stored, or undefined. */
export const jsonProblem = (value: unknown, maxDepth: number): string | undefined => {
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : "has text with a lone surrogate";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (maxDepth === 0) return "is nested too deeply";
  for (const [key, child] of Object.entries(value)) {
    if (!key.isWellFormed()) return "has a key with a lone surrogate";
    const problem = jsonProblem(child, maxDepth - 1);
    if (problem) return problem;
  }
  return undefined;
};
