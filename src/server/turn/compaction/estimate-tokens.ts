import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { toTokens } from "@/lib/tokens";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { findBoundary } from "@/server/machine/model-history";
import { measurePrompt } from "@/server/turn/prompt/measure-prompt";

/** About what providers count for an image, and for a page of a document. */
const TOKENS_PER_FILE = 1_500;

type EstimateInput = {
  /** The whole history of the chat. */
  history: readonly HistoryMessage[];
  /** What was built from it, with or without its files. */
  prompt: LanguageModelV4Prompt;
  /** Of its texts. */
  bytes: number;
  tools: readonly LanguageModelV4FunctionTool[];
};

/**
 * Estimates the tokens of a prompt: from what the provider has counted for the last step, and the bytes of what has come
 * since. The bytes of the whole prompt are the least, as a boundary that was undone lets more into the prompt than that step
 * had, and as not all servers count.
 */
export const estimateTokens = ({ history, prompt, bytes, tools }: EstimateInput): number => {
  const counted = findCountedTokens(history);
  if (counted === undefined) {
    const toolBytes = tools.reduce((sum, tool) => sum + measureTool(tool), 0);
    return toTokens(bytes + toolBytes) + countFiles(prompt) * TOKENS_PER_FILE;
  }
  const lastAnswer = prompt.findLastIndex(({ role }) => role === "assistant");
  const added = measurePrompt(prompt.slice(lastAnswer + 1)).bytes;
  return Math.max(counted + toTokens(added), toTokens(bytes));
};

const measureTool = ({ name, description = "", inputSchema }: LanguageModelV4FunctionTool) =>
  Buffer.byteLength(name + description) + measureSchema(inputSchema);

/** Most tools have the same one in all steps. */
const measureSchema = memoizeByObject((schema: object): number =>
  Buffer.byteLength(JSON.stringify(schema)),
);

/** @returns the tokens of the last step after the newest boundary, with its answer; undefined if they are not known. */
const findCountedTokens = (history: readonly HistoryMessage[]): number | undefined => {
  const step = history
    .slice(findBoundary(history) + 1)
    .findLast(({ role }) => role === "assistant");
  if (!step?.usage || step.usage.input_tokens === 0 || hasProviderCalls(step)) return undefined;
  return step.usage.input_tokens + step.usage.output_tokens;
};

/** A provider counts the prompt again for each round of the tools that it runs. */
const hasProviderCalls = ({ parts }: Pick<HistoryMessage, "parts">): boolean =>
  parts.some((part) => part.type === "tool_call" && part.kind === "provider");

/**
 * Estimates the tokens of the context after an answer whose provider has counted more than that.
 *
 * @returns undefined for any other answer.
 */
export const estimateContext = (
  answer: Pick<HistoryMessage, "parts">,
  promptBytes: number,
): number | undefined =>
  hasProviderCalls(answer)
    ? toTokens(promptBytes + Buffer.byteLength(JSON.stringify(answer.parts)))
    : undefined;

const countFiles = (prompt: LanguageModelV4Prompt): number =>
  prompt.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter(({ type }) => type === "file"),
  ).length;
