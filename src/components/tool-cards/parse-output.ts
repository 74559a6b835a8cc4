import type { ToolCallView } from "@/contract/chat-view";
import type { JsonValue } from "@/contract/json";
import { type BuiltinToolName, parseToolOutput, type ToolOutput } from "@/contract/tool-outputs";
import { toCardState } from "./card-state";

/** @returns a completed call's output, or undefined when it does not match the tool's schema. */
export const parseOutput = <Name extends BuiltinToolName>(
  name: Name,
  part: ToolCallView,
): ToolOutput<Name> | undefined => {
  if (toCardState(part) !== "completed") return undefined;
  const { output } = part;
  return parseToolOutput(name, output) ?? parseToolOutput(name, parseJsonText(output));
};

/** Parses an output that is stored as the text of its JSON. */
const parseJsonText = (output: JsonValue | undefined): JsonValue | undefined => {
  if (typeof output !== "string") return undefined;
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    return undefined;
  }
};
