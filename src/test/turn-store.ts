import { type AgentLimits, DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import { createTurnStore } from "@/server/turn/turn-store";
import type { TurnDeps, TurnStore } from "@/server/turn/turn-deps";
import { recordedDeps } from "./tool-fixture";
import { createArtifactDeps } from "@/server/app/artifact-deps";

/** The database operations of a turn, for tests that need no recipes. */
export const testTurnStore = (
  db: Database,
  newId: () => string,
  {
    exitCalls = () => Promise.resolve(),
    agentLimits = DEFAULT_AGENT_LIMITS,
  }: { exitCalls?: TurnDeps["exitCalls"]; agentLimits?: AgentLimits } = {},
): TurnStore => {
  const { saveArtifact } = createArtifactDeps({ db, newId });
  const { log } = recordedDeps().deps.step;
  return createTurnStore({ db, newId, exitCalls, saveArtifact, agentLimits, log });
};
