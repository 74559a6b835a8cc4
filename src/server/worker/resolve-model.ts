import type { ChatError } from "@/contract/chat-error";
import { findDefaultModel, findModel } from "@/server/db/model-reads";
import type { ChatRow } from "@/server/db/rows";
import type { ChatModel } from "@/server/model/model-step";
import type { TurnSeams } from "./turn-ports";

const NO_MODEL: ChatError = {
  kind: "config",
  message: "No model is configured: set PARLEY_MODELS, or enable one in the settings.",
  retryable: false,
};

/** The chat's own model while it is enabled, else the default one. */
export const resolveModel = async (
  { db, models }: Pick<TurnSeams, "db" | "models">,
  chat: Pick<ChatRow, "modelId">,
): Promise<ChatModel | { failure: ChatError }> => {
  const own = chat.modelId === null ? undefined : await findModel(db, chat.modelId);
  const model = own?.enabled ? own : await findDefaultModel(db);
  return model ? models.toChatModel(model) : { failure: NO_MODEL };
};
