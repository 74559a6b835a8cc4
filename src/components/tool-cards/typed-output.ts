import type { ToolCallView } from "@/contract/chat-view";
import type { JsonValue } from "@/contract/json";
import { type BuiltinToolName, parseToolOutput, type ToolOutput } from "@/contract/tool-outputs";
import { cardState } from "./card-state";

/** @returns a completed call's output; undefined for every other call, and for an unknown shape. */
export const typedOutput = <Name extends BuiltinToolName>(
  name: Name,
  part: ToolCallView,
): ToolOutput<Name> | undefined => {
  if (cardState(part) !== "completed") return undefined;
  const { output } = part;
  return parseToolOutput(name, output) ?? parseToolOutput(name, fromText(output));
};

/** The value of an output that is stored as the text of its JSON. */
const fromText = (output: JsonValue | undefined): JsonValue | undefined => {
  if (typeof output !== "string") return undefined;
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    return undefined;
  }
};
