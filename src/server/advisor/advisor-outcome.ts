import type { AdvisorResult } from "@/contract/advisor";
import { cutText } from "@/lib/cut-text";
import { calculateCostMicros } from "@/server/model/calculate-cost";
import type { ChatModel, StepOutcome } from "@/server/model/model-step";
import type { MessageUsage } from "@/contract/usage";

/**
 * Bytes of JSON that an advice may take, so that its result stays within what the agent gets of
 * one tool result, and so stays a result.
 */
const MAX_ADVICE_BYTES = 48 * 1024;

type FinishedStep = Extract<StepOutcome, { type: "finished" }>;

/** What one nested call used, as it is accounted for. */
export type AdvisorSpend = {
  /** "provider/model". */
  model: string;
  usage: MessageUsage;
  costMicros: number;
};

/** The answer's text: reasoning is no advice, blank parts are nothing. */
export const adviceOf = ({ parts }: FinishedStep): string =>
  parts
    .flatMap((part) => (part.type === "text" ? part.text.trim() : []))
    .filter((text) => text !== "")
    .join("\n\n");

export const spendOf = (model: ChatModel, { usage }: FinishedStep): AdvisorSpend => ({
  model: model.label,
  usage,
  costMicros: calculateCostMicros(usage, model.prices),
});

export const adviceResult = (
  model: ChatModel,
  answer: FinishedStep,
  remaining: number | null,
): AdvisorResult => ({
  type: "advice",
  advice: fitting(adviceOf(answer)),
  advisor_model: model.label,
  remaining_uses: remaining,
  usage: usageOf(model, answer),
});

/** The model answered, and said nothing that could be passed on. */
export const noTextResult = (
  model: ChatModel,
  answer: FinishedStep,
  remaining: number | null,
): AdvisorResult => ({
  type: "error",
  error: "The advisor gave no text output.",
  advisor_model: model.label,
  remaining_uses: remaining,
  usage: usageOf(model, answer),
});

export const failedResult = (
  model: ChatModel,
  message: string,
  remaining: number | null,
): AdvisorResult => ({
  type: "error",
  error: message,
  advisor_model: model.label,
  remaining_uses: remaining,
});

export const limitResult = (): AdvisorResult => ({
  type: "limit_reached",
  advice:
    "The advisor has been used as often as it may be in this turn. Do not call it again before the next user message; decide yourself and go on.",
  remaining_uses: 0,
});

const usageOf = (model: ChatModel, { usage }: FinishedStep) => ({
  input_tokens: usage.input_tokens,
  output_tokens: usage.output_tokens,
  ...(model.prices && { cost_micros: calculateCostMicros(usage, model.prices) }),
});

/** JSON may write one byte of text as six, so what fits as text may not fit as JSON. */
const fitting = (advice: string): string => {
  const marker = (bytes: number) => `\n\n[… ${bytes} bytes left out …]\n\n`;
  let maxBytes = MAX_ADVICE_BYTES;
  for (;;) {
    const cut = cutText(advice, { maxBytes, marker });
    if (Buffer.byteLength(JSON.stringify(cut)) <= MAX_ADVICE_BYTES) return cut;
    maxBytes = Math.floor(maxBytes / 2);
  }
};
