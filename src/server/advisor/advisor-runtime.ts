import type { AdvisorConfig } from "@/contract/advisor";
import type { ChatError } from "@/contract/chat-error";
import { errorText } from "@/lib/error-text";
import type { ChatModel } from "@/server/model/model-step";

/** What one advice may take when the settings do not say. */
export const DEFAULT_OUTPUT_TOKENS = 16_384;

/**
 * The advisor of one turn. The tool, the guidance and the exclusive policy all follow from there
 * being one, so they cannot disagree.
 */
export type AdvisorRuntime = Readonly<{
  model: ChatModel;
  /** Of one turn; null is no limit but the turn's steps. */
  maxUses: number | null;
  maxOutputTokens: number;
}>;

export type AdvisorParts = {
  isRoot: boolean;
  config: AdvisorConfig;
  /** May reject, as the one below; whatever goes wrong here costs the advisor, never the turn. */
  chatModel: () => Promise<ChatModel | { failure: ChatError }>;
  /** The model that the settings name, or why it cannot be used. */
  overrideModel: (modelId: string) => Promise<ChatModel | { problem: string }>;
  log: { warn: (fields: object, message: string) => void };
};

/** @returns undefined when the chat has no advisor. Does not reject. */
export const openAdvisor = async (parts: AdvisorParts): Promise<AdvisorRuntime | undefined> => {
  const { config } = parts;
  if (!parts.isRoot || !config.enabled) return undefined;
  try {
    if (config.max_uses_per_run < 0) {
      parts.log.warn({ maxUses: config.max_uses_per_run }, "advisor is off: negative use limit");
      return undefined;
    }
    const model = await advisorModel(parts, config.model_id);
    if (!model) return undefined;
    return {
      model,
      maxUses: config.max_uses_per_run === 0 ? null : config.max_uses_per_run,
      maxOutputTokens:
        config.max_output_tokens > 0 ? config.max_output_tokens : DEFAULT_OUTPUT_TOKENS,
    };
  } catch (error) {
    parts.log.warn({ err: error }, "advisor is off for this turn: it could not be set up");
    return undefined;
  }
};

const advisorModel = async (
  parts: AdvisorParts,
  modelId: string | null,
): Promise<ChatModel | undefined> => {
  if (modelId !== null) {
    const override = await parts
      .overrideModel(modelId)
      .catch((error: unknown) => ({ problem: errorText(error) }));
    if (!("problem" in override)) return override;
    parts.log.warn(
      { modelId, problem: override.problem },
      "advisor falls back to the chat's model",
    );
  }
  const model = await parts.chatModel();
  if (!("failure" in model)) return model;
  parts.log.warn({ failure: model.failure.message }, "advisor is off for this turn: no model");
  return undefined;
};
