import * as z from "zod";
import { EFFORT_NAMES } from "./efforts";
import { ProviderToolName, ProviderToolNames } from "./provider-tool";
import { MAX_OUTPUT_TOKENS, MAX_TEMPERATURE, MIN_OUTPUT_TOKENS } from "./limits";

/** How much a model thinks before it answers. */
export const ReasoningEffort = z.enum(EFFORT_NAMES);
export type ReasoningEffort = z.infer<typeof ReasoningEffort>;

export const Temperature = z.number().min(0).max(MAX_TEMPERATURE);

/** Tokens of an answer, with those that the model thinks. */
export const OutputTokens = z.int().min(MIN_OUTPUT_TOKENS).max(MAX_OUTPUT_TOKENS);

/** What a chat or a message sets of the calls of its model. The model's settings count for what is absent. */
export const ChatParameters = z.object({
  reasoning_effort: ReasoningEffort.optional(),
  temperature: z.number().optional(),
  max_output_tokens: z.int().optional(),
  /** Which of the model's tools that its provider runs are on; all by default. */
  provider_tools: z.array(ProviderToolName).optional(),
});
export type ChatParameters = z.infer<typeof ChatParameters>;

/** What a request sets of them. */
export const ParametersInput = z.object({
  reasoning_effort: ReasoningEffort.optional(),
  temperature: Temperature.optional(),
  max_output_tokens: OutputTokens.optional(),
  provider_tools: ProviderToolNames.optional(),
});

/** What a request changes of them; null is what counts without it. */
export const ParametersChange = z.object({
  reasoning_effort: ReasoningEffort.nullable().optional(),
  temperature: Temperature.nullable().optional(),
  max_output_tokens: OutputTokens.nullable().optional(),
  provider_tools: ProviderToolNames.nullable().optional(),
});
export type ParametersChange = z.infer<typeof ParametersChange>;

type ParameterName = keyof ChatParameters;
const NAMES = Object.keys(ChatParameters.shape) as ParameterName[];

/** @returns the parameters of a request; undefined if it has none. */
export const pickParameters = <Sent extends ParametersChange>(
  sent: Sent,
): Pick<Sent, ParameterName> | undefined => {
  const names = NAMES.filter((name) => sent[name] !== undefined);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, sent[name]]));
};
