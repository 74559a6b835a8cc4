import { setTimeout as delay } from "node:timers/promises";
import { createAppTools } from "@/server/chat/app-tools";
import { createTurnTools } from "@/server/chat/turn-tools";
import { createTurnStore } from "@/server/chat/turn-store";
import type { TurnPorts } from "@/server/chat/turn-ports";
import type { ClaimedChat } from "@/server/db/sql/claim";
import { callModel } from "@/server/model/call-model";
import { findAdvisor } from "./find-advisor";
import { resolveModel } from "./resolve-model";
import type { SharedTurnDeps } from "./turn-deps";

/** Joins the loop's seams with the real world. */
export const turnPorts = (seams: SharedTurnDeps) => {
  const { db, relay, dataDir, newId } = seams;
  const { sources, saveArtifact, stepAdvisors } = createAppTools({ db, dataDir, newId });
  return (claimed: ClaimedChat, stop: Pick<TurnPorts, "signal" | "isStopping">): TurnPorts => {
    const log = seams.log.child({ chatId: claimed.id });
    return {
      ...stop,
      store: createTurnStore(db, newId),
      resolveModel: (row) => resolveModel(seams, row),
      callModel,
      tools: async (row) =>
        createTurnTools({
          sources,
          advisor: await findAdvisor(seams, claimed, log),
          chat: row,
          log,
        }),
      saveArtifact,
      stepAdvisors,
      log,
      preview: relay.open(claimed.id),
      meter: seams.meter,
      now: () => new Date(),
      newId,
      random: Math.random,
      wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    };
  };
};
