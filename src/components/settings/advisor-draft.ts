import {
  type AdvisorConfig,
  MAX_ADVISOR_OUTPUT_TOKENS,
  MAX_ADVISOR_USES,
} from "@/contract/advisor";
import type { Model } from "@/contract/model";
import type { Loadable } from "./loaded";

/** The values of the form's controls. */
export type AdvisorDraft = {
  enabled: boolean;
  uses: string;
  tokens: string;
  modelId: string | null;
};

export const toDraft = (config: AdvisorConfig): AdvisorDraft => ({
  enabled: config.enabled,
  uses: String(config.max_uses_per_run),
  tokens: String(config.max_output_tokens),
  modelId: config.model_id,
});

/** Returns the edits that differ from the stored settings. */
export const pickChangedFields = (
  edits: Partial<AdvisorDraft>,
  config: AdvisorConfig,
): Partial<AdvisorDraft> => {
  const stored = toDraft(config);
  const names = Object.keys(edits) as (keyof AdvisorDraft)[];
  return Object.fromEntries(
    names.filter((name) => edits[name] !== stored[name]).map((name) => [name, edits[name]]),
  );
};

/** Returns why each visible field cannot be saved. A value equal to the stored one is always valid. */
export const validateDraft = (draft: AdvisorDraft, stored: AdvisorConfig) => ({
  uses: draft.enabled
    ? validateCount(draft.uses, stored.max_uses_per_run, MAX_ADVISOR_USES)
    : undefined,
  tokens: draft.enabled
    ? validateCount(draft.tokens, stored.max_output_tokens, MAX_ADVISOR_OUTPUT_TOKENS)
    : undefined,
});

/** Converts the draft to settings; an invalid value of a hidden field is replaced by the stored one. */
export const toConfig = (draft: AdvisorDraft, stored: AdvisorConfig): AdvisorConfig => {
  const { uses, tokens } = validateDraft({ ...draft, enabled: true }, stored);
  return {
    enabled: draft.enabled,
    max_uses_per_run: uses === undefined ? Number(draft.uses) : stored.max_uses_per_run,
    max_output_tokens: tokens === undefined ? Number(draft.tokens) : stored.max_output_tokens,
    model_id: draft.modelId,
  };
};

/** Clears the model override if the advisor is off and the model is known to be unavailable. */
export const clearUnavailableModel = (
  config: AdvisorConfig,
  models: Loadable<readonly Model[]>,
): AdvisorConfig => {
  if (config.enabled || models.state !== "ready") return config;
  return isAvailable(models.value, config.model_id) ? config : { ...config, model_id: null };
};

export const isAvailable = (models: readonly Model[], id: string | null): boolean =>
  models.some((model) => model.id === id && model.enabled);

const NUMBER_FORMAT = new Intl.NumberFormat("en");

const validateCount = (text: string, stored: number, max: number): string | undefined => {
  if (text.trim() === String(stored)) return undefined;
  if (!/^\d{1,15}$/.test(text.trim())) return "Enter a whole number, 0 or more.";
  return Number(text) > max ? `Enter at most ${NUMBER_FORMAT.format(max)}.` : undefined;
};
