import type { JSONValue, LanguageModelV4Message } from "@ai-sdk/provider";
import { parseExactJson } from "@/lib/exact-json";
import { isRecord } from "@/lib/is-record";
import type { StepPart } from "./model-step";

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type Content = Assistant["content"][number];

/** Converts a paused answer to the message by which its provider goes on: all that it has sent, also a call without a result. */
export const toPausedAnswer = (parts: readonly StepPart[]): Assistant => ({
  role: "assistant",
  content: parts.flatMap(toContent),
});

const toContent = (part: StepPart): Content[] => {
  if (part.type === "source") return [];
  const { providerMetadata } = part;
  const options = providerMetadata && { providerOptions: providerMetadata };
  if (part.type !== "tool_call") {
    return part.type === "text" && part.text.trim() === ""
      ? []
      : [{ type: part.type, text: part.text, ...options }];
  }
  const { toolCallId, toolName, providerExecuted } = part;
  const call = { toolCallId, toolName };
  const called: Content = {
    type: "tool-call",
    ...call,
    input: parseInput(part.input),
    providerExecuted,
    ...options,
  };
  if (part.output === undefined) return [called];
  const type = part.isError ? "error-json" : "json";
  // Parsed from a JSON response, so the cast is safe.
  const output = { type, value: part.output as JSONValue } as const;
  return [called, { type: "tool-result", ...call, output }];
};

const parseInput = (input: string): unknown => {
  try {
    const parsed = parseExactJson(input);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
};
