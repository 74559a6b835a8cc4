import type { ChatError } from "@/contract/chat-error";
import { findDefaultModel, findModel } from "@/server/db/settings/model-reads";
import { type AdvisorRuntime, createAdvisorRuntime } from "@/server/advisor/advisor-runtime";
import type { ChatRow } from "@/server/db/chats/rows";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import type { ChatModel } from "@/server/model/model-step";
import type { ProcessDeps } from "./process-deps";

const NO_MODEL: ChatError = {
  kind: "config",
  message: "No model is enabled: add or enable one in Settings > Models.",
  retryable: false,
};

/** The chat's own model while it is enabled, else the default one. */
export const resolveModel = async (
  { db, cached, models }: Pick<ProcessDeps, "db" | "cached" | "models">,
  chat: Pick<ChatRow, "modelId">,
): Promise<ChatModel | { failure: ChatError }> => {
  const recent = await cached.models.get();
  models.rememberKeys(recent);
  const { modelId } = chat;
  const known = recent.find(({ id }) => id === modelId);
  // The cached list may lack a model that was added a moment ago.
  const own = known ?? (modelId === null ? undefined : await findModel(db, modelId));
  const model = own?.enabled ? own : findDefaultModel(recent);
  return model ? models.toChatModel(model) : { failure: NO_MODEL };
};

/** The advisor of a chat's turn, unless it is off or the chat is an agent. Does not reject. */
export const findAdvisor = async (
  deps: Pick<ProcessDeps, "db" | "cached" | "models">,
  chat: Pick<ClaimedChat, "parentChatId" | "modelId" | "advisorConfig">,
  log: { warn: (fields: object, message: string) => void },
): Promise<AdvisorRuntime | undefined> => {
  if (chat.parentChatId !== null || !chat.advisorConfig.enabled) return undefined;
  return createAdvisorRuntime({
    config: chat.advisorConfig,
    resolveChatModel: () => resolveModel(deps, chat),
    resolveOverride: (modelId) => overrideModel(deps, modelId),
    log,
  });
};

const overrideModel = async (
  { db, models }: Pick<ProcessDeps, "db" | "models">,
  modelId: string,
): Promise<ChatModel | { problem: string }> => {
  const model = await findModel(db, modelId);
  if (!model) return { problem: "it does not exist any more" };
  if (!model.enabled) return { problem: "it is disabled" };
  const problem = models.findProblem(model);
  return problem === undefined ? models.toChatModel(model) : { problem };
};
