import type { JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import { parseExactJson } from "@/lib/exact-json";

export type ParsedOutput = { value: JsonValue } | { errors: FieldError[] };

/** An error of the whole value. */
export const toFailure = (message: string) => ({ errors: [{ pointer: "", message }] });

/** @returns the value, or the position of the syntax error as a message. */
export const parseJson = (text: string): ParsedOutput => {
  if (text.trim() === "") return toFailure("must be a JSON value");
  try {
    return { value: parseExactJson(text) as JsonValue };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it cannot be read";
    return toFailure(`is not JSON: ${reason}`);
  }
};
