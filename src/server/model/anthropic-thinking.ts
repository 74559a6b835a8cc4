import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Effort } from "@/contract/efforts";
import type { ThinkingCall } from "./catalog/provider";
import type { SentParameters } from "./model-step";

/** Models that decide themselves how long they think; all others, also those of other vendors, get a budget. */
const ADAPTIVE = /claude-(?:(?:opus|sonnet)-4-[6-9]|(?:fable|opus|sonnet|haiku)-[5-9])/;

/** The part of an answer that an effort leaves to thinking. */
const SHARES: Record<Exclude<Effort, "none">, number> = {
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.6,
  xhigh: 0.8,
  max: 0.9,
};

/** The API takes no lower one. */
const MIN_BUDGET = 1_024;
/** What stays for the text. */
const MIN_TEXT = 1_024;

/**
 * Asks a model of Anthropic's API for an effort. Without room for a budget, or in a turn that did not begin with thinking,
 * nothing is asked for, as the API would refuse it.
 */
export const toThinking = ({
  model,
  effort,
  maxOutputTokens,
  prompt,
}: ThinkingCall): SentParameters => {
  if (effort === "none" || ADAPTIVE.test(model)) return { reasoning: effort };
  const share = Math.max(MIN_BUDGET, Math.round(maxOutputTokens * SHARES[effort]));
  const budgetTokens = Math.min(share, maxOutputTokens - MIN_TEXT);
  if (budgetTokens < MIN_BUDGET || !canThink(prompt)) return {};
  return {
    // The client adds both.
    maxOutputTokens: maxOutputTokens - budgetTokens,
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens } } },
  };
};

/** A turn begins with thinking or has none: its first answer tells, also after a change of the model. */
const canThink = (prompt: LanguageModelV4Prompt): boolean => {
  const question = prompt.findLastIndex(({ role }) => role === "user");
  const first = prompt.slice(question + 1).find(({ role }) => role === "assistant");
  if (first?.role !== "assistant") return true;
  const [start] = first.content;
  // Without a signature it is not sent back.
  return start?.type === "reasoning" && start.providerOptions !== undefined;
};
