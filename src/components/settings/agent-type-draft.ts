import type { AgentType } from "@/contract/agent-type";
import { MAX_STEPS_PER_TURN } from "@/contract/limits";
import { formatToolNames, parseToolNames } from "./declared-draft";

/** The texts of the form's fields; their names are those of the agent type, so that errors find them. */
export type AgentTypeDraft = {
  name: string;
  description: string;
  has_all_tools: "yes" | "no";
  /** Names, one per line. */
  tools: string;
  prompt: string;
  /** Empty for that of the parent. */
  model_id: string;
  /** Empty for the default. */
  max_steps: string;
  inherit_dynamic_tools: "yes" | "no";
};

const NEW: AgentType = {
  name: "",
  description: "",
  prompt: "",
  tools: null,
  model_id: null,
  max_steps: null,
  inherit_dynamic_tools: false,
};

/** @param agentType left out for a new one. */
export const toAgentTypeDraft = (agentType = NEW): AgentTypeDraft => ({
  name: agentType.name,
  description: agentType.description,
  has_all_tools: agentType.tools === null ? "yes" : "no",
  tools: formatToolNames(agentType.tools ?? []),
  prompt: agentType.prompt,
  model_id: agentType.model_id ?? "",
  max_steps: agentType.max_steps?.toString() ?? "",
  inherit_dynamic_tools: agentType.inherit_dynamic_tools ? "yes" : "no",
});

const NUMBER_FORMAT = new Intl.NumberFormat("en");

export const validateMaxSteps = (text: string): string | undefined => {
  const steps = text.trim();
  const isValid = /^\d{0,15}$/.test(steps) && (steps === "" || isStepLimit(Number(steps)));
  return isValid
    ? undefined
    : `Enter a whole number from 1 to ${NUMBER_FORMAT.format(MAX_STEPS_PER_TURN)}, or nothing.`;
};

const isStepLimit = (steps: number): boolean => steps >= 1 && steps <= MAX_STEPS_PER_TURN;

export const toAgentType = (draft: AgentTypeDraft): AgentType => ({
  name: draft.name.trim(),
  description: draft.description.trim(),
  tools: draft.has_all_tools === "yes" ? null : parseToolNames(draft.tools),
  prompt: draft.prompt.trim(),
  model_id: draft.model_id === "" ? null : draft.model_id,
  max_steps: draft.max_steps.trim() === "" ? null : Number(draft.max_steps),
  inherit_dynamic_tools: draft.inherit_dynamic_tools === "yes",
});
