import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { ChatError } from "@/contract/chat-error";
import { createTurnStore } from "@/server/chat/turn-store";
import type { TurnPorts } from "@/server/chat/turn-ports";
import { insertArtifact } from "@/server/db/artifact-writes";
import type { Database } from "@/server/db/database";
import { findDefaultModel, findModel } from "@/server/db/model-reads";
import type { ChatRow } from "@/server/db/rows";
import { callModel } from "@/server/model/call-model";
import type { ModelRegistry } from "@/server/model/model-registry";
import type { ChatModel } from "@/server/model/model-step";
import type { PreviewRelay } from "@/server/stream/preview-relay";
import { builtinTools } from "@/server/tools/registry";
import { createToolbox } from "@/server/tools/toolbox";
import { openWorkspace } from "@/server/tools/workspace";

/** What every turn of a process has in common. */
export type TurnSeams = {
  db: Database;
  relay: PreviewRelay;
  models: ModelRegistry;
  dataDir: string;
  newId: () => string;
  log: Logger;
};

/** Joins the loop's seams with the real world. */
export const turnPorts =
  (seams: TurnSeams) =>
  (chat: ChatRow, stop: Pick<TurnPorts, "signal" | "isStopping">): TurnPorts => {
    const { db, relay, dataDir, newId } = seams;
    const log = seams.log.child({ chatId: chat.id });
    return {
      ...stop,
      store: createTurnStore(db, newId),
      resolveModel: (row) => resolveModel(seams, row),
      callModel,
      toolbox: (row) =>
        createToolbox({
          tools: builtinTools,
          isRoot: row.parentChatId === null,
          dynamicTools: row.dynamicTools,
          log,
        }),
      callSeams: (row, message, replyTo) => ({
        chatId: row.id,
        rootChatId: row.rootChatId,
        ownerId: row.ownerId,
        turnId: replyTo?.id ?? row.id,
        messageId: message.id,
        replyToMessageId: replyTo?.id,
        channel: replyTo?.createdBy?.startsWith("api_key:") ? "api" : "web",
        log,
        workspace: openWorkspace(dataDir, row.rootChatId),
        saveArtifact: (file) =>
          insertArtifact(db, { id: newId(), chatId: row.id, ownerId: row.ownerId, ...file }),
      }),
      preview: relay.open(chat.id),
      now: () => new Date(),
      newId,
      chance: Math.random,
      wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    };
  };

const NO_MODEL: ChatError = {
  kind: "config",
  message: "No model is configured: set PARLEY_MODELS, or enable one in the settings.",
  retryable: false,
};

/** The chat's own model while it is enabled, else the default one. */
export const resolveModel = async (
  { db, models }: Pick<TurnSeams, "db" | "models">,
  chat: ChatRow,
): Promise<ChatModel | { failure: ChatError }> => {
  const own = chat.modelId === null ? undefined : await findModel(db, chat.modelId);
  const model = own?.enabled ? own : await findDefaultModel(db);
  return model ? models.toChatModel(model) : { failure: NO_MODEL };
};
