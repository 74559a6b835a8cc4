import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { createStepAdvisors } from "@/server/chat/step-advisors";
import { createTurnTools } from "@/server/chat/turn-tools";
import { createTurnStore } from "@/server/chat/turn-store";
import type { TurnPorts } from "@/server/chat/turn-ports";
import { insertArtifact } from "@/server/db/artifact-writes";
import type { Database } from "@/server/db/database";
import type { ClaimedChat } from "@/server/db/lease-writes";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import { callModel } from "@/server/model/call-model";
import type { ModelRegistry } from "@/server/model/model-registry";
import type { PreviewRelay } from "@/server/stream/preview-relay";
import { builtinTools } from "@/server/tools/registry";
import { openWorkspace } from "@/server/tools/workspace";
import { findAdvisor } from "./find-advisor";
import { resolveModel } from "./resolve-model";

/** What every turn of a process has in common. */
export type TurnSeams = {
  db: Database;
  relay: PreviewRelay;
  models: ModelRegistry;
  dataDir: string;
  newId: () => string;
  meter: TurnMeter;
  log: Logger;
};

/** Joins the loop's seams with the real world. */
export const turnPorts = (seams: TurnSeams) => {
  const stepAdvisors = createStepAdvisors();
  return (claimed: ClaimedChat, stop: Pick<TurnPorts, "signal" | "isStopping">): TurnPorts => {
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
      saveArtifact: (call, file) =>
        insertArtifact(db, {
          id: newId(),
          chatId: call.chatId,
          ownerId: call.ownerId,
          toolCallId: call.toolCallId,
          ...file,
        }),
      stepAdvisors,
      log,
      preview: relay.open(claimed.id),
      meter: seams.meter,
      now: () => new Date(),
      newId,
      chance: Math.random,
      wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    };
  };
};
