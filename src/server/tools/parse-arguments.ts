import { type JsonValue, validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import { parseExactJson } from "@/lib/exact-json";

/**
 * Reads the arguments as the model wrote them, all digits of their numbers too; nothing at all stands for no arguments.
 *
 * @returns the text itself when it is no JSON that can be stored, which then fits no tool.
 */
export const parseArguments = (input: string): JsonValue => {
  if (input.trim() === "") return {};
  try {
    const args = parseExactJson(input) as JsonValue;
    return validateJson(args, MAX_OUTPUT_DEPTH) === undefined ? args : input.toWellFormed();
  } catch {
    return input.toWellFormed();
  }
};
