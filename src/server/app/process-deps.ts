import type { Logger } from "pino";
import type { AgentLimits } from "@/contract/limits";
import type { HeldCalls } from "@/server/tools/held-calls";
import type { TaskRuns } from "@/server/tasks/task-runs";
import type { RecentChanges } from "@/server/db/chats/recent-changes";
import type { RecentHistories } from "@/server/db/chats/recent-histories";
import type { Database } from "@/server/db/connection/database";
import type { SettingCaches } from "@/server/db/settings/setting-caches";
import type { TurnMeter } from "@/server/metrics/turn-meter";
import type { ModelRegistry } from "@/server/model/catalog/model-registry";
import type { PreviewRelay } from "@/server/stream/preview-relay";
import type { AppTools } from "./app-tools";

/** Dependencies that all turns of a process share. */
export type ProcessDeps = {
  /** Calls that wait for a person. */
  heldCalls: HeldCalls;
  /** Work that goes on after its calls. */
  tasks: TaskRuns;
  tools: AppTools;
  db: Database;
  cached: SettingCaches;
  recent: RecentChanges;
  histories: RecentHistories;
  relay: PreviewRelay;
  models: ModelRegistry;
  agentLimits: AgentLimits;
  newId: () => string;
  meter: TurnMeter;
  log: Logger;
};
