import { setTimeout as delay } from "node:timers/promises";
import { findChosenGroups } from "@/server/settings/chosen-tools";
import { createTurnTools } from "@/server/turn/turn-tools";
import type { TurnDeps } from "@/server/turn/turn-deps";
import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import { callModel } from "@/server/model/call-model";
import type { WorkerHooks } from "@/server/worker/create-worker";
import { findAdvisor, resolveModel } from "./resolve-models";
import type { ProcessDeps } from "./process-deps";

/** Returns a function that creates what one turn of this process uses. */
export const createTurnDeps = (deps: ProcessDeps) => {
  const { db, cached, recent, histories, relay, newId, heldCalls, tasks, agentLimits } = deps;
  const { sources, saveArtifact, openArtifact, files } = deps.tools;
  return (claimed: ClaimedChat, worker: WorkerHooks): TurnDeps => {
    const log = deps.log.child({ chatId: claimed.id });
    return {
      ...worker,
      db,
      recent,
      histories,
      agentLimits,
      resolveModel: (row) => resolveModel(deps, row),
      callModel,
      tools: async (row, toolModes) =>
        createTurnTools({
          sources,
          advisor: await findAdvisor(deps, claimed, log),
          chat: row,
          toolModes,
          groups:
            row.groupNames.length === 0
              ? []
              : findChosenGroups(row, (await cached.groups.get()).groups),
          log,
        }),
      saveArtifact,
      openArtifact,
      files,
      heldCalls,
      tasks,
      log,
      preview: relay.open(claimed.id),
      meter: deps.meter,
      now: () => new Date(),
      newId,
      random: Math.random,
      wait: (ms, signal) =>
        delay(ms, undefined, { signal: AbortSignal.any([signal, worker.stopping]) }).catch(
          () => undefined,
        ),
    };
  };
};
