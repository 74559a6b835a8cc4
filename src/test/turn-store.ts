import { type AgentLimits, DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import { createTurnStore } from "@/server/turn/turn-store";
import type { TurnStore } from "@/server/turn/turn-deps";
import { testProcess } from "./test-process";
import { recordedDeps } from "./tool-fixture";
import { createArtifactDeps } from "@/server/app/artifact-deps";

/** The database operations of a turn. */
export const testTurnStore = (
  db: Database,
  newId: () => string,
  agentLimits: AgentLimits = DEFAULT_AGENT_LIMITS,
): TurnStore => {
  const { saveArtifact } = createArtifactDeps({ db, newId });
  const { recent, histories } = testProcess(db);
  const { log } = recordedDeps().deps.step;
  return createTurnStore({ db, recent, histories, newId, saveArtifact, agentLimits, log });
};
