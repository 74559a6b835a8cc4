import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { cutText } from "@/lib/cut-text";
import { redactSecrets } from "@/lib/redact-secrets";
import type { ToolCallPartRow } from "@/server/db/rows";
import { closedOutcome } from "@/server/tools/settle";
import { toProviderCallId, toProviderToolName } from "./provider-name";

/** Limit of one result in a prompt. A client may post outputs of up to 1 MB. */
export const MAX_RESULT_BYTES = 64 * 1024;

/** Converts the outcome of a call to a prompt part. */
export const toToolResultPart = (part: ToolCallPartRow): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId: toProviderCallId(part.toolCallId),
  toolName: toProviderToolName(part.toolName),
  output: toResultOutput(part),
});

const toResultOutput = (part: ToolCallPartRow): LanguageModelV4ToolResultPart["output"] => {
  // All calls are closed before the next step; an open one must not look successful to the model.
  const output = part.output === undefined ? closedOutcome("server_stopped").output : part.output;
  const isError = part.isError || part.output === undefined;
  if (typeof output === "string") {
    return { type: isError ? "error-text" : "text", value: limitDynamicOutput(part, output) };
  }
  const json = JSON.stringify(output);
  const text = limitDynamicOutput(part, json);
  if (text !== json) return { type: isError ? "error-text" : "text", value: text };
  return { type: isError ? "error-json" : "json", value: output };
};

/** Redacts and truncates client outputs; those of built-in tools were when the call settled. */
const limitDynamicOutput = (part: ToolCallPartRow, text: string): string =>
  part.kind === "dynamic"
    ? cutText(redactSecrets(text), {
        maxBytes: MAX_RESULT_BYTES,
        marker: (bytes) => `\n… ${bytes} bytes left out …\n`,
      })
    : text;
