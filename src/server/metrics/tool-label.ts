import type { ToolKind } from "@/contract/part";
import { isBuiltinToolName } from "@/contract/tool-outputs";

/**
 * A tool as a label's value. Names that a client chose or a model made up never become one: there
 * is no end to them, and each would be kept for as long as the process lives.
 */
export const toolLabel = ({ kind, toolName }: { kind: ToolKind; toolName: string }): string => {
  if (kind !== "builtin") return kind;
  return isBuiltinToolName(toolName) ? toolName : "unknown";
};
