import type { AdvisorResult } from "@/contract/advisor";
import { cutText } from "@/lib/cut-text";
import { calculateCostMicros } from "@/server/model/catalog/model-usage";
import type { ChatModel, StepOutcome } from "@/server/model/model-step";
import type { MessageUsage } from "@/contract/usage";

/**
 * Longest advice, in bytes of JSON. A larger tool result would be truncated for the agent, and
 * truncated JSON is no longer an AdvisorResult.
 */
const MAX_ADVICE_BYTES = 48 * 1024;

type FinishedStep = Extract<StepOutcome, { type: "finished" }>;

/** Usage and cost of one nested call. */
export type AdvisorSpend = {
  /** "provider/model". */
  model: string;
  usage: MessageUsage;
  costMicros: number;
};

/** Joins the text parts of an answer; skips blank parts and reasoning. */
export const extractAdvice = ({ parts }: FinishedStep): string =>
  parts
    .flatMap((part) => (part.type === "text" ? part.text.trim() : []))
    .filter((text) => text !== "")
    .join("\n\n");

export const calculateSpend = (model: ChatModel, { usage }: FinishedStep): AdvisorSpend => ({
  model: model.label,
  usage,
  costMicros: calculateCostMicros(usage, model.prices),
});

export const createAdviceResult = (
  model: ChatModel,
  answer: FinishedStep,
  remaining: number | null,
): AdvisorResult => ({
  type: "advice",
  advice: truncateAdvice(extractAdvice(answer)),
  advisor_model: model.label,
  remaining_uses: remaining,
  usage: toAdvisorUsage(model, answer),
});

/** Creates the result of an answer without text. */
export const createEmptyResult = (
  model: ChatModel,
  answer: FinishedStep,
  remaining: number | null,
): AdvisorResult => ({
  type: "error",
  error: "The advisor gave no text output.",
  advisor_model: model.label,
  remaining_uses: remaining,
  usage: toAdvisorUsage(model, answer),
});

export const createErrorResult = (
  model: ChatModel,
  message: string,
  remaining: number | null,
): AdvisorResult => ({
  type: "error",
  error: message,
  advisor_model: model.label,
  remaining_uses: remaining,
});

export const createLimitResult = (): AdvisorResult => ({
  type: "limit_reached",
  advice:
    "The advisor has been used as often as it may be in this turn. Do not call it again before the next user message; decide yourself and go on.",
  remaining_uses: 0,
});

const toAdvisorUsage = (model: ChatModel, { usage }: FinishedStep) => ({
  input_tokens: usage.input_tokens,
  output_tokens: usage.output_tokens,
  ...(model.prices && { cost_micros: calculateCostMicros(usage, model.prices) }),
});

/** Halves the limit until the JSON fits, because JSON escapes one byte with up to six. */
const truncateAdvice = (advice: string): string => {
  const marker = (bytes: number) => `\n\n[… ${bytes} bytes left out …]\n\n`;
  let maxBytes = MAX_ADVICE_BYTES;
  for (;;) {
    const truncated = cutText(advice, { maxBytes, marker });
    if (Buffer.byteLength(JSON.stringify(truncated)) <= MAX_ADVICE_BYTES) return truncated;
    maxBytes = Math.floor(maxBytes / 2);
  }
};
