import type { AdvisorConfig, AdvisorResult } from "@/contract/advisor";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const ADVISOR_TEXTS = {
  AdvisorConfig: {
    enabled: ["True if the advisor is on."],
    max_uses_per_run: ["Uses per turn; 0 for no limit, negative for none.", 3],
    max_output_tokens: ["Tokens per advice; 0 for the default.", 0],
    model_id: ["The advisor's model; null for that of each chat."],
  } satisfies FieldTexts<AdvisorConfig>,
  AdvisorResult: {
    type: ["How the call has ended."],
    advice: ["What the advisor says, or how to go on without it.", "Test it first."],
    advisor_model: ["The model that advised.", "openai/gpt-5"],
    remaining_uses: ["Uses that the turn has left; null without a limit.", 2],
    usage: ["Tokens and cost of the advice."],
    "usage.input_tokens": SHARED.input_tokens,
    "usage.output_tokens": SHARED.output_tokens,
    "usage.cost_micros": ["Millionths of a dollar; 0 while the model has no prices.", 1_250],
    error: ["Why there is no advice.", "OpenAI is overloaded right now."],
  } satisfies FieldTexts<AdvisorResult>,
} satisfies SchemaTexts;
