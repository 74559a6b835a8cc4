import type { Artifact } from "@/contract/part";
import { type ToolResult, toolResult } from "@/server/tools/tool-result";

/** A result with the same text for the model and the person. */
export const userResult = (text: string): ToolResult => ({ ...toolResult(text), forUser: text });

export const artifactResult = (forLlm: string, artifacts: Artifact[]): ToolResult => ({
  ...toolResult(forLlm),
  artifacts,
});

/** A result that the tool has delivered to the person itself. */
export const withResponseHandled = (result: ToolResult): ToolResult => ({
  ...result,
  responseHandled: true,
});
