import type { ChatError } from "@/contract/chat-error";
import { findDefaultModel, findModel } from "@/server/db/settings/model-reads";
import type { ChatRow } from "@/server/db/chats/rows";
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
