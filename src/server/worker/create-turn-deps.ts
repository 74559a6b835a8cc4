import { setTimeout as delay } from "node:timers/promises";
import { resolveWithinCost } from "@/server/chat/agents/agent-cost";
import { createAppTools } from "@/server/chat/app-tools";
import { type ClosedCall, exitClosedCalls } from "@/server/chat/exit-calls";
import { createTurnTools } from "@/server/chat/turn-tools";
import { createTurnStore } from "@/server/chat/turn-store";
import type { TurnDeps } from "@/server/chat/turn-deps";
import { recentGroups } from "@/server/db/group-reads";
import type { ClaimedChat } from "@/server/db/sql/claim";
import { callModel } from "@/server/model/call-model";
import type { SlottedTurn } from "./claims";
import { findAdvisor } from "./find-advisor";
import { resolveModel } from "./resolve-model";
import type { ProcessDeps } from "./process-deps";

/** What a worker gives to each turn. */
export type WorkerHooks = Pick<TurnDeps, "onDeferred" | "claimNew"> &
  SlottedTurn & {
    /** Aborted when the process begins to stop. */
    stopping: AbortSignal;
  };

/** Returns a function that creates what one turn of this process uses. */
export const createTurnDeps = (deps: ProcessDeps) => {
  const { db, relay, newId, heldCalls, tasks, agentLimits } = deps;
  const { sources, saveArtifact, openArtifact, runningSteps } = createAppTools(deps);
  const exitCalls = (calls: readonly ClosedCall[]) => exitClosedCalls(sources, calls);
  return (claimed: ClaimedChat, { stopping, ...worker }: WorkerHooks): TurnDeps => {
    const log = deps.log.child({ chatId: claimed.id });
    return {
      ...worker,
      isStopping: () => stopping.aborted,
      store: createTurnStore({ db, newId, exitCalls, saveArtifact, agentLimits, log }),
      exitCalls,
      resolveModel: (row) => resolveWithinCost(deps, row, () => resolveModel(deps, row)),
      callModel,
      tools: async (row, toolModes) =>
        createTurnTools({
          sources,
          advisor: await findAdvisor(deps, claimed, log),
          chat: row,
          toolModes,
          groups: row.groupNames.length === 0 ? [] : await recentGroups(db),
          log,
        }),
      saveArtifact,
      openArtifact,
      runningSteps,
      heldCalls,
      tasks,
      log,
      preview: relay.open(claimed.id),
      meter: deps.meter,
      now: () => new Date(),
      newId,
      random: Math.random,
      wait: (ms, signal) =>
        delay(ms, undefined, { signal: AbortSignal.any([signal, stopping]) }).catch(
          () => undefined,
        ),
    };
  };
};
