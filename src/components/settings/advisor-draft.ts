import {
  type AdvisorConfig,
  MAX_ADVISOR_OUTPUT_TOKENS,
  MAX_ADVISOR_USES,
} from "@/contract/advisor";
import type { Model } from "@/contract/model";
import type { Loaded } from "./loaded";

/** The settings as they stand in the form's controls. */
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

/** The changes that still are changes of these settings. */
export const remainingEdits = (
  edits: Partial<AdvisorDraft>,
  config: AdvisorConfig,
): Partial<AdvisorDraft> => {
  const stored = toDraft(config);
  const names = Object.keys(edits) as (keyof AdvisorDraft)[];
  return Object.fromEntries(
    names.filter((name) => edits[name] !== stored[name]).map((name) => [name, edits[name]]),
  );
};

/** What keeps a visible field from being saved. What is stored already may stay. */
export const draftProblems = (draft: AdvisorDraft, stored: AdvisorConfig) => ({
  uses: draft.enabled
    ? countProblem(draft.uses, stored.max_uses_per_run, MAX_ADVISOR_USES)
    : undefined,
  tokens: draft.enabled
    ? countProblem(draft.tokens, stored.max_output_tokens, MAX_ADVISOR_OUTPUT_TOKENS)
    : undefined,
});

/** The draft as settings; what a hidden field holds that is no number stays as it is stored. */
export const draftedConfig = (draft: AdvisorDraft, stored: AdvisorConfig): AdvisorConfig => {
  const { uses, tokens } = draftProblems({ ...draft, enabled: true }, stored);
  return {
    enabled: draft.enabled,
    max_uses_per_run: uses === undefined ? Number(draft.uses) : stored.max_uses_per_run,
    max_output_tokens: tokens === undefined ? Number(draft.tokens) : stored.max_output_tokens,
    model_id: draft.modelId,
  };
};

/** A model that is known to be gone is not kept for an advisor that is off. */
export const withoutDeadOverride = (
  config: AdvisorConfig,
  models: Loaded<readonly Model[]>,
): AdvisorConfig => {
  if (config.enabled || models.state !== "ready") return config;
  return isOffered(models.value, config.model_id) ? config : { ...config, model_id: null };
};

export const isOffered = (models: readonly Model[], id: string | null): boolean =>
  models.some((model) => model.id === id && model.enabled);

const NUMBERS = new Intl.NumberFormat("en");

const countProblem = (text: string, stored: number, max: number): string | undefined => {
  if (text.trim() === String(stored)) return undefined;
  if (!/^\d{1,15}$/.test(text.trim())) return "Enter a whole number, 0 or more.";
  return Number(text) > max ? `Enter at most ${NUMBERS.format(max)}.` : undefined;
};
