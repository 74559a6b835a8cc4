import type { AdvisorConfig } from "@/contract/advisor";
import type { ChatError } from "@/contract/chat-error";
import { getErrorMessage } from "@/lib/error-message";
import type { ChatModel } from "@/server/model/model-step";

/** Output limit of one advice when the settings have none. */
export const DEFAULT_OUTPUT_TOKENS = 16_384;

/**
 * The advisor of one turn. Tool, guidance and exclusive policy are all derived from this value, so
 * that they are available together or not at all.
 */
export type AdvisorRuntime = Readonly<{
  model: ChatModel;
  /** Uses per turn; null means that only the turn's steps limit them. */
  maxUses: number | null;
  maxOutputTokens: number;
}>;

export type AdvisorRuntimeDeps = {
  config: AdvisorConfig;
  /** Resolves the chat's own model. May reject; the turn then runs without an advisor. */
  resolveChatModel: () => Promise<ChatModel | { failure: ChatError }>;
  /** Resolves the model of the settings, or the reason why it cannot be used. May reject. */
  resolveOverride: (modelId: string) => Promise<ChatModel | { problem: string }>;
  log: { warn: (fields: object, message: string) => void };
};

/**
 * Creates the advisor of a turn. Does not reject.
 *
 * @returns undefined when its settings or its model cannot be used.
 */
export const createAdvisorRuntime = async (
  deps: AdvisorRuntimeDeps,
): Promise<AdvisorRuntime | undefined> => {
  const { config } = deps;
  try {
    if (config.max_uses_per_run < 0) {
      deps.log.warn({ maxUses: config.max_uses_per_run }, "advisor is off: negative use limit");
      return undefined;
    }
    const model = await resolveAdvisorModel(deps, config.model_id);
    if (!model) return undefined;
    return {
      model,
      maxUses: config.max_uses_per_run === 0 ? null : config.max_uses_per_run,
      maxOutputTokens:
        config.max_output_tokens > 0 ? config.max_output_tokens : DEFAULT_OUTPUT_TOKENS,
    };
  } catch (error) {
    deps.log.warn({ err: error }, "advisor is off for this turn: it could not be set up");
    return undefined;
  }
};

const resolveAdvisorModel = async (
  deps: AdvisorRuntimeDeps,
  modelId: string | null,
): Promise<ChatModel | undefined> => {
  if (modelId !== null) {
    const override = await deps
      .resolveOverride(modelId)
      .catch((error: unknown) => ({ problem: getErrorMessage(error) }));
    if (!("problem" in override)) return override;
    deps.log.warn({ modelId, problem: override.problem }, "advisor falls back to the chat's model");
  }
  const model = await deps.resolveChatModel();
  if (!("failure" in model)) return model;
  deps.log.warn({ failure: model.failure.message }, "advisor is off for this turn: no model");
  return undefined;
};
