import type { JsonObject } from "@/contract/json";
import type { SaveArtifact, ToolContext } from "@/server/tools/tool-context";
import { errorResult } from "@/server/tools/tool-result";
import type { Tool } from "@/server/tools/tool";
import type { CallOptions } from "@/server/mcp/connect-server";
import { convertResult } from "./convert-result";
import type { OfferedMcpTool } from "./offered-tools";
import type { ServerLink } from "@/server/mcp/server-link";

export type McpToolDeps = { saveArtifact: SaveArtifact };

/** Progress that comes faster is not shown, in ms. */
const PROGRESS_INTERVAL_MS = 100;
/** Progress of one call that is shown, in UTF-16 units. */
const MAX_PROGRESS_LENGTH = 32 * 1024;

/** Offers a tool of a server. */
export const createMcpTool = (
  link: ServerLink,
  { name, tool, description, parameters, argumentsSchema, isHarmless, isReadOnly }: OfferedMcpTool,
  { saveArtifact }: McpToolDeps,
): Tool => {
  const { declaration } = link.record;
  const needsApproval = isApprovalNeeded(declaration.approval, isHarmless);
  return {
    kind: "mcp",
    name,
    description,
    parameters,
    argumentsSchema,
    takesExactNumbers: true,
    exclusive: false,
    rootOnly: false,
    // As for approvals, the word of a server counts only where an administrator has not decided.
    readOnly: isReadOnly && declaration.approval === "annotations",
    stopsTurn: false,
    notice: () => {
      const { state, error } = link.status();
      return state === "failed" ? `Its server is not connected: ${error}` : undefined;
    },
    bind: (args) => ({
      needsApproval: () => Promise.resolve(needsApproval),
      approvalScope: () => null,
      run: async (context) => {
        const outcome = await link.call(tool, args as JsonObject, {
          signal: context.signal,
          timeoutMs: declaration.timeout_seconds * 1_000,
          asker: context,
          onProgress: createProgress(context),
        });
        return outcome.type === "failed"
          ? errorResult(outcome.message)
          : convertResult(outcome.result, (file) => saveArtifact(context, file));
      },
    }),
  };
};

/** What a server says of its tools decides only where an administrator has not decided. */
export const isApprovalNeeded = (
  approval: "annotations" | "always" | "never",
  isHarmless: boolean,
): boolean => (approval === "annotations" ? !isHarmless : approval === "always");

/** Shows what a server reports of a call, one line each. */
const createProgress = ({ emit }: Pick<ToolContext, "emit">): CallOptions["onProgress"] => {
  let shownAt = Number.NEGATIVE_INFINITY;
  let length = 0;
  return ({ progress, total, message }) => {
    const now = performance.now();
    if (now - shownAt < PROGRESS_INTERVAL_MS || length > MAX_PROGRESS_LENGTH) return;
    shownAt = now;
    const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
    const text = `${message === undefined ? count : `${count}: ${message.slice(0, 500)}`}\n`;
    length += text.length;
    emit({ type: "append", text });
  };
};
