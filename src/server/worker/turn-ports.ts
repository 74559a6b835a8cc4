import { setTimeout as delay } from "node:timers/promises";
import { createTurnTools } from "@/server/chat/turn-tools";
import { createTurnStore } from "@/server/chat/turn-store";
import type { TurnPorts } from "@/server/chat/turn-ports";
import { insertArtifact } from "@/server/db/artifact-writes";
import type { ClaimedChat } from "@/server/db/sql/claim";
import { toViewer } from "@/server/db/viewer";
import { callModel } from "@/server/model/call-model";
import { builtinTools } from "@/server/tools/registry";
import { openWorkspace } from "@/server/tools/workspace";
import { findAdvisor } from "./find-advisor";
import { resolveModel } from "./resolve-model";
import type { SharedTurnDeps } from "./turn-deps";

/** Joins the loop's seams with the real world. */
export const turnPorts =
  (seams: SharedTurnDeps) =>
  (claimed: ClaimedChat, stop: Pick<TurnPorts, "signal" | "isStopping">): TurnPorts => {
    const { db, relay, dataDir, newId } = seams;
    const log = seams.log.child({ chatId: claimed.id });
    return {
      ...stop,
      store: createTurnStore(db, newId),
      resolveModel: (row) => resolveModel(seams, row),
      callModel,
      tools: async (row) =>
        createTurnTools({
          tools: builtinTools,
          advisor: await findAdvisor(seams, claimed, log),
          chat: row,
          log,
        }),
      callSeams: (row, message, replyTo) => ({
        chatId: row.id,
        rootChatId: row.rootChatId,
        userId: toViewer(row).userId,
        turnId: row.turnId,
        messageId: message.id,
        replyToMessageId: replyTo?.id,
        channel: replyTo?.createdBy?.startsWith("api_key:") ? "api" : "web",
        log,
        workspace: openWorkspace(dataDir, row.rootChatId),
        saveArtifact: (file) =>
          insertArtifact(db, { id: newId(), chatId: row.id, viewer: toViewer(row), ...file }),
      }),
      preview: relay.open(claimed.id),
      meter: seams.meter,
      now: () => new Date(),
      newId,
      chance: Math.random,
      wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    };
  };
