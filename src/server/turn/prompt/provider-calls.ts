import type {
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ProviderName } from "@/contract/model";
import type { HistoryMessage, PartRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { ALL_PROVIDERS } from "@/server/model/catalog/providers/all-providers";
import { RESULT } from "@/server/model/return-fields";

/** A provider, and the names of its tools that a request has. */
export type OfferedByProvider = { provider: ProviderName; names: readonly string[] };

type CallReader = {
  /** Undefined if the request has no such tools. */
  offered: OfferedByProvider | undefined;
  /** Whether nothing but results follows the message. */
  isLast: boolean;
  /** The model's share of a result. */
  maxBytes: number;
};

/**
 * Decides whether an answer goes back to the model that wrote it as it was: with its thoughts, what its texts cite, and all
 * calls that the provider has run, with their results as they are. A provider refuses thoughts without what they led to, and
 * may refuse calls of tools that the request does not have. A call without a result goes on in the last message only.
 */
export const canReturnWhole = (
  { parts }: Pick<HistoryMessage, "parts">,
  { offered, isLast, maxBytes }: CallReader,
): boolean => {
  const calls = parts.filter(isProviderCall);
  if (calls.length === 0) return true;
  if (!offered) return false;
  const { provider, names } = offered;
  const { takesBack, resumesCalls = false } = ALL_PROVIDERS[provider];
  return calls.every(({ toolName, output = null }) => {
    if (output === null) return isLast && resumesCalls && names.includes(toolName);
    const isTaken = takesBack?.({ toolName, output, names }) ?? names.includes(toolName);
    return isTaken && Buffer.byteLength(JSON.stringify(output)) <= maxBytes;
  });
};

const isProviderCall = (part: PartRow): part is ToolCallPartRow =>
  part.type === "tool_call" && part.kind === "provider";

/** Completes a call that the provider has run, and adds its result. */
export const toProviderCallParts = (
  call: LanguageModelV4ToolCallPart,
  { output, isError }: Pick<ToolCallPartRow, "output" | "isError">,
): (LanguageModelV4ToolCallPart | LanguageModelV4ToolResultPart)[] => {
  const { [RESULT]: resultOptions, ...callOptions } = call.providerOptions ?? {};
  const called = { ...call, providerExecuted: true, providerOptions: callOptions };
  if (output === undefined || output === null) return [called];
  const { toolCallId, toolName } = call;
  return [
    called,
    {
      type: "tool-result",
      toolCallId,
      toolName,
      output: { type: isError ? "error-json" : "json", value: output },
      ...(resultOptions && { providerOptions: resultOptions as SharedV4ProviderOptions }),
    },
  ];
};
