import { type Effort, EFFORT_NAMES, findNearestEffort } from "@/contract/efforts";
import type { Model } from "@/contract/model";
import type { ParametersChange } from "@/contract/parameters";
import type { ProviderToolName } from "@/contract/provider-tool";

export type AnswerSettingsProps = {
  /** Undefined until the models are loaded. */
  model: Model | undefined;
  /** What was chosen, also for another model; null or absent for what the model does by itself. */
  chosen: ParametersChange;
  onChange: (changed: ParametersChange) => void;
  disabled?: boolean;
};

/** @returns the effort that is used of those that the model has. */
export const findChosenEffort = (
  { reasoning_efforts: efforts = EFFORT_NAMES }: Pick<Model, "reasoning_efforts">,
  { reasoning_effort: chosen }: ParametersChange,
): Effort | undefined => (chosen ? findNearestEffort(chosen, efforts) : undefined);

/** @returns those of the model's tools that are on: all, as long as none was chosen. */
export const listTools = (
  tools: readonly ProviderToolName[],
  { provider_tools: chosen }: ParametersChange,
): ProviderToolName[] => tools.filter((name) => chosen?.includes(name) !== false);
