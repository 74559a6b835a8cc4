import { type JsonValue, validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";

/**
 * Reads the arguments as the model wrote them; nothing at all stands for no arguments.
 *
 * @returns the text itself when it is no JSON that can be stored, which then fits no tool.
 */
export const parseArguments = (input: string): JsonValue => {
  if (input.trim() === "") return {};
  try {
    const args = JSON.parse(input) as JsonValue;
    return validateJson(args, MAX_OUTPUT_DEPTH) === undefined ? args : input.toWellFormed();
  } catch {
    return input.toWellFormed();
  }
};
