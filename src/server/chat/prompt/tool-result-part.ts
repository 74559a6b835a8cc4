import type { LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { cutText } from "@/lib/cut-text";
import { redactSecrets } from "@/lib/redact-secrets";
import type { ToolCallPartRow } from "@/server/db/rows";
import { closedOutcome } from "@/server/tools/settle";
import { providerCallId, providerToolName } from "./provider-name";

/** A client's output may be a megabyte; the model gets at most this much of one result. */
export const MAX_RESULT_BYTES = 64 * 1024;

/** The outcome of a call as the model reads it. */
export const toolResultPart = (part: ToolCallPartRow): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId: providerCallId(part.toolCallId),
  toolName: providerToolName(part.toolName),
  output: resultOutput(part),
});

const resultOutput = (part: ToolCallPartRow): LanguageModelV4ToolResultPart["output"] => {
  // The machine closes calls before the model is asked again; an open one here is still no success.
  const output = part.output === undefined ? closedOutcome("server_stopped").output : part.output;
  const failed = part.isError || part.output === undefined;
  if (typeof output === "string") {
    return { type: failed ? "error-text" : "text", value: bounded(part, output) };
  }
  const json = JSON.stringify(output);
  const text = bounded(part, json);
  if (text !== json) return { type: failed ? "error-text" : "text", value: text };
  return { type: failed ? "error-json" : "json", value: output };
};

/** Our own tools' outputs were redacted and cut when they were settled. */
const bounded = (part: ToolCallPartRow, text: string): string =>
  part.kind === "dynamic"
    ? cutText(redactSecrets(text), {
        maxBytes: MAX_RESULT_BYTES,
        marker: (bytes) => `\n… ${bytes} bytes left out …\n`,
      })
    : text;
