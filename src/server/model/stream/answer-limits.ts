import type { LanguageModelV4StreamPart, LanguageModelV4ToolResult } from "@ai-sdk/provider";
import { validateJson } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import type { ProviderName } from "@/contract/model";
import { keepStart } from "@/lib/keep-start";
import { ModelCallError } from "@/server/model/classify-failure";
import { PROVIDERS } from "@/contract/providers";

const MEGABYTE = 1024 * 1024;

/** Text of one answer, in megabytes: more than any model writes, and small enough for pages and browsers. */
const MAX_TEXT_MB = 4;
/** Reasoning of one answer, in megabytes. */
const MAX_REASONING_MB = 4;
/** Arguments of one tool call, in megabytes: a large file that is written. */
const MAX_ARGUMENTS_MB = 1;
/**
 * Arguments and provider results of all calls of one answer, in megabytes. Arguments that come as deltas and as a
 * whole are counted twice.
 */
const MAX_CALLS_MB = 16;

/** What is left of one limit, in bytes. */
type Limit = { left: number; megabytes: number; what: string };

/** Limits of an answer of which nothing has arrived. */
const TEXT: Limit = { left: MAX_TEXT_MB * MEGABYTE, megabytes: MAX_TEXT_MB, what: "text" };
const REASONING: Limit = {
  left: MAX_REASONING_MB * MEGABYTE,
  megabytes: MAX_REASONING_MB,
  what: "reasoning",
};
const ARGUMENTS: Limit = {
  left: MAX_ARGUMENTS_MB * MEGABYTE,
  megabytes: MAX_ARGUMENTS_MB,
  what: "arguments for one call",
};
const CALLS: Limit = {
  left: MAX_CALLS_MB * MEGABYTE,
  megabytes: MAX_CALLS_MB,
  what: "arguments and results of tool calls",
};

/** Creates the limits of one answer, which bound what it holds in memory, its preview and its message. */
export const createAnswerLimits = (provider: ProviderName) => {
  const text = { ...TEXT };
  const reasoning = { ...REASONING };
  const calls = { ...CALLS };
  const argumentsById = new Map<string, Limit>();

  /** @returns the start of a delta that all limits allow; the delta itself if it fits. */
  const take = (delta: string, ...allLimits: Limit[]): string => {
    const bytes = Buffer.byteLength(delta);
    let allowed = bytes;
    for (const limit of allLimits) {
      if (bytes > limit.left) limits.error ??= createLimitError(provider, limit);
      allowed = Math.min(allowed, limit.left);
      limit.left = Math.max(limit.left - bytes, 0);
    }
    return allowed === bytes ? delta : keepStart(delta, allowed);
  };
  const findArguments = (id: string): Limit => {
    const limit = argumentsById.get(id) ?? { ...ARGUMENTS };
    argumentsById.set(id, limit);
    return limit;
  };

  const limits = {
    /** Of an answer that has exceeded a limit; another try would exceed it again. */
    error: undefined as ModelCallError | undefined,
    /** Returns a stream part cut to what the limits allow; undefined if nothing of it may be kept. */
    cut: (part: LanguageModelV4StreamPart): LanguageModelV4StreamPart | undefined => {
      switch (part.type) {
        case "text-delta":
        case "reasoning-delta": {
          const delta = take(part.delta, part.type === "text-delta" ? text : reasoning);
          return delta === part.delta ? part : { ...part, delta };
        }
        case "tool-input-delta": {
          const delta = take(part.delta, findArguments(part.id), calls);
          return delta === part.delta ? part : { ...part, delta };
        }
        case "tool-call": {
          const input = take(part.input, { ...ARGUMENTS }, calls);
          return input === part.input ? part : { ...part, input };
        }
        case "tool-result": {
          const kept = limitDepth(part);
          const result = JSON.stringify(kept.result);
          return take(result, calls) === result ? kept : undefined;
        }
        // The others carry little.
        default:
          return part;
      }
    },
  };
  return limits;
};

const createLimitError = (provider: ProviderName, { megabytes, what }: Limit): ModelCallError =>
  new ModelCallError(
    "generic",
    `${PROVIDERS[provider].title} is sending more than ${megabytes} MB of ${what}: the answer was ended there.`,
  );

/** Replaces a result that cannot be stored, such as one that is nested too deeply, which also bounds recursion. */
const limitDepth = (part: LanguageModelV4ToolResult): LanguageModelV4ToolResult => {
  const problem = validateJson(part.result, MAX_OUTPUT_DEPTH);
  return problem === undefined
    ? part
    : { ...part, result: `The provider's result ${problem}.`, isError: true };
};
